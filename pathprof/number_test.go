package pathprof

// This file holds the numbering against brute force on random control-flow graphs.

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"pathspan/ir/flow"
	"pathspan/testdata/walks"
)

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

// DecodePrefix returns the steps of the path under way in the block's own level when its
// register holds id.
func (n *Numbering) DecodePrefix(block int, id uint64) ([]Step, error) {
	d := decoder{n: n}
	d.to(n.CFG.LoopOf[block], node{block: block, loop: -1}, id)
	slices.Reverse(d.steps)
	return d.steps, d.err
}

// plain returns steps as package walks has them.
func plain(steps []Step) []int {
	list := make([]int, len(steps))
	for i, s := range steps {
		list[i] = int(s)
	}
	return list
}

func checkWalks(t *testing.T, r *rand.Rand, req Request) *Numbering {
	t.Helper()
	c := req.CFG
	n := Number(req)
	m := &machine{n: n, regs: make([]uint64, len(n.Levels)), hits: make(map[[2]uint64]uint64)}
	rec := walks.NewRecorder(c)
	rec.Collapsed = func(loop int) bool { return n.Levels[loop+1].Collapsed }
	rec.Cut = func(step int) bool {
		if step < 0 {
			return n.cutLoop[-1-step]
		}
		return n.cut[step]
	}
	for range 30 {
		clear(m.regs)
		b := 0
		rec.Start()
		steps := 0
		for len(c.Succs[b]) > 0 && steps < 200 {
			e := flow.Edge{From: b, Index: r.Intn(len(c.Succs[b]))}
			m.take(e)
			rec.Take(e)
			b = c.Target(e)
			steps++
			if lv := n.LevelOf(b); true {
				got, err := n.DecodePrefix(b, m.regs[lv])
				if err != nil {
					t.Fatalf("%v: prefix in block %d: %v", c.Succs, b, err)
				}
				if !slices.Equal(plain(got), rec.Paths[lv]) {
					t.Fatalf("%v: prefix in block %d is %v, want %v", c.Succs, b, got, rec.Paths[lv])
				}
			}
		}
		if len(c.Succs[b]) == 0 {
			m.count(0, &n.Levels[0].Sinks[n.endSink[b]])
			rec.End(0, walks.Function)
		}
	}
	got := make(map[string]uint64)
	for k, v := range m.hits {
		steps, sink, err := n.Decode(int(k[0]), k[1])
		if err != nil {
			t.Fatalf("%v: level %d path %d: %v", c.Succs, k[0], k[1], err)
		}
		got[walks.Key(int(k[0]), int(sink.Kind), plain(steps))] += v
	}
	for k, v := range rec.Hits {
		if got[k] != v {
			t.Fatalf("%v: path %s counted %d times, want %d", c.Succs, k, got[k], v)
		}
	}
	if len(got) != len(rec.Hits) {
		t.Fatalf("%v: %d paths counted, want %d", c.Succs, len(got), len(rec.Hits))
	}
	return n
}

func TestRandomWalks(t *testing.T) {
	irreducible, collapsed, hashed, cut := 0, 0, 0, 0
	for seed := range 3000 {
		r := rand.New(rand.NewSource(int64(seed)))
		c := flow.AnalyzeGraph(walks.Graph(r, 4+r.Intn(24)))
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
		c := flow.AnalyzeGraph(walks.Graph(r, 4+r.Intn(9)))
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
		g := walks.Graph(r, 5+r.Intn(16))
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
