package memory

// This file refuses data that no run of a program can have told.

import (
	"errors"
	"fmt"
	"math"

	"pathspan/ir"
)

type checker struct {
	p   *ir.Program
	d   *Data
	err error
}

func (c *checker) that(ok bool, what string) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf("its record of memory is damaged: %s", what)
	}
}

// in tells whether an index is one of a list, or what stands for none.
func (c *checker) in(what string, i, none, n int) { c.that(i >= none && i < n, what) }

// Check reports what contradicts itself, or the program.
func (d *Data) Check(p *ir.Program) error {
	c := &checker{p: p, d: d}
	want, _ := lanesOf(p)
	c.that(len(d.Lanes) == len(want), "its lanes are not the program's")
	for i := range d.Lanes {
		c.that(i < len(want) && d.Lanes[i] == want[i], "its lanes are not the program's")
	}
	c.that(len(d.Objects) > 0 && len(d.Paths) > 0 && len(d.Guards) > 0, "a list is empty")
	for i, l := range d.Loops {
		c.fn(l.Func)
		c.that(c.err == nil && l.Header >= 0 && l.Header < len(p.Funcs[l.Func].Blocks), "a loop has no header")
		c.in("a loop is in none", l.Parent, -1, i)
		c.in("a loop is of no lane", l.Lane, -1, len(d.Lanes))
		c.that(l.Depth > 0, "a loop has no depth")
	}
	for i := range d.Places {
		l := &d.Places[i]
		c.fn(l.Func)
		c.in("a place is in no loop", l.Loop, -1, len(d.Loops))
		c.loc(l.Loc, l.Into)
	}
	for i := range d.Paths {
		l := &d.Paths[i]
		c.that((i == 0) == (l.Outer < 0) && l.Outer < i, "a call leads from none")
		if i > 0 {
			c.fn(l.Func)
			c.loc(l.Loc, l.Into)
		}
	}
	for i, g := range d.Guards {
		c.that((i == 0) == (g.Outer < 0) && g.Outer < i, "a lock is taken in none")
		c.that(i == 0 || g.Lock >= 0 && g.Lock/ir.LocksOfOne < len(p.Locks), "there is no such lock")
	}
	for i := range d.Objects {
		c.object(&d.Objects[i])
	}
	c.lists()
	return c.err
}

func (c *checker) fn(fn int) { c.in("there is no such function", fn, 0, len(c.p.Funcs)) }
func (c *checker) loc(l ir.Loc, into int) {
	c.in("there is no such file", l.File, -1, len(c.p.Files))
	c.that(l.Line >= 0 && l.Line <= math.MaxInt32 && into >= 0 && into <= math.MaxInt32 && l.Col == 0, "there is no such line")
}

func (c *checker) object(o *Object) {
	c.that(o.Kind <= Heap && o.Size >= 0, "there is no such object")
	c.in("an object is in no function", o.Func, -1, len(c.p.Funcs))
	c.in("an object is made nowhere", o.Place, -1, len(c.d.Places))
	c.in("an object is made by no call", o.Path, 0, len(c.d.Paths))
	last := -1
	for _, l := range o.Lanes {
		c.in("an object is made in no lane", l, last+1, len(c.d.Lanes))
		last = l
	}
	c.that((o.Kind == Heap) == (o.Place >= 0), "an object is made nowhere")
}

func (c *checker) of(object int) { c.in("there is no such object", object, 0, len(c.d.Objects)) }
func (c *checker) lane(lane, none int) {
	c.in("there is no such lane", lane, none, len(c.d.Lanes))
}

func (c *checker) who(w Who, none int) {
	c.in("there is no such place", w.Place, none, len(c.d.Places))
	c.in("there is no such lane", w.Lane, 0, len(c.d.Lanes))
	c.in("there are no such locks", w.Guard, 0, len(c.d.Guards))
	c.that(w.Place >= 0 || w == Nobody, "nobody is in a lane")
}

