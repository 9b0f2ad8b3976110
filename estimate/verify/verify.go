// Package verify estimates a second time by what shares no code with the first: rows are
// scheduled by the simulator of package replay, as if they had been recorded; paths are
// followed from the definitions by package pathwise; rows with memory are worked off here, with what moves.
package verify

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"pathspan/build/probe"
	"pathspan/estimate"
	"pathspan/estimate/pathwise"
	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/replay"
)

// ErrNone says that there is no second way to a result: rows that say only on average what
// is inside their sections, or regions in sections, which compete for processors where the
// paper's technique lets them find all free; or paths through worksharing loops; with memory, rows of all but sections and stages.
var ErrNone = errors.New("verify: no second computation")

// tolerance is the relative difference up to which a row's two times agree: the simulator
// counts work in whole units.
const tolerance = 1e-6

// Verifier computes results of one estimator a second time.
type Verifier struct {
	e *estimate.Estimator
	p *pathwise.Program
}

// New returns the verifier of an estimator.
func New(e *estimate.Estimator) (*Verifier, error) {
	p, err := pathwise.New(pathwise.Subject{Bundle: e.Bundle, Root: e.Root, Costs: e.Charged, ClockMHz: e.ClockMHz, Overheads: e.Overheads})
	return &Verifier{e, p}, err
}

// Result compares a result with its second computation.
func (v *Verifier) Result(m *mapping.Resolved, t estimate.Technique, r *estimate.Result) error {
	e := v.e
	if e.KnowsMemory() {
		return v.memory(m, t, r)
	}
	if second, err := pathwise.ParseTechnique(t.String()); err == nil {
		return v.byPaths(m, second, r)
	}
	rows, err := e.RowsUnder(t, m)
	if err != nil {
		return err
	}
	cycles, err := byReplay(e, rows, m)
	if err != nil {
		return err
	}
	cycles *= e.ClockMHz[m.Serial] / e.ClockMHz[0]
	if !(math.Abs(cycles-r.ParallelCycles) <= tolerance*math.Max(cycles, r.ParallelCycles)) {
		return fmt.Errorf("parallel cycles are %v, rows scheduled by replay give %v", r.ParallelCycles, cycles)
	}
	return nil
}

// byPaths compares a result with what paths give that are followed from the definitions.
func (v *Verifier) byPaths(m *mapping.Resolved, second pathwise.Technique, r *estimate.Result) error {
	s, err := v.e.NewSpace(m.Serial, estimate.PathBased)
	if err != nil || s.HasGeneral() || slices.ContainsFunc(s.Units, func(u table.Unit) bool { return u.Loop }) {
		return ErrNone
	}
	f, err := v.p.Estimate(m, second)
	if err != nil {
		return err
	}
	return f.Compare(r.SequentialCycles, r.ParallelCycles)
}

// memory compares a result with what data cost in it that lie elsewhere. What has no rows knows what accesses wait for, which is in what
// paths cost, and of nothing that moves.
func (v *Verifier) memory(m *mapping.Resolved, t estimate.Technique, r *estimate.Result) error {
	if !t.HasRows() {
		second, err := pathwise.ParseTechnique(t.String())
		if err != nil {
			return ErrNone
		}
		return v.byPaths(m, second, r)
	}
	rows, err := v.e.RowsUnder(t, m)
	if err != nil {
		return err
	}
	cycles, ok, err := withMemory(v.e, rows, m)
	if err != nil {
		return err
	}
	if !ok {
		return ErrNone
	}
	cycles *= v.e.ClockMHz[m.Serial] / v.e.ClockMHz[0]
	if !(math.Abs(cycles-r.ParallelCycles) <= tolerance*math.Max(cycles, r.ParallelCycles)) {
		return fmt.Errorf("parallel cycles are %v, rows that are worked off with their transfers give %v", r.ParallelCycles, cycles)
	}
	return nil
}

// byReplay returns the time of the program in cycles of processor 0.
func byReplay(e *estimate.Estimator, rows *table.Table, m *mapping.Resolved) (float64, error) {
	x := newRowReplay(e, rows, m)
	total := rows.Base[rows.KindOf[m.Serial]]
	for _, root := range rows.Roots {
		takes, err := x.takes(root.Execution, nil)
		if err != nil {
			return 0, err
		}
		total += root.Weight * takes
	}
	return total, nil
}

