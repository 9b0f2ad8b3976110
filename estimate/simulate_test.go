package estimate

// This file makes random programs and runs them: an interpreter that records paths by
// the definition of hierarchical path profiling.

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/profile"
)

// maker writes a random program in the language of parseLiteral.
type maker struct {
	r        *rand.Rand
	out      strings.Builder
	blocks   int
	regions  int
	fn       int // function being written; it calls later ones only
	funcs    int
	straight bool // no branches
	nested   int  // regions around the code being written
}

func (m *maker) name() string { m.blocks++; return fmt.Sprintf("b%d", m.blocks) }

func (m *maker) block(name, mark, calls, to string) {
	fmt.Fprintf(&m.out, "%s %s %d: %s -> %s\n", name, mark, m.r.Intn(40), calls, to)
}

// call returns a call of a later function, or none.
func (m *maker) call() string {
	if m.fn+1 >= m.funcs || m.r.Intn(3) > 0 {
		return ""
	}
	callee := m.fn + 1 + m.r.Intn(m.funcs-m.fn-1)
	switch m.r.Intn(6) {
	case 0:
		return "@?" // the interpreter chooses a target
	case 1:
		return fmt.Sprintf("@each&f%d", callee) // and calls what is passed
	case 2:
		return fmt.Sprintf("!@f%d", callee)
	}
	return fmt.Sprintf("@f%d", callee)
}

func (m *maker) code(from, to string, depth int) {
	if depth == 0 {
		m.block(from, "", m.call(), to)
		return
	}
	switch k := m.r.Intn(7); {
	case k == 0:
		m.block(from, "", m.call(), to)
	case k <= 2:
		mid := m.name()
		m.code(from, mid, depth-1)
		m.code(mid, to, depth-1)
	case k == 3 && !m.straight:
		a, b := m.name(), m.name()
		m.block(from, "", m.call(), a+" "+b)
		m.code(a, to, depth-1)
		m.code(b, to, depth-1)
	case k == 4:
		header, body, latch, out := m.name(), m.name(), m.name(), m.name()
		m.block(from, "", "", header)
		if m.straight || m.r.Intn(2) == 0 {
			m.block(header, "", "", body+" "+out) // tested at the top
			m.code(body, latch, depth-1)
			m.block(latch, "", "", header)
		} else {
			m.block(header, "", m.call(), body) // at the bottom
			m.code(body, latch, depth-1)
			m.block(latch, "", "", header+" "+out)
		}
		m.block(out, "", "", to)
	default:
		m.region(from, to, depth)
	}
}

func (m *maker) region(from, to string, depth int) {
	id := m.regions
	m.regions++
	begin, end, next := m.name(), m.name(), m.name()
	m.block(from, "", "", begin)
	m.block(begin, fmt.Sprintf("R%d(", id), "", next)
	m.nested++
	for c := range 1 + m.r.Intn(2) {
		for s := range 1 + m.r.Intn(3) {
			open, first, shut, after := m.name(), m.name(), m.name(), m.name()
			m.block(next, "", "", open)
			m.block(open, fmt.Sprintf("R%d.%d.%d(", id, c, s), "", first)
			m.code(first, shut, depth-1)
			m.block(shut, fmt.Sprintf("R%d.%d.%d)", id, c, s), "", after)
			next = after
		}
	}
	m.nested--
	m.block(next, "", "", end)
	m.block(end, fmt.Sprintf("R%d)", id), "", to)
}

// edge is a way into a block, from -1 at the entry of a function.
type edge struct{ fn, from, to int }

// randomLiteral makes a program of up to four functions f0, f1, ... and runs f0 runs
// times.
func randomLiteral(t testing.TB, seed int64, straight bool, runs int) *literal {
	m := &maker{r: rand.New(rand.NewSource(seed)), straight: straight}
	m.funcs = 1 + m.r.Intn(4)
	for m.fn = range m.funcs {
		fmt.Fprintf(&m.out, "func f%d\n", m.fn)
		first, last := m.name(), m.name()
		m.block(first, "", "", first+"x")
		m.code(first+"x", last, 1+m.r.Intn(4))
		fmt.Fprintf(&m.out, "%s %d:\n", last, m.r.Intn(40))
	}
	l := parseLiteral(t, m.out.String())
	l.countRegionsApart()
	l.edges = map[edge]float64{}
	in := newInterpreter(l, rand.New(rand.NewSource(seed+1)))
	for range runs {
		in.call(0)
	}
	in.finish()
	return l
}

// countRegionsApart lets no call that leads to a region count in its caller, which
// estimates refuse.
func (l *literal) countRegionsApart() {
	reaches := make([]bool, len(l.prog.Funcs))
	for range l.prog.Funcs {
		for f, fn := range l.prog.Funcs {
			for _, b := range fn.Blocks {
				reaches[f] = reaches[f] || b.Mark != nil
				for i := range b.Instrs {
					c := b.Instrs[i].Call
					reaches[f] = reaches[f] || c != nil && (c.Indirect || len(c.FuncArgs) > 0 || c.Callee >= 0 && reaches[c.Callee])
				}
			}
		}
	}
	for f := range l.costs.Blocks {
		for b := range l.costs.Blocks[f] {
			c := &l.costs.Blocks[f][b]
			c.Included = slices.DeleteFunc(c.Included, func(i int) bool {
				callee := l.prog.Funcs[f].Blocks[b].Instrs[i].Call.Callee
				return callee >= 0 && reaches[callee]
			})
		}
	}
}

