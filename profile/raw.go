package profile

// This file reads the raw profile that the run-time library writes; runtime/raw.def says
// what it is.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"pathspan/bounded"
	"pathspan/memory"
)

const rawMagic = "PSPRAW07"

// rawProfile is the content of a raw profile: the counts of one run, or the sum of
// those of several.
type rawProfile struct {
	signal   int          // that ended the last run, 0 for none
	counters []rawCounter // ascending by index
	keys     []rawKey
	calls    []rawCall
	frames   []rawFrame
	trees    rawTrees
	runs     []rawRun
	more     uint64 // runs that are not listed
	memory   []memory.Record
}

type rawCounter struct{ index, value uint64 }
type rawKey struct{ table, key, count uint64 }
type rawCall struct{ site, target, count uint64 }

// rawTrees are entries, those inside others first.
type rawTrees struct {
	kinds, grid, depth int
	trees              []tree
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

// rawSection reads the words of one kind into a profile.
type rawSection struct {
	tag    uint64
	name   string
	record int // words of a record; 0 where it is no list of equal records
	order  string
	read   func(p *rawProfile, r *rawReader)
}

// rawSections are those of a raw profile, in their order, as runtime/raw.def has them.
var rawSections = []rawSection{
	{1, "SIGNAL", 1, "ANY", func(p *rawProfile, r *rawReader) { p.signal = int(int32(r.word())) }},
	{2, "COUNTERS", 2, "ASCENDING", func(p *rawProfile, r *rawReader) {
		p.counters = append(p.counters, rawCounter{r.word(), r.word()})
	}},
	{3, "KEYS", 3, "NOT_DESCENDING", func(p *rawProfile, r *rawReader) {
		p.keys = append(p.keys, rawKey{r.word(), r.word(), r.word()})
	}},
	{4, "CALLS", 3, "NOT_DESCENDING", func(p *rawProfile, r *rawReader) {
		p.calls = append(p.calls, rawCall{r.word(), r.word(), r.word()})
	}},
	{5, "FRAMES", 0, "ANY", func(p *rawProfile, r *rawReader) {
		for r.more() {
			p.frames = append(p.frames, rawFrame{site: r.word(), regs: r.words(r.word()), count: r.word()})
		}
	}},
	{6, "TREES", 0, "ANY", func(p *rawProfile, r *rawReader) { p.trees = r.trees() }},
	{7, "RUNS", 0, "ANY", func(p *rawProfile, r *rawReader) {
		p.more = r.word()
		for r.more() {
			p.runs = append(p.runs, r.run())
		}
	}},
	{8, "MEMORY", 6, "ANY", func(p *rawProfile, r *rawReader) {
		p.memory = append(p.memory, memory.Record(r.words(6)))
	}},
}

// rawReader reads little-endian words behind the running checksum of the library.
type rawReader struct {
	data []byte // to the end of the section
	rest []byte // behind it
	sum  uint64
	err  error
}

var (
	errRawTruncated = errors.New("the raw profile is truncated")
	errRawCorrupt   = errors.New("the raw profile is corrupt: its lists do not fill their sections")
)

func (r *rawReader) word() uint64 {
	if r.err != nil || len(r.data) < 8 {
		if r.err == nil {
			r.err = errRawCorrupt
		}
		return 0
	}
	v := binary.LittleEndian.Uint64(r.data)
	r.data = r.data[8:]
	r.sum = mixRaw(r.sum, v)
	return v
}

// more tells whether the section has more words.
func (r *rawReader) more() bool { return r.err == nil && len(r.data) > 0 }

// section reads a section into a profile.
func (r *rawReader) section(s *rawSection, p *rawProfile) error {
	if len(r.rest) < 16 {
		return errRawTruncated
	}
	tag, n := binary.LittleEndian.Uint64(r.rest), binary.LittleEndian.Uint64(r.rest[8:])
	r.sum = mixRaw(r.sum, tag)
	if r.rest = r.rest[16:]; n > uint64(len(r.rest))/8 {
		return errRawTruncated
	}
	if tag != s.tag || s.record > 0 && n%uint64(s.record) != 0 || s.name == "SIGNAL" && n != 1 {
		return fmt.Errorf("the raw profile is corrupt: section %d of %d words in place of section %d", tag, n, s.tag)
	}
	r.data, r.rest = r.rest[:8*n], r.rest[8*n:]
	if s.record == 0 {
		s.read(p, r)
	}
	for s.record > 0 && r.more() {
		s.read(p, r)
	}
	if r.err == nil && len(r.data) > 0 {
		r.err = errRawCorrupt
	}
	r.sum = mixRaw(r.sum, n)
	return r.err
}

// mixRaw is a step of the checksum.
func mixRaw(sum, v uint64) uint64 {
	sum = (sum ^ v) * 0x9e3779b97f4a7c15
	return sum ^ sum>>29
}

func (r *rawReader) words(n uint64) []uint64 {
	if n > uint64(len(r.data))/8 {
		if r.err == nil {
			r.err = errRawCorrupt
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
	r := &rawReader{rest: data[len(rawMagic):]}
	if len(r.rest) < len(hash) {
		return nil, errRawTruncated
	}
	if !bytes.Equal(r.rest[:len(hash)], hash[:]) {
		return nil, errors.New("the raw profile is of another module")
	}
	r.data, r.rest = r.rest[:len(hash)], r.rest[len(hash):]
	r.words(4)
	p := new(rawProfile)
	for i := range rawSections {
		if err := r.section(&rawSections[i], p); err != nil {
			return nil, err
		}
	}
	switch {
	case len(r.rest) < 8:
		return nil, errRawTruncated
	case len(r.rest) > 8:
		return nil, fmt.Errorf("the raw profile is corrupt (%d bytes behind its end)", len(r.rest)-8)
	}
	if got := binary.LittleEndian.Uint64(r.rest); got != r.sum {
		return nil, fmt.Errorf("the raw profile is corrupt (checksum %x, want %x)", got, r.sum)
	}
	return p, nil
}

// trees reads executions.
func (r *rawReader) trees() rawTrees {
	kinds, grid, depth := r.word(), r.word(), r.word()
	entries, parts := r.word(), r.word()
	if r.err == nil && (kinds > mostKinds || grid > finerGrid || depth > 1<<16 || entries > uint64(len(r.data))/8 || parts > uint64(len(r.data))/8) {
		r.err = errRawCorrupt
	}
	t := rawTrees{kinds: int(kinds), grid: int(grid), depth: int(depth)}
	var read uint64
	for i := uint64(0); i < entries && r.err == nil; i++ {
		e := tree{region: int(r.word() & 0xffffffff), construct: int(r.word() & 0xffffffff)}
		sections := r.word()
		e.count, e.roots = r.word(), r.word()
		if sections > uint64(len(r.data))/8 || e.count == 0 {
			r.err = errRawCorrupt
		}
		for ; sections > 0 && r.err == nil; sections-- {
			n := r.word()
			if read += n; n > uint64(len(r.data))/8 {
				r.err = errRawCorrupt
			}
			var lane []treePart
			for ; n > 0 && r.err == nil; n-- {
				p := treePart{child: int(r.word()&0xffffffff) - 1, times: r.word(), sum: r.words(kinds)}
				if p.child >= int(i) || p.times == 0 {
					r.err = errRawCorrupt
				}
				lane = append(lane, p)
			}
			e.lanes = append(e.lanes, lane)
		}
		t.trees = append(t.trees, e)
	}
	if r.err == nil && read != parts {
		r.err = errRawCorrupt
	}
	return t
}

// run reads what is told of a run.
func (r *rawReader) run() rawRun {
	run := rawRun{counted: r.word(), exit: int(int32(r.word())), signal: int(int32(r.word())), inside: r.word()}
	size := r.word()
	if size > uint64(len(r.data)) {
		r.err = errRawCorrupt
		return run
	}
	var text []byte
	for _, w := range r.words((size + 7) / 8) {
		text = binary.LittleEndian.AppendUint64(text, w)
	}
	if r.err != nil {
		return run
	}
	for text = text[:size]; len(text) > 0; {
		arg, rest, _ := bytes.Cut(text, []byte{0})
		run.arguments, text = append(run.arguments, string(arg)), rest
	}
	return run
}
