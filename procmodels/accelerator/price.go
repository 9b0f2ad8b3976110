package accelerator

// This file prices the blocks of a program: what its pipelines take, by edges, and what is
// outside of them, by blocks.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/procmodels"
)

// pricer prices one program.
type pricer struct {
	m       *Model
	p       *ir.Program
	ops     *ir.Operands
	library func(*ir.Instr) procmodels.Price
	tally   *procmodels.Tally
	told    *memory.Data // nil where runs told nothing
}

// Costs implements procmodels.Model.
func (m *Model) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	ops, err := s.Operands()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.desc.Name, err)
	}
	if ops == nil {
		return nil, errors.New("model " + m.desc.Name + ": it needs the program's module, which this bundle does not hold; profile the program again")
	}
	if m, err = m.on(s.Program); err != nil {
		return nil, err
	}
	calls, _ := procmodels.CallPrices(m.library, s)
	p := &pricer{m: m, p: s.Program, ops: ops, library: calls, tally: procmodels.NewTally(m.desc.Name, s.Program), told: s.Memory}
	if err := p.known(); err != nil {
		return nil, err
	}
	for fi := range s.Program.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", m.desc.Name, err)
		}
		if err := p.fn(fi); err != nil {
			return nil, err
		}
	}
	costs := p.tally.Finish()
	costs.Warnings = m.warnings
	return costs, nil
}

// assumptions are the defaults that a block's figure rests on.
type assumptions struct {
	list []procmodels.Price
}

func (a *assumptions) add(reason string, cycles float64) {
	a.list = append(a.list, procmodels.Price{Defaulted: cycles, Reason: reason})
}

// edge leads from a block to a block.
type edge struct{ from, to int }

// priced are the blocks and edges of one function.
type priced struct {
	*pricer
	fi      int
	f       *ir.Func
	c       *flow.CFG
	block   []float64
	edge    map[edge]float64
	assumes []assumptions
	loops   []*looped
}

func (p *pricer) fn(fi int) error {
	f := p.p.Funcs[fi]
	r := &priced{pricer: p, fi: fi, f: f, c: flow.AnalyzeForward(f), block: make([]float64, len(f.Blocks)), edge: map[edge]float64{}, assumes: make([]assumptions, len(f.Blocks))}
	for _, l := range r.c.Loops {
		pl, err := r.plan(l)
		if err != nil {
			return err
		}
		r.loops = append(r.loops, pl)
	}
	for bi := range f.Blocks {
		if l := r.c.LoopOf[bi]; l >= 0 && !r.loops[l].apart {
			continue // the loop has it
		}
		g := p.graph(fi, nil, bi, &r.assumes[bi])
		r.block[bi] = p.schedule(g)
	}
	for _, l := range r.loops {
		if err := r.unnest(l); err != nil {
			return err
		}
		r.charge(l)
	}
	if err := r.functions(); err != nil {
		return err
	}
	r.write()
	return nil
}

// charge puts what a loop takes on its edges: what the first iteration takes where it is
// entered, and what each further one takes where it goes back. Where it tests at the top,
// iterations are where it goes on from there.
func (r *priced) charge(l *looped) {
	first, each := l.first, l.each
	if out := r.flattened(l); out != nil && l.pipelined {
		// The pipeline goes on when the loops around it begin their next iterations.
		first -= l.drain
		r.enter(out, l.drain)
	}
	h := l.loop.Header
	if !l.topTested {
		r.enter(l, first)
		for _, e := range l.loop.Latches {
			r.edge[edge{e.From, h}] += each
		}
		return
	}
	r.enter(l, max(0, first-each))
	inside := slices.Clone(r.f.Blocks[h].Succs)
	slices.Sort(inside)
	for _, s := range slices.Compact(inside) {
		if r.c.InLoop(l.loop.Index, s) {
			r.edge[edge{h, s}] += each
		}
	}
}

// flattened returns the outermost loop that is one pipeline with a loop, nil for none.
func (r *priced) flattened(l *looped) (out *looped) {
	for up := l.loop.Parent; up >= 0 && r.loops[up].flatten; up = r.loops[up].loop.Parent {
		out = r.loops[up]
	}
	return out
}

