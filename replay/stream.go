package replay

// This file reads the stream of events that a metered program writes.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"pathspan/build/probe"
	"pathspan/ir"
)

// ErrCut is returned when a stream ends without saying so: the program was killed, or
// replaced itself by exec. What was read until then has been simulated.
var ErrCut = errors.New("the events end in the middle")

// Totals says what a stream held.
type Totals struct {
	Events uint64
}

// Read feeds the events of one run to the simulators.
func Read(r io.Reader, plan *Plan, sims []*Simulator) (Totals, error) {
	return read(r, plan, sims, mostBytes)
}

// read keeps at most so many bytes of a region's events.
func read(r io.Reader, plan *Plan, sims []*Simulator, most int) (Totals, error) {
	var t Totals
	tape := newTape(plan.Meters.Count, most)
	units := make([]uint64, plan.Meters.Count)
	runs := newLoopRuns(plan)
	for _, s := range sims {
		s.tape, s.loops = tape, runs
	}
	for {
		n, err := r.Read(tape.stream[tape.have:])
		tape.have += n
		for tape.have-tape.at >= tape.size {
			word := binary.LittleEndian.Uint64(tape.stream[tape.at:])
			for k := range units {
				units[k] = binary.LittleEndian.Uint64(tape.stream[tape.at+8+8*k:])
			}
			if word>>56 == probe.Accesses {
				for _, s := range sims {
					s.accesses(units)
				}
				tape.unmarked++
				tape.at += tape.size
				continue
			}
			t.Events++
			runs.before(word, units)
			if word>>56 == probe.StreamEnd {
				for _, s := range sims {
					s.spend(units)
				}
				return t, finish(sims)
			}
			for _, s := range sims {
				s.spend(units)
				if err := s.event(word); err != nil {
					if errors.Is(err, errFull) || errors.Is(err, errManyTasks) || errors.Is(err, errStuck) || errors.Is(err, errManyAccesses) {
						return t, err
					}
					return t, fmt.Errorf("event %d: %w; exceptions and longjmp must not leave a section", t.Events, err)
				}
			}
			runs.behind(word)
			if !tells(word) {
				tape.unmarked++
			}
			tape.at += tape.size
		}
		tape.room()
		if err != nil {
			if ending := finish(sims); ending != nil {
				return t, ending
			}
			if errors.Is(err, io.EOF) {
				return t, ErrCut
			}
			return t, err
		}
	}
}

func finish(sims []*Simulator) error {
	for _, s := range sims {
		if err := s.finish(); err != nil {
			return err
		}
		s.settleAll()
	}
	return nil
}

// event takes note of what happened.
func (s *Simulator) event(word uint64) error {
	region, construct, section := regionOf(word), constructOf(word), sectionOf(word)
	kind := word >> 56
	s.waitedUntil(word)
	switch kind {
	case probe.RootBegin:
		s.beginRoot()
		return nil
	case probe.RootEnd:
		return s.endRoot()
	case uint64(ir.TaskBegin):
		if section == 0 { // which is deferred
			s.makesTask()
		}
		return nil
	case uint64(ir.TaskEnd), uint64(ir.TaskWait), uint64(ir.GroupBegin), uint64(ir.GroupEnd), probe.TaskDistance:
		return nil
	case probe.Iteration, probe.LoopIterations, probe.LoopChunk:
		return nil // whoever needs them asks when the loop has ended
	}
	if locks(word) || updates(word) {
		s.locking()
		return nil
	}
	if kind < uint64(ir.RegionBegin) || kind > uint64(ir.SectionEnd) {
		return fmt.Errorf("an event of unknown kind %d", kind)
	}
	if !s.on {
		return nil
	}
	if region >= len(s.m.Regions) {
		return fmt.Errorf("an event of region %d of %d", region, len(s.m.Regions))
	}
	rm := &s.m.Regions[region]
	if ir.MarkKind(kind) == ir.RegionBegin {
		s.beginRegion(region)
		return nil
	}
	if ir.MarkKind(kind) == ir.RegionEnd {
		return s.endRegion(region)
	}
	if construct >= len(rm.Proc) || section >= len(rm.Proc[construct]) {
		return fmt.Errorf("an event of section %d of construct %d, which region %d does not have", section, construct, region)
	}
	if ir.MarkKind(kind) == ir.SectionBegin {
		return s.beginSection(region, construct, section)
	}
	return s.endSection(region, section)
}
