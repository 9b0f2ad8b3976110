package profile

// This file holds bundles to what their readers rely on. A bundle may come from anybody:
// whatever would break a reader is refused here, once, where it is read.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
)

// nesting bounds how deep the loops of a program nest, in loops around all its blocks and
// edges together, which time and memory of readers grow with: so much for any program, and
// so much more for each block, of which programs take a third.
const (
	anyNesting   = 1 << 21
	blockNesting = 16
)

// nestingOf returns the bound for a program.
func nestingOf(p *ir.Program) int {
	most := anyNesting
	for _, f := range p.Funcs {
		most += blockNesting * len(f.Blocks)
	}
	return most
}

var errNesting = errors.New("loops nest deeper than in any program")

// MostCounted bounds the counts of a bundle: those of all paths together, those of all
// indirect calls, and those of the executions of a construct. So no sum of them overflows.
const MostCounted = math.MaxInt64

// Check reports the first way in which the bundle contradicts itself. What it passes can
// be read without looking: indices are in range, levels are those of the loops that
// flow.Analyze finds, paths run along edges of their level from where its paths begin to
// where they say that they end, and counts can be added.
func (b *Bundle) Check() error {
	if len(b.Funcs) != len(b.Program.Funcs) {
		return fmt.Errorf("profile of %d functions for a program of %d", len(b.Funcs), len(b.Program.Funcs))
	}
	if err := checkPipelines(b.Program); err != nil {
		return err
	}
	if err := checkRegions(b.Program); err != nil {
		return err
	}
	counted, nesting := sum{left: MostCounted}, nestingOf(b.Program)
	for i, fn := range b.Program.Funcs {
		if err := checkFunction(b, i, &counted, &nesting); err != nil {
			return fmt.Errorf("function %s: %w", fn.Name, err)
		}
	}
	for i := range b.Provenance.Runs {
		if m := b.Provenance.Runs[i].Inside; m != nil && !b.Program.HasSection(m) {
			return fmt.Errorf("run %d ended in section %d of region %d, which does not exist", i, m.Section, m.Region)
		}
	}
	if err := checkExecutions(b); err != nil {
		return err
	}
	if b.Memory != nil {
		if err := b.Memory.Check(b.Program); err != nil {
			return err
		}
	}
	if b.Flow != nil {
		if err := b.Flow.Check(len(b.Program.Funcs)); err != nil {
			return err
		}
	}
	if err := checkLost(b); err != nil {
		return err
	}
	if err := checkBranches(b); err != nil {
		return err
	}
	return checkTargets(b)
}

// sum adds up counts within a bound.
type sum struct {
	left uint64
	over bool
}

func (s *sum) add(n uint64) {
	if n > s.left {
		s.over, n = true, 0
	}
	s.left -= n
}

// ErrTooMany is in the error for counts beyond MostCounted.
var ErrTooMany = errors.New("its counts add up to more than 2^63")

func checkRegions(p *ir.Program) error {
	for i := range p.Regions {
		r := &p.Regions[i]
		if r.Line < 0 || r.Col < 0 || r.NumThreads < 0 {
			return fmt.Errorf("region %s is at line %d, column %d, of %d threads", r.Name, r.Line, r.Col, r.NumThreads)
		}
		for k, c := range r.Constructs {
			if len(c.Sections) == 0 || c.Line < 0 {
				return fmt.Errorf("construct %d of region %s has %d sections and is at line %d", k, r.Name, len(c.Sections), c.Line)
			}
			for _, s := range c.Sections {
				if s.Line < 0 {
					return fmt.Errorf("section %s is at line %d", s.Name, s.Line)
				}
			}
		}
	}
	return nil
}

func checkFunction(b *Bundle, index int, counted *sum, nesting *int) error {
	fn, f := b.Program.Funcs[index], b.Funcs[index]
	if l := fn.Loc; l.File < -1 || l.File >= len(b.Program.Files) || l.Line < 0 || l.Col < 0 {
		return errors.New("it is at a place that does not exist")
	}
	if err := checkGraph(fn); err != nil {
		return err
	}
	c, nested := flow.AnalyzeLoops(fn, *nesting)
	*nesting -= nested
	switch {
	case c == nil:
		return errNesting
	case f == nil:
		return nil
	case f.Func != index:
		return fmt.Errorf("profile of function %d stands in its place", f.Func)
	case len(f.Levels) != len(c.Loops)+1:
		return fmt.Errorf("it has %d loops and a profile of %d levels", len(c.Loops), len(f.Levels))
	}
	for i := range f.Levels {
		if err := (&levelChecker{c, f, i}).check(counted); err != nil {
			return fmt.Errorf("level %d: %w", i, err)
		}
	}
	return nil
}

