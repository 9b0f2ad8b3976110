package replay

// This file keeps the events of a region under way, for schedules in which regions
// inside it compete for processors: those are known only when it has ended.

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"pathspan/build/probe"
	"pathspan/ir"
)

// tape holds what happened since the first of the regions began that some mapping
// spreads over processors and that have not ended. It is one for all mappings: work is
// kept by meter, so what it costs is left to whoever reads it. Until someone does, it is
// no more than the stream as it was read, which costs programs nothing whose regions hold
// no others.
type tape struct {
	stream    []byte
	kept      int // offset of the first event that is kept
	at        int // offset of the event that simulators are told of
	have      int // bytes of the stream that were read
	size      int // of an event
	unmarked  int // events kept that are not laid out
	users     int // mappings under which a region is under way that is spread
	most      int // bytes that are kept
	full      bool
	laid      int // offset of the first event that is not among events
	events    []taped
	spent     []uint64 // by event, then meter: units since the first event
	sum       []uint64 // by meter: units until laid
	accesses  []uint64 // since the first event, as programs tell them
	reached   []int32  // by event: of these, those before it
	innermost int32    // event that began what is under way, -1 for none
	ended     int      // events from this one on are ends that did not come
}

// taped is an event that begins or ends a region or a section, or tells of a loop.
type taped struct {
	word uint64 // as in the stream
	// The event that ends what this one begins; until it comes, the event that begins
	// what lies around it.
	end int32
}

// mostBytes bounds the stream that is kept: 33 million events with one meter, of which a
// section is two. Laid out for a simulation they take one and a half times as much again.
const mostBytes = 1 << 29

// errFull says what to do where a tape would pass its bound.
var errFull = errors.New("it competes for processors inside an execution of another region that has more sections than can be kept until its end (512 MiB of events): leave the inner regions out of the mapping, so that they stay on their processors, or use a smaller input")

// errManyAccesses says the same of accesses.
var errManyAccesses = errors.New("it makes more accesses than can be kept until its end (512 MiB of events), and who makes which is known only then: give its loops static schedules and leave inner regions out of the mapping, leave memory: out of the platform, or use a smaller input")

// errManyTasks says the same of tasks.
var errManyTasks = errors.New("it makes more tasks than can be kept until its end (512 MiB of events): let its team be of one thread, or use a smaller input")

// errStuck says what to do where tasks that a mapping keeps to processors block each other.
var errStuck = errors.New("its tasks wait for each other for ever where the mapping keeps them: give one of them more processors")

func newTape(meters, most int) *tape {
	size := 8 + 8*meters
	return &tape{size: size, most: most, stream: make([]byte, size*max(1, min(most, 1<<18)/size)), sum: make([]uint64, meters), innermost: -1, ended: math.MaxInt}
}

// room makes room for more of the stream. What is no longer needed goes first.
func (t *tape) room() {
	if t.users == 0 {
		t.drop(t.at)
	}
	if t.kept > 0 {
		copy(t.stream, t.stream[t.kept:t.have])
		t.at, t.have, t.laid, t.kept = t.at-t.kept, t.have-t.kept, t.laid-t.kept, 0
	}
	if t.have < len(t.stream) {
		return
	}
	if 2*len(t.stream) <= t.most {
		t.stream = append(t.stream, make([]byte, len(t.stream))...)
		return
	}
	t.drop(t.at)
	t.full = true
	t.room()
}

// begin keeps what is to come, for another mapping under which a region has begun that is
// spread, and returns the number that the event at hand has among events.
func (t *tape) begin() int32 {
	if t.users == 0 {
		t.drop(t.at)
		t.full = false
	}
	t.users++
	return t.number()
}

// number is that of the event at hand among events, while they are kept.
func (t *tape) number() int32 { return int32((t.at-t.kept)/t.size - t.unmarked) }

// drop forgets all events before an offset.
func (t *tape) drop(offset int) {
	t.kept, t.laid, t.unmarked = offset, offset, 0
	t.events, t.spent, t.innermost, t.ended = t.events[:0], t.spent[:0], -1, math.MaxInt
	t.accesses, t.reached = t.accesses[:0], t.reached[:0]
}

// tells reports whether an event begins or ends a region or a section, or is of a loop or a task.
func tells(word uint64) bool {
	kind := word >> 56
	return probe.MarkOf(word) != nil || kind >= probe.Iteration && kind <= probe.LoopChunk || locks(word) || updates(word) || tellsOfTask(word)
}

// tellsOfTask reports whether an event is of a task, or of what waits for tasks.
func tellsOfTask(word uint64) bool {
	return ir.MarkKind(word>>56).OfTasks() || word>>56 == probe.TaskDistance
}

// layOut finds, up to the event at hand, which events belong together.
func (t *tape) layOut() {
	more := (t.at + t.size - t.laid) / t.size
	t.events, t.spent = slices.Grow(t.events, more), slices.Grow(t.spent, more*len(t.sum))
	for ; t.laid <= t.at && t.laid+t.size <= t.have; t.laid += t.size {
		word := binary.LittleEndian.Uint64(t.stream[t.laid:])
		for k := range t.sum {
			x := binary.LittleEndian.Uint64(t.stream[t.laid+8+8*k:])
			switch {
			case word>>56 != probe.Accesses:
				t.sum[k] += x
			case x != 0:
				t.accesses = append(t.accesses, x)
			}
		}
		if tells(word) {
			t.lay(word)
		}
	}
}

func (t *tape) lay(word uint64) {
	n := int32(len(t.events))
	t.spent = append(t.spent, t.sum...)
	t.events = append(t.events, taped{word: word})
	t.reached = append(t.reached, int32(len(t.accesses)))
	kind := t.kind(n)
	switch {
	case probe.MarkOf(word) == nil && kind != ir.TaskBegin && kind != ir.TaskEnd:
		return
	case t.begins(n) || kind == ir.TaskBegin:
		t.events[n].end, t.innermost = t.innermost, n
		return
	}
	if begin := t.innermost; begin >= 0 {
		t.innermost, t.events[begin].end = t.events[begin].end, n
	}
}

// end lays out the ends of all that is under way: what the program ended in took as long as
// it had run, and nothing of it comes behind.
func (t *tape) end() {
	if t.full {
		return
	}
	t.layOut()
	t.ended = len(t.events)
	for t.innermost >= 0 {
		t.lay(t.events[t.innermost].word + 1<<56) // kinds of ends follow those of begins
	}
}

// closes returns the event that ends what an event begins.
func (t *tape) closes(begin int32) int32 { return t.events[begin].end }

// begins reports whether an event begins a region or a section.
func (t *tape) begins(event int32) bool {
	kind := t.kind(event)
	return kind == ir.RegionBegin || kind == ir.SectionBegin
}

func (t *tape) kind(event int32) ir.MarkKind { return ir.MarkKind(t.events[event].word >> 56) }

func (t *tape) region(event int32) int    { return regionOf(t.events[event].word) }
func (t *tape) construct(event int32) int { return constructOf(t.events[event].word) }
func (t *tape) section(event int32) int   { return sectionOf(t.events[event].word) }

// units returns what a meter counted from one event to a later one.
func (t *tape) units(meter int, from, to int32) uint64 {
	meters := len(t.sum)
	return t.spent[int(to)*meters+meter] - t.spent[int(from)*meters+meter]
}
