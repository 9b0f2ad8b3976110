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
	"pathspan/profile"
	"pathspan/report"
)

type levelPath struct {
	Function, Level int
	estimate.PathTime
}

// alike is paths that run the same lines and end alike: nothing that is shown tells them
// apart, so that they are one entry.
type alike struct {
	paths          []levelPath // largest first
	count, seconds float64
}

// rank keeps the paths that run through a construct and take the most time.
func (b *builder) rank(levels []estimate.LevelTime) {
	all := b.alikes(levels)
	program := 0.0
	for _, r := range b.d.Answer.Estimates {
		if r.Technique == estimate.PathBased.String() {
			program = r.ParallelSeconds
		}
	}
	totals := b.totals(levels, program, func(f int) bool { return b.overlaps.recursive[f] || b.overlaps.inSections[f] })
	shown := all[:min(len(all), mostPaths)]
	b.d.PathsLeft = len(all) - len(shown)
	common := b.commonLines(shown)
	for i := range shown {
		a := &shown[i]
		p := a.paths[0]
		f, g := b.prog.Funcs[p.Function], b.e.Graphs[p.Function]
		profile := b.profile(p)
		out := Path{
			Function: report.Demangled(f.Source), Symbol: f.Name, Level: p.Level, Loop: b.loop(f, g, p.Level), ID: profile.ID,
			Count: a.count, End: report.PathEnd(profile.End), Seconds: a.seconds, Lines: b.lines(f, g, profile.Steps),
		}
		if total := totals[p.Function]; total.seconds > 0 {
			out.Share, out.ShareOf = a.seconds/total.seconds, total.of
		}
		out.Text, out.Only = linesText(out.Lines), linesText(without(out.Lines, common[[2]int{p.Function, p.Level}]))
		if len(a.paths) > 1 {
			for _, w := range a.paths[:min(len(a.paths), mostWays)] {
				way := PathWay{ID: b.profile(w).ID, Count: w.Count, Seconds: w.Seconds, Text: linesText(b.lines(f, g, b.profile(w).Steps))}
				if a.seconds > 0 {
					way.Share = w.Seconds / a.seconds
				}
				out.Ways = append(out.Ways, way)
			}
			out.WaysLeft = len(a.paths) - len(out.Ways)
		}
		b.d.Paths = append(b.d.Paths, out)
	}
}

// function names a function as people wrote it.
func (b *builder) function(fn int) string { return report.Demangled(b.prog.Funcs[fn].Source) }

func (b *builder) profile(p levelPath) *profile.Path {
	return &b.e.Bundle.Funcs[p.Function].Levels[p.Level].Paths[p.Path]
}

// alikes gathers the paths that run through a construct, those that take most time first.
func (b *builder) alikes(levels []estimate.LevelTime) []alike {
	var all []levelPath
	for i := range levels {
		l := &levels[i]
		groups := b.e.Graphs[l.Function].Levels[l.Level].Groups
		for _, t := range l.Paths {
			p := levelPath{l.Function, l.Level, t}
			if slices.ContainsFunc(groups, func(g htg.Group) bool { return slices.Contains(b.profile(p).Steps, pathprof.Step(g.Begin)) }) {
				all = append(all, p)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y levelPath) int { return cmp.Compare(y.Seconds, x.Seconds) })
	var out []alike
	same := map[string]int{}
	for _, p := range all {
		f, g, profile := b.prog.Funcs[p.Function], b.e.Graphs[p.Function], b.profile(p)
		lines := singles(b.lines(f, g, profile.Steps))
		slices.SortFunc(lines, func(x, y LineRange) int {
			return cmp.Or(cmp.Compare(x.First, y.First), strings.Compare(x.File, y.File), strings.Compare(fmt.Sprint(x.Loop), fmt.Sprint(y.Loop)))
		})
		k := fmt.Sprint(p.Function, p.Level, report.PathEnd(profile.End), slices.Compact(lines))
		i, ok := same[k]
		if !ok {
			i = len(out)
			same[k] = i
			out = append(out, alike{})
		}
		out[i].paths = append(out[i].paths, p)
		out[i].count += p.Count
		out[i].seconds += p.Seconds
	}
	slices.SortStableFunc(out, func(x, y alike) int { return cmp.Compare(y.seconds, x.seconds) })
	return out
}

// total is what shares of a function's paths or tasks are of.
type total struct {
	seconds float64
	of      string // the function, "" for the whole program
}

// totals returns it by function. Times of executions within each other, or at the same
// time, add up to more than the time that passes: where executions overlap, since a function
// calls itself or is called in sections, shares are of the time of all its calls.
func (b *builder) totals(levels []estimate.LevelTime, program float64, overlap func(fn int) bool) map[int]total {
	totals := map[int]total{}
	for i := range levels {
		l := &levels[i]
		t := totals[l.Function]
		if !overlap(l.Function) {
			t.seconds = program
		} else if t.of = b.function(l.Function); l.Level == 0 {
			t.seconds += pathSeconds(l)
		}
		totals[l.Function] = t
	}
	return totals
}

func pathSeconds(l *estimate.LevelTime) float64 {
	sum := 0.0
	for _, p := range l.Paths {
		sum += p.Seconds
	}
	return sum
}

// lines lists the source lines of a path in its function's file: code of other files stands
// at the line that it was inlined into, as its own numbers would mislead.
func (b *builder) lines(f *ir.Func, g *htg.Graphs, steps []pathprof.Step) []LineRange {
	var out []LineRange
	add := func(at ir.Loc, loop bool) {
		if !b.known(at) {
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
			at := report.LoopLoc(b.prog, f, g.CFG, l)
			if f.Loc.File >= 0 && at.File != f.Loc.File {
				at = ir.Loc{File: -1}
				for _, in := range f.Blocks[g.CFG.Loops[l].Header].Instrs {
					if line := f.OwnLine(&in); line > 0 && at.File < 0 {
						at = ir.Loc{File: f.Loc.File, Line: line}
					}
				}
			}
			add(at, true)
			continue
		}
		for i := range f.Blocks[s].Instrs {
			add(own(f, &f.Blocks[s].Instrs[i]), false)
		}
	}
	return out
}

// commonLines returns the lines that all of the paths run, by function and level.
func (b *builder) commonLines(shown []alike) map[[2]int]map[LineRange]bool {
	common := map[[2]int]map[LineRange]bool{}
	for i := range shown {
		p := shown[i].paths[0]
		here, key := map[LineRange]bool{}, [2]int{p.Function, p.Level}
		steps := b.profile(p).Steps
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
