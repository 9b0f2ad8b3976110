package pipeline

// This file prices blocks behind their predecessors.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/procmodels"
)

// Costs implements procmodels.Model.
func (m *Model) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	p, err := m.player(s)
	if err != nil {
		return nil, err
	}
	if of := s.Program.Machine(); !m.prices(of) {
		p.tally.Costs.Warnings = append(p.tally.Costs.Warnings, fmt.Sprintf("model %s is of programs of %s; this is one of %s, and its code is taken for theirs (profile --target builds for others)", m.desc.Name, m.targets[0], of))
	}
	if m.window > 0 {
		return p.reordered(ctx, s)
	}
	for fi, f := range s.Program.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", m.desc.Name, err)
		}
		p.fn(fi, f)
	}
	costs := p.tally.Finish()
	if m.branch.paths && s.Run == nil {
		costs.Warnings = append(costs.Warnings, fmt.Sprintf("model %s: no profile says how branches went; %g %% are taken to be foretold wrongly", m.desc.Name, 100*m.branch.rate))
	}
	return costs, nil
}

// prices tells whether the programs of a machine are those of the file's targets.
func (m *Model) prices(machine string) bool {
	return machine == "" || len(m.targets) == 0 || slices.ContainsFunc(m.targets, func(t string) bool { ok, _ := path.Match(t, machine); return ok })
}

func (m *Model) player(s *procmodels.Subject) (*player, error) {
	ops, err := s.Operands()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.desc.Name, err)
	}
	if ops == nil {
		return nil, errors.New("model " + m.desc.Name + ": it needs the program's module, which this bundle does not hold; profile the program again")
	}
	calls, _ := procmodels.CallPrices(m.library, s)
	p := &player{m: m, p: s.Program, ops: ops, calls: calls, tally: procmodels.NewTally(m.desc.Name, s.Program)}
	if m.branch.paths && s.Run != nil {
		p.mistaken = s.Run.Mistaken(m.branch.history)
	}
	return p, nil
}

// reordered prices blocks out of order, and what they call outside of the program beside that.
func (p *player) reordered(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	blocks, err := p.walks(ctx, s)
	if err != nil {
		return nil, err
	}
	for fi, f := range p.p.Funcs {
		p.code = p.lower(fi, f)
		p.way = newWay(f, p.code != nil && p.code.plain)
		for bi, b := range f.Blocks {
			bc, outside := &p.tally.Costs.Blocks[fi][bi], 0.0
			for i := range b.Instrs {
				in := &b.Instrs[i]
				p.classOf(b, in, bc)
				if said, ok := p.said(in); ok && said.class < 0 {
					outside += said.cycles
				} else if in.Call != nil && !ok {
					outside += p.call(in, bc)
				}
			}
			played := &blocks[fi][bi]
			bc.Cycles = played.Cycles + played.Wrong + outside
			for _, a := range played.After {
				bc.After = append(bc.After, procmodels.AfterCost{Pred: a.Pred, Cycles: a.Cycles + a.Wrong + outside})
			}
		}
	}
	return p.tally.Finish(), nil
}

// mostParts bounds how many elements of a type are issued one behind the other.
const mostParts = 1 << 16

// player prices the blocks of one program.
type player struct {
	m      *Model
	p      *ir.Program
	ops    *ir.Operands
	calls  func(*ir.Instr) procmodels.Price
	tally  *procmodels.Tally
	uses   []use
	way    *way
	code   *lowered      // of the function, nil: as it is
	orders map[int][]int // of the function's blocks
	// mistaken is what the run says of branches, as [procmodels.Subject] has it; nil: nothing.
	mistaken [][][]float64
	// played are the blocks that the scoreboard holds results of.
	played []played
}

// played is a block, and the number of its first result.
type played struct{ block, first int }

