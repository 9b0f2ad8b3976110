package export

// This file writes schedules in the Trace Event Format of Chrome (JSON object form), which
// Perfetto and chrome://tracing show.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate"
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
// for each construct its mean execution and its heaviest paths, or classes of executions, at
// most as many as paths.
// Each processor is a process.
func Chrome(s *Subject, paths int) ([]byte, error) {
	e, t := s.Estimator, s.Technique
	kind := "path"
	if t == estimate.ExecutionBased {
		kind = "class of executions"
	}
	lines, err := e.Timelines(s.Mapping, t, max(paths, 1))
	if err != nil {
		return nil, err
	}
	r, err := e.Estimate(s.Mapping, t)
	if err != nil {
		return nil, err
	}
	total := r.ParallelSeconds
	for i := range lines {
		total += lines[i].Seconds
		for k := range lines[i].Paths {
			total += lines[i].Paths[k].Seconds
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
	if err := w.program(lines, r.ParallelSeconds); err != nil {
		return nil, err
	}
	for i := range lines {
		t := &lines[i]
		w.scene(fmt.Sprintf("%s: mean execution", label(t)), t, t.Seconds, t.Bars, map[string]any{"executions": t.Executions})
		for k := range t.Paths {
			if k >= paths {
				break
			}
			p := &t.Paths[k]
			w.scene(fmt.Sprintf("%s: %s %d, %.1f%% of its time", label(t), kind, k+1, 100*p.Share), t, p.Seconds, p.Bars,
				map[string]any{"executions": p.Count, "share": p.Share, "path": p.Text, "path_id": fmt.Sprint(p.ID)})
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
func label(t *estimate.Timeline) string {
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
func (w *traceWriter) scene(name string, t *estimate.Timeline, seconds float64, bars []estimate.Bar, args map[string]any) {
	length := toMicros(seconds)
	args["source"] = fmt.Sprintf("%s:%d", t.File, t.Line)
	w.construct(name, t, w.now, length, 1, bars, args)
	w.gap()
}

// construct draws a construct whose bars are stretched by a factor. Arrows lead from the
// fork to each section and from each section to the join.
func (w *traceWriter) construct(name string, t *estimate.Timeline, from, length micros, factor float64, bars []estimate.Bar, args map[string]any) {
	fork := w.s.Mapping.Serial
	w.slice(fork, threadForks, name, "construct", from, from+length, args)
	join := inside(from, from+length)
	for _, b := range bars {
		start, stop := from+toMicros(b.Start*factor), from+toMicros(b.Stop*factor)
		thread := threadSections
		for w.free[[2]int{b.Processor, thread}] > start { // means may overlap
			thread++
		}
		w.free[[2]int{b.Processor, thread}] = stop
		what, more := b.Name, map[string]any{"construct": t.Name, "section": b.Section + 1}
		if b.Line > 0 {
			more["source"] = fmt.Sprintf("%s:%d", t.File, b.Line)
		}
		if b.Kind != estimate.BarSection {
			what = b.Kind
		}
		w.slice(b.Processor, thread, what, b.Kind, start, stop, more)
		if b.Kind == estimate.BarSection {
			w.flow(fork, threadForks, from, b.Processor, thread, start)
			if start <= join { // later, the mean of few executions outlasts that of all
				w.flow(b.Processor, thread, min(inside(start, stop), join), fork, threadForks, join)
			}
		}
	}
}

// inside returns the last time that lies in an event.
func inside(start, stop micros) micros { return max(start, stop-1) }

// program draws one execution of the root: what runs outside constructs as one event, then
// the constructs outside of others' sections, all executions of each as one. Together they
// take the parallel time.
func (w *traceWriter) program(lines []estimate.Timeline, parallel float64) error {
	e := w.s.Estimator
	serial, err := e.SerialSeconds(w.s.Mapping.Serial, w.s.Technique)
	if err != nil {
		return err
	}
	within, err := w.nested()
	if err != nil {
		return err
	}
	rest := parallel - serial
	from, begin := w.now, w.now
	begin += toMicros(serial)
	w.slice(w.s.Mapping.Serial, threadForks, "serial code", "serial", from, begin, map[string]any{"what": "all code outside sections, in one execution of " + w.s.root()})
	for i := range lines {
		t := &lines[i]
		if within(t) {
			continue // part of the bars around it
		}
		seconds := t.Executions * t.Seconds
		rest -= seconds
		length := toMicros(seconds)
		w.construct(fmt.Sprintf("%s: all executions", label(t)), t, begin, length, t.Executions, t.Bars,
			map[string]any{"executions": t.Executions, "source": fmt.Sprintf("%s:%d", t.File, t.Line)})
		begin += length
	}
	if end := from + toMicros(parallel); end > begin && rest > 1e-6*parallel {
		// A construct that runs inside sections of others and outside as well.
		w.slice(w.s.Mapping.Serial, threadForks, "constructs that lie in sections of others too", "construct", begin, end, nil)
		begin = end
	}
	w.gap()
	return nil
}

// nested returns what tells whether a construct lies in sections of another, as far as it
// ever does.
func (w *traceWriter) nested() (func(*estimate.Timeline) bool, error) {
	e := w.s.Estimator
	a, err := e.Attribute(w.s.Mapping)
	if err != nil {
		return nil, err
	}
	called := map[string]bool{} // from sections: functions, as sources name them
	for _, b := range a.Bodies {
		if b.InSections && b.Calls > 0 {
			called[e.Bundle.Program.Funcs[b.Func].Source] = true
		}
	}
	return func(t *estimate.Timeline) bool {
		if called[t.Function] {
			return true
		}
		_, g := w.s.group(t, -1)
		return g != nil && (g.group.Parent >= 0 || g.graph.Inside >= 0)
	}, nil
}
