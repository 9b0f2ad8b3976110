package diff

// This file compares what ran in two profiles: functions, source lines and paths, with
// their cycles.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/procmodels/compare"
	"pathspan/profile"
	"pathspan/report"
)

// side is one of the two profiles, priced.
type side struct {
	*prediction
	own    []float64     // by function: the share of its executions that no caller's figure holds
	cycles [][][]float64 // by function, level and path: of one traversal
	blocks [][]float64   // by function and block: of all executions
	total  float64       // of all functions
}

func newSide(p *prediction) *side {
	n := len(p.bundle.Funcs)
	s := &side{prediction: p, own: compare.OwnShares(p.bundle, p.estimator.Costs[p.serial]), cycles: make([][][]float64, n), blocks: make([][]float64, n)}
	for fn := range n {
		s.blocks[fn] = make([]float64, len(p.bundle.Program.Funcs[fn].Blocks))
		for l, level := range levels(p.bundle, fn) {
			of := make([]float64, len(level.Paths))
			for k := range level.Paths {
				path := &level.Paths[k]
				for i, cycles := range p.estimator.StepCycles(p.serial, fn, l, path) {
					if step := path.Steps[i]; step >= 0 {
						of[k] += cycles * s.own[fn]
						s.blocks[fn][step] += float64(path.Count) * cycles * s.own[fn]
					}
				}
				s.total += float64(path.Count) * of[k]
			}
			s.cycles[fn] = append(s.cycles[fn], of)
		}
	}
	return s
}

func levels(b *profile.Bundle, fn int) []profile.LevelProfile {
	if fn < 0 || b.Funcs[fn] == nil {
		return nil
	}
	return b.Funcs[fn].Levels
}

func (s *side) counts(n uint64, cycles float64) Counts {
	c := Counts{Count: n, Cycles: cycles}
	if s.total > 0 {
		c.Share = cycles / s.total
	}
	return c
}

// compareCounts fills functions, lines and paths.
func (d *Diff) compareCounts(a, b *side) {
	pa, pb := a.bundle.Program, b.bundle.Program
	d.cycles = cmp.Or(a.total, b.total)
	toB, matched := matchFuncs(pa, pb)
	for i := range pa.Funcs {
		d.compareFunc(a, b, i, toB[i])
	}
	for j := range pb.Funcs {
		if !matched[j] {
			d.compareFunc(a, b, -1, j)
		}
	}
	slices.SortStableFunc(d.Functions, func(x, y Function) int { return bySize(&x.A, &x.B, &y.A, &y.B) })
	slices.SortStableFunc(d.Lines, func(x, y Line) int { return bySize(&x.A, &x.B, &y.A, &y.B) })
	slices.SortStableFunc(d.Paths, func(x, y Path) int { return bySize(&x.A, &x.B, &y.A, &y.B) })
}

// bySize orders by the change of cycles, then of counts, the biggest first.
func bySize(a, b, c, d *Counts) int {
	size := func(x, y *Counts) float64 { return math.Abs(y.Cycles - x.Cycles) }
	number := func(x, y *Counts) float64 { return math.Abs(float64(y.Count) - float64(x.Count)) }
	return cmp.Or(cmp.Compare(size(c, d), size(a, b)), cmp.Compare(number(c, d), number(a, b)))
}

