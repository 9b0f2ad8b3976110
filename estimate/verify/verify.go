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
	"pathspan/replay"
)

// ErrNone says that there is no second way to a result: rows that say only on average what
// is inside their sections, or regions in sections, which compete for processors where the
// paper's technique lets them find all free; or paths through worksharing loops; with memory, all but sections.
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
	p, err := pathwise.New(pathwise.Subject{Bundle: e.Bundle, Root: e.Root, Costs: e.Costs, ClockMHz: e.ClockMHz, Overheads: e.Overheads})
	return &Verifier{e, p}, err
}

// Result compares a result with its second computation.
func (v *Verifier) Result(m *mapping.Resolved, t estimate.Technique, r *estimate.Result) error {
	e := v.e
	if e.KnowsMemory() {
		return v.memory(m, t, r)
	}
	if second, err := pathwise.ParseTechnique(t.String()); err == nil {
		s, err := e.NewSpace(m.Serial, estimate.PathBased)
		if err != nil || s.HasGeneral() || slices.ContainsFunc(s.Units, func(u table.Unit) bool { return u.Loop }) {
			return ErrNone
		}
		f, err := v.p.Estimate(m, second)
		if err != nil {
			return err
		}
		return f.Compare(r.SequentialCycles, r.ParallelCycles)
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

// memory compares a result with what data cost in it that lie elsewhere: replay and package pathwise move nothing.
func (v *Verifier) memory(m *mapping.Resolved, t estimate.Technique, r *estimate.Result) error {
	if !t.HasRows() {
		return ErrNone
	}
	rows, err := v.e.RowsUnder(t, m)
	if err != nil {
		return err
	}
	cycles, ok := withMemory(v.e, rows, m)
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
	plan := replay.Counting(e.Costs, unitsOf(e, rows))
	kind := make([]int, plan.Meters.Count) // of a processor that each meter is for
	for p := range e.Costs {
		kind[plan.Meter(e.Costs[p])] = p
	}
	total := rows.Base[rows.KindOf[m.Serial]]
	for _, root := range rows.Roots {
		stream, ok := streamOf(e, rows, root.Execution, plan, kind)
		if !ok {
			return 0, ErrNone
		}
		plan.TellLoops(rows.Loops(root.Execution))
		sim, err := replay.NewSimulator(plan, m, e.Costs, e.ClockMHz, e.Overheads, e.Bundle.Program)
		if err != nil {
			return 0, err
		}
		if _, err := replay.Read(bytes.NewReader(stream), plan, []*replay.Simulator{sim}); err != nil {
			return 0, err
		}
		total += root.Weight * sim.Parallel() * e.ClockMHz[0] / e.ClockMHz[m.Serial]
	}
	return total, nil
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
func streamOf(e *estimate.Estimator, rows *table.Table, execution int, plan *replay.Plan, kind []int) ([]byte, bool) {
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
	ok := rows.Walk(execution, func(s table.Step) {
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
