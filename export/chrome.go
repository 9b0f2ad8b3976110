package export

// This file writes schedules in the Trace Event Format of Chrome (JSON object form), which
// Perfetto and chrome://tracing show.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate/account"
)

// Threads of the processes that processors are. What overlaps gets further threads.
const (
	threadForks    = 1 // constructs, from fork to join, on the processor that forks
	threadSections = 2
)

// traceEvent is one event. Times are in microseconds, with three decimals at most.
type traceEvent struct {
	Name string         `json:"name"`
	Cat  string         `json:"cat,omitempty"`
	Ph   string         `json:"ph"`
	Pid  int            `json:"pid"`
	Tid  int            `json:"tid"`
	Ts   *micros        `json:"ts,omitempty"`
	Dur  *micros        `json:"dur,omitempty"`
	ID   int            `json:"id,omitempty"`
	BP   string         `json:"bp,omitempty"` // "e": the arrow ends at the enclosing event
	Args map[string]any `json:"args,omitempty"`
}

// maxTrace is how many seconds a trace may last, gaps between its scenes not counted.
const maxTrace = 4e9

// micros are nanoseconds, written as microseconds.
type micros int64

func (m micros) MarshalJSON() ([]byte, error) {
	if m%1000 == 0 {
		return fmt.Appendf(nil, "%d", int64(m)/1000), nil
	}
	return fmt.Appendf(nil, "%d.%03d", int64(m)/1000, int64(m)%1000), nil
}

func toMicros(seconds float64) micros { return micros(math.Round(seconds * 1e9)) }

// Chrome returns the trace. It shows, one after the other: one execution of the whole
// program by the subject's technique, all executions of a construct drawn as one; then
// for each construct its mean execution and its heaviest rows, at most as many as rows.
// Each processor is a process.
func Chrome(s *Subject, rows int) ([]byte, error) {
	e := s.Estimator
	lines, err := account.Timelines(e, s.Mapping, s.Technique, max(rows, 1))
	if err != nil {
		return nil, err
	}
	r, err := e.Estimate(s.Mapping, s.Technique)
	if err != nil {
		return nil, err
	}
	total := r.ParallelSeconds
	for i := range lines {
		total += lines[i].Seconds
		for k := range lines[i].Rows {
			total += lines[i].Rows[k].Seconds
		}
	}
	if total > maxTrace {
		return nil, fmt.Errorf("chrome: the trace would last %.3g s, and holds %.3g s at most in nanoseconds", total, float64(maxTrace))
	}
	w := &traceWriter{s: s, free: map[[2]int]micros{}}
	for p := range e.Platform.Processors {
		w.meta("process_name", p, map[string]any{"name": fmt.Sprintf("%s (%s, %g MHz)", e.Platform.Processors[p].Name, e.Costs[p].Model, e.ClockMHz[p])})
		w.meta("process_sort_index", p, map[string]any{"sort_index": p})
	}
	if err := w.program(lines); err != nil {
		return nil, err
	}
	for i := range lines {
		t := &lines[i]
		w.scene(fmt.Sprintf("%s: mean execution", label(t)), t, t.Seconds, t.Bars, map[string]any{"executions": t.Executions})
		for k := range min(rows, len(t.Rows)) {
			r := &t.Rows[k]
			w.scene(fmt.Sprintf("%s: way %d, %.1f%% of its time", label(t), k+1, 100*r.Share), t, r.Seconds, r.Bars,
				map[string]any{"executions": r.Count, "share": r.Share, "sections": r.Text})
		}
	}
	for _, at := range w.threads {
		name := "sections"
		if at[1] == threadForks {
			name = "outside sections; forks"
		}
		w.named(at[0], at[1], name)
	}
	return w.json()
}

