package report

// This file shows people how a network of modules and FIFOs ran.

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/streams/fifo"
)

// FIFONetwork is how a network ran, and its JSON object. Times are cycles.
type FIFONetwork struct {
	Schema    string       `json:"schema" is:"pathspan.fifo/1"`
	Network   string       `json:"network"`
	Cycles    int64        `json:"cycles"`
	Deadlock  bool         `json:"deadlock"` // cycles are those until nothing moved any more
	Waits     []FIFOWait   `json:"waits"`    // of modules in a deadlock
	Circle    []string     `json:"circle"`   // modules of which each waits for the next, the last for the first
	Period    int64        `json:"period"`   // after how many cycles all repeats; 0 where that was not seen
	ByFormula FIFOFormula  `json:"by_formula"`
	Modules   []FIFOModule `json:"modules"`
	FIFOs     []FIFOLevel  `json:"fifos"`
}

// FIFOFormula is what closed formulas say of modules that never wait, in cycles.
type FIFOFormula struct {
	Pipeline   int64 `json:"pipeline"`   // the longest, and the latencies of all
	Sequential int64 `json:"sequential"` // one behind the other
	Parallel   int64 `json:"parallel"`   // side by side
}

// FIFOModule is what a module did.
type FIFOModule struct {
	Name       string      `json:"name"`
	Iterations int64       `json:"iterations"` // that started
	Alone      int64       `json:"alone"`      // cycles that it takes if it never waits
	Finish     int64       `json:"finish"`     // 0 where it came to no end
	Waited     int64       `json:"waited"`
	Bubbles    int64       `json:"bubbles"`    // starts of iterations put off while earlier ones went on
	PerPeriod  int64       `json:"per_period"` // iterations
	Causes     []FIFOCause `json:"causes"`     // of waits
	Stalled    float64     `json:"stalled"`    // share of all cycles in which it waited or was over
	After      []FIFOCause `json:"after"`      // on account of whom others went on when it was over
}

// FIFOCause is a module on whose account another waited; none for a deadlock.
type FIFOCause struct {
	Module string `json:"module"`
	Cycles int64  `json:"cycles"`
}

// FIFOLevel is what was seen of a FIFO.
type FIFOLevel struct {
	Name         string `json:"name"`
	From         string `json:"from"`
	To           string `json:"to"`
	Depth        int64  `json:"depth"`
	Bits         int64  `json:"bits"`
	Most         int64  `json:"most"` // tokens at a time
	Full         int64  `json:"full"` // cycles
	Empty        int64  `json:"empty"`
	WriterWaited int64  `json:"writer_waited"` // cycles
	ReaderWaited int64  `json:"reader_waited"`
}

// FIFOWait is what a module waits for in a deadlock.
type FIFOWait struct {
	Module string `json:"module"`
	FIFO   string `json:"fifo"`
	Full   bool   `json:"full"`   // it cannot write; else it cannot read
	Level  int64  `json:"level"`  // tokens in the FIFO
	Tokens int64  `json:"tokens"` // that it would write or read at once
	For    string `json:"for"`
	Over   bool   `json:"over"` // the module that it waits for is
}

