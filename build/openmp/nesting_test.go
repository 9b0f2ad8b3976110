package openmp_test

// This file checks by data flow that markers nest: every block is reached with one
// and the same stack of open regions and sections, and functions end with none.

import (
	"slices"
	"testing"

	"pathspan/build/openmp"
	"pathspan/ir"
)

func checkNesting(t *testing.T, p *ir.Program, r *openmp.Result) {
	t.Helper()
	for _, f := range p.Funcs {
		stacks := make([][]ir.Mark, len(f.Blocks))
		seen := make([]bool, len(f.Blocks))
		seen[0] = true
		work := []int{0}
		for len(work) > 0 {
			b := f.Blocks[work[len(work)-1]]
			work = work[:len(work)-1]
			stack := slices.Clone(stacks[b.Index])
			if m := b.Mark; m != nil {
				checkMark(t, f, r, *m)
				if m.Kind == ir.RegionBegin || m.Kind == ir.SectionBegin {
					if m.Kind == ir.SectionBegin && (len(stack) == 0 || stack[len(stack)-1].Kind != ir.RegionBegin || stack[len(stack)-1].Region != m.Region) {
						t.Errorf("function %s, block %s: section begins outside its region", f.Name, b.Name)
					}
					stack = append(stack, *m)
				} else {
					open := *m
					open.Kind--
					if len(stack) == 0 || stack[len(stack)-1] != open {
						t.Errorf("function %s, block %s: ends %+v, open are %+v", f.Name, b.Name, *m, stack)
						return
					}
					stack = stack[:len(stack)-1]
				}
			}
			if op := b.Terminator().Op; (op == "ret" || op == "resume") && len(stack) > 0 {
				t.Errorf("function %s leaves with %+v open", f.Name, stack)
			}
			for _, s := range b.Succs {
				if !seen[s] {
					seen[s] = true
					stacks[s] = stack
					work = append(work, s)
				} else if !slices.Equal(stacks[s], stack) {
					t.Errorf("function %s, block %s: reached with %+v and %+v open", f.Name, f.Blocks[s].Name, stacks[s], stack)
				}
			}
		}
	}
}

func checkMark(t *testing.T, f *ir.Func, r *openmp.Result, m ir.Mark) {
	t.Helper()
	if m.Region >= len(r.Regions) {
		t.Fatalf("function %s: marker %+v of a region that does not exist", f.Name, m)
	}
	g := r.Regions[m.Region]
	if m.Kind >= ir.SectionBegin && (m.Construct >= len(g.Constructs) || m.Section >= len(g.Constructs[m.Construct].Sections)) {
		t.Fatalf("function %s: marker %+v of a section that does not exist", f.Name, m)
	}
}
