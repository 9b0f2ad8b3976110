package depend

// This file holds verdicts on loops, and races, to a second account: loops of random accesses
// whose iterations are executed in other orders, by threads with memory of their own.

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/profile"
)

const (
	iterations = 6
	objects    = 3 // globals of so many bytes
	bytesOf    = 4
)

// line is a line of the source: what it does to some bytes of an object in iterations of a loop,
// or, where it is before the loop, once.
type line struct {
	before     bool
	what       string // load, store, or the operation that it combines the bytes with something by
	object, at int
	wide, step int // bytes; how much further it is in the next iteration
	in         [iterations]bool
	atomic     bool
	held       [iterations]bool // under the lock
}

func (l *line) bytes(iteration int) []int {
	var out []int
	for k := range l.wide {
		out = append(out, l.object*bytesOf+(l.at+max(iteration, 0)*l.step+k)%bytesOf)
	}
	return out
}

// randomLoop has narrow lines access one byte each, the same in each iteration.
func randomLoop(r *rand.Rand, narrow bool) []line {
	var out []line
	for range 1 + r.IntN(2) {
		out = append(out, line{before: true, what: "store", object: r.IntN(objects), wide: bytesOf})
	}
	for range 1 + r.IntN(6) {
		l := line{what: []string{"load", "load", "store", "store", "add", "add", "xor"}[r.IntN(7)], object: r.IntN(objects), at: r.IntN(bytesOf), wide: 1}
		if !narrow {
			l.wide, l.step = 1+r.IntN(2), r.IntN(2)
		}
		for i := range l.in {
			l.in[i] = r.IntN(4) > 0
		}
		out = append(out, l)
	}
	return out
}

// program is the loop as a module.
func program(lines []line) string {
	var body, before, meta strings.Builder
	for i, l := range lines {
		to, dbg := &body, fmt.Sprintf(", !dbg !%d", 100+i)
		if l.before {
			to = &before
		}
		fmt.Fprintf(&meta, "!%d = !DILocation(line: %d, scope: !4)\n", 100+i, 10+i)
		atomic, order := "", ""
		if l.atomic {
			atomic, order = "atomic ", " seq_cst, align 1"
		}
		p := fmt.Sprintf("ptr @o%d", l.object)
		if l.what != "store" {
			fmt.Fprintf(to, "  %%v%d = load %si8, %s%s%s\n", i, atomic, p, order, dbg)
		}
		value := "7"
		if l.what != "store" && l.what != "load" {
			fmt.Fprintf(to, "  %%w%d = %s i8 %%v%d, 3%s\n", i, l.what, i, dbg)
			value = fmt.Sprintf("%%w%d", i)
		}
		if l.what != "load" {
			fmt.Fprintf(to, "  store %si8 %s, %s%s%s\n", atomic, value, p, order, dbg)
		}
	}
	var globals strings.Builder
	for o := range objects {
		fmt.Fprintf(&globals, "@o%d = global i8 0\n", o)
	}
	return globals.String() + "define void @main(i64 %n) !dbg !4 {\nentry:\n" + before.String() + "  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n" +
		body.String() + "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, %n\n  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}\n" +
		"!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)\n!1 = !DIFile(filename: \"a.c\", directory: \"/\")\n" +
		"!2 = !DISubroutineType(types: !5)\n!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n!4 = distinct !DISubprogram(name: \"main\", file: !1, line: 1, type: !2, unit: !0)\n!5 = !{null}\n" + meta.String()
}

