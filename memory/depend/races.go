package depend

// This file finds what races: dependences between iterations, sections or tasks that OpenMP
// lets run at the same time.

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/memory/comm"
	"pathspan/profile"
)

// Depend is what a bundle tells of dependences.
type Depend struct {
	bundle  *profile.Bundle
	data    *memory.Data
	names   *comm.Comm
	graphs  func(fn int) *flow.CFG
	module  *module
	loops   map[[2]int]int // by function and header
	reached map[int][]bool // by function: those that it leads to
}

// Of reads what a bundle tells. It returns comm.ErrNone where that is nothing.
func Of(b *profile.Bundle) (*Depend, error) {
	names, err := comm.Of(b)
	if err != nil {
		return nil, err
	}
	d := &Depend{bundle: b, data: b.Memory, names: names, graphs: flow.Graphs(b.Program), loops: map[[2]int]int{}, reached: map[int][]bool{}}
	for i := range d.data.Loops {
		l := &d.data.Loops[i]
		d.loops[[2]int{l.Func, l.Header}] = i
	}
	d.module = openModule(b)
	return d, nil
}

// Access is one side of a dependence.
type Access struct {
	Function string `json:"function"` // of the source
	File     string `json:"file"`     // "" where unknown
	Line     int    `json:"line"`     // 0 where unknown
	Lane     string `json:"lane"`     // of OpenMP
}

// Race is a dependence between what may run at the same time.
type Race struct {
	Kind      string `json:"kind"`      // iterations, sections, tasks or threads
	Construct string `json:"construct"` // the loop, the first of the sections, what makes the tasks, the region
	Depends   string `json:"depends"`   // flow: written, then read; anti: read, then written; output: written twice
	Object    string `json:"object"`
	From      Access `json:"from"` // what the recorded run did first
	To        Access `json:"to"`
	Times     uint64 `json:"times"` // accesses of To that met it; 0 where the optimiser kept the value in a register, and of threads
	Bytes     uint64 `json:"bytes"`
	Among     int    `json:"among"` // places that From may have been
}

var dependences = [...]string{memory.FlowDependence: "flow", memory.OutputDependence: "output", memory.AntiDependence: "anti"}

// Races lists what races, by construct; the most frequent come first.
func (d *Depend) Races() []Race {
	var out []Race
	for i := range d.data.Carried {
		c := &d.data.Carried[i]
		lane, kind := c.Lane, "iterations"
		if c.Loop >= 0 {
			lane = d.data.Loops[c.Loop].Lane
		} else if k := d.data.Lanes[c.Lane].Kind; k == memory.InSection {
			kind = "sections"
		} else {
			kind = "tasks"
		}
		if lane < 0 || d.ordered(c.From, c.To) || d.own(c.Object) && (kind != "tasks" || d.data.Objects[c.Object].Kind <= memory.Global) {
			continue
		}
		if c.Among > 1 && !d.beside(kind, c.From, c.To) {
			continue
		}
		out = append(out, Race{Kind: kind, Construct: d.names.Lane(lane), Depends: dependences[c.Kind], Object: d.names.Object(c.Object),
			From: d.access(c.From), To: d.access(c.To), Times: c.Times, Bytes: c.Bytes, Among: c.Among})
	}
	said := d.module.everywhere()
	for i := range d.data.Loops {
		l := &d.data.Loops[i]
		if l.Lane < 0 {
			continue
		}
		for _, s := range d.scalars(l.Func, l.Header) {
			at := d.at(l.Func, s.at, d.names.Lane(l.Lane))
			// Where it is not seen in memory before the loop, as with a value that is known there, the source says that it is shared.
			if !s.shared && (s.kind < reduction || said == nil || !said.iterations[sourceLine{path.Base(at.File), at.Line}]) {
				continue
			}
			out = append(out, Race{Kind: "iterations", Construct: at.Lane, Depends: "flow", Object: "(a variable in a register)", From: at, To: at, Among: 1})
		}
	}
	return unique(slices.Concat(out, d.left(), d.simd(), d.threads()))
}

// beside reports whether one of several that read a byte may run at the same time as who writes it:
// the section itself does not, nor does what lies outside of all constructs.
func (d *Depend) beside(kind string, from, to memory.Who) bool {
	if kind == "tasks" {
		return true
	}
	of := d.data.Lanes[from.Lane].Kind
	return of != memory.Serial && (from.Lane != to.Lane || of != memory.InSection)
}

