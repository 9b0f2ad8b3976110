package flow

// This file partitions the blocks into control dependence regions.

// Region is a set of blocks that are executed under the same conditions: their
// sets of control dependences are equal (Lattuada, Pilato and Ferrandi,
// "Performance Estimation of Task Graphs based on Path Profiling", section 4.1).
//
// A block depends on edge u->w when it postdominates w but not, or only as u
// itself, u (Ferrante, Ottenstein and Warren, "The program dependence graph and
// its use in optimization", TOPLAS 9(3), 1987, section 3.1). The graph is the
// full one with a virtual entry, which has an edge to block 0 and one to the
// virtual exit. Then dependences carried by a loop are dropped: those on back
// edges, and those of blocks that do not come after u in Order. So a header
// belongs to the region of the code around its loop. In a reducible graph every
// topological order drops the same ones.
type Region struct {
	Index  int
	Name   string // A, B, ... Z, AA, ... by Index
	Blocks []int  // in Order
}

// dependences finds which blocks depend on an edge without listing them: they
// are a stretch of the postdominator tree, from the edge's target upward.
type dependences struct {
	c    *CFG
	pos  []int // Pos, with the virtual exit after every block
	jump []int // an ancestor some way up
}

// newDependences prepares the search upward in O(1) memory a node (Myers, "An
// applicative random-access stack", IPL 17(5), 1983).
func newDependences(c *CFG) *dependences {
	n := c.Exit()
	d := &dependences{c: c, pos: append(c.Pos[:n:n], len(c.Order)), jump: make([]int, n+1)}
	depth := c.pdom.depth
	for _, v := range c.pdom.nodes {
		p := c.pdom.parent[v]
		if p < 0 {
			d.jump[v] = v
			continue
		}
		d.jump[v] = p
		if far := d.jump[p]; far != p && depth[p]-depth[far] == depth[far]-depth[d.jump[far]] {
			d.jump[v] = d.jump[far]
		}
	}
	return d
}

// stretch returns the stretch of the postdominator tree, from a node up to but
// without another, whose blocks depend on e. They are equal for a back edge, whose
// target does not come after its source: on it depends nothing.
//
// Without the dropping it would end at the immediate postdominator of e.From = u
// (Ferrante, Ottenstein and Warren, section 3.1). Dropping cuts it once: let v be
// in it and not after u. A path to v has to go back over u, and since loops are
// consecutive in Order, does so by a back edge to a header of a loop around u.
// As v postdominates that header and not u, it is u or on every path from the
// header to u. A postdominator of v in the stretch is likewise on every path from
// v to u, so it comes before u and is dropped too; if v is u there is none.
func (d *dependences) stretch(e Edge) (from, to int) {
	if e == FunctionEntry {
		return 0, d.c.Exit()
	}
	from, stop := d.c.Target(e), d.c.Ipdom[e.From]
	depth, pos := d.c.pdom.depth, d.pos[e.From]
	for to = from; to != stop && d.pos[to] > pos; {
		if far := d.jump[to]; depth[far] > depth[stop] && d.pos[far] > pos {
			to = far
		} else {
			to = d.c.pdom.parent[to]
		}
	}
	return from, to
}

// edges calls f for every edge that blocks may depend on, numbered from 1.
func (d *dependences) edges(f func(number uint64, e Edge)) {
	f(1, FunctionEntry)
	number := uint64(1)
	for _, u := range d.c.Order {
		for i := range d.c.Succs[u] {
			number++
			f(number, Edge{u, i})
		}
	}
}

// fingerprint stands for a set of dependences: its size and two sums of 64 bits
// over its edges. Two different sets among b blocks share one with a
// probability of about b*b/2^129.
type fingerprint struct {
	size int
	a, b uint64
}

// fingerprints returns those of all blocks. A stretch adds at its lower end and
// subtracts at its upper one; sums over subtrees do the rest, so that sets of
// quadratic total size take linear time.
func (d *dependences) fingerprints() []fingerprint {
	prints := make([]fingerprint, d.c.Exit()+1)
	d.edges(func(number uint64, e Edge) {
		a, b := mix(number), mix(^number)
		from, to := d.stretch(e)
		p, q := &prints[from], &prints[to]
		p.size, p.a, p.b = p.size+1, p.a+a, p.b+b
		q.size, q.a, q.b = q.size-1, q.a-a, q.b-b
	})
	nodes := d.c.pdom.nodes
	for i := len(nodes) - 1; i > 0; i-- {
		p, q := prints[nodes[i]], &prints[d.c.pdom.parent[nodes[i]]]
		q.size, q.a, q.b = q.size+p.size, q.a+p.a, q.b+p.b
	}
	return prints
}

// mix spreads a number over 64 bits (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014: the finaliser of SplitMix).
func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// regions fills Regions and RegionOf.
func (c *CFG) regions() {
	c.RegionOf = make([]int, len(c.Succs))
	for b := range c.RegionOf {
		c.RegionOf[b] = -1
	}
	c.Regions = []Region{{Name: regionName(0)}}
	if len(c.Succs) == 0 {
		return
	}
	c.deps = newDependences(c)
	prints := c.deps.fingerprints()
	numbers := make(map[fingerprint]int)
	for _, b := range c.Order {
		r, ok := numbers[prints[b]]
		if !ok {
			r = len(c.Regions)
			numbers[prints[b]] = r
			c.Regions = append(c.Regions, Region{Index: r, Name: regionName(r)})
		}
		c.RegionOf[b] = r
		c.Regions[r].Blocks = append(c.Regions[r].Blocks, b)
	}
}

// RegionDeps returns the control dependences of a region, by position of From in Order,
// FunctionEntry first. They are listed for all regions when first asked for: a
// fall-through switch of k cases has about k*k/2.
func (c *CFG) RegionDeps(region int) []Edge {
	c.listing.Do(func() {
		c.listed = make([][]Edge, len(c.Regions))
		if c.deps == nil {
			return // of no block
		}
		c.deps.edges(func(_ uint64, e Edge) {
			from, to := c.deps.stretch(e)
			for v := from; v != to; v = c.pdom.parent[v] {
				if r := &c.Regions[c.RegionOf[v]]; r.Blocks[0] == v {
					c.listed[r.Index] = append(c.listed[r.Index], e)
				}
			}
		})
	})
	return c.listed[region]
}

// regionName counts A to Z, then AA, AB and on.
func regionName(i int) string {
	var name []byte
	for i++; i > 0; i = (i - 1) / 26 {
		name = append([]byte{byte('A' + (i-1)%26)}, name...)
	}
	return string(name)
}