func (p *player) fn(fi int, f *ir.Func) {
	costs := p.tally.Costs.Blocks[fi]
	p.code = p.lower(fi, f)
	p.orders = map[int][]int{}
	p.way = newWay(f, p.code != nil && p.code.plain || p.m.pairs != nil)
	if p.m.scheduled && (p.code == nil || !p.code.plain) {
		p.way.arrange(f, flow.AnalyzeForward(f))
	}
	for bi := range f.Blocks {
		bc := &costs[bi]
		cycles, outside := p.play(newScoreboard(p.m), fi, -1, bi, bc)
		bc.Cycles = float64(cycles) + outside
	}
	for bi := range f.Blocks {
		for _, pred := range p.way.preds[bi] {
			// Ways may be foretold wrongly, the last and the one before.
			behind, blocks := p.way.behind(pred), f.Blocks
			last, former := p.wrong(fi, blocks[pred], bi), 0.0
			if n := len(behind); n > 1 {
				former = p.wrong(fi, blocks[behind[n-2]], pred)
			}
			foretold := p.after(fi, behind, bi, false, false)
			after := foretold
			for _, w := range []struct {
				last, former bool
				share        float64
			}{{true, false, last * (1 - former)}, {false, true, (1 - last) * former}, {true, true, last * former}} {
				if w.share > 0 {
					after += w.share * (p.after(fi, behind, bi, w.last, w.former) - foretold)
				}
			}
			if bc := &costs[bi]; math.Abs(after-bc.Cycles) > 1e-9 {
				bc.After = append(bc.After, procmodels.AfterCost{Pred: pred, Cycles: after})
			}
		}
	}
}

// play issues the instructions of a block behind a predecessor, or -1, that was played
// before, and returns the cycles, and those beside them that are outside of the program.
// What is assumed goes to bc, unless nil.
func (p *player) play(s *scoreboard, fi, pred, bi int, bc *procmodels.BlockCost) (cycles int, outside float64) {
	b := p.p.Funcs[fi].Blocks[bi]
	begin := s.finish()
	first := len(s.done)
	if pred < 0 {
		p.played = p.played[:0]
	}
	if p.code != nil && p.m.moves >= 0 {
		s.spend(p.m.moves, p.code.constants[edge{pred, bi}])
		if pred >= 0 {
			p.frame(s, edge{pred, bi})
		}
		p.frame(s, edge{-1, bi})
	}
	s.done = append(s.done, make([]result, len(b.Instrs))...)
	for _, i := range p.order(fi, bi) {
		in := &b.Instrs[i]
		if loads, stores, small := p.copied(fi, bi, i); small {
			s.spend(p.m.moves, p.code.moves[bi][i])
			s.spend(p.m.restores, loads)
			s.spend(p.m.saves, stores)
			s.issue(first+i, p.m.opcodes["phi"].Other, 1, nil)
			continue
		}
		class, parts, then := p.become(fi, bi, i, bc)
		if p.code != nil {
			if !p.code.gone[bi][i] && p.m.moves >= 0 {
				s.spend(p.m.moves, p.code.moves[bi][i])
			}
			if in.Op == "br" && b.Branch() == ir.Conditional && p.m.classes[class].unit >= 0 {
				if p.code.plain {
					s.spend(class, 1) // both ways are branches
				} else {
					s.spend(class, p.joined(fi, bi, p.ops.Of(fi, bi, i)[0]))
				}
			}
		}
		if i == len(b.Instrs)-1 && p.code != nil && p.m.moves >= 0 {
			p.frame(s, edge{bi, -1})
		}
		p.uses = p.uses[:0]
		all := p.ops.Of(fi, bi, i)
		for k, o := range all {
			if o.Kind != ir.Computed || in.Op == "phi" && (k+1 >= len(all) || int(all[k+1].Block) != pred) {
				continue // a phi's values of other predecessors
			}
			at := -1
			switch {
			// A phi reads what was, and a block behind itself what it computed before.
			case int(o.Block) == bi && in.Op != "phi" && o.N < int64(i):
				at = first + int(o.N)
			default:
				for _, b := range p.played {
					if int(o.Block) == b.block {
						at = b.first + int(o.N)
					}
				}
			}
			if at >= 0 {
				p.uses = append(p.uses, use{at, isAddress(in.Op, k), p.isAddend(bi, i, o)})
			}
		}
		s.issue(first+i, class, parts, p.uses, then...)
		if said, ok := p.said(in); in.Call != nil && !ok || ok && said.class < 0 {
			cost := said.cycles
			if !ok {
				cost = p.call(in, bc)
			}
			outside += cost
			if in.Call == nil || in.Call.Callee >= 0 || cost > 0 && !strings.HasPrefix(in.Call.Name, "llvm.") {
				s.drain()
			}
		}
	}
	p.played = append(p.played, played{bi, first})
	return s.finish() - begin, outside
}

