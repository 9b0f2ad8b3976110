package profile

// This file tests bundles that programs write themselves: what is read is what was
// counted, and anything damaged or mixed up is an error of one line.

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"pathspan/build/probe"
	"pathspan/pathprof"
	"pathspan/profile/bundlepb"
)

// selfWritten makes up a program, its template and counts, and the bundle that they are.
func selfWritten(t testing.TB, seed int64, opt pathprof.Options) (template, counts []byte, want *Bundle) {
	t.Helper()
	r := rand.New(rand.NewSource(seed))
	bare := randomBundle(seed, 1)
	bare.Provenance.Runs = nil
	bare.Module = fmt.Appendf(nil, "; module %d\n", seed)
	in := pathprof.Instrument(bare.Program, sha256.Sum256(bare.Module), opt)
	in.Work = &pathprof.Work{Kinds: []string{"add", "load"}, Weights: []uint32{8, 16}, Vectors: make([][][]uint32, len(bare.Program.Funcs))}
	for range bare.Program.Funcs[1].Blocks {
		in.Work.Vectors[1] = append(in.Work.Vectors[1], []uint32{uint32(r.Intn(9)), uint32(r.Intn(9))})
	}
	applied := &probe.Applied{Targets: []int{0, 2}}
	for fn, f := range bare.Program.Funcs {
		for b := range f.Blocks {
			applied.CallSites = append(applied.CallSites, probe.CallSite{Func: fn, Block: b})
		}
	}
	template, err := Template(bare, in, applied)
	if err != nil {
		t.Fatal(err)
	}
	raw := &rawProfile{more: 2, runs: []rawRun{{counted: 5, exit: 3, arguments: []string{"a", "", "b c"}}, {counted: 1, exit: -1, signal: 15}}}
	for i := range in.Planner.Plan.Counters {
		if r.Intn(3) == 0 {
			raw.counters = append(raw.counters, rawCounter{uint64(i), 1 + uint64(r.Intn(9))})
		}
	}
	raw.calls = []rawCall{{0, 0, 4}, {1, 1, 7}, {1, 2, 3}}
	part := func(child int, times, sum uint64) []treePart {
		return []treePart{{child, times, []uint64{sum, 2 * sum}}}
	}
	raw.trees = rawTrees{kinds: 2, grid: 32, trees: []tree{
		{count: 7, roots: 1, lanes: [][]treePart{part(-1, 1, 16), part(-1, 1, 32)}},
		{count: 2, roots: 2, lanes: [][]treePart{part(0, 3, 8), part(-1, 1, 8)}}}}
	counts = encodeRaw(raw, in.Hash)
	again, err := parseRaw(counts, in.Hash)
	if err != nil {
		t.Fatal(err)
	}
	c, err := decode(in, again, applied)
	if err != nil {
		t.Fatal(err)
	}
	whole := *bare
	whole.Funcs, whole.Targets, whole.Executions, whole.Lost = c.Funcs, c.Targets, c.Executions, c.Lost
	whole.Notes = []string{"a note", "2 more runs are in the counts and not in the list of runs"}
	whole.Provenance.ModuleHash = in.Hash
	whole.Provenance.Runs = []Run{{Arguments: []string{"a", "", "b c"}, ExitStatus: 3, Counted: 5}, {ExitStatus: -1, Signal: 15, Counted: 1}}
	return template, counts, &whole
}

func TestSelfWrittenRoundTrip(t *testing.T) {
	for seed := range int64(60) {
		opt := []pathprof.Options{{}, {Threads: true}, {Limits: pathprof.Limits{Array: 16}}, {Limits: pathprof.Limits{Array: 4, Node: 64}}}[seed%4]
		template, counts, want := selfWritten(t, seed, opt)
		again, _, _ := selfWritten(t, seed, opt)
		if !bytes.Equal(template, again) || len(template)%8 != 0 {
			t.Fatalf("seed %d: %d bytes, or others the second time", seed, len(template))
		}
		got, err := Read(append(bytes.Clone(template), counts...))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, f := range got.Program.Funcs { // which knows its functions by name after a query
			if !reflect.DeepEqual(f.Blocks, want.Program.Funcs[i].Blocks) {
				t.Fatalf("seed %d: function %d differs", seed, i)
			}
		}
		got.Program = want.Program
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: read %+v, want %+v", seed, got, want)
		}
		var ordinary bytes.Buffer
		if err := got.Write(&ordinary); err != nil {
			t.Fatal(err)
		}
		if b, err := Read(ordinary.Bytes()); err != nil || !reflect.DeepEqual(b.Funcs, want.Funcs) {
			t.Fatalf("seed %d: as an ordinary bundle: %v", seed, err)
		}
	}
}

