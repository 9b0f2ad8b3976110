package validate

// This file says where the errors against references come from: what they were made with is
// replaced one by one, by what replay knows and then by what the reference tells.

import (
	"cmp"
	"fmt"
	"slices"

	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/replay"
	"pathspan/validate/ledger"
)

// played is what replay says of a target, in cycles of the serial processor.
type played struct {
	sequential, parallel float64
	bare                 float64 // the parallel cycles without any overhead
}

func (p *played) speedup() float64   { return p.sequential / p.parallel }
func (p *played) overheads() float64 { return p.parallel - p.bare }

// replayed is the simulators of a target: with and without overheads; memory has those that
// accesses go through, nil where they do not.
type replayed struct{ plain, bare, memory, memoryBare *replay.Simulator }

// replayedOn makes the simulators of a target. A program whose accesses are not replayed goes
// without.
func (u *unit) replayedOn(t *target, add func(t *target, m *mapping.Resolved, overheads []procmodels.Overheads, memory bool) (*replay.Simulator, error)) (r replayed, err error) {
	none := *t.procs.Platform
	none.Other = mapping.Overheads{}
	bare := *t.m
	bare.Platform = &none
	free := make([]procmodels.Overheads, len(t.procs.Costs))
	if r.plain, err = add(t, t.m, t.procs.Overheads, false); err != nil {
		return r, err
	}
	if r.bare, err = add(t, &bare, free, false); err != nil || !u.v.Memory || t.procs.Platform.Hierarchy == nil {
		return r, err
	}
	if r.memory, err = add(t, t.m, t.procs.Overheads, true); err != nil {
		r.memory = nil
		u.notes = append(u.notes, fmt.Sprintf("%s: replay leaves memory out: %v", u.program.Name, err))
		return r, nil
	}
	t.memory = true
	r.memoryBare, err = add(t, &bare, free, true)
	return r, err
}

// read takes the results of the simulators.
func (r *replayed) read(t *target) {
	t.plain = played{r.plain.Sequential(), r.plain.Parallel(), r.bare.Parallel()}
	t.full = t.plain
	if r.memory != nil {
		t.full = played{r.memory.Sequential(), r.memory.Parallel(), r.memoryBare.Parallel()}
	}
}

// comparison is a figure of a reference with the rows that compare it, one a technique.
type comparison struct {
	unit                 *unit
	target               *target
	first                int     // of its rows in the unit's
	sequential, parallel float64 // of the reference, in cycles of the serial processor
}

// compared remembers the last rows, which compare a target with one figure.
func (u *unit) compared(t *target) {
	c := comparison{unit: u, target: t, first: len(u.rows) - len(t.results)}
	r := &u.rows[c.first]
	if c.sequential, c.parallel = r.ReferenceSequentialCycles, r.ReferenceParallelCycles; c.parallel == 0 {
		hertz := t.procs.ClockMHz[t.m.Serial] * 1e6
		c.sequential, c.parallel = r.ReferenceSequentialSeconds*hertz, r.ReferenceParallelSeconds*hertz
	}
	u.against = append(u.against, c)
}

// rows returns the rows of the comparison, one a technique.
func (c *comparison) rows() []ledger.Row { return c.unit.rows[c.first:][:len(c.target.results)] }

// scaled returns the parallel cycles with block costs and waits that make the sequential
// cycles the reference's, and overheads times a factor. Overheads are taken to add up.
func (c *comparison) scaled(factor float64) float64 {
	full := &c.target.full
	return c.sequential/full.sequential*full.bare + factor*full.overheads()
}

// fewestPrograms is how many must have overheads for their factor to be told: of fewer, a wrong cost
// of their sections looks just the same.
const fewestPrograms = 3

// overheadFactor returns the one factor on all overheads by which the parallel cycles come
// nearest to the reference, by the mean of absolute relative errors: a weighted median.
func overheadFactor(all []*comparison) (factor float64, told bool) {
	type vote struct{ factor, weight float64 }
	var votes []vote
	programs := map[string]bool{}
	total := 0.0
	for _, c := range all {
		if o := c.target.full.overheads(); o > 0 {
			v := vote{(c.parallel - c.scaled(0)) / o, o / c.parallel}
			votes, total = append(votes, v), total+v.weight
			programs[c.unit.program.Name] = true
		}
	}
	if len(programs) < fewestPrograms {
		return 0, false
	}
	slices.SortFunc(votes, func(a, b vote) int { return cmp.Or(cmp.Compare(a.factor, b.factor), cmp.Compare(a.weight, b.weight)) })
	sum := 0.0
	for _, v := range votes {
		if sum += v.weight; sum >= total/2 {
			return max(v.factor, 0), true
		}
	}
	return 0, false
}

// share gives rows their shares; overheads are told by all units together.
func share(units []*unit) {
	type series struct{ reference, model, host string }
	groups := map[series][]*comparison{}
	for _, u := range units {
		for i := range u.against {
			c := &u.against[i]
			r := &c.rows()[0]
			s := series{r.Reference, r.Model, r.Host}
			groups[s] = append(groups[s], c)
		}
	}
	for _, group := range groups {
		factor, told := overheadFactor(group)
		for _, c := range group {
			rows := c.rows()
			for k := range rows {
				rows[k].SetShares(c.shares(k, factor, told))
				if told {
					rows[k].OverheadFactor = factor
				}
			}
		}
	}
}

// shares returns the shares of a technique's errors but the rest.
func (c *comparison) shares(k int, factor float64, told bool) []ledger.Share {
	t := c.target
	est := &t.results[k]
	without := est
	if t.without != nil {
		without = &t.without[k]
	}
	speedup := func(a, b float64) float64 { return (a - b) / (c.sequential / c.parallel) }
	technique := ledger.Share{Of: ledger.OfTechnique, Speedup: speedup(without.Speedup, t.plain.speedup()), Sequential: (without.SequentialCycles - t.plain.sequential) / c.sequential}
	all := []ledger.Share{technique}
	if t.memory {
		all = append(all, ledger.Share{Of: ledger.OfMemory, Speedup: speedup(est.Speedup, t.full.speedup()) - technique.Speedup,
			Sequential: (est.SequentialCycles-t.full.sequential)/c.sequential - technique.Sequential})
	}
	costed := c.sequential / c.scaled(1)
	all = append(all, ledger.Share{Of: ledger.OfBlockCosts, Speedup: speedup(t.full.speedup(), costed), Sequential: t.full.sequential/c.sequential - 1})
	if told {
		all = append(all, ledger.Share{Of: ledger.OfOverheads, Speedup: speedup(costed, c.sequential/c.scaled(factor))})
	}
	return all
}