// checkGraph reports control flow that no module has, and that numbering does not expect.
func checkGraph(fn *ir.Func) error {
	for i, b := range fn.Blocks {
		for _, s := range b.Succs {
			if s <= 0 || s >= len(fn.Blocks) {
				return fmt.Errorf("block %d leads to block %d of %d, not counting the entry", i, s, len(fn.Blocks))
			}
		}
	}
	return nil
}

// levelChecker checks the paths of one level.
type levelChecker struct {
	c     *flow.CFG
	f     *FuncProfile
	level int
}

func (k *levelChecker) check(counted *sum) error {
	l := &k.f.Levels[k.level]
	if l.Loop != k.level-1 {
		return fmt.Errorf("it is that of loop %d", l.Loop)
	}
	for i, b := range l.Cuts {
		if b < 0 || b >= len(k.c.Succs) || i > 0 && b <= l.Cuts[i-1] {
			return fmt.Errorf("it is cut at block %d, which is out of order or does not exist", b)
		}
	}
	for i := range l.Paths {
		p := &l.Paths[i]
		if err := k.path(p); err != nil {
			return fmt.Errorf("path %d: %w", p.ID, err)
		}
		if i > 0 && comparePaths(l.Paths[i-1], *p) >= 0 {
			return fmt.Errorf("path %d stands out of order, or twice", p.ID)
		}
		counted.add(p.Count)
	}
	if counted.over {
		return ErrTooMany
	}
	return nil
}

// path checks one path: where it begins, each step, and how it ends.
func (k *levelChecker) path(p *Path) error {
	if len(p.Steps) == 0 || p.Count == 0 {
		return fmt.Errorf("%d steps, taken %d times", len(p.Steps), p.Count)
	}
	for i, s := range p.Steps {
		if int(s) >= len(k.c.Succs) || s.Loop() >= len(k.c.Loops) || !k.inside(s) {
			return fmt.Errorf("step %d, %d, is not in the level", i, s)
		}
		if i == 0 && k.around(s) != k.level-1 || i > 0 && !k.follows(p.Steps[i-1], s) {
			return fmt.Errorf("step %d, %d, does not follow", i, s)
		}
	}
	if !k.ends(p) {
		return fmt.Errorf("it does not end as it says (%d, by successor %d)", p.End, p.Edge)
	}
	return nil
}

func (k *levelChecker) inside(s pathprof.Step) bool {
	if l := s.Loop(); l >= 0 {
		return l != k.level-1 && k.c.InLoop(k.level-1, k.c.Loops[l].Header)
	}
	return k.c.Reachable[s] && k.c.InLoop(k.level-1, int(s))
}

// around returns the loop around a step: of a loop, that which it is nested in.
func (k *levelChecker) around(s pathprof.Step) int {
	if l := s.Loop(); l >= 0 {
		return k.c.Loops[l].Parent
	}
	return k.c.LoopOf[s]
}

// follows tells whether control can go from one step to the next. A loop is entered by
// its step L*; its last traversal stands behind that, or what comes behind the loop where
// it counts last traversals itself.
func (k *levelChecker) follows(from, to pathprof.Step) bool {
	c := k.c
	outer := k.around(to)
	l := from.Loop()
	if l < 0 {
		return c.InLoop(outer, int(from)) && k.leads(int(from), to)
	}
	loop := c.Loops[l]
	if outer == l { // the last traversal begins: at an entry, or at a cut
		m := to.Loop()
		return m >= 0 || int(to) == loop.Header || slices.Contains(loop.Entries, int(to)) || slices.Contains(k.f.Levels[l+1].Cuts, int(to))
	}
	if c.InLoop(l, k.first(to)) || !c.InLoop(outer, loop.Header) {
		return false
	}
	return slices.ContainsFunc(loop.Exits, func(e flow.Edge) bool { return k.leads(e.From, to) })
}

