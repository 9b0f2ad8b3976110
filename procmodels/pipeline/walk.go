package pipeline

// This file plays walks through a program on a processor that executes out of order.
//
// What a block costs there depends on more than the block before. So each edge that a run took
// is reached by walks that go back from it by chance, as often each way as the run came it, until the
// window is full, and is then played from there: statistical simulation (L. Eeckhout and others,
// "Control flow modeling in statistical simulation for accurate and efficient processor design
// studies", ISCA 2004), on the program's own instructions in place of invented ones. A block
// costs what it moves on the cycle in which the last instruction is let go, on average.

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/procmodels"
)

// Played is what a block costs out of order, on average over a run.
type Played struct {
	// Cycles are those with all branches foretold; Wrong are those beside them of branches that
	// went where they go less often.
	Cycles, Wrong float64
}

const (
	walksOfEdge = 12 // walks to the edges that were taken most
	fewWalks    = 3  // to the others
	windows     = 4  // that a walk is long
	remembered  = 64 // iterations of a loop that are foretold to end
	mostInside  = 64 // blocks that are played of a function that is called
)

// walker plays walks of one program.
type walker struct {
	*player
	taken       *flow.Runs
	mistaken    [][][]float64 // how often each way out of a block is not foretold, nil: it is not known
	selected    map[flow.Way][2]flow.Foretold
	runs        [][]float64   // by function and block
	preds       [][][]arrival // by function and block
	callers     [][]site      // by function
	loops       []*loops      // by function
	ways        []*way        // by function
	codes       []*lowered    // by function, nil: as it is
	round       map[int]int   // of the function that the walk is in: how often headers of regular loops will still be met
	as          [][]issued    // by function and instruction
	first       [][]int       // by function and block: the number of its first instruction
	idle        [][]*activation
	alone       bool // functions are played by themselves, as no run tells who calls them
	machine     reorder
	dice, dice2 *rand.Rand
	sides       *rand.Rand // which value selects take
	wrongs      bool
	path        []stop
	nth, walks  int // which of the walks to an edge it is, and how many there are
	// stored is what is in memory, by its address; serial and fresh count activations and values.
	stored        map[value]kept
	serial, fresh uint64
}

// arrival is an edge into a block.
type arrival struct {
	from  int
	times float64
}

// site is a call of a function.
type site struct {
	fn, block, instr int
	times            float64
}

// stop is a block on a walk, up to an instruction.
type stop struct{ fn, block, upTo int }

// activation is what is computed in one execution of a function.
type activation struct {
	fn     int
	serial uint64
	done   []int   // when results are there, by block and instruction
	values []value // what they are
	args   []int
	passed []value // for args
	// saved is when what the caller has in registers is in memory, and restored when it is back.
	saved, restored int
	based           int // when the frame pointer is there, which variables are found by
}

// activate returns an activation of a function in which nothing was computed.
func (w *walker) activate(fn int) *activation {
	w.serial++
	if n := len(w.idle[fn]); n > 0 {
		a := w.idle[fn][n-1]
		w.idle[fn] = w.idle[fn][:n-1]
		clear(a.done)
		clear(a.values)
		a.args, a.passed, a.serial, a.saved, a.restored, a.based = nil, nil, w.serial, 0, 0, 0
		return a
	}
	f := w.p.Funcs[fn]
	last := len(f.Blocks) - 1
	n := w.first[fn][last] + len(f.Blocks[last].Instrs)
	return &activation{fn: fn, serial: w.serial, done: make([]int, n), values: make([]value, n)}
}

func (w *walker) release(a *activation) { w.idle[a.fn] = append(w.idle[a.fn], a) }

// Play plays the blocks of a program on a model that executes out of order, by where its runs
// went; without runs each way out of a block is taken as often as the others.
func Play(ctx context.Context, m *Model, s *procmodels.Subject) ([][]PlayedBlock, error) {
	p, err := m.player(s)
	if err != nil {
		return nil, err
	}
	return p.walks(ctx, s)
}

// PlayedBlock is what a block costs, on average over the ways into it, and by way.
type PlayedBlock struct {
	Played
	After []PlayedAfter // by predecessor, ascending
}

