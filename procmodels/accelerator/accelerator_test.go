package accelerator

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/conform"
)

// small has one adder of 4 cycles that takes another every 2, as many multipliers as are needed
// and two ports to each array.
const small = `schema: pathspan.accelerator/1
name: small
source: invented
clock_mhz: 100
units: {adder: 1}
ports: 2
classes:
  chained: {latency: 0}
  load: {latency: 2}
  add: {unit: adder, latency: 4, every: 2}
  mul: {latency: 3}
opcodes:
  default: chained
  load: load
  fadd: add
  fmul: {default: mul, double: add}
calls: {sqrtf: mul}
library: generic
`

func fromText(t testing.TB, text string) (*Model, error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "small.yaml")
	for name, text := range map[string]string{file: text, filepath.Join(dir, "small.xml"): oldReport} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := procmodels.Open(file, "")
	if err != nil {
		return nil, err
	}
	return m.(*Model), nil
}

func costsOf(m *Model, module string) ([]procmodels.BlockCost, error) {
	p, err := ir.Read([]byte(module))
	if err != nil {
		return nil, err
	}
	c, err := m.Costs(context.Background(), &procmodels.Subject{Program: p, Module: []byte(module)})
	if err != nil {
		return nil, err
	}
	return c.Blocks[0], c.Check(p)
}

// costs returns what each block costs, and behind which blocks something else.
func costs(t testing.TB, text, module string) (all []string) {
	t.Helper()
	m, err := fromText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; strings.Contains(module, "%L "); i++ {
		module = strings.Replace(module, "%L ", fmt.Sprintf("%%l%d ", i), 1)
	}
	blocks, err := costsOf(m, module)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		all = append(all, fmt.Sprint(b.Cycles, b.After))
	}
	return all
}

// loop is a function around the body of a loop whose %i counts to %n.
func loop(body string) string {
	return `@a = global [64 x float] zeroinitializer
@b = global [64 x float] zeroinitializer
define void @f(ptr %p, i64 %n, float %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ %x, %entry ], [ %t, %loop ]
  %pa = getelementptr [64 x float], ptr @a, i64 0, i64 %i
  %pb = getelementptr [64 x float], ptr @b, i64 0, i64 %i
` + body + `  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}
declare float @sqrtf(float)
`
}

// By hand on the small accelerator: what entering the loop costs (IL), and what going back (II).
func TestLoopsByHand(t *testing.T) {
	for _, c := range []struct {
		about, body string
		il, ii      float64
	}{
		{"nothing waits: load 2, product 3", "%v = load float, ptr %pa\n %t = fmul float %v, %v\n store float %t, ptr %pb\n", 5, 1},
		{"the adder takes another every 2 cycles", "%v = load float, ptr %pa\n %t = fadd float %v, %v\n store float %t, ptr %pb\n", 6, 2},
		{"two sums on one adder", "%u = fadd float %x, %x\n %t = fadd float %x, 1.0\n", 6, 4},
		{"a sum of all: 4 cycles from one to the next", "%v = load float, ptr %pa\n %t = fadd float %s, %v\n", 6, 4},
		{"a product and a sum around: 3 + 4", "%u = fmul float %s, %x\n %t = fadd float %u, %x\n", 7, 7},
		{"three loads of an array through two ports", "%q = getelementptr float, ptr %pa, i64 8\n %r = getelementptr float, ptr %pa, i64 9\n %u = load float, ptr %pa\n %v = load float, ptr %q\n %t = load float, ptr %r\n", 3, 2},
		{"arrays have ports of their own", "%q = getelementptr float, ptr %pa, i64 8\n %u = load float, ptr %pa\n %v = load float, ptr %q\n %t = load float, ptr %pb\n", 2, 1},
		// a[i+1] = a[i] * x: load 2, product 3, and the store is read 1 cycle later: 6.
		{"through memory from one iteration to the next", "%q = getelementptr float, ptr %pa, i64 1\n %v = load float, ptr %pa\n %t = fmul float %v, %x\n store float %t, ptr %q\n", 5, 6},
		// a[i+3] = a[i] * x: 6 cycles for three iterations.
		{"through memory over three iterations", "%q = getelementptr float, ptr %pa, i64 3\n %v = load float, ptr %pa\n %t = fmul float %v, %x\n store float %t, ptr %q\n", 5, 2},
		{"a[i] = a[i+1]: stores come behind loads", "%q = getelementptr float, ptr %pa, i64 1\n %v = load float, ptr %q\n %t = fmul float %v, %x\n store float %t, ptr %pa\n", 5, 1},
		{"one place", "%v = load float, ptr @a\n %t = fmul float %v, %x\n store float %t, ptr @a\n", 5, 6},
		{"where is not known: taken to meet", "%j = mul i64 %i, %i\n %q = getelementptr [64 x float], ptr @a, i64 0, i64 %j\n %v = load float, ptr %pa\n %t = fmul float %v, %x\n store float %t, ptr %q\n", 5, 6},
		{"a call of the file's", "%t = call float @sqrtf(float %x)\n", 3, 1},
	} {
		m, err := fromText(t, small)
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := costsOf(m, loop(c.body))
		if err != nil {
			t.Fatalf("%s: %v", c.about, err)
		}
		after := []float64{blocks[1].Cycles, blocks[1].Cycles}
		for _, a := range blocks[1].After {
			after[a.Pred] = a.Cycles
		}
		if after[0] != c.il || after[1] != c.ii || blocks[0].Cycles+blocks[2].Cycles != 0 {
			t.Errorf("%s: blocks cost %+v, want %g where the loop is entered and %g where it goes back", c.about, blocks, c.il, c.ii)
		}
	}
}

