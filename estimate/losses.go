package estimate

// This file accounts for a mapping by executions. What lies outside of regions is the
// account by paths; in regions each class of executions is booked as pathwise books a
// path.

import (
	"cmp"
	"math"
	"slices"

	"pathspan/estimate/pathwise"
	"pathspan/mapping"
)

// Losses accounts for a mapping by the technique that answers, and names it: by executions
// where they decide alone, which regions within regions prevent, by paths elsewhere.
// byPaths is the account by paths, in which byPaths.Parallel is their estimate.
func (e *Estimator) Losses(byPaths *pathwise.Losses, m *mapping.Resolved) (*pathwise.Losses, Technique, error) {
	if e.Bundle.Executions == nil {
		return byPaths, PathBased, nil
	}
	if e.executions.byPaths {
		return byPaths, ExecutionBased, nil
	}
	parallel, err := e.parallel(m, ExecutionBased)
	if err != nil {
		return nil, 0, err
	}
	micro := 1 / e.ClockMHz[0]
	b := &booking{e: e, m: m, x: byPaths, speed: make([]float64, len(e.kindOf)), micro: micro}
	for _, u := range byPaths.Used {
		b.speed[u.Processor] = u.Speed
	}
	b.out = pathwise.Losses{Sequential: byPaths.Sequential, Parallel: parallel * micro, Used: byPaths.Used, Ideal: byPaths.Ideal, Gap: byPaths.Gap}
	b.out.Gap.Regions = nil
	inside := 0.0 // of the sequential time
	apart := e.eachConstruct(m, func(t *executionTable, r, c int, often float64) { inside += b.construct(t, r, c, often) })
	if !apart {
		return byPaths, PathBased, nil
	}
	b.serial(byPaths.Sequential - inside)
	slices.SortStableFunc(b.out.Gap.Regions, func(x, y pathwise.GapRegion) int { return cmp.Compare(y.Paths-y.Average, x.Paths-x.Average) })
	for k := range b.out.Terms {
		b.out.Terms[k].Sort()
	}
	return &b.out, ExecutionBased, nil
}

// SpanByExecutions returns the time with a processor like the serial one for each section,
// overheads left out, in seconds: of each execution of a construct the longest section
// counts. It reports false where executions do not decide alone; see Accounted.
func (e *Estimator) SpanByExecutions(serial int) (seconds float64, ok bool) {
	if e.Bundle.Executions == nil || e.executions.byPaths {
		return 0, false
	}
	kind := e.kindOf[serial]
	span := e.serial[e.Root].levels[0][kind]
	ok = e.eachConstruct(mapping.OnOne(e.Platform, serial, e.Bundle.Program), func(t *executionTable, r, c int, often float64) {
		for k, w := range t.weight {
			all, longest := 0.0, 0.0
			for s := range e.means[kind][r][c] {
				x := e.inClass(t, k, kind, r, c, s)
				all, longest = all+x, max(longest, x)
			}
			span -= often * w * (all - longest)
		}
	})
	return span / (e.ClockMHz[0] * 1e6), ok
}

// booking makes an account.
type booking struct {
	e     *Estimator
	m     *mapping.Resolved
	x     *pathwise.Losses
	out   pathwise.Losses
	speed []float64 // by processor; 0 when it takes no part
	micro float64   // microseconds of a cycle of processor 0
}

// book adds work, in cycles, to a loss.
func (b *booking) book(k pathwise.Kind, item pathwise.Item, work float64) {
	if work == 0 {
		return
	}
	item.Micros = work * b.micro / b.out.Ideal
	b.out.Terms[k].Add(item)
}

// serial books the code outside of regions, where the account by paths has found it.
func (b *booking) serial(micros float64) {
	lost, before := micros*(1-1/b.out.Ideal), &b.x.Terms[pathwise.Serial]
	if before.Micros <= 0 {
		item := pathwise.NoPlace
		item.Micros = lost
		b.out.Terms[pathwise.Serial].Add(item)
		return
	}
	for _, item := range before.Items {
		item.Micros *= lost / before.Micros
		b.out.Terms[pathwise.Serial].Add(item)
	}
}

// construct books the executions of a construct and returns what their sections take on the
// serial processor, in microseconds.
func (b *booking) construct(t *executionTable, r, c int, often float64) float64 {
	e, rm := b.e, &b.m.Regions[r]
	proc, serial := rm.Proc[c], e.kindOf[b.m.Serial]
	place := pathwise.NoPlace
	place.Region = r
	at := func(section int) pathwise.Item {
		item := place
		item.Construct, item.Section = c, section
		return item
	}
	forks := slices.ContainsFunc(proc, func(p int) bool { return p != b.m.Serial })
	last := make([]int, len(e.kindOf)) // by processor: the section that ends it
	fixed := make([]float64, len(e.kindOf))
	for _, s := range rm.Order[c] {
		last[proc[s]] = s
		if forks {
			fixed[proc[s]] = e.overhead(proc[s])
		}
	}
	g := pathwise.GapRegion{Region: r, Construct: c, Function: b.function(r)}
	var rows []pathwise.GapRow
	load, mean, most := make([]float64, len(e.kindOf)), slices.Clone(fixed), slices.Clone(fixed)
	largest := make([]float64, len(proc))
	total := 0.0
	for k, w := range t.weight {
		n := often * w
		copy(load, fixed)
		row := pathwise.GapRow{N: n, Times: make([]float64, len(proc))}
		alone := 0.0
		for s, p := range proc {
			x, one := e.inClass(t, k, e.kindOf[p], r, c, s), e.inClass(t, k, serial, r, c, s)
			alone += one
			load[p] += x
			row.Times[s] = x * b.micro
			largest[s] = max(largest[s], x)
			mean[p] += w * x
			if forks {
				if d := x*b.speed[p] - one; math.Abs(d) > sameTime*one {
					b.book(pathwise.Speeds, at(s), n*d)
				}
			}
		}
		total += n * alone
		ends := 0
		for p := range load {
			if load[p] > load[ends] {
				ends = p
			}
		}
		span := load[ends]
		row.Span = span * b.micro
		rows = append(rows, row)
		g.Paths += n * span * b.micro
		if !forks {
			b.book(pathwise.Single, place, n*(b.out.Ideal-1)*span)
			continue
		}
		busy := 0.0
		for p := range load {
			busy += load[p] * b.speed[p]
			b.book(pathwise.Overhead, place, n*fixed[p]*b.speed[p])
		}
		b.book(pathwise.Imbalance, at(last[ends]), n*(b.out.Ideal*span-busy))
	}
	for s, p := range proc {
		most[p] += largest[s]
	}
	g.Average, g.Maximal = often*slices.Max(mean)*b.micro, often*slices.Max(most)*b.micro
	g.Classify(rows)
	b.out.Gap.Regions = append(b.out.Gap.Regions, g)
	return total * b.micro
}

// function is the function that holds a region by its executed paths, or else the root.
func (b *booking) function(region int) int {
	for i := range b.x.Gap.Regions {
		if b.x.Gap.Regions[i].Region == region {
			return b.x.Gap.Regions[i].Function
		}
	}
	return b.e.Root
}
