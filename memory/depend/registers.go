package depend

// This file finds what one stretch of a function's lines passes to another in registers: what memory does not show, as
// the optimiser keeps variables there.

import (
	"slices"
	"strings"

	"pathspan/ir/asm"
)

// held is an instruction of the program, by function, block and place in it.
type held struct{ fn, block, instr int }

// passed lists what instructions use of values that others of the same function left: what loops and branches came to, and
// what calls and atomic updates returned, with all that is computed of these. What is computed of values from before alone is
// none, nor what is loaded: it may be the optimiser that computes once what both stretches compute.
func (d *Depend) passed(before, behind []held) []Conflict {
	users := map[int][]held{}
	for _, x := range behind {
		users[x.fn] = append(users[x.fn], x)
	}
	var out []Conflict
	from := map[int]map[string]held{} // by function and value: of which instruction it comes
	for _, x := range before {
		v := d.module.of(x.fn)
		if v == nil || users[x.fn] == nil {
			continue
		}
		if from[x.fn] == nil {
			from[x.fn] = map[string]held{}
		}
		in := v.at(x)
		if c := in.Call(); in.Result() != "" && (in.Op() == "phi" || in.Op() == "atomicrmw" || in.Op() == "cmpxchg" || c != nil && !strings.HasPrefix(c.Callee, "llvm.")) {
			d.spread(v, in, x, from[x.fn])
		}
	}
	for _, x := range behind {
		v := d.module.of(x.fn)
		if v == nil || len(from[x.fn]) == 0 {
			continue
		}
		in := v.at(x)
		for _, u := range in.Uses() {
			if who, ok := from[x.fn][u]; ok && d.forward(v, x.fn, in, u) {
				at := func(y held) Access { return d.at(y.fn, [2]int{y.block, y.instr}, "") }
				return append(out, Conflict{Depends: "flow", From: at(who), To: at(x)})
			}
		}
	}
	return out
}

// joined lists the phis without a line that some whole blocks of a stretch lead to: they are what its loops and branches come to.
func (d *Depend) joined(fn int, whole []bool) (out []held) {
	if !slices.Contains(whole, true) {
		return nil
	}
	v, view := d.module.of(fn), d.bundle.Program.Funcs[fn]
	if v == nil {
		return nil
	}
	for b := range v.viewed {
		for k, in := range v.viewed[b] {
			if in.Op() == "phi" && view.Blocks[b].Instrs[k].Loc.Line == 0 && slices.ContainsFunc(in.Phi(), func(p asm.Incoming) bool { at, ok := v.name[p.Block]; return ok && whole[at] }) {
				out = append(out, held{fn, b, k})
			}
		}
	}
	return out
}

// at returns an instruction of the view.
func (v *values) at(x held) *asm.Instr { return v.viewed[x.block][x.instr] }

// spread notes a value and what is computed of it.
func (d *Depend) spread(v *values, in *asm.Instr, who held, from map[string]held) {
	work := []*asm.Instr{in}
	for len(work) > 0 {
		name := work[0].Result()
		work = work[1:]
		if _, known := from[name]; known || name == "" {
			continue
		}
		from[name] = who
		for _, u := range v.users[name] {
			if d.forward(v, who.fn, u, name) {
				work = append(work, u)
			}
		}
	}
}

// forward reports whether an instruction uses a value of the same iteration of all loops around it: a phi may have that of the one before.
func (d *Depend) forward(v *values, fn int, in *asm.Instr, value string) bool {
	if in.Op() != "phi" {
		return true
	}
	g := d.graphs(fn)
	for _, p := range in.Phi() {
		if b, ok := v.name[p.Block]; ok && p.Value == "%"+value && !g.Dominates(v.block[in], b) {
			return true
		}
	}
	return false
}
