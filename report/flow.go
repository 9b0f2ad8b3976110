package report

// This file shows people how parallel the flow of data of a program is.

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pathspan/profile"
	"pathspan/streams"
	"pathspan/streams/flow"
	"pathspan/visible"
)

// DataFlow is what bounds follow from the flow of data, and its JSON object.
type DataFlow struct {
	Schema     string          `json:"schema" is:"pathspan.flow/1"`
	Bundle     string          `json:"bundle"`
	Costs      string          `json:"costs"` // the file or the processor model that prices statements
	Executions int             `json:"executions"`
	Omitted    uint64          `json:"omitted"` // executions behind the last that was recorded
	Designs    []FlowDesign    `json:"designs"` // absolute, unbounded, and what was asked for besides
	Shown      string          `json:"shown"`   // the design that statements are those of
	Statements []FlowStatement `json:"statements"`
	Channels   []FlowChannel   `json:"channels"`
	Notes      []string        `json:"notes"`
}

// FlowDesign says how long everything takes on so many units, in cycles, and how much is executed
// at once; reading and writing do not count.
type FlowDesign struct {
	Name       string  `json:"name"`
	Units      int     `json:"units"`
	Finish     int64   `json:"finish_cycles"`
	Executing  int64   `json:"executing_cycles"` // of all executions together
	Average    float64 `json:"average_parallelism"`
	Most       int     `json:"maximum_parallelism"`
	Throughput float64 `json:"executions_per_cycle"`
}

// FlowStatement is a call in the source, and what it does in the design that is shown.
type FlowStatement struct {
	Name        string  `json:"name"`
	Function    string  `json:"function"`
	File        string  `json:"file"`
	Line        int     `json:"line"`                // 0 where it is not known
	Interval    int64   `json:"initiation_interval"` // on average, as latency
	Latency     int64   `json:"latency"`
	Least       int64   `json:"least_latency"` // of one execution
	Longest     int64   `json:"longest_latency"`
	Executions  int     `json:"executions"`
	Units       int     `json:"units"`
	First       int64   `json:"first_start"` // cycle
	Last        int64   `json:"last_start"`
	Every       float64 `json:"cycles_between_starts"`
	Utilisation float64 `json:"utilisation"`
}

// FlowChannel is what a statement reads of another.
type FlowChannel struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Tokens   int    `json:"tokens"`
	Reads    int    `json:"reads"`
	InOrder  bool   `json:"in_order"`
	Multiple bool   `json:"read_more_than_once"`
	Class    string `json:"class"`
}

// ErrNoFlow is returned for a bundle that was recorded without its flow of data.
var ErrNoFlow = errors.New("it has no flow of data; record it with pathspan profile --flow")

// FlowOf describes designs of a bundle, of which one is shown with its statements.
func FlowOf(b *profile.Bundle, names []string, designs []string, schedules []*flow.Schedule, shown int) *DataFlow {
	t := b.Flow
	out := &DataFlow{Executions: t.Len(), Omitted: t.Omitted, Shown: designs[shown], Notes: slices.Concat(ConstructNotes(b.Notes), gaps(b))} // the others are of estimates
	for i, s := range schedules {
		p := s.Parallelism()
		d := FlowDesign{Name: designs[i], Units: s.Units(), Finish: s.Finish, Executing: p.Executing, Average: p.Average, Most: p.Most}
		if s.Finish > 0 {
			d.Throughput = float64(t.Len()) / float64(s.Finish)
		}
		out.Designs = append(out.Designs, d)
	}
	for i, u := range schedules[shown].Uses() {
		s, c := &t.Statements[i], schedules[shown].Costs[i]
		out.Statements = append(out.Statements, FlowStatement{
			Name: visible.Line(names[i]), Function: visible.Line(b.Program.Funcs[s.Func].Source), File: s.File, Line: s.Line, Interval: c.Interval, Latency: c.Latency, Least: u.Least, Longest: u.Most,
			Executions: u.Executions, Units: u.Units, First: u.First, Last: u.Last, Every: u.Every, Utilisation: u.Utilisation,
		})
	}
	for _, c := range flow.Channels(t) {
		out.Channels = append(out.Channels, FlowChannel{
			From: out.Statements[c.From].Name, To: out.Statements[c.To].Name, Tokens: c.Tokens, Reads: c.Reads,
			InOrder: c.InOrder, Multiple: c.Multiple, Class: c.Class(),
		})
	}
	if t.Omitted > 0 {
		out.Notes = append(out.Notes, flowOmitted(t)+": figures are of these")
	}
	return out
}

// flowOmitted says what a trace leaves out, and why.
func flowOmitted(t *streams.Trace) string {
	why := "as many as are recorded"
	if t.Len() < streams.Most {
		why = "as they read of too many others, whose values code between statements had combined; what combines them can be a statement (--statements)"
	}
	return fmt.Sprintf("%s behind the first %s are left out, %s", countBig(t.Omitted, "execution"), group(uint64(t.Len())), why)
}

