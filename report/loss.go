package report

// This file turns an account of losses into cycles, shares and names.

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/ir"
	"pathspan/mapping"
)

// Losses says why a mapping is not faster, and is its JSON object. Cycles are those of
// the serial processor for one execution of the function.
type Losses struct {
	Schema           string   `json:"schema" is:"pathspan.why/2"`
	Technique        string   `json:"technique"` // whose time it accounts for
	Bundle           string   `json:"bundle"`
	Function         string   `json:"function"`
	Models           []string `json:"models"`
	Platform         string   `json:"platform"`
	Mapping          string   `json:"mapping"`
	SequentialCycles float64  `json:"sequential_cycles"`
	ParallelCycles   float64  `json:"parallel_cycles"`
	Speedup          float64  `json:"speedup"`
	// Processors lists those that take part. The ideal speed-up is the sum of their
	// speeds, the ideal time what the sequential cycles take at that speed.
	Processors   []LossProcessor `json:"processors"`
	IdealSpeedup float64         `json:"ideal_speedup"`
	IdealCycles  float64         `json:"ideal_cycles"`
	// Losses has one entry a kind. Ideal cycles and all losses add up to the parallel
	// cycles, ideal speed-up less all speed-ups lost to the speed-up.
	Losses []Loss  `json:"losses"`
	Gap    LossGap `json:"correlation"`
	// Pipelines says of each of the plan's what holds it up, by executions.
	Pipelines []HeldUp `json:"pipelines,omitempty"`
	Notes     []string `json:"notes"`
}

// LossProcessor is a processor that takes part.
type LossProcessor struct {
	Name  string  `json:"name"`
	Speed float64 `json:"speed"` // of the whole program, relative to the serial processor
}

// Loss is what is lost in one way.
type Loss struct {
	Kind    string     `json:"kind"`
	Text    string     `json:"text"`
	Modeled bool       `json:"modeled"` // false: no model of it, so that it is 0
	Cycles  float64    `json:"cycles"`
	Share   float64    `json:"share"`        // of the parallel cycles
	Speedup float64    `json:"speedup_lost"` // when the losses are taken one after the other
	Items   []LossItem `json:"items"`        // largest first; they add up to Cycles
}

// LossItem is a place with its part of a loss.
type LossItem struct {
	Place  string  `json:"place"`                 // file and line, or the region
	At     int     `json:"region_line,omitempty"` // line of the region, where place is one
	Inside string  `json:"inside,omitempty"`      // function
	Sec    string  `json:"section,omitempty"`     // name of the section
	Line   int     `json:"line,omitempty"`        // of the section
	Cycles float64 `json:"cycles"`
	Share  float64 `json:"share"` // of the parallel cycles
}

// lossTexts says what each kind is.
var lossTexts = [account.Kinds]string{
	account.Serial:        "serial code",
	account.Single:        "regions on one processor",
	account.Imbalance:     "waiting within regions",
	account.NestedSerial:  "waiting for nested regions on one processor",
	account.Speeds:        "sections on processors that suit them less",
	account.Overhead:      "creating and synchronising tasks",
	account.ForkJoin:      "forking and joining regions",
	account.Combining:     "combining what threads reduced",
	account.Dispatch:      "taking chunks of loops",
	account.TeamOfOne:     "regions of one processor, set up",
	account.Tasking:       "making and stealing tasks",
	account.Waiting:       "waiting for locks",
	account.Locking:       "taking and releasing locks",
	account.Communication: "communication",
	account.Contention:    "contention",
}

// notModelled follows the text of a kind of loss of which there is no model.
const notModelled = " (not modelled)"

// Unmodeled lists the kinds of losses of which there is no model.
func (l *Losses) Unmodeled() (kinds []string) {
	for i := range l.Losses {
		if !l.Losses[i].Modeled {
			kinds = append(kinds, strings.TrimSuffix(l.Losses[i].Text, notModelled))
		}
	}
	return kinds
}

