package pathprof

// This file holds the numbering against brute force on random control-flow graphs.

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"pathspan/ir/flow"
)

// randomGraph returns a graph with n blocks, entry 0 without predecessors, every
// block able to have up to three successors; some are irreducible, some blocks end
// the function, some edges are doubled.
func randomGraph(r *rand.Rand, n int) [][]int {
	succs := make([][]int, n)
	for b := range succs {
		k := r.Intn(3)
		if b == 0 || r.Intn(3) > 0 {
			k = 1 + r.Intn(2)
		}
		for range k {
			t := 1 + r.Intn(n-1)
			if r.Intn(3) > 0 && b+1 < n { // mostly forward and near
				t = b + 1 + r.Intn(min(3, n-b-1))
			}
			succs[b] = append(succs[b], t)
			if r.Intn(12) == 0 {
				succs[b] = append(succs[b], t)
			}
		}
	}
	return succs
}

// machine runs the registers and counters of a function as the probes would.
type machine struct {
	n    *Numbering
	regs []uint64 // by level
	hits map[[2]uint64]uint64
}

func (m *machine) count(level int, s *Sink) uint64 {
	id := s.Offset + m.regs[level]
	m.hits[[2]uint64{uint64(level), id}]++
	return id
}

func (m *machine) take(e flow.Edge) {
	t := m.n.CFG.Target(e)
	m.n.walk(e, func(s step) {
		switch s.kind {
		case stepCount:
			m.count(s.level, s.sink)
		case stepFold:
			m.regs[s.level] += m.regs[s.from] * s.value
		case stepJoin:
			m.regs[s.level] += s.value
		case stepEnter:
			m.regs[s.level] = s.value
		}
	})
	l := m.n.CFG.LoopOf[t]
	if m.n.cut[t] || l >= 0 && m.n.CFG.Loops[l].Header == t {
		m.regs[l+1] = 0
	}
}

// recorder keeps each level's path as a list of steps, by definition.
type recorder struct {
	n     *Numbering
	paths [][]Step // by level
	hits  map[string]uint64
}

func key(level int, kind SinkKind, steps []Step) string {
	return fmt.Sprint(level, kind, steps)
}

func (r *recorder) end(level int, kind SinkKind) {
	r.hits[key(level, kind, r.paths[level])]++
}

func (r *recorder) take(e flow.Edge) {
	n, c := r.n, r.n.CFG
	t := c.Target(e)
	l := c.LoopOf[e.From]
	for l >= 0 && !c.InLoop(l, t) {
		parent := c.Loops[l].Parent
		if n.Levels[l+1].Collapsed {
			r.end(l+1, EndPartial)
		} else {
			r.paths[parent+1] = append(r.paths[parent+1], r.paths[l+1]...)
		}
		r.paths[l+1] = nil
		l = parent
	}
	if c.IsBack(e) {
		r.end(l+1, EndIteration)
		r.paths[l+1] = []Step{Step(t)}
		return
	}
	for {
		// Cross one boundary at a time: into block t, or into the loop around it.
		m := c.LoopOf[t]
		next, isCut := Step(t), n.cut[t]
		if m != l {
			for c.Loops[m].Parent != l {
				m = c.Loops[m].Parent
			}
			next, isCut = LoopStep(m), n.cutLoop[m]
		}
		if isCut && len(r.paths[l+1]) > 0 {
			r.end(l+1, EndCut)
			r.paths[l+1] = nil
		}
		r.paths[l+1] = append(r.paths[l+1], next)
		if next >= 0 {
			return
		}
		l = m
		r.paths[l+1] = nil
	}
}

// DecodePrefix returns the steps of the path under way in the block's own level when its
// register holds id.
func (n *Numbering) DecodePrefix(block int, id uint64) ([]Step, error) {
	d := decoder{n: n}
	d.to(n.CFG.LoopOf[block], node{block: block, loop: -1}, id)
	slices.Reverse(d.steps)
	return d.steps, d.err
}

func checkWalks(t *testing.T, r *rand.Rand, req Request) *Numbering {
	t.Helper()
	c := req.CFG
	n := Number(req)
	m := &machine{n: n, regs: make([]uint64, len(n.Levels)), hits: make(map[[2]uint64]uint64)}
	rec := &recorder{n: n, paths: make([][]Step, len(n.Levels)), hits: make(map[string]uint64)}
	for range 30 {
		clear(m.regs)
		b := 0
		rec.paths[0] = []Step{0}
		steps := 0
		for len(c.Succs[b]) > 0 && steps < 200 {
			e := flow.Edge{From: b, Index: r.Intn(len(c.Succs[b]))}
			m.take(e)
			rec.take(e)
			b = c.Target(e)
			steps++
			if lv := n.LevelOf(b); true {
				got, err := n.DecodePrefix(b, m.regs[lv])
				if err != nil {
					t.Fatalf("%v: prefix in block %d: %v", c.Succs, b, err)
				}
				if !slices.Equal(got, rec.paths[lv]) {
					t.Fatalf("%v: prefix in block %d is %v, want %v", c.Succs, b, got, rec.paths[lv])
				}
			}
		}
		if len(c.Succs[b]) == 0 {
			m.count(0, &n.Levels[0].Sinks[n.endSink[b]])
			rec.end(0, EndFunction)
		}
	}
	got := make(map[string]uint64)
	for k, v := range m.hits {
		steps, sink, err := n.Decode(int(k[0]), k[1])
		if err != nil {
			t.Fatalf("%v: level %d path %d: %v", c.Succs, k[0], k[1], err)
		}
		got[key(int(k[0]), sink.Kind, steps)] += v
	}
	for k, v := range rec.hits {
		if got[k] != v {
			t.Fatalf("%v: path %s counted %d times, want %d", c.Succs, k, got[k], v)
		}
	}
	if len(got) != len(rec.hits) {
		t.Fatalf("%v: %d paths counted, want %d", c.Succs, len(got), len(rec.hits))
	}
	return n
}