// rowReplay schedules rows as if they had been recorded.
type rowReplay struct {
	e    *estimate.Estimator
	rows *table.Table
	m    *mapping.Resolved
	plan *replay.Plan
	// By processor, those of a kind one: where processors wait for memory otherwise, rows have times of their own for those that costs
	// do not tell apart.
	costs []*procmodels.Costs
	kind  []int // of a processor that each meter is for
}

func newRowReplay(e *estimate.Estimator, rows *table.Table, m *mapping.Resolved) *rowReplay {
	x := &rowReplay{e: e, rows: rows, m: m}
	for p, k := range rows.KindOf {
		own := *e.Costs[p]
		if at := slices.Index(rows.KindOf, k); at < p {
			x.costs = append(x.costs, x.costs[at])
		} else {
			x.costs = append(x.costs, &own)
		}
	}
	x.plan = replay.Counting(x.costs, unitsOf(e, rows))
	x.kind = make([]int, x.plan.Meters.Count)
	for p := range x.costs {
		x.kind[x.plan.Meter(x.costs[p])] = p
	}
	return x
}

// takes is what an execution takes in cycles of processor 0, whose stages bring in what carried says; nil for nothing.
func (x *rowReplay) takes(execution int, carried *carrier) (float64, error) {
	stream, ok := streamOf(x.e, x.rows, execution, x.m, x.plan, x.kind)
	if !ok {
		return 0, ErrNone
	}
	x.plan.TellLoops(x.rows.Loops(execution, x.m))
	sim, err := replay.NewSimulator(x.plan, x.m, x.costs, x.e.ClockMHz, x.e.Overheads, x.e.Bundle.Program)
	if err != nil {
		return 0, err
	}
	if carried != nil {
		sim.Carry(carried, carried.rates())
	}
	if _, err := replay.Read(bytes.NewReader(stream), x.plan, []*replay.Simulator{sim}); err != nil {
		return 0, err
	}
	return sim.Parallel() * x.e.ClockMHz[0] / x.e.ClockMHz[x.m.Serial], nil
}

// unitsOf returns in how many units a cycle is counted: many, but so that no execution takes
// more than a meter holds.
func unitsOf(e *estimate.Estimator, rows *table.Table) float64 {
	most := 1.0
	for _, root := range rows.Roots {
		for p, kind := range rows.KindOf {
			all := 0.0
			for s := range rows.Sections(root.Execution) {
				x, _ := rows.Alone(root.Execution, s, kind)
				all += x * e.ClockMHz[p] / e.ClockMHz[0]
			}
			most = math.Max(most, all)
		}
	}
	return math.Min(1<<20, 1<<60/most)
}

// mostTold is how many iterations one event can tell of.
const mostTold = 1<<16 - 1

// streamOf tells an execution as a metered program would.
func streamOf(e *estimate.Estimator, rows *table.Table, execution int, m *mapping.Resolved, plan *replay.Plan, kind []int) ([]byte, bool) {
	var out []byte
	put := func(own []float64, event uint64) {
		out = binary.LittleEndian.AppendUint64(out, event)
		for _, p := range kind {
			units := 0.0
			if own != nil {
				units = own[rows.KindOf[p]] * e.ClockMHz[p] / e.ClockMHz[0] * plan.Scale
			}
			out = binary.LittleEndian.AppendUint64(out, uint64(math.Round(units)))
		}
	}
	put(nil, probe.Event(probe.RootBegin, 0, 0, 0))
	ok := rows.Walk(execution, m, func(s table.Step) {
		if s.Chunk > 0 {
			put(s.Own, probe.LoopIterations<<56|uint64(s.Iterations))
			put(nil, probe.LoopChunk<<56|uint64(s.Chunk))
			return
		}
		if s.Iterations > 0 { // what they do is in the first of them
			own := s.Own
			for n := s.Iterations; n > 0; n, own = n-mostTold, nil {
				put(own, probe.Event(probe.Iteration, s.Region, s.Construct, int(min(n, mostTold))))
			}
			return
		}
		put(s.Own, probe.Event(int(s.Mark), s.Region, s.Construct, s.Section))
		for _, d := range s.After {
			put(nil, probe.TaskDistance<<56|d)
		}
	})
	put(nil, probe.Event(probe.RootEnd, 0, 0, 0))
	put(nil, probe.Event(probe.StreamEnd, 0, 0, 0))
	return out, ok
}
