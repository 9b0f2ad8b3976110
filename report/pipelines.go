package report

// This file shows the pipelines of a program's plan: stages, what is passed on between them, and
// closed formulas beside what was played.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/mapping"
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

// PipelineNotes says what of a plan's pipelines is not as it should be: stages that nothing comes to
// of those before, and what a stage reads and does not wait for.
func PipelineNotes(b *profile.Bundle, channels []flow.StageChannel) (notes []string) {
	overwrites := flow.StageOverwrites(b)
	if len(channels) == 0 {
		return nil
	}
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

// printPipelines writes the tables of those pipelines that belong to the fastest row.
func printPipelines(w io.Writer, e *Estimates) {
	var best *estimate.Result
	for i := range e.Estimates {
		if r := &e.Estimates[i]; r.Technique == estimate.ExecutionBased.String() && (best == nil || r.Speedup > best.Speedup*(1+1e-9)) {
			best = r
		}
	}
	for i := range e.Pipelines {
		if p := &e.Pipelines[i]; best != nil && p.Processors == best.Processors && p.Mapping == best.Mapping {
			p.print(w, slices.ContainsFunc(e.Pipelines, func(o PipelineEstimate) bool { return o.Processors != p.Processors || o.Mapping != p.Mapping }))
		}
	}
}

func (p *PipelineEstimate) print(w io.Writer, several bool) {
	on := ""
	if several {
		on = fmt.Sprintf(" on %s, mapping %s", Count(p.Processors, "processor"), p.Mapping)
	}
	fmt.Fprintf(w, "\npipeline %s (line %d)%s: %s\n%s\n", p.Name, p.Line, on, p.Pace(), p.Limits())
	for _, t := range p.Tables() {
		c := table{names: t.Names}
		for _, r := range append([][]string{t.Head}, t.Rows...) {
			c.row(r...)
		}
		fmt.Fprintln(w)
		c.write(w)
	}
	for _, r := range p.Remarks() {
		fmt.Fprintln(w, r)
	}
}

// Pace says how many items the pipeline takes and in what time.
func (p *PipelineEstimate) Pace() string {
	return fmt.Sprintf("%s in %s, %s a second", about(p.Items, "item"), Seconds(p.Seconds), rate(p.Throughput))
}

// Limits says what has the most to do.
func (p *PipelineEstimate) Limits() string {
	slowest := &p.Stages[p.Slowest]
	return fmt.Sprintf("the slowest stage, %s, works for %s of the time; the busiest processor, %s, for %s", slowest.Name, Percent(slowest.Utilisation), p.Busiest, Percent(p.Busy))
}

// HeldUp is what holds a pipeline up.
type HeldUp struct {
	Name      string  `json:"name"`
	Stage     string  `json:"slowest_stage"`
	Works     float64 `json:"works_for"` // its share of the pipeline's time
	Processor string  `json:"busiest_processor"`
	Busy      float64 `json:"busy"` // likewise
	Advice    string  `json:"advice"`

	pace, limits string
}

// held is the share of the time from which on something holds a pipeline up.
const held = 0.95

// HeldUpOf says what holds the pipelines of a mapping up, and what to do.
func HeldUpOf(e *estimate.Estimator, m *mapping.Resolved) ([]HeldUp, error) {
	all, err := PipelinesOf(e, m, "", nil, false)
	if err != nil {
		return nil, err
	}
	var out []HeldUp
	for i := range all {
		p := &all[i]
		s := &p.Stages[p.Slowest]
		h := HeldUp{Name: p.Name, Stage: s.Name, Works: s.Utilisation, Processor: p.Busiest, Busy: p.Busy, pace: p.Pace(), limits: p.Limits()}
		switch {
		case h.Works >= held && s.Stateless:
			h.Advice = "give the stage more processors"
		case h.Works >= held:
			h.Advice = "split the stage, or make it stateless, so that several processors work on it"
		case h.Busy >= held:
			h.Advice = "more processors, or stages moved from that one to others"
		default:
			h.Advice = "stages wait for each other; deeper buffers may help (pathspan estimate --depths), or stages kept to other processors (pathspan explore)"
		}
		out = append(out, h)
	}
	return out, nil
}

// PipelineTable is a table of a pipeline as people read it. The last columns, so many, are names.
type PipelineTable struct {
	Names int
	Head  []string
	Rows  [][]string
}

// Tables are those of stages, closed formulas, channels and depths, as far as they are known.
func (p *PipelineEstimate) Tables() []PipelineTable {
	out := []PipelineTable{p.stageTable(), p.formulaTable()}
	if len(p.Channels) > 0 {
		out = append(out, p.channelTable())
	}
	if p.Buffers != nil && p.Buffers.Refused == "" {
		out = append(out, p.depthTable())
	}
	return out
}

func (p *PipelineEstimate) stageTable() PipelineTable {
	t := PipelineTable{Names: 2, Head: []string{"executions", "in all", "least", "mean", "most", "works for", "on", "stage"}}
	for i := range p.Stages {
		s := &p.Stages[i]
		name := fmt.Sprintf("%s (line %d)", s.Name, s.Line)
		if s.Stateless {
			name += ", stateless"
		}
		t.Rows = append(t.Rows, []string{whole(s.Executions), Seconds(s.Seconds), Seconds(s.Least), Seconds(s.Mean), Seconds(s.Most), Percent(s.Utilisation), strings.Join(s.Processors, " "), name})
	}
	return t
}

func (p *PipelineEstimate) formulaTable() PipelineTable {
	t := PipelineTable{Names: 1, Head: []string{"time", "off what was played", "in closed form"}}
	for _, f := range []struct {
		name    string
		seconds float64
	}{{"one after the other", p.Formulas.Sequential}, {"states of a machine, one at a time", p.Formulas.FSM}, {"side by side", p.Formulas.Parallel}, {"modules and queues: the slowest and the sum of one item's", p.Formulas.Dataflow}, {"a pipeline of equal items", p.Formulas.Pipeline}} {
		off := "-"
		if p.Seconds > 0 {
			off = signedPercent(f.seconds/p.Seconds - 1)
		}
		t.Rows = append(t.Rows, []string{Seconds(f.seconds), off, f.name})
	}
	return t
}

func (p *PipelineEstimate) channelTable() PipelineTable {
	all := PipelineTable{Names: 3, Head: []string{"tokens", "reads", "bytes a read", "items back", "bytes", "distinct", "depth", "from", "to", "channel"}}
	for i := range p.Channels {
		x := &p.Channels[i]
		cells := []string{"-", "-", "-", "-", "-", "-", "-"}
		var kind []string
		if t := x.Trace; t != nil {
			cells[0], cells[1] = number(t.Tokens), number(t.Reads)
			if t.Bytes != nil && t.Bytes.Sum > 0 {
				cells[2] = spanOf(uint64(t.Bytes.Least), uint64(t.Bytes.Most))
			}
			cells[3] = spanOf(uint64(t.Near), uint64(t.Far))
			kind = append(kind, t.Class+" "+classWords(&FlowChannel{InOrder: t.InOrder, Multiple: t.Multiple}))
		}
		if b := x.Bytes; b != nil {
			cells[4], cells[5] = group(b.Read), group(b.Distinct)
			if len(b.Objects) > 0 {
				kind = append(kind, strings.Join(b.Objects, ", "))
			}
		}
		if x.Depth > 0 {
			cells[6] = number(x.Depth)
		}
		if x.Unordered {
			kind = append(kind, "not waited for")
		}
		all.Rows = append(all.Rows, append(cells, x.From, x.To, strings.Join(kind, "; ")))
	}
	from, to := 0, 0 // columns of what is not recorded
	if !p.Traced {
		to = 4
	} else if !p.Remembered {
		from, to = 4, 6
	}
	all.Head = slices.Delete(all.Head, from, to)
	for i := range all.Rows {
		all.Rows[i] = slices.Delete(all.Rows[i], from, to)
	}
	return all
}

func (p *PipelineEstimate) depthTable() PipelineTable {
	t := PipelineTable{Head: []string{"depth of all buffers", "time", "items a second"}}
	all := p.Buffers.Tried
	for i, x := range all {
		t.Rows = append(t.Rows, []string{number(x.Depth), Seconds(x.Seconds), rate(x.Throughput)})
		if !slices.ContainsFunc(all[i:], func(x account.DepthTried) bool { return x.Seconds != all[len(all)-1].Seconds }) {
			break // deeper ones change nothing
		}
	}
	return t
}

// Remarks say what the tables do not.
func (p *PipelineEstimate) Remarks() (out []string) {
	switch {
	case !p.Traced && !p.Remembered:
		out = append(out, "what stages pass on is not known: profile --flow records tokens, bytes and order, --memory bytes and objects")
	case len(p.Channels) == 0:
		out = append(out, "no stage reads what another one, or itself, wrote")
	}
	b := p.Buffers
	if b == nil {
		return out
	}
	if b.Refused != "" {
		return append(out, "other depths are not played: "+b.Refused)
	}
	var each []string
	for _, n := range b.Each {
		each = append(each, number(n))
	}
	out = append(out, fmt.Sprintf("as fast as with any depth: %d for all buffers, or %s; within 1%%: %d", b.Even, strings.Join(each, ", "), b.Near))
	for i := 1; i < len(b.Tried); i++ {
		if b.Tried[i].Seconds > b.Tried[i-1].Seconds {
			return append(out, "deeper buffers are slower at times, as other processors take the tasks then; a mapping that keeps each stage to one has none of that")
		}
	}
	return out
}

func spanOf(least, most uint64) string {
	if least == most {
		return group(least)
	}
	return group(least) + "-" + group(most)
}

// about renders a mean count.
func about(n float64, noun string) string {
	if n == float64(uint64(n)) {
		return countBig(uint64(n), noun)
	}
	return fmt.Sprintf("%.1f %ss", n, noun)
}

// rate renders a figure a second.
func rate(x float64) string {
	if x < 100 {
		return fmt.Sprintf("%.3g", x)
	}
	return whole(x)
}
