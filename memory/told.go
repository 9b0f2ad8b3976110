package memory

// This file reads what the run-time library tells of memory (build/runtime/memoryfile.c).

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Record is a line of what was told: its kind, three words of what, two of how much.
type Record [6]uint64

// The kinds of records. Those of a run begin with toldRun, and numbers of paths, guards and
// objects of the heap are the run's own, as they are told before they are used.
const (
	toldRun     = iota + 1 // 1 where the system chose addresses at random, else 0; what there was no room for (passedOver)
	toldPath               // number, the one outside of it, call
	toldGuard              // number, the one outside of it, lock
	toldObject             // number, object of the program, path; how often it was made, bytes (of the heap: the most at a time)
	toldLane               // number of an object, lane that it was made in
	toldForeign            // function; times
	toldFlow               // object, from, to; bytes, distinct bytes
	toldWrite              // object, by, -; bytes
	toldCarried            // object, from, to; times, bytes: the record before it says of what
	toldLevel              // loop, lane + 1 where there is no loop, kind; among, nearest
	toldReuse              // lane and from + 1, lines, first; reads, writes
	toldBack               // lane and from + 1, lines, first; back
	toldSpan               // lane; times, lines
	toldMost               // lane; most
	toldShared             // lane, with, apart; fresh, again
	toldSets               // lane, log, lines; times, reads
	toldBetween            // lane and last, by + 1, lines; times
	toldFresh              // lane, last + 1 and from + 1, reads, fresh ones; writes, fresh ones
	_                      // package profile reads it (raw.def)
	toldTaken              // lane and threads, lines, outer; reads, writes
	toldKept               // lane and threads, lines, -; known, kept
	toldTurns              // lane, threads, chunk; first, again
)

var errTold = errors.New("its record of memory is damaged")

// Moved reports whether a run of those that told had other addresses than the next will have.
func Moved(list []Record) bool {
	return slices.ContainsFunc(list, func(r Record) bool { return r[0] == toldRun && r[1] != 0 })
}

// passedOver names what the library has room for to a point, in the order in which runs tell how often it had none.
var passedOver = [...]string{
	"executions of sections, tasks and loops within 4,095 others, or tasks that nobody waits for",
	"locks taken within others, which count as not taken",
	"uses of lines that others use at the same time, which count as a lane's own",
	"calls that led to objects of the heap, which count as those that led there before",
}

// PassedOver says what the runs that told did and the data leave out, one line each.
func PassedOver(list []Record) []string {
	var times [len(passedOver)]uint64
	for _, r := range list {
		for i := range times {
			if r[0] == toldRun {
				times[i] += r[2+i]
			}
		}
	}
	var out []string
	for i, n := range times {
		if n > 0 {
			out = append(out, fmt.Sprintf("of memory is left out, as there is no room for more: %s, %d times", passedOver[i], n))
		}
	}
	return out
}

// Told returns a program's data, as [Of] returns it, with what runs told.
func (d *Data) Told(list []Record) (*Data, error) {
	if len(d.Objects) == 0 || len(d.Paths) == 0 || len(d.Guards) == 0 {
		return nil, errTold
	}
	var all *Data
	for len(list) > 0 {
		n := slices.IndexFunc(list[1:], func(r Record) bool { return r[0] == toldRun })
		if n++; n == 0 {
			n = len(list)
		}
		one, err := d.toldByRun(list[:n])
		if err != nil {
			return nil, err
		}
		list = list[n:]
		if all == nil {
			all = one
		} else if all, err = Merge(all, one); err != nil {
			return nil, err
		}
	}
	if all == nil {
		return d.bare(), nil
	}
	return all, nil
}

// bare is a program's data without what runs told.
func (d *Data) bare() *Data {
	out := &Data{Places: d.Places, Loops: d.Loops, Lanes: d.Lanes, Objects: slices.Clone(d.Objects), Foreign: slices.Clone(d.Foreign)}
	out.Paths, out.Guards = slices.Clone(d.Paths[:1]), slices.Clone(d.Guards[:1])
	return out
}

// reader reads the records of a run.
type reader struct {
	d       *Data
	objects map[uint64]int
	ok      bool
}

func (r *reader) who(w uint64) Who {
	place := int(uint32(w)) - 1
	if place < 0 {
		return Nobody
	}
	return Who{Lane: int(w >> 32 & 0xffff), Guard: int(w >> 48), Place: place}
}

func (r *reader) object(n uint64) int {
	at, ok := r.objects[n]
	if !ok && n < uint64(len(r.d.Objects)) {
		return int(n)
	}
	r.ok = r.ok && ok
	return at
}