// PlayedAfter is what a block costs behind a predecessor.
type PlayedAfter struct {
	Pred int
	Played
}

func (p *player) walks(ctx context.Context, s *procmodels.Subject) ([][]PlayedBlock, error) {
	w := &walker{player: p, alone: s.Run == nil, stored: map[value]kept{}, round: map[int]int{}}
	if w.alone {
		w.taken = everywhere(p.p)
	} else {
		w.taken, w.mistaken, w.selected = s.Run.Runs(), s.Run.Mistaken(flow.LongHistory), s.Run.Selected()
	}
	w.prepare()
	blocks := make([][]PlayedBlock, len(p.p.Funcs))
	for fi, f := range p.p.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", p.m.desc.Name, err)
		}
		blocks[fi] = make([]PlayedBlock, len(f.Blocks))
		for bi := range f.Blocks {
			b := &blocks[fi][bi]
			total := 0.0
			add := func(pred int, times float64) Played {
				c := w.edge(fi, pred, bi, times)
				total += times
				b.Cycles += (c.Cycles - b.Cycles) * times / total
				b.Wrong += (c.Wrong - b.Wrong) * times / total
				return c
			}
			if bi == 0 && w.taken.Entries[fi] > 0 {
				add(-1, float64(w.taken.Entries[fi]))
			}
			for _, a := range w.preds[fi][bi] {
				b.After = append(b.After, PlayedAfter{a.from, add(a.from, a.times)})
			}
		}
	}
	return blocks, nil
}

// everywhere goes each way once.
func everywhere(p *ir.Program) *flow.Runs {
	n := len(p.Funcs)
	r := &flow.Runs{Edges: make([][][]uint64, n), Entries: make([]uint64, n), Regular: make([][]bool, n)}
	for fi, f := range p.Funcs {
		r.Entries[fi], r.Regular[fi] = 1, make([]bool, len(f.Blocks))
		for _, b := range f.Blocks {
			ways := make([]uint64, len(b.Succs))
			for k := range ways {
				ways[k] = 1
			}
			r.Edges[fi] = append(r.Edges[fi], ways)
		}
	}
	return r
}

// prepare counts who comes from where.
func (w *walker) prepare() {
	n := len(w.p.Funcs)
	w.runs, w.preds, w.callers = make([][]float64, n), make([][][]arrival, n), make([][]site, n)
	for fi, f := range w.p.Funcs {
		w.runs[fi], w.preds[fi] = make([]float64, len(f.Blocks)), make([][]arrival, len(f.Blocks))
		w.code = w.lower(fi, f)
		w.way = newWay(f, w.code != nil && w.code.plain)
		if w.code == nil || !w.code.plain {
			w.way.arrange(f, flow.AnalyzeForward(f))
		}
		w.ways, w.codes = append(w.ways, w.way), append(w.codes, w.code)
		var first []int
		var all []issued
		for bi, b := range f.Blocks {
			first = append(first, len(all))
			for i := range b.Instrs {
				all = append(all, w.issued(fi, bi, i))
			}
		}
		w.first, w.as, w.idle = append(w.first, first), append(w.as, all), append(w.idle, nil)
		w.runs[fi][0] += float64(w.taken.Entries[fi])
		if w.taken.Edges[fi] == nil {
			continue
		}
		for bi, b := range f.Blocks {
			for k, times := range w.taken.Edges[fi][bi] {
				to := b.Succs[k]
				if times == 0 || slices.Contains(b.Succs[:k], to) && w.preds[fi][to][len(w.preds[fi][to])-1].from == bi {
					continue
				}
				w.runs[fi][to] += float64(times)
				w.preds[fi][to] = append(w.preds[fi][to], arrival{bi, float64(times)})
			}
		}
	}
	for fi, f := range w.p.Funcs {
		w.loops = append(w.loops, w.loopsOf(fi))
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				if c := b.Instrs[i].Call; c != nil && !w.alone && c.Callee >= 0 && w.runs[fi][bi] > 0 {
					w.callers[c.Callee] = append(w.callers[c.Callee], site{fi, bi, i, w.runs[fi][bi]})
				}
			}
		}
	}
}