// enter adds to what entering a loop costs.
func (r *priced) enter(l *looped, cycles float64) {
	seen := map[int]bool{}
	for _, e := range l.loop.EntryEdges {
		if to := r.f.Blocks[e.From].Succs[e.Index]; !seen[e.From] {
			seen[e.From] = true
			r.edge[edge{e.From, to}] += cycles
		}
	}
}

// functions puts what a file gives of whole functions on their entries.
func (r *priced) functions() error {
	for i := range r.m.funcs {
		g := &r.m.funcs[i]
		if g.name != r.f.Source && g.name != r.f.Name {
			continue
		}
		for bi, b := range r.f.Blocks {
			if r.c.LoopOf[bi] >= 0 {
				continue
			}
			if callee := calls(b); callee != "" {
				return g.at.Errorf("latency of function %s: it calls %s, whose time would count twice; leave the latency out", g.name, callee)
			}
		}
		own, err := r.recovered(g.at, "function "+g.name, g.latency.most, r.outermost(), g.fromReport)
		if err != nil && g.fromReport {
			continue // a loop in it is priced as found
		}
		if err != nil {
			return err
		}
		for bi := range r.f.Blocks {
			if r.c.LoopOf[bi] < 0 {
				r.block[bi], r.assumes[bi] = 0, assumptions{}
			}
		}
		r.block[0] = own
	}
	return nil
}

func (r *priced) outermost() (all []*looped) {
	for _, l := range r.loops {
		if l.loop.Parent < 0 {
			all = append(all, l)
		}
	}
	return all
}

// write turns blocks and edges into costs of blocks behind their predecessors.
func (r *priced) write() {
	costs := r.tally.Costs.Blocks[r.fi]
	preds := make([][]int, len(r.f.Blocks))
	for bi, b := range r.f.Blocks {
		for _, s := range b.Succs {
			if n := len(preds[s]); n == 0 || preds[s][n-1] != bi {
				preds[s] = append(preds[s], bi)
			}
		}
	}
	for bi := range r.f.Blocks {
		bc := &costs[bi]
		least := 0.0
		for i, pred := range preds[bi] {
			if on := r.edge[edge{pred, bi}]; i == 0 || on < least {
				least = on
			}
		}
		bc.Cycles = r.block[bi] + least
		for _, pred := range preds[bi] {
			if on := r.edge[edge{pred, bi}]; on != least {
				bc.After = append(bc.After, procmodels.AfterCost{Pred: pred, Cycles: r.block[bi] + on})
			}
		}
		for _, a := range r.assumes[bi].list {
			r.tally.Suppose(bc, &a)
		}
	}
}

// calls names what a block calls that has a time of its own, "" for nothing.
func calls(b *ir.Block) string {
	for i := range b.Instrs {
		switch c := b.Instrs[i].Call; {
		case c == nil:
		case c.Callee >= 0:
			return c.Name
		case c.Indirect:
			return "a pointer"
		case len(c.FuncArgs) > 0:
			return c.Name
		}
	}
	return ""
}

func (m *Model) callClass(name string) (int, bool) {
	if c, ok := m.calls[name]; ok {
		return c, true
	}
	for at := strings.LastIndexByte(name, '.'); at > 0; at = strings.LastIndexByte(name[:at], '.') {
		if c, ok := m.calls[name[:at]]; ok && strings.HasPrefix(name, "llvm.") {
			return c, true
		}
	}
	return 0, false
}

// mostParts bounds how many operations one vector is.
const mostParts = 1 << 16

// classOf returns the class of an operation, and how many of it a vector is.
func (p *pricer) classOf(op, typ string) (class, parts int) {
	shape := procmodels.ShapeOf(typ, ir.PointerBits(p.p.DataLayout))
	of, ok := p.m.opcodes[op]
	if !ok {
		of = p.m.opcodes[otherwise]
	}
	if procmodels.OneWeight(op) {
		return of.Of(typ), 1
	}
	return of.Of(typ), max(1, min(shape.Elements, mostParts))
}