// json writes an event a line.
func (w *traceWriter) json() ([]byte, error) {
	other, err := json.Marshal(map[string]string{"tool": "pathspan " + w.s.Version, "subject": w.s.title()})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"displayTimeUnit\": \"ns\", \"otherData\": %s, \"traceEvents\": [\n", other)
	for i, e := range append(w.metas, w.events...) {
		line, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(line)
	}
	out.WriteString("\n]}\n")
	return out.Bytes(), nil
}

// label names a construct.
func label(t *account.Timeline) string {
	return fmt.Sprintf("%s (%s:%d)", t.Name, t.File, t.Line)
}

type traceWriter struct {
	s             *Subject
	metas, events []traceEvent
	threads       [][2]int // process and thread, as far as used
	now           micros   // where the next scene begins
	flows         int
	free          map[[2]int]micros // by process and thread: when it is free for sections
	last          micros            // end of the last event
}

func (w *traceWriter) meta(name string, processor int, args map[string]any) {
	w.metas = append(w.metas, traceEvent{Name: name, Ph: "M", Pid: processor + 1, Args: args})
}

func (w *traceWriter) named(pid, tid int, name string) {
	w.metas = append(w.metas, traceEvent{Name: "thread_name", Ph: "M", Pid: pid, Tid: tid, Args: map[string]any{"name": name}},
		traceEvent{Name: "thread_sort_index", Ph: "M", Pid: pid, Tid: tid, Args: map[string]any{"sort_index": tid}})
}

// slice adds a complete event on a processor.
func (w *traceWriter) slice(processor, thread int, name, cat string, start, stop micros, args map[string]any) {
	at := [2]int{processor + 1, thread}
	if !slices.Contains(w.threads, at) {
		w.threads = append(w.threads, at)
	}
	w.last = max(w.last, stop)
	dur := stop - start
	w.events = append(w.events, traceEvent{Name: name, Cat: cat, Ph: "X", Pid: at[0], Tid: thread, Ts: &start, Dur: &dur, Args: args})
}

// flow adds an arrow, from inside one event to inside another.
func (w *traceWriter) flow(fromProcessor, fromThread int, from micros, toProcessor, toThread int, to micros) {
	w.flows++
	start := traceEvent{Name: "precedence", Cat: "flow", Ph: "s", Pid: fromProcessor + 1, Tid: fromThread, Ts: &from, ID: w.flows}
	end := traceEvent{Name: "precedence", Cat: "flow", Ph: "f", BP: "e", Pid: toProcessor + 1, Tid: toThread, Ts: &to, ID: w.flows}
	w.events = append(w.events, start, end)
}

// gap moves on to the next scene.
func (w *traceWriter) gap() { w.now = w.last + (w.last-w.now)/20 + 1000 }

// scene draws one execution of a construct, from fork to join.
func (w *traceWriter) scene(name string, t *account.Timeline, seconds float64, bars []account.Bar, args map[string]any) {
	length := toMicros(seconds)
	args["source"] = fmt.Sprintf("%s:%d", t.File, t.Line)
	w.construct(name, t, w.now, length, 1, bars, args)
	w.gap()
}

// construct draws a construct whose bars are stretched by a factor. Arrows lead from the
// fork to where each section begins and from where it ends to the join.
func (w *traceWriter) construct(name string, t *account.Timeline, from, length micros, factor float64, bars []account.Bar, args map[string]any) {
	fork := w.s.Mapping.Serial
	w.slice(fork, threadForks, name, "construct", from, from+length, args)
	join := inside(from, from+length)
	for i, b := range bars {
		start, stop := from+toMicros(b.Start*factor), from+toMicros(b.Stop*factor)
		thread := threadSections
		for w.free[[2]int{b.Processor, thread}] > start { // means may overlap
			thread++
		}
		w.free[[2]int{b.Processor, thread}] = stop
		what, more := b.Name, map[string]any{"construct": w.s.Estimator.Bundle.Program.Regions[b.Region].Name, "section": b.Section + 1}
		if b.Line > 0 {
			more["source"] = fmt.Sprintf("%s:%d", b.File, b.Line)
		}
		if b.Kind != account.BarSection {
			what = b.Kind
		}
		if b.Kind == account.BarFetch {
			w.fetched(t, bars[:i], &b, more)
		}
		w.slice(b.Processor, thread, what, b.Kind, start, stop, more)
		first, last := ends(t, bars, i)
		if first {
			w.flow(fork, threadForks, from, b.Processor, thread, start)
		}
		if last {
			if start <= join { // later, the mean of few executions outlasts that of all
				w.flow(b.Processor, thread, min(inside(start, stop), join), fork, threadForks, join)
			}
		}
	}
}

