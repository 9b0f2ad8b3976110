package comm

// This file tells what of the source each place of a program is: which function it was written
// in, in which nest of loops, and how often it accesses memory.

import (
	"errors"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/profile"
)

// Comm is what a bundle tells of communication.
type Comm struct {
	bundle    *profile.Bundle
	program   *ir.Program
	data      *memory.Data
	sources   []source // by place
	functions []function
	nests     []nest
	loops     []loop        // by loop of the data
	made      map[int][]int // by place: the scopes of what makes objects there, in the order of the program
	objects   []string      // short names, unique
}

// function is a function of the source, all copies of it.
type function struct {
	name  string
	at    ir.Loc // where it is defined
	calls uint64
}

// loop is a loop of the source, or a copy of it.
type loop struct {
	function int
	at       ir.Loc
}

// nest is an outermost loop of a function of the source, all copies of it.
type nest struct {
	function int
	at       ir.Loc
	entries  uint64
}

// source is what a place is.
type source struct {
	function, nest int // nest -1: outside of loops
	at             ir.Loc
	reads, writes  access
}

// access is how often a place reads or writes. Size is that of each, in bytes, 0 where they
// differ or are not known.
type access struct {
	times uint64
	size  uint64
	any   bool
}

func (a *access) add(times uint64, size int) {
	if a.any && a.size != uint64(size) {
		size = 0
	}
	a.times, a.size, a.any = a.times+times, uint64(size), true
}

// ErrNone is returned for a bundle that was profiled without memory.
var ErrNone = errors.New("it keeps nothing of the program's memory: profile again with --memory")

// Of reads what a bundle tells. It returns ErrNone where that is nothing.
func Of(b *profile.Bundle) (*Comm, error) {
	if b.Memory == nil {
		return nil, ErrNone
	}
	c := &Comm{bundle: b, program: b.Program, data: b.Memory}
	r := reader{Comm: c, graphs: flow.Graphs(b.Program), known: map[definition]int{}, scopes: make([]int, len(b.Program.Scopes)), calls: make([]uint64, len(b.Program.Scopes))}
	for i := range r.scopes {
		s := &b.Program.Scopes[i]
		r.scopes[i] = r.function(s.Name, s.Loc)
	}
	r.readLoops()
	r.readPlaces()
	for i := range r.calls {
		c.functions[r.scopes[i]].calls += r.calls[i]
	}
	for i, f := range b.Program.Funcs {
		if b.Funcs[i] != nil {
			c.functions[r.function(f.Source, f.Loc)].calls += b.Funcs[i].Invocations()
		}
	}
	c.objects = c.objectNames()
	return c, nil
}

type definition struct {
	name       string
	file, line int
}

type reader struct {
	*Comm
	graphs func(fn int) *flow.CFG
	known  map[definition]int
	scopes []int    // by scope: the function
	calls  []uint64 // by scope: how often what was inlined is executed, as far as its code tells
	// By loop of the data: the scope of its statement, and its place.
	scopeOf  []int
	at       []ir.Loc
	entered  []uint64
	nestsOf  map[[3]int]int // by function and place
	loopNest []int          // by loop: its nest where it is an outermost one of its function
}

func (r *reader) function(name string, at ir.Loc) int {
	key := definition{name, at.File, at.Line}
	i, ok := r.known[key]
	if !ok {
		i = len(r.functions)
		r.known[key] = i
		r.functions = append(r.functions, function{name: name, at: at})
	}
	return i
}

// holder is the function that code of a scope was written in.
func (r *reader) holder(fn, scope int) int {
	if scope > 0 {
		return r.scopes[scope-1]
	}
	f := r.program.Funcs[fn]
	return r.function(f.Source, f.Loc)
}

// body reports whether what was inlined goes by the same directive as what holds it, as the body
// of a task does: who calls that is counted once.
func (r *reader) body(fn, scope int) bool {
	s := &r.program.Scopes[scope-1]
	return ir.ByDirective(s.Name) && r.holder(fn, s.Parent) == r.scopes[scope-1]
}

// within reports whether a scope is another or lies in it.
func (r *reader) within(scope, outer int) bool {
	for ; scope != outer; scope = r.program.Scopes[scope-1].Parent {
		if scope == 0 {
			return false
		}
	}
	return true
}

