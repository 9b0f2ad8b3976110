package flow

// This file checks the control dependence regions.

import (
	"fmt"
	"slices"
)

// checkRegions checks that the regions partition the blocks, and, where the
// dependences are listed, that they are those of each of their blocks and of no
// other region.
func (c *CFG) checkRegions() error {
	if len(c.Regions) == 0 || len(c.Regions[0].Blocks) > 0 || len(c.RegionDeps(0)) > 0 {
		return fmt.Errorf("region 0 is not that of the virtual entry and exit")
	}
	seen := 0
	for i, r := range c.Regions {
		if r.Index != i || r.Name != regionName(i) {
			return fmt.Errorf("region %d is numbered %d and named %s", i, r.Index, r.Name)
		}
		if i == 0 {
			continue
		}
		if n := len(c.RegionDeps(i)); len(r.Blocks) == 0 || n == 0 {
			return fmt.Errorf("region %s has %d blocks and %d dependences", r.Name, len(r.Blocks), n)
		}
		for k, b := range r.Blocks {
			seen++
			if c.RegionOf[b] != i {
				return fmt.Errorf("block %d of region %s has RegionOf %d", b, r.Name, c.RegionOf[b])
			}
			if k > 0 && c.Pos[r.Blocks[k-1]] >= c.Pos[b] {
				return fmt.Errorf("blocks of region %s are not in Order", r.Name)
			}
		}
		if i > 1 && c.Pos[c.Regions[i-1].Blocks[0]] >= c.Pos[r.Blocks[0]] {
			return fmt.Errorf("region %s comes before its predecessor", r.Name)
		}
	}
	if seen != len(c.Order) {
		return fmt.Errorf("regions hold %d blocks, want %d", seen, len(c.Order))
	}
	for b, r := range c.RegionOf {
		if !c.Reachable[b] && r != -1 {
			return fmt.Errorf("unreachable block %d is in region %d", b, r)
		}
	}
	return c.checkDeps()
}

// maxListed bounds the dependences of all blocks that are compared.
const maxListed = 1 << 22

// checkDeps lists the dependences of every block by walking from each edge's
// target up the postdominators. It gives up where that would take too long.
func (c *CFG) checkDeps() error {
	deps := make([][]Edge, len(c.Succs))
	listed := 0
	walk := func(e Edge, v, stop, pos int) bool {
		for ; v != stop; v = c.Ipdom[v] {
			if c.Pos[v] > pos {
				deps[v] = append(deps[v], e)
			}
			listed++
		}
		return listed <= maxListed
	}
	if len(c.Order) > 0 {
		walk(FunctionEntry, 0, c.Exit(), -1)
	}
	for _, u := range c.Order {
		for i, t := range c.Succs[u] {
			if e := (Edge{u, i}); c.Pos[t] > c.Pos[u] && !walk(e, t, c.Ipdom[u], c.Pos[u]) {
				return nil
			}
		}
	}
	named := make(map[string]int)
	for _, b := range c.Order {
		r := c.Regions[c.RegionOf[b]]
		if of := c.RegionDeps(r.Index); !slices.Equal(deps[b], of) {
			return fmt.Errorf("block %d depends on %v, its region %s on %v", b, deps[b], r.Name, of)
		}
		if r.Blocks[0] != b {
			continue
		}
		key := fmt.Sprint(deps[b])
		if other, ok := named[key]; ok {
			return fmt.Errorf("regions %s and %s have the same dependences", r.Name, c.Regions[other].Name)
		}
		named[key] = r.Index
	}
	return nil
}
