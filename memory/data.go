package memory

// This file reads what the run-time library tells of memory (runtime/memoryfile.c).

import (
	"cmp"
	"errors"
	"slices"
)

// Record is a line of what was told: its kind, three words of what, two of how much.
type Record [6]uint64

// The kinds of records.
const (
	flows = iota + 1
	written
	carried
	reuse
	kinds
)

// Who is a place of the program in a lane. Place is -1 where nobody is known.
type Who struct{ Lane, Place int }

// Object is what the program has in memory.
type Object struct {
	Kind  ObjectKind
	Name  string // of a variable
	Func  int    // that has it or makes it, index into Program.Funcs; -1 for globals
	Place int    // of Heap: where it is made, index into Places.List
	Size  int64  // bytes, 0 where only a run tells
}

// ObjectKind says where an object lies.
type ObjectKind uint8

// The kinds of objects.
const (
	Elsewhere ObjectKind = iota // what pathspan does not see being made
	Global
	Stack
	Heap
)

// Flow is what one place read of what another wrote last, in one object.
type Flow struct {
	Object   int
	From, To Who
	Bytes    uint64 // that were read
	Distinct uint64 // of these for the first time since they were written, by the place's line
}

// Write is what a place wrote.
type Write struct {
	Object int
	By     Who
	Bytes  uint64
}

// Kind says how two accesses depend.
type Kind uint8

// The kinds of dependences.
const (
	FlowDependence   Kind = iota // what was written is read
	OutputDependence             // what was written is written
	AntiDependence               // what was read is written
)

// Carried is a dependence between iterations of a loop.
type Carried struct {
	Loop     int // index into Places.Loops
	Kind     Kind
	From, To Who // of AntiDependence From is who wrote what was read
	Object   int
	Times    uint64 // granules of 1 to 8 bytes
}

// Reuse is how often lines of 64 bytes were used again behind at most so many others.
type Reuse struct {
	Lines int64 // -1: for the first time
	Times uint64
}

// Data is what one run told.
type Data struct {
	Flows   []Flow
	Writes  []Write
	Carried []Carried
	Reuse   []Reuse // ascending by lines, first uses first
}

var errRecords = errors.New("its record of memory is damaged")

// Join adds up records of one thing, in order.
func Join(list []Record) []Record {
	slices.SortFunc(list, func(a, b Record) int { return slices.Compare(a[:4], b[:4]) })
	var out []Record
	for _, r := range list {
		if n := len(out); n > 0 && slices.Equal(out[n-1][:4], r[:4]) {
			out[n-1][4] += r[4]
			out[n-1][5] += r[5]
			continue
		}
		out = append(out, r)
	}
	return out
}

// Decode reads records of a program with so many places and loops.
func Decode(list []Record, places *Places) (*Data, error) {
	d := &Data{}
	ok := true
	who := func(w uint64) Who {
		place := int(uint32(w)) - 1
		ok = ok && place < len(places.List)
		return Who{int(w >> 32), place}
	}
	for _, r := range list {
		switch r[0] {
		case flows:
			d.Flows = append(d.Flows, Flow{int(r[1]), who(r[2]), who(r[3]), r[4], r[5]})
		case written:
			d.Writes = append(d.Writes, Write{int(r[1]), who(r[2]), r[4]})
		case carried:
			loop := int(uint32(r[1]))
			ok = ok && loop < len(places.Loops)
			d.Carried = append(d.Carried, Carried{loop, Kind(r[1] >> 32), who(r[2]), who(r[3]), 0, r[4]})
		case reuse:
			d.Reuse = append(d.Reuse, Reuse{int64(r[2]), r[4]})
		default:
			ok = false
		}
	}
	if !ok {
		return nil, errRecords
	}
	slices.SortFunc(d.Reuse, func(a, b Reuse) int { return cmp.Compare(a.Lines, b.Lines) })
	return d, nil
}
