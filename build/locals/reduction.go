package locals

// This file recognises variables that iterations combine with something, in any order.

import (
	"slices"
	"strings"

	"pathspan/ir/asm"
)

// combining are operations as reduction clauses name them. The order of floating-point numbers matters for
// rounding, which clauses accept.
var combining = map[string]string{"add": "+", "fadd": "+", "sub": "+", "fsub": "+", "mul": "*", "fmul": "*", "and": "&", "or": "|", "xor": "^"}

// combines names the operation by which all of an iteration combines a variable with something, "" for none.
func (x *loop) combines(v *variable, exposed, whole, behind bool) string {
	if strings.HasPrefix(v.typ, "ptr") || strings.HasSuffix(v.typ, "*") {
		return ""
	}
	if !exposed {
		if !whole && behind {
			return x.says(v)
		}
		return ""
	}
	op := ""
	taken := map[*asm.Instr]bool{} // loads that go into what is combined
	for _, b := range x.l.Blocks {
		for _, u := range v.uses[b] {
			if !u.store {
				continue
			}
			how, loads := x.combined(v, u.in)
			if how == "" || op != "" && how != op {
				return ""
			}
			op = how
			for _, l := range loads {
				taken[l] = true
			}
		}
	}
	for _, b := range x.l.Blocks {
		for _, u := range v.uses[b] {
			if !u.store && (!taken[u.in] || len(x.fn.users[u.in.Result()]) != 1) {
				return ""
			}
		}
	}
	return op
}

// says is of a variable that iterations set to one truth value, and do not read.
func (x *loop) says(v *variable) string {
	value := ""
	for _, b := range x.l.Blocks {
		for _, u := range v.uses[b] {
			if to := u.in.Operands()[0].Value; u.store && (value == "" || value == to) {
				value = to
			} else {
				return ""
			}
		}
	}
	switch {
	case !strings.HasPrefix(v.typ, "i"):
		return ""
	case value == "0" || value == "false":
		return "&"
	case value != "1" && value != "true":
		return ""
	}
	for _, list := range v.uses { // others would be combined with bits
		for _, u := range list {
			if u.store && !slices.Contains([]string{"0", "1", "false", "true"}, u.in.Operands()[0].Value) {
				return ""
			}
		}
	}
	return "|"
}

// combined names how a store combines a variable with something, and the loads of the variable that go into it.
func (x *loop) combined(v *variable, store *asm.Instr) (string, []*asm.Instr) {
	of := func(value string) bool { return x.fn.loaded(x.fn.bare(value)) == v }
	free := func(value string) bool {
		return !x.fn.computedOf(value, func(w *variable) bool { return w == v }, 32)
	}
	value := x.fn.bare(store.Operands()[0].Value)
	in := x.fn.made(value)
	if in != nil && combining[in.Op()] != "" {
		a, b := in.Operands()[0].Value, in.Operands()[1].Value
		if !of(a) && in.Op() != "sub" && in.Op() != "fsub" {
			a, b = b, a
		}
		if of(a) && free(b) && x.once(a) {
			return combining[in.Op()], []*asm.Instr{x.fn.made(x.fn.bare(a))}
		}
		return "", nil
	}
	if c := call(in); c != nil {
		switch {
		case strings.HasPrefix(c.Callee, "llvm.fmuladd.") && of(c.Args[2].Value) && free(c.Args[0].Value) && free(c.Args[1].Value):
			return "+", []*asm.Instr{x.fn.made(x.fn.bare(c.Args[2].Value))}
		case len(c.Args) == 2 && (strings.HasPrefix(c.Callee, "fmax") || strings.HasPrefix(c.Callee, "llvm.maxnum.") || strings.HasPrefix(c.Callee, "fmin") || strings.HasPrefix(c.Callee, "llvm.minnum.")):
			a, b := c.Args[0].Value, c.Args[1].Value
			if !of(a) {
				a, b = b, a
			}
			if of(a) && free(b) {
				return map[bool]string{true: "max", false: "min"}[strings.Contains(c.Callee, "max")], []*asm.Instr{x.fn.made(x.fn.bare(a))}
			}
		}
		return "", nil
	}
	if in != nil && in.Op() == "phi" {
		return x.chosen(v, in)
	}
	return x.extreme(v, store)
}

// once reports whether what is between a load and what is computed of it has no other use.
func (x *loop) once(value string) bool {
	for range 8 {
		in := x.fn.made(value)
		if in == nil || len(x.fn.users[in.Result()]) != 1 {
			return false
		}
		if in.Op() == "load" {
			return true
		}
		value = in.Operands()[0].Value
	}
	return false
}

