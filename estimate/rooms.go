package estimate

// This file holds mappings to the size of local memories.

import (
	"fmt"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/mapping/caches"
	"pathspan/memory"
)

// needs is what one execution of a lane uses at most, in bytes, in whole lines.
type needs struct {
	memory.Lane
	bytes float64
}

// needs lists them, of what local memories hold: sections, loops and what is outside of regions.
func (a *Analysis) needs() (out []needs) {
	for _, span := range a.Bundle.Memory.Spans {
		switch of := a.Bundle.Memory.Lanes[span.Lane]; of.Kind {
		case memory.Serial, memory.InSection, memory.InLoop:
			out = append(out, needs{of, float64(span.Most * caches.RecordedLine)})
		}
	}
	return out
}

// Room tells how many bytes a section may use at most on a processor, false where there is no limit.
func (e *Estimator) Room(processor int) (bytes float64, limited bool) {
	if !e.KnowsMemory() {
		return 0, false
	}
	l := e.Platform.Hierarchy.LocalOf(processor)
	if l == nil || l.Remote {
		return 0, false
	}
	return float64(l.Size), true
}

// Rooms reports the first section that a mapping sends to a processor whose local memory is smaller than what one
// execution of it uses.
func (e *Estimator) Rooms(m *mapping.Resolved) error {
	if !e.KnowsMemory() || len(e.Platform.Hierarchy.Local) == 0 {
		return nil
	}
	prog := e.Bundle.Program
	for _, x := range e.needs() {
		switch x.Kind {
		case memory.Serial:
			if err := e.tooSmallOutside(x.bytes, m.Serial); err != nil {
				return err
			}
		case memory.InSection:
			name := ir.SectionLabel(prog.Regions[x.Region].Constructs[x.Construct].Sections[x.Section].Name)
			if err := e.room(m.Regions[x.Region].Proc[x.Construct][x.Section], x.bytes, name+" of region "+prog.Regions[x.Region].Label(), "map it to another processor, or divide it"); err != nil {
				return err
			}
		case memory.InLoop:
			l := m.Regions[x.Region].Loop(x.Construct)
			if l == nil {
				continue
			}
			if err := e.tooSmallForLoop(&x, m.Regions[x.Region].Proc[x.Construct][:l.Threads]); err != nil {
				return err
			}
		}
	}
	return nil
}

// RoomOutside reports a local memory that is smaller than what code outside of sections uses.
func (e *Estimator) RoomOutside(serial int) error {
	if _, limited := e.Room(serial); !limited {
		return nil
	}
	for _, x := range e.needs() {
		if x.Kind == memory.Serial {
			return e.tooSmallOutside(x.bytes, serial)
		}
	}
	return nil
}

// RoomForLoop reports a local memory that is smaller than an even part of what a loop uses.
func (e *Estimator) RoomForLoop(region, construct int, processors []int) error {
	if !e.KnowsMemory() || len(e.Platform.Hierarchy.Local) == 0 {
		return nil
	}
	for _, x := range e.needs() {
		if x.Kind == memory.InLoop && x.Region == region && x.Construct == construct {
			return e.tooSmallForLoop(&x, processors)
		}
	}
	return nil
}

func (e *Estimator) tooSmallOutside(bytes float64, serial int) error {
	return e.room(serial, bytes, "code outside of sections", "let another processor be the serial one")
}

func (e *Estimator) tooSmallForLoop(x *needs, processors []int) error {
	for _, p := range processors {
		if err := e.room(p, x.bytes/float64(len(processors)), "a thread of "+e.Bundle.Program.Regions[x.Region].Constructs[x.Construct].LoopName(), "share the loop among more"); err != nil {
			return err
		}
	}
	return nil
}

func (e *Estimator) room(processor int, bytes float64, what, instead string) error {
	size, limited := e.Room(processor)
	if !limited || bytes <= size {
		return nil
	}
	return fmt.Errorf("processor %s has a local memory of %.0f bytes (%s), and %s uses %.0f, by its footprint in the profile: %s, or describe a larger memory in the platform, or one with copies: none",
		e.Platform.Processors[processor].Name, size, e.Platform.Hierarchy.LocalOf(processor).Name, what, bytes, instead)
}