// issued is what an instruction is issued as.
type issued struct {
	class, parts, times int
	beside              bool  // it is an operand of what uses it, and takes no place of its own
	moves               int   // what is put into registers in front of it
	then                []int // classes that wait for it in turn
	apart               int   // instructions of its class that nothing waits for
	updates             bool  // it stores what it loaded, and was changed: the address is computed once
}

func (w *walker) issued(fi, bi, i int) issued {
	as := w.issuedAs(fi, bi, i)
	if w.code != nil && !as.beside {
		as.moves = w.code.moves[bi][i]
	}
	return as
}

func (w *walker) issuedAs(fi, bi, i int) issued {
	b := w.p.Funcs[fi].Blocks[bi]
	in := &b.Instrs[i]
	class, parts := w.classOf(b, in, nil)
	if product, ok := w.product(bi, i); ok {
		class, parts = w.classOf(b, &b.Instrs[product], nil)
	}
	if w.code != nil {
		if w.code.gone[bi][i] {
			class = w.m.opcodes["phi"].Other
		}
		if w.m.folds[foldDivide] && w.dividesByConstant(fi, bi, i, in) {
			if n := w.ops.Of(fi, bi, i)[1].N; !w.code.plain || in.Op[0] == 'u' && n&(n-1) == 0 {
				first, then, apart := w.division(in, n)
				return issued{class: first, parts: 1, times: 1, then: then, apart: apart}
			}
		}
		if from := w.source(fi, bi, i); in.Op == "zext" && w.m.folds[foldOverwrite] && from != nil && from.Op != "load" && from.Type != "i32" {
			class = w.m.opcodes["sext"].Other
		}
	}
	if in.Op == "mul" && w.code != nil && !w.code.plain && class == w.m.opcodes["mul"].Other {
		if ops := w.ops.Of(fi, bi, i); len(ops) == 2 && ops[1].Kind == ir.Constant {
			switch n := ops[1].N; {
			case n == 3 || n == 5 || n == 9:
				return issued{class: w.m.opcodes["add"].Other, parts: 1, times: 1}
			case bits.OnesCount64(uint64(n+1)) == 1 || bits.OnesCount64(uint64(n-1)) == 1:
				return issued{class: w.m.opcodes["add"].Other, parts: 1, times: 2}
			}
		}
	}
	as := issued{class: class, parts: parts, times: 1}
	if w.m.folds[foldMemory] && !w.code.plain {
		as.beside, as.updates = in.Op == "load" && w.operand(fi, bi, i), in.Op == "store" && w.updates(fi, bi, i) >= 0
		if by, _ := w.onlyUser(bi, i); by >= 0 && w.updates(fi, bi, by) == i {
			as.beside = true
		}
	}
	return as
}

// source is what computes the first operand of an instruction, nil for other values.
func (w *walker) source(fi, bi, i int) *ir.Instr {
	if ops := w.ops.Of(fi, bi, i); len(ops) > 0 && ops[0].Kind == ir.Computed {
		return &w.p.Funcs[fi].Blocks[ops[0].Block].Instrs[ops[0].N]
	}
	return nil
}

// passes is how long what was stored takes to a load of a type.
func (m *Model) passes(typ string) int {
	if typ == "float" || typ == "double" {
		return m.forwardFloat
	}
	return m.forward
}

// forwarded is when a load is done whose value was stored before: one from a variable when that passes through, another
// no sooner than its address lets it.
func (m *Model) forwarded(c *class, typ string, fixed bool, done, stored int) int {
	passes := m.passes(typ)
	if fixed && passes < c.latency {
		return stored + passes
	}
	return max(done, stored+passes)
}