func TestDamagedSelfWritten(t *testing.T) {
	template, counts, _ := selfWritten(t, 3, pathprof.Options{})
	whole := append(bytes.Clone(template), counts...)
	fails := func(what string, data []byte, says string) {
		t.Helper()
		b, err := Read(data)
		if err == nil || b != nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", what, err, says)
		}
	}
	for n := 8; n < len(whole); n += 1 + n/50 {
		fails("cut off", whole[:n], "truncated")
	}
	r := rand.New(rand.NewSource(1))
	for i := 8; i < len(whole); i += 1 + r.Intn(7) {
		bad := bytes.Clone(whole)
		bad[i] ^= byte(1 + r.Intn(255))
		if _, err := Read(bad); err == nil {
			t.Errorf("a change of byte %d of %d goes unnoticed", i, len(whole))
		}
	}
	fails("bytes behind the end", append(bytes.Clone(whole), 0, 0, 0, 0, 0, 0, 0, 0), "behind its end")
	_, foreign, _ := selfWritten(t, 4, pathprof.Options{})
	fails("counts of another program", append(bytes.Clone(template), foreign...), "of another module")
	fails("a template alone", template, "truncated")
	fails("two templates", append(bytes.Clone(template), template...), "not a raw")
	m := templateMessage(t, template)
	m.Layout[0]++
	fails("another numbering", append(sealed(t, m), counts...), "another version of pathspan")
	m = templateMessage(t, template)
	m.Bundle.Format = templateFormat + 1
	fails("another schema", append(sealed(t, m), counts...), fmt.Sprintf("format %d", templateFormat+1))
	m = templateMessage(t, template)
	m.SiteNths = nil
	fails("lists of call sites", append(sealed(t, m), counts...), "contradicts itself")
}

// templateMessage is the message in a template.
func templateMessage(t testing.TB, template []byte) *bundlepb.Template {
	t.Helper()
	body, _, err := splitTemplate(template)
	if err != nil {
		t.Fatal(err)
	}
	text, err := unpack(body)
	if err != nil {
		t.Fatal(err)
	}
	m := new(bundlepb.Template)
	if err := proto.Unmarshal(text, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// sealed packs any message as a template.
func sealed(t testing.TB, m *bundlepb.Template) []byte {
	t.Helper()
	text, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	z.Write(text)
	z.Close()
	out := append([]byte(templateMagic), make([]byte, 24)...)
	out = binary.LittleEndian.AppendUint64(out, uint64(body.Len()))
	out = fill(append(out, body.Bytes()...))
	binary.LittleEndian.PutUint64(out[8:], uint64(len(out)+8))
	seal := sha256.Sum256(out)
	return append(out, seal[:8]...)
}

// FuzzReadSelfWritten changes what lies behind the seal and the checksums: the template's
// message and the counts.
func FuzzReadSelfWritten(f *testing.F) {
	for seed := range int64(4) {
		template, counts, _ := selfWritten(f, seed, pathprof.Options{Limits: pathprof.Limits{Array: 64}})
		text, err := proto.Marshal(templateMessage(f, template))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, counts)
		f.Add(text[:len(text)/2], counts)
		f.Add(text, counts[:len(counts)/16*8])
	}
	f.Fuzz(func(t *testing.T, text, counts []byte) {
		m := new(bundlepb.Template)
		if proto.Unmarshal(text, m) != nil {
			return
		}
		if m.Bundle != nil && m.Bundle.Program != nil {
			if p, err := programFromProto(m.Bundle.Program); err == nil && checkGraphs(p) == nil { // a layout that agrees
				in := pathprof.Instrument(p, [32]byte{}, pathprof.Options{Limits: pathprof.Limits{Array: m.ArrayLimit, Node: m.NodeLimit}, Threads: m.Threads})
				layout := in.Layout()
				m.Layout = layout[:]
			}
		}
		if n := len(counts) / 8 * 8; n >= 24 { // a checksum that agrees
			counts = bytes.Clone(counts[:n])
			var sum uint64
			for i := 8; i < n-8; i += 8 {
				sum = mixRaw(sum, binary.LittleEndian.Uint64(counts[i:]))
			}
			binary.LittleEndian.PutUint64(counts[n-8:], sum)
		}
		b, err := Read(append(sealed(t, m), counts...))
		if err != nil && (b != nil || strings.Contains(err.Error(), "\n")) {
			t.Errorf("bundle %v with error %q", b, err)
		}
		if err == nil {
			if again, err := Read(encoded(t, b)); err != nil || !bytes.Equal(encoded(t, again), encoded(t, b)) {
				t.Errorf("as an ordinary bundle it is another: %v", err)
			}
		}
	})
}
