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

func (a *applier) op(op Op) (out []string) {
	switch op.Kind {
	case Set:
		return []string{a.store(fmt.Sprint(op.Value), op.Register)}
	case Add:
		sum := a.value(&out, "v", "add i64 %s, %d", a.load(&out, op.Register), op.Value)
		return append(out, a.store(sum, op.Register))
	case Fold:
		inner, outer := a.load(&out, op.Other), a.load(&out, op.Register)
		product := a.value(&out, "v", "mul i64 %s, %d", inner, op.Value)
		sum := a.value(&out, "v", "add i64 %s, %s", outer, product)
		return append(out, a.store(sum, op.Register))
	case Count:
		index := fmt.Sprint(op.Counter)
		if op.Register >= 0 {
			index = a.load(&out, op.Register)
			if op.Counter != 0 {
				index = a.value(&out, "v", "add i64 %s, %d", index, op.Counter)
			}
		}
		p := a.counter(&out, index)
		return a.update(out, p, "1")
	case AddTo:
		v := a.load(&out, op.Register)
		p := a.counter(&out, fmt.Sprint(op.Counter))
		return a.update(out, p, v)
	case Max:
		v := a.load(&out, op.Register)
		return append(out, fmt.Sprintf("call void @%s(i64 %d, i64 %s)", longestFn, op.Counter, v))
	case Publish:
		v := a.load(&out, op.Register)
		return append(out, a.word(base, 2+op.Counter, v)...)
	case Hash:
		key := fmt.Sprint(op.Value)
		if op.Register >= 0 {
			key = a.value(&out, "v", "add i64 %s, %d", a.load(&out, op.Register), op.Value)
		}
		if !a.p.Threads {
			return append(out, fmt.Sprintf("call void @%s(i64 %d, i64 %s)", hashedFn, op.Table, key))
		}
		table := fmt.Sprint(op.Table)
		if a.p.Part != nil {
			first := a.value(&out, "v", "load i64, %s %s, align 8", a.i64ptr, a.p.first(a.m, 2))
			table = a.value(&out, "v", "add i64 %s, %d", first, op.Table)
		}
		return append(out, fmt.Sprintf("call void @%s(i64 %s, i64 %s)", hashFn, table, key))
	}
	panic(fmt.Sprintf("probe: op: unknown kind %d", op.Kind))
}

// load reads a register; a register that is always zero reads as a constant.
func (a *applier) load(text *[]string, r int) string {
	if r < 0 {
		return a.value(text, "v", "add i64 0, 0")
	}
	return a.value(text, "v", "load i64, %s %s, align 8", a.i64ptr, a.reg(r))
}

func (a *applier) store(value string, r int) string {
	return fmt.Sprintf("store i64 %s, %s %s, align 8", value, a.i64ptr, a.reg(r))
}

// counter spells the address of a counter.
func (a *applier) counter(text *[]string, index string) string {
	return a.value(text, "p", "getelementptr inbounds %s, %s @%s, i64 0, i64 %s", a.array, a.m.Pointer(a.array), counters, index)
}

// update adds to a counter: atomically only when threads may race for it, since an
// atomic update costs several times a plain one.
func (a *applier) update(text []string, pointer, value string) []string {
	if a.p.Threads {
		a.value(&text, "old", "atomicrmw add %s %s, i64 %s monotonic", a.i64ptr, pointer, value)
		return text
	}
	old := a.value(&text, "c", "load i64, %s %s, align 8", a.i64ptr, pointer)
	sum := a.value(&text, "c", "add i64 %s, %s", old, value)
	return append(text, fmt.Sprintf("store i64 %s, %s %s, align 8", sum, a.i64ptr, pointer))
}