// FIFOOf describes how a network ran.
func FIFOOf(n *fifo.Network, r *fifo.Result) *FIFONetwork {
	out := &FIFONetwork{Cycles: r.Cycles, Deadlock: r.Deadlock != nil, Period: r.Period, Waits: []FIFOWait{}, Circle: []string{}}
	name := func(i int) string { return n.Modules[i].Name }
	by := n.Composed()
	out.ByFormula = FIFOFormula{by.Pipeline, by.Sequential, by.Parallel}
	for i := range r.Modules {
		m := &r.Modules[i]
		x := FIFOModule{Name: name(i), Iterations: m.Started, Alone: n.Modules[i].Alone(), Finish: m.Finish, Waited: m.Waited(), Causes: causes(n, m.Causes), After: causes(n, m.After)}
		for _, b := range m.Bubbles {
			x.Bubbles += b
		}
		if r.Period > 0 {
			x.PerPeriod = r.Each[i]
		}
		idle := x.Waited
		for _, a := range x.After {
			idle += a.Cycles
		}
		x.Stalled = float64(idle) / float64(max(r.Cycles, 1))
		out.Modules = append(out.Modules, x)
	}
	for f, q := range n.FIFOs {
		g := r.FIFOs[f]
		x := FIFOLevel{Name: q.Name, From: name(q.Writer), To: name(q.Reader), Depth: q.Depth, Bits: q.Depth * q.Width, Most: g.Most, Full: g.Full, Empty: g.Empty}
		if q.Writer != q.Reader {
			x.WriterWaited, x.ReaderWaited = r.Modules[q.Writer].Stalled[f], r.Modules[q.Reader].Stalled[f]
		}
		out.FIFOs = append(out.FIFOs, x)
	}
	if r.Deadlock != nil {
		for _, w := range r.Deadlock.Waits {
			out.Waits = append(out.Waits, FIFOWait{name(w.Module), n.FIFOs[w.FIFO].Name, w.Full, w.Level, w.Tokens, name(w.For), w.Over})
		}
		for _, w := range r.Deadlock.Cycle {
			out.Circle = append(out.Circle, name(w.Module))
		}
	}
	return out
}

// causes names modules and what they caused.
func causes(n *fifo.Network, cycles []int64) []FIFOCause {
	out := []FIFOCause{}
	for c, x := range cycles {
		if x > 0 {
			cause := ""
			if c < len(n.Modules) {
				cause = n.Modules[c].Name
			}
			out = append(out, FIFOCause{cause, x})
		}
	}
	return out
}

func (c FIFOCause) said() string { return cmp.Or(c.Module, "deadlock") }

// Text writes tables of modules and FIFOs, and why a deadlock is one.
func (d *FIFONetwork) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	if d.Deadlock {
		d.explain(w)
	} else {
		fmt.Fprintf(w, "%s: %s cycles\n", d.Network, group(uint64(d.Cycles)))
	}
	fmt.Fprintf(w, "by formula, without waits: %s as a pipeline, %s one after the other, %s side by side\n",
		group(uint64(d.ByFormula.Pipeline)), group(uint64(d.ByFormula.Sequential)), group(uint64(d.ByFormula.Parallel)))
	if d.Period > 0 {
		fmt.Fprintf(w, "settled, it repeats itself after %s\n", countBig(uint64(d.Period), "cycle"))
	}
	fmt.Fprint(w, "\nmodules\n")
	c := newColumns(w)
	c.row("iterations", "alone", "finish", "waited", "bubbles", "a period", "module")
	for i := range d.Modules {
		m := &d.Modules[i]
		c.row(group(uint64(m.Iterations)), group(uint64(m.Alone)), group(uint64(m.Finish)), group(uint64(m.Waited)), group(uint64(m.Bubbles)), group(uint64(m.PerPeriod)), m.Name)
	}
	c.Flush()
	d.stalls(w)
	if len(d.FIFOs) > 0 {
		fmt.Fprint(w, "\nFIFOs\n")
		c = newColumns(w)
		c.row("depth", "bits", "most", "cycles full", "empty", "writer waited", "reader waited", "from", "to", "FIFO")
		for i := range d.FIFOs {
			q := &d.FIFOs[i]
			c.row(group(uint64(q.Depth)), group(uint64(q.Bits)), group(uint64(q.Most)), group(uint64(q.Full)), group(uint64(q.Empty)), group(uint64(q.WriterWaited)), group(uint64(q.ReaderWaited)), q.From, q.To, q.Name)
		}
		c.Flush()
	}
	return w.Flush()
}