// become returns what an instruction of LLVM's is in the processor's code: one of a class, in so many
// parts, and others that wait for it in turn.
func (p *player) become(fi, bi, i int, bc *procmodels.BlockCost) (class, parts int, then []int) {
	b := p.p.Funcs[fi].Blocks[bi]
	in := &b.Instrs[i]
	class, parts = p.classOf(b, in, bc)
	if p.code == nil {
		return class, parts, nil
	}
	if product, ok := p.product(bi, i); ok {
		class, parts = p.classOf(b, &b.Instrs[product], bc)
	}
	if p.code.gone[bi][i] {
		class = p.m.opcodes["phi"].Other
	}
	if p.m.folds[foldDivide] && !p.code.plain && p.dividesByConstant(fi, bi, i, in) {
		class = p.m.opcodes["mul"].Other
		if p.m.moves >= 0 { // the product is shifted, its sign is added, and what remains is subtracted
			then = append(then, p.m.moves)
			if in.Op[0] == 's' {
				then = append(then, p.m.moves)
			}
			if strings.HasSuffix(in.Op, "rem") {
				then = append(then, class)
			}
		}
	}
	return class, parts, then
}

// product returns the multiplication that adds, or subtracts, in place of an instruction.
func (p *player) product(bi, i int) (int, bool) {
	if p.code == nil {
		return 0, false
	}
	product, ok := p.code.products[place{block: bi, instr: i}]
	return product, ok
}

// joined counts the operations that join conditions to one: LLVM makes a branch more of each.
func (p *player) joined(fi, bi int, o ir.Operand) int {
	if o.Kind != ir.Computed || int(o.Block) != bi || !p.code.gone[bi][o.N] {
		return 0
	}
	in := &p.p.Funcs[fi].Blocks[bi].Instrs[o.N]
	if in.Type != "i1" || in.Op != "select" && in.Op != "and" && in.Op != "or" {
		return 0
	}
	n := 1
	for _, o := range p.ops.Of(fi, bi, int(o.N)) {
		n += p.joined(fi, bi, o)
	}
	return n
}

// isAddend tells whether an operand is what a multiplication adds its product to, or subtracts it from.
func (p *player) isAddend(bi, i int, o ir.Operand) bool {
	product, ok := p.product(bi, i)
	return ok && (int(o.Block) != bi || o.N != int64(product))
}

// isAddress tells whether an operand is what is accessed.
func isAddress(op string, operand int) bool {
	switch op {
	case "load", "cmpxchg", "atomicrmw":
		return operand == 0
	}
	return op == "store" && operand == 1
}

// frame issues what saves and restores registers.
func (p *player) frame(s *scoreboard, at edge) {
	f := p.code.frames[at]
	s.spend(p.m.moves, f.moves)
	s.spend(p.m.saves, f.saves)
	s.spend(p.m.restores, f.restores)
}

// call returns what a call or an intrinsic costs besides its own issue: where it is none of
// the program's functions, what the weight table says of all of it.
func (p *player) call(in *ir.Instr, bc *procmodels.BlockCost) float64 {
	if in.Call.Callee >= 0 {
		return 0
	}
	pr := p.calls(in)
	if bc != nil && pr.Reason != "" {
		p.tally.Suppose(bc, &pr)
	}
	return pr.Cycles
}

// classOf returns the class of an instruction, and how many parts it is issued in.
func (p *player) classOf(b *ir.Block, in *ir.Instr, bc *procmodels.BlockCost) (class, parts int) {
	op := in.Op
	switch {
	case in.Call != nil && in.Call.Callee < 0:
		said, ok := p.said(in)
		if ok && said.class >= 0 {
			return said.class, p.partsOf(in)
		}
		if ok || p.code != nil && isCall(in) {
			break
		}
		return p.m.opcodes["phi"].Other, 1 // the weight table has all of it
	case op == "frem":
		if said, ok := p.said(in); ok && said.class >= 0 {
			return said.class, 1
		} else if ok {
			op = "call"
		}
	case op == "br" && b.Branch() == ir.Conditional:
		op = conditional
	case op == "br" && (p.code != nil && p.code.plain || p.m.pairs != nil):
		// A branch, wherever it leads.
	case op == "br" && len(b.Succs) == 1 && (p.way.empty[b.Index] || p.way.follows(b.Index, b.Succs[0])):
		return p.m.opcodes["phi"].Other, 1 // it falls through, or what led here goes on at once
	}
	of, ok := p.m.opcodes[op]
	if !ok {
		of = p.m.opcodes["add"]
		if bc != nil {
			p.tally.Assume(bc, "opcode "+in.Op+": not known, taken as add", 0, 1)
		}
	}
	if class, ok := p.m.pairs[op]; ok && strings.HasPrefix(in.Type, "{") {
		return class, 1
	}
	if procmodels.OneWeight(in.Op) {
		return of.Of(in.Type), 1
	}
	return of.Of(in.Type), p.partsOf(in)
}

