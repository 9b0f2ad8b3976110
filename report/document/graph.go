package document

// This file draws up task graphs with the times of their tasks, and ranks paths.

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/htg"
	"pathspan/ir"
	"pathspan/pathprof"
	"pathspan/report"
)

func (b *builder) graphsAndPaths() error {
	paths, tasks, err := b.e.PathTimes(b.m)
	if err != nil {
		return err
	}
	b.d.Graphs = []Graph{}
	for i, g := range b.e.Graphs {
		if g != nil && slices.ContainsFunc(g.Levels, func(l *htg.Graph) bool { return len(l.Groups) > 0 }) {
			b.d.Graphs = append(b.d.Graphs, b.graph(i, g, paths, tasks))
		}
	}
	b.rank(paths)
	return nil
}

// graph describes the levels of a function that ran with a region in reach.
func (b *builder) graph(fn int, g *htg.Graphs, paths []estimate.PathTime, tasks []estimate.TaskTime) Graph {
	f := b.prog.Funcs[fn]
	out := Graph{Function: report.Demangled(f.Source), Symbol: f.Name, Index: fn, Line: f.Loc.Line, Levels: []GraphLevel{}}
	if f.Loc.File >= 0 && f.Loc.File < len(b.prog.Files) {
		out.File = b.sources.name(b.prog.Files[f.Loc.File])
	}
	for l, graph := range g.Levels {
		level := GraphLevel{Level: l, Loop: b.loop(f, g, l), Tasks: []Task{}, Edges: []Edge{}, Groups: []GraphGroup{}}
		times := map[int]estimate.TaskTime{}
		for _, t := range tasks {
			if t.Function == fn && t.Level == l {
				times[t.Task] = t
			}
		}
		if len(times) == 0 {
			continue // it reaches no region, or did not run
		}
		for _, p := range paths {
			if p.Function == fn && p.Level == l {
				level.Entries += p.Entries
			}
		}
		for i := range graph.Tasks {
			level.Tasks = append(level.Tasks, b.task(f, &graph.Tasks[i], times[i]))
			for _, s := range graph.Tasks[i].Succs {
				level.Edges = append(level.Edges, Edge{From: i, To: s})
			}
		}
		for i := range graph.Groups {
			level.Groups = append(level.Groups, b.group(&graph.Groups[i]))
		}
		out.Levels = append(out.Levels, level)
	}
	return out
}

// loop names the place of a level's loop, "" for the body.
func (b *builder) loop(f *ir.Func, g *htg.Graphs, level int) string {
	if level == 0 {
		return ""
	}
	return report.LoopPlace(b.prog, f, g.CFG.Loops[level-1].Header)
}

func (b *builder) task(f *ir.Func, t *htg.Task, time estimate.TaskTime) Task {
	out := Task{
		Label: t.Label, Name: t.Name, Kind: t.Kind.String(), Body: t.Loop + 1, Processor: time.Processor,
		Cycles: time.Seconds * b.e.ClockMHz[b.m.Serial] * 1e6, Seconds: time.Seconds, Group: t.Group, Section: t.Section,
	}
	if s := b.d.Answer.SequentialSeconds; s > 0 {
		out.Share = time.Seconds / s
	}
	file := -1
	for _, block := range t.Blocks {
		for i := range f.Blocks[block].Instrs {
			at := f.Blocks[block].Instrs[i].Loc
			if at.Line == 0 || at.File < 0 || at.File >= len(b.prog.Files) || at.File != f.Loc.File && f.Loc.File >= 0 {
				continue // inlined from another file
			}
			if file < 0 {
				file, out.File, out.Line, out.LastLine = at.File, b.sources.name(b.prog.Files[at.File]), at.Line, at.Line
			}
			if at.File == file {
				out.Line, out.LastLine = min(out.Line, at.Line), max(out.LastLine, at.Line)
			}
		}
	}
	return out
}

