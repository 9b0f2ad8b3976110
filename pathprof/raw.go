package pathprof

// This file reads the raw profile that the run-time library writes.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
)

const rawMagic = "PSPRAW02"

// rawProfile is the content of a raw profile.
type rawProfile struct {
	signal   int
	counters map[uint64]uint64
	keys     []rawKey
	calls    []rawCall
	frames   []rawFrame
	classes  []rawClass
}

type rawKey struct{ table, key, count uint64 }
type rawCall struct{ site, target, count uint64 }
type rawClass struct {
	region, construct, nested, count uint64
	work                             []uint64 // by section: sum over the executions
}
type rawFrame struct {
	site uint64
	regs []uint64
}

// rawReader reads little-endian words behind the running checksum of the library.
type rawReader struct {
	data []byte
	sum  uint64
	err  error
}

var errRawTruncated = errors.New("the raw profile is truncated")

func (r *rawReader) word() uint64 {
	if r.err != nil || len(r.data) < 8 {
		if r.err == nil {
			r.err = errRawTruncated
		}
		return math.MaxUint64 // ends every list
	}
	v := binary.LittleEndian.Uint64(r.data)
	r.data = r.data[8:]
	r.sum = (r.sum ^ v) * 0x9e3779b97f4a7c15
	r.sum ^= r.sum >> 29
	return v
}

// readRaw reads a raw profile written by the program of the given module hash.
func readRaw(path string, hash [32]byte) (*rawProfile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseRaw(data, hash)
}

func parseRaw(data []byte, hash [32]byte) (*rawProfile, error) {
	if len(data) < len(rawMagic) || string(data[:len(rawMagic)]) != rawMagic {
		return nil, errors.New("not a raw pathspan profile")
	}
	r := &rawReader{data: data[len(rawMagic):]}
	for i := range 4 {
		if r.word() != binary.LittleEndian.Uint64(hash[8*i:]) && r.err == nil {
			return nil, errors.New("the raw profile is of another module")
		}
	}
	p := &rawProfile{signal: int(int32(r.word())), counters: make(map[uint64]uint64)}
	const end = math.MaxUint64
	for i := r.word(); i != end; i = r.word() {
		p.counters[i] = r.word()
	}
	for t := r.word(); t != end; t = r.word() {
		k := r.word()
		p.keys = append(p.keys, rawKey{t, k, r.word()})
	}
	for s := r.word(); s != end; s = r.word() {
		t := r.word()
		p.calls = append(p.calls, rawCall{s, t, r.word()})
	}
	for s := r.word(); s != end; s = r.word() {
		n := r.word()
		if n > uint64(len(r.data))/8 {
			return nil, errRawTruncated
		}
		f := rawFrame{site: s}
		for range n {
			f.regs = append(f.regs, r.word())
		}
		p.frames = append(p.frames, f)
	}
	for g := r.word(); g != end; g = r.word() {
		c := rawClass{region: g, construct: r.word(), nested: r.word()}
		n := r.word()
		c.count = r.word()
		if n > uint64(len(r.data))/8 {
			return nil, errRawTruncated
		}
		for range n {
			c.work = append(c.work, r.word())
		}
		p.classes = append(p.classes, c)
	}
	want := r.sum
	if got := r.word(); r.err == nil && got != want {
		return nil, fmt.Errorf("the raw profile is corrupt (checksum %x, want %x)", got, want)
	}
	if r.err != nil {
		return nil, r.err
	}
	if len(r.data) > 0 {
		return nil, fmt.Errorf("the raw profile is corrupt (%d bytes behind its end)", len(r.data))
	}
	return p, nil
}
