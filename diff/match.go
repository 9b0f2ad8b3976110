package diff

// This file matches the functions and regions of two programs.

import (
	"path/filepath"

	"pathspan/ir"
)

// matchFuncs returns, for each function of a, that of b, or -1: the one of its linker
// name, else the only one left of its name in the source.
func matchFuncs(a, b *ir.Program) (toB []int, left []bool) {
	left = make([]bool, len(b.Funcs)) // functions of b that are matched
	byName := make(map[string]int, len(b.Funcs))
	for i, f := range b.Funcs {
		byName[f.Name] = i
	}
	toB = make([]int, len(a.Funcs))
	for i, f := range a.Funcs {
		if j, ok := byName[f.Name]; ok {
			toB[i], left[j] = j, true
		} else {
			toB[i] = -1
		}
	}
	only := func(p *ir.Program, source string, open func(int) bool) int {
		found := -1
		for i, f := range p.Funcs {
			if f.Source == source && open(i) {
				if found >= 0 {
					return -1
				}
				found = i
			}
		}
		return found
	}
	for i, f := range a.Funcs {
		if toB[i] >= 0 || only(a, f.Source, func(k int) bool { return toB[k] < 0 }) != i {
			continue
		}
		if j := only(b, f.Source, func(k int) bool { return !left[k] }); j >= 0 {
			toB[i], left[j] = j, true
		}
	}
	return toB, left
}

// matchRegions returns, for each region of a, that of b, or -1: the one of its name, else
// the next of its function and file that is left.
func matchRegions(a, b *ir.Program) []int {
	toB := make([]int, len(a.Regions))
	taken := make([]bool, len(b.Regions))
	pass := func(like func(x, y *ir.Region) bool) {
		for i := range a.Regions {
			for j := range b.Regions {
				if toB[i] < 0 && !taken[j] && like(&a.Regions[i], &b.Regions[j]) {
					toB[i], taken[j] = j, true
				}
			}
		}
	}
	for i := range toB {
		toB[i] = -1
	}
	pass(func(x, y *ir.Region) bool { return x.Name == y.Name })
	pass(func(x, y *ir.Region) bool {
		return x.Function == y.Function && filepath.Base(x.File) == filepath.Base(y.File)
	})
	return toB
}