func (b *builder) group(g *htg.Group) GraphGroup {
	r := &b.prog.Regions[g.Region]
	out := GraphGroup{
		Name: r.Name, File: b.sources.name(r.File), Line: r.Constructs[g.Construct].Line, Region: g.Region, Index: g.Construct,
		Parent: g.Parent, Fork: g.Fork, Join: g.Join, Sections: []GraphSection{},
	}
	for _, s := range g.Sections {
		sec := &r.Constructs[g.Construct].Sections[s.Section]
		out.Sections = append(out.Sections, GraphSection{
			Name: sec.Name, Line: sec.Line, Processor: b.m.Regions[g.Region].Proc[g.Construct][s.Section], Tasks: s.Tasks,
		})
	}
	return out
}

// rank keeps the paths that run through a construct and take the most time.
func (b *builder) rank(paths []estimate.PathTime) {
	type key struct{ fn, level, path int }
	var all []estimate.PathTime
	at := map[key]int{}
	for _, p := range paths {
		if !p.Regions {
			continue
		}
		k := key{p.Function, p.Level, p.Path}
		if i, ok := at[k]; ok {
			all[i].Count += p.Count
			all[i].Seconds += p.Seconds
			continue
		}
		at[k] = len(all)
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(x, y estimate.PathTime) int { return cmp.Compare(y.Seconds, x.Seconds) })
	b.d.Paths = []Path{}
	total := 0.0
	for _, r := range b.d.Answer.Estimates {
		if r.Technique == estimate.PathBased.String() {
			total = r.ParallelSeconds
		}
	}
	for i, p := range all {
		if i == mostPaths {
			b.d.PathsLeft = len(all) - i
			break
		}
		f, g := b.prog.Funcs[p.Function], b.e.Graphs[p.Function]
		profile := &b.e.Bundle.Funcs[p.Function].Levels[p.Level].Paths[p.Path]
		out := Path{
			Function: report.Demangled(f.Source), Level: p.Level, Loop: b.loop(f, g, p.Level), ID: profile.ID,
			Count: p.Count, End: report.PathEnd(profile.End), Seconds: p.Seconds, Lines: b.lines(f, g, profile.Steps),
		}
		if total > 0 {
			out.Share = p.Seconds / total
		}
		out.Text = linesText(out.Lines)
		b.d.Paths = append(b.d.Paths, out)
	}
}

// lines lists the source lines of a path, those of its function's file where there are
// any: code inlined from other files has numbers that would mislead.
func (b *builder) lines(f *ir.Func, g *htg.Graphs, steps []pathprof.Step) []LineRange {
	out := []LineRange{}
	add := func(at ir.Loc, loop bool) {
		if at.Line == 0 || at.File < 0 || at.File >= len(b.prog.Files) || f.Loc.File >= 0 && at.File != f.Loc.File {
			return
		}
		file := b.sources.name(b.prog.Files[at.File])
		if n := len(out) - 1; n >= 0 && !loop && !out[n].Loop && out[n].File == file && at.Line >= out[n].First-1 && at.Line <= out[n].Last+1 {
			out[n].First, out[n].Last = min(out[n].First, at.Line), max(out[n].Last, at.Line)
			return
		}
		out = append(out, LineRange{File: file, First: at.Line, Last: at.Line, Loop: loop})
	}
	for _, s := range steps {
		if l := s.Loop(); l >= 0 {
			add(report.BlockLoc(f.Blocks[g.CFG.Loops[l].Header]), true)
			continue
		}
		for i := range f.Blocks[s].Instrs {
			add(f.Blocks[s].Instrs[i].Loc, false)
		}
	}
	return out
}

// linesText is "46-53, L61*, 67".
func linesText(lines []LineRange) string {
	var all []string
	for _, l := range lines {
		switch {
		case l.Loop:
			all = append(all, fmt.Sprintf("L%d*", l.First))
		case l.First == l.Last:
			all = append(all, fmt.Sprint(l.First))
		default:
			all = append(all, fmt.Sprintf("%d-%d", l.First, l.Last))
		}
	}
	return strings.Join(all, ", ")
}

// clean is the form in which files are named.
func clean(file string) string {
	if file == "" {
		return ""
	}
	return filepath.ToSlash(filepath.Clean(file))
}
