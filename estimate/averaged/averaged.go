// Package averaged says what in the sections of a region the path-based technique counts
// with an average (Lattuada, Pilato, Ferrandi, section 5.3): loops whose trips or iterations
// differ, and functions whose calls differ.
//
//	w := averaged.New(e, m.Serial)
//	cycles, causes := w.Region(r)
//
// It does not say what that does to an estimate: sections may vary together or not. [Blame]
// asks the executions.
package averaged

// This file adds up what sections spend their cycles in.

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"pathspan/estimate"
	"pathspan/htg"
	"pathspan/ir"
	"pathspan/validate/ledger"
)

// Walk adds up what the sections of a region execute, on one processor.
type Walk struct {
	e         *estimate.Estimator
	processor int
	kinds     []string // by function: what a call of it is, "" when all calls cost the same
}

// New prepares a walk with the costs of a processor.
func New(e *estimate.Estimator, processor int) *Walk {
	w := &Walk{e: e, processor: processor, kinds: make([]string, len(e.Graphs))}
	w.findKinds()
	return w
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

// Region returns the cycles in the sections of a region, per execution of the root, and
// what of them is averaged, the largest share first.
func (w *Walk) Region(r int) (float64, []ledger.Cause) {
	s := tally{seen: map[[2]int]bool{}}
	for fn, graphs := range w.e.Graphs {
		if graphs == nil {
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
						w.task(&s, fn, level, &g.Tasks[task])
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
	runs := float64(max(1, w.e.Bundle.Funcs[w.e.Root].Invocations()))
	return s.total / runs, s.causes
}

// task adds what a task of a section executes. Its own blocks are on the paths of the
// level, which keep them unless they are cut; the blocks of a loop are averaged when
// some loop around them, from the task's loop inward, varies.
func (w *Walk) task(s *tally, fn, level int, t *htg.Task) {
	if t.Kind != htg.Loop {
		kind, name := "", ""
		if prof := w.e.Bundle.Funcs[fn].Levels[level]; prof.Degraded || len(prof.Cuts) > 0 || prof.Collapsed {
			kind, name = ledger.Cut, w.levelName(fn, level)
		}
		for _, b := range t.Blocks {
			w.block(s, fn, b, kind, name)
		}
		return
	}
	cfg := w.e.Graphs[fn].CFG
	for _, b := range cfg.Loops[t.Loop].Blocks {
		kind := ""
		for l := cfg.LoopOf[b]; l >= 0; l = cfg.Loops[l].Parent {
			if w.varies(fn, l+1) {
				kind = ledger.Loop
			}
			if len(w.e.Graphs[fn].Levels[l+1].Groups) > 0 {
				kind = ledger.Nested
				break
			}
			if l == t.Loop {
				break
			}
		}
		w.block(s, fn, b, kind, w.levelName(fn, t.Loop+1))
	}
}

// block adds a block and its calls. A call of a function whose calls differ counts as
// that; others count as what the block counts as.
func (w *Walk) block(s *tally, fn, b int, kind, name string) {
	runs := w.e.Count(fn, b)
	if runs == 0 {
		return
	}
	cost := &w.e.Charged[w.processor].Blocks[fn][b]
	s.add(kind, name, float64(runs)*cost.Cycles)
	w.e.Calls(fn, b, func(instr, callee int, count float64) {
		if slices.Contains(cost.Included, instr) {
			return
		}
		k, n := kind, name
		if w.kinds[callee] != "" {
			k, n = w.kinds[callee], w.e.Bundle.Program.Funcs[callee].Source
		}
		s.add(k, n, count*w.e.CallCycles(w.processor, callee))
	})
}

// levelName names a level by the source line where it starts, or by its function.
func (w *Walk) levelName(fn, level int) string {
	p := w.e.Bundle.Program
	f := p.Funcs[fn]
	if level == 0 {
		return f.Source
	}
	header := f.Blocks[w.e.Graphs[fn].CFG.Loops[level-1].Header]
	for i := range header.Instrs {
		if l := header.Instrs[i].Loc; l != (ir.Loc{}) && l.Line > 0 && l.File >= 0 && l.File < len(p.Files) {
			return fmt.Sprintf("%s:%d", filepath.Base(p.Files[l.File]), l.Line)
		}
	}
	return fmt.Sprintf("a loop of %s", f.Source)
}
