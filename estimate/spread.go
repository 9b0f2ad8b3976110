package estimate

// This file carries the uncertainty of the models' costs to the estimates: the costs are
// drawn many times, and everything is estimated with each draw.

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"

	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/workers"
)

// Case is a platform with mappings to estimate on it.
type Case struct {
	Processors
	Mappings []*mapping.Resolved
}

// Exact reports that no model of the case gives uncertain costs.
func (c *Case) Exact() bool {
	for i, costs := range c.Costs {
		if !slices.Contains(c.Costs[:i], costs) && !costs.Exact() {
			return false
		}
	}
	return true
}

// Trial is an estimate with one draw of the costs, in seconds.
type Trial struct{ Sequential, Parallel float64 }

// Speedup is that of eq. 12, 1 where nothing takes any time.
func (t Trial) Speedup() float64 {
	if t.Parallel > 0 {
		return t.Sequential / t.Parallel
	}
	return 1
}

// Spread holds the trials of one case: [mapping][technique][trial], trial i from the
// same draw everywhere.
type Spread [][][]Trial

// Spread estimates each case under n draws of its models' costs. Processors of one
// model (one pointer in Costs) share a draw, whatever their clocks, in all cases;
// different models are drawn independently. Cases that are Exact are nil. The result
// depends on the arguments alone, not on the number of cores.
func (a *Analysis) Spread(cases []Case, techniques []Technique, n int, seed uint64) ([]Spread, error) {
	out := make([]Spread, len(cases))
	models := map[*procmodels.Costs]uint64{} // numbered by first use
	for i := range cases {
		for _, c := range cases[i].Costs {
			if _, ok := models[c]; !ok {
				models[c] = uint64(len(models))
			}
		}
		if n > 0 && !cases[i].Exact() {
			out[i] = newSpread(len(cases[i].Mappings), len(techniques), n)
		}
	}
	if !slices.ContainsFunc(out, func(s Spread) bool { return s != nil }) {
		return out, nil
	}
	errs := make([]error, n)
	var next atomic.Int64
	var wait workers.Group
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				drawn := map[*procmodels.Costs]*procmodels.Costs{}
				for c, number := range models {
					drawn[c] = c.Sample(rand.New(rand.NewPCG(seed, mixed(uint64(i)<<16|number))))
				}
				errs[i] = a.draw(i, cases, out, drawn, techniques)
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i+1, err)
		}
	}
	return out, nil
}

func newSpread(mappings, techniques, n int) Spread {
	s := make(Spread, mappings)
	for m := range s {
		s[m] = make([][]Trial, techniques)
		for t := range s[m] {
			s[m][t] = make([]Trial, n)
		}
	}
	return s
}

// draw fills trial i of the cases that have a spread, with drawn costs.
func (a *Analysis) draw(i int, cases []Case, spreads []Spread, drawn map[*procmodels.Costs]*procmodels.Costs, techniques []Technique) error {
	var shared *Estimator
	for k := range cases {
		if spreads[k] == nil {
			continue
		}
		p := cases[k].Processors
		p.Costs = slices.Clone(p.Costs)
		for n, c := range p.Costs {
			p.Costs[n] = drawn[c]
		}
		e := shared.moved(p)
		if e == nil {
			var err error
			if e, err = a.On(p); err != nil {
				return err
			}
			shared = e
		}
		for m, resolved := range cases[k].Mappings {
			for t, technique := range techniques {
				r, err := e.Estimate(resolved, technique)
				if err != nil {
					return err
				}
				spreads[k][m][t][i] = Trial{r.SequentialSeconds, r.ParallelSeconds}
			}
		}
	}
	return nil
}

// moved returns an estimator for other processors of the same kinds, as when platforms
// differ in how many there are of each, without pricing anything; nil when some kind is
// another, or cycles are of another processor.
func (e *Estimator) moved(p Processors) *Estimator {
	if e == nil || p.ClockMHz[0] != e.ClockMHz[0] || p.Platform.Hierarchy != nil || e.Platform.Hierarchy != nil {
		return nil
	}
	p.defaultOverheads()
	to := &Estimator{Analysis: e.Analysis, Processors: p, Charged: p.Costs, priced: e.priced, rows: &rowsOf{}}
	for i := range p.Costs {
		at := slices.Index(e.kinds, kind{p.Costs[i], p.ClockMHz[i]})
		if at < 0 {
			return nil
		}
		to.kindOf = append(to.kindOf, at)
	}
	to.pool.New = func() any { return newEvaluator(to) }
	return to
}

// mixed spreads a number over 64 bits, so that neighbouring samples start far apart.
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