// lists checks what was counted, whose sums must be numbers that can be added.
func (c *checker) lists() {
	d := c.d
	var bytes, lines uint64
	add := func(to *uint64, n uint64) {
		*to += n
		c.that(*to < 1<<62 && n < 1<<62, "it counts too much")
	}
	for i := range d.Flows {
		f := &d.Flows[i]
		c.of(f.Object)
		c.who(f.From, -1)
		c.who(f.To, 0)
		c.that(f.Distinct <= f.Bytes, "more is read for the first time than is read")
		add(&bytes, f.Bytes)
	}
	for i := range d.Writes {
		c.of(d.Writes[i].Object)
		c.who(d.Writes[i].By, 0)
		add(&bytes, d.Writes[i].Bytes)
	}
	var met uint64
	for i := range d.Carried {
		r := &d.Carried[i]
		c.in("there is no such loop", r.Loop, -1, len(d.Loops))
		c.lane(r.Lane, -1)
		c.that((r.Loop < 0) != (r.Lane < 0), "a dependence is neither of a loop nor between lanes")
		c.that(r.Kind < kindCount && r.Among > 0, "there is no such dependence")
		c.who(r.From, -1)
		c.who(r.To, 0)
		c.of(r.Object)
		c.that(r.Times <= r.Bytes, "dependences are of no bytes")
		c.that(r.Nearest < 1<<32 && (r.Nearest == 0 || r.Loop >= 0), "a dependence spans no so many iterations")
		add(&met, r.Bytes)
	}
	for i := range d.Reuse {
		r := &d.Reuse[i]
		c.lane(r.Lane, 0)
		c.lane(r.From, -1)
		c.that(r.Lines >= -1 && r.Lines < 1<<40, "there are no so many lines")
		c.that(r.WriteBacks > -1<<62 && r.WriteBacks < 1<<62, "it counts too much")
		add(&lines, r.Reads)
		add(&lines, r.Writes)
	}
	for _, s := range d.Spans {
		c.lane(s.Lane, 0)
		c.that(s.Most <= s.Lines && (s.Times > 0 || s.Lines == 0), "executions use less than one of them")
		add(&lines, s.Lines)
	}
	for _, s := range d.Shared {
		c.lane(s.Lane, 1)
		c.lane(s.With, 1)
		c.that(s.Apart >= 0 && s.Apart < 1<<40, "lanes are not so far apart")
		if c.err == nil && s.Lane == s.With && d.Lanes[s.Lane].Kind == InLoop {
			c.err = errors.New("its record of memory tells of lines that threads of loops share as older versions did; profile again")
		}
		add(&lines, s.Fresh)
		add(&lines, s.Again)
	}
	for _, s := range d.Sets {
		c.lane(s.Lane, 0)
		c.that(s.Log >= 0 && s.Log < 32 && s.Lines > 0 && s.Lines < 1<<40 && s.Reads <= s.Times, "there are no such sets")
		add(&lines, s.Times)
	}
	for _, b := range d.Between {
		c.lane(b.Lane, 1)
		c.lane(b.Last, 0)
		c.lane(b.By, -1)
		c.that(b.Lines > 0 && b.Lines < 1<<40, "there are no so many lines")
		add(&lines, b.Times)
	}
	for _, f := range d.Fresh {
		c.lane(f.Lane, 0)
		c.lane(f.From, -1)
		c.lane(f.Last, -1)
		c.that(f.FreshReads <= f.Reads && f.FreshWrites <= f.Writes, "more is fresh than is used")
		add(&lines, f.Reads)
		add(&lines, f.Writes)
	}
	for _, t := range d.Taken {
		c.lane(t.Lane, 1)
		c.that((t.Threads >= 2 || t.Threads == 1 && t.Chunk > 0 && !t.OthersChunk) && t.Threads < 1<<16 && t.Lines > 0 && t.Lines < 1<<40 && t.Chunk >= 0 && t.Chunk < 1<<31, "there are no such threads, chunks or lines")
		c.that(t.Kept <= t.Known && t.Outer <= t.Reads+t.Writes, "threads have more than they use")
		add(&lines, t.Reads)
		add(&lines, t.Writes)
		add(&lines, t.Known)
	}
	for _, t := range d.Turns {
		c.lane(t.Lane, 1)
		c.that(t.Threads >= 2 && t.Threads < 1<<16 && t.Chunk >= 0 && t.Chunk < 1<<31, "there are no such threads or chunks")
		add(&lines, t.First)
		add(&lines, t.Again)
	}
	for _, f := range d.Foreign {
		add(&met, f.Calls)
	}
}
