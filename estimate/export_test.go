package estimate

// This file lends random programs to tests of packages that import this one.

import (
	"math/rand"
	"testing"

	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
)

// WorkedExample returns the program of the paper's Appendix A in situation a or b, on two
// processors, under SolB.
func WorkedExample(t testing.TB, situation byte) (*Estimator, *mapping.Resolved) {
	e := fun0Literal(t, situation).estimator("fun_0", 2)
	return e, e.onto(0, 1, 0)
}

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
	return onMappings(t, l, root, seed, r)
}

// RandomTrees returns a random program that executes constructs inside others, which its
// paths need not know.
func RandomTrees(t testing.TB, seed int64) (*Analysis, Processors, []*mapping.Resolved) {
	t.Helper()
	l := randomLiteral(t, seed, false, 3)
	r := rand.New(rand.NewSource(seed))
	l.bundle.Executions = randomTrees(r, l)
	l.prog.Funcs[0].Name = DefaultRoot
	return onMappings(t, l, DefaultRoot, seed, r)
}

// onMappings prices a random program and maps it.
func onMappings(t testing.TB, l *literal, root string, seed int64, r *rand.Rand) (*Analysis, Processors, []*mapping.Resolved) {
	t.Helper()
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

// randomTrees invents executions of all constructs, in whose sections are others of any
// construct.
func randomTrees(r *rand.Rand, l *literal) *pathprof.Executions {
	x := &pathprof.Executions{Kinds: []string{pathprof.ReferenceCycles}}
	for depth := range 3 {
		made := len(x.Entries)
		for region := range l.prog.Regions {
			for construct, c := range l.prog.Regions[region].Constructs {
				e := pathprof.Execution{Region: region, Construct: construct}
				for range c.Sections {
					var lane []pathprof.ExecutionPart
					for range 1 + r.Intn(2) {
						p := pathprof.ExecutionPart{Work: []float64{float64(r.Intn(400)) / 8}, Entry: -1, Times: 1}
						if made > 0 && r.Intn(2) == 0 {
							p.Entry, p.Times = r.Intn(made), uint64(1+r.Intn(3))
						}
						lane = append(lane, p)
					}
					e.Lanes = append(e.Lanes, lane)
				}
				if depth == 2 || r.Intn(3) == 0 {
					e.Count = uint64(1 + r.Intn(9))
					x.Roots = append(x.Roots, pathprof.ExecutionRoot{Entry: len(x.Entries), Count: e.Count})
				}
				x.Entries = append(x.Entries, e)
			}
		}
	}
	for i := len(x.Entries) - 1; i >= 0; i-- { // those inside come before those that hold them
		for _, lane := range x.Entries[i].Lanes {
			for _, p := range lane {
				if p.Entry >= 0 {
					x.Entries[p.Entry].Count += x.Entries[i].Count * p.Times
				}
			}
		}
	}
	if x.Entries == nil {
		return nil
	}
	return x
}

// randomExecutions invents executions of most constructs: with no others around them, and
// inside others, which are not told.
func randomExecutions(r *rand.Rand, l *literal) *pathprof.Executions {
	x := &pathprof.Executions{Kinds: []string{pathprof.ReferenceCycles}}
	for region := range l.prog.Regions {
		for construct, c := range l.prog.Regions[region].Constructs {
			for _, nested := range []bool{false, true} {
				if r.Intn(5) == 0 || nested && r.Intn(2) == 0 {
					continue
				}
				for count := uint64(1 + r.Intn(9)); count > 0; count-- {
					e := pathprof.Execution{Region: region, Construct: construct, Count: count}
					for range c.Sections {
						e.Lanes = append(e.Lanes, []pathprof.ExecutionPart{{Work: []float64{float64(r.Intn(400)) / 8}, Entry: -1, Times: 1}})
					}
					if !nested {
						x.Roots = append(x.Roots, pathprof.ExecutionRoot{Entry: len(x.Entries), Count: count})
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
func onlyRoots(x *pathprof.Executions) *pathprof.Executions {
	if x == nil || x.Roots == nil {
		return nil
	}
	out := &pathprof.Executions{Kinds: x.Kinds}
	for i, root := range x.Roots {
		out.Roots = append(out.Roots, pathprof.ExecutionRoot{Entry: i, Count: root.Count})
		out.Entries = append(out.Entries, x.Entries[root.Entry])
	}
	return out
}
