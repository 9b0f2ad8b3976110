package estimate

// This file tests that functions taken apart add up to the whole.

import "testing"

func TestPartsAddUp(t *testing.T) {
	for seed := range int64(200) {
		e, _ := randomEstimator(t, seed)
		for _, fn := range e.CalleesFirst() {
			parts, whole := e.PartsOf(fn), e.Whole(fn)
			for k := range whole {
				sum := 0.0
				for b := range parts.Blocks {
					sum += parts.Blocks[b].Cycles[k]
					for _, c := range parts.Blocks[b].Calls {
						sum += c.Calls[k] * e.Whole(c.Callee)[k]
					}
				}
				if !near(sum, whole[k]) {
					t.Fatalf("seed %d: function %d adds up to %g on kind %d, not %g", seed, fn, sum, k, whole[k])
				}
			}
			f := e.funcs[fn]
			for b := range parts.Blocks {
				in := parts.Blocks[b].Section != Outside
				if !f.cfg.Reachable[b] {
					continue
				}
				if want := f.inSection(b); in != want {
					t.Fatalf("seed %d: function %d, block %d: in a section %v, its graphs say %v", seed, fn, b, in, want)
				}
			}
		}
	}
}

// inSection looks for a block in the tasks of sections of all levels that it lies in.
func (f *function) inSection(block int) bool {
	for l := f.cfg.LoopOf[block] + 1; l >= 0; l = f.parents[l] {
		if f.graphs.Levels[l].Inside >= 0 || f.graphs.Levels[l].Tasks[f.graphs.TaskOf(l, block)].Group >= 0 {
			return true
		}
	}
	return false
}
