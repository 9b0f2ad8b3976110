package profile

// This file tests that bundles survive writing and reading, and that damaged ones
// are errors.

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/profile/bundlepb"
	"pathspan/testdata/forge"
	"pathspan/testdata/walks"
	"pathspan/visible"
)

// randomBundle makes up a program of random graphs and runs random walks on it. The
// program depends on seed alone, the walks on run as well.
func randomBundle(seed, run int64) *Bundle {
	r := rand.New(rand.NewSource(seed))
	p := &ir.Program{Triple: "x86_64-pc-linux-gnu", DataLayout: "e", Files: []string{"a.c", "b.c"},
		Regions: []ir.Region{{Name: "a.c:main#1", File: "a.c", Function: "main", Line: 3, Col: 1,
			Constructs: []ir.Construct{{Line: 4, Sections: []ir.Section{{Name: "a.c:main#1/1", Line: 5}, {Name: "a.c:main#1/2", Line: 7}}}}}}}
	for i := range 3 {
		g := walks.Graph(r, 4+r.Intn(20))
		f := &ir.Func{Index: i, Name: fmt.Sprintf("f%d", i), Source: fmt.Sprintf("f%d", i), Loc: ir.Loc{File: i % 2, Line: 10 * i}, NoUnwind: i == 1}
		for b := range g {
			block := &ir.Block{Index: b, Name: fmt.Sprintf("bb%d", b), Succs: g[b]}
			block.Instrs = append(block.Instrs, ir.Instr{Op: "call", Type: "i32", Loc: ir.Loc{File: -1},
				Call: &ir.Call{Callee: -1, Indirect: true, ConstArgs: randomConstants(r)}}, ir.Instr{Op: "br", Loc: ir.Loc{File: 0, Line: b, Col: 2}})
			if i == 1 && b%3 == 1 { // code of another file, inlined here
				block.Instrs[0].Loc, block.Instrs[0].Into = ir.Loc{File: 0, Line: 3}, 10+b
			}
			f.Blocks = append(f.Blocks, block)
		}
		p.Funcs = append(p.Funcs, f)
	}
	b := &Bundle{Program: p, Funcs: make([]*FuncProfile, len(p.Funcs)), Module: []byte("; a module\n"), Notes: []string{"a note"},
		Targets: []CallTarget{{Func: 0, Block: 1, Instr: 0, Target: -1, Count: 3}, {Func: 0, Block: 1, Instr: 0, Target: 2, Count: 4}},
		Provenance: Provenance{Tool: "pathspan test", Clang: "clang 14", OptLevel: "-O2", Flags: []string{"-DX=1"},
			Sources: []Source{{Name: "a.c", SHA256: [32]byte{1, 2}}}, ModuleHash: [32]byte{9},
			Runs: []Run{{Arguments: []string{"x", ""}, ExitStatus: -1, Signal: 11, Counted: 7}}}}
	walks := rand.New(rand.NewSource(run))
	for i, f := range p.Funcs[:2] { // the third never runs
		b.Funcs[i] = walkProfile(walks, i, pathprof.Number(pathprof.Request{CFG: flow.Analyze(f)}), nil)
	}
	return b
}

// randomConstants makes up the constants that a call passes, extremes among them.
func randomConstants(r *rand.Rand) []ir.ConstArg {
	var args []ir.ConstArg
	for i := range r.Intn(5) {
		if r.Intn(2) == 0 {
			v := []int64{0, 64, -1, math.MaxInt64, math.MinInt64, r.Int63()}[r.Intn(6)]
			args = append(args, ir.ConstArg{Index: i, Value: v})
		}
	}
	return args
}