func (d *Data) toldByRun(list []Record) (*Data, error) {
	calls := d.Paths[1:]
	r := &reader{d: d.bare(), objects: make(map[uint64]int), ok: true}
	out, fixed := r.d, uint64(len(d.Objects))
	level := Carried{Loop: -1, Lane: -1}
	type reuseKey struct {
		lane, lines, first uint64
	}
	reuse := make(map[reuseKey]int)
	reuseAt := func(w Record) *Reuse {
		at, ok := reuse[reuseKey{w[1], w[2], w[3]}]
		if !ok {
			at = len(out.Reuse)
			reuse[reuseKey{w[1], w[2], w[3]}] = at
			out.Reuse = append(out.Reuse, Reuse{Lane: int(uint32(w[1])), From: int(w[1]>>32) - 1, First: w[3] != 0, Lines: int64(w[2])})
		}
		return &out.Reuse[at]
	}
	for _, w := range list {
		switch w[0] {
		case toldRun:
		case toldPath:
			if w[3] >= uint64(len(calls)) || w[1] != uint64(len(out.Paths)) || w[2] >= w[1] {
				return nil, errTold
			}
			path := calls[w[3]]
			path.Outer = int(w[2])
			out.Paths = append(out.Paths, path)
		case toldGuard:
			if w[1] != uint64(len(out.Guards)) || w[2] >= w[1] || w[3] >= 1<<31 {
				return nil, errTold
			}
			out.Guards = append(out.Guards, Guard{int(w[2]), int(w[3])})
		case toldObject:
			if w[2] >= fixed || w[5] >= 1<<62 || w[3] >= uint64(len(out.Paths)) {
				return nil, errTold
			}
			at := int(w[2])
			if w[3] != 0 {
				at = len(out.Objects)
				o := out.Objects[w[2]]
				o.Path, o.Made, o.Lanes = int(w[3]), 0, nil
				out.Objects = append(out.Objects, o)
			}
			r.objects[w[1]] = at
			o := &out.Objects[at]
			o.Made += w[4]
			o.Size = max(o.Size, int64(w[5]))
		case toldLane:
			o := &out.Objects[r.object(w[1])]
			if i, ok := slices.BinarySearch(o.Lanes, int(w[2])); !ok && w[2] < uint64(len(out.Lanes)) {
				o.Lanes = slices.Insert(slices.Clone(o.Lanes), i, int(w[2]))
			}
		case toldForeign:
			if w[1] >= uint64(len(out.Foreign)) {
				return nil, errTold
			}
			out.Foreign[w[1]].Calls += w[4]
		case toldFlow:
			out.Flows = append(out.Flows, Flow{r.object(w[1]), r.who(w[2]), r.who(w[3]), w[4], w[5]})
		case toldWrite:
			out.Writes = append(out.Writes, Write{r.object(w[1]), r.who(w[2]), w[4]})
		case toldLevel:
			level = Carried{Loop: -1, Lane: int(w[2]) - 1, Kind: Kind(w[3]), Among: int(w[4]), Nearest: w[5]}
			if level.Lane < 0 {
				level.Loop = int(w[1])
			}
		case toldCarried:
			c := level
			c.Object, c.From, c.To, c.Times, c.Bytes = r.object(w[1]), r.who(w[2]), r.who(w[3]), w[4], w[5]
			out.Carried = append(out.Carried, c)
		case toldReuse:
			at := reuseAt(w)
			at.Reads += w[4]
			at.Writes += w[5]
		case toldBack:
			reuseAt(w).WriteBacks += int64(w[4])
		case toldSpan:
			out.Spans = append(out.Spans, Span{Lane: int(w[1]), Times: w[4], Lines: w[5]})
		case toldMost:
			if n := len(out.Spans); n > 0 {
				out.Spans[n-1].Most = w[4]
			}
		case toldShared:
			out.Shared = append(out.Shared, Shared{int(w[1]), int(w[2]), int64(w[3]), w[4], w[5]})
		case toldSets:
			out.Sets = append(out.Sets, Sets{int(w[1]), int(w[2]), int64(w[3]), w[4], w[5]})
		case toldBetween:
			out.Between = append(out.Between, Between{int(uint32(w[1])), int(w[1] >> 32), int(w[2]) - 1, int64(w[3]), w[4]})
		case toldFresh:
			out.Fresh = append(out.Fresh, Fresh{int(w[1] & 0xffff), int(w[1]>>32) - 1, int(w[1]>>16&0xffff) - 1, w[2], w[3], w[4], w[5]})
		case toldTaken:
			t := toldWho(w)
			t.Outer, t.Reads, t.Writes = w[3], w[4], w[5]
			out.Taken = append(out.Taken, t)
		case toldKept:
			t := toldWho(w)
			t.Known, t.Kept = w[4], w[5]
			out.Taken = append(out.Taken, t)
		case toldTurns:
			out.Turns = append(out.Turns, Turns{int(w[1]), int(w[2]), int(w[3]), w[4], w[5]})
		default:
			return nil, errTold
		}
	}
	if !r.ok {
		return nil, errTold
	}
	return out.sorted(), nil
}