func call(in *asm.Instr) *asm.Call {
	if in == nil {
		return nil
	}
	return in.Call()
}

// extreme is of a store in a block that a comparison of the variable with the value leads to alone.
func (x *loop) extreme(v *variable, store *asm.Instr) (string, []*asm.Instr) {
	at := x.fn.at[store][0]
	preds := x.fn.cfg.Preds[at]
	if len(preds) != 1 {
		return "", nil
	}
	return x.compares(v, preds[0].From, preds[0].Index == 0, store.Operands()[0].Value)
}

// compares names what is kept of a variable and a value where the end of a block compares them, and one way from there takes the value.
func (x *loop) compares(v *variable, block int, onTrue bool, value string) (string, []*asm.Instr) {
	t := x.fn.f.Blocks[block].Term()
	if t == nil || t.Op() != "br" || len(t.Operands()) == 0 {
		return "", nil
	}
	cmp := x.fn.made(t.Operands()[0].Value)
	if cmp == nil || cmp.Op() != "icmp" && cmp.Op() != "fcmp" {
		return "", nil
	}
	a, b := cmp.Operands()[0].Value, cmp.Operands()[1].Value
	less := false // the value is, where it is taken
	switch predicate := strings.Fields(strings.TrimPrefix(cmp.Text(), "%"+cmp.Result()+" = ")); {
	case slices.ContainsFunc(predicate, func(w string) bool { return slices.Contains([]string{"slt", "ult", "olt", "sle", "ule", "ole"}, w) }):
		less = true
	case slices.ContainsFunc(predicate, func(w string) bool { return slices.Contains([]string{"sgt", "ugt", "ogt", "sge", "uge", "oge"}, w) }):
	default:
		return "", nil
	}
	kept := a
	if x.fn.loaded(x.fn.bare(a)) == v { // V op value
		kept, less = b, !less
		a, b = b, a
	}
	if x.fn.loaded(x.fn.bare(b)) != v || x.fn.loaded(x.fn.bare(a)) == v || x.fn.key(x.fn.bare(kept), 12) != x.fn.key(x.fn.bare(value), 12) {
		return "", nil
	}
	if !onTrue {
		less = !less
	}
	return map[bool]string{true: "min", false: "max"}[less], []*asm.Instr{x.fn.made(x.fn.bare(b))}
}

// chosen is of what ? : makes a minimum or a maximum of, and of && and ||.
func (x *loop) chosen(v *variable, phi *asm.Instr) (string, []*asm.Instr) {
	pairs := phi.Phi()
	if len(pairs) != 2 {
		return "", nil
	}
	for k := range pairs {
		this, other := pairs[k], pairs[1-k]
		from := x.fn.f.Block(this.Block)
		if from == nil || len(from.Instrs) == 0 {
			continue
		}
		b := x.fn.at[from.Instrs[0]][0]
		if this.Value == "false" || this.Value == "true" {
			// ok && f(): where ok is false already, nothing more is asked.
			t := from.Term()
			if t == nil || t.Op() != "br" || len(t.Operands()) == 0 {
				continue
			}
			if load := x.truth(v, t.Operands()[0].Value); load != nil && !x.fn.computedOf(other.Value, func(w *variable) bool { return w == v }, 32) {
				return map[string]string{"false": "&&", "true": "||"}[this.Value], []*asm.Instr{load}
			}
			continue
		}
		if x.fn.loaded(x.fn.bare(other.Value)) != v || len(x.fn.cfg.Preds[b]) != 1 {
			continue
		}
		e := x.fn.cfg.Preds[b][0]
		if op, loads := x.compares(v, e.From, e.Index == 0, this.Value); op != "" {
			return op, append(loads, x.fn.made(x.fn.bare(other.Value)))
		}
	}
	return "", nil
}

// truth returns the load of which a condition is whether the variable is other than zero.
func (x *loop) truth(v *variable, value string) *asm.Instr {
	for range 8 {
		in := x.fn.made(value)
		switch {
		case in == nil:
			return nil
		case in.Op() == "load":
			if x.fn.loaded(value) == v {
				return in
			}
			return nil
		case in.Op() == "trunc", in.Op() == "icmp" && strings.Contains(in.Text(), " ne ") && in.Operands()[1].Value == "0":
			value = in.Operands()[0].Value
		default:
			return nil
		}
	}
	return nil
}
