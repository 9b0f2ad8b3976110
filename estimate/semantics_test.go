package estimate

// This file tests, on small programs with known answers, what the paper leaves open.

import (
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/profile"
)

// two sections of 100 and 60 cycles in f, which main calls from a section of its own.
const nested = `
	func main
	a          10:      -> r
	r R0(      0:       -> p
	p R0.0.0(  20: @f   -> pe
	pe R0.0.0) 0:       -> q
	q R0.0.1(  50:      -> qe
	qe R0.0.1) 0:       -> e
	e R0)      1: @f
	func f
	s R1(      0:       -> x
	x R1.0.0(  100:     -> xe
	xe R1.0.0) 0:       -> y
	y R1.0.1(  60:      -> ye
	ye R1.0.1) 0:       -> z
	z R1)      0:`

func nestedLiteral(t *testing.T) *literal {
	l := parseLiteral(t, nested)
	l.run("main", 0, pathprof.EndFunction, "1: a r p pe q qe e")
	l.run("f", 0, pathprof.EndFunction, "2: s x xe y ye z")
	return l
}

func TestNestedRegions(t *testing.T) {
	e := nestedLiteral(t).estimator("", 2)
	m := mapping.Default(e.Platform, e.Bundle.Program)
	// In the section f is serial; after the region its own sections run in parallel.
	inner := 100.0 + 60 // create and sync on both processors
	want := 10 + (50 + 20 + 160 + 10) + 1 + inner
	if r := estimate(t, e, m, PathBased); r.ParallelCycles != want {
		t.Errorf("default: %v, want %v", r.ParallelCycles, want)
	}
	m.Regions[1].Explicit = true
	want = 10 + (50 + 20 + inner + 10) + 1 + inner
	if r := estimate(t, e, m, PathBased); r.ParallelCycles != want {
		t.Errorf("mapped explicitly: %v, want %v", r.ParallelCycles, want)
	}
	// A region that stays on its processor is not active: f is parallel in its section.
	m.Regions[1].Explicit = false
	m.Regions[0].Proc[0] = []int{0, 0}
	want = 10 + (20 + inner + 50) + 1 + inner
	if r := estimate(t, e, m, PathBased); r.ParallelCycles != want {
		t.Errorf("outer region on one processor: %v, want %v", r.ParallelCycles, want)
	}
}

func TestUnequalProcessors(t *testing.T) {
	l := nestedLiteral(t)
	a, err := Prepare(l.bundle, "")
	if err != nil {
		t.Fatal(err)
	}
	slow := &procmodels.Costs{Model: "twice the cycles"}
	for _, blocks := range l.costs.Blocks {
		var out []procmodels.BlockCost
		for _, b := range blocks {
			b.Cycles *= 2
			out = append(out, b)
		}
		slow.Blocks = append(slow.Blocks, out)
	}
	p := equal(2, l.costs)
	p.Costs[1], p.ClockMHz = slow, []float64{100, 50}
	p.Platform.Create, p.Platform.Sync = 4, 1
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	m := mapping.Default(p.Platform, l.prog)
	r := estimate(t, e, m, PathBased)
	// On processor 1 a cycle takes 2 of processor 0, and everything twice the cycles.
	section0, section1 := 4+20+160.0+1, 2*(4+2*50.0+1)
	f := max(4+100.0+1, 2*(4+2*60.0+1))
	if want := 10 + max(section0, section1) + 1 + f; r.ParallelCycles != want || r.SequentialCycles != 10+20+50+1+320 {
		t.Errorf("%v of %v cycles, want %v of 401", r.ParallelCycles, r.SequentialCycles, want)
	}
	if r.ParallelSeconds != r.ParallelCycles/100e6 {
		t.Errorf("%v s", r.ParallelSeconds)
	}
	// With processor 1 as the serial one, cycles are its cycles.
	m.Serial = 1
	m.Regions[0].Proc[0], m.Regions[1].Proc[0] = []int{1, 1}, []int{1, 1}
	r = estimate(t, e, m, PathBased)
	if r.ParallelCycles != 802 || r.SequentialCycles != 802 || r.Speedup != 1 || r.SequentialSeconds != 802/50e6 {
		t.Errorf("%+v, want 802 cycles of 50 MHz", r)
	}
}