// A body of more accesses than pipelines are made of is executed one iteration after the other:
// 257 loads through two ports begin in 129 cycles, and the last takes 2. Of 256 the last begins in
// cycle 127, and an iteration can begin every 128.
func TestLargeBodiesAreNoPipelines(t *testing.T) {
	for n, want := range map[int]string{256: "128 [{0 129}]", 257: "130 []"} {
		if got := costs(t, small, loop(strings.Repeat("%L = load float, ptr %pa\n", n-1)+"%t = load float, ptr %pa\n")); got[1] != want {
			t.Errorf("%d loads: the loop costs %s, want %s", n, got[1], want)
		}
	}
}

// A loop that goes on as memory says waits for the load: 2 cycles, then chained.
func TestIterationsWaitForConditions(t *testing.T) {
	got := costs(t, small, `define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  %v = load i32, ptr %q
  %r = getelementptr i32, ptr %q, i64 1
  %again = icmp ne i32 %v, 0
  br i1 %again, label %loop, label %end
end:
  ret void
}
`)
	if got[1] != "2 []" {
		t.Errorf("the loop costs %s, want 2 []", got[1])
	}
}

// By hand: of two sums on one adder that takes another every 2 cycles the second begins in 2 and
// ends in 6; a load before them makes that 8.
func TestBlocksByHand(t *testing.T) {
	got := costs(t, small, `define float @f(ptr %p, float %x) {
  %v = load float, ptr %p
  %a = fadd float %v, %x
  %b = fadd float %v, 1.0
  ret float %b
}
`)
	if got[0] != "8 []" {
		t.Errorf("the block costs %s, want 8 []", got[0])
	}
}

// TestRecurrenceIsTheWorstCycle holds the interval to all cycles of small random graphs, each
// counted by itself: latency over distance, rounded up.
func TestRecurrenceIsTheWorstCycle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 2000 {
		n := 2 + r.IntN(6)
		g := &graph{nodes: make([]node, n)}
		for range r.IntN(3 * n) {
			w := wait{from: r.IntN(n), to: r.IntN(n), latency: float64(r.IntN(9)), distance: r.IntN(3)}
			if w.from >= w.to && w.distance == 0 {
				w.distance = 1
			}
			g.waits = append(g.waits, w)
		}
		want, several, unroll := 0, 0, 2+r.IntN(3)
		var walk func(first, at int, seen []bool, latency float64, distance int)
		walk = func(first, at int, seen []bool, latency float64, distance int) {
			for _, w := range g.waits {
				if w.from != at {
					continue
				}
				l, d := latency+w.latency, distance+w.distance
				if w.to == first {
					want, several = max(want, int(math.Ceil(l/float64(d)))), max(several, int(math.Ceil(l*float64(unroll)/float64(d))))
				} else if w.to > first && !seen[w.to] {
					seen[w.to] = true
					walk(first, w.to, seen, l, d)
					seen[w.to] = false
				}
			}
		}
		for first := range n {
			walk(first, first, make([]bool, n), 0, 0)
		}
		got, around := g.recurrence(true, 1)
		if got != want {
			t.Fatalf("recurrence %d, want %d of %+v", got, want, g.waits)
		}
		if got, _ := g.recurrence(true, unroll); got != several {
			t.Fatalf("recurrence of %d at once %d, want %d of %+v", unroll, got, several, g.waits)
		}
		if got > 0 {
			found++
			// What it names is a cycle that needs as much.
			for i, at := range around {
				to := around[(i+1)%len(around)]
				if !slices.ContainsFunc(g.waits, func(w wait) bool { return w.from == at && w.to == to }) {
					t.Fatalf("no wait leads from %d to %d of the cycle %v in %+v", at, to, around, g.waits)
				}
			}
		}
	}
	if found < 500 {
		t.Errorf("%d of the graphs have cycles", found)
	}
}

