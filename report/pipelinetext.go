package report

// This file lays out pipelines for people: as text here, and as tables for documents.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/account"
)

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
	t := PipelineTable{Names: 2, Head: []string{"executions", "in all", "least", "mean", "most", "works for", "buffer behind", "full for", "on", "stage"}}
	for i := range p.Stages {
		s := &p.Stages[i]
		name := fmt.Sprintf("%s (line %d)", s.Name, s.Line)
		if s.Stateless {
			name += ", stateless"
		}
		level, full := "-", "-"
		if i < len(p.Levels) {
			level, full = fmt.Sprintf("%.1f, most %d, of %d", p.Levels[i].Mean, p.Levels[i].Most, p.Depths[i]), Percent(p.Levels[i].Full)
		}
		t.Rows = append(t.Rows, []string{whole(s.Executions), Seconds(s.Seconds), Seconds(s.Least), Seconds(s.Mean), Seconds(s.Most), Percent(s.Utilisation), level, full, strings.Join(s.Processors, " "), name})
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
				kind = append(kind, Demangled(strings.Join(b.Objects, ", ")))
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
	for n := len(all) - 1; n > 0 && all[n].Seconds == all[n-1].Seconds; n-- {
		all = all[:n] // deeper ones change nothing
	}
	unsound := slices.ContainsFunc(all, func(x account.DepthTried) bool { return x.Unsound })
	if unsound {
		t.Head = append(t.Head, "stages wait for what they need")
	}
	for _, x := range all {
		row := []string{number(x.Depth), Seconds(x.Seconds), rate(x.Throughput)}
		if unsound {
			row = append(row, map[bool]string{false: "yes", true: "no"}[x.Unsound])
		}
		t.Rows = append(t.Rows, row)
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
			if slices.ContainsFunc(p.Stages, func(s account.PipelineStage) bool { return len(s.Processors) > 1 }) {
				return append(out, "deeper buffers are slower at times, as other processors take the tasks then; a mapping that keeps each stage to one of its own has none of that")
			}
			return append(out, "deeper buffers are slower at times, as a processor that has several stages then goes on with the one that was made last, and who waits for the others waits longer; a processor for each stage has none of that")
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
