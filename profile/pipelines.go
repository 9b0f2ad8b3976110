package profile

// This file keeps pipelines in bundles, and refuses those that cannot be.

import (
	"fmt"

	"pathspan/ir"
	"pathspan/profile/bundlepb"
)

func pipelineToProto(x *ir.Pipeline) *bundlepb.Pipeline {
	m := &bundlepb.Pipeline{Name: []byte(x.Name), File: []byte(x.File), Function: []byte(x.Function), Line: int32(x.Line), Depths: toUint32(x.Depths)}
	for _, s := range x.Stages {
		m.Stages = append(m.Stages, &bundlepb.Stage{Task: uint32(s.Task), Name: []byte(s.Name), Stateless: s.Stateless})
	}
	return m
}

func pipelineFromProto(m *bundlepb.Pipeline) ir.Pipeline {
	x := ir.Pipeline{Name: name(m.GetName()), File: name(m.GetFile()), Function: name(m.GetFunction()), Line: int(m.GetLine()), Depths: toInt(m.GetDepths())}
	for _, s := range m.GetStages() {
		x.Stages = append(x.Stages, ir.Stage{Task: int(s.GetTask()), Name: name(s.GetName()), Stateless: s.GetStateless()})
	}
	return x
}

// checkPipelines refuses stages that are no tasks, or of two pipelines.
func checkPipelines(p *ir.Program) error {
	of := make(map[int]bool)
	for i := range p.Pipelines {
		x := &p.Pipelines[i]
		if len(x.Stages) < 2 || len(x.Depths) != len(x.Stages)-1 {
			return fmt.Errorf("pipeline %d has %d stages and %d buffers", i, len(x.Stages), len(x.Depths))
		}
		for _, d := range x.Depths {
			if d < 1 || d > 1<<16 {
				return fmt.Errorf("a buffer of pipeline %d holds %d items", i, d)
			}
		}
		for _, s := range x.Stages {
			if s.Task < 0 || s.Task >= len(p.Tasks) || of[s.Task] {
				return fmt.Errorf("pipeline %d has task %d of %d", i, s.Task, len(p.Tasks))
			}
			of[s.Task] = true
		}
	}
	return nil
}
