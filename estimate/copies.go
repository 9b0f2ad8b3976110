package estimate

// This file finds what sections copy between local memories, and what crosses where each access does.

import (
	"cmp"
	"maps"
	"slices"

	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping/caches"
	"pathspan/memory"
)

// copies are what a lane copies in each execution, in bytes, and what crosses where nothing is copied.
type copies struct{ in, out, accesses, bytes float64 }

// copies finds them.
//
// In is what an execution reads before it writes it and another lane wrote last, or nobody: whole lines, or all bytes
// that it reads of others where these are fewer. Out is what others read of what it wrote: the bytes of
// each object that any lane read for the first time since they were written, no more than the lane wrote there, and no
// more than the object has. Both are at least what must be copied.
//
// Accesses are all those to objects that other lanes use as well, ports in the sense of L. Cai, D. Gajski (UC
// Irvine TR 02-07, section 4.2.3): their bytes by the size of what the place accesses.
func (a *Analysis) copies(x *crossings) []copies {
	a.onceCopies.Do(func() { a.madeCopies = a.findCopies(x) }) // stores that are buffered make no difference here
	return a.madeCopies
}

func (a *Analysis) findCopies(x *crossings) []copies {
	d := a.Bundle.Memory
	out := make([]copies, len(d.Lanes))
	lines, read := map[[2]int]float64{}, map[[2]int]float64{} // by writer and reader; nobody is serial code
	for i := range d.Reuse {
		if r := &d.Reuse[i]; r.First && r.From != r.Lane {
			lines[[2]int{max(0, r.From), r.Lane}] += float64(r.Reads)
		}
	}
	type use struct{ lane, object int }
	passed := map[use]float64{}  // bytes that others read
	ports := map[use]bool{}      // other lanes use it as well
	accessed := map[use]copies{} // accesses and bytes
	sizes := a.accessSizes()
	count := func(u use, bytes uint64, size float64) {
		c := accessed[u]
		c.bytes, c.accesses = c.bytes+float64(bytes), c.accesses+float64(bytes)/size
		accessed[u] = c
	}
	for i := range d.Flows {
		f := &d.Flows[i]
		count(use{f.To.Lane, f.Object}, f.Bytes, sizes.of(d, f.To.Place).read())
		if nobody := f.From.Place < 0; !nobody && f.From.Lane == f.To.Lane {
			continue
		} else if !nobody {
			passed[use{f.From.Lane, f.Object}] += float64(f.Distinct)
			ports[use{f.From.Lane, f.Object}] = true
		}
		read[[2]int{f.From.Lane, f.To.Lane}] += float64(f.Bytes)
		ports[use{f.To.Lane, f.Object}] = true
	}
	written := map[use]float64{}
	for i := range d.Writes {
		w := &d.Writes[i]
		written[use{w.By.Lane, w.Object}] += float64(w.Bytes)
		count(use{w.By.Lane, w.Object}, w.Bytes, sizes.of(d, w.By.Place).written())
	}
	for _, pair := range inOrder(lines, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		out[pair[1]].in += min(caches.RecordedLine*lines[pair], read[pair])
	}
	byUse := func(a, b use) int { return cmp.Or(a.lane-b.lane, a.object-b.object) }
	for _, u := range inOrder(passed, byUse) {
		bytes := min(passed[u], written[u])
		if size := d.Objects[u.object].Size; size > 0 {
			bytes = min(bytes, float64(size)*x.began[u.lane])
		}
		out[u.lane].out += bytes
	}
	for _, u := range inOrder(ports, byUse) {
		out[u.lane].accesses += accessed[u].accesses
		out[u.lane].bytes += accessed[u].bytes
	}
	for l := range out {
		if n := x.began[l]; n > 0 {
			c := &out[l]
			*c = copies{c.in / n, c.out / n, c.accesses / n, c.bytes / n}
		} else {
			out[l] = copies{}
		}
	}
	return out
}

// inOrder lists the keys of a map, so that sums are the same each time.
func inOrder[K comparable, V any](of map[K]V, compare func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(of), compare)
}

