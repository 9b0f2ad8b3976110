package account

// This file collects timelines from rows that are played.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
)

// Timelines shows how the sections of each construct that is executed outside of sections
// lie on the processors, with at most the given number of rows each, 0 for all. Executions
// times seconds of all of them, and the serial time, add up to what Estimate says. The
// technique must have rows.
func Timelines(e *estimate.Estimator, m *mapping.Resolved, t estimate.Technique, rows int) ([]Timeline, error) {
	c := &timelines{e: e, m: m, second: 1 / (e.ClockMHz[0] * 1e6), at: map[[2]int]*timeline{}}
	if err := e.Play(m, t, c.row); err != nil {
		return nil, err
	}
	out := []Timeline{}
	for _, tl := range c.at {
		out = append(out, tl.finish(rows))
	}
	slices.SortFunc(out, func(a, b Timeline) int {
		return cmp.Or(cmp.Compare(a.Region, b.Region), cmp.Compare(a.Construct, b.Construct))
	})
	return out, nil
}

// Most bars of a row that are all shown, and the part of a row's length that is the
// shortest shown of others.
const (
	mostBars = 400
	shortest = 1e-3
)

type timelines struct {
	e      *estimate.Estimator
	m      *mapping.Resolved
	second float64 // in a cycle of processor 0
	at     map[[2]int]*timeline
}

// timeline is one that is being made; times are sums over executions.
type timeline struct {
	out  Timeline
	runs float64 // rows, executions of which are between 0 and 1 in each
	mean map[meanBar]*sum
	rows []TimelineRow
}

// meanBar is a bar of the mean: the nth of a section on a processor.
type meanBar struct {
	kind                                            string
	region, construct, section, stage, processor, n int
}

type sum struct {
	bar   Bar
	count float64 // executions that have it
}

func (c *timelines) row(t *table.Table, p *table.Played) {
	region, construct := t.Construct(p.Execution)
	tl := c.at[[2]int{region, construct}]
	if tl == nil {
		r := &c.e.Bundle.Program.Regions[region]
		tl = &timeline{mean: map[meanBar]*sum{}, out: Timeline{
			Region: region, Construct: construct, Function: r.Function, Name: r.Name, File: r.File, Line: r.Constructs[construct].Line,
		}}
		c.at[[2]int{region, construct}] = tl
	}
	seconds, runs := p.Span*c.second, t.Runs(p.Execution)
	tl.runs += p.Weight
	tl.out.Executions += p.Weight * runs
	bars := c.bars(t, p)
	tl.add(bars, p.Weight, runs)
	tl.rows = append(tl.rows, TimelineRow{Count: p.Weight, Share: p.Weight * seconds, Text: c.text(t, p.Execution), Seconds: seconds, Bars: bars})
}

// bars are what the processors do in a row.
func (c *timelines) bars(t *table.Table, p *table.Played) []Bar {
	out := []Bar{}
	end := 0.0 // of the last one, as the event says
	for i := range p.Events {
		ev := &p.Events[i]
		if ev.End == ev.Start {
			continue
		}
		b := Bar{Kind: BarSection, Section: ev.Section, Processor: ev.Processor, Start: ev.Start * c.second, Stop: ev.End * c.second}
		b.Region, b.Construct = t.Construct(ev.Execution)
		if ev.Stage > 0 {
			_, b.Stage = c.e.Bundle.Program.StageOf(ev.Stage - 1)
			b.Stage++
		}
		switch ev.Kind {
		case table.Create:
			b.Kind, b.Section = BarCreate, c.sections(t, ev)[0]
		case table.Sync:
			all := c.sections(t, ev)
			b.Kind, b.Section = BarSync, all[len(all)-1]
		case table.Lock, table.LockWait:
			b.Kind = barOf[ev.Kind]
			if b.Section = max(0, ev.Section); ev.Section < 0 {
				if all := c.sections(t, ev); len(all) > 0 {
					b.Section = all[0]
				}
			}
			b.Name = c.e.Bundle.Program.LockName(ev.Lock)
		case table.Forking, table.Joining, table.Combining, table.Dispatch, table.TeamOfOne, table.TaskMake, table.TaskSteal, table.Fetch, table.Contend:
			b.Kind, b.Section = barOf[ev.Kind], 0
			if all := c.sections(t, ev); len(all) > 0 {
				b.Section = all[0]
			}
		}
		b.Construct, b.Section = t.Split(b.Region, b.Construct, b.Section)
		if n := len(out) - 1; n >= 0 && end == ev.Start && ev.Kind == table.Work && sameBar(&out[n], &b) {
			out[n].Stop = b.Stop
		} else {
			r := &c.e.Bundle.Program.Regions[b.Region]
			s := &r.Constructs[b.Construct].Sections[b.Section]
			if b.File, b.Line = r.File, s.Line; b.Stage > 0 {
				task := &c.e.Bundle.Program.Tasks[ev.Stage-1]
				b.File, b.Line, b.Name = task.File, task.Line, task.Name
			} else if b.Name == "" {
				b.Name = s.Name
			}
			out = append(out, b)
		}
		end = ev.End
	}
	return thinned(out, p.Span*c.second)
}

