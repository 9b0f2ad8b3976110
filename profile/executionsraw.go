package profile

// This file turns the executions of a raw profile into those of a bundle.

import (
	"fmt"

	"pathspan/pathprof"
)

// executions are those of a raw profile; nil where there were none.
func executions(in *pathprof.Instrumentation, raw *rawProfile) (*Executions, error) {
	r := &raw.trees
	if len(r.trees) == 0 {
		return nil, nil
	}
	if in.Work == nil || r.kinds != len(in.Work.Kinds) {
		return nil, fmt.Errorf("the raw profile is corrupt: work is counted in %d kinds", r.kinds)
	}
	regions := in.Program.Regions
	for i := range r.trees {
		t := &r.trees[i]
		if n, ok := lanesOf(in.Program, t.region, t.construct); !ok || len(t.lanes) != n {
			return nil, fmt.Errorf("the raw profile is corrupt: an execution of construct %d of region %d with %d lanes", t.construct, t.region, len(t.lanes))
		}
		t.loop, t.ofTasks = isLoop(regions, t.region, t.construct), t.region == len(regions)
	}
	return executionsOf(r.trees, Executions{Kinds: in.Work.Kinds, Weights: in.Work.Weights, Vectors: in.Work.Vectors, Grid: r.grid, Depth: r.depth}), nil
}
