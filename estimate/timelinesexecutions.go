package estimate

// This file collects timelines from classes of executions.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/mapping"
)

// Accounted is the technique by which a mapping can be shown part by part, where a
// technique is asked for: executions need what decides alone, or paths that keep all that
// matters; see Losses.
func (e *Estimator) Accounted(m *mapping.Resolved, t Technique) Technique {
	if t == ExecutionBased && e.Bundle.Executions != nil && (e.executions.byPaths ||
		e.eachConstruct(m, func(*executionTable, int, int, float64) {})) {
		return ExecutionBased
	}
	return PathBased
}

// ByPaths tells whether the execution-based technique is the path-based one, as paths keep
// all that matters.
func (e *Estimator) ByPaths() bool { return e.executions.byPaths }

// timelinesByExecutions shows classes of executions where Timelines shows paths: Path is -1
// and Text what the sections take.
func (e *Estimator) timelinesByExecutions(m *mapping.Resolved, classes int) ([]Timeline, error) {
	if e.executions.byPaths {
		return e.Timelines(m, PathBased, classes)
	}
	paths, err := e.Timelines(m, PathBased, 1)
	if err != nil {
		return nil, err
	}
	out := []Timeline{}
	if !e.eachConstruct(m, func(t *executionTable, r, c int, often float64) {
		region := &e.Bundle.Program.Regions[r]
		head := Timeline{Region: r, Construct: c, Function: region.Function, Name: region.Name, File: region.File, Line: region.Constructs[c].Line}
		if i := slices.IndexFunc(paths, func(p Timeline) bool { return p.Region == r && p.Construct == c }); i >= 0 {
			head.Function, head.Level = paths[i].Function, paths[i].Level
		}
		if often > 0 {
			out = append(out, e.timelineOfClasses(m, head, t, often, classes))
		}
	}) {
		return nil, fmt.Errorf("estimate: executions do not decide alone under this mapping, as regions lie within regions; ask for technique pb")
	}
	return out, nil
}

func (e *Estimator) timelineOfClasses(m *mapping.Resolved, out Timeline, t *executionTable, often float64, classes int) Timeline {
	line := timeline{out: out}
	line.out.Executions, line.runs = often, often
	for k, w := range t.weight {
		n := often * w
		bars, seconds, text := e.barsOfClass(m, &out, t, k)
		line.total += n * seconds
		if line.bars == nil {
			line.bars, line.count = slices.Clone(bars), make([]float64, len(bars))
			for i := range line.bars {
				line.bars[i].Start, line.bars[i].Stop = 0, 0
			}
		}
		for i, b := range bars { // the same in each class
			line.bars[i].Start += n * b.Start
			line.bars[i].Stop += n * b.Stop
			line.count[i] += n
		}
		line.rows = append(line.rows, TimelinePath{ID: uint64(k), Level: out.Level, Path: -1, Count: n, Share: n * seconds, Text: text, Seconds: seconds, Bars: bars})
	}
	return line.finish(classes)
}

// barsOfClass lays the sections of a class one behind the other on their processors.
func (e *Estimator) barsOfClass(m *mapping.Resolved, out *Timeline, t *executionTable, class int) (bars []Bar, longest float64, text string) {
	rm := &m.Regions[out.Region]
	proc, order := rm.Proc[out.Construct], rm.Order[out.Construct]
	sections := e.Bundle.Program.Regions[out.Region].Constructs[out.Construct].Sections
	second := 1 / (e.ClockMHz[0] * 1e6)
	forks := slices.ContainsFunc(proc, func(p int) bool { return p != m.Serial })
	times := make([]string, len(proc))
	for p := range e.kindOf {
		at := 0.0
		bar := func(kind string, section int, length float64) {
			bars = append(bars, Bar{Kind: kind, Section: section, Name: sections[section].Name, Line: sections[section].Line, Processor: p, Start: at, Stop: at + length})
			at += length
		}
		o, cycle := e.Overheads[p], e.factor[e.kindOf[p]]*second
		last := -1
		for _, s := range order {
			if proc[s] != p {
				continue
			}
			if last < 0 && forks && o.Create > 0 {
				bar(BarCreate, s, o.Create*cycle)
			}
			last = s
			x := e.inClass(t, class, e.kindOf[p], out.Region, out.Construct, s) * second
			times[s] = fmt.Sprintf("section %d %.4g us", s+1, 1e6*x)
			bar(BarSection, s, x)
		}
		if last >= 0 && forks && o.Sync > 0 {
			bar(BarSync, last, o.Sync*cycle)
		}
		longest = max(longest, at)
	}
	slices.SortStableFunc(bars, func(a, b Bar) int { return cmp.Compare(a.Processor, b.Processor) })
	return bars, longest, strings.Join(times, ", ")
}