// copied gathers the lanes of a construct; -1 is one of which nothing is known. It returns nil where nothing crosses.
func (m *mover) copied(inside []int, loop bool) *table.Copies {
	c, some := &table.Copies{}, false
	for i, l := range inside {
		var x copies
		if l >= 0 && m.copies != nil {
			x = m.copies[l]
		}
		some = some || x != copies{}
		for k, list := range []*[]float64{&c.In, &c.Out, &c.Accesses, &c.Bytes} {
			y := []float64{x.in, x.out, x.accesses, x.bytes}[k]
			if loop && i > 0 { // all threads take part in each
				(*list)[0] += y
			} else {
				*list = append(*list, y)
			}
		}
	}
	if !some {
		return nil
	}
	return c
}

// links are what lies between the memories of the platform's processors, nil where all work on one, or nobody knows
// what crosses.
func (e *Estimator) links() *table.Links {
	if !e.KnowsMemory() || len(e.Platform.Hierarchy.Local) == 0 {
		return nil
	}
	h := e.Platform.Hierarchy
	out, perNS := &table.Links{}, e.memoryMHz(0)/1e3
	for _, l := range h.Links {
		out.Rate = append(out.Rate, l.GBs/perNS)
	}
	for p := range e.kindOf {
		var to []table.Route
		for q := range e.kindOf {
			way := table.Route{Links: h.Route(h.Node(p), h.Node(q))}
			for _, i := range way.Links {
				way.Latency += h.Links[i].Latency * perNS
			}
			// Who reads has it as its own memory does; main memory, as the one does that it is filled from.
			if own := h.LocalOf(q); own != nil {
				way.Remote = own.Remote
			} else if from := h.LocalOf(p); from != nil {
				way.Remote = from.Remote
			}
			to = append(to, way)
		}
		out.Route = append(out.Route, to)
	}
	return out
}

// accessSize is how many bytes the accesses of a place have on average.
type accessSize struct{ reads, readBytes, writes, writeBytes float64 }

func (s accessSize) read() float64    { return mean(s.readBytes, s.reads) }
func (s accessSize) written() float64 { return mean(s.writeBytes, s.writes) }

// mean of what functions of libraries access is a word of memory.
func mean(bytes, times float64) float64 {
	const word = 8
	if times == 0 {
		return word
	}
	return bytes / times
}

// accessSizes are the sizes by place, whatever loop it is in.
type accessSizes map[memory.Place]accessSize

func (s accessSizes) of(d *memory.Data, place int) accessSize {
	if place < 0 {
		return accessSize{}
	}
	p := d.Places[place]
	return s[memory.Place{Func: p.Func, Loc: ir.Loc{File: p.Loc.File, Line: p.Loc.Line}, Into: p.Into}]
}

func (a *Analysis) accessSizes() accessSizes {
	out := accessSizes{}
	bits := ir.PointerBits(a.Bundle.Program.DataLayout)
	for fi, f := range a.funcs {
		if f == nil {
			continue
		}
		for b, block := range f.fn.Blocks {
			times := float64(f.counts[b])
			for i := range block.Instrs {
				in := &block.Instrs[i]
				bytes := times * float64(ir.ScalarBits(in.Type, bits)) / 8
				if bytes == 0 || in.Call != nil {
					continue
				}
				at := memory.Place{Func: fi, Loc: ir.Loc{File: in.Loc.File, Line: in.Loc.Line}, Into: in.Into}
				s := out[at]
				switch in.Op {
				case "load":
					s.reads, s.readBytes = s.reads+times, s.readBytes+bytes
				case "store":
					s.writes, s.writeBytes = s.writes+times, s.writeBytes+bytes
				case "atomicrmw", "cmpxchg":
					s.reads, s.readBytes = s.reads+times, s.readBytes+bytes
					s.writes, s.writeBytes = s.writes+times, s.writeBytes+bytes
				}
				out[at] = s
			}
		}
	}
	return out
}
