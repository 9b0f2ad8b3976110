package depend

// This file finds what threads of a region race in outside of its constructs: what all of them write,
// and what one writes and others use though nobody waits in between. That lines may do so
// is said of the source (build/openmp); that they met in memory, by the run.

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"pathspan/ir/asm"
	"pathspan/memory"
	"pathspan/profile"
)

// SaysThreads reports whether something is said of regions that may have no construct at all.
func SaysThreads(b *profile.Bundle) bool {
	return bytes.Contains(b.Module, []byte("!"+asm.Everywhere+" ="))
}

// sourceLine is a line of a file, by its name alone: compilers shorten the folders.
type sourceLine struct {
	file string
	line int
}

func sourceLineOf(text string) sourceLine {
	var l sourceLine
	number, file, _ := strings.Cut(text, " ")
	fmt.Sscan(number, &l.line)
	l.file = path.Base(file)
	return l
}

// everywhere is what the module says.
type everywhere struct {
	all map[sourceLine]bool
	// iterations are lines of worksharing loops that write what threads share, under no lock, to one place.
	iterations map[sourceLine]bool
	bodies     map[string]bool // functions of regions, and what only all threads call
	// pairs are by kind of dependence and by the later line the earlier ones.
	pairs [3]map[sourceLine]map[sourceLine]bool
}

func (m *module) everywhere() *everywhere {
	if len(m.said) == 0 {
		return nil
	}
	e := &everywhere{all: map[sourceLine]bool{}, iterations: map[sourceLine]bool{}, bodies: map[string]bool{}}
	for k := range e.pairs {
		e.pairs[k] = map[sourceLine]map[sourceLine]bool{}
	}
	for _, text := range m.said {
		what, rest, _ := strings.Cut(text, " ")
		switch k := slices.Index(dependences[:], what); {
		case what == "body":
			e.bodies[rest] = true
		case what == "write":
			e.all[sourceLineOf(rest)] = true
		case what == "iterations":
			e.iterations[sourceLineOf(rest)] = true
		case k >= 0:
			from, to, _ := strings.Cut(rest, "\n")
			later := sourceLineOf(to)
			if e.pairs[k][later] == nil {
				e.pairs[k][later] = map[sourceLine]bool{}
			}
			e.pairs[k][later][sourceLineOf(from)] = true
		}
	}
	return e
}

// threads lists what threads race in.
func (d *Depend) threads() []Race {
	e := d.module.everywhere()
	if e == nil {
		return nil
	}
	var out []Race
	race := func(kind memory.Kind, object int, from, to memory.Who, bytes uint64) {
		a, b, in := d.access(from), d.access(to), to
		if d.data.Lanes[from.Lane].Kind == memory.InRegion {
			in = from
		}
		out = append(out, Race{Kind: "threads", Construct: d.region(in), Depends: dependences[kind], Object: d.names.Object(object), From: a, To: b, Bytes: bytes, Among: 1})
	}
	for i := range d.data.Writes {
		w := &d.data.Writes[i]
		if at, ok := d.line(w.By); ok && e.all[at] && d.byThreads(w.By) && d.amongThreads(e, w.Object) {
			race(memory.OutputDependence, w.Object, w.By, w.By, w.Bytes)
		}
	}
	for i := range d.data.Flows {
		f := &d.data.Flows[i]
		if d.meet(e, memory.FlowDependence, f.Object, f.From, f.To) {
			race(memory.FlowDependence, f.Object, f.From, f.To, f.Bytes)
		}
	}
	writers := d.touching(len(d.data.Writes), func(i int) (int, memory.Who) { return d.data.Writes[i].Object, d.data.Writes[i].By })
	readers := d.touching(len(d.data.Flows), func(i int) (int, memory.Who) { return d.data.Flows[i].Object, d.data.Flows[i].To })
	for i := range d.data.Writes {
		w := &d.data.Writes[i]
		for _, j := range writers.before(d, e, memory.OutputDependence, w) {
			race(memory.OutputDependence, w.Object, d.data.Writes[j].By, w.By, w.Bytes)
		}
		for _, j := range readers.before(d, e, memory.AntiDependence, w) {
			race(memory.AntiDependence, w.Object, d.data.Flows[j].To, w.By, w.Bytes)
		}
	}
	return out
}

// touched is an object at a line.
type touched struct {
	object int
	at     sourceLine
}

// touching finds rows by what they touch: there may be a thousand of one object.
type touching struct {
	who  func(row int) (object int, by memory.Who)
	rows map[touched][]int
}

func (d *Depend) touching(rows int, who func(int) (int, memory.Who)) touching {
	t := touching{who, map[touched][]int{}}
	for i := range rows {
		object, by := who(i)
		if at, ok := d.line(by); ok {
			t.rows[touched{object, at}] = append(t.rows[touched{object, at}], i)
		}
	}
	return t
}

// before lists the rows that meet a later write.
func (t touching) before(d *Depend, e *everywhere, kind memory.Kind, w *memory.Write) []int {
	at, ok := d.line(w.By)
	if !ok {
		return nil
	}
	var rows []int
	for from := range e.pairs[kind][at] {
		for _, i := range t.rows[touched{w.Object, from}] {
			if _, by := t.who(i); d.meet(e, kind, w.Object, by, w.By) {
				rows = append(rows, i)
			}
		}
	}
	slices.Sort(rows)
	return rows
}

// meet reports whether two accesses to an object are such that nobody waits between them.
func (d *Depend) meet(e *everywhere, kind memory.Kind, object int, from, to memory.Who) bool {
	a, ok := d.line(from)
	b, is := d.line(to)
	return ok && is && e.pairs[kind][b][a] && !d.ordered(from, to) && d.amongThreads(e, object)
}

func (d *Depend) line(w memory.Who) (sourceLine, bool) {
	if w.Place < 0 {
		return sourceLine{}, false
	}
	p := &d.data.Places[w.Place]
	if p.Loc.Line == 0 || p.Loc.File < 0 || p.Loc.File >= len(d.bundle.Program.Files) {
		return sourceLine{}, false
	}
	return sourceLine{path.Base(d.bundle.Program.Files[p.Loc.File]), p.Loc.Line}, true
}

// byThreads reports whether an access is one that all threads make: no lock is held, nor is it in a lane
// of which one has it.
func (d *Depend) byThreads(w memory.Who) bool {
	kind := d.data.Lanes[w.Lane].Kind
	return w.Guard == 0 && !d.data.Places[w.Place].Atomic && (kind == memory.Serial || kind == memory.InRegion)
}

// amongThreads reports whether an object is one that threads of a region share.
func (d *Depend) amongThreads(e *everywhere, object int) bool {
	o := &d.data.Objects[object]
	if o.Kind == memory.Elsewhere || d.own(object) {
		return false
	}
	maker := o.Func
	if o.Kind == memory.Heap && o.Place >= 0 {
		maker = d.data.Places[o.Place].Func
	}
	// Variables of a region that has no lane are known by its function.
	return o.Kind == memory.Global || maker < 0 || !e.bodies[d.bundle.Program.Funcs[maker].Name]
}

// region names the region that an access is in.
func (d *Depend) region(w memory.Who) string {
	if d.data.Lanes[w.Lane].Kind != memory.Serial {
		return d.names.Lane(w.Lane)
	}
	a := d.access(w)
	return fmt.Sprintf("a region in %s", path.Base(a.File))
}