// operand tells of a load whose only user, behind it in its block, takes it from memory: one operand, and not what it overwrites.
func (w *walker) operand(fi, bi, i int) bool {
	b := w.p.Funcs[fi].Blocks[bi]
	by, at := w.onlyUser(bi, i)
	if by < 0 || slices.ContainsFunc(b.Instrs[i+1:by], func(in ir.Instr) bool { return in.Op == "store" || isCall(&in) }) {
		return false // what is between may change what is loaded
	}
	ops := w.ops.Of(fi, bi, by)
	if st, _ := w.onlyUser(bi, by); st >= 0 && w.updates(fi, bi, st) == by {
		return at == 0
	}
	switch op := b.Instrs[by].Op; op {
	case "add", "mul", "and", "or", "xor", "icmp", "fadd", "fmul":
		other := ops[len(ops)-1-at]
		if other.Kind == ir.Constant || other.Kind == ir.Unknown {
			return op == "mul" || op == "icmp" // others have a constant or an operand in memory
		}
		// Of two loads the later.
		return len(ops) != 2 || other.Kind != ir.Computed || int(other.Block) != bi || other.N < int64(i) || b.Instrs[other.N].Op != "load" || !w.operand(fi, bi, int(other.N))
	case "sub", "fsub", "fdiv":
		return at == 1
	}
	return false
}

// onlyUser is the only instruction that uses another, if it stands behind it in its block, and as which operand; else -1.
func (w *walker) onlyUser(bi, i int) (by, at int) {
	if u := w.code.users[bi][i]; len(u) == 1 && u[0].block == bi && u[0].instr > i {
		return u[0].instr, u[0].operand
	}
	return -1, -1
}

// updates returns the operation between a load and a store of the same address that are one instruction with it, -1 where
// an instruction is no such store.
func (w *walker) updates(fi, bi, i int) int {
	b := w.p.Funcs[fi].Blocks[bi]
	ops := w.ops.Of(fi, bi, i)
	if b.Instrs[i].Op != "store" || len(ops) < 2 || ops[0].Kind != ir.Computed || int(ops[0].Block) != bi {
		return -1
	}
	op := int(ops[0].N)
	if by, _ := w.onlyUser(bi, op); by != i {
		return -1
	}
	switch b.Instrs[op].Op {
	case "add", "sub", "and", "or", "xor":
	default:
		return -1
	}
	load := w.ops.Of(fi, bi, op)[0]
	if load.Kind != ir.Computed || int(load.Block) != bi || b.Instrs[load.N].Op != "load" {
		return -1
	}
	if by, at := w.onlyUser(bi, int(load.N)); by != op || at != 0 {
		return -1
	}
	from, known := w.ops.Address(fi, bi, int(load.N))
	if to, ok := w.ops.Address(fi, bi, i); !known || !ok || from != to || to.Base.Kind == ir.Unknown {
		return -1
	}
	return op
}

// edge plays walks that end with an edge.
func (w *walker) edge(fn, pred, block int, times float64) Played {
	n := fewWalks
	if times > 100 {
		n = walksOfEdge
	}
	w.dice = rand.New(rand.NewPCG(1, 2)) // the same for each edge, whatever was played before
	// Iterations differ: what is called may end under what was before, but for its last ones. So walks share them evenly.
	if around := w.around(fn, pred, block); around > 0 && around < n {
		n -= n % around
	}
	var sum Played
	for w.nth, w.walks = 0, n; w.nth < n; w.nth++ {
		w.back(fn, pred, block)
		seed := w.dice.Uint64()
		plain := w.play(seed, false)
		sum.Cycles += plain
		sum.Wrong += w.play(seed, true) - plain
	}
	sum.Cycles /= float64(n)
	sum.Wrong /= float64(n)
	return sum
}

// back goes back from an edge until the window is full twice over.
func (w *walker) back(fn, pred, block int) {
	w.path = append(w.path[:0], stop{fn, block, -1})
	clear(w.round)
	if pred >= 0 {
		w.leaves(fn, pred, block)
		if n := w.around(fn, pred, block); n > 0 {
			w.round[w.loops[fn].headed(block)] = (w.nth*n + w.dice.IntN(n)) / w.walks
		}
	}
	for size := 0; size < windows*w.m.window && len(w.path) < windows*w.m.window; {
		if pred < 0 {
			s, ok := w.caller(fn)
			if !ok {
				break
			}
			w.path = append(w.path, stop{s.fn, s.block, s.instr})
			size += s.instr + 1
			clear(w.round)
			fn, pred = s.fn, w.before(s.fn, s.block)
			if pred >= 0 {
				w.leaves(fn, pred, s.block)
			}
			continue
		}
		w.path = append(w.path, stop{fn, pred, -1})
		size += len(w.p.Funcs[fn].Blocks[pred].Instrs)
		at := pred
		if pred = w.before(fn, at); pred >= 0 {
			w.leaves(fn, pred, at)
		}
	}
}

