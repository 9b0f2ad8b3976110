package export

// This file writes a pipeline as a synchronous dataflow graph for SDF3: an actor a stage.

import (
	"fmt"
	"slices"

	"pathspan/estimate/account"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/streams/flow"
	"pathspan/yamlstrict"
)

// SDF3Pipeline returns a pipeline of the program's plan as a dataflow graph, which each item goes
// through once, so that all rates are 1. An actor takes what its stage takes on average. Channels
// lead from each stage to the next, and wherever else a stage was found to read what another one
// wrote, with tokens for the items that it is behind. Those that lead back from a stage to the one
// before have as many tokens as the buffer between them has places; those of a stage to itself
// one, or where it is stateless as many as there are processors for it.
func SDF3Pipeline(s *Subject, name string) ([]byte, error) {
	e := s.Estimator
	all, err := account.Pipelines(e, s.Mapping)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range all {
		names = append(names, all[i].Name)
	}
	at := slices.Index(names, name)
	if at < 0 {
		if len(names) == 0 {
			return nil, fmt.Errorf("--pipeline %s: no pipeline of a plan ran", name)
		}
		return nil, fmt.Errorf("--pipeline %s: there is none of that name; want %s", name, yamlstrict.List(names))
	}
	p := &all[at]
	g := &TaskGraph{Name: p.Name}
	byType := make([][]float64, len(p.Stages))
	for i := range e.Platform.Processors {
		if g.typeOf(s, i) >= 0 {
			continue
		}
		there, err := account.Pipelines(e, mapping.OnOne(e.Platform, i, e.Bundle.Program))
		if err != nil {
			return nil, err
		}
		for k := range byType {
			byType[k] = append(byType[k], there[at].Stages[k].Mean)
		}
		g.Types = append(g.Types, ProcessorType{Name: s.typeName(i), Processor: i})
	}
	file, err := newSDF3(p.Name, "pipeline", g.Types, len(p.Stages), func(k int) (string, []float64, int) {
		return p.Stages[k].Name, byType[k], g.typeOf(s, e.Platform.Index(p.Stages[k].Processors[0]))
	})
	if err != nil {
		return nil, err
	}
	of := slices.IndexFunc(e.Bundle.Program.Pipelines, func(x ir.Pipeline) bool { return x.Name == p.Name })
	known := map[[2]int]*flow.StageChannel{}
	found := flow.StageChannels(e.Bundle)
	for i := range found {
		if found[i].Pipeline == of {
			known[[2]int{found[i].From, found[i].To}] = &found[i]
		}
	}
	for k := range p.Stages {
		for to := range p.Stages {
			c := known[[2]int{k, to}]
			if k == to || c == nil && to != k+1 {
				continue
			}
			tokens := 0
			if c != nil && c.Traced {
				tokens = c.Near
			}
			if to < k && tokens == 0 {
				continue // of another execution of the loop: it would be waited for for ever
			}
			channel := file.connect(k, to, tokens)
			switch {
			case c == nil:
			case c.Sized && c.Most > 0:
				file.sized(channel, 8*int64(c.Most))
			case c.Remembered:
				file.sized(channel, 8*int64(float64(c.Distinct)/max(1, p.Items)))
			}
		}
		if k < len(p.Depths) {
			file.connect(k+1, k, p.Depths[k])
		}
		width := 1
		if p.Stages[k].Stateless {
			width = 0
			for i := range e.Platform.Processors {
				if s.Mapping.May(e.Bundle.Program.Pipelines[of].Stages[k].Task, i) {
					width++
				}
			}
		}
		file.connect(k, k, width)
	}
	return file.encode(fmt.Sprintf("pipeline %s, mean times of its stages; %s", p.Name, s.title()))
}
