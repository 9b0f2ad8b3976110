package document

// This file draws up task graphs with the times of their tasks.

import (
	"cmp"
	"slices"

	"pathspan/estimate"
	"pathspan/htg"
	"pathspan/ir"
	"pathspan/report"
)

func (b *builder) graphsAndPaths() error {
	levels, err := b.e.LevelTimes(b.m)
	if err != nil {
		return err
	}
	sequential, err := b.e.LevelTimes(b.m.OnlyRegion(-1))
	if err != nil {
		return err
	}
	for i := range levels {
		l := &levels[i]
		n := slices.IndexFunc(sequential, func(s estimate.LevelTime) bool { return s.Function == l.Function && s.Level == l.Level })
		for t := range l.Tasks {
			l.Tasks[t].Seconds = 0
			if n >= 0 {
				l.Tasks[t].Seconds = sequential[n].Tasks[t].Seconds
			}
		}
	}
	totals := b.totals(sequential, b.d.Answer.SequentialSeconds, func(f int) bool { return b.overlaps.recursive[f] })
	for i, g := range b.e.Graphs {
		if holdsRegion(g) {
			if x := b.graph(i, g, levels, totals); len(x.Levels) > 0 {
				b.d.Graphs = append(b.d.Graphs, x)
			}
		}
	}
	b.rank(levels)
	return nil
}

// holdsRegion reports that a function ran and has a sections construct of its own.
func holdsRegion(g *htg.Graphs) bool {
	return g != nil && slices.ContainsFunc(g.Levels, func(l *htg.Graph) bool { return len(l.Groups) > 0 })
}

// graph describes the levels of a function that ran with a region in reach.
func (b *builder) graph(fn int, g *htg.Graphs, levels []estimate.LevelTime, totals map[int]total) Graph {
	f := b.prog.Funcs[fn]
	out := Graph{Function: report.Demangled(f.Source), Symbol: f.Name, Index: fn, Line: f.Loc.Line, ShareOf: totals[fn].of}
	if f.Loc.File >= 0 && f.Loc.File < len(b.prog.Files) {
		out.File = b.sources.name(b.prog.Files[f.Loc.File])
	}
	for l, graph := range g.Levels {
		n := slices.IndexFunc(levels, func(x estimate.LevelTime) bool { return x.Function == fn && x.Level == l })
		if n < 0 {
			continue // it reaches no region, or did not run
		}
		moved := b.e.Moved(graph)
		level := GraphLevel{Level: l, Loop: b.loop(f, g, l), Entries: levels[n].Entries}
		for i := range graph.Tasks {
			level.Tasks = append(level.Tasks, b.task(f, g, &graph.Tasks[i], levels[n].Tasks[i], totals[fn].seconds))
			for _, s := range graph.Tasks[i].Succs {
				level.Edges = append(level.Edges, Edge{From: i, To: s, Bytes: moved[estimate.Edge{From: i, To: s}]})
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
	return report.LoopPlace(b.prog, f, g.CFG, level-1)
}

func (b *builder) task(f *ir.Func, g *htg.Graphs, t *htg.Task, time estimate.TaskTime, total float64) Task {
	out := Task{
		Label: t.Label, Name: t.Name, Kind: t.Kind.String(), Body: t.Loop + 1, Processor: time.Processor,
		Cycles: time.Seconds * b.e.ClockMHz[b.m.Serial] * 1e6, Seconds: time.Seconds, Group: t.Group, Section: t.Section,
	}
	if total > 0 {
		out.Share = time.Seconds / total
	}
	blocks := t.Blocks
	if t.Loop >= 0 {
		blocks = g.CFG.Loops[t.Loop].Blocks
	}
	first := ir.Loc{File: -1}
	for _, block := range blocks {
		for i := range f.Blocks[block].Instrs {
			in := &f.Blocks[block].Instrs[i]
			at := own(f, in)
			if !b.known(at) {
				if out.CodeOf == "" && b.known(in.Loc) {
					out.CodeOf = ir.HeaderName(b.prog.Files[in.Loc.File])
				}
				continue
			}
			if first.File < 0 {
				first = at
			}
			out.Lines = append(out.Lines, LineRange{File: b.sources.name(b.prog.Files[at.File]), First: at.Line, Last: at.Line})
		}
	}
	if first.File >= 0 {
		out.CodeOf = ""
	}
	out.Lines = joined(out.Lines)
	for _, r := range out.Lines {
		if t.Loop >= 0 {
			if out.Line == 0 {
				out.File, out.Line = r.File, r.First
			}
			out.LastLine = r.Last
		} else if r.First <= first.Line && first.Line <= r.Last {
			out.File, out.Line, out.LastLine = r.File, r.First, r.Last
		}
	}
	return out
}

// own returns the place of an instruction in its function's file, where its code was inlined
// from another one that of the call: numbers of other files would mislead. Its File is -1
// where neither is known. Of functions without debug information any file is taken.
func own(f *ir.Func, in *ir.Instr) ir.Loc {
	if f.Loc.File < 0 {
		return in.Loc
	}
	if line := f.OwnLine(in); line > 0 {
		return ir.Loc{File: f.Loc.File, Line: line}
	}
	return ir.Loc{File: -1}
}

func (b *builder) known(at ir.Loc) bool {
	return at.Line > 0 && at.File >= 0 && at.File < len(b.prog.Files)
}

// apart is how many lines may lie between lines of one stretch of a task: declarations,
// comments and braces have no code.
const apart = 3

// joined sorts lines of one file and joins those next to each other.
func joined(lines []LineRange) []LineRange {
	slices.SortFunc(lines, func(x, y LineRange) int { return cmp.Compare(x.First, y.First) })
	var out []LineRange
	for _, l := range lines {
		if n := len(out) - 1; n >= 0 && l.First <= out[n].Last+1+apart {
			out[n].Last = max(out[n].Last, l.Last)
			continue
		}
		out = append(out, l)
	}
	return out
}

func (b *builder) group(g *htg.Group) GraphGroup {
	r := &b.prog.Regions[g.Region]
	out := GraphGroup{
		Name: r.Name, File: b.sources.name(r.File), Line: r.Constructs[g.Construct].Line, Region: g.Region, Index: g.Construct,
		Parent: g.Parent, Fork: g.Fork, Join: g.Join,
	}
	for _, s := range g.Sections {
		c := &r.Constructs[g.Construct]
		sec := &c.Sections[s.Section]
		out.Sections = append(out.Sections, GraphSection{
			Name: c.TaskName(s.Section), Line: sec.Line, Processor: b.m.Regions[g.Region].Proc[g.Construct][s.Section], Tasks: s.Tasks,
		})
	}
	return out
}
