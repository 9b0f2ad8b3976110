package openmp

// This file names the OpenMP constructs that are not modelled as parallel.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

const (
	counted    = ir.CountedAround
	sequential = "run sequentially, " + counted
)

// note is one construct and what is done with it.
type note struct {
	pos        position
	what, done string
}

type notes []note

func (n *notes) add(pos position, what, done string) {
	*n = append(*n, note{pos, what, done})
}

// lines returns the notes in the order of their positions, each once.
func (n notes) lines() []string {
	slices.SortStableFunc(n, func(a, b note) int {
		return cmp.Or(cmp.Compare(a.pos.file, b.pos.file), cmp.Compare(a.pos.line, b.pos.line),
			cmp.Compare(a.what, b.what), cmp.Compare(a.done, b.done))
	})
	var out []string
	for _, x := range n {
		at := "?"
		if x.pos.line > 0 {
			at = fmt.Sprintf("%s:%d", x.pos.file, x.pos.line)
		}
		out = append(out, ir.Unmodelled{Place: at, Construct: x.what, Done: x.done}.String())
	}
	return slices.Compact(out)
}

// scan finds the constructs of m. It must run before anything is changed.
func (n *notes) scan(m *asm.Module, all []*parallel) {
	bodies := map[*asm.Func]*parallel{}
	for _, p := range all {
		bodies[p.body] = p
	}
	serialized := serializedFuncs(m)
	taken := map[*asm.Instr]bool{} // begins of loops that are modelled
	why := map[*asm.Instr]string{} // begins of other loops
	named := map[*asm.Func]bool{}  // a note for a construct of the same place names the region too
	for _, f := range m.Funcs() {
		p := bodies[f]
		for _, c := range constructsOf(m, f, p) {
			switch {
			case p != nil && c.problem == "":
				taken[c.init] = true
			case c.loop != nil && p != nil: // which the call is noted for, below
				why[c.init] = c.problem + ": "
			case c.loop != nil:
				why[c.init] = "not in the text of a parallel region (write the loop there to have it estimated): "
				if laidIn(c.pos, all) {
					why[c.init] = "where no parallel region of its file calls it: "
				}
			case p != nil:
				n.add(c.pos, "sections", c.problem+": "+sequential)
			case serialized[f.Name()]:
				n.add(c.pos, "sections", "its region is never executed in parallel (if clause): "+sequential)
			default:
				n.add(c.pos, "sections", "not in the text of a parallel region: "+sequential)
			}
		}
		for in := range f.Instrs() {
			c := in.Call()
			if c == nil || c.Callee == "" || taken[in] {
				continue
			}
			what, done := unmodelled(m, c)
			if what == "" {
				continue
			}
			pos := position{}
			if len(c.Args) > 0 {
				pos = identAt(m, c.Args[0].Value)
			}
			if i := strings.LastIndex(c.Callee, "_l"); what == "target" && pos.line == 0 && i >= 0 {
				pos.line, _ = strconv.Atoi(c.Callee[i+2:])
				pos.file = fileOf(m, c.Callee)
			}
			if pos.line == 0 {
				pos.file, pos.line = lineOf(m, in)
			}
			if p != nil && what == "for" && pos.same(p.forks[0].pos) {
				what = "parallel for"
				named[f] = true
			}
			n.add(pos, what, why[in]+done)
		}
	}
	for _, p := range all {
		if len(p.constructs) > 0 || named[p.body] {
			continue
		}
		for _, k := range p.forks {
			if k.teams {
				n.add(k.pos, "teams", sequential)
			} else {
				n.add(k.pos, "parallel without worksharing", sequential)
			}
		}
	}
}

func constructsOf(m *asm.Module, f *asm.Func, p *parallel) []*construct {
	if p != nil {
		return p.constructs
	}
	return constructs(m, f)
}

// serializedFuncs returns the outlined functions that are called directly because
// an if clause is false.
func serializedFuncs(m *asm.Module) map[string]bool {
	out := map[string]bool{}
	for _, f := range m.Funcs() {
		for _, b := range f.Blocks {
			inside := false
			for _, in := range b.Instrs {
				c := in.Call()
				switch {
				case c == nil:
				case c.Callee == "__kmpc_serialized_parallel":
					inside = true
				case c.Callee == "__kmpc_end_serialized_parallel":
					inside = false
				case inside:
					out[c.Callee] = true
				}
			}
		}
	}
	return out
}

// unmodelled says which construct a call belongs to and what is done with it; "" for
// a call that needs no note.
func unmodelled(m *asm.Module, c *asm.Call) (what, done string) {
	callee, kmpc := strings.CutPrefix(c.Callee, "__kmpc_")
	switch {
	case strings.HasPrefix(c.Callee, "__tgt_target"), strings.HasPrefix(c.Callee, "__omp_offloading_"):
		if strings.HasPrefix(c.Callee, "__tgt_target_data") {
			return "target data", "without effect, as the device is the host"
		}
		return "target", "run on the host, " + sequential
	case c.Callee == "omp_test_lock", c.Callee == "omp_test_nest_lock":
		return c.Callee, "finds the lock free in a sequential run: estimated as if it waited for it"
	case !kmpc:
		return "", ""
	case strings.HasPrefix(callee, "for_static_init_"), strings.HasPrefix(callee, "dist_for_static_init_"):
		switch flags := identAt(m, c.Args[0].Value).flags; {
		case flags&flagSections != 0:
			if c.Callee != staticInit {
				return "sections", "in a form that is not understood: " + sequential
			}
			return "", ""
		case flags&flagDistribute != 0:
			return "distribute", sequential
		}
		return "for", sequential
	case strings.HasPrefix(callee, "dispatch_init_"):
		return "for", sequential
	case callee == "omp_target_task_alloc":
		return "task", "of a device, run where it is created, " + sequential
	case callee == "fork_call_if":
		return "parallel", "started in a way that is not understood: " + sequential
	}
	return "", ""
}

// fileOf returns the file that defines a function, "" when unknown.
func fileOf(m *asm.Module, name string) string {
	f := m.Func(name)
	if f == nil {
		return ""
	}
	if sp := m.Meta(f.Dbg()); sp != nil {
		if file := m.Meta(sp.Ref("file")); file != nil {
			return file.Str("filename")
		}
	}
	return ""
}

// lineOf returns where in was written.
func lineOf(m *asm.Module, in *asm.Instr) (string, int) {
	n := m.Meta(in.Dbg())
	if n == nil {
		return "", 0
	}
	line := n.Int("line")
	for range 1000 {
		if n = m.Meta(n.Ref("scope")); n == nil {
			break
		}
		if f := m.Meta(n.Ref("file")); f != nil {
			return f.Str("filename"), line
		}
	}
	return "", line
}