// first is the block that a step stands for, or the header of its loop.
func (k *levelChecker) first(s pathprof.Step) int {
	if l := s.Loop(); l >= 0 {
		return k.c.Loops[l].Header
	}
	return int(s)
}

// leads tells whether an edge leads from a block to a step, not back to a header.
func (k *levelChecker) leads(from int, to pathprof.Step) bool {
	c := k.c
	if l := to.Loop(); l >= 0 {
		return !c.InLoop(l, from) && slices.ContainsFunc(c.Succs[from], func(t int) bool { return c.InLoop(l, t) })
	}
	at := c.LoopOf[to]
	if at >= 0 && c.Loops[at].Header == int(to) && c.InLoop(at, from) {
		return false
	}
	return slices.Contains(c.Succs[from], int(to))
}

// ends tells whether a path ends as it says. Profiles of early versions do not tell the
// successor.
func (k *levelChecker) ends(p *Path) bool {
	c := k.c
	last := p.Steps[len(p.Steps)-1]
	switch p.End {
	case pathprof.EndIncomplete:
		return p.Edge == -1
	case pathprof.EndFunction:
		return k.level == 0 && last >= 0 && len(c.Succs[last]) == 0
	}
	// The edges that the path may have ended with.
	if last < 0 {
		return slices.ContainsFunc(c.Loops[last.Loop()].Exits, func(e flow.Edge) bool { return k.endsBy(p, e) })
	}
	for i := range c.Succs[last] {
		if k.endsBy(p, flow.Edge{From: int(last), Index: i}) {
			return true
		}
	}
	return false
}

// endsBy tells whether a path can end as it says by an edge out of its last step.
func (k *levelChecker) endsBy(p *Path, e flow.Edge) bool {
	c, l := k.c, k.level-1
	if p.Edge != -1 && p.Edge != e.Index {
		return false
	}
	t := c.Target(e)
	switch p.End {
	case pathprof.EndIteration:
		return l >= 0 && t == c.Loops[l].Header
	case pathprof.EndCut:
		return c.InLoop(l, t) && (l < 0 || t != c.Loops[l].Header)
	case pathprof.EndPartial:
		return !c.InLoop(l, t)
	}
	return false
}

func checkExecutions(b *Bundle) error {
	if b.Executions == nil {
		return nil
	}
	if err := b.Executions.check(b); err != nil {
		return fmt.Errorf("executions: %w", err)
	}
	return nil
}

func checkLost(b *Bundle) error {
	counted := sum{left: MostCounted}
	for i, l := range b.Lost {
		if l.Func < 0 || l.Func >= len(b.Funcs) || i > 0 && l.Func <= b.Lost[i-1].Func || l.Activations == 0 {
			return fmt.Errorf("%d lost activations of function %d of %d, out of order or of none", l.Activations, l.Func, len(b.Funcs))
		}
		counted.add(l.Activations)
	}
	if counted.over {
		return ErrTooMany
	}
	return nil
}

func checkTargets(b *Bundle) error {
	counted := sum{left: MostCounted}
	for i, t := range b.Targets {
		if t.Func < 0 || t.Func >= len(b.Funcs) || t.Target < -1 || t.Target >= len(b.Funcs) {
			return fmt.Errorf("call target refers to function %d of %d", t.Func, len(b.Funcs))
		}
		fn := b.Program.Funcs[t.Func]
		if t.Block < 0 || t.Block >= len(fn.Blocks) || t.Instr < 0 || t.Instr >= len(fn.Blocks[t.Block].Instrs) {
			return fmt.Errorf("call target refers to instruction %d of block %d in %s", t.Instr, t.Block, fn.Name)
		}
		if c := fn.Blocks[t.Block].Instrs[t.Instr].Call; c == nil || !c.Indirect || c.Callee >= 0 {
			return fmt.Errorf("call target refers to instruction %d of block %d in %s, which is no indirect call", t.Instr, t.Block, fn.Name)
		}
		if i > 0 && compareTargets(b.Targets[i-1], t) >= 0 || t.Count == 0 {
			return fmt.Errorf("a call target of %s stands out of order, or twice, or has no calls", fn.Name)
		}
		counted.add(t.Count)
	}
	if counted.over {
		return ErrTooMany
	}
	return nil
}