// readLoops finds the statements of all loops, and how often each was entered.
func (r *reader) readLoops() {
	all := r.data.Loops
	r.scopeOf, r.at, r.entered = make([]int, len(all)), make([]ir.Loc, len(all)), make([]uint64, len(all))
	entries := make([][]uint64, len(r.program.Funcs))
	for i := range all {
		l := &all[i]
		g, f := r.graphs(l.Func), r.program.Funcs[l.Func]
		k := slices.IndexFunc(g.Loops, func(x *flow.Loop) bool { return x.Header == l.Header })
		if k < 0 {
			r.at[i] = ir.Loc{File: -1}
			continue
		}
		s := g.Statement(r.program, f, k)
		r.at[i] = s.Loc
		if s.In != nil {
			r.scopeOf[i] = s.In.Scope
		} else {
			r.scopeOf[i] = r.common(f, g.Loops[k])
		}
		if p := r.bundle.Funcs[l.Func]; p != nil {
			if entries[l.Func] == nil {
				entries[l.Func] = p.EntriesOf()
			}
			r.entered[i] = entries[l.Func][k]
		}
	}
	r.Comm.loops = make([]loop, len(all))
	for i := range all {
		r.Comm.loops[i] = loop{r.holder(all[i].Func, r.scopeOf[i]), r.at[i]}
	}
	r.nestsOf, r.loopNest = map[[3]int]int{}, make([]int, len(all))
	for i := range all {
		r.loopNest[i] = -1
		if up := all[i].Parent; up >= 0 && r.scopeOf[up] == r.scopeOf[i] {
			continue
		}
		fn := r.holder(all[i].Func, r.scopeOf[i])
		key := [3]int{fn, r.at[i].File, r.at[i].Line}
		n, ok := r.nestsOf[key]
		if !ok {
			n = len(r.nests)
			r.nestsOf[key] = n
			r.nests = append(r.nests, nest{function: fn, at: r.at[i]})
		}
		r.nests[n].entries += r.entered[i]
		r.loopNest[i] = n
	}
	// What was inlined is executed as often as its outermost loops are entered, or more.
	for i := range all {
		for s := r.scopeOf[i]; s > 0; s = r.program.Scopes[s-1].Parent {
			if up := all[i].Parent; (up < 0 || !r.within(r.scopeOf[up], s)) && !r.body(all[i].Func, s) {
				r.calls[s-1] = max(r.calls[s-1], r.entered[i])
			}
		}
	}
}

// common is the innermost scope that holds what a loop does where its iterations begin and end,
// where the compiler lost the lines of its statement.
func (r *reader) common(f *ir.Func, l *flow.Loop) int {
	scope, any := 0, false
	blocks := []int{l.Header}
	for _, e := range l.Latches {
		blocks = append(blocks, e.From)
	}
	for _, b := range blocks {
		for k := range f.Blocks[b].Instrs {
			in := &f.Blocks[b].Instrs[k]
			if in.Loc.Line == 0 {
				continue
			}
			if !any {
				scope, any = in.Scope, true
			}
			for scope > 0 && !r.within(in.Scope, scope) {
				scope = r.program.Scopes[scope-1].Parent
			}
		}
	}
	return scope
}

