package validate

// This file finds where PB and replay part: which region, and what in its sections
// counts with an average (Lattuada, Pilato, Ferrandi, section 5.3).

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"pathspan/estimate"
	"pathspan/htg"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/validate/ledger"
)

// findCauses compares PB with replay, one region in parallel at a time, and describes
// what the sections of each region spend their cycles in.
func (u *unit) findCauses(t *part) error {
	w := newWalk(u, t.target)
	for r := range t.alone {
		est, err := t.e.Estimate(t.alone[r], estimate.PathBased)
		if err != nil {
			return err
		}
		out := ledger.Region{
			Program: u.program.Name, Size: string(u.v.Size), Level: u.level, Processors: len(t.procs.Costs),
			Model: modelName(&t.procs), Region: u.bundle.Program.Regions[r].Name,
		}
		if par := t.sims[r].Parallel(); par > 0 {
			out.Difference = est.ParallelCycles/par - 1
		}
		total, causes, err := w.region(r)
		if err != nil {
			return err
		}
		if est.SequentialCycles > 0 {
			out.SectionShare = total / est.SequentialCycles
		}
		out.Causes = causes
		u.regions = append(u.regions, out)
	}
	return nil
}

// walk adds up what the sections of a region execute, on the serial processor.
type walk struct {
	u       *unit
	t       *target
	counts  [][]uint64 // by function, by block
	average map[int]float64
	kinds   []string // by function: what a call of it is, "" when all calls cost the same
	reaches []bool   // by function: it holds a region, or a callee does
	targets map[callSite][]callTarget
}

type callSite struct{ fn, block, instr int }

type callTarget struct {
	fn    int
	count float64
}

func newWalk(u *unit, t *target) *walk {
	n := len(u.bundle.Program.Funcs)
	w := &walk{u: u, t: t, counts: make([][]uint64, n), average: map[int]float64{}, kinds: make([]string, n), reaches: make([]bool, n), targets: map[callSite][]callTarget{}}
	for i, f := range u.bundle.Funcs {
		if f != nil {
			w.counts[i] = f.BlockCounts(len(u.bundle.Program.Funcs[i].Blocks))
		}
	}
	for _, c := range u.bundle.Targets {
		if c.Target >= 0 {
			s := callSite{c.Func, c.Block, c.Instr}
			w.targets[s] = append(w.targets[s], callTarget{c.Target, float64(c.Count)})
		}
	}
	w.findKinds()
	return w
}

// calls calls do for every function of the program that the block calls, with how often
// it did. Functions that a library calls back are not among them.
func (w *walk) calls(fn, block int, do func(instr, callee int, count float64)) {
	b := w.u.bundle.Program.Funcs[fn].Blocks[block]
	for i := range b.Instrs {
		c := b.Instrs[i].Call
		if c == nil {
			continue
		}
		if c.Callee >= 0 {
			do(i, c.Callee, float64(w.counts[fn][block]))
		}
		for _, t := range w.targets[callSite{fn, block, i}] {
			do(i, t.fn, t.count)
		}
	}
}

// tally collects cycles by cause.
type tally struct {
	total   float64
	causes  []ledger.Cause  // Share holds cycles until the end
	section int             // that is being added, of all constructs of the region
	seen    map[[2]int]bool // by cause and section: the section has added to it
}

func (s *tally) add(kind, name string, cycles float64) {
	s.total += cycles
	if kind == "" || cycles == 0 {
		return
	}
	for i := range s.causes {
		if s.causes[i].Kind == kind && s.causes[i].Name == name {
			s.causes[i].Share += cycles
			s.appears(i)
			return
		}
	}
	s.causes = append(s.causes, ledger.Cause{Kind: kind, Name: name, Share: cycles})
	s.appears(len(s.causes) - 1)
}

// appears counts the section among those of a cause, copies of it by inlining once.
func (s *tally) appears(cause int) {
	if k := [2]int{cause, s.section}; !s.seen[k] {
		s.seen[k] = true
		s.causes[cause].Sections++
	}
}