func TestOverheadOnlyWhereTheRegionRuns(t *testing.T) {
	l := parseLiteral(t, `
		func main
		a          1:   -> r z
		r R0(      0:   -> p
		p R0.0.0(  30:  -> pe
		pe R0.0.0) 0:   -> q
		q R0.0.1(  40:  -> qe
		qe R0.0.1) 0:   -> u
		u R0.1.0(  20:  -> ue
		ue R0.1.0) 0:   -> e
		e R0)      0:   -> z
		z          5:`)
	l.run("main", 0, pathprof.EndFunction, "1: a r p pe q qe u ue e z", "3: a z")
	e := l.estimator("", 2)
	m := mapping.Default(e.Platform, l.prog)
	// The second construct stays on the processor that forks it.
	if r := estimate(t, e, m, PathBased); r.ParallelCycles != (1+100+20+5+3*6)/4.0 {
		t.Errorf("%v, want %v", r.ParallelCycles, (1+100+20+5+3*6)/4.0)
	}
	m.Regions[0].Proc[1][0] = 1
	if r := estimate(t, e, m, PathBased); r.ParallelCycles != (1+100+80+5+3*6)/4.0 {
		t.Errorf("%v, want %v", r.ParallelCycles, (1+100+80+5+3*6)/4.0)
	}
	if r := estimate(t, e, m, AverageTime); r.ParallelCycles != (1+100+80+5+3*6)/4.0 {
		t.Errorf("average times: %v", r.ParallelCycles)
	}
}

// A rotated loop is left at its bottom: its last iteration is the partial traversal in
// the path around it, and runs in parallel like the others.
func TestLastTraversalIsParallel(t *testing.T) {
	l := parseLiteral(t, `
		func main
		a          7:   -> h
		h          1:   -> r
		r R0(      0:   -> p
		p R0.0.0(  100: -> pe
		pe R0.0.0) 0:   -> q
		q R0.0.1(  80:  -> qe
		qe R0.0.1) 0:   -> e
		e R0)      2:   -> h x
		x          5:`)
	body := "h r p pe q qe e"
	l.run("main", 0, pathprof.EndFunction, "1: a Lh "+body+" x")
	l.run("main", 1, pathprof.EndIteration, "3: "+body)
	l.trips("main", 1, 3)
	e := l.estimator("", 2)
	for _, technique := range []Technique{PathBased, AverageTime, MaximalTime, PathBasedUnmapped} {
		r := estimate(t, e, e.onto(0, 1), technique)
		if r.ParallelCycles != 7+4*(1+160+2)+5 || r.SequentialCycles != 7+4*183+5 {
			t.Errorf("%s: %v of %v, want 664 of 744", r.Technique, r.ParallelCycles, r.SequentialCycles)
		}
	}
}

// The recorder may count the last traversal in the loop, cut paths, or see the program
// end under way: no cycle is lost.
func TestCutCollapsedAndIncompletePaths(t *testing.T) {
	code := `
		func main
		a          7:   -> h
		h          1:   -> b c
		b          20:  -> d
		c          30:  -> d
		d          2:   -> h x
		x          5:`
	whole := parseLiteral(t, code)
	whole.run("main", 0, pathprof.EndFunction, "1: a Lh h b d x", "1: a Lh h c d x")
	whole.run("main", 1, pathprof.EndIteration, "6: h b d", "2: h c d")
	collapsed := parseLiteral(t, code)
	collapsed.run("main", 0, pathprof.EndFunction, "2: a Lh x")
	collapsed.run("main", 1, pathprof.EndIteration, "6: h b d", "2: h c d")
	collapsed.run("main", 1, pathprof.EndPartial, "1: h b d", "1: h c d")
	cut := parseLiteral(t, code)
	cut.run("main", 0, pathprof.EndFunction, "2: a Lh x")
	cut.run("main", 1, pathprof.EndCut, "7: h b", "3: h c")
	cut.run("main", 1, pathprof.EndIteration, "8: d")
	cut.run("main", 1, pathprof.EndPartial, "2: d")
	for name, l := range map[string]*literal{"whole": whole, "collapsed": collapsed, "cut": cut} {
		l.trips("main", 1, 5)
		e := l.estimator("", 1)
		m := mapping.Default(e.Platform, l.prog)
		want := (2*(7+5) + 10*3 + 7*20 + 3*30) / 2.0
		if r := estimate(t, e, m, PathBased); r.SequentialCycles != want || r.ParallelCycles != want {
			t.Errorf("%s: %v, want %v", name, r, want)
		}
		// Five iterations and the last traversal, each by the longer branch.
		if r := estimate(t, e, m, MaximalTime); r.SequentialCycles != 7+6*33+5 {
			t.Errorf("%s: maximal %v, want %v", name, r.SequentialCycles, 7+6*33+5)
		}
	}
	// The program ends in the loop, and the path around it was not seen.
	lost := parseLiteral(t, code)
	lost.run("main", 0, pathprof.EndFunction, "1: a Lh h b d x")
	lost.run("main", 1, pathprof.EndIteration, "4: h b d")
	orphan := parseLiteral(t, code)
	orphan.run("main", 0, pathprof.EndFunction)
	orphan.run("main", 1, pathprof.EndIteration, "4: h b d")
	orphan.run("main", 1, pathprof.EndIncomplete, "1: h")
	e := orphan.estimator("", 1)
	if r := estimate(t, e, mapping.Default(e.Platform, orphan.prog), PathBased); r.SequentialCycles != 4*23+1 {
		t.Errorf("ended inside: %v, want 93", r.SequentialCycles)
	}
	if len(e.Notes) != 2 || !strings.Contains(e.Notes[0], "how often the loop at f.c:2 was entered") || !strings.Contains(e.Notes[1], "how often it was called") {
		t.Errorf("notes %q", e.Notes)
	}
}

