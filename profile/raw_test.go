package profile

// This file tests the reader of raw profiles: what the library writes is read back,
// and anything damaged is an error.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/build"
	"pathspan/memory"
)

// rawWriter writes raw profiles as runtime/profile.c does.
type rawWriter struct {
	bytes.Buffer
	sum uint64
}

func (w *rawWriter) put(words ...uint64) {
	for _, v := range words {
		w.Write(binary.LittleEndian.AppendUint64(nil, v))
		w.sum = (w.sum ^ v) * 0x9e3779b97f4a7c15
		w.sum ^= w.sum >> 29
	}
}

// encodeRaw is the inverse of parseRaw.
func encodeRaw(p *rawProfile, hash [32]byte) []byte {
	w := new(rawWriter)
	w.WriteString(rawMagic)
	for i := range 4 {
		w.put(binary.LittleEndian.Uint64(hash[8*i:]))
	}
	section := func(tag uint64, put func()) {
		w.put(tag)
		at := w.Len()
		w.Write(make([]byte, 8))
		put()
		n := uint64(w.Len()-at)/8 - 1
		binary.LittleEndian.PutUint64(w.Bytes()[at:], n)
		w.sum = mixRaw(w.sum, n)
	}
	section(1, func() { w.put(uint64(int64(p.signal))) })
	section(2, func() {
		for _, c := range p.counters {
			w.put(c.index, c.value)
		}
	})
	section(3, func() {
		for _, k := range p.keys {
			w.put(k.table, k.key, k.count)
		}
	})
	section(4, func() {
		for _, c := range p.calls {
			w.put(c.site, c.target, c.count)
		}
	})
	section(5, func() {
		for _, f := range p.frames {
			w.put(f.site, uint64(len(f.regs)))
			w.put(f.regs...)
			w.put(f.count)
		}
	})
	section(6, func() { putTrees(w, &p.trees) })
	section(7, func() {
		w.put(p.more)
		for _, run := range p.runs {
			var text []byte
			for _, a := range run.arguments {
				text = append(append(text, a...), 0)
			}
			w.put(run.counted, uint64(int64(run.exit)), uint64(int64(run.signal)), run.inside, uint64(len(text)))
			for text = fill(text); len(text) > 0; text = text[8:] {
				w.put(binary.LittleEndian.Uint64(text))
			}
		}
	})
	section(8, func() {
		for _, r := range p.memory {
			w.put(r[:]...)
		}
	})
	w.put(w.sum)
	return w.Bytes()
}

func putTrees(w *rawWriter, t *rawTrees) {
	parts := 0
	for _, e := range t.trees {
		for _, lane := range e.lanes {
			parts += len(lane)
		}
	}
	w.put(uint64(t.kinds), uint64(t.grid), uint64(t.depth), uint64(len(t.trees)), uint64(parts))
	for _, e := range t.trees {
		w.put(uint64(e.region), uint64(e.construct), uint64(len(e.lanes)), e.count, e.roots)
		for _, lane := range e.lanes {
			w.put(uint64(len(lane)))
			for _, p := range lane {
				w.put(uint64(p.child+1), p.times)
				w.put(p.sum...)
			}
		}
	}
}

// randomTrees invents trees of the given constructs, one a number of sections.
func randomTrees(r *rand.Rand, n, kinds int, sections ...int) []tree {
	var out []tree
	for i := range n {
		c := r.Intn(len(sections))
		t := tree{construct: c, count: 1 + uint64(r.Intn(9)), roots: uint64(r.Intn(3))}
		for range sections[c] {
			var lane []treePart
			for range 1 + r.Intn(3) {
				p := treePart{child: r.Intn(i+1) - 1, times: 1, sum: make([]uint64, kinds)}
				if p.child >= 0 {
					p.times += uint64(r.Intn(4))
				}
				for k := range p.sum {
					p.sum[k] = r.Uint64() >> (20 + r.Intn(40))
				}
				lane = append(lane, p)
			}
			t.lanes = append(t.lanes, lane)
		}
		out = append(out, t)
	}
	return out
}