// fetched tells what moves in a bar: before the sections of a processor what they read of others, behind them what others read
// of theirs; and on the processor that joins, of all others'.
func (w *traceWriter) fetched(t *account.Timeline, before []account.Bar, b *account.Bar, more map[string]any) {
	if w.s.Estimator.Bundle.Program.Regions[b.Region].Constructs[b.Construct].Loop != nil {
		return // each thread has a part
	}
	mine := func(x account.Bar) bool {
		return x.Kind == account.BarSection && x.Region == b.Region && x.Processor == b.Processor
	}
	for _, x := range slices.Backward(before) {
		if x.Processor == b.Processor && x.Kind == account.BarFetch {
			return // of the same data: once they are copied, caches bring them in
		}
		if mine(x) {
			break
		}
	}
	proc := w.s.Mapping.Regions[b.Region].Proc[b.Construct]
	joins := b.Processor == w.s.Mapping.Serial && b.Region == t.Region && slices.ContainsFunc(before, func(x account.Bar) bool { return x.Kind == account.BarSync && x.Processor == b.Processor })
	behind := joins || slices.ContainsFunc(before, mine)
	bytes, key := 0.0, "bytes_read_of_others"
	if behind {
		key = "bytes_read_by_others"
	}
	for s, p := range proc {
		if joins == (p == b.Processor) {
			continue
		}
		in, out := w.s.Estimator.Passed(b.Region, b.Construct, s)
		if behind {
			bytes += out
		} else {
			bytes += in
		}
	}
	if bytes > 0 {
		more[key] = bytes
	}
}

// ends reports whether a bar is the first and the last of a section of the timeline's
// construct.
func ends(t *account.Timeline, bars []account.Bar, i int) (first, last bool) {
	if bars[i].Kind != account.BarSection || bars[i].Region != t.Region || bars[i].Construct != t.Construct {
		return false, false
	}
	same := func(b account.Bar) bool {
		return b.Kind == account.BarSection && b.Region == t.Region && b.Construct == t.Construct && b.Section == bars[i].Section && b.Processor == bars[i].Processor
	}
	return !slices.ContainsFunc(bars[:i], same), !slices.ContainsFunc(bars[i+1:], same)
}

// inside returns the last time that lies in an event.
func inside(start, stop micros) micros { return max(start, stop-1) }

// program draws one execution of the root: what runs outside constructs as one event, then
// the constructs, all executions of each as one. Together they take the parallel time.
func (w *traceWriter) program(lines []account.Timeline) error {
	e := w.s.Estimator
	serial, err := e.SerialSeconds(w.s.Mapping.Serial, w.s.Technique)
	if err != nil {
		return err
	}
	begin := w.now + toMicros(serial)
	w.slice(w.s.Mapping.Serial, threadForks, "serial code", "serial", w.now, begin, map[string]any{"what": "all code outside sections, in one execution of " + w.s.root()})
	for i := range lines {
		t := &lines[i]
		length := toMicros(t.Executions * t.Seconds)
		w.construct(fmt.Sprintf("%s: all executions", label(t)), t, begin, length, t.Executions, t.Bars,
			map[string]any{"executions": t.Executions, "source": fmt.Sprintf("%s:%d", t.File, t.Line)})
		begin += length
	}
	w.gap()
	return nil
}
