package depend

// This file says what one stretch of a function's lines needs of another before it.

import (
	"pathspan/ir"
	"pathspan/memory"
)

// Lines are lines of a function of the source.
type Lines struct {
	Function    string
	File        string
	First, Last int
}

// Between lists what lines read that others of the same function wrote last, in themselves or in
// what they call, and one value that they have of them in a register. What is called from both is left out, as nothing tells for which it acted.
func (d *Depend) Between(before, behind Lines) []Conflict {
	from, own := d.executed(before)
	to, others := d.executed(behind)
	var out Loop
	for i := range d.data.Flows {
		f := &d.data.Flows[i]
		if f.From.Place < 0 || d.own(f.Object) || !from[f.From.Place] || to[f.From.Place] || !to[f.To.Place] || from[f.To.Place] {
			continue
		}
		out.Add(Loop{Verdict: Dependent, Forbid: []Conflict{{dependences[memory.FlowDependence], d.names.Object(f.Object), d.access(f.From), d.access(f.To), 1}}})
	}
	return append(out.Forbid, d.passed(own, others)...)
}

// executed tells the places that lines lead to, and the instructions that they hold.
func (d *Depend) executed(l Lines) (out []bool, own []held) {
	p := d.bundle.Program
	holds := func(at ir.Loc) bool {
		return at.File >= 0 && at.File < len(p.Files) && p.Files[at.File] == l.File && at.Line >= l.First && at.Line <= l.Last
	}
	within := func(fn int, in *ir.Instr) bool {
		for scope, at := in.Scope, in.Loc; ; {
			if name, _ := p.Holder(p.Funcs[fn], &ir.Instr{Scope: scope}); name == l.Function && holds(at) {
				return true
			}
			if scope == 0 {
				return false
			}
			scope, at = p.Scopes[scope-1].Parent, p.Scopes[scope-1].Call
		}
	}
	called := make([]bool, len(p.Funcs))
	lines := map[[3]int]bool{} // function, file and line of instructions that the lines hold
	for fn, f := range p.Funcs {
		if d.bundle.Funcs[fn] == nil {
			continue
		}
		whole := make([]bool, len(f.Blocks)) // all that has a line is the lines'
		for b := range f.Blocks {
			some, others := false, false
			for k := range f.Blocks[b].Instrs {
				in := &f.Blocks[b].Instrs[k]
				if !within(fn, in) {
					others = others || in.Loc.Line > 0
					continue
				}
				some = true
				own = append(own, held{fn, b, k})
				lines[[3]int{fn, in.Loc.File, in.Loc.Line}] = true
				if in.Call != nil {
					d.follow(called, d.callees(fn, b, k, in.Call))
				}
			}
			whole[b] = some && !others
		}
		own = append(own, d.joined(fn, whole)...)
	}
	out = make([]bool, len(d.data.Places))
	for i := range out {
		x := &d.data.Places[i]
		out[i] = called[x.Func] || lines[[3]int{x.Func, x.Loc.File, x.Loc.Line}]
	}
	return out, own
}