// around is how often an edge leads back to the header of a regular loop each time, 0 where it does not.
func (w *walker) around(fn, pred, block int) int {
	l := w.loops[fn]
	if li := l.headed(block); li >= 0 && pred >= 0 && l.cfg.InLoop(li, pred) {
		return l.times[li] - 1
	}
	return 0
}

// caller chooses who called a function.
func (w *walker) caller(fn int) (site, bool) {
	total := 0.0
	for _, s := range w.callers[fn] {
		total += s.times
	}
	at := w.dice.Float64() * total
	for _, s := range w.callers[fn] {
		if at -= s.times; at < 0 {
			return s, true
		}
	}
	return site{}, false
}

// before chooses the block that one was entered from, -1: its function was called.
func (w *walker) before(fn, block int) int {
	possible, total := func(int) bool { return true }, w.runs[fn][block]
	if l := w.loops[fn]; l.headed(block) >= 0 {
		li := l.headed(block)
		entered := w.sooner(li, l.times[li])
		possible, total = func(from int) bool { return l.cfg.InLoop(li, from) != entered }, 0
		for _, a := range w.preds[fn][block] {
			if possible(a.from) {
				total += a.times
			}
		}
	}
	at := w.dice.Float64() * total
	for _, a := range w.preds[fn][block] {
		if possible(a.from) {
			if at -= a.times; at < 0 {
				return a.from
			}
		}
	}
	if block > 0 && len(w.preds[fn][block]) > 0 {
		return w.preds[fn][block][0].from
	}
	return -1
}

// play plays the walk and returns what its last block costs.
func (w *walker) play(seed uint64, wrongs bool) float64 {
	w.machine.reset(w.m)
	clear(w.stored)
	w.serial, w.fresh = 0, 0
	w.wrongs = wrongs
	w.dice2 = rand.New(rand.NewPCG(seed, 0))
	w.sides = rand.New(rand.NewPCG(seed, 1)) // the same whether branches are foretold or not
	var a *activation
	before, last := 0, -1
	if len(w.path) > 1 && w.path[1].upTo < 0 {
		last = w.path[1].block
	}
	cost, times, left := 0, 0, w.left(last)
	for i := len(w.path) - 1; i >= 0; i-- {
		s := w.path[i]
		if a == nil || a.fn != s.fn || s.block == 0 && i+1 < len(w.path) && w.path[i+1].upTo >= 0 {
			next := w.activate(s.fn)
			if a != nil && i+1 < len(w.path) && w.path[i+1].upTo >= 0 {
				next.args, next.passed = w.passed(a, w.path[i+1])
			}
			if a != nil {
				w.release(a)
			}
			a, before = next, -1
		}
		next := -1
		if i > 0 && w.path[i-1].fn == s.fn && s.upTo < 0 {
			next = w.path[i-1].block
		}
		begin, inside := w.machine.end, 0
		w.block(a, before, s, next, 0, &inside)
		// Where the walk came by earlier counts too: costs may go up and down in turns. Of the last time round a loop, only the first
		// iterations would: those count if there are no others.
		if s == w.path[0] && (i == 0 || i < len(w.path)/2 && s.upTo < 0 && before == last && (i > left || left >= len(w.path)/2)) {
			cost += w.machine.end - begin - inside
			times++
		}
		before = s.block
	}
	return float64(cost) / float64(times)
}

// left is where the walk, going back, comes out of the loop that its last edge is in: 0 where that is in none.
func (w *walker) left(last int) int {
	fn, block := w.path[0].fn, w.path[0].block
	if last < 0 || w.loops[fn] == nil {
		return 0
	}
	cfg := w.loops[fn].cfg
	li := cfg.CommonLoop(last, block)
	if li < 0 {
		return 0
	}
	for i, s := range w.path {
		if s.fn != fn || s.upTo >= 0 || !cfg.InLoop(li, s.block) {
			return i
		}
	}
	return len(w.path)
}