// toldWho is of which threads and lines a record tells.
func toldWho(w Record) Taken {
	return Taken{Lane: int(w[1] & 0xffff), OthersChunk: w[1]>>17&1 != 0, Threads: int(w[1] >> 32), Lines: int64(uint32(w[2])), Chunk: int(w[2] >> 32)}
}

// sorted puts lists in order, and adds up records of one thing.
func (d *Data) sorted() *Data {
	d.Flows = joined(d.Flows, func(a, b *Flow) int {
		return cmp.Or(cmp.Compare(a.Object, b.Object), compareWho(a.From, b.From), compareWho(a.To, b.To))
	}, func(a, b *Flow) { a.Bytes += b.Bytes; a.Distinct += b.Distinct })
	d.Writes = joined(d.Writes, func(a, b *Write) int {
		return cmp.Or(cmp.Compare(a.Object, b.Object), compareWho(a.By, b.By))
	}, func(a, b *Write) { a.Bytes += b.Bytes })
	d.Carried = joined(d.Carried, func(a, b *Carried) int {
		return cmp.Or(cmp.Compare(a.Loop, b.Loop), cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Object, b.Object),
			compareWho(a.From, b.From), compareWho(a.To, b.To), cmp.Compare(a.Among, b.Among))
	}, func(a, b *Carried) {
		a.Times += b.Times
		a.Bytes += b.Bytes
		a.Nearest = min(a.Nearest, b.Nearest) // not known of both where it is not of one
	})
	d.Reuse = joined(d.Reuse, func(a, b *Reuse) int {
		first := 0
		if a.First != b.First {
			first = 1
			if b.First {
				first = -1
			}
		}
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), first, cmp.Compare(a.From, b.From), cmp.Compare(a.Lines, b.Lines))
	}, func(a, b *Reuse) { a.Reads += b.Reads; a.Writes += b.Writes; a.WriteBacks += b.WriteBacks })
	d.Spans = joined(d.Spans, func(a, b *Span) int { return cmp.Compare(a.Lane, b.Lane) },
		func(a, b *Span) { a.Times += b.Times; a.Lines += b.Lines; a.Most = max(a.Most, b.Most) })
	d.Shared = joined(d.Shared, func(a, b *Shared) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.With, b.With), cmp.Compare(a.Apart, b.Apart))
	}, func(a, b *Shared) { a.Fresh += b.Fresh; a.Again += b.Again })
	d.Sets = joined(d.Sets, func(a, b *Sets) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Log, b.Log), cmp.Compare(a.Lines, b.Lines))
	}, func(a, b *Sets) { a.Times += b.Times; a.Reads += b.Reads })
	d.Between = joined(d.Between, func(a, b *Between) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Last, b.Last), cmp.Compare(a.Lines, b.Lines), cmp.Compare(a.By, b.By))
	}, func(a, b *Between) { a.Times += b.Times })
	d.Taken = joined(d.Taken, func(a, b *Taken) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Way(), b.Way()), cmp.Compare(a.Threads, b.Threads), cmp.Compare(a.Lines, b.Lines))
	}, func(a, b *Taken) {
		a.Reads += b.Reads
		a.Writes += b.Writes
		a.Outer += b.Outer
		a.Known += b.Known
		a.Kept += b.Kept
	})
	d.Turns = joined(d.Turns, func(a, b *Turns) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Chunk, b.Chunk), cmp.Compare(a.Threads, b.Threads))
	}, func(a, b *Turns) { a.First += b.First; a.Again += b.Again })
	d.Fresh = joined(d.Fresh, func(a, b *Fresh) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.From, b.From), cmp.Compare(a.Last, b.Last))
	}, func(a, b *Fresh) {
		a.Reads += b.Reads
		a.FreshReads += b.FreshReads
		a.Writes += b.Writes
		a.FreshWrites += b.FreshWrites
	})
	return d
}

func compareWho(a, b Who) int {
	return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Guard, b.Guard), cmp.Compare(a.Place, b.Place))
}

func joined[T any](list []T, compare func(a, b *T) int, add func(to, of *T)) []T {
	slices.SortStableFunc(list, func(a, b T) int { return compare(&a, &b) })
	var out []T
	for i := range list {
		if n := len(out); n > 0 && compare(&out[n-1], &list[i]) == 0 {
			add(&out[n-1], &list[i])
		} else {
			out = append(out, list[i])
		}
	}
	return out
}