func TestCallsThatAreNotDirect(t *testing.T) {
	l := parseLiteral(t, `
		func main
		a 1: @qsort&compare  -> b
		b 1: @?              -> c
		c 1: @atexit&bye !@f
		func compare
		k 3:
		func f
		f 10:
		func g
		g 20:
		func bye
		y 50:
		func before
		i 9: @f
		func never
		n 1:`)
	l.run("main", 0, pathprof.EndFunction, "2: a b c")
	l.run("compare", 0, pathprof.EndFunction, "11: k")
	l.run("f", 0, pathprof.EndFunction, "5: f")
	l.run("g", 0, pathprof.EndFunction, "6: g")
	l.run("bye", 0, pathprof.EndFunction, "1: y")
	l.run("before", 0, pathprof.EndFunction, "1: i")
	main := l.prog.Func("main")
	l.bundle.Targets = []profile.CallTarget{
		{Func: main.Index, Block: 1, Instr: 0, Target: l.prog.Func("f").Index, Count: 2},
		{Func: main.Index, Block: 1, Instr: 0, Target: l.prog.Func("g").Index, Count: 6},
	}
	e := l.estimator("", 1)
	r := estimate(t, e, mapping.Default(e.Platform, l.prog), PathBased)
	// compare runs 5.5 times a call of qsort; the indirect call is one of f by a
	// quarter, of g by three quarters; the last call of f is in the line's cycles.
	if want := 3 + 5.5*3 + 0.25*10 + 0.75*20; r.SequentialCycles != want {
		t.Errorf("%v, want %v", r.SequentialCycles, want)
	}
	got := e.Unattributed(0)
	if len(got) != 2 || got[0].Function != "bye" || got[0].Cycles != 50 || got[1].Function != "before" || got[1].Cycles != 19 || got[1].Invocations != 1 {
		t.Errorf("unattributed %+v", got)
	}
	if total := 2*r.SequentialCycles + 69; !near(got[0].Share, 50/total) {
		t.Errorf("share %v, want %v", got[0].Share, 50/total)
	}
}

func TestDefaults(t *testing.T) {
	l := nestedLiteral(t)
	l.costs.Reasons = []string{"opcode fneg", "call to printf"}
	l.costs.Blocks[0][0].Defaults = []procmodels.DefaultCost{{Reason: 0, Cycles: 4, Count: 2}}
	l.costs.Blocks[1][1].Defaults = []procmodels.DefaultCost{{Reason: 0, Cycles: 1, Count: 1}, {Reason: 1, Cycles: 30, Count: 1}}
	e := l.estimator("", 2)
	r := estimate(t, e, e.onto(0, 1), PathBased)
	d := e.Defaults(0)
	if !near(r.DefaultCostShare, 66/401.0) || !near(d.Share, 66/401.0) || len(d.Reasons) != 2 ||
		d.Reasons[0].Reason != "call to printf" || !near(d.Reasons[0].Share, 60/401.0) || d.Reasons[1].Count != 4 {
		t.Errorf("share %v, %+v", r.DefaultCostShare, d)
	}
}

func TestWrongInput(t *testing.T) {
	l := nestedLiteral(t)
	for _, c := range []struct {
		root, want string
	}{
		{"start", "the program has no function start"},
		{"main", ""},
	} {
		if _, err := Prepare(l.bundle, c.root); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("root %s: %v", c.root, err)
		}
	}
	e := l.estimator("", 2)
	if _, err := e.Estimate(mapping.Default(mapping.Homogeneous(3, ""), l.prog), PathBased); err == nil || !strings.Contains(err.Error(), "onto 3 processors, want 2 onto 2") {
		t.Errorf("mapping of another platform: %v", err)
	}
	m := e.onto(0, 1)
	for _, c := range []struct {
		fn    string
		level int
		want  string
	}{{"none", 0, "function none does not exist"}, {"f", 1, "function f has no level 1: want 0 to 0"}} {
		if _, err := e.Explain(m, c.fn, c.level); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("explain %s: %v", c.fn, err)
		}
	}
	p := equal(2, l.costs)
	p.ClockMHz[1] = 0
	if _, err := e.On(p); err == nil || !strings.Contains(err.Error(), "processor cpu1 has a clock of 0 MHz") {
		t.Errorf("clock 0: %v", err)
	}
	l.bundle.Funcs[1] = nil
	if _, err := Prepare(l.bundle, "f"); err == nil || !strings.Contains(err.Error(), "function f never ran") {
		t.Errorf("never ran: %v", err)
	}
	l.bundle.Program.Regions = []ir.Region{}
	if _, err := Prepare(l.bundle, "main"); err == nil || !strings.Contains(err.Error(), "mark of region 0 of 0") {
		t.Errorf("no regions: %v", err)
	}
	if _, err := ParseTechnique("average"); err == nil {
		t.Error("technique average was accepted")
	}
}
