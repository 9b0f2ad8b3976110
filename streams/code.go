package streams

// This file packs the executions of a trace, as the run-time library writes them
// (build/runtime/flow.c): for each its statement times eight with what it did, how many
// producers it has, how many executions before it these are, descending, and in a sized trace how
// many bytes it read of each, all as numbers of seven bits a byte, the least first. Loops make
// the same bytes again and again.

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Told is how much a run writes behind its executions and what they wrote over, three words each: how
// many of these there are, how many executions, and how many it left out, as 64-bit words, the least
// byte first.
const Told = 24

// Code packs the executions.
func (t *Trace) Code() []byte {
	var out []byte
	for i := range t.of {
		out = binary.AppendUvarint(out, uint64(t.of[i])<<3|uint64(t.does[i]))
		from := t.Producers(i)
		out = binary.AppendUvarint(out, uint64(len(from)))
		for k := len(from) - 1; k >= 0; k-- {
			out = binary.AppendUvarint(out, uint64(i-int(from[k])))
		}
		bytes := t.Bytes(i)
		for k := len(bytes) - 1; k >= 0; k-- {
			out = binary.AppendUvarint(out, uint64(bytes[k]))
		}
	}
	return out
}

var errCode = errors.New("the flow of data is not one that a run tells")

// Decode appends executions that Code packed, of a sized trace or another.
func (t *Trace) Decode(code []byte, sized bool) error {
	if sized && t.bytes == nil && t.Len() == 0 {
		t.bytes = []uint32{}
	}
	number := func() (uint64, bool) {
		v, n := binary.Uvarint(code)
		if n <= 0 {
			return 0, false
		}
		code = code[n:]
		return v, true
	}
	var from []int32
	var bytes []uint32
	for len(code) > 0 {
		head, ok1 := number()
		count, ok2 := number()
		if !ok1 || !ok2 || head>>3 > math.MaxInt32 || count > uint64(len(code)) {
			return errCode
		}
		from = from[:0]
		for range count {
			back, ok := number()
			if !ok || back == 0 || back > uint64(t.Len()) {
				return errCode
			}
			from = append(from, int32(t.Len()-int(back)))
		}
		bytes = bytes[:0]
		for range from {
			if !sized {
				break
			}
			n, ok := number()
			if !ok || n > math.MaxUint32 {
				return errCode
			}
			bytes = append(bytes, uint32(n))
		}
		var err error
		if sized {
			err = t.AddSized(int(head>>3), Does(head&7), from, bytes)
		} else {
			err = t.Add(int(head>>3), Does(head&7), from...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Ran appends what a run wrote.
func (t *Trace) Ran(told []byte) error {
	if len(told) < Told {
		return errCode
	}
	code, end := told[:len(told)-Told], told[len(told)-Told:]
	over := binary.LittleEndian.Uint64(end)
	if over > uint64(len(code)/24) {
		return errCode
	}
	code, told = code[:len(code)-24*int(over)], code[len(code)-24*int(over):]
	if err := t.Decode(code, true); err != nil {
		return err
	}
	if uint64(t.Len()) != binary.LittleEndian.Uint64(end[8:]) {
		return errCode
	}
	for ; len(told) > 0; told = told[24:] {
		from, to := binary.LittleEndian.Uint64(told), binary.LittleEndian.Uint64(told[8:])
		if from >= uint64(len(t.Statements)) || to >= uint64(len(t.Statements)) {
			return errCode
		}
		t.Overwrites = append(t.Overwrites, Overwrite{int(from), int(to), binary.LittleEndian.Uint64(told[16:])})
	}
	slices.SortFunc(t.Overwrites, func(a, b Overwrite) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	t.Omitted = binary.LittleEndian.Uint64(end[16:])
	return nil
}