// passed is when the arguments of a call are there.
func (w *walker) passed(a *activation, at stop) (args []int, values []value) {
	for _, o := range w.ops.Of(at.fn, at.block, at.upTo) {
		args, values = append(args, w.there(a, o)), append(values, w.valueOf(a, o))
	}
	return args, values
}

// there is when an operand is.
func (w *walker) there(a *activation, o ir.Operand) int {
	switch o.Kind {
	case ir.Computed:
		return a.done[w.first[a.fn][o.Block]+int(o.N)]
	case ir.Argument:
		if int(o.N) < len(a.args) {
			return a.args[o.N]
		}
	}
	return 0
}

// block plays a block, or a part of it, and goes on to next, which -1 does not say. It returns
// when the value is there that it returns.
func (w *walker) block(a *activation, pred int, s stop, next, depth int, inside *int) int {
	b := w.p.Funcs[s.fn].Blocks[s.block]
	result := 0
	// Phis read what was before any of them.
	var phis []kept
	for i := range b.Instrs {
		in := &b.Instrs[i]
		if in.Op != "phi" {
			break
		}
		all := w.ops.Of(s.fn, s.block, i)
		at, of := 0, value{}
		for k, o := range all {
			if k+1 < len(all) && all[k+1].Kind == ir.From && int(all[k+1].Block) == pred && o.Kind != ir.From {
				at, of = w.there(a, o), w.valueOf(a, o)
			}
		}
		phis = append(phis, kept{at, of})
	}
	var sides []decided
	for i := range b.Instrs {
		if s.upTo >= 0 && i > s.upTo {
			break
		}
		in := &b.Instrs[i]
		if i < len(phis) {
			n := w.first[s.fn][s.block] + i
			a.done[n], a.values[n] = phis[i].at, phis[i].value
			continue
		}
		if i == len(phis) {
			w.save(a, pred, s)
		}
		if i == len(b.Instrs)-1 {
			w.restore(a, edge{s.block, -1})
		}
		as := &w.as[s.fn][w.first[s.fn][s.block]+i]
		c, parts := &w.m.classes[as.class], as.parts
		ready := 0
		ops := w.ops.Of(s.fn, s.block, i)
		if side := w.side(a, s, i, in, ops, &sides); side > 0 {
			a.done[w.first[s.fn][s.block]+i] = w.there(a, ops[side])
			a.values[w.first[s.fn][s.block]+i] = w.valueOf(a, ops[side])
			continue
		}
		for k, o := range ops {
			if in.Op == "store" && k == 1 {
				continue // the address of a store holds nothing up
			}
			ready = max(ready, w.there(a, o))
		}
		var place value
		var fixed, accesses bool
		if in.Op == "load" || in.Op == "store" {
			place, fixed, accesses = w.placeOf(a, s.fn, s.block, i)
			// It executes when what it reads is about to be there, at the same time as others that wait for that.
			if last, ok := w.stored[place]; ok && accesses && in.Op == "load" {
				ready = max(ready, last.at+w.m.passes(in.Type)-c.latency)
			}
		}
		if as.updates {
			once := *c
			once.also, c = -1, &once
		}
		done := ready
		for range as.moves {
			w.machine.move()
		}
		if in.Call != nil && len(ops) == 3 && strings.HasPrefix(in.Call.Name, "llvm.fmuladd.") {
			done = w.machine.issue(c, parts, max(w.there(a, ops[0]), w.there(a, ops[1])))
			c = &w.m.classes[w.m.opcodes["fadd"].Other]
			done = max(done, w.there(a, ops[2]))
		}
		if c.unit >= 0 {
			for range as.times {
				if as.beside {
					done = w.machine.beside(c, parts, done)
					break
				}
				done = w.machine.issue(c, parts, done)
			}
		}
		for range as.apart {
			w.machine.issue(c, parts, ready)
		}
		for _, next := range as.then {
			done = w.machine.issue(&w.m.classes[next], 1, done)
		}
		switch {
		case accesses && in.Op == "store" && len(ops) > 0:
			w.stored[place] = kept{max(ready, w.machine.cycle), w.valueOf(a, ops[0])}
		case in.Op == "load":
			of := value{of: mixed(atFirst, place.of, uint64(place.plus))}
			if last, ok := w.stored[place]; ok && accesses {
				of, done = last.value, w.m.forwarded(c, in.Type, fixed, done, max(w.machine.cycle, last.at, a.based))
				w.machine.end = max(w.machine.end, done)
			}
			a.values[w.first[s.fn][s.block]+i] = of
		default:
			a.values[w.first[s.fn][s.block]+i] = w.computes(a, s.fn, s.block, i, in, ops)
		}
		if in.Call != nil && in.Call.Callee >= 0 && i != s.upTo {
			begin := w.machine.end
			w.machine.jump()
			done = w.call(a, s, i, depth)
			w.machine.jump() // back
			*inside += w.machine.end - begin
		}
		a.done[w.first[s.fn][s.block]+i] = done
		if i == len(b.Instrs)-1 {
			result = ready
			w.foretold(s.fn, b, next, done)
		}
	}
	return result
}

