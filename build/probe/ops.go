package probe

// This file spells operations as instructions.

import "fmt"

// text spells a list of operations.
func (a *applier) text(ops []Op) []string {
	var out []string
	for _, op := range ops {
		out = append(out, a.op(op)...)
	}
	return out
}

func (a *applier) op(op Op) []string {
	switch op.Kind {
	case Set:
		return []string{a.store(fmt.Sprint(op.Value), op.Register)}
	case Add:
		load, v := a.load(op.Register)
		sum := a.fresh("v")
		return []string{load, fmt.Sprintf("%s = add i64 %s, %d", sum, v, op.Value), a.store(sum, op.Register)}
	case Fold:
		l1, inner := a.load(op.Other)
		l2, outer := a.load(op.Register)
		product, sum := a.fresh("v"), a.fresh("v")
		return []string{l1, l2, fmt.Sprintf("%s = mul i64 %s, %d", product, inner, op.Value),
			fmt.Sprintf("%s = add i64 %s, %s", sum, outer, product), a.store(sum, op.Register)}
	case Count:
		var out []string
		index := fmt.Sprint(op.Counter)
		if op.Register >= 0 {
			load, v := a.load(op.Register)
			out = append(out, load)
			index = v
			if op.Counter != 0 {
				index = a.fresh("v")
				out = append(out, fmt.Sprintf("%s = add i64 %s, %d", index, v, op.Counter))
			}
		}
		at, p := a.counter(index)
		return append(append(out, at), a.update(p, "1")...)
	case AddTo:
		load, v := a.load(op.Register)
		at, p := a.counter(fmt.Sprint(op.Counter))
		return append([]string{load, at}, a.update(p, v)...)
	case Max:
		load, v := a.load(op.Register)
		return []string{load, fmt.Sprintf("call void @%s(i64 %d, i64 %s)", longestFn, op.Counter, v)}
	case Publish:
		load, v := a.load(op.Register)
		return append([]string{load}, a.word(base, 2+op.Counter, v)...)
	case Hash:
		key := fmt.Sprint(op.Value)
		var out []string
		if op.Register >= 0 {
			load, v := a.load(op.Register)
			key = a.fresh("v")
			out = []string{load, fmt.Sprintf("%s = add i64 %s, %d", key, v, op.Value)}
		}
		if !a.p.Threads {
			return append(out, fmt.Sprintf("call void @%s(i64 %d, i64 %s)", hashedFn, op.Table, key))
		}
		table := fmt.Sprint(op.Table)
		if a.p.Part != nil {
			first := a.fresh("v")
			table = a.fresh("v")
			out = append(out, fmt.Sprintf("%s = load i64, %s %s, align 8", first, a.i64ptr, a.p.first(a.m, 2)), fmt.Sprintf("%s = add i64 %s, %d", table, first, op.Table))
		}
		return append(out, fmt.Sprintf("call void @%s(i64 %s, i64 %s)", hashFn, table, key))
	}
	panic(fmt.Sprintf("probe: op: unknown kind %d", op.Kind))
}

// load reads a register; a register that is always zero reads as a constant.
func (a *applier) load(r int) (text, value string) {
	v := a.fresh("v")
	if r < 0 {
		return fmt.Sprintf("%s = add i64 0, 0", v), v
	}
	return fmt.Sprintf("%s = load i64, %s %s, align 8", v, a.i64ptr, a.reg(r)), v
}

func (a *applier) store(value string, r int) string {
	return fmt.Sprintf("store i64 %s, %s %s, align 8", value, a.i64ptr, a.reg(r))
}

// counter spells the address of a counter.
func (a *applier) counter(index string) (text, pointer string) {
	p := a.fresh("p")
	return fmt.Sprintf("%s = getelementptr inbounds %s, %s @%s, i64 0, i64 %s", p, a.array, a.m.Pointer(a.array), counters, index), p
}

// update adds to a counter: atomically only when threads may race for it, since an
// atomic update costs several times a plain one.
func (a *applier) update(pointer, value string) []string {
	if a.p.Threads {
		return []string{fmt.Sprintf("%s = atomicrmw add %s %s, i64 %s monotonic", a.fresh("old"), a.i64ptr, pointer, value)}
	}
	old, sum := a.fresh("c"), a.fresh("c")
	return []string{
		fmt.Sprintf("%s = load i64, %s %s, align 8", old, a.i64ptr, pointer),
		fmt.Sprintf("%s = add i64 %s, %s", sum, old, value),
		fmt.Sprintf("store i64 %s, %s %s, align 8", sum, a.i64ptr, pointer),
	}
}