// recorded is what a run tells of the loop; as a worksharing loop where it is shared.
func recorded(t *testing.T, lines []line, shared bool) *Depend {
	t.Helper()
	text := []byte(program(lines))
	m, err := asm.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Build(m)
	if err != nil {
		t.Fatal(err)
	}
	at := func(in *ir.Instr) *line { return &lines[in.Loc.Line-10] }
	data, _ := memory.Of(p, flow.Graphs(p), func(fn, block, index int) (bool, bool) {
		in := &p.Funcs[fn].Blocks[block].Instrs[index]
		is := in.Op == "load" || in.Op == "store"
		return is, is && at(in).atomic
	})
	if len(data.Loops) != 1 || len(data.Places) != len(lines) {
		t.Fatalf("%d loops, %d places of %d lines", len(data.Loops), len(data.Places), len(lines))
	}
	data.Objects = []memory.Object{{Func: -1, Place: -1}}
	for o := range objects {
		data.Objects = append(data.Objects, memory.Object{Kind: memory.Global, Name: fmt.Sprint("o", o), Func: -1, Place: -1, Size: bytesOf})
	}
	lane := 0
	if shared {
		lane = len(data.Lanes)
		data.Lanes = append(data.Lanes, memory.Lane{Kind: memory.InLoop, Section: -1})
		p.Regions = []ir.Region{{Constructs: []ir.Construct{{Sections: []ir.Section{{Name: "the loop"}}}}}}
		data.Loops[0].Lane = lane
	}
	data.Guards = append(data.Guards, memory.Guard{Lock: 0})
	tell(data, lines, lane)
	d, err := Of(&profile.Bundle{Program: p, Module: text, Funcs: make([]*profile.FuncProfile, len(p.Funcs)), Memory: data})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// tell records the run, byte by byte.
func tell(data *memory.Data, lines []line, lane int) {
	type did struct {
		who       memory.Who
		iteration int
	}
	type key struct {
		kind, object int
		from, to     memory.Who
	}
	flows, writes, carried := map[key]uint64{}, map[key]uint64{}, map[key]uint64{}
	writers, readers := map[int]did{}, map[int][]did{}
	access := func(l *line, b int, now did, write bool) {
		w, written := writers[b]
		if !written {
			w.who, w.iteration = memory.Nobody, -1
		}
		kind := memory.FlowDependence
		if write {
			kind = memory.OutputDependence
		}
		if w.iteration >= 0 && w.iteration < now.iteration {
			carried[key{int(kind), l.object + 1, w.who, now.who}]++
		}
		if !write {
			flows[key{0, l.object + 1, w.who, now.who}]++
			readers[b] = append(readers[b], now)
			return
		}
		if slices.ContainsFunc(readers[b], func(r did) bool { return r.iteration >= 0 && r.iteration < now.iteration }) {
			for _, r := range readers[b] {
				carried[key{int(memory.AntiDependence), l.object + 1, r.who, now.who}]++
			}
		}
		writes[key{0, l.object + 1, now.who, now.who}]++
		writers[b], readers[b] = now, nil
	}
	for i := -1; i < iterations; i++ {
		for n := range lines {
			l := &lines[n]
			if l.before != (i < 0) || i >= 0 && !l.in[i] {
				continue
			}
			who := memory.Who{Place: slices.IndexFunc(data.Places, func(p memory.Place) bool { return p.Loc.Line == 10+n })}
			if i >= 0 {
				who.Lane = lane
				if l.held[i] {
					who.Guard = 1
				}
			}
			for _, write := range []bool{false, true} {
				for _, b := range l.bytes(i) {
					if write && l.what != "load" || !write && l.what != "store" {
						access(l, b, did{who, i}, write)
					}
				}
			}
		}
	}
	ordered := func(m map[key]uint64) []key {
		return slices.SortedFunc(maps.Keys(m), func(a, b key) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	for _, k := range ordered(flows) {
		data.Flows = append(data.Flows, memory.Flow{Object: k.object, From: k.from, To: k.to, Bytes: flows[k], Distinct: flows[k]})
	}
	for _, k := range ordered(writes) {
		data.Writes = append(data.Writes, memory.Write{Object: k.object, By: k.to, Bytes: writes[k]})
	}
	for _, k := range ordered(carried) {
		data.Carried = append(data.Carried, memory.Carried{Loop: 0, Lane: -1, Kind: memory.Kind(k.kind), From: k.from, To: k.to, Object: k.object, Among: 1, Times: carried[k], Bytes: carried[k]})
	}
}

// machine executes iterations: what they see, and what is left in memory.
type machine struct {
	lines  []line
	sees   map[[3]int]uint64 // by line, iteration and byte
	values [objects * bytesOf]uint64
	op     string // that reduces; else what is combined matters, and its order
}

func mixed(a, b uint64) uint64 {
	a = (a ^ b*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	return a ^ a>>29
}

func (m *machine) run(i, object int, values *[objects * bytesOf]uint64) {
	for n := range m.lines {
		l := &m.lines[n]
		if l.object != object || l.before != (i < 0) || i >= 0 && !l.in[i] {
			continue
		}
		given := mixed(uint64(n+1), uint64(i+2))
		for _, b := range l.bytes(i) {
			if l.what == "load" || l.what != "store" && m.op == "" {
				m.sees[[3]int{n, i, b}] = values[b]
			}
			switch {
			case l.what == "store":
				values[b] = given
			case l.what != "load" && m.op == "":
				values[b] = mixed(values[b], given)
			case l.what == "add":
				values[b] += given
			case l.what == "xor":
				values[b] ^= given
			}
		}
	}
}

// judge says what it takes for an object: the easiest of what works in all orders that are tried.
func judge(r *rand.Rand, lines []line, object int) Verdict {
	written, reduced := map[int]bool{}, map[int]bool{}
	for n := range lines {
		l := &lines[n]
		for i := range iterations {
			if l.object != object || l.before || !l.in[i] || l.what == "load" {
				continue
			}
			for _, b := range l.bytes(i) {
				written[b], reduced[b] = true, reduced[b] || l.what != "store"
			}
		}
	}
	// works executes the loop in its order, and in others, where iterations have memory of their own.
	works := func(how Verdict, op string) bool {
		a := &machine{lines: lines, sees: map[[3]int]uint64{}, op: op}
		for i := -1; i < iterations; i++ {
			a.run(i, object, &a.values)
		}
		for try := range 12 {
			b := &machine{lines: lines, sees: map[[3]int]uint64{}, op: op}
			b.run(-1, object, &b.values)
			order := r.Perm(iterations)
			if try == 0 {
				slices.Sort(order)
				slices.Reverse(order)
			}
			for _, i := range order {
				if how == Independent {
					b.run(i, object, &b.values)
					continue
				}
				own := b.values
				for at := range own {
					switch {
					case how == Private && written[at]:
						own[at] = mixed(uint64(at), uint64(100+i)) // what happens to be there
					case reduced[at]:
						own[at] = 0
					}
				}
				b.run(i, object, &own)
				for at := range own {
					switch {
					case how == Private:
					case reduced[at] && op == "+":
						b.values[at] += own[at]
					case reduced[at]:
						b.values[at] ^= own[at]
					default:
						b.values[at] = own[at]
					}
				}
			}
			if !maps.Equal(a.sees, b.sees) || how != Private && a.values != b.values {
				return false
			}
		}
		return true
	}
	switch {
	case works(Independent, ""):
		return Independent
	case works(Private, ""):
		return Private
	case works(Reduction, "+") || works(Reduction, "^"):
		return Reduction
	}
	return Dependent
}

// unseen reports whether a line reads what was there before the loop of a byte that the same
// iteration is the first to write: no record keeps that, as nothing is carried.
func unseen(lines []line) bool {
	written := map[int]bool{}
	for i := range iterations {
		for n, l := range lines {
			if l.before || !l.in[i] {
				continue
			}
			for _, b := range l.bytes(i) {
				if l.what == "load" && !written[b] && slices.ContainsFunc(lines[n+1:], func(m line) bool { return m.in[i] && m.what != "load" && slices.Contains(m.bytes(i), b) }) {
					return true
				}
			}
			if l.what != "load" {
				for _, b := range l.bytes(i) {
					written[b] = true
				}
			}
		}
	}
	return false
}

// TestVerdicts compares what is said of a loop with what works. Where a line accesses several
// bytes, what it does to one may be held against it for another: then more may be asked for than
// it takes, and never less.
func TestVerdicts(t *testing.T) {
	said, missed := map[Verdict]int{}, 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 3))
		narrow := seed%2 == 0
		lines := randomLoop(r, narrow)
		want := Independent
		for o := range objects {
			if v := judge(r, lines, o); slices.Index(verdicts, v) > slices.Index(verdicts, want) {
				want = v
			}
		}
		d := recorded(t, lines, false)
		got := d.Loop(0, d.data.Loops[0].Header, Lines{}).Verdict
		said[got]++
		if want == Dependent && got != want && unseen(lines) {
			missed++
			continue
		}
		if less := slices.Index(verdicts, got) < slices.Index(verdicts, want); less || narrow && got != want {
			t.Fatalf("seed %d: %s, but it is %s:\n%s%+v", seed, got, want, program(lines), lines)
		}
	}
	if missed > 40 {
		t.Errorf("%d loops need what no record keeps", missed)
	}
	for _, v := range verdicts {
		if said[v] < 50 {
			t.Errorf("%d loops are %s: the test says little of that", said[v], v)
		}
	}
}

// TestRacesOfPairs compares races of a worksharing loop with all pairs of accesses of different
// iterations, one of them writing, that are not atomic both and hold no lock together. An iteration
// does one or the other to an object, as a record knows who accessed a byte last, and no others.
func TestRacesOfPairs(t *testing.T) {
	races := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 4))
		lines := randomLoop(r, false)
		for o := range objects {
			atomic := r.IntN(3) == 0
			var held [iterations]bool
			for i := range held {
				held[i] = r.IntN(4) > 0
			}
			for n := range lines {
				if lines[n].object == o && !lines[n].before {
					lines[n].atomic = atomic
					if !atomic {
						lines[n].held = held
					}
				}
			}
		}
		want := map[string]bool{}
		for n, l := range lines {
			for k, m := range lines {
				for i := range iterations {
					for j := range iterations {
						if i == j || l.before || m.before || !l.in[i] || !m.in[j] || l.atomic && m.atomic || l.held[i] && m.held[j] || l.what == "load" && m.what == "load" {
							continue
						}
						if slices.ContainsFunc(lines[n].bytes(i), func(b int) bool { return slices.Contains(lines[k].bytes(j), b) }) {
							want[fmt.Sprint("o", l.object)] = true
						}
					}
				}
			}
		}
		got := map[string]bool{}
		for _, x := range recorded(t, lines, true).Races() {
			if x.Kind != "iterations" {
				t.Fatalf("seed %d: %+v", seed, x)
			}
			got[x.Object] = true
		}
		races += len(want)
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: races in %v, want %v:\n%+v", seed, got, want, lines)
		}
	}
	if races < 500 {
		t.Errorf("%d races: the test says little", races)
	}
}