// ErrNothingFlows is returned where no statement was executed.
var ErrNothingFlows = errors.New("no call of the functions that profile --flow was to tell apart was executed; name others with --statements")

// Text writes tables of designs, statements and channels, so many of each at most, all when limit
// is 0.
func (d *DataFlow) Text(out io.Writer, limit int) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s: %s of %s, priced by %s\n\n", d.Bundle, Count(d.Executions, "execution"), Count(len(d.Statements), "statement"), d.Costs)
	c := newColumns(w)
	c.row("design", "units", "finish in cycles", "executing on average", "at most", "executions a cycle")
	for _, x := range d.Designs {
		c.row(x.Name, group(uint64(x.Units)), group(uint64(x.Finish)), decimal(x.Average), group(uint64(x.Most)), perCycle(x.Throughput))
	}
	c.Flush()
	fmt.Fprintf(w, "\nstatements of %s\n", d.Shown)
	c = newColumns(w)
	differ := slices.ContainsFunc(d.Statements, func(s FlowStatement) bool { return s.Least < s.Longest })
	row := func(s *FlowStatement, cells ...string) {
		if differ { // behind the latency
			cells = slices.Insert(cells, 3, "least", "most")
			if s != nil {
				cells[3], cells[4] = group(uint64(s.Least)), group(uint64(s.Longest))
			}
		}
		c.row(cells...)
	}
	row(nil, "executions", "interval", "latency", "units", "first start", "last", "every", "utilisation", "statement")
	for i := range d.Statements {
		if limit > 0 && i == limit {
			break
		}
		s := &d.Statements[i]
		every := "-" // of a single one
		if s.Executions > 1 {
			every = decimal(s.Every)
		}
		row(s, group(uint64(s.Executions)), group(uint64(s.Interval)), group(uint64(s.Latency)), group(uint64(s.Units)), group(uint64(s.First)), group(uint64(s.Last)),
			every, fmt.Sprintf("%.1f%%", 100*s.Utilisation), Demangled(s.Name))
	}
	c.Flush()
	d.more(w, len(d.Statements), limit)
	if len(d.Channels) > 0 {
		fmt.Fprint(w, "\nchannels\n")
		c = newColumns(w)
		c.row("tokens", "reads", "from", "to", "class")
		for i := range d.Channels {
			if limit > 0 && i == limit {
				break
			}
			x := &d.Channels[i]
			c.row(group(uint64(x.Tokens)), group(uint64(x.Reads)), Demangled(x.From), Demangled(x.To), x.Class+" "+classWords(x))
		}
		c.Flush()
		d.more(w, len(d.Channels), limit)
	}
	printNotes(w, d.Notes)
	return w.Flush()
}

// FlowPriceNotes says of which statements a model knows no single executions, and of which not the order that they came in.
func FlowPriceNotes(means, mixed []string) (notes []string) {
	list := func(names []string) string {
		const most = 6
		if n := len(names); n > most {
			names = append(names[:most:most], fmt.Sprintf("%d more", n-most))
		}
		return visible.Line(strings.Join(names, ", "))
	}
	if means != nil {
		notes = append(notes, "calls that differ are priced by what they take on average, as single ones are recorded of a plan's stages and tasks alone (pipeline: or task: in a plan): "+list(means))
	}
	if mixed != nil {
		notes = append(notes, "the loop ran several times with as many items, and the profile does not keep which took what: an item is priced by their mean of "+list(mixed))
	}
	return notes
}

// perCycle shows how many executions there are in a cycle, of which there may be far less than one.
func perCycle(x float64) string {
	if x >= 0.1 {
		return decimal(x)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

func (d *DataFlow) more(w io.Writer, n, limit int) {
	if limit > 0 && n > limit {
		fmt.Fprintf(w, "and %d more; --items 0 shows all\n", n-limit)
	}
}

// classWords says what a channel of the class takes.
func classWords(c *FlowChannel) string {
	switch {
	case c.InOrder && c.Multiple:
		return "(a queue that keeps its head)"
	case c.InOrder:
		return "(a queue)"
	case c.Multiple:
		return "(reordered, kept for later)"
	}
	return "(reordered)"
}

// decimal cuts behind the first decimal, as the thesis does.
func decimal(x float64) string {
	return strconv.FormatFloat(float64(int64(x*10+1e-9))/10, 'f', 1, 64)
}

// FlowCSV writes profiles of a design over time: how many executions of a statement are in a stage
// from a cycle on.
func FlowCSV(out io.Writer, s *flow.Schedule, names []string) error {
	w := csv.NewWriter(out)
	w.Write([]string{"statement", "stage", "from_cycle", "executions"}) // errors are kept
	stages := []string{flow.Reading: "read", flow.Executing: "execute", flow.Writing: "write"}
	for i, name := range names {
		for stage, what := range stages {
			for _, step := range s.Profile(flow.Stage(stage), i) {
				w.Write([]string{visible.Line(name), what, fmt.Sprint(step.At), fmt.Sprint(step.Active)})
			}
		}
	}
	w.Flush()
	return w.Error()
}
