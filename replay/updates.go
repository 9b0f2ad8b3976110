package replay

// This file simulates lines that several processors update atomically: a line comes to who asks
// for it, first come first served, and each time it comes from another processor that takes as
// long as the platform says.

import "pathspan/ir"

// line is one that was updated.
type line struct {
	updates float64
	seen    map[int]float64 // by processor: updates when it did so last
	comes   float64         // when it has come to who did so last
}

// lines are those of a contest, by number.
type lines map[uint32]*line

// updates reports whether an event tells of an atomic update: in the low 32 bits the line, above
// how many it stands for, 0 for one.
func updates(word uint64) bool { return ir.MarkKind(word>>56) == ir.AtomicUpdate }

// update is what a line takes to come to a processor from another, in cycles of processor 0.
func (s *Simulator) update(p int) float64 { return s.m.Platform.Other.Atomic.Cycles * s.factor[p] }

// update returns when a processor that comes to an update has done it. An event that stands for
// several has the line come no more often than others updated it since.
func (x *lines) update(word uint64, p int, now, takes float64) float64 {
	if *x == nil {
		*x = lines{}
	}
	l := (*x)[uint32(word)]
	if l == nil {
		l = &line{seen: map[int]float64{}}
		(*x)[uint32(word)] = l
	}
	times := float64(max(1, regionOf(word)))
	others := l.updates - l.seen[p]
	l.updates += times
	l.seen[p] = l.updates
	if others > 0 {
		l.comes = max(now, l.comes) + min(times, others)*takes
		now = l.comes
	}
	return now
}

// TellUpdates has programs tell of atomic updates, which mappings onto a platform need that has
// a price for them.
func (p *Plan) TellUpdates() { p.Meters.Updates = true }
