package account

// This file asks how deep the buffers of pipelines have to be: the recorded executions of stages
// are played with other depths.

import (
	"math"

	"pathspan/estimate"
	"pathspan/mapping"
)

// PipelineDepths is what other depths of buffers would give one pipeline, all others being as the
// plan or the mapping says.
type PipelineDepths struct {
	Name string `json:"name"`
	// Tried are depths that all buffers have, ascending. The last is as many as there are items.
	Tried []DepthTried `json:"tried"`
	// Even is the least depth of all buffers with which the pipeline is as fast as with any; Each
	// is by buffer, none of which can be less where the others are so. Near is the least depth of
	// all with which it takes at most 1 % longer.
	Even int   `json:"even"`
	Each []int `json:"each"`
	Near int   `json:"near"`
	// Refused says why nothing was played; "" where it was.
	Refused string `json:"refused,omitempty"`
}

// DepthTried is a depth of all buffers of a pipeline, and what it gives.
type DepthTried struct {
	Depth      int     `json:"depth"`
	Seconds    float64 `json:"seconds"`
	Throughput float64 `json:"throughput"` // items a second
	// Unsound is set where a stage then does not wait for what it needs, as far as a trace of stages tells.
	Unsound bool `json:"unsound,omitempty"`
}

// same and near are by how much longer a pipeline takes that is as fast, and almost.
const same, near = 1e-9, 0.01

// mostPlayedTasks bounds the tasks of programs whose depths are asked for: some seconds.
const mostPlayedTasks = 1 << 19

// Depths plays the pipelines of the program with other depths. With tasks that processors steal
// from each other a deeper buffer may happen to be slower.
func Depths(e *estimate.Estimator, m *mapping.Resolved) ([]PipelineDepths, error) {
	p, err := newPlayedPipelines(e, m)
	if p == nil || err != nil {
		return nil, err
	}
	now, err := p.play(nil)
	if err != nil {
		return nil, err
	}
	var out []PipelineDepths
	for i := range e.Bundle.Program.Pipelines {
		x := &e.Bundle.Program.Pipelines[i]
		at := -1
		for k := range now {
			if now[k].Name == x.Name {
				at = k
			}
		}
		if at < 0 {
			continue
		}
		d := depthSearch{p: p, pipeline: i, at: at, known: map[string]float64{}}
		found := PipelineDepths{Name: x.Name}
		switch {
		case p.rows.TasksMade() > mostPlayedTasks:
			found.Refused = "there are too many tasks to play them often"
		case e.Deepens(i) != nil:
			found.Refused = estimate.WhyNotDeeper
		default:
			err = d.search(&found, now[at].Items, len(x.Depths))
		}
		if err != nil {
			return nil, err
		}
		out = append(out, found)
	}
	return out, nil
}

// depthSearch plays one pipeline with depths, each once.
type depthSearch struct {
	p            *playedPipelines
	pipeline, at int
	known        map[string]float64
}

func (d *depthSearch) seconds(depths []int) (float64, error) {
	key := ""
	for _, n := range depths {
		key += string(rune(n)) // below 1<<17
	}
	if s, ok := d.known[key]; ok {
		return s, nil
	}
	all, err := d.p.play(map[int][]int{d.pipeline: depths})
	if err != nil {
		return 0, err
	}
	d.known[key] = all[d.at].Seconds
	return d.known[key], nil
}

func evenly(depth, buffers int) []int {
	out := make([]int, buffers)
	for i := range out {
		out[i] = depth
	}
	return out
}

func (d *depthSearch) search(out *PipelineDepths, items float64, buffers int) error {
	most := int(min(items, 1<<16))
	best := math.Inf(1)
	for depth := 1; ; depth = min(2*depth, most) {
		s, err := d.seconds(evenly(depth, buffers))
		if err != nil {
			return err
		}
		t := DepthTried{Depth: depth, Seconds: s}
		if s > 0 {
			t.Throughput = items / s
		}
		out.Tried = append(out.Tried, t)
		if best = min(best, s); depth >= most {
			break
		}
	}
	var err error
	if out.Even, err = d.least(out, best*(1+same), func(depth int) []int { return evenly(depth, buffers) }); err != nil {
		return err
	}
	if out.Near, err = d.least(out, best*(1+near), func(depth int) []int { return evenly(depth, buffers) }); err != nil {
		return err
	}
	out.Each = evenly(out.Even, buffers)
	for k := range out.Each {
		each, err := d.between(0, out.Each[k], best*(1+same), func(depth int) []int {
			with := append([]int(nil), out.Each...)
			with[k] = depth
			return with
		})
		if err != nil {
			return err
		}
		out.Each[k] = each
	}
	return nil
}

// least finds the least depth with which the pipeline takes no longer than so, of which one was
// tried.
func (d *depthSearch) least(tried *PipelineDepths, most float64, depths func(depth int) []int) (int, error) {
	before := 0
	for _, t := range tried.Tried {
		if t.Seconds <= most {
			return d.between(before, t.Depth, most, depths)
		}
		before = t.Depth
	}
	return before, nil
}

// between finds the least depth above one that is too little, up to one that is enough.
func (d *depthSearch) between(little, enough int, most float64, depths func(depth int) []int) (int, error) {
	for enough-little > 1 {
		middle := (little + enough) / 2
		s, err := d.seconds(depths(middle))
		if err != nil {
			return 0, err
		}
		if s <= most {
			enough = middle
		} else {
			little = middle
		}
	}
	return enough, nil
}