func randomRaw(r *rand.Rand) (*rawProfile, []byte, [32]byte) {
	p := &rawProfile{signal: r.Intn(32), more: uint64(r.Intn(3))}
	var hash [32]byte
	r.Read(hash[:])
	for i := range r.Intn(12) {
		p.counters = append(p.counters, rawCounter{uint64(100*i + r.Intn(100)), 1 + r.Uint64()>>uint(r.Intn(60))})
	}
	for range r.Intn(5) {
		p.keys = append(p.keys, rawKey{uint64(r.Intn(3)), r.Uint64(), r.Uint64()})
	}
	for range r.Intn(5) {
		p.calls = append(p.calls, rawCall{uint64(r.Intn(9)), uint64(r.Intn(9)), r.Uint64()})
	}
	for range r.Intn(4) {
		f := rawFrame{site: uint64(r.Intn(9)), count: 1 + uint64(r.Intn(5)), regs: []uint64{}}
		for range r.Intn(4) {
			f.regs = append(f.regs, r.Uint64())
		}
		p.frames = append(p.frames, f)
	}
	p.trees = rawTrees{kinds: 1 + r.Intn(4), grid: r.Intn(33), depth: r.Intn(3)}
	p.trees.trees = randomTrees(r, r.Intn(6), p.trees.kinds, 2, 3)
	for range r.Intn(3) {
		run := rawRun{counted: r.Uint64(), exit: r.Intn(256) - 1, signal: r.Intn(16), inside: uint64(r.Intn(3))}
		for range r.Intn(4) {
			run.arguments = append(run.arguments, strings.Repeat("x", r.Intn(12)))
		}
		p.runs = append(p.runs, run)
	}
	for range r.Intn(4) {
		p.memory = append(p.memory, memory.Record{1 + uint64(r.Intn(14)), uint64(r.Intn(3)), uint64(r.Intn(3)), uint64(r.Intn(3)), r.Uint64(), r.Uint64()})
	}
	return p, encodeRaw(p, hash), hash
}

func TestRawRoundTrip(t *testing.T) {
	for seed := range 300 {
		want, data, hash := randomRaw(rand.New(rand.NewSource(int64(seed))))
		got, err := parseRaw(data, hash)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: read %+v, want %+v", seed, got, want)
		}
	}
}

func TestRawDamageIsAnError(t *testing.T) {
	for seed := range 20 {
		r := rand.New(rand.NewSource(int64(seed)))
		_, data, hash := randomRaw(r)
		for n := range data {
			if _, err := parseRaw(data[:n], hash); err == nil {
				t.Fatalf("seed %d: %d of %d bytes are no error", seed, n, len(data))
			}
		}
		for i := range data {
			bad := bytes.Clone(data)
			bad[i] ^= byte(1 + r.Intn(255))
			if _, err := parseRaw(bad, hash); err == nil {
				t.Fatalf("seed %d: a change of byte %d of %d is no error", seed, i, len(data))
			}
		}
		if _, err := parseRaw(append(bytes.Clone(data), make([]byte, 8)...), hash); err == nil {
			t.Fatalf("seed %d: bytes behind the end are no error", seed)
		}
	}
}

func TestRawOfAnotherModule(t *testing.T) {
	_, data, hash := randomRaw(rand.New(rand.NewSource(1)))
	hash[31]++
	if _, err := parseRaw(data, hash); err == nil || !strings.Contains(err.Error(), "of another module") {
		t.Errorf("a stale profile gives %v", err)
	}
}

func FuzzParseRaw(f *testing.F) {
	for seed := range 4 {
		_, data, hash := randomRaw(rand.New(rand.NewSource(int64(seed))))
		f.Add(data, hash[:])
		f.Add(data[:len(data)/2], hash[:])
	}
	f.Fuzz(func(t *testing.T, data, h []byte) {
		var hash [32]byte
		copy(hash[:], h)
		p, err := parseRaw(data, hash)
		if err != nil {
			if p != nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("profile %v with error %q", p, err)
			}
			return
		}
		if x := executionsOf(p.trees.trees, Executions{Kinds: make([]string, p.trees.kinds)}); x != nil {
			x.checkCounts()
		}
		for _, fr := range p.frames {
			if len(fr.regs)*8 > len(data) {
				t.Errorf("%d registers from %d bytes", len(fr.regs), len(data))
			}
		}
	})
}

// TestRawIsDescribedOnce holds the reader to the file that the library's writer and reader
// are made of.
func TestRawIsDescribedOnce(t *testing.T) {
	def, err := build.Library.ReadFile("runtime/raw.def")
	if err != nil {
		t.Fatal(err)
	}
	header, err := build.Library.ReadFile("runtime/raw.h")
	if err != nil || !strings.Contains(string(header), `"`+rawMagic+`"`) {
		t.Errorf("raw.h has another magic than %s; %v", rawMagic, err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^RAW\((\d+), (\w+), (\d+), (\w+), "[^"]+"\)$`).FindAllStringSubmatch(string(def), -1) {
		got = append(got, strings.Join(m[1:], " "))
	}
	var want []string
	for _, s := range rawSections {
		want = append(want, fmt.Sprintf("%d %s %d %s", s.tag, s.name, s.record, s.order))
	}
	if !slices.Equal(got, want) {
		t.Errorf("raw.def has %q, the reader %q", got, want)
	}
	for _, s := range want { // each is described
		if name := strings.Fields(s)[1]; !strings.Contains(string(def), "*   "+name+" ") {
			t.Errorf("raw.def does not say what %s holds", name)
		}
	}
}