// foretold refills what is taken in behind a branch that was foretold wrongly: as often as the paths of the run say of
// the way it goes, else where it goes less often.
func (w *walker) foretold(fn int, b *ir.Block, next, resolved int) {
	if next >= 0 && !w.ways[fn].empty[b.Index] && !w.ways[fn].follows(b.Index, next) {
		w.machine.jump()
	}
	if next < 0 || len(b.Succs) < 2 || !w.wrongs {
		return
	}
	if w.dice2.Float64() < w.m.branch.rate*w.mistakes(fn, b, next) {
		w.machine.refill(resolved + w.m.branch.penalty)
	}
}

// mistakes is the share of the executions of a way out of a block that is foretold wrongly.
func (w *walker) mistakes(fn int, b *ir.Block, next int) float64 {
	if w.taken.Regular[fn][b.Index] {
		return 0
	}
	if w.mistaken != nil && w.mistaken[fn] != nil && w.mistaken[fn][b.Index] != nil {
		return w.mistaken[fn][b.Index][slices.Index(b.Succs, next)]
	}
	var most uint64
	to := -1
	for k, n := range w.taken.Edges[fn][b.Index] {
		if n > most {
			most, to = n, b.Succs[k]
		}
	}
	if next == to {
		return 0
	}
	return 1
}

// call plays a function of the program, as far as a window is wide, and returns when its result
// is there.
func (w *walker) call(a *activation, s stop, instr, depth int) int {
	fn := w.p.Funcs[s.fn].Blocks[s.block].Instrs[instr].Call.Callee
	if w.alone || depth > 8 || len(w.p.Funcs[fn].Blocks) == 0 {
		return w.machine.cycle
	}
	n := w.machine.n
	next := w.activate(fn)
	next.args, next.passed = w.passed(a, stop{s.fn, s.block, instr})
	defer w.release(next)
	block, pred := 0, -1
	met := map[int]int{}
	for range mostInside {
		to := w.after(fn, block, pred, met)
		var inside int
		value := w.block(next, pred, stop{fn, block, -1}, to, depth+1, &inside)
		if to < 0 || w.machine.n-n > w.m.window {
			w.takeBack(a, next)
			return value
		}
		pred, block = block, to
	}
	w.takeBack(a, next)
	return w.machine.cycle
}

// after chooses where a block goes.
func (w *walker) after(fn, block, pred int, met map[int]int) int {
	b := w.p.Funcs[fn].Blocks[block]
	if len(b.Succs) == 0 {
		return -1
	}
	var times []uint64
	total := 0.0
	if w.taken.Edges[fn] != nil {
		times = w.taken.Edges[fn][block]
	}
	l := w.loops[fn]
	li, leaves, decides := l.goesRound(met, block, pred)
	possible := func(k int) bool { return !decides || l.cfg.InLoop(li, b.Succs[k]) != leaves }
	for k, n := range times {
		if possible(k) {
			total += float64(n)
		}
	}
	at := w.dice2.Float64() * total
	for k, n := range times {
		if possible(k) {
			if at -= float64(n); at < 0 {
				return b.Succs[k]
			}
		}
	}
	return -1
}