// region returns the cycles in the sections of a region, per execution of the root, and
// what of them is averaged.
func (w *walk) region(r int) (float64, []ledger.Cause, error) {
	s := tally{seen: map[[2]int]bool{}}
	for fn, graphs := range w.u.analysis.Graphs {
		if graphs == nil || w.counts[fn] == nil {
			continue
		}
		for level, g := range graphs.Levels {
			for i := range g.Groups {
				if g.Groups[i].Region != r {
					continue
				}
				for _, section := range g.Groups[i].Sections {
					s.section = g.Groups[i].Construct<<16 | section.Section
					for _, task := range section.Tasks {
						if err := w.task(&s, fn, level, &g.Tasks[task]); err != nil {
							return 0, nil, err
						}
					}
				}
			}
		}
	}
	for i := range s.causes {
		s.causes[i].Share /= s.total
	}
	slices.SortStableFunc(s.causes, func(a, b ledger.Cause) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	runs := float64(max(1, w.u.bundle.Funcs[w.u.analysis.Root].Invocations()))
	return s.total / runs, s.causes, nil
}

// task adds what a task of a section executes. Its own blocks are on the paths of the
// level, which keep them unless they are cut; the blocks of a loop are averaged when
// some loop around them, from the task's loop inward, varies.
func (w *walk) task(s *tally, fn, level int, t *htg.Task) error {
	if t.Kind != htg.Loop {
		kind, name := "", ""
		if prof := w.u.bundle.Funcs[fn].Levels[level]; prof.Degraded || len(prof.Cuts) > 0 || prof.Collapsed {
			kind, name = ledger.Cut, w.levelName(fn, level)
		}
		for _, b := range t.Blocks {
			if err := w.block(s, fn, b, kind, name); err != nil {
				return err
			}
		}
		return nil
	}
	loops := w.u.analysis.Graphs[fn].CFG.Loops
	for _, b := range loops[t.Loop].Blocks {
		kind := ""
		for l := w.u.analysis.Graphs[fn].CFG.LoopOf[b]; l >= 0; l = loops[l].Parent {
			if w.varies(fn, l+1) {
				kind = ledger.Loop
			}
			if len(w.u.analysis.Graphs[fn].Levels[l+1].Groups) > 0 {
				kind = ledger.Nested
				break
			}
			if l == t.Loop {
				break
			}
		}
		if err := w.block(s, fn, b, kind, w.levelName(fn, t.Loop+1)); err != nil {
			return err
		}
	}
	return nil
}

// block adds a block and its calls. A call of a function whose calls differ counts as
// that; others count as what the block counts as.
func (w *walk) block(s *tally, fn, b int, kind, name string) error {
	runs := w.counts[fn][b]
	if runs == 0 {
		return nil
	}
	cost := &w.t.procs.Costs[w.t.m.Serial].Blocks[fn][b]
	s.add(kind, name, float64(runs)*cost.Cycles)
	var err error
	w.calls(fn, b, func(instr, callee int, count float64) {
		if count == 0 || slices.Contains(cost.Included, instr) {
			return
		}
		average, e := w.averageOf(callee)
		err = cmp.Or(err, e)
		k, n := kind, name
		if w.kinds[callee] != "" {
			k, n = w.kinds[callee], w.u.bundle.Program.Funcs[callee].Source
		}
		s.add(k, n, count*average)
	})
	return err
}

// averageOf returns what a call costs on average, on the serial processor.
func (w *walk) averageOf(fn int) (float64, error) {
	if v, ok := w.average[fn]; ok {
		return v, nil
	}
	a, err := estimate.Prepare(w.u.bundle, w.u.bundle.Program.Funcs[fn].Name)
	if err != nil {
		return 0, err
	}
	p := w.t.procs
	serial := w.t.m.Serial
	pl := *p.Platform
	pl.Processors = pl.Processors[serial : serial+1]
	e, err := a.On(estimate.Processors{Platform: &pl, Costs: p.Costs[serial : serial+1], ClockMHz: p.ClockMHz[serial : serial+1], Overheads: p.Overheads[serial : serial+1]})
	if err != nil {
		return 0, err
	}
	r, err := e.Estimate(mapping.Default(&pl, w.u.bundle.Program), estimate.PathBased)
	if err != nil {
		return 0, err
	}
	w.average[fn] = r.SequentialCycles
	return r.SequentialCycles, nil
}

// levelName names a level by the source line where it starts, or by its function.
func (w *walk) levelName(fn, level int) string {
	p := w.u.bundle.Program
	f := p.Funcs[fn]
	if level == 0 {
		return f.Source
	}
	header := f.Blocks[w.u.analysis.Graphs[fn].CFG.Loops[level-1].Header]
	for i := range header.Instrs {
		if l := header.Instrs[i].Loc; l != (ir.Loc{}) && l.Line > 0 && l.File >= 0 && l.File < len(p.Files) {
			return fmt.Sprintf("%s:%d", filepath.Base(p.Files[l.File]), l.Line)
		}
	}
	return fmt.Sprintf("a loop of %s", f.Source)
}