// Resources of designs that were made: tables 6.2 and 6.3 of the work that the package cites.
// Those of factors 4, 8 and 16 foretell the largest.
func TestResourcesOfMadeDesigns(t *testing.T) {
	for _, c := range []struct {
		about        string
		measured     [3]float64
		factor, made float64
		within       float64
	}{
		{"reduction, DSP", [3]float64{7, 14, 28}, 128, 224, 0},
		{"reduction, FF", [3]float64{2016, 3760, 7192}, 128, 56_000, 0.02},
		{"reduction, LUT", [3]float64{2911, 5032, 9252}, 128, 67_000, 0.03},
		{"prefix sum, DSP", [3]float64{8, 16, 32}, 64, 128, 0},
		{"prefix sum, FF", [3]float64{2679, 5299, 11_000}, 64, 43_000, 0.04},
		{"prefix sum, LUT", [3]float64{3820, 7590, 16_000}, 64, 71_000, 0.10},
	} {
		m := measured{[]float64{4, 8, 16}, c.measured[:]}
		if got := m.at(c.factor); math.Abs(got/c.made-1) > c.within+1e-12 {
			t.Errorf("%s with factor %g: %g, made %g", c.about, c.factor, got, c.made)
		}
		if m.at(8) != c.measured[1] {
			t.Errorf("%s with factor 8: %g, measured %g", c.about, m.at(8), c.measured[1])
		}
	}
}

// By hand: 10, 20 and 36 at 1, 2 and 4 have the line 2 + 60/7 x, which gives 74/7, 134/7 and 254/7:
// 5.7 % more than the first; R2 is 1 - (8/7) / 344.
func TestLinesSayHowTheyFit(t *testing.T) {
	for _, c := range []struct {
		m    measured
		want string
	}{
		{measured{[]float64{1, 2, 4}, []float64{10, 20, 36}}, "through 3 designs, at most 5.7% off them (R2 0.9967)"},
		{measured{[]float64{1, 2, 3}, []float64{10, 20, 30}}, "through 3 designs, at most 0.0% off them (R2 1.0000)"},
		{measured{[]float64{1, 2}, []float64{10, 20}}, "through 2 designs, which do not tell how straight it is"},
		{measured{[]float64{4}, []float64{10}}, ""},
	} {
		if got := c.m.fit(); got != c.want {
			t.Errorf("%v: %q, want %q", c.m, got, c.want)
		}
	}
}

// By hand: of a[0] + a[1] + ... by 8, 4 cycles for 8 at once with as many adders, so 4/8 each, and
// 8 cycles for the first, whose longest way is another (load, product and root), and 5 for each of
// three levels: 23. On one adder that takes another
// every 2 cycles 16/8. All prefixes of 8 by 2: log2(8)+1 = 4 levels of one cycle for two, each 8 long.
func TestSumsByHand(t *testing.T) {
	module := strings.Replace(nested, "%w = call float @cosf(float %u)", "%w = fneg float %v", 1)
	for _, c := range []struct {
		units, how  string
		first, each float64
	}{
		{"adder: 8", "sum: tree, unroll: 8", 23, 0.5},
		{"adder: 1", "sum: tree, unroll: 8", 23, 2},
		{"adder: 8", "sum: tree, unroll: 8, latency: 30", 30, 0.5},
		{"adder: 8", "scan: 8, unroll: 2", 32, 2},
	} {
		m, err := fromText(t, strings.Replace(small, "adder: 1", c.units, 1)+"loops: {a.c:3: {"+c.how+"}}\n")
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := costsOf(m, module)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(blocks[2].Cycles, blocks[2].After), fmt.Sprintf("%g [{1 %g}]", c.each, c.first); got != want {
			t.Errorf("%s, %s: %s, want %s", c.units, c.how, got, want)
		}
	}
}

// Of what loops share the greatest counts, of the rest the sum: 40 + 60 LUT and 16 of 8 and 16
// DSP, beside one DSP that a loop has for itself.
func TestLoopsShareOperators(t *testing.T) {
	design := small + `loops:
  a.c:1: {unroll: 8, takes: {LUT: {4: 20, 8: 40, 16: 80}, DSP: {8: 1}}, shares: {DSP: {8: 8}}}
  a.c:2: {unroll: 6, takes: {LUT: {4: 40, 8: 80, 16: 160}}, shares: {DSP: {2: 4, 4: 12}}}
`
	m, err := fromText(t, design+"capacity: {LUT: 100, DSP: 21}\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := "The design takes 21 DSP of 21, 100 LUT of 100."; m.desc.Notes != want {
		t.Errorf("notes %q, want %q", m.desc.Notes, want)
	}
	if _, err := fromText(t, design+"capacity: {DSP: 20}\n"); err == nil || !strings.Contains(err.Error(), "small.yaml:22: the design takes 21 DSP, of 20 that there are: unroll less") {
		t.Errorf("a design that does not fit: %v", err)
	}
}

