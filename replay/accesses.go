package replay

// This file plays what the program reads and writes: each access goes through the caches of the
// processor that executes it under the mapping, in the order of the sequential program.

import (
	"errors"
	"fmt"

	"pathspan/build/probe"
	"pathspan/mapping/loops"
)

// errLocal is the error of a platform whose processors work on memories of their own.
var errLocal = errors.New("some of its processors work on local memories, and replay knows caches alone")

// errAccesses is the error where who executes what is known only when all has ended.
var errAccesses = errors.New("its regions compete for processors with what lies around them, so that who makes which access is known only when all has ended: leave the inner regions out of the mapping, or memory: out of the platform")

// refuses tells why accesses cannot be simulated under the mapping, if that is known beforehand.
func (s *Simulator) refuses() error {
	switch {
	case s.prog.HasTasks():
		return errors.New("the program makes tasks, and caches are simulated where it is known beforehand who executes what")
	case s.prog.HasLocks():
		return errors.New("the program takes locks, and caches are simulated where it is known beforehand who comes first")
	case s.plan.Meters.Updates:
		return errors.New("the program updates memory atomically, which the platform has a price for, and caches are simulated where it is known beforehand who comes first: leave atomic: out of the overheads, or memory: out of the platform")
	}
	for r := range s.m.Regions {
		for c, l := range s.m.Regions[r].Loops {
			if l != nil && l.Threads > 1 && l.Shares == nil && l.Schedule.Dispatched() {
				return fmt.Errorf("threads of %s take chunks as they come, and caches are simulated where it is known beforehand who executes what: give it a static schedule in the mapping", s.prog.Regions[r].Constructs[c].LoopName())
			}
		}
	}
	return nil
}

// Through has accesses go through memory, on the way of the mapping and, for sequential times,
// as if the serial processor executed all. Programs must tell of them.
func (s *Simulator) Through(m *Memory) error {
	if m.Local {
		return errLocal
	}
	if err := s.refuses(); err != nil {
		return err
	}
	var err error
	if s.caches, err = newCaches(m, len(s.scale)); err == nil {
		s.alone, err = newCaches(m, len(s.scale))
	}
	return err
}

// accesses acts on an event that tells of some.
func (s *Simulator) accesses(words []uint64) {
	if s.caches == nil {
		return
	}
	for _, word := range words {
		if word == 0 {
			return
		}
		address, size := word&(1<<48-1), word>>48&(1<<15-1)+1
		for end := address + size; address < end; address = address/probe.AccessLeast*probe.AccessLeast + probe.AccessLeast {
			s.access(address, word>>63 != 0)
		}
	}
}

func (s *Simulator) access(address uint64, writes bool) {
	serial, _ := s.alone.access(s.m.Serial, address, writes)
	serial *= s.factor[s.m.Serial]
	p, in, thread := s.executes()
	waits, found := s.caches.access(p, address, writes)
	waits *= s.factor[p]
	if !s.on {
		return
	}
	s.sequential += serial
	n := len(s.frames)
	if n == 0 {
		s.parallel += waits
		return
	}
	s.frames[n-1].serial += serial
	if !found {
		s.frames[n-1].far++
	}
	if in != nil {
		in.waits[thread] += waits
	} else {
		s.frames[n-1].elapsed += waits
	}
}

// executes tells the processor that is at work, and of iterations that threads share the frame
// of the loop and the thread.
func (s *Simulator) executes() (processor int, in *frame, thread int) {
	n := len(s.frames)
	if n == 0 {
		return s.m.Serial, nil, 0
	}
	if f := &s.frames[n-1]; !f.shared {
		return s.processor(f.at), nil, 0
	}
	for n--; s.frames[n].run == nil; n-- {
	}
	f := &s.frames[n]
	l := s.loop(f.region, f.construct)
	if len(f.waits) == 0 {
		f.waits = append(f.waits, make([]float64, l.Threads)...)
		f.owns = ownersOf(f.run, l.Schedule, l.Computed, l.Shares, l.Threads)
	}
	thread = f.owns(int64(f.run.at - min(f.run.at, f.run.last)))
	return s.m.Regions[f.region].Proc[f.construct][thread], f, thread
}

// ownersOf returns which thread executes an iteration of a loop under way.
func ownersOf(run *loopRun, s loops.Schedule, computed bool, shares []float64, threads int) func(i int64) int {
	n := max(1, int64(run.n))
	if computed && s.Kind != loops.Auto {
		s.Chunk = int64(run.chunk)
	}
	all := make([]loops.Share, threads)
	if shares != nil {
		for t, c := range loops.Weighted(n, shares) {
			all[t] = loops.Share{Begin: c.Begin, Length: max(1, c.Len()), Step: max(1, c.Len()), End: c.End}
		}
	} else {
		for t := range all {
			all[t] = s.Share(n, threads, t)
		}
	}
	last := 0
	return func(i int64) int {
		i = min(i, n-1)
		for t := range all {
			at := (last + t) % threads
			if o := &all[at]; i >= o.Begin && i < o.End && (i-o.Begin)%o.Step < o.Length {
				last = at
				return at
			}
		}
		return last
	}
}
