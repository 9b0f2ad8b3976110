package depend

// This file says what of OpenMP gives each thread of a loop objects of its own.

import (
	"regexp"
	"strings"

	"pathspan/memory"
)

// Owned is an object of which each thread needs one of its own.
type Owned struct {
	Object string
	// Clause and Variable are what a pragma says for it, "private" and a name of the source; "" where that takes more
	// than a clause, or cannot be told.
	Clause, Variable string
	// Inside tells that it is declared in the loop, so that each iteration has its own as it is.
	Inside bool
	Behind Access // a place behind the loop that reads what the loop left there
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// owned says how each thread gets its own of an object, in a loop that stands in some lines. Clauses are about names, so that the object
// must be a variable that the lines can name and reach by that name: one of their function, which no other function has
// inlined, and whose life begins outside of the loop; or a global that none but the lines access in the loop. What was there
// before is copied where it is read. What is read behind the loop, or by another execution of it, is lost with a clause.
func (d *Depend) owned(fn, loop, object int, in Lines) Owned {
	out, o := Owned{Object: d.names.Object(object), Clause: "private"}, &d.data.Objects[object]
	can := identifier.MatchString(o.Name)
	switch o.Kind {
	case memory.Stack:
		known, inside := d.begins(fn, loop, object)
		out.Inside = inside
		can = can && known && !inside && o.Func == fn && d.bundle.Program.Funcs[fn].Source == in.Function
	case memory.Global:
		for i := range d.data.Writes {
			if w := &d.data.Writes[i]; w.Object == object && d.holds(loop, w.By) {
				can = can && d.stands(fn, w.By, in)
			}
		}
	default:
		can = false
	}
	for i := range d.data.Flows {
		f := &d.data.Flows[i]
		if f.Object != object {
			continue
		}
		from, to := d.holds(loop, f.From), d.holds(loop, f.To)
		switch {
		case to && !from:
			out.Clause = "firstprivate"
		case from && !to && out.Behind == (Access{}):
			out.Behind = d.access(f.To)
		}
		if to && o.Kind == memory.Global {
			can = can && d.stands(fn, f.To, in)
		}
	}
	for i := range d.data.Carried {
		c := &d.data.Carried[i]
		can = can && !(c.Object == object && c.Kind == memory.FlowDependence && c.Loop >= 0 && !d.inside(loop, c.Loop) && d.holds(loop, c.From) && d.holds(loop, c.To))
	}
	if out.Variable = o.Name; !can || out.Behind != (Access{}) {
		out.Clause, out.Variable = "", ""
	}
	return out
}

// stands reports whether a place is one of some lines of a function, rather than of what they call.
func (d *Depend) stands(fn int, w memory.Who, in Lines) bool {
	p := &d.data.Places[w.Place]
	return p.Func == fn && p.Loc.File >= 0 && d.bundle.Program.Files[p.Loc.File] == in.File && p.Loc.Line >= in.First && p.Loc.Line <= in.Last
}

// begins tells whether the life of a variable begins in a loop, where the module says where it begins.
func (d *Depend) begins(fn, loop, object int) (known, inside bool) {
	v := d.module.of(fn)
	if v == nil || loop < 0 || d.data.Loops[loop].Func != fn {
		return false, false
	}
	var allocas []string
	for _, b := range v.blocks {
		for _, in := range b.Instrs {
			if in.Op() == "alloca" {
				allocas = append(allocas, "%"+in.Result())
			}
		}
	}
	nth, others := -1, 0 // the last objects of the stack are the function's variables, in their order
	for i := range d.data.Objects {
		if o := &d.data.Objects[i]; o.Kind == memory.Stack && o.Func == fn {
			if i == object {
				nth = others
			}
			others++
		}
	}
	if nth -= others - len(allocas); nth < 0 || nth >= len(allocas) {
		return false, false
	}
	header := d.data.Loops[loop].Header
	for _, l := range d.graphs(fn).Loops {
		if l.Header != header {
			continue
		}
		within := map[int]bool{}
		for _, b := range l.Blocks {
			within[b] = true
		}
		for bi, b := range v.blocks {
			for _, in := range b.Instrs {
				if c := in.Call(); c != nil && strings.HasPrefix(c.Callee, "llvm.lifetime.start") && c.Args[len(c.Args)-1].Value == allocas[nth] {
					known, inside = true, inside || within[bi]
				}
			}
		}
	}
	return known, inside
}
