package estimate

// This file lends random programs to tests of packages that import this one.

import (
	"math/rand"
	"testing"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/profile"
)

// RandomCase returns a random program, analysed, unequal processors with overheads of
// their own, and mappings. Some of the programs have random executions of constructs.
func RandomCase(t testing.TB, seed int64) (*Analysis, Processors, []*mapping.Resolved) {
	t.Helper()
	l := randomLiteral(t, seed, false, 3)
	r := rand.New(rand.NewSource(seed))
	if seed%3 > 0 {
		l.bundle.Executions = randomExecutions(r, l)
	}
	root := "f0"
	if seed%3 == 2 { // executions alone decide for main only
		l.prog.Funcs[0].Name, root = DefaultRoot, DefaultRoot
	}
	a, err := Prepare(l.bundle, root)
	if err != nil {
		t.Fatal(err)
	}
	procs := unequal(r, 1+r.Intn(4), l.costs)
	if seed%2 == 0 {
		knowPredecessors(r, l, procs)
	}
	for range procs.Costs {
		procs.Overheads = append(procs.Overheads, procmodels.Overheads{Create: float64(r.Intn(3) * 20), Sync: float64(r.Intn(20))})
	}
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	var ms []*mapping.Resolved
	for range 3 {
		ms = append(ms, randomMapping(r, e))
	}
	return a, procs, ms
}

// instructions has each block count its instructions, as one kind of work.
func instructions(prog *ir.Program) [][][]uint32 {
	vectors := make([][][]uint32, len(prog.Funcs))
	for fn, f := range prog.Funcs {
		for _, b := range f.Blocks {
			vectors[fn] = append(vectors[fn], []uint32{uint32(len(b.Instrs))})
		}
	}
	return vectors
}

// randomExecutions invents executions of most constructs: with no others around them, and
// inside others, which are not told.
func randomExecutions(r *rand.Rand, l *literal) *profile.Executions {
	x := &profile.Executions{Kinds: []string{"work"}, Weights: []uint32{8}, Vectors: instructions(l.prog)}
	for region := range l.prog.Regions {
		for construct, c := range l.prog.Regions[region].Constructs {
			for _, nested := range []bool{false, true} {
				if r.Intn(5) == 0 || nested && r.Intn(2) == 0 {
					continue
				}
				for count := uint64(1 + r.Intn(9)); count > 0; count-- {
					e := profile.Execution{Region: region, Construct: construct, Count: count}
					for range c.Sections {
						e.Lanes = append(e.Lanes, []profile.ExecutionPart{{Work: []float64{float64(r.Intn(400)) / 8}, Entry: -1, Times: 1}})
					}
					if !nested {
						x.Roots = append(x.Roots, profile.ExecutionRoot{Entry: len(x.Entries), Count: count})
					}
					x.Entries = append(x.Entries, e)
				}
			}
		}
	}
	if x.Entries == nil {
		return nil
	}
	return x
}

// onlyRoots drops executions inside others.
func onlyRoots(x *profile.Executions) *profile.Executions {
	if x == nil || x.Roots == nil {
		return nil
	}
	out := &profile.Executions{Kinds: x.Kinds, Weights: x.Weights, Vectors: x.Vectors}
	for i, root := range x.Roots {
		out.Roots = append(out.Roots, profile.ExecutionRoot{Entry: i, Count: root.Count})
		out.Entries = append(out.Entries, x.Entries[root.Entry])
	}
	return out
}

// RandomTrees returns a program as RandomCase does, with executions as trees: sections
// execute regions with higher numbers, some times in a row.
func RandomTrees(t testing.TB, seed int64) (*Estimator, []*mapping.Resolved) {
	t.Helper()
	l := randomLiteral(t, seed, false, 3)
	r := rand.New(rand.NewSource(seed))
	x := &profile.Executions{Kinds: []string{"work"}, Weights: []uint32{8}, Vectors: instructions(l.prog)}
	for region := len(l.prog.Regions) - 1; region >= 0; region-- {
		inner := len(x.Entries) // entries of later regions
		for construct, c := range l.prog.Regions[region].Constructs {
			for range 1 + r.Intn(3) {
				e := profile.Execution{Region: region, Construct: construct}
				for range c.Sections {
					var lane []profile.ExecutionPart
					for range 1 + r.Intn(2) {
						p := profile.ExecutionPart{Work: []float64{float64(r.Intn(400)) / 8}, Entry: -1, Times: 1}
						if inner > 0 && r.Intn(2) == 0 {
							p.Entry, p.Times = r.Intn(inner), uint64(1+r.Intn(3))
						}
						lane = append(lane, p)
					}
					e.Lanes = append(e.Lanes, lane)
				}
				x.Roots = append(x.Roots, profile.ExecutionRoot{Entry: len(x.Entries), Count: uint64(1 + r.Intn(5))})
				x.Entries = append(x.Entries, e)
			}
		}
	}
	for _, root := range x.Roots {
		x.Entries[root.Entry].Count += root.Count
	}
	for i := len(x.Entries) - 1; i >= 0; i-- {
		for _, lane := range x.Entries[i].Lanes {
			for _, p := range lane {
				if p.Entry >= 0 {
					x.Entries[p.Entry].Count += x.Entries[i].Count * p.Times
				}
			}
		}
	}
	if x.Entries != nil {
		l.bundle.Executions = x
	}
	a, err := Prepare(l.bundle, "f0")
	if err != nil {
		t.Fatal(err)
	}
	procs := unequal(r, 1+r.Intn(4), l.costs)
	if seed%3 == 0 {
		procs = equal(1+r.Intn(4), l.costs)
	}
	e := onRandom(t, a, l, seed, r, procs)
	return e, []*mapping.Resolved{randomMapping(r, e), randomMapping(r, e), randomMapping(r, e)}
}

// WorkedExample is the paper's example in a situation, on two processors.
func WorkedExample(t testing.TB, situation byte) *Estimator {
	return fun0Literal(t, situation).estimator("fun_0", 2)
}

// WorkedExampleAt is the same on processors of some clocks.
func WorkedExampleAt(t testing.TB, situation byte, clockMHz ...float64) *Estimator {
	l := fun0Literal(t, situation)
	a, err := Prepare(l.bundle, "fun_0")
	if err != nil {
		t.Fatal(err)
	}
	p := equal(len(clockMHz), l.costs)
	p.ClockMHz = clockMHz
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// NestedExample executes a region within a section, and once more behind it
// (semantics_test.go), on two processors.
func NestedExample(t *testing.T) *Estimator { return nestedLiteral(t).estimator("", 2) }

// Countdown calls itself so many times from within a section (recursion_test.go).
func Countdown(t *testing.T, calls uint64) *Estimator { return countdown(t, calls).estimator("", 2) }

// Onto maps the sections of the first construct.
func (e *Estimator) Onto(procs ...int) *mapping.Resolved { return e.onto(procs...) }
