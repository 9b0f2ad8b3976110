package report

// This file declares what is shown of the pipelines of a plan: stages, what is passed on between
// them, and what of a plan is not as it should be.

import (
	"fmt"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/mapping/caches"
	"pathspan/memory"
	"pathspan/profile"
	"pathspan/streams/flow"
)

// PipelineEstimate is a pipeline under a mapping.
type PipelineEstimate struct {
	Processors int    `json:"processors"` // of the platform
	Mapping    string `json:"mapping"`
	account.Pipeline
	// Channels are what stages read of stages. Traced and Remembered say what they are known of: a
	// trace (profile --flow), a record of memory (--memory).
	Channels   []PipelineChannel       `json:"channels"`
	Traced     bool                    `json:"channels_traced"`
	Remembered bool                    `json:"channels_remembered"`
	Buffers    *account.PipelineDepths `json:"buffers,omitempty"` // --depths
	Course     *account.Course         `json:"course,omitempty"`  // of a report
}

// PipelineChannel is what a stage reads of what another one, or itself, wrote.
type PipelineChannel struct {
	From  string         `json:"from"`
	To    string         `json:"to"`
	Depth int            `json:"depth"` // of the buffer; 0 where there is none between the two
	Trace *ChannelTrace  `json:"trace,omitempty"`
	Bytes *ChannelMemory `json:"memory,omitempty"`
	// Unordered: the pipeline does not have the reader wait for what it reads.
	Unordered bool `json:"unordered"`
}

// ChannelTrace is what a trace of stages tells. Bytes are nil where it does not know them.
type ChannelTrace struct {
	Class    string        `json:"class"`
	InOrder  bool          `json:"in_order"`
	Multiple bool          `json:"read_more_than_once"`
	Tokens   int           `json:"tokens"`
	Reads    int           `json:"reads"`
	Near     int           `json:"items_back_least"`
	Far      int           `json:"items_back_most"`
	Bytes    *ChannelBytes `json:"bytes,omitempty"`
}

// ChannelBytes are what one read of a token takes, each byte once.
type ChannelBytes struct {
	Least uint32  `json:"least"`
	Mean  float64 `json:"mean"`
	Most  uint32  `json:"most"`
	Sum   uint64  `json:"sum"`
}

// ChannelMemory is what a record of memory tells, in bytes over the whole run.
type ChannelMemory struct {
	Read     uint64   `json:"read"`
	Distinct uint64   `json:"distinct"` // read for the first time since they were written, by each line of the reader
	AnItem   float64  `json:"distinct_an_item"`
	Objects  []string `json:"objects"`
}

// PipelinesOf plays the pipelines of a mapping, with other depths as well where asked. Channels are
// those of the bundle.
func PipelinesOf(e *estimate.Estimator, m *mapping.Resolved, name string, channels []flow.StageChannel, depths bool) ([]PipelineEstimate, error) {
	all, err := account.Pipelines(e, m)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var buffers []account.PipelineDepths
	if depths {
		if buffers, err = account.Depths(e, m); err != nil {
			return nil, err
		}
	}
	var needs []flow.Need
	if depths {
		needs = flow.Needs(e.Bundle)
	}
	var out []PipelineEstimate
	for i := range all {
		x := PipelineEstimate{Processors: len(e.Platform.Processors), Mapping: name, Pipeline: all[i], Traced: flow.StagesTraced(e.Bundle), Remembered: e.Bundle.Memory != nil}
		for k := range channels {
			if e.Bundle.Program.Pipelines[channels[k].Pipeline].Name == x.Name {
				x.Channels = append(x.Channels, channelOf(&channels[k], &all[i]))
			}
		}
		for k := range buffers {
			if buffers[k].Name == x.Name {
				x.Buffers = &buffers[k]
				of := slices.IndexFunc(e.Bundle.Program.Pipelines, func(p ir.Pipeline) bool { return p.Name == x.Name })
				for t := range x.Buffers.Tried {
					tried, with := &x.Buffers.Tried[t], e.Bundle.Program.Pipelines[of]
					with.Depths = slices.Repeat([]int{tried.Depth}, len(with.Depths))
					tried.Unsound = slices.ContainsFunc(needs, func(n flow.Need) bool { return n.Pipeline == of && !n.Met(&with) })
				}
			}
		}
		out = append(out, x)
	}
	return out, nil
}