func TestRandomWalks(t *testing.T) {
	irreducible, collapsed, hashed, cut := 0, 0, 0, 0
	for seed := range 3000 {
		r := rand.New(rand.NewSource(int64(seed)))
		c := flow.AnalyzeGraph(randomGraph(r, 4+r.Intn(24)))
		lim := []Limits{{}, {Array: 8}, {Array: 4, Node: 16}, {Array: 2, Node: 4}}[seed%4]
		n := checkWalks(t, r, Request{CFG: c, Limits: lim})
		for i := range n.Levels {
			lv := &n.Levels[i]
			if lv.Loop >= 0 && c.Loops[lv.Loop].Irreducible {
				irreducible++
			}
			if lv.Collapsed {
				collapsed++
			}
			if lv.Hashed(lim) {
				hashed++
			}
			if len(lv.Cuts) > 0 {
				cut++
			}
			if lv.Paths > 64*n.Limits.Node {
				t.Fatalf("seed %d: level %d has %d paths", seed, i, lv.Paths)
			}
		}
	}
	if irreducible == 0 || collapsed == 0 || hashed == 0 || cut == 0 {
		t.Errorf("the graphs exercised %d irreducible, %d collapsed, %d hashed, %d cut levels: all should occur", irreducible, collapsed, hashed, cut)
	}
}

// TestBijection enumerates every path id of small functions: each decodes, and no
// two ids of a level decode to the same path and end.
func TestBijection(t *testing.T) {
	for seed := range 800 {
		r := rand.New(rand.NewSource(int64(seed)))
		c := flow.AnalyzeGraph(randomGraph(r, 4+r.Intn(9)))
		n := Number(Request{CFG: c})
		for i := range n.Levels {
			if n.Levels[i].Paths > 5000 {
				continue
			}
			seen := make(map[string]uint64)
			for id := range n.Levels[i].Paths {
				steps, sink, err := n.Decode(i, id)
				if err != nil {
					t.Fatalf("seed %d level %d: %v", seed, i, err)
				}
				k := fmt.Sprint(sink.Kind, sink.Edge, steps)
				if loopsTwiceEntered(c) {
					continue // the entry and the traversal of an irreducible loop can disagree
				}
				if other, ok := seen[k]; ok {
					t.Fatalf("seed %d level %d: ids %d and %d are both %s of %v", seed, i, other, id, k, c.Succs)
				}
				seen[k] = id
			}
		}
	}
}

func loopsTwiceEntered(c *flow.CFG) bool {
	for _, l := range c.Loops {
		if l.Irreducible || len(l.EntryEdges) > 1 {
			return true
		}
	}
	for _, s := range c.Succs {
		for i := range s {
			if slices.Contains(s[:i], s[i]) {
				return true // doubled edges share their blocks
			}
		}
	}
	return false
}

func TestRestart(t *testing.T) {
	for seed := range 1000 {
		r := rand.New(rand.NewSource(int64(seed)))
		g := randomGraph(r, 5+r.Intn(16))
		c := flow.AnalyzeGraph(g)
		// A restart is a block with one predecessor that has no other successor.
		var restarts []int
		for b := range g {
			if len(c.Preds[b]) == 1 && len(g[c.Preds[b][0].From]) == 1 && c.Reachable[b] {
				restarts = append(restarts, b)
				break
			}
		}
		if len(restarts) == 0 {
			continue
		}
		n := checkWalks(t, r, Request{CFG: c, Restarts: restarts})
		for l := c.LoopOf[restarts[0]]; l >= 0; l = c.Loops[l].Parent {
			for b := range g {
				if c.LoopOf[b] == l && c.Reachable[b] && n.fromBlock[b] != 1 {
					t.Fatalf("seed %d: block %d of a loop that setjmp returns into depends on its register", seed, b)
				}
			}
		}
	}
}

// TestManyPaths numbers functions with far more paths than 64 bits hold.
func TestManyPaths(t *testing.T) {
	for _, diamonds := range []int{16, 32, 63, 70, 500} {
		var g [][]int
		for i := range diamonds {
			g = append(g, []int{3*i + 1, 3*i + 2}, []int{3*i + 3}, []int{3*i + 3})
		}
		g = append(g, nil)
		c := flow.AnalyzeGraph(g)
		n := checkWalks(t, rand.New(rand.NewSource(1)), Request{CFG: c})
		if diamonds > 60 && len(n.Levels[0].Cuts) == 0 {
			t.Errorf("%d diamonds: not cut", diamonds)
		}
		if diamonds == 32 && (n.Levels[0].Paths != 1<<32 || len(n.Levels[0].Cuts) > 0) {
			t.Errorf("32 diamonds: %d paths, %d cuts", n.Levels[0].Paths, len(n.Levels[0].Cuts))
		}
	}
}
