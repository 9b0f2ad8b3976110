package replay

// This file reads the stream of events that a metered program writes.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"pathspan/ir"
	"pathspan/ir/probe"
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
	return read(r, plan, sims, mostEvents(plan.Meters.Count))
}

func read(r io.Reader, plan *Plan, sims []*Simulator, most int) (Totals, error) {
	var t Totals
	words := 1 + plan.Meters.Count
	size := 8 * words
	buf := make([]byte, size*max(1, (1<<18)/size))
	units := make([]uint64, plan.Meters.Count)
	have := 0
	tape := newTape(plan.Meters.Count, most)
	kept := false
	for _, s := range sims {
		if s.deals != nil {
			s.tape, kept = tape, true
		}
	}
	for {
		n, err := r.Read(buf[have:])
		have += n
		at := 0
		for ; have-at >= size; at += size {
			word := binary.LittleEndian.Uint64(buf[at:])
			for k := range units {
				units[k] = binary.LittleEndian.Uint64(buf[at+8+8*k:])
			}
			t.Events++
			if kept {
				tape.spend(units)
				tape.add(word)
			}
			if word>>56 == probe.StreamEnd {
				for _, s := range sims {
					s.spend(units)
					if err := s.finish(); err != nil {
						return t, err
					}
				}
				return t, nil
			}
			for _, s := range sims {
				s.spend(units)
				err := s.event(word)
				if errors.Is(err, errFull) {
					return t, err
				}
				if err != nil {
					return t, fmt.Errorf("event %d: %w; exceptions and longjmp must not leave a section", t.Events, err)
				}
			}
			if kept {
				tape.forget()
			}
		}
		have = copy(buf, buf[at:have])
		if err != nil {
			for _, s := range sims {
				if err := s.finish(); err != nil {
					return t, err
				}
			}
			if errors.Is(err, io.EOF) {
				return t, ErrCut
			}
			return t, err
		}
	}
}

// event takes note of what happened.
func (s *Simulator) event(word uint64) error {
	region, construct, section := int(word>>32&0xffffff), int(word>>16&0xffff), int(word&0xffff)
	kind := word >> 56
	switch kind {
	case probe.RootBegin:
		s.beginRoot()
		return nil
	case probe.RootEnd:
		return s.endRoot()
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
	return s.endSection(region, construct, section)
}