// left finds what threads write when their iterations of a worksharing loop are done, though the
// source has each iteration write it: the optimiser leaves the last to do so.
func (d *Depend) left() []Race {
	var out []Race
	for i := range d.data.Writes {
		w := &d.data.Writes[i]
		lane := w.By.Lane
		if d.data.Lanes[lane].Kind != memory.InLoop || w.By.Guard > 0 || d.own(w.Object) || d.data.Objects[w.Object].Kind == memory.Elsewhere {
			continue
		}
		p := &d.data.Places[w.By.Place]
		of := func(l memory.Loop) bool { return l.Func == p.Func && l.Lane == lane }
		// Where the optimiser left no loop, all is outside of it.
		inside := p.Atomic || !slices.ContainsFunc(d.data.Loops, of) && slices.ContainsFunc(d.data.Loops, func(l memory.Loop) bool { return l.Lane == lane })
		for l := p.Loop; l >= 0; l = d.data.Loops[l].Parent {
			inside = inside || of(d.data.Loops[l])
		}
		if inside || !d.module.fixed(p, &d.data.Objects[w.Object]) {
			continue
		}
		at := d.access(w.By)
		out = append(out, Race{Kind: "iterations", Construct: at.Lane, Depends: "output", Object: d.names.Object(w.Object), From: at, To: at, Bytes: w.Bytes, Among: 1})
	}
	return out
}

// unique orders races and joins those that are told apart by what people do not see: copies
// that the compiler made of a loop.
func unique(all []Race) []Race {
	key := func(r Race) Race { r.Times, r.Bytes = 0, 0; return r }
	var out []Race
	at := map[Race]int{}
	for _, r := range all {
		if i, ok := at[key(r)]; ok {
			out[i].Times, out[i].Bytes = out[i].Times+r.Times, out[i].Bytes+r.Bytes
			continue
		}
		at[key(r)] = len(out)
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Race) int {
		return cmp.Or(cmp.Compare(a.Construct, b.Construct), cmp.Compare(b.Times, a.Times), cmp.Compare(a.To.Line, b.To.Line), cmp.Compare(a.From.Line, b.From.Line), cmp.Compare(a.Depends, b.Depends), cmp.Compare(a.Object, b.Object))
	})
	return out
}

// ordered reports whether two accesses do not race though nothing else keeps them apart: both
// are atomic, done under the same lock, or to what tasks reduce.
func (d *Depend) ordered(a, b memory.Who) bool {
	if a.Place >= 0 && b.Place >= 0 && d.data.Places[a.Place].Atomic && d.data.Places[b.Place].Atomic {
		return true
	}
	if a.Place >= 0 && b.Place >= 0 && d.module.reduces(&d.data.Places[a.Place]) && d.module.reduces(&d.data.Places[b.Place]) {
		return true
	}
	for g := a.Guard; g > 0; g = d.data.Guards[g].Outer {
		for h := b.Guard; h > 0; h = d.data.Guards[h].Outer {
			if d.mayBeOne(d.data.Guards[g].Lock, d.data.Guards[h].Lock) {
				return true
			}
		}
	}
	return false
}

// mayBeOne reports whether two numbers may be one lock. Those of one name are told apart by their addresses, but for the last number. Where two are
// known by where they were taken first alone, bundles of earlier versions gave one lock two numbers.
func (d *Depend) mayBeOne(x, y int) bool {
	name := func(lock int) string { return d.bundle.Program.Locks[lock/ir.LocksOfOne].Name }
	const last = ir.LocksOfOne - 1
	switch {
	case x == y:
		return true
	case name(x) == name(y):
		return x%ir.LocksOfOne == last || y%ir.LocksOfOne == last
	}
	return strings.HasPrefix(name(x), "lock at ") && strings.HasPrefix(name(y), "lock at ")
}

// own reports whether each thread of a team has an object of its own: variables that were made
// in a region, and memory that each thread makes there outside of constructs.
func (d *Depend) own(object int) bool {
	o := &d.data.Objects[object]
	// Threads' own globals lie where no object is known to be.
	if o.Kind == memory.Global && d.module.ofThread[o.Name] || o.Kind == memory.Elsewhere && len(d.module.ofThread) > 0 {
		return true
	}
	for _, l := range o.Lanes {
		k := d.data.Lanes[l].Kind
		if o.Kind == memory.Stack && k != memory.Serial || o.Kind == memory.Heap && k == memory.InRegion {
			return true
		}
	}
	return false
}

func (d *Depend) access(w memory.Who) Access {
	if w.Place < 0 {
		return Access{Lane: d.names.Lane(w.Lane)}
	}
	function, at := d.names.Source(w.Place)
	if at.Line == 0 { // lost by the optimiser
		at = d.names.LaneAt(w.Lane)
	}
	return d.place(function, at, d.names.Lane(w.Lane))
}

func (d *Depend) place(function string, at ir.Loc, lane string) Access {
	a := Access{Function: function, Lane: lane}
	if at.File >= 0 && at.File < len(d.bundle.Program.Files) && at.Line > 0 {
		a.File, a.Line = d.bundle.Program.Files[at.File], at.Line
	}
	return a
}

// at is an instruction of a function.
func (d *Depend) at(fn int, at [2]int, lane string) Access {
	f := d.bundle.Program.Funcs[fn]
	in := &f.Blocks[at[0]].Instrs[at[1]]
	function, _ := d.bundle.Program.Holder(f, in)
	loc := in.Loc
	if loc.Line == 0 { // lost by the optimiser
		loc = d.bundle.Program.UserBlockLoc(f, at[0])
	}
	return d.place(function, loc, lane)
}
