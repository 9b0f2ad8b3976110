package pathwise

// This file accounts for the time that a mapping takes beyond the ideal one, in which
// all processors work all the time.
//
// The account is kept in processor time. With processors of relative speeds w_p, whose
// sum is W, a parallel time T offers the work W*T; the program needs S, its time on the
// serial processor. So T = S/W + sum of losses/W, where every loss is the work that a
// processor could have done while it waited, created tasks, or ran code that suits it
// less than the average. This holds for each stretch of serial code and each region of
// each path, and all of them are added up by how often they occur.

import (
	"fmt"
	"math"
	"slices"

	"pathspan/htg"
	"pathspan/mapping"
)

// Kind is a kind of loss.
type Kind uint8

// The kinds, in the order in which an account lists them.
const (
	Serial        Kind = iota // code outside regions: Amdahl's law
	Single                    // regions whose sections all run on the processor that meets them
	Imbalance                 // processors wait for the longest section of a region
	NestedSerial              // the part of that wait in which a nested region runs on one processor
	NestedSpread              // nested regions on further processors: a gain, below 0, unless overheads eat it
	Speeds                    // sections on processors that suit them less (or more, below 0) than the program
	Overhead                  // creating and synchronising tasks
	Communication             // not modelled, 0
	Contention                // not modelled, 0
)

// Kinds is the number of kinds of losses.
const Kinds = int(Contention) + 1

// Losses is where the time of a mapping goes, by the path-based technique. Times are in
// microseconds for one execution of the root.
type Losses struct {
	Sequential, Parallel float64
	Used                 []Used  // processors that take part
	Ideal                float64 // sum of their speeds
	// Terms has one entry a kind. Sequential/Ideal and all terms add up to Parallel.
	Terms [Kinds]Term
	Gap   Gap
}

// Used is a processor that takes part.
type Used struct {
	Processor int
	Speed     float64 // of the whole program, relative to the serial processor
}

// Term is the loss of one kind.
type Term struct {
	Micros float64
	Items  []Item // largest first, ties in program order; they add up to Micros
}

// Item is a place with its part of a loss. What does not apply is -1.
type Item struct {
	Func, Block                int // serial code
	Region, Construct, Section int
	Micros                     float64
}

// NoPlace is an item of no place.
var NoPlace = Item{Func: -1, Block: -1, Region: -1, Construct: -1, Section: -1}

// account collects losses as work, in microseconds of the serial processor.
type account struct {
	p      *Program
	m      *mapping.Resolved
	w      *walker
	alone  []*walker // by processor: everything on it
	free   []*walker // the same without regions that no mapping names
	speed  []float64 // by processor
	ideal  float64
	items  [Kinds]map[Item]float64
	groups map[meeting]*met
}

// Losses accounts for a mapping. It fails where Estimate does.
func (p *Program) Losses(m *mapping.Resolved) (*Losses, error) {
	a := &account{p: p, m: m, w: p.walker(m, PathBased), groups: map[meeting]*met{}}
	out := &Losses{Parallel: a.w.function(spot{p.Root, 0, m.Serial, false}).micros}
	if a.w.err != nil {
		return nil, a.w.err
	}
	for proc := range p.Costs {
		alone, free := p.walker(onOne(m, proc), PathBased), p.walker(onOne(m, proc), PathBased)
		for r := range m.Regions {
			free.m.Regions[r].Explicit = m.Regions[r].Explicit
		}
		free.outside = true
		a.alone, a.free = append(a.alone, alone), append(a.free, free)
		a.speed = append(a.speed, 1)
	}
	time := func(proc int) (float64, error) {
		v := a.alone[proc].function(spot{p.Root, 0, proc, false}).micros
		return v, a.alone[proc].err
	}
	var err error
	if out.Sequential, err = time(m.Serial); err != nil {
		return nil, err
	}
	for _, proc := range a.used() {
		alone, err := time(proc)
		if err != nil {
			return nil, err
		}
		if alone > 0 && out.Sequential > 0 {
			a.speed[proc] = out.Sequential / alone
		}
		out.Used = append(out.Used, Used{proc, a.speed[proc]})
		out.Ideal += a.speed[proc]
	}
	a.ideal = out.Ideal
	for k := range a.items {
		a.items[k] = map[Item]float64{}
	}
	if err := a.walk(); err != nil {
		return nil, err
	}
	for k := range a.items {
		out.Terms[k] = a.term(a.items[k])
	}
	return out, a.gap(&out.Gap)
}

// term turns work into time lost.
func (a *account) term(items map[Item]float64) Term {
	var t Term
	most := 0.0
	for _, work := range items {
		most = max(most, math.Abs(work))
	}
	for item, work := range items {
		if math.Abs(work) > 1e-12*most {
			item.Micros = work / a.ideal
			t.Items = append(t.Items, item)
		}
	}
	t.Sort()
	for _, item := range t.Items {
		t.Micros += item.Micros
	}
	return t
}

// Add adds an item to those of its place.
func (t *Term) Add(item Item) {
	t.Micros += item.Micros
	at := item
	at.Micros = 0
	k := slices.IndexFunc(t.Items, func(x Item) bool { x.Micros = 0; return x == at })
	if k < 0 {
		t.Items = append(t.Items, item)
		return
	}
	t.Items[k].Micros += item.Micros
}

// Sort puts the items in order, largest first.
func (t *Term) Sort() { slices.SortFunc(t.Items, byLoss) }

func byLoss(x, y Item) int {
	if c := slices.Compare([]float64{-x.Micros}, []float64{-y.Micros}); c != 0 {
		return c
	}
	return slices.Compare([]int{x.Func, x.Block, x.Region, x.Construct, x.Section}, []int{y.Func, y.Block, y.Region, y.Construct, y.Section})
}

// used lists the serial processor and those that have sections of an active region
// that ran, in the order of the platform.
func (a *account) used() []int {
	var all []int
	for proc := range a.p.Costs {
		takes := proc == a.m.Serial
		for at, l := range a.w.layouts {
			for g := range l.graph.Groups {
				gr := &l.graph.Groups[g]
				if l.spread[g] && a.p.funcs[at.fn].runs[gr.Begin] > 0 {
					takes = takes || slices.ContainsFunc(gr.Sections, func(s htg.Section) bool {
						return a.m.Regions[gr.Region].Proc[gr.Construct][s.Section] == proc
					})
				}
			}
		}
		if takes {
			all = append(all, proc)
		}
	}
	return all
}

// leaveOut clears the times of tasks in regions that the mapping does not name.
func (w *walker) leaveOut(at spot, times []amount) {
	graph := w.layOut(at).graph
	for t := range times {
		for g := graph.Tasks[t].Group; g >= 0; g = graph.Groups[g].Parent {
			if !w.m.Regions[graph.Groups[g].Region].Explicit {
				times[t] = amount{}
			}
		}
	}
}

// String names a kind as programs do.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

var kindNames = [Kinds]string{"serial", "single", "imbalance", "nested-serial", "nested-spread", "speeds", "overhead", "communication", "contention"}
