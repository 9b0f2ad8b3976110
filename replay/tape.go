package replay

// This file keeps the events of a region under way, for schedules in which regions
// inside it compete for processors: those are known only when it has ended.

import (
	"errors"

	"pathspan/ir"
)

// tape holds what happened since the first of the regions began that some mapping
// spreads over processors and that have not ended. It is one for all mappings: work is
// kept by meter, so what it costs is left to whoever reads it.
type tape struct {
	meters int
	now    []uint64 // by meter: units since the program began
	events []uint64 // words as in the stream
	closes []int32  // by event that begins a region or a section: the event that ends it
	spent  []uint64 // by event, then meter: now, when it happened
	open   []int32  // events that began what is under way
	users  int      // mappings under which a region is under way that is spread
	most   int      // events that are kept
	full   bool     // there were more, and none is kept
}

// mostBytes bounds a tape: 50 million events with one meter, of which a section is two.
const mostBytes = 1 << 30

// errFull says what to do where a tape would pass its bound.
var errFull = errors.New("it competes for processors inside an execution of another region that has more sections than can be kept until its end (1 GiB of events): leave the inner regions out of the mapping, so that they stay on their processors, or use a smaller input")

func mostEvents(meters int) int { return mostBytes / (8 + 4 + 8*meters) }

func newTape(meters, most int) *tape {
	return &tape{meters: meters, now: make([]uint64, meters), most: most}
}

// spend adds what ran since the event before.
func (t *tape) spend(units []uint64) {
	for k, u := range units {
		t.now[k] += u
	}
}

// add takes note of an event. Those that begin or end neither a region nor a section
// leave no trace.
func (t *tape) add(word uint64) {
	kind := ir.MarkKind(word >> 56)
	if t.full || kind < ir.RegionBegin || kind > ir.SectionEnd {
		return
	}
	if len(t.events) == t.most {
		full := tape{meters: t.meters, now: t.now, users: t.users, most: t.most, full: true}
		*t = full
		return
	}
	n := len(t.events)
	t.events = append(t.events, word)
	t.closes = append(t.closes, 0)
	t.spent = append(t.spent, t.now...)
	if kind == ir.RegionBegin || kind == ir.SectionBegin {
		t.open = append(t.open, int32(n))
	} else if last := len(t.open) - 1; last >= 0 {
		t.closes[t.open[last]] = int32(n)
		t.open = t.open[:last]
	}
}

// end adds the ends of all that is under way.
func (t *tape) end() {
	for len(t.open) > 0 {
		begin := t.events[t.open[len(t.open)-1]]
		t.add(begin + 1<<56) // kinds of ends follow those of begins
	}
}

// forget drops all events when nobody will ask for them any more.
func (t *tape) forget() {
	if t.users > 0 {
		return
	}
	t.events, t.closes, t.spent, t.open, t.full = t.events[:0], t.closes[:0], t.spent[:0], t.open[:0], false
}

// last returns the event that was added last.
func (t *tape) last() int32 { return int32(len(t.events) - 1) }

// kind returns what an event tells of.
func (t *tape) kind(event int32) ir.MarkKind { return ir.MarkKind(t.events[event] >> 56) }

func (t *tape) region(event int32) int    { return int(t.events[event] >> 32 & 0xffffff) }
func (t *tape) construct(event int32) int { return int(t.events[event] >> 16 & 0xffff) }
func (t *tape) section(event int32) int   { return int(t.events[event] & 0xffff) }

// units returns what a meter counted from one event to a later one.
func (t *tape) units(meter int, from, to int32) uint64 {
	return t.spent[int(to)*t.meters+meter] - t.spent[int(from)*t.meters+meter]
}
