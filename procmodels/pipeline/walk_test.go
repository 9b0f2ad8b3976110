package pipeline

// This file holds what is played out of order to loops whose steady state is plain.

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

// figures of four instructions a cycle: two units of integers, products after 3 cycles, divisions
// after 20, another every 8.
var figures = Figures{Issue: 4, Window: 100, Forward: 2, ForwardFloat: 7, Penalty: 15, Units: map[string]int{"alu": 2, "mul": 1, "load": 1, "store": 1, "fadd": 1},
	Latency: map[string]int{"multiply": 3, "divide": 20, "float": 3}, Occupancy: map[string]int{"divide": 8}}

// round is a loop whose iterations do body; it begins with %i, %x and %y. Each loop is known by
// hand: a chain of products takes their latency, products that do not wait for each other their
// unit, and so on.
func wrapped(body, next string) string {
	return "target triple = \"x86_64-unknown-linux-gnu\"\n@g = global i32 1\n@d = global double 1.0\n@a = global [64 x i32] zeroinitializer\ndefine i32 @f(i32 %n, i32 %k, ptr %p) {\n  %v = alloca i32\n  br label %l\nl:\n" +
		"  %i = phi i32 [ 0, %0 ], [ %j, %e ]\n  %x = phi i32 [ 1, %0 ], [ " + next + ", %e ]\n" + body + "  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %n\n  br i1 %c, label %e, label %out\n" +
		"e:\n  br label %l\nout:\n  ret i32 %x\n}\n"
}

var rounds = []struct {
	name, body, next string
	want             float64
}{
	{"a chain of two products", "  %y = mul i32 %x, %k\n  %z = mul i32 %y, %k\n", "%z", 6},
	{"three products apart", "  %y = mul i32 %i, %k\n  %z = mul i32 %i, %n\n  %w = mul i32 %n, %k\n", "%x", 3},
	{"a division that nothing waits for", "  %y = sdiv i32 %i, %k\n", "%x", 8},
	{"a chain through a division", "  %y = sdiv i32 %x, %k\n", "%y", 20},
	{"six additions apart and the counter", strings.Repeat("  %yNR = add i32 %i, %k\n", 7), "%x", 4},
	{"a variable that is stored and loaded", "  %y = load i32, ptr %v\n  %z = add i32 %y, %k\n  store i32 %z, ptr %v\n", "%x", 3},
	{"a floating-point variable", "  %y = load double, ptr @d\n  %z = fadd double %y, 1.0\n  store double %z, ptr @d\n", "%x", 10},
	{"an element that the iteration before stored", "  %b = add i32 %i, 1\n  %q = getelementptr [64 x i32], ptr @a, i32 0, i32 %i\n  %y = load i32, ptr %q\n  %z = mul i32 %y, %k\n" +
		"  %w = getelementptr [64 x i32], ptr @a, i32 0, i32 %b\n  store i32 %z, ptr %w\n", "%x", 5},
	{"an element that is stored later: five instructions, for the load is a part of the product", "  %b = add i32 %i, 1\n  %q = getelementptr [64 x i32], ptr @a, i32 0, i32 %b\n  %y = load i32, ptr %q\n  %z = mul i32 %y, %k\n" +
		"  %w = getelementptr [64 x i32], ptr @a, i32 0, i32 %i\n  store i32 %z, ptr %w\n", "%x", 1.25},
	{"a product by 9, one instruction", "  %y = mul i32 %x, 9\n", "%y", 1},
	{"a product by 31, a shift and a subtraction", "  %y = mul i32 %x, 31\n", "%y", 2},
}

func numbered(body string) string {
	for i := 0; strings.Contains(body, "NR"); i++ {
		body = strings.Replace(body, "NR", string(rune('a'+i)), 1)
	}
	return body
}

// ran is a run of which a test says where it went, and what was mistaken.
type ran struct {
	runs     flow.Runs
	selected map[flow.Way][2]flow.Foretold
	mistaken func(history int) [][][]float64
}