// compareFunc compares function i of a with function j of b; either may be missing, -1.
func (d *Diff) compareFunc(a, b *side, i, j int) {
	la, lb := levels(a.bundle, i), levels(b.bundle, j)
	f := Function{State: state(i >= 0, j >= 0, la != nil, lb != nil)}
	if f.State == "" {
		return // it ran in neither
	}
	if i >= 0 {
		f.Name = a.bundle.Program.Funcs[i].Shown()
	} else {
		f.Name = b.bundle.Program.Funcs[j].Shown()
	}
	f.A, f.PathsA, f.TakenA = a.function(i)
	f.B, f.PathsB, f.TakenB = b.function(j)
	m := lineMap{}
	if i >= 0 && j >= 0 {
		fa, fb := a.bundle.Program.Funcs[i], b.bundle.Program.Funcs[j]
		m = alignLines(a.bundle.Program, b.bundle.Program, fa, fb, sameSource(a.bundle, b.bundle, fa, fb))
	}
	if f.A.Count != f.B.Count || f.A.Cycles != f.B.Cycles || f.PathsA != f.PathsB || f.TakenA != f.TakenB || f.State != "both ran" {
		d.Functions = append(d.Functions, f)
	}
	if f.State == "both ran" { // what only one has is told by the function
		d.compareLines(a, b, i, j, f.Name, m)
		d.comparePaths(a, b, i, j, f.Name, m)
	}
}

func state(inA, inB, ranA, ranB bool) string {
	switch {
	case ranA && ranB:
		return "both ran"
	case ranA && !inB:
		return "only in a"
	case ranB && !inA:
		return "only in b"
	case ranA:
		return "only a ran"
	case ranB:
		return "only b ran"
	}
	return ""
}

// function sums up a function's counts.
func (s *side) function(fn int) (c Counts, paths int, taken uint64) {
	ls := levels(s.bundle, fn)
	if ls == nil {
		return c, 0, 0
	}
	var cycles float64
	for i, l := range ls {
		paths += len(l.Paths)
		for k := range l.Paths {
			taken += l.Paths[k].Count
			cycles += float64(l.Paths[k].Count) * s.cycles[fn][i][k]
		}
	}
	return s.counts(s.bundle.Funcs[fn].Invocations(), cycles), paths, taken
}

// lines sums up a function's counts by line of its own file: the most that a block of
// the line ran, and cycles.
func (s *side) lines(fn int) map[int]*Counts {
	f := s.bundle.Program.Funcs[fn]
	out := map[int]*Counts{}
	for bi, n := range s.bundle.Funcs[fn].BlockCounts(len(f.Blocks)) {
		if n == 0 {
			continue
		}
		blk := f.Blocks[bi]
		for i, cycles := range s.split.Split(blk, s.blocks[fn][bi]) {
			at := blk.Instrs[i].Loc
			if at.Line == 0 || at.File != f.Loc.File {
				continue
			}
			c := out[at.Line]
			if c == nil {
				c = &Counts{}
				out[at.Line] = c
			}
			c.Count = max(c.Count, n)
			c.Cycles += cycles
		}
	}
	for _, c := range out {
		*c = s.counts(c.Count, c.Cycles)
	}
	return out
}

func (d *Diff) compareLines(a, b *side, i, j int, name string, m lineMap) {
	inA, inB := a.lines(i), b.lines(j)
	fb := b.bundle.Program.Funcs[j]
	file := fileOf(b.bundle.Program, fb)
	seen := map[int]bool{}
	var all []Line
	for l, c := range inB {
		x := Line{Function: name, File: file, LineB: l, B: *c}
		if at, ok := m[l]; ok {
			x.LineA = at
			seen[at] = true
			if c := inA[at]; c != nil {
				x.A = *c
			}
		}
		all = append(all, x)
	}
	for at, c := range inA {
		if !seen[at] {
			all = append(all, Line{Function: name, File: file, LineA: at, A: *c})
		}
	}
	all = slices.DeleteFunc(all, func(x Line) bool { return x.A.Count == x.B.Count && close(x.A.Cycles, x.B.Cycles) })
	slices.SortFunc(all, func(x, y Line) int { return cmp.Or(cmp.Compare(x.LineB, y.LineB), cmp.Compare(x.LineA, y.LineA)) })
	d.Lines = append(d.Lines, all...)
}

// close leaves out what only the order of additions differs in.
func close(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y)) }