// walkProfile runs random walks through a function and tells the paths that they took by
// definition. It calls visit, when given, for every edge taken.
func walkProfile(r *rand.Rand, fn int, n *pathprof.Numbering, visit func(flow.Edge)) *FuncProfile {
	c := n.CFG
	f := &FuncProfile{Func: fn, Levels: make([]LevelProfile, len(n.Levels))}
	for i := range n.Levels {
		f.Levels[i] = LevelProfile{Loop: i - 1, StaticPaths: n.Levels[i].Paths, Collapsed: n.Levels[i].Collapsed, Cuts: n.Levels[i].Cuts}
	}
	rec := walks.NewRecorder(c)
	rec.Collapsed = func(loop int) bool { return n.Levels[loop+1].Collapsed }
	cut := make(map[int]bool) // blocks, and as -1 less their number loops
	for l := range n.Levels {
		for _, s := range n.Levels[l].Sinks {
			if s.Kind != pathprof.EndCut {
				continue
			}
			to := c.Target(s.Edge)
			step := to
			for m := c.LoopOf[to]; m != l-1; m = c.Loops[m].Parent {
				step = -1 - m
			}
			cut[step] = true
		}
	}
	rec.Cut = func(step int) bool { return cut[step] }
	for range 20 {
		b, steps := 0, 0
		rec.Start()
		// A walk that does not end leaves its levels' paths uncounted, so it starts
		// over with what leads out.
		hits := maps.Clone(rec.Hits)
		var edges []flow.Edge
		for len(c.Succs[b]) > 0 && steps < 300 {
			e := flow.Edge{From: b, Index: r.Intn(len(c.Succs[b]))}
			rec.Take(e)
			edges = append(edges, e)
			b = c.Target(e)
			steps++
		}
		if len(c.Succs[b]) > 0 {
			rec.Hits = hits
			continue
		}
		rec.End(0, walks.Function)
		if visit != nil {
			visit(flow.Edge{From: -1})
			for _, e := range edges {
				visit(e)
			}
		}
	}
	for level := range n.Levels {
		for id := range n.Levels[level].Paths {
			steps, sink, err := n.Decode(level, id)
			if err != nil {
				panic(err)
			}
			plain := make([]int, len(steps))
			for i, s := range steps {
				plain[i] = int(s)
			}
			key := walks.Key(level, int(sink.Kind), plain)
			count := rec.Hits[key]
			if count == 0 {
				continue
			}
			delete(rec.Hits, key) // of paths that differ by equal edges alone the first has all
			p := Path{End: sink.Kind, ID: id, Count: count, Steps: steps, Edge: sink.Edge.Index}
			if sink.Kind == pathprof.EndFunction {
				p.Edge = -1
			}
			f.Levels[level].Paths = append(f.Levels[level].Paths, p)
		}
	}
	return f
}

// TestProfileQueries holds what a profile says of blocks, entries and iterations
// against the walk itself.
func TestProfileQueries(t *testing.T) {
	for seed := range 400 {
		r := rand.New(rand.NewSource(int64(seed)))
		c := flow.AnalyzeGraph(walks.Graph(r, 4+r.Intn(16)))
		n := pathprof.Number(pathprof.Request{CFG: c, Limits: []pathprof.Limits{{}, {Array: 8}, {Array: 4, Node: 16}}[seed%3]})
		enumerable := true
		for i := range n.Levels {
			enumerable = enumerable && n.Levels[i].Paths < 1<<20
		}
		if !enumerable {
			continue
		}
		blocks := make([]uint64, len(c.Succs))
		entries, iterations := make([]uint64, len(c.Loops)), make([]uint64, len(c.Loops))
		calls := uint64(0)
		f := walkProfile(r, 0, n, func(e flow.Edge) {
			if e.From < 0 {
				calls++
				blocks[0]++
				return
			}
			to := c.Target(e)
			blocks[to]++
			if c.IsBack(e) {
				iterations[c.LoopOf[to]]++
			}
			for l := range c.Loops {
				if c.InLoop(l, to) && !c.InLoop(l, e.From) {
					entries[l]++
				}
			}
		})
		if got := f.BlockCounts(len(blocks)); !reflect.DeepEqual(got, blocks) {
			t.Fatalf("seed %d: %v: blocks %v, want %v", seed, c.Succs, got, blocks)
		}
		if got := f.EntriesOf(); !reflect.DeepEqual(got, entries) {
			t.Fatalf("seed %d: %v: entries %v, want %v", seed, c.Succs, got, entries)
		}
		if f.Invocations() != calls {
			t.Fatalf("seed %d: %d invocations, want %d", seed, f.Invocations(), calls)
		}
		for l := range c.Loops {
			if got := f.Levels[l+1].Iterations(); got != iterations[l] {
				t.Fatalf("seed %d: loop %d: %d iterations, want %d", seed, l, got, iterations[l])
			}
		}
	}
}

func encoded(t testing.TB, b *Bundle) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := b.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestBundleRoundTrip(t *testing.T) {
	for seed := range 30 {
		b := randomBundle(int64(seed), 1)
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		data := encoded(t, b)
		if again := encoded(t, randomBundle(int64(seed), 1)); !bytes.Equal(data, again) {
			t.Fatalf("seed %d: equal bundles give different bytes", seed)
		}
		got, err := Read(data)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !reflect.DeepEqual(got, b) {
			t.Fatalf("seed %d: read\n%+v\nwant\n%+v", seed, got, b)
		}
		if !bytes.Equal(encoded(t, got), data) {
			t.Fatalf("seed %d: the bundle changes when it is written again", seed)
		}
	}
}