func channelOf(c *flow.StageChannel, of *account.Pipeline) PipelineChannel {
	out := PipelineChannel{From: of.Stages[c.From].Name, To: of.Stages[c.To].Name, Unordered: c.Unordered}
	if c.To == c.From+1 {
		out.Depth = of.Depths[c.From]
	}
	if c.Traced {
		out.Trace = &ChannelTrace{Class: c.Class(), InOrder: c.InOrder, Multiple: c.Multiple, Tokens: c.Tokens, Reads: c.Reads, Near: c.Near, Far: c.Far}
		if c.Sized && c.Reads > 0 {
			out.Trace.Bytes = &ChannelBytes{c.Least, float64(c.Read) / float64(c.Reads), c.Most, c.Read}
		}
	}
	if c.Remembered {
		out.Bytes = &ChannelMemory{Read: c.Bytes, Distinct: c.Distinct, AnItem: float64(c.Distinct) / max(1, of.Items)}
		for _, name := range c.Objects {
			if name != "" {
				out.Bytes.Objects = append(out.Bytes.Objects, name)
			}
		}
	}
	return out
}

// DepthNotes says of each pipeline the first that stages need and the plan's buffers give them, and those of a mapping do
// not.
func DepthNotes(b *profile.Bundle, m *mapping.Resolved, name string) (notes []string) {
	if m.Depths == nil {
		return nil
	}
	pipelines, told := m.Pipelines(b.Program), map[int]bool{}
	for _, n := range flow.Needs(b) {
		x := &pipelines[n.Pipeline]
		if !told[n.Pipeline] && !n.Met(x) {
			told[n.Pipeline] = true
			t := &b.Program.Tasks[x.Stages[n.To].Task]
			notes = append(notes, fmt.Sprintf("%s:%d: stage %s reads what stage %s wrote of %s before, or writes over what that may still use, and with the depths of %s does not wait for it; make buffers less deep, or give more items a place of their own",
				t.File, t.Line, x.Stages[n.To].Name, x.Stages[n.From].Name, Count(n.Back, "item"), name))
		}
	}
	return notes
}

// SizedNotes says where the depths that a pipeline is as fast with as with any are more than the arrays have places for
// that its stages pass on.
func SizedNotes(b *profile.Bundle, pipelines []PipelineEstimate) (notes []string) {
	for i := range pipelines {
		of := slices.IndexFunc(b.Program.Pipelines, func(x ir.Pipeline) bool { return x.Name == pipelines[i].Name })
		if s := pipelines[i].Buffers; s != nil && s.Refused == "" {
			m := &mapping.Resolved{Depths: make([][]int, len(b.Program.Pipelines))}
			m.Depths[of] = s.Each
			notes = append(notes, DepthNotes(b, m, "the fastest buffers")...)
		}
	}
	return notes
}

