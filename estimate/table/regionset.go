package table

// This file declares sets of regions.

import "math/bits"

// RegionSet is a set of the regions of a program, a bit each.
type RegionSet []uint64

// NewRegionSet returns the empty set, for a program with so many regions.
func NewRegionSet(regions int) RegionSet { return make(RegionSet, (regions+63)/64) }

func (t *Table) newRegionSet() RegionSet { return NewRegionSet(t.regions) }

// Add adds a region.
func (s RegionSet) Add(r int) { s[r/64] |= 1 << (r % 64) }

// Union adds all regions of a set.
func (s RegionSet) Union(o RegionSet) {
	for i := range o {
		s[i] |= o[i]
	}
}

// Intersects reports whether a region is in both sets.
func (s RegionSet) Intersects(o RegionSet) bool {
	for i := range s {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// Any reports whether the set has a region.
func (s RegionSet) Any() bool { return s.Intersects(s) }

func (s RegionSet) has(r int) bool { return s[r/64]>>(r%64)&1 != 0 }

func (s RegionSet) each(visit func(r int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			visit(64*i + bits.TrailingZeros64(w))
		}
	}
}