// Text need not be UTF-8. Arguments and the paths of sources come back byte by byte, names
// in a form that can be shown; bundles whose text is UTF-8 are the bytes that they were
// when text was a string.
func TestTextOfBundles(t *testing.T) {
	const bad = "caf\xe9\x1b[0m\n"
	b := randomBundle(3, 1)
	b.Provenance.Runs[0].Arguments = []string{bad, "", "größe"}
	b.Provenance.Sources = []Source{{Name: bad}, {Name: "größe.c"}}
	b.Provenance.Flags = []string{"-D" + bad}
	b.Provenance.Foreign = []Foreign{{Name: bad, Why: bad, Functions: []string{bad}}}
	b.Notes = []string{bad}
	b.Program.Files[0], b.Program.Regions[0].Name = bad, bad
	b.Program.Funcs[0].Name, b.Program.Funcs[0].Blocks[0].Name = bad, bad
	b.Program.Funcs[0].Blocks[0].Instrs[0].Call.Name = bad
	got, err := Read(encoded(t, b))
	if err != nil {
		t.Fatal(err)
	}
	const shown = `caf\xe9\x1b[0m\n`
	p, pr := got.Program, &got.Provenance
	if !slices.Equal(pr.Runs[0].Arguments, b.Provenance.Runs[0].Arguments) || pr.Sources[0].Path() != bad || pr.Sources[1] != (Source{Name: "größe.c"}) {
		t.Errorf("arguments %q, sources %+v", pr.Runs[0].Arguments, pr.Sources)
	}
	for _, s := range []string{pr.Sources[0].Name, strings.TrimPrefix(pr.Flags[0], "-D"), pr.Foreign[0].Name, pr.Foreign[0].Why, pr.Foreign[0].Functions[0], got.Notes[0],
		p.Files[0], p.Regions[0].Name, p.Funcs[0].Name, p.Funcs[0].Blocks[0].Name, p.Funcs[0].Blocks[0].Instrs[0].Call.Name} {
		if s != shown {
			t.Errorf("a text is read as %q, want %q", s, shown)
		}
	}
	again, err := Read(encoded(t, got))
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("written and read again it is another: %v", err)
	}
	if _, err := Merge(got, got); err != nil {
		t.Error(err)
	}
}

func TestDamagedBundles(t *testing.T) {
	data := encoded(t, randomBundle(7, 1))
	want, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data); n += 100 {
		if _, err := Read(data[:n]); err == nil {
			t.Errorf("%d of %d bytes are no error", n, len(data))
		}
	}
	if _, err := Read(data[:len(data)-1]); err == nil || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("a bundle without its last byte gives %v", err)
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0x55
		// gzip does not check the time and the system in its header.
		if got, err := Read(bad); err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("a change of byte %d of %d goes unnoticed", i, len(data))
		}
	}
	var foreign bytes.Buffer
	foreign.WriteString(bundleMagic)
	z := gzip.NewWriter(&foreign)
	z.Write([]byte("something else altogether"))
	z.Close()
	newer := bytes.Clone(data)
	newer[7] = 3
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"empty":           {nil, "not a pathspan bundle"},
		"text":            {[]byte("#include <stdio.h>\n"), "not a pathspan bundle"},
		"a plain gzip":    {foreign.Bytes()[len(bundleMagic):], "not a pathspan bundle"},
		"foreign content": {foreign.Bytes(), "bundle"},
		"newer":           {newer, "container version 3"},
		"moved as text":   {bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), "binary mode"},
	} {
		if _, err := Read(c.data); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func TestBundleFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.pspan")
	b := randomBundle(3, 1)
	if err := b.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(path)
	if err != nil || !reflect.DeepEqual(got, b) {
		t.Fatalf("read back %v", err)
	}
	if err := b.WriteFile(filepath.Join(dir, "none", "a.pspan")); err == nil {
		t.Error("writing to a missing folder is no error")
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Errorf("%d files are left, want the bundle alone (%v)", len(files), err)
	}
	missing := filepath.Join(dir, "missing.pspan")
	if _, err := ReadFile(missing); err == nil || !strings.Contains(err.Error(), missing) || strings.Contains(err.Error(), "\n") {
		t.Errorf("a missing file gives %v", err)
	}
}