func TestShippedAcceleratorsConform(t *testing.T) {
	for _, name := range Names() {
		r := conform.Check(context.Background(), func() (procmodels.Model, error) { return procmodels.Open("accelerator:"+name, "") }, conform.DefaultLimit)
		if err := r.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBadFilesAreOneLine(t *testing.T) {
	for _, bad := range []struct{ old, new, want string }{
		{"adder: 1}", "adder: 1, spare: 1}", `:5: no class is executed by unit "spare"`},
		{"adder: 1}", "adder: 0}", `:5: `},
		{"ports: 2", "ports: 0", ":6: "},
		{"latency: 4", "latency: -1", ":10: "},
		{"unit: adder,", "unit: ader,", `:10: class "add" is executed by unit "ader"`},
		{"mul: {latency: 3}", "mul: {latency: 3, every: 2}", ":11: "},
		{"  default: chained\n", "", "add default"},
		{"fadd: add", "fad: add", `"fad" is no LLVM opcode: want fadd`},
		{"fadd: add", "fadd: sum", `no class is named "sum"`},
		{"fmul: {default: mul, double: add}", "fmul: {double: add}", "has no class for other types"},
		{"double: add", "doubel: add", `"doubel" is no type`},
		{"mul: {latency: 3}", "mul: {latency: 3}\n  idle: {latency: 3}", `no opcode and no call is of class "idle"`},
		{"library: generic", "library: nosuch", "nosuch"},
		{"library: generic\n", "library: generic\nextends: nosuch\n", `no accelerator is named "nosuch": want ku060`},
		{"library: generic\n", "library: generic\ntrips: 100\n", "trips is of the latencies"},
		{"library: generic\n", "library: generic\nloops: {loop: {ii: 1}}\n", `"loop" is no loop: want FILE:LINE`},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {sum: chain}}\n", "tree"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {sum: tree, scan: 8}}\n", "leave one of them out"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {scan: 8, ii: 1}}\n", "partial sums"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {scan: 1}}\n", "from 2"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {ii: 1.5}}\n", "whole number"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {pipeline: no, ii: 1}}\n", "no pipeline"},
		{"library: generic\n", "library: generic\ntrips: 9\nloops: {a.c:1: {latency: [3, 2]}}\n", "least first"},
		{"library: generic\n", "library: generic\ntrips: 9\nloops: {a.c:1: {latency: [3]}}\n", "[LEAST, MOST]"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {unroll: 8, takes: {LUT: {4: 20}}}}\n", "cannot be foretold"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {takes: {LUT: {x: 20}}}}\n", "no factor"},
		{"library: generic\n", "library: generic\ncapacity: {DSP: 3}\n", "no loop takes any"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {banks: {BRAM: {1: 4}}, unroll: 2}}\n", "BRAM of partition 2 cannot be foretold"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {try: {unroll: [1, 2, 1]}}}\n", "unroll 1 is there twice"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {try: {unroll: []}}}\n", "unroll is empty"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {try: {unroll: [0]}}}\n", "from 1"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {try: {}}}\n", "try of the loop at a.c:1 is empty"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {ii: 2, try: {unroll: [2]}}}\n", "are those of one design"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {pipeline: no, try: {unroll: [2]}}}\n", "not made by itself, as a pipeline"},
		{"library: generic\n", "library: generic\nloops: {a.c:1: {takes: {LUT: {1: 4}}, try: {unroll: [2]}}}\n", "LUT of unroll factor 2 cannot be foretold"},
		{"library: generic\n", "library: generic\ntrips: 9\nfunctions: {f: {latency: 3}}\nloops: {a.c:1: {try: {unroll: [2]}}}\n", "those of one design: leave try out"},
		{"library: generic\n", "library: generic\nfunctions: {f: {latency: 3}}\n", "with trips"},
	} {
		text := strings.Replace(small, bad.old, bad.new, 1)
		if text == small {
			t.Fatalf("%q is not in the file", bad.old)
		}
		_, err := fromText(t, text)
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), bad.want) || !strings.Contains(err.Error(), "small.yaml:") {
			t.Errorf("%q in place of %q: %v\nwant one line with %q", bad.new, bad.old, err, bad.want)
		}
	}
	if _, err := procmodels.Open("accelerator:nosuch", ""); err == nil || !strings.Contains(err.Error(), "ku060") {
		t.Errorf("a name that is none: %v", err)
	}
}