// partsOf is how many times an instruction is issued for all elements of its type.
func (p *player) partsOf(in *ir.Instr) int {
	shape := procmodels.ShapeOf(in.Type, ir.PointerBits(p.p.DataLayout))
	if bits := p.m.vector; bits > 0 && strings.HasPrefix(in.Type, "<") {
		return max(1, min((shape.Elements*shape.Bits+bits-1)/bits, mostParts))
	}
	return max(1, min(shape.Elements, mostParts))
}

// remainders are the functions that frem is a call of, by type.
var remainders = map[string]string{"double": "fmod", "float": "fmodf"}

// said finds what the file says of an intrinsic, or of a function outside of the program: of
// llvm.smax.i32 as it is, else as llvm.smax.
func (p *player) said(in *ir.Instr) (outside, bool) {
	if in.Op == "frem" {
		c, ok := p.m.calls[remainders[in.Type]]
		return c, ok
	}
	if in.Call == nil || in.Call.Callee >= 0 {
		return outside{}, false
	}
	name := in.Call.Name
	if c, ok := p.m.calls[name]; ok {
		return c, true
	}
	for at := strings.LastIndexByte(name, '.'); at > 0; at = strings.LastIndexByte(name[:at], '.') {
		if c, ok := p.m.calls[name[:at]]; ok && strings.HasPrefix(name, "llvm.") {
			return c, true
		}
	}
	return outside{}, false
}

// dividesByConstant tells of divisions that compilers multiply for.
func (p *player) dividesByConstant(fi, bi, i int, in *ir.Instr) bool {
	switch in.Op {
	case "udiv", "sdiv", "urem", "srem":
		ops := p.ops.Of(fi, bi, i)
		return len(ops) == 2 && ops[1].Kind == ir.Constant
	}
	return false
}

// after plays a block behind others, which control came through, and returns what it costs where the
// way there, or the one before, was foretold wrongly.
func (p *player) after(fi int, behind []int, bi int, last, former bool) float64 {
	s := newScoreboard(p.m)
	p.played = p.played[:0]
	blocks := p.p.Funcs[fi].Blocks
	before := -1
	for i, b := range behind {
		if before >= 0 {
			p.edge(s, blocks[before], b, former && i == len(behind)-1) // which is paid where it is entered
		}
		p.play(s, fi, before, b, nil)
		before = b
	}
	lost := p.edge(s, blocks[before], bi, last)
	cycles, outside := p.play(s, fi, before, bi, nil)
	return float64(cycles) + outside + lost
}

// edge goes from a block that was played to a successor, and returns what that costs beside it.
func (p *player) edge(s *scoreboard, b *ir.Block, to int, mistaken bool) float64 {
	if p.way.empty[b.Index] {
		return 0 // who leads to it goes on at once
	}
	cost := 0.0
	if !p.way.follows(b.Index, to) {
		if cost = float64(p.m.branch.taken); p.m.branch.ahead > 0 {
			cost = 0
			s.jump()
		}
	}
	if mistaken {
		s.now = s.finish() + p.m.branch.penalty
		s.refill()
		cost += float64(p.m.branch.penalty)
	}
	return cost
}

// wrong is how many of those that go from a block to a successor are foretold wrongly.
func (p *player) wrong(fi int, b *ir.Block, to int) float64 {
	kind := b.Branch()
	if p.way.empty[b.Index] || kind != ir.Conditional && kind != ir.Multiway && kind != ir.Indirect {
		return 0
	}
	if p.m.branch.static {
		if kind == ir.Conditional && to == p.way.expected(b) { // where others go is not known
			return 0
		}
		return 1
	}
	if fi < len(p.mistaken) && p.mistaken[fi] != nil && p.mistaken[fi][b.Index] != nil {
		return p.mistaken[fi][b.Index][slices.Index(b.Succs, to)]
	}
	return p.m.branch.rate
}
