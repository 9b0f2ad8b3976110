package report

// This file shows people which depths of FIFOs a network needs.

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"pathspan/streams/fifo"
)

// FIFODepths is what came of a search for depths, and its JSON object.
type FIFODepths struct {
	Schema  string      `json:"schema" is:"pathspan.fifo-depths/1"`
	Network string      `json:"network"`
	Fastest int64       `json:"fastest"` // cycles while no FIFO is ever full; 0: a deadlock even so
	Target  int64       `json:"target"`  // cycles to be reached; 0: none but that it ends
	Best    *FIFOSizes  `json:"best"`    // reaches the target; null where nothing that does is known
	Proven  bool        `json:"proven"`  // nothing of fewer bits reaches it, or nothing at all
	Below   int64       `json:"below"`   // bits: where that is not proven, what reaches the target has these or more
	Front   []FIFOSizes `json:"front"`   // what nothing else beats in bits and cycles, the best last
	Whole   bool        `json:"whole"`   // nothing is missing in the front that has fewer bits than the best, or than below
	Runs    int         `json:"runs"`    // of the network
	FIFOs   []FIFODepth `json:"fifos"`
	Written string      `json:"written,omitempty"` // file with the best depths
}

// FIFOSizes are depths of all FIFOs, and what comes of them.
type FIFOSizes struct {
	Bits   int64   `json:"bits"`
	Cycles int64   `json:"cycles"`
	Depths []int64 `json:"depths"` // as fifos are ordered
}

// FIFODepth is how deep a FIFO is, and should be.
type FIFODepth struct {
	Name  string `json:"name"`
	From  string `json:"from"`
	To    string `json:"to"`
	Width int64  `json:"width"` // bits of a token
	Now   int64  `json:"now"`   // depth
	Best  int64  `json:"best"`  // 0 where nothing is known
}

// FIFODepthsOf describes what came of a search for depths.
func FIFODepthsOf(n *fifo.Network, d *fifo.Sizing) *FIFODepths {
	out := &FIFODepths{Fastest: d.Fastest, Target: d.Target, Proven: d.Proven, Below: d.Below, Whole: d.Whole, Runs: d.Tries, Front: []FIFOSizes{}, FIFOs: []FIFODepth{}}
	for _, x := range d.Front {
		out.Front = append(out.Front, FIFOSizes{x.Bits, x.Cycles, x.Depths})
	}
	for f, q := range n.FIFOs {
		x := FIFODepth{Name: q.Name, From: n.Modules[q.Writer].Name, To: n.Modules[q.Reader].Name, Width: q.Width, Now: q.Depth}
		if d.Best != nil {
			x.Best = d.Best.Depths[f]
		}
		out.FIFOs = append(out.FIFOs, x)
	}
	if d.Best != nil {
		out.Best = &FIFOSizes{d.Best.Bits, d.Best.Cycles, d.Best.Depths}
	}
	return out
}

// Text writes what is known of the target, the front, and the depths.
func (d *FIFODepths) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	number := func(n int64) string { return group(uint64(n)) }
	fmt.Fprintf(w, "%s: ", d.Network)
	if d.Fastest > 0 {
		fmt.Fprintf(w, "%s cycles while no FIFO is ever full\n", number(d.Fastest))
	} else {
		fmt.Fprint(w, "a deadlock even while no FIFO is ever full\n")
	}
	what := "that"
	if d.Target == 0 {
		what = "an end"
	} else if d.Target != d.Fastest {
		what = number(d.Target) + " cycles"
	}
	runs := countBig(uint64(d.Runs), "run")
	switch {
	case d.Best == nil && d.Proven:
		fmt.Fprintf(w, "no depths reach %s (proven, %s)\n", what, runs)
	case d.Best == nil:
		fmt.Fprintf(w, "after %s no depths are known that reach %s; none of fewer than %s bits do; --tries N goes on\n", runs, what, number(d.Below))
	case d.Proven:
		fmt.Fprintf(w, "the fewest bits that reach %s: %s (proven, %s)\n", what, number(d.Best.Bits), runs)
	default:
		fmt.Fprintf(w, "%s bits reach %s; after %s it is not proven that fewer do not: %s or more; --tries N goes on\n", number(d.Best.Bits), what, runs, number(d.Below))
	}
	if d.Written != "" {
		fmt.Fprintf(w, "wrote %s\n", d.Written)
	}
	if len(d.Front) > 0 {
		fmt.Fprint(w, "\nfewer bits or fewer cycles")
		if !d.Whole {
			fmt.Fprint(w, " (there may be more)")
		}
		fmt.Fprintln(w)
		c := newColumns(w)
		c.row("bits", "cycles", "deeper than 1")
		for _, x := range d.Front {
			var deep []string
			for f, depth := range x.Depths {
				if depth > 1 {
					deep = append(deep, d.FIFOs[f].Name+" "+number(depth))
				}
			}
			c.row(number(x.Bits), number(x.Cycles), cmp.Or(strings.Join(deep, ", "), "none"))
		}
		c.Flush()
	}
	if d.Best != nil && len(d.FIFOs) > 0 {
		fmt.Fprint(w, "\nFIFOs\n")
		c := newColumns(w)
		c.row("depth", "now", "width", "bits", "from", "to", "FIFO")
		for _, q := range d.FIFOs {
			c.row(number(q.Best), number(q.Now), number(q.Width), number(q.Best*q.Width), q.From, q.To, q.Name)
		}
		c.Flush()
	}
	return w.Flush()
}
