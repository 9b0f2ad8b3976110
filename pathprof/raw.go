package pathprof

// This file reads the raw profile that the run-time library writes.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"pathspan/bounded"
)

const rawMagic = "PSPRAW04"

// rawProfile is the content of a raw profile: the counts of one run, or the sum of
// those of several.
type rawProfile struct {
	signal   int          // that ended the last run, 0 for none
	counters []rawCounter // ascending by index
	keys     []rawKey
	calls    []rawCall
	frames   []rawFrame
	classes  []rawClass
	runs     []rawRun
	more     uint64 // runs that are not listed
}

type rawCounter struct{ index, value uint64 }
type rawKey struct{ table, key, count uint64 }
type rawCall struct{ site, target, count uint64 }
type rawClass struct {
	region, construct, nested, count uint64
	work                             []uint64 // by section: sum over the executions
}
type rawFrame struct {
	site  uint64
	regs  []uint64
	count uint64 // activations that were alike
}
type rawRun struct {
	counted      uint64
	exit, signal int    // exit is -1 when a signal ended the run
	inside       uint64 // the event of the section in which it ended, 0 for none
	arguments    []string
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
	r.sum = mixRaw(r.sum, v)
	return v
}

// mixRaw is a step of the checksum.
func mixRaw(sum, v uint64) uint64 {
	sum = (sum ^ v) * 0x9e3779b97f4a7c15
	return sum ^ sum>>29
}

// words reads n words.
func (r *rawReader) words(n uint64) []uint64 {
	if n > uint64(len(r.data))/8 {
		if r.err == nil {
			r.err = errRawTruncated
		}
		return nil
	}
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.word()
	}
	return out
}

// readRaw reads a raw profile written by the program of the given module hash.
func readRaw(path string, hash [32]byte) (*rawProfile, error) {
	data, err := bounded.ReadFile(path, bounded.Object)
	if err != nil {
		return nil, err
	}
	return parseRaw(data, hash)
}

func parseRaw(data []byte, hash [32]byte) (*rawProfile, error) {
	if len(data) < len(rawMagic) && strings.HasPrefix(rawMagic, string(data)) {
		return nil, errRawTruncated
	}
	if len(data) < len(rawMagic) || string(data[:len(rawMagic)]) != rawMagic {
		return nil, errors.New("not a raw pathspan profile")
	}
	r := &rawReader{data: data[len(rawMagic):]}
	for i := range 4 {
		if r.word() != binary.LittleEndian.Uint64(hash[8*i:]) && r.err == nil {
			return nil, errors.New("the raw profile is of another module")
		}
	}
	p := &rawProfile{signal: int(int32(r.word()))}
	const end = math.MaxUint64
	for i := r.word(); i != end; i = r.word() {
		p.counters = append(p.counters, rawCounter{i, r.word()})
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
		regs := r.words(r.word())
		p.frames = append(p.frames, rawFrame{site: s, regs: regs, count: r.word()})
	}
	for g := r.word(); g != end; g = r.word() {
		c := rawClass{region: g, construct: r.word(), nested: r.word()}
		n := r.word()
		c.count = r.word()
		c.work = r.words(n)
		p.classes = append(p.classes, c)
	}
	p.runs = r.runs()
	p.more = r.word()
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

// runs reads the list of runs: for each its counts, exit status, signal, and section in
// which it ended, and its arguments as strings that end in zeros, filled up to words.
func (r *rawReader) runs() []rawRun {
	n := r.word()
	if r.err == nil && n > uint64(len(r.data))/8 {
		r.err = errRawTruncated
	}
	var runs []rawRun
	for i := uint64(0); i < n && r.err == nil; i++ {
		run := rawRun{counted: r.word(), exit: int(int32(r.word())), signal: int(int32(r.word())), inside: r.word()}
		size := r.word()
		if size > uint64(len(r.data)) {
			r.err = errRawTruncated
			return nil
		}
		var text []byte
		for _, w := range r.words((size + 7) / 8) {
			text = binary.LittleEndian.AppendUint64(text, w)
		}
		if r.err != nil {
			return nil
		}
		text = text[:size]
		for len(text) > 0 {
			arg, rest, _ := bytes.Cut(text, []byte{0})
			run.arguments, text = append(run.arguments, string(arg)), rest
		}
		runs = append(runs, run)
	}
	return runs
}