// interpreter runs a literal, with random branches, and records its paths.
type interpreter struct {
	l         *literal
	r         *rand.Rand
	cfgs      []*flow.CFG
	collapsed [][]bool // loops that count their partial traversals themselves
	paths     []map[string]*profile.Path
	order     [][]string
	maxTrips  [][]uint64
	targets   map[profile.CallTarget]uint64
	depth     int
	steps     int
}

func newInterpreter(l *literal, r *rand.Rand) *interpreter {
	in := &interpreter{l: l, r: r, targets: map[profile.CallTarget]uint64{}}
	for _, f := range l.prog.Funcs {
		c := flow.Analyze(f)
		in.cfgs = append(in.cfgs, c)
		in.paths = append(in.paths, map[string]*profile.Path{})
		in.order = append(in.order, nil)
		in.maxTrips = append(in.maxTrips, make([]uint64, len(c.Loops)))
		collapsed := make([]bool, len(c.Loops))
		for i := range collapsed {
			collapsed[i] = r.Intn(4) == 0
		}
		in.collapsed = append(in.collapsed, collapsed)
	}
	return in
}

func (in *interpreter) record(fn, level int, end pathprof.SinkKind, steps []pathprof.Step) {
	key := fmt.Sprint(level, end, steps)
	p := in.paths[fn][key]
	if p == nil {
		p = &profile.Path{End: end, ID: uint64(level), Steps: slices.Clone(steps)}
		in.paths[fn][key] = p
		in.order[fn] = append(in.order[fn], key)
	}
	p.Count++
}

// call executes a function.
func (in *interpreter) call(fn int) {
	f, c := in.l.prog.Funcs[fn], in.cfgs[fn]
	in.depth++
	defer func() { in.depth-- }()
	current := make([][]pathprof.Step, len(c.Loops)+1) // by level
	trips := make([]uint64, len(c.Loops))
	at, from := 0, -1
	for {
		in.steps++
		in.l.edges[edge{fn, from, at}]++
		from = at
		current[c.LoopOf[at]+1] = append(current[c.LoopOf[at]+1], pathprof.Step(at))
		in.calls(fn, at)
		succs := f.Blocks[at].Succs
		if len(succs) == 0 {
			break
		}
		k := in.r.Intn(len(succs))
		if l := c.LoopOf[at]; len(succs) > 1 && l >= 0 && (in.steps > 3000 || trips[l] > 5) {
			for i, s := range succs { // leave the loop
				if !c.InLoop(l, s) {
					k = i
				}
			}
		}
		to := succs[k]
		l := c.LoopOf[at]
		for ; l >= 0 && !c.InLoop(l, to); l = c.Loops[l].Parent {
			in.maxTrips[fn][l] = max(in.maxTrips[fn][l], trips[l])
			if in.collapsed[fn][l] {
				in.record(fn, l+1, pathprof.EndPartial, current[l+1])
			} else {
				up := c.Loops[l].Parent + 1
				current[up] = append(current[up], current[l+1]...)
			}
		}
		if c.IsBack(flow.Edge{From: at, Index: k}) {
			in.record(fn, l+1, pathprof.EndIteration, current[l+1])
			trips[l]++
			current[l+1] = nil
		}
		var entered []int
		for m := c.LoopOf[to]; m != l; m = c.Loops[m].Parent {
			entered = append(entered, m)
		}
		slices.Reverse(entered)
		for _, m := range entered {
			up := c.Loops[m].Parent + 1
			current[up] = append(current[up], pathprof.LoopStep(m))
			current[m+1], trips[m] = nil, 0
		}
		at = to
	}
	in.record(fn, 0, pathprof.EndFunction, current[0])
}

// calls executes the calls of a block.
func (in *interpreter) calls(fn, block int) {
	b := in.l.prog.Funcs[fn].Blocks[block]
	for i := range b.Instrs {
		c := b.Instrs[i].Call
		switch {
		case c == nil:
		case c.Indirect:
			target := fn + 1 + in.r.Intn(len(in.cfgs)-fn-1)
			in.targets[profile.CallTarget{Func: fn, Block: block, Instr: i, Target: target}]++
			in.call(target)
		case c.Callee >= 0:
			if c.Callee > fn || in.depth < 6 && in.r.Intn(2) == 0 {
				in.call(c.Callee)
			}
		default:
			for range 2 {
				in.call(c.FuncArgs[0])
			}
		}
	}
}

// finish stores the recorded paths in the literal's bundle.
func (in *interpreter) finish() {
	b := in.l.bundle
	for fn, order := range in.order {
		if len(order) == 0 {
			continue
		}
		p := &profile.FuncProfile{Func: fn, Levels: make([]profile.LevelProfile, len(in.cfgs[fn].Loops)+1)}
		for i := range p.Levels {
			p.Levels[i].Loop = i - 1
			if i > 0 {
				p.Levels[i].MaxTrips, p.Levels[i].MaxKnown = in.maxTrips[fn][i-1], true
				p.Levels[i].Collapsed = in.collapsed[fn][i-1]
			}
		}
		for _, key := range order {
			path := *in.paths[fn][key]
			l := &p.Levels[path.ID]
			path.ID = uint64(len(l.Paths))
			l.Paths = append(l.Paths, path)
		}
		b.Funcs[fn] = p
	}
	var targets []profile.CallTarget
	for t, n := range in.targets {
		t.Count = n
		targets = append(targets, t)
	}
	slices.SortFunc(targets, func(x, y profile.CallTarget) int {
		return slices.Compare([]int{x.Func, x.Block, x.Instr, x.Target}, []int{y.Func, y.Block, y.Instr, y.Target})
	})
	b.Targets = targets
}