// besideNotes names stages that use lines by turns which one of them writes, whatever bytes of these they mean, as often
// however many items they are apart: what each keeps from item to item lies side by side. Estimates take stages to use the
// ends of what lies side by side alone, at other times than each other.
func besideNotes(b *profile.Bundle) (notes []string) {
	const often = 0.25 // uses in a moment, which begins where a loop goes round
	task := func(lane int) int {
		if l := &b.Memory.Lanes[lane]; l.Kind == memory.InTask {
			return l.Construct
		}
		return -1
	}
	uses := map[[2]int][]float64{} // by two tasks, at each distance
	var pairs [][2]int
	for i := range b.Memory.Shared {
		s := &b.Memory.Shared[i]
		x, y := task(s.Lane), task(s.With)
		if s.Apart == 0 || s.Fresh == 0 || x == y || x < 0 || y < 0 || !b.Program.SamePipeline(x, y) {
			continue
		}
		pair := [2]int{min(x, y), max(x, y)}
		if uses[pair] == nil {
			pairs = append(pairs, pair)
		}
		uses[pair] = append(uses[pair], float64(s.Again)/float64(s.Fresh))
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, pair := range pairs {
		u := uses[pair]
		if slices.Sort(u); u[(len(u)-1)/2] < often {
			continue
		}
		t := &b.Program.Tasks[pair[0]]
		of, first := b.Program.StageOf(pair[0])
		_, second := b.Program.StageOf(pair[1])
		stages := b.Program.Pipelines[of].Stages
		notes = append(notes, fmt.Sprintf("%s:%d: stages %s and %s keep variables side by side in one line of memory, which goes back and forth between the caches of their processors: estimates leave that out, replay has it; give what each keeps a line of its own (alignas(%d))",
			t.File, t.Line, stages[first].Name, stages[second].Name, caches.RecordedLine))
	}
	return notes
}

// PipelineNotes says what of a plan's pipelines is not as it should be: stages that nothing comes to
// of those before, and what a stage reads and does not wait for.
func PipelineNotes(b *profile.Bundle, channels []flow.StageChannel) (notes []string) {
	traced := flow.StagesTraced(b)
	if !traced && b.Memory == nil {
		return nil
	}
	if traced && b.Flow.Omitted > 0 && len(b.Program.Pipelines) > 0 {
		notes = append(notes, "channels of stages: "+flowOmitted(b.Flow))
	}
	overwrites := flow.StageOverwrites(b)
	for i := range b.Program.Pipelines {
		x := &b.Program.Pipelines[i]
		where := func(stage int) string {
			t := &b.Program.Tasks[x.Stages[stage].Task]
			return fmt.Sprintf("%s:%d: stage %s", t.File, t.Line, x.Stages[stage].Name)
		}
		for _, o := range overwrites {
			switch {
			case o.Pipeline != i, slices.ContainsFunc(channels, func(c flow.StageChannel) bool {
				return c.Unordered && c.Pipeline == i && c.From == o.From && c.To == o.To // which says as much
			}):
			case o.From == o.To:
				notes = append(notes, fmt.Sprintf("%s writes over what it wrote or read %s before, and does not wait for that as it is stateless; give each item a place of its own", where(o.To), Count(o.Back, "item")))
			default:
				notes = append(notes, fmt.Sprintf("%s writes over what stage %s may still use, of %s before; give more items a place of their own, or make the buffers between less deep", where(o.To), x.Stages[o.From].Name, Count(o.Back, "item")))
			}
		}
		for k := 1; k < len(x.Stages); k++ {
			if !slices.ContainsFunc(channels, func(c flow.StageChannel) bool { return c.Pipeline == i && c.To == k && c.From < k }) {
				notes = append(notes, fmt.Sprintf("%s reads nothing that a stage before it wrote, and waits for %s all the same; it need not be a stage of this pipeline", where(k), x.Stages[k-1].Name))
			}
		}
		for k := range channels {
			c := &channels[k]
			switch {
			case c.Pipeline != i || !c.Unordered:
			case c.From == c.To:
				notes = append(notes, fmt.Sprintf("%s reads what it wrote for an item before, and does not wait for it as it is stateless; take it out of stateless", where(c.To)))
			default:
				notes = append(notes, fmt.Sprintf("%s reads what stage %s wrote for an item before, and does not wait for it; make the two one stage, or the buffers between less deep", where(c.To), x.Stages[c.From].Name))
			}
		}
	}
	return notes
}