func (r *ran) Runs() *flow.Runs                        { return &r.runs }
func (r *ran) Moved(*ir.Program) map[*ir.Call]float64  { return nil }
func (r *ran) Selected() map[flow.Way][2]flow.Foretold { return r.selected }
func (r *ran) Mistaken(history int) [][][]float64 {
	if r.mistaken == nil {
		return nil
	}
	return r.mistaken(history)
}

// blocksOf is what blocks of a module cost.
func blocksOf(t *testing.T, m *Model, module string, run procmodels.Run) [][]PlayedBlock {
	t.Helper()
	p, err := ir.Read([]byte(module))
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := Play(context.Background(), m, &procmodels.Subject{Program: p, Module: []byte(module), Run: run})
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// outOfOrder is a model of figures.
func outOfOrder(t *testing.T, f Figures) *Model {
	t.Helper()
	m, err := OutOfOrder(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// loopCosts plays a module and returns what an iteration of the loop costs, of block l and block e.
func loopCosts(t *testing.T, m *Model, module string, run procmodels.Run) Played {
	t.Helper()
	blocks := blocksOf(t, m, module, run)
	sum := blocks[0][2].Played // the block that leads back
	for _, a := range blocks[0][1].After {
		if a.Pred == 2 {
			sum.Cycles += a.Cycles
			sum.Wrong += a.Wrong
		}
	}
	sum.Wrong += blocks[0][3].Wrong
	return sum
}

// longRuns goes round n times.
func longRuns(n uint64) *ran {
	return &ran{runs: flow.Runs{Edges: [][][]uint64{{{1}, {n, 1}, {n}, {}}}, Entries: []uint64{1}, Regular: [][]bool{make([]bool, 4)}}}
}

func TestLoopsOutOfOrder(t *testing.T) {
	m := outOfOrder(t, figures)
	for _, r := range rounds {
		if got := loopCosts(t, m, wrapped(numbered(r.body), r.next), longRuns(1_000_000)); math.Abs(got.Cycles-r.want) > 0.1*r.want {
			t.Errorf("%s: an iteration takes %.2f cycles, want %.2f", r.name, got.Cycles, r.want)
		}
	}
}

// chance is a loop with a branch that goes one way or the other.
const chance = `target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %n, i32 %k) {
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %j, %e ]
  %c = icmp ult i32 %i, %k
  br i1 %c, label %a, label %e
a:
  br label %e
e:
  %j = add i32 %i, 1
  %d = icmp ult i32 %j, %n
  br i1 %d, label %l, label %out
out:
  ret i32 %i
}
`

// Where issue is what is scarce, a load that is a part of what uses it saves a place.
func TestMemoryOperands(t *testing.T) {
	narrow := figures
	narrow.Issue, narrow.Units = 2, map[string]int{"alu": 4, "load": 4}
	m, err := OutOfOrder(narrow)
	if err != nil {
		t.Fatal(err)
	}
	module := wrapped("  %l1 = load i32, ptr %p\n  %y1 = add i32 %l1, %k\n  %l2 = load i32, ptr %p\n  %y2 = add i32 %l2, %k\n", "%x")
	with := loopCosts(t, m, module, longRuns(1000)).Cycles
	m.folds[foldMemory] = false
	if without := loopCosts(t, m, module, longRuns(1000)).Cycles; without < with+0.9 {
		t.Errorf("%.2f cycles with operands in memory, %.2f without: want one more", with, without)
	}
}

// A branch is foretold wrongly as often as it goes where it goes less often, unless it ends a loop
// of as many iterations each time.
func TestBranchesOutOfOrder(t *testing.T) {
	m := outOfOrder(t, figures)
	wrong := func(some uint64, regular bool) float64 {
		blocks := blocksOf(t, m, chance, &ran{runs: flow.Runs{Edges: [][][]uint64{{{1}, {some, 1000 - some}, {some}, {999, 1}, {}}}, Entries: []uint64{1}, Regular: [][]bool{{false, regular, false, regular, false}}}})
		return blocks[0][3].Wrong + blocks[0][2].Wrong*float64(some)/1000
	}
	never, half, rare := wrong(0, false), wrong(500, false), wrong(50, false)
	if never > 0.5 || half < 4 || half > 12 || rare > half/2 || rare < never {
		t.Errorf("cycles of wrong branches: %.2f where it never goes there, %.2f of half, %.2f of one in twenty; the penalty is 15", never, half, rare)
	}
	if x := wrong(500, true); x != 0 {
		t.Errorf("a branch that is regular costs %.2f", x)
	}
}

func TestFiguresAreReadAsWritten(t *testing.T) {
	m := outOfOrder(t, figures)
	read := func(text string) (*Model, error) {
		r := yamlstrict.Parse("f.yaml", []byte("pipeline: "+text+"\n"))
		m := ReadFigures(r.Root().Fields("pipeline").Need("pipeline"))
		return m, r.Err()
	}
	again, err := read(m.Figures())
	if err != nil || again.Figures() != m.Figures() || again.Width() != 4 {
		t.Fatalf("%v: %s, want %s", err, again.Figures(), m.Figures())
	}
	// Each figure changes what some loop costs.
	costs := func(m *Model) (all []Played) {
		for _, r := range rounds {
			all = append(all, loopCosts(t, m, wrapped(numbered(r.body), r.next), longRuns(3)))
		}
		return all
	}
	before := costs(m)
	for _, change := range [][2]string{{"issue: 4", "issue: 2"}, {"window: 100", "window: 3"}, {"forward: 2", "forward: 5"}, {"forward_float: 7", "forward_float: 9"}, {"penalty: 15", "penalty: 30"},
		{"taken: 0", "taken: 9"}, {"units: {", "units: {access: 1, "},
		{"alu: 2", "alu: 1"}, {"multiply: 3", "multiply: 4"}, {"occupancy: {divide: 8", "occupancy: {divide: 9"}} {
		m, err := read(strings.Replace(again.Figures(), change[0], change[1], 1))
		if err != nil {
			t.Fatal(err)
		}
		same := true
		for i, c := range costs(m) {
			same = same && c == before[i]
		}
		if same {
			t.Errorf("%s in place of %s changes nothing", change[1], change[0])
		}
	}
	for text, want := range map[string]string{
		strings.Replace(m.Figures(), "alu: 2", "abacus: 2", 1):      `f.yaml:1: pipeline:out-of-order has no unit "abacus"`,
		strings.Replace(m.Figures(), "multiply: 3", "free: 3", 1):   `f.yaml:1: pipeline:out-of-order has no class "free" that a unit executes`,
		strings.Replace(m.Figures(), "window: 100", "window: 0", 1): "f.yaml:1: ",
		strings.Replace(m.Figures(), ", penalty: 15", "", 1):        "f.yaml:1: ",
	} {
		if _, err := read(text); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Keys of order and keys of none exclude each other, in one line.
func TestWindowRefuses(t *testing.T) {
	text := strings.Replace(strings.Replace(withOpcodes(small), "to: {alu: 2}", "occupancy: 1", 1), "branch: {taken: 1, penalty: 6, predict: static}", "window: 50\nforward: 4\nforward_float: 8\nbranch: {taken: 0, penalty: 6, predict: rate, rate: 1}", 1)
	before := costsOf(t, fromText(t, text), byHand)
	if len(before) == 0 {
		t.Fatal("no blocks")
	}
	for old, bad := range map[string]string{
		"window: 50\n":           "",
		"window: 50":             "window: 50\nmoves: alu",
		"window: 50\nforward":    "window: 50\nschedule: yes\nforward",
		"occupancy: 8}":          "occupancy: 8, alone: yes}",
		"latency: 10":            "latency: 10, to: {alu: 2}",
		"window: 50\nforward: 4": "window: 50\nwaiting: {entries: 4, units: [abacus]}\nforward: 4",
		"predict: rate, rate: 1": "predict: static",
		"forward: 4\n":           "",
		"forward_float: 8\n":     "",
	} {
		r := yamlstrict.Parse("f.yaml", []byte(strings.Replace(text, old, bad, 1)))
		if read(r); r.Err() == nil || strings.Contains(r.Err().Error(), "\n") || !strings.HasPrefix(r.Err().Error(), "f.yaml") {
			t.Errorf("%q in place of %q: %v", bad, old, r.Err())
		}
	}
	for _, bad := range []string{withOpcodes(small) + "fold: [memory]\n", withOpcodes(small) + "waiting: {entries: 4, units: [alu]}\n", strings.Replace(withOpcodes(small), "to: {alu: 2}", "also: div", 1)} {
		r := yamlstrict.Parse("f.yaml", []byte(bad))
		if read(r); r.Err() == nil || !strings.Contains(r.Err().Error(), "window") {
			t.Errorf("what is of processors with a window is taken without: %v", r.Err())
		}
	}
}

// What is known of how often each way is foretold wrongly goes before how often it is gone.
func TestMistakesOutOfOrder(t *testing.T) {
	m := outOfOrder(t, figures)
	runs := flow.Runs{Edges: [][][]uint64{{{1}, {500, 500}, {500}, {999, 1}, {}}}, Entries: []uint64{1}, Regular: [][]bool{make([]bool, 5)}}
	wrong := func(share float64) float64 {
		mistaken := func(history int) [][][]float64 {
			if history != flow.LongHistory {
				t.Errorf("a predictor remembers %d", history)
			}
			return [][][]float64{{nil, {share, share}, nil, {0, 0}, nil}}
		}
		blocks := blocksOf(t, m, chance, &ran{runs: runs, mistaken: mistaken})
		return blocks[0][3].Wrong + blocks[0][2].Wrong/2
	}
	if none, some, all := wrong(0), wrong(0.3), wrong(1); none != 0 || some < 2 || some > all/2 || all < 13 || all > 22 {
		t.Errorf("cycles of wrong branches: %.2f where none is, %.2f where three in ten are, %.2f where all are; the penalty is 15", none, some, all)
	}
}

// rounded is a loop around one that goes round four times, and calls a function that goes round three times.
const rounded = `target triple = "x86_64-unknown-linux-gnu"
define i32 @f(i32 %n, i32 %k) {
  br label %o
o:
  %i = phi i32 [ 0, %0 ], [ %i1, %e ]
  br label %l
l:
  %j = phi i32 [ 0, %o ], [ %j1, %l ]
  %j1 = add i32 %j, 1
  %c = icmp ult i32 %j1, 4
  br i1 %c, label %l, label %e
e:
  %i1 = add i32 %i, 1
  %d = icmp ult i32 %i1, %n
  call void @g()
  br i1 %d, label %o, label %out
out:
  ret i32 %i
}
define void @g() {
  br label %l
l:
  %j = phi i32 [ 0, %0 ], [ %j1, %l ]
  %j1 = add i32 %j, 1
  %c = icmp ult i32 %j1, 3
  br i1 %c, label %l, label %e
e:
  ret void
}
`

// Walks go round a loop that makes the same few iterations each time as often as it does, wherever they begin.
func TestWalksGoRound(t *testing.T) {
	m := outOfOrder(t, figures)
	p, err := ir.Read([]byte(rounded))
	if err != nil {
		t.Fatal(err)
	}
	s := &procmodels.Subject{Program: p, Module: []byte(rounded)}
	pl, err := m.player(s)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1000
	for _, regular := range []bool{true, false} {
		w := &walker{player: pl, walks: 1, round: map[int]int{}, stored: map[value]kept{}, dice: rand.New(rand.NewPCG(1, 2)), dice2: rand.New(rand.NewPCG(3, 4)), taken: &flow.Runs{
			Edges: [][][]uint64{{{1}, {n}, {3 * n, n}, {n - 1, 1}, {}}, {{n}, {2 * n, n}, {}}}, Entries: []uint64{1, n},
			Regular: [][]bool{{false, false, regular, false, false}, {false, regular, false}}}}
		w.prepare()
		other := 0
		for _, from := range [][2]int{{1, 2}, {2, 2}, {2, 3}, {3, 1}} {
			for range 20 {
				w.back(0, from[0], from[1])
				run, whole := 0, false
				for _, s := range w.path {
					if s.block == 2 {
						run++
						continue
					}
					if whole && run > 0 && run != 4 {
						other++
					}
					run, whole = 0, true
				}
			}
		}
		met, block, pred := map[int]int{}, 0, -1
		for range 40 {
			to := w.after(1, block, pred, met)
			if to < 0 {
				if met[0] != 3 {
					other++
				}
				to, met = 0, map[int]int{}
			}
			pred, block = block, to
		}
		if regular != (other == 0) {
			t.Errorf("regular %v: %d times a walk goes round otherwise", regular, other)
		}
	}
}

// Calls and returns follow each other no sooner than their unit lets them.
func TestCallsOutOfOrder(t *testing.T) {
	cost := func(occupancy int) float64 {
		f := figures
		f.Occupancy = map[string]int{"jump": occupancy}
		blocks := blocksOf(t, outOfOrder(t, f), rounded, &ran{runs: flow.Runs{Edges: [][][]uint64{{{1}, {1000}, {3000, 1000}, {999, 1}, {}}, {{1000}, {2000, 1000}, {}}}, Entries: []uint64{1, 1000},
			Regular: [][]bool{{false, false, true, false, false}, {false, true, false}}}})
		return blocks[0][1].Cycles + 4*blocks[0][2].Cycles + blocks[0][3].Cycles + blocks[1][0].Cycles + 3*blocks[1][1].Cycles + blocks[1][2].Cycles
	}
	if one, ten := cost(1), cost(10); one > 14 || ten < 18 || ten > 22 {
		t.Errorf("an iteration with a call takes %.1f cycles where calls and returns take 1, %.1f where they take 10", one, ten)
	}
}

// What is called may end under what was before, all but its last iterations: a chain of ten products, 30 cycles, of which two or three
// are under way at once in a window of 100. Blocks add up to what all of it takes in one piece.
func TestLastIterationsCount(t *testing.T) {
	const module = `target triple = "x86_64-unknown-linux-gnu"
define i32 @main(i32 %n) {
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %j, %e ]
  %r = call i32 @f(i32 %i)
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %e, label %out
e:
  br label %l
out:
  ret i32 0
}
define internal i32 @f(i32 %a) {
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %j, %l ]
  %x = phi i32 [ %a, %0 ], [ %y, %l ]
  %y = mul i32 %x, %a
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 10
  br i1 %c, label %l, label %out
out:
  ret i32 %x
}
`
	const n = 1000
	run := &ran{runs: flow.Runs{Edges: [][][]uint64{{{1}, {n - 1, 1}, {n - 1}, {}}, {{n}, {9 * n, n}, {}}}, Entries: []uint64{1, n},
		Regular: [][]bool{{false, true, false, false}, {false, true, false}}}}
	m := outOfOrder(t, figures)
	blocks := blocksOf(t, m, module, run)
	got := blocks[0][1].Cycles + blocks[0][2].Cycles + blocks[1][0].Cycles + 10*blocks[1][1].Cycles + blocks[1][2].Cycles
	p, err := ir.Read([]byte(module))
	if err != nil {
		t.Fatal(err)
	}
	pl, err := m.player(&procmodels.Subject{Program: p, Module: []byte(module)})
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{player: pl, round: map[int]int{}, stored: map[value]kept{}, taken: &run.runs}
	w.prepare()
	const whole = 200
	for range whole {
		w.path = append(w.path, stop{0, 2, -1}, stop{0, 1, -1})
	}
	w.play(1, false)
	if want := float64(w.machine.end) / whole; math.Abs(got-want) > 0.1*want || want < 10 || want > 20 {
		t.Errorf("an iteration takes %.1f cycles by its blocks, %.1f in one piece", got, want)
	}
}