// barOf are the kinds of bars of overheads beside tasks.
var barOf = map[table.EventKind]string{table.Forking: BarFork, table.Joining: BarJoin, table.Combining: BarCombine, table.Dispatch: BarDispatch, table.TeamOfOne: BarTeamOfOne, table.Lock: BarLock, table.LockWait: BarWait, table.TaskMake: BarMake, table.TaskSteal: BarSteal, table.Fetch: BarFetch, table.Contend: BarContend}

func sameBar(a, b *Bar) bool {
	return a.Kind == b.Kind && a.Region == b.Region && a.Construct == b.Construct && a.Section == b.Section && a.Stage == b.Stage && a.Processor == b.Processor
}

// sections are those that the processor of an overhead executes of its construct, in order;
// of one that executes tasks alone, those that make them.
func (c *timelines) sections(t *table.Table, ev *table.Event) []int {
	region, construct := t.Construct(ev.Execution)
	proc, order := t.Placed(&c.m.Regions[region], region, construct)
	var out, all []int
	for _, s := range order {
		if _, reached := t.Alone(ev.Execution, s, 0); !reached {
			continue
		}
		if all = append(all, s); proc[s] == ev.Processor {
			out = append(out, s)
		}
	}
	if out == nil {
		return all
	}
	return out
}

// thinned leaves out of very many bars, by processor and start, those that are too short
// to be seen.
func thinned(bars []Bar, span float64) []Bar {
	if len(bars) <= mostBars {
		return bars
	}
	out := bars[:0]
	for _, b := range bars {
		if n := len(out) - 1; n >= 0 && out[n].Processor == b.Processor && b.Stop-b.Start < shortest*span && b.Start-out[n].Stop < shortest*span {
			out[n].Stop = max(out[n].Stop, b.Stop)
			continue
		}
		out = append(out, b)
	}
	return slices.Clone(out)
}

// text tells what the sections of a row take.
func (c *timelines) text(t *table.Table, execution int) string {
	region, construct := t.Construct(execution)
	var all []string
	proc, _ := t.Placed(&c.m.Regions[region], region, construct)
	for s, p := range proc {
		if cycles, reached := t.Alone(execution, s, t.KindOf[p]); reached {
			all = append(all, fmt.Sprintf("section %d %.4g us", s+1, 1e6*cycles*c.second))
		}
	}
	return strings.Join(all, ", ")
}

// add adds a row's bars to the mean.
func (tl *timeline) add(bars []Bar, weight, runs float64) {
	seen := map[meanBar]int{}
	for _, b := range bars {
		key := meanBar{b.Kind, b.Region, b.Construct, b.Section, b.Stage, b.Processor, 0}
		key.n, seen[key] = seen[key], seen[key]+1
		s := tl.mean[key]
		if s == nil {
			s = &sum{bar: b}
			s.bar.Start, s.bar.Stop = 0, 0
			tl.mean[key] = s
		}
		s.bar.Start += weight * b.Start
		s.bar.Stop += weight * b.Stop
		s.count += weight * runs
	}
}

// finish turns sums into means and shares.
func (tl *timeline) finish(rows int) Timeline {
	out, total := tl.out, 0.0
	for i := range tl.rows {
		total += tl.rows[i].Share
	}
	if out.Executions == 0 { // every row begins inside
		out.Executions = tl.runs
	}
	if out.Executions > 0 {
		out.Seconds = total / out.Executions
	}
	out.Bars = []Bar{}
	for _, s := range tl.mean {
		n := s.count
		if n == 0 {
			n = out.Executions
		}
		b := s.bar
		b.Start, b.Stop = b.Start/n, b.Stop/n
		out.Bars = append(out.Bars, b)
	}
	slices.SortFunc(out.Bars, func(a, b Bar) int {
		return cmp.Or(cmp.Compare(a.Processor, b.Processor), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Stop, b.Stop),
			cmp.Compare(a.Region, b.Region), cmp.Compare(a.Construct, b.Construct), cmp.Compare(a.Section, b.Section), cmp.Compare(a.Kind, b.Kind))
	})
	out.Bars = thinned(out.Bars, out.Seconds)
	slices.SortStableFunc(tl.rows, func(a, b TimelineRow) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	out.Rows = []TimelineRow{}
	for i, r := range tl.rows {
		if total > 0 {
			r.Share /= total
		}
		if rows > 0 && i >= rows {
			out.OtherRows++
			out.OtherShare += r.Share
			continue
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}