// readPlaces finds what each place is, by its instructions, and what executes it.
func (r *reader) readPlaces() {
	r.sources = make([]source, len(r.data.Places))
	for i := range r.sources {
		p := &r.data.Places[i]
		r.sources[i] = source{function: r.holder(p.Func, 0), nest: -1, at: p.Loc}
	}
	r.made = map[int][]int{}
	seen := make([]bool, len(r.sources))
	at := make(map[memory.Place]int, len(r.data.Places))
	for i, p := range r.data.Places {
		at[p] = i
	}
	// Of variables of other functions a place writes only those that it passes as copies.
	type passed struct{ place, object int }
	once, copied := map[passed]bool{}, map[[2]int]uint64{} // by place and called function
	for _, w := range r.data.Writes {
		o := &r.data.Objects[w.Object]
		if p := (passed{w.By.Place, w.Object}); o.Kind == memory.Stack && p.place >= 0 && o.Func != r.data.Places[p.place].Func && !once[p] {
			once[p] = true
			copied[[2]int{p.place, o.Func}]++
		}
	}
	bits := ir.PointerBits(r.program.DataLayout)
	loopAt := map[[2]int]int{} // by function and header
	for i := range r.data.Loops {
		loopAt[[2]int{r.data.Loops[i].Func, r.data.Loops[i].Header}] = i
	}
	for fi, f := range r.program.Funcs {
		counts, g := make([]uint64, len(f.Blocks)), r.graphs(fi)
		if p := r.bundle.Funcs[fi]; p != nil {
			counts = p.BlockCounts(len(f.Blocks))
		}
		for bi, b := range f.Blocks {
			loop := -1 // innermost of the data
			for l := g.LoopOf[bi]; l >= 0 && loop < 0; l = g.Loops[l].Parent {
				if at, ok := loopAt[[2]int{fi, g.Loops[l].Header}]; ok {
					loop = at
				}
			}
			if !g.Reachable[bi] {
				continue
			}
			for k := range b.Instrs {
				in := &b.Instrs[k]
				for s := in.Scope; s > 0 && (loop < 0 || !r.within(r.scopeOf[loop], s)); s = r.program.Scopes[s-1].Parent {
					if !r.body(fi, s) {
						r.calls[s-1] = max(r.calls[s-1], counts[bi])
					}
				}
				if !accesses(in) {
					continue
				}
				// Whether loads and stores are atomic the program's view does not tell: a line of both
				// kinds counts them as plain ones.
				place := memory.Place{Func: fi, Loop: loop, Loc: ir.Loc{File: in.Loc.File, Line: in.Loc.Line}, Into: in.Into}
				updates := in.Op == "atomicrmw" || in.Op == "cmpxchg"
				for _, place.Atomic = range []bool{updates, !updates} {
					i, ok := at[place]
					if !ok {
						continue
					}
					if how, ok := making(in); ok && how.Size != nil {
						r.made[i] = append(r.made[i], in.Scope)
					}
					x := &r.sources[i]
					if !seen[i] {
						seen[i] = true
						x.function, x.nest = r.holder(fi, in.Scope), r.nest(loop, in.Scope)
					}
					copies := uint64(0)
					if in.Call != nil {
						copies = copied[[2]int{i, in.Call.Callee}]
					}
					x.tell(in, counts[bi], bits, copies)
					break
				}
			}
		}
	}
}

// nest is the outermost loop around code that was written in the code's function.
func (r *reader) nest(loop, scope int) int {
	n := -1
	for ; loop >= 0; loop = r.data.Loops[loop].Parent {
		if r.scopeOf[loop] == scope && r.loopNest[loop] >= 0 {
			n = r.loopNest[loop]
		}
	}
	return n
}

// accesses reports whether an instruction may be one that the program's memory was recorded of.
func accesses(in *ir.Instr) bool {
	switch in.Op {
	case "load", "store", "atomicrmw", "cmpxchg", "va_arg":
		return true
	}
	return in.Call != nil
}

func making(in *ir.Instr) (memory.Making, bool) {
	if in.Call == nil {
		return memory.Making{}, false
	}
	return memory.Makes(in.Call.Name)
}

// tell counts what an instruction does, so many times.
func (x *source) tell(in *ir.Instr, times uint64, pointerBits int, copies uint64) {
	if times == 0 {
		return
	}
	size := ir.ScalarBits(in.Type, pointerBits) / 8
	switch {
	case in.Op == "load":
		x.reads.add(times, size)
	case in.Op == "store":
		x.writes.add(times, size)
	case in.Call == nil: // atomic, read and written
		x.reads.add(times, size)
		x.writes.add(times, size)
	default:
		if in.Call.Callee >= 0 { // what it is given copies of is read here, and written where it begins
			if copies > 0 {
				x.reads.add(times*copies, 0)
				x.writes.add(times*copies, 0)
			}
			return
		}
		if f, ok := memory.FormatOf(in.Call.Name); ok && !f.Scans {
			x.reads.add(times, 0)
		}
		effects, _ := memory.Effects(in.Call.Name)
		for _, e := range effects {
			if e.Writes {
				x.writes.add(times, 0)
			} else {
				x.reads.add(times, 0)
			}
		}
	}
}