// FuzzReadBundle changes the message in a bundle, behind gzip's checksum. What is read
// keeps what Check promises: it is written and read again the same, steps follow edges,
// and twice it counts twice.
func FuzzReadBundle(f *testing.F) {
	var messages []*bundlepb.Bundle
	for _, b := range []*Bundle{nested(f), randomBundle(7, 1), randomBundle(9, 3)} {
		messages = append(messages, toProto(b))
	}
	r := rand.New(rand.NewSource(1))
	for i := range messages {
		f.Add(byte(i), []byte(nil))
		for range 20 {
			data := make([]byte, 5*(1+r.Intn(3)))
			r.Read(data)
			f.Add(byte(i), data)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		m := proto.Clone(messages[int(which)%len(messages)]).(*bundlepb.Bundle)
		forge.Message(m, data)
		b, err := fromProto(m)
		if err == nil {
			err = b.Check()
		}
		if err != nil {
			if !visible.IsLine(err.Error()) {
				t.Errorf("error %q", err)
			}
			if len(data) == 0 {
				t.Errorf("a bundle that is sound: %v", err)
			}
			return
		}
		again, err := Read(encoded(t, b))
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		if !bytes.Equal(encoded(t, again), encoded(t, b)) {
			t.Error("read again it is another")
		}
		for i, p := range b.Funcs {
			if p != nil {
				checkEdges(t, b.Program.Funcs[i], p)
			}
		}
		twice, err := Merge(b, b)
		if errors.Is(err, ErrTooMany) {
			return
		}
		if err != nil {
			t.Fatalf("merged with itself: %v", err)
		}
		for i, p := range b.Funcs {
			if p == nil {
				continue
			}
			n := len(b.Program.Funcs[i].Blocks)
			once, both := append(p.BlockCounts(n), p.EntriesOf()...), append(twice.Funcs[i].BlockCounts(n), twice.Funcs[i].EntriesOf()...)
			for k := range once {
				if both[k] != 2*once[k] {
					t.Errorf("function %d: %d, twice %d", i, once[k], both[k])
				}
			}
		}
	})
}

// checkEdges holds steps that are blocks against the edges between them.
func checkEdges(t *testing.T, fn *ir.Func, p *FuncProfile) {
	for i := range p.Levels {
		for _, path := range p.Levels[i].Paths {
			for k := 1; k < len(path.Steps); k++ {
				a, b := path.Steps[k-1], path.Steps[k]
				if a >= 0 && b >= 0 && !slices.Contains(fn.Blocks[a].Succs, int(b)) {
					t.Errorf("path %d of level %d goes from block %d to block %d", path.ID, i, a, b)
				}
			}
		}
	}
}

// FuzzReadAnything feeds what need not be a bundle at all.
func FuzzReadAnything(f *testing.F) {
	data := encoded(f, randomBundle(7, 1))
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(bundleMagic))
	f.Add([]byte("PSPAN\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if b, err := Read(data); err == nil && b.Check() != nil || err != nil && (b != nil || !visible.IsLine(err.Error())) {
			t.Errorf("bundle %v, error %q", b, err)
		}
	})
}

// TestForgedContent changes the content itself, behind the checksum: what is still
// read must be safe to use.
func TestForgedContent(t *testing.T) {
	z, err := gzip.NewReader(bytes.NewReader(encoded(t, randomBundle(7, 1))[len(bundleMagic):]))
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if _, err := content.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	read := 0
	for range 3000 {
		forged := bytes.Clone(content.Bytes())
		for range 1 + r.Intn(3) {
			forged[r.Intn(len(forged))] = byte(r.Intn(256))
		}
		var buf bytes.Buffer
		buf.WriteString(bundleMagic)
		z, err := gzip.NewWriterLevel(&buf, gzip.NoCompression)
		if err != nil {
			t.Fatal(err)
		}
		z.Write(forged)
		z.Close()
		b, err := Read(buf.Bytes())
		if err != nil {
			continue
		}
		read++
		for i, p := range b.Funcs {
			if p != nil {
				p.BlockCounts(len(b.Program.Funcs[i].Blocks))
				p.EntriesOf()
			}
		}
	}
	if read == 0 || read == 3000 {
		t.Errorf("%d of 3000 forged bundles were read: some should be", read)
	}
}

// A bundle that was written before calls kept their constants is read without any;
// lists that do not fit each other are errors.
func TestConstants(t *testing.T) {
	m := toProto(randomBundle(7, 1))
	var calls []*bundlepb.Call
	for _, f := range m.Program.Funcs {
		for _, b := range f.Blocks {
			calls = append(calls, b.Calls...)
		}
	}
	for _, c := range calls {
		c.ConstArgs, c.ConstValues = nil, nil
	}
	b, err := fromProto(m)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Program.Funcs[0].Blocks[0].Instrs[0].Call.ConstArgs; got != nil {
		t.Errorf("constants %v", got)
	}
	for _, c := range []struct {
		index  []uint32
		values []int64
		want   string
	}{
		{[]uint32{0, 2}, []int64{1, -1}, ""},
		{[]uint32{0}, nil, "lists of different lengths"},
		{nil, []int64{1}, "lists of different lengths"},
		{[]uint32{1, 1}, []int64{1, 2}, "out of order"},
		{[]uint32{1, 0}, []int64{1, 2}, "out of order"},
		{[]uint32{math.MaxUint32}, []int64{1}, "out of order"},
	} {
		calls[0].ConstArgs, calls[0].ConstValues = c.index, c.values
		_, err := fromProto(m)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v %v: error %v, want %q", c.index, c.values, err, c.want)
		}
	}
}