func fileOf(p *ir.Program, f *ir.Func) string {
	if f.Loc.File < 0 || f.Loc.File >= len(p.Files) {
		return ""
	}
	return filepath.Base(p.Files[f.Loc.File])
}

// foundPath adds up the paths of one key.
type foundPath struct {
	loop, end, lines string
	count            uint64
	cycles           float64
}

// paths sums up the paths of a function by the lines they run, in lines of a: m turns the
// function's lines into those, and is nil where they are.
func (s *side) paths(fn int, m lineMap) map[string]*foundPath {
	f := s.bundle.Program.Funcs[fn]
	cfg := flow.Analyze(f)
	out := map[string]*foundPath{}
	loops := make([]string, len(cfg.Loops)) // keys: the header's line, and which of those there
	shown := make([]string, len(cfg.Loops))
	seen := map[string]int{}
	for i, l := range cfg.Loops {
		key, text := s.place(f, l.Header, m)
		seen[key]++
		loops[i], shown[i] = key+"#"+strconv.Itoa(seen[key]), text
	}
	for li, l := range s.bundle.Funcs[fn].Levels {
		level, loop := "", ""
		if li > 0 {
			level = loops[l.Loop]
			loop = fileOf(s.bundle.Program, f) + ":" + shown[l.Loop]
		}
		for k := range l.Paths {
			p := &l.Paths[k]
			var key, text []string
			add := func(k, t string) {
				if n := len(key); n == 0 || key[n-1] != k {
					key, text = append(key, k), append(text, t)
				}
			}
			for _, step := range p.Steps {
				if at := step.Loop(); at >= 0 {
					add("L"+loops[at], "L"+shown[at]+"*")
					continue
				}
				for i := range f.Blocks[step].Instrs {
					if at := f.Blocks[step].Instrs[i].Loc; at.Line > 0 && at.File == f.Loc.File {
						add(lineKey(at.Line, m), strconv.Itoa(at.Line))
					}
				}
			}
			whole := level + " " + report.PathEnd(p.End) + " " + strings.Join(key, " ")
			x := out[whole]
			if x == nil {
				x = &foundPath{loop: loop, end: report.PathEnd(p.End), lines: strings.Join(text, " ")}
				out[whole] = x
			}
			x.count += p.Count
			x.cycles += float64(p.Count) * s.cycles[fn][li][k]
		}
	}
	return out
}

// lineKey names a line as a has it; one that a has not is marked.
func lineKey(line int, m lineMap) string {
	if m == nil {
		return strconv.Itoa(line)
	}
	if at, ok := m[line]; ok {
		return strconv.Itoa(at)
	}
	return fmt.Sprintf("+%d", line)
}

// place names a loop's header by its line.
func (s *side) place(f *ir.Func, block int, m lineMap) (key, text string) {
	p := s.bundle.Program
	at := p.UserBlockLoc(f, block)
	if at.File >= 0 && at.File == f.Loc.File {
		return lineKey(at.Line, m), strconv.Itoa(at.Line)
	}
	text = filepath.Base(cmp.Or(p.UserString(at), "code without lines"))
	return text, text
}

func (d *Diff) comparePaths(a, b *side, i, j int, name string, m lineMap) {
	inA, inB := a.paths(i, nil), b.paths(j, m)
	both := maps.Clone(inA)
	maps.Copy(both, inB)
	for _, k := range slices.Sorted(maps.Keys(both)) {
		x, y := inA[k], inB[k]
		if x != nil && y != nil && x.count == y.count && close(x.cycles, y.cycles) {
			continue
		}
		p := Path{Function: name}
		if x != nil {
			p.Loop, p.End, p.Lines, p.A = x.loop, x.end, x.lines, a.counts(x.count, x.cycles)
		}
		if y != nil {
			p.Loop, p.End, p.Lines, p.B = y.loop, y.end, y.lines, b.counts(y.count, y.cycles)
		}
		d.Paths = append(d.Paths, p)
	}
}
