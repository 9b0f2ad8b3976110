package estimate

// This file collects timelines from the schedules of paths.

import (
	"cmp"
	"fmt"
	"slices"

	"pathspan/htg"
	"pathspan/mapping"
	"pathspan/pathprof"
)

// Timelines shows how the sections of each sections construct that ran lie on the
// processors, with at most the given number of paths each, 0 for all, or of classes of
// executions. The technique must be PathBased, or ExecutionBased where Accounted says so:
// the others schedule neither. Bars and times are those that Estimate
// charges: the executions' times add up to the constructs' part of the parallel time.
//
// A construct inside sections of another is shown where it is met, on the processors that
// it has there; its time is part of the bar of the section around it. A construct that
// stays on one processor is shown there, its sections one after the other.
func (e *Estimator) Timelines(m *mapping.Resolved, t Technique, paths int) ([]Timeline, error) {
	switch t {
	case PathBased:
	case ExecutionBased:
		return e.Timelines(m, PathBased, paths)
	default:
		return nil, fmt.Errorf("estimate: timelines show paths (pb) or executions (eb); technique %s has neither", t)
	}
	c := &timelines{e: e, second: 1 / (e.ClockMHz[m.Serial] * 1e6), at: map[groupPlace]*timeline{}}
	if err := e.eachPath(m, c.path); err != nil {
		return nil, err
	}
	var keys []groupPlace
	for k := range c.at {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b groupPlace) int {
		x, y := &c.at[a].out, &c.at[b].out
		return cmp.Or(cmp.Compare(x.Region, y.Region), cmp.Compare(x.Construct, y.Construct),
			cmp.Compare(a.fn, b.fn), cmp.Compare(a.level, b.level), cmp.Compare(a.group, b.group))
	})
	out := []Timeline{}
	for _, k := range keys {
		out = append(out, c.at[k].finish(paths))
	}
	return out, nil
}

// groupPlace is a group of a level of a function.
type groupPlace struct{ fn, level, group int }

type timelines struct {
	e      *Estimator
	second float64 // seconds in a cycle of the serial processor
	at     map[groupPlace]*timeline
}

// timeline is one that is being made; times are sums over executions.
type timeline struct {
	out   Timeline
	runs  float64 // executions, and traversals of parts of them where no path holds a whole one
	total float64
	bars  []Bar
	count []float64 // by bar: executions that have it
	rows  []TimelinePath
}

// path adds the groups that a path runs through, in the schedules that it rests on.
func (c *timelines) path(x *explainer, fn, path int, weight float64, traversals []levelSchedule) {
	for i := range traversals {
		t := &traversals[i]
		graph := x.f.graphs.Levels[t.level]
		for g := range graph.Groups {
			c.group(x, groupPlace{fn, t.level, g}, path, weight, t)
		}
	}
}

func (c *timelines) group(x *explainer, at groupPlace, path int, weight float64, s *levelSchedule) {
	g := &x.f.graphs.Levels[at.level].Groups[at.group]
	runs := slices.Contains(s.steps, pathprof.Step(g.Begin))
	fork, end, any := s.stop[g.Fork], s.stop[g.Fork], runs
	for i := range g.Sections {
		for _, t := range g.Sections[i].Tasks {
			any = any || s.tpc[t] > 0
			end = max(end, s.stop[t])
		}
	}
	if !any {
		return
	}
	bars := c.bars(x, g, s, runs, fork)
	tl := c.at[at]
	if tl == nil {
		tl = &timeline{out: c.head(x, g, at)}
		c.at[at] = tl
	}
	seconds := (end - fork) * c.second
	tl.total += weight * seconds
	if runs {
		tl.out.Executions += weight
	}
	tl.runs += weight
	for _, b := range bars {
		n := slices.IndexFunc(tl.bars, func(o Bar) bool {
			return o.Kind == b.Kind && o.Section == b.Section && o.Processor == b.Processor
		})
		if n < 0 {
			n = len(tl.bars)
			sum := b
			sum.Start, sum.Stop = 0, 0
			tl.bars, tl.count = append(tl.bars, sum), append(tl.count, 0)
		}
		tl.bars[n].Start += weight * b.Start
		tl.bars[n].Stop += weight * b.Stop
		if runs {
			tl.count[n] += weight
		}
	}
	p := &x.f.prof.Levels[x.level].Paths[path]
	tl.rows = append(tl.rows, TimelinePath{
		ID: p.ID, Level: x.level, Path: path, Count: weight, Share: weight * seconds,
		Text: x.f.text(p.Steps), Seconds: seconds, Bars: bars,
	})
}

