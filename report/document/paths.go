package document

// This file ranks paths and names them by their source lines.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/htg"
	"pathspan/ir"
	"pathspan/pathprof"
	"pathspan/report"
)

// levelPath is a path with the level that it is of.
type levelPath struct {
	Function, Level int
	estimate.PathTime
}

// rank keeps the paths that run through a construct of their own level and take the most
// time.
func (b *builder) rank(levels []estimate.LevelTime) {
	var all []levelPath
	for i := range levels {
		l := &levels[i]
		groups := b.e.Graphs[l.Function].Levels[l.Level].Groups
		for _, p := range l.Paths {
			steps := b.e.Bundle.Funcs[l.Function].Levels[l.Level].Paths[p.Path].Steps
			if slices.ContainsFunc(groups, func(g htg.Group) bool { return slices.Contains(steps, pathprof.Step(g.Begin)) }) {
				all = append(all, levelPath{l.Function, l.Level, p})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y levelPath) int { return cmp.Compare(y.Seconds, x.Seconds) })
	b.d.Paths = []Path{}
	total := 0.0
	for _, r := range b.d.Answer.Estimates {
		if r.Technique == estimate.PathBased.String() {
			total = r.ParallelSeconds
		}
	}
	common := b.commonLines(all[:min(len(all), mostPaths)])
	for i, p := range all {
		if i == mostPaths {
			b.d.PathsLeft = len(all) - i
			break
		}
		f, g := b.prog.Funcs[p.Function], b.e.Graphs[p.Function]
		profile := &b.e.Bundle.Funcs[p.Function].Levels[p.Level].Paths[p.Path]
		out := Path{
			Function: report.Demangled(f.Source), Symbol: f.Name, Level: p.Level, Loop: b.loop(f, g, p.Level), ID: profile.ID,
			Count: p.Count, End: report.PathEnd(profile.End), Seconds: p.Seconds, Lines: b.lines(f, g, profile.Steps),
		}
		if total > 0 {
			out.Share = p.Seconds / total
		}
		out.Text, out.Only = linesText(out.Lines), linesText(without(out.Lines, common[[2]int{p.Function, p.Level}]))
		b.d.Paths = append(b.d.Paths, out)
	}
}

// lines lists the source lines of a path, those of its function's file where there are
// any: code inlined from other files has numbers that would mislead.
func (b *builder) lines(f *ir.Func, g *htg.Graphs, steps []pathprof.Step) []LineRange {
	out := []LineRange{}
	add := func(at ir.Loc, loop bool) {
		if !b.own(f, at) {
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

// commonLines returns the lines that all of the paths run, by function and level.
func (b *builder) commonLines(paths []levelPath) map[[2]int]map[LineRange]bool {
	common := map[[2]int]map[LineRange]bool{}
	for _, p := range paths {
		here, key := map[LineRange]bool{}, [2]int{p.Function, p.Level}
		steps := b.e.Bundle.Funcs[p.Function].Levels[p.Level].Paths[p.Path].Steps
		for _, l := range singles(b.lines(b.prog.Funcs[p.Function], b.e.Graphs[p.Function], steps)) {
			if common[key] == nil || common[key][l] {
				here[l] = true
			}
		}
		common[key] = here
	}
	return common
}

// without leaves lines out of a path's.
func without(lines []LineRange, common map[LineRange]bool) []LineRange {
	var rest []LineRange
	for _, l := range singles(lines) {
		if common[l] {
			continue
		}
		if n := len(rest) - 1; n >= 0 && !l.Loop && !rest[n].Loop && rest[n].File == l.File && l.First == rest[n].Last+1 {
			rest[n].Last = l.Last
			continue
		}
		rest = append(rest, l)
	}
	return rest
}

// singles takes stretches apart into lines, in their order.
func singles(lines []LineRange) []LineRange {
	var out []LineRange
	for _, l := range lines {
		for n := l.First; n <= l.Last; n++ {
			out = append(out, LineRange{File: l.File, First: n, Last: n, Loop: l.Loop})
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