// explain writes why a deadlock is one: the circle first, then who else waits.
func (d *FIFONetwork) explain(w io.Writer) {
	fmt.Fprintf(w, "%s: deadlock after %s cycles", d.Network, group(uint64(d.Cycles)))
	switch len(d.Circle) {
	case 0:
	case 1:
		fmt.Fprintf(w, "; %s waits for itself", d.Circle[0])
	default:
		fmt.Fprintf(w, "; %s wait for each other in a circle", strings.Join(d.Circle, ", "))
	}
	fmt.Fprintln(w)
	waits := slices.Clone(d.Waits)
	place := func(x FIFOWait) int {
		if at := slices.Index(d.Circle, x.Module); at >= 0 {
			return at
		}
		return len(d.Circle)
	}
	slices.SortStableFunc(waits, func(a, b FIFOWait) int { return place(a) - place(b) })
	var full, empty []string
	depth := map[string]int64{}
	for i := range d.FIFOs {
		depth[d.FIFOs[i].Name] = d.FIFOs[i].Depth
	}
	for i, x := range waits {
		if i == len(d.Circle) && i > 0 {
			fmt.Fprintln(w, "beside the circle")
		}
		in := i < len(d.Circle)
		does, over := "write", ""
		if x.Full {
			does = "read"
		}
		if x.Over {
			over = ", which is over,"
		}
		fmt.Fprintf(w, "  %s waits for %s%s to %s %s: ", x.Module, x.For, over, does, x.FIFO)
		switch {
		case x.Full && in:
			full = append(full, x.FIFO)
		case in:
			empty = append(empty, x.FIFO)
		}
		if x.Full {
			fmt.Fprintf(w, "full, %s in a depth of %s", group(uint64(x.Level)), group(uint64(depth[x.FIFO])))
		} else if x.Level == 0 {
			fmt.Fprint(w, "empty")
		} else {
			fmt.Fprintf(w, "%s in it", group(uint64(x.Level)))
		}
		if x.Tokens > 1 {
			fmt.Fprintf(w, ", and %s at once", group(uint64(x.Tokens)))
		}
		fmt.Fprintln(w)
	}
	if len(d.Circle) > 0 {
		fmt.Fprintf(w, "full in the circle: %s; empty: %s\n", cmp.Or(strings.Join(full, ", "), "none"), cmp.Or(strings.Join(empty, ", "), "none"))
	}
	if len(d.Circle) > 0 && len(full) == 0 {
		fmt.Fprintln(w, "next: nothing in the circle waits for room, but for tokens: give it more to begin with (initial), or have its pipelines flush")
		return
	}
	fmt.Fprintf(w, "next: pathspan fifo %s --depths (depths without it, if there are any)\n", d.Network)
}

// stalls writes which share of all cycles modules did not work in, and on whose account: what they
// waited for, and who others waited for when they were over.
func (d *FIFONetwork) stalls(w io.Writer) {
	fmt.Fprint(w, "\nshare of the cycles in which a module waits or is over\n")
	c := newColumns(w)
	c.row("stalled", "module", "on account of")
	for i := range d.Modules {
		m := &d.Modules[i]
		var all []FIFOCause
		for _, x := range slices.Concat(m.Causes, m.After) {
			at := slices.IndexFunc(all, func(y FIFOCause) bool { return y.Module == x.Module })
			if at < 0 {
				all = append(all, x)
			} else {
				all[at].Cycles += x.Cycles
			}
		}
		slices.SortStableFunc(all, func(a, b FIFOCause) int { return cmp.Compare(b.Cycles, a.Cycles) })
		var said []string
		for _, x := range all {
			if share := 100 * float64(x.Cycles) / float64(d.Cycles); share >= 0.05 {
				said = append(said, fmt.Sprintf("%s %.1f%%", x.said(), share))
			}
		}
		c.row(fmt.Sprintf("%.1f%%", 100*m.Stalled), m.Name, cmp.Or(strings.Join(said, ", "), "none"))
	}
	c.Flush()
}
