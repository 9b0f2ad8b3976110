package estimate

// This file carries the uncertainty of the models' costs to the estimates: the costs are
// drawn many times, and everything is estimated with each draw.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"pathspan/mapping"
	"pathspan/procmodels"
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

// Spread holds the trials of one case.
type Spread struct {
	Trials [][][]Trial // [mapping][technique][trial], trial i from the same draw everywhere
	Failed int         // draws under which a recursion has no solution; not among the trials
}

// Spread estimates each case under n draws of its models' costs. Processors of one
// model (one pointer in Costs) share a draw, whatever their clocks, in all cases;
// different models are drawn independently. Cases that are Exact are nil. The result
// depends on the arguments alone, not on the number of cores.
func (a *Analysis) Spread(cases []Case, techniques []Technique, n int, seed uint64) ([]*Spread, error) {
	out := make([]*Spread, len(cases))
	models := map[*procmodels.Costs]uint64{} // numbered by first use
	for i := range cases {
		for _, c := range cases[i].Costs {
			if _, ok := models[c]; !ok {
				models[c] = uint64(len(models))
			}
		}
		if n > 0 && !cases[i].Exact() {
			out[i] = &Spread{}
		}
	}
	if !slices.ContainsFunc(out, func(s *Spread) bool { return s != nil }) {
		return out, nil
	}
	draws := make([][][]Trial, n) // [draw][case]: its mappings' trials by technique
	errs := make([]error, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				drawn := map[*procmodels.Costs]*procmodels.Costs{}
				for c, number := range models {
					drawn[c] = c.Sample(rand.New(rand.NewPCG(seed, mixed(uint64(i)<<16|number))))
				}
				draws[i], errs[i] = a.draw(cases, out, drawn, techniques)
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i+1, err)
		}
	}
	for k, s := range out {
		if s != nil {
			s.collect(draws, k, len(cases[k].Mappings), len(techniques))
		}
	}
	return out, nil
}

// draw estimates the cases that have a spread with drawn costs. The trials of a case
// under which a recursion has no solution are nil.
func (a *Analysis) draw(cases []Case, spreads []*Spread, drawn map[*procmodels.Costs]*procmodels.Costs, techniques []Technique) ([][]Trial, error) {
	out := make([][]Trial, len(cases))
	var shared *Estimator
	for k := range cases {
		if spreads[k] == nil {
			continue
		}
		p := cases[k].Processors
		p.Costs = slices.Clone(p.Costs)
		for i, c := range p.Costs {
			p.Costs[i] = drawn[c]
		}
		e := shared.moved(p)
		if e == nil {
			var err error
			if e, err = a.On(p); err != nil {
				return nil, err
			}
			shared = e
		}
		var err error
		if out[k], err = e.trials(cases[k].Mappings, techniques); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// trials estimates mappings by techniques; nil when a recursion has no solution.
func (e *Estimator) trials(mappings []*mapping.Resolved, techniques []Technique) ([]Trial, error) {
	var out []Trial
	for _, m := range mappings {
		for _, t := range techniques {
			r, err := e.Estimate(m, t)
			if errors.Is(err, errNoSolution) {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			out = append(out, Trial{r.SequentialSeconds, r.ParallelSeconds})
		}
	}
	return out, nil
}

// moved returns an estimator for other processors of the same kinds, as when platforms
// differ in how many there are of each, without pricing anything; nil when some kind is
// another, or cycles are of another processor.
func (e *Estimator) moved(p Processors) *Estimator {
	if e == nil || p.ClockMHz[0] != e.ClockMHz[0] {
		return nil
	}
	p.defaultOverheads()
	to := &Estimator{
		Analysis: e.Analysis, Processors: p, kinds: e.kinds, factor: e.factor, after: e.after,
		serial: e.serial, maximal: e.maximal, hot: e.hot, hotOf: e.hotOf, shares: e.shares,
	}
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

func (s *Spread) collect(draws [][][]Trial, k, mappings, techniques int) {
	s.Trials = make([][][]Trial, mappings)
	for m := range s.Trials {
		s.Trials[m] = make([][]Trial, techniques)
	}
	for _, d := range draws {
		if d[k] == nil {
			s.Failed++
			continue
		}
		for i, t := range d[k] {
			s.Trials[i/techniques][i%techniques] = append(s.Trials[i/techniques][i%techniques], t)
		}
	}
}

// mixed spreads a number over 64 bits, so that neighbouring samples start far apart.
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