// head describes a construct.
func (c *timelines) head(x *explainer, g *htg.Group, at groupPlace) Timeline {
	r := &c.e.Bundle.Program.Regions[g.Region]
	return Timeline{
		Region: g.Region, Construct: g.Construct, Function: x.f.fn.Source, Level: at.level,
		Name: r.Name, File: r.File, Line: r.Constructs[g.Construct].Line,
	}
}

// bars returns those of one execution of a group.
func (c *timelines) bars(x *explainer, g *htg.Group, s *levelSchedule, runs bool, fork float64) []Bar {
	create, sync := make([]float64, len(s.stop)), make([]float64, len(s.stop)) // by task
	if runs && x.planned(s.level) {
		for _, o := range x.state.levels[s.level].overhead {
			switch {
			case int(o.group) != g.Index:
			case o.sync:
				sync[o.task] += o.cycles * x.unit
			default:
				create[o.task] += o.cycles * x.unit
			}
		}
	}
	sections := c.e.Bundle.Program.Regions[g.Region].Constructs[g.Construct].Sections
	var bars []Bar
	for i := range g.Sections {
		sec := &g.Sections[i]
		first, last := sec.Tasks[0], sec.Tasks[len(sec.Tasks)-1]
		start, stop := s.start[first]-fork, s.stop[last]-fork
		bar := func(kind string, from, to float64) {
			bars = append(bars, Bar{
				Kind: kind, Section: sec.Section, Name: sections[sec.Section].Name, Line: sections[sec.Section].Line,
				Processor: x.v.processor(x.context(s.level, first)), Start: from * c.second, Stop: to * c.second,
			})
		}
		if create[first] > 0 {
			bar(BarCreate, start, start+create[first])
		}
		bar(BarSection, start+create[first], stop-sync[last])
		if sync[last] > 0 {
			bar(BarSync, stop-sync[last], stop)
		}
	}
	slices.SortStableFunc(bars, func(a, b Bar) int {
		return cmp.Or(cmp.Compare(a.Processor, b.Processor), cmp.Compare(a.Start, b.Start))
	})
	return bars
}

// finish turns sums into means and shares.
func (t *timeline) finish(paths int) Timeline {
	out := t.out
	runs := out.Executions
	if runs == 0 { // every path begins inside
		runs, out.Executions = t.runs, t.runs
	}
	out.Seconds = t.total / runs
	for i, b := range t.bars {
		n := t.count[i]
		if n == 0 {
			n = runs
		}
		b.Start, b.Stop = b.Start/n, b.Stop/n
		out.Bars = append(out.Bars, b)
	}
	slices.SortStableFunc(out.Bars, func(a, b Bar) int {
		return cmp.Or(cmp.Compare(a.Processor, b.Processor), cmp.Compare(a.Start, b.Start))
	})
	slices.SortStableFunc(t.rows, func(a, b TimelinePath) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Path, b.Path))
	})
	out.Paths = []TimelinePath{}
	for i, r := range t.rows {
		if t.total > 0 {
			r.Share /= t.total
		} else {
			r.Share = 0
		}
		if paths > 0 && i >= paths {
			out.OtherPaths++
			out.OtherShare += r.Share
			continue
		}
		out.Paths = append(out.Paths, r)
	}
	return out
}