// LossesOf accounts for a mapping by a technique that has rows.
func LossesOf(e *estimate.Estimator, m *mapping.Resolved, t estimate.Technique) (*Losses, error) {
	x, err := account.Losses(e, m, t)
	if err != nil {
		return nil, err
	}
	p, pl, clockMHz := e.Bundle.Program, e.Platform, e.ClockMHz[m.Serial]
	out := &Losses{
		Technique: t.String(), Platform: pl.Name,
		SequentialCycles: x.Sequential * clockMHz, ParallelCycles: x.Parallel * clockMHz, Speedup: 1,
		IdealSpeedup: x.Ideal, IdealCycles: x.Sequential / x.Ideal * clockMHz,
	}
	if x.Parallel > 0 {
		out.Speedup = x.Sequential / x.Parallel
	}
	for _, u := range x.Used {
		out.Processors = append(out.Processors, LossProcessor{pl.Processors[u.Processor].Name, u.Speed})
	}
	n := &lossNamer{p: p, clock: clockMHz, total: x.Parallel}
	at, before := x.Sequential/x.Ideal, x.Ideal
	for k := range x.Terms {
		term := &x.Terms[k]
		text, modeled := lossTexts[k], true
		switch account.Kind(k) {
		case account.Communication:
			modeled = e.KnowsMemory()
		case account.Speeds:
			if term.Micros < 0 {
				text = "sections on processors that suit them better"
			}
		case account.Contention:
			modeled = e.KnowsMemory() // of caches that are shared, where main memory serves all at once
		}
		if !modeled {
			text += notModelled
		}
		l := Loss{
			Kind: account.Kind(k).String(), Text: text, Modeled: modeled,
			Cycles: term.Micros * clockMHz, Share: n.share(term.Micros), Items: n.items(term.Items),
		}
		at += term.Micros
		if at > 0 {
			after := x.Sequential / at
			l.Speedup, before = before-after, after
		}
		out.Losses = append(out.Losses, l)
	}
	out.Gap, err = n.gap(e, m, t, x)
	return out, err
}

// lossNamer names places.
type lossNamer struct {
	p            *ir.Program
	clock, total float64
}

func (n *lossNamer) share(micros float64) float64 {
	if n.total > 0 {
		return micros / n.total
	}
	return 0
}

// items names items, largest first; those of one line are one.
func (n *lossNamer) items(items []account.Item) []LossItem {
	var out []LossItem
	for _, i := range items {
		named := LossItem{Cycles: i.Micros * n.clock, Share: n.share(i.Micros)}
		switch {
		case i.Block >= 0:
			f := n.p.Funcs[i.Func]
			named.Place, named.Inside = n.line(f, i.Block), f.Source
		case i.Region >= 0:
			named.Place, named.At = n.p.Regions[i.Region].Name, n.p.Regions[i.Region].Line
			if i.Section >= 0 {
				s := &n.p.Regions[i.Region].Constructs[i.Construct].Sections[i.Section]
				named.Sec, named.Line = s.Name, s.Line
			}
		case i.Lock >= 0:
			named.Place = n.p.LockName(i.Lock)
		default: // executions leave time where paths have none
			named.Place = "outside of parallel code"
		}
		if k := slices.IndexFunc(out, func(i LossItem) bool {
			return i.Place == named.Place && i.Inside == named.Inside && i.Sec == named.Sec
		}); k >= 0 {
			out[k].Cycles += named.Cycles
			out[k].Share += named.Share
			continue
		}
		out = append(out, named)
	}
	slices.SortStableFunc(out, func(x, y LossItem) int { return cmp.Compare(math.Abs(y.Cycles), math.Abs(x.Cycles)) })
	return out
}

// line names the first source line of a block.
func (n *lossNamer) line(f *ir.Func, block int) string {
	return cmp.Or(n.p.UserString(n.p.UserBlockLoc(f, block)), "code without lines")
}
