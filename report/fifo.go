package report

// This file shows people how a network of modules and FIFOs ran.

import (
	"bufio"
	"fmt"
	"io"

	"pathspan/streams/fifo"
)

// FIFONetwork is how a network ran, and its JSON object. Times are cycles.
type FIFONetwork struct {
	Schema   string       `json:"schema" is:"pathspan.fifo/1"`
	Network  string       `json:"network"`
	Cycles   int64        `json:"cycles"`
	Deadlock bool         `json:"deadlock"` // cycles are those until nothing moved any more
	Waits    []FIFOWait   `json:"waits"`    // of modules in a deadlock
	Circle   []string     `json:"circle"`   // modules of which each waits for the next, the last for the first
	Period   int64        `json:"period"`   // after how many cycles all repeats; 0 where that was not seen
	Modules  []FIFOModule `json:"modules"`
	FIFOs    []FIFOLevel  `json:"fifos"`
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
	Causes     []FIFOCause `json:"causes"`
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
	Full   bool   `json:"full"` // it cannot write; else it cannot read
	For    string `json:"for"`
	Over   bool   `json:"over"` // the module that it waits for is
}

// FIFOOf describes how a network ran.
func FIFOOf(n *fifo.Network, r *fifo.Result) *FIFONetwork {
	out := &FIFONetwork{Cycles: r.Cycles, Deadlock: r.Deadlock != nil, Period: r.Period, Waits: []FIFOWait{}, Circle: []string{}}
	name := func(i int) string { return n.Modules[i].Name }
	for i := range r.Modules {
		m := &r.Modules[i]
		x := FIFOModule{Name: name(i), Iterations: m.Started, Alone: n.Modules[i].Alone(), Finish: m.Finish, Waited: m.Waited(), Causes: []FIFOCause{}}
		for _, b := range m.Bubbles {
			x.Bubbles += b
		}
		if r.Period > 0 {
			x.PerPeriod = r.Each[i]
		}
		for c, cycles := range m.Causes {
			if cycles > 0 {
				cause := ""
				if c < len(n.Modules) {
					cause = name(c)
				}
				x.Causes = append(x.Causes, FIFOCause{cause, cycles})
			}
		}
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
			out.Waits = append(out.Waits, FIFOWait{name(w.Module), n.FIFOs[w.FIFO].Name, w.Full, name(w.For), w.Over})
		}
		for _, w := range r.Deadlock.Cycle {
			out.Circle = append(out.Circle, name(w.Module))
		}
	}
	return out
}

// Text writes tables of modules and FIFOs, and why a deadlock is one.
func (d *FIFONetwork) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	if d.Deadlock {
		fmt.Fprintf(w, "%s: deadlock after %s cycles\n", d.Network, group(uint64(d.Cycles)))
		for _, x := range d.Waits {
			state, over := "is empty: it waits for", ""
			if x.Full {
				state = "is full: it waits for"
			}
			if x.Over {
				over = ", which is over"
			}
			fmt.Fprintf(w, "  %s: %s %s %s%s\n", x.Module, x.FIFO, state, x.For, over)
		}
	} else {
		fmt.Fprintf(w, "%s: %s cycles\n", d.Network, group(uint64(d.Cycles)))
	}
	if d.Period > 0 {
		fmt.Fprintf(w, "settled, it repeats itself after %s\n", countBig(uint64(d.Period), "cycle"))
	}
	fmt.Fprint(w, "\nmodules\n")
	c := newColumns(w)
	c.row("iterations", "alone", "finish", "waited", "bubbles", "a period", "module", "on account of")
	for i := range d.Modules {
		m := &d.Modules[i]
		causes := ""
		for k, x := range m.Causes {
			if k > 0 {
				causes += ", "
			}
			if x.Module == "" {
				x.Module = "deadlock"
			}
			causes += x.Module + " " + group(uint64(x.Cycles))
		}
		c.row(group(uint64(m.Iterations)), group(uint64(m.Alone)), group(uint64(m.Finish)), group(uint64(m.Waited)), group(uint64(m.Bubbles)), group(uint64(m.PerPeriod)), m.Name, causes)
	}
	c.Flush()
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
