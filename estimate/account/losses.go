// Package account says where the time of a mapping goes. It reads the rows of a technique
// (package table) as they run, and never asks which technique made them.
//
//	x, err := account.Losses(e, m, estimate.ExecutionBased)
//	x.Terms[account.Imbalance].Items[0] // the section that is waited for longest
//
// It does not estimate: its times are those of Estimator.Estimate.
package account

// This file accounts for the time that a mapping takes beyond the ideal one, in which
// all processors work all the time.
//
// The account is kept in processor time. With processors of relative speeds w_p, whose
// sum is W, a parallel time T offers the work W*T; the program needs S, its time on the
// serial processor. So T = S/W + sum of losses/W, where every loss is the work that a
// processor could have done while it waited, created tasks, or ran code that suits it
// less than the average. This holds for what is outside of sections and for each row, and
// all of them are added up by how often they occur.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
)

// Kind is a kind of loss.
type Kind uint8

// The kinds, in the order in which an account lists them.
const (
	Serial        Kind = iota // code outside sections: Amdahl's law
	Single                    // regions whose sections all run on the processor that meets them
	Imbalance                 // processors wait for the longest section of a region
	NestedSerial              // processors wait while a nested region runs on one of them
	Speeds                    // sections on processors that suit them less (or more, below 0) than the program
	Overhead                  // creating and synchronising tasks
	ForkJoin                  // forking and joining regions, barriers in them
	Combining                 // combining what threads reduced
	Dispatch                  // taking chunks of loops
	TeamOfOne                 // regions that one processor executes
	Tasking                   // making and stealing tasks
	Waiting                   // processors wait for a lock that another one has
	Locking                   // taking and releasing locks
	Communication             // waiting for data that another processor has; 0 where the platform or the profile knows of no memory
	Contention                // waiting for what others use of shared caches, and for main memory that they keep busy (Estimator.Contended)
)

// Kinds is the number of kinds of losses.
const Kinds = int(Contention) + 1

// String names a kind as programs do.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

var kindNames = [Kinds]string{"serial", "single", "imbalance", "nested-serial", "speeds", "overhead", "fork-join", "combining", "dispatch", "team-of-one", "tasks", "lock-waiting", "locking", "communication", "contention"}

// Account is where the time of a mapping goes, by one technique. Times are in microseconds
// for one execution of the root.
type Account struct {
	Sequential, Parallel float64
	Used                 []Used  // processors that take part
	Ideal                float64 // sum of their speeds
	// Terms has one entry a kind. Sequential/Ideal and all terms add up to Parallel.
	Terms [Kinds]Term
	Gap   []GapRegion // largest difference to average times first
}

// Used is a processor that takes part: the serial one, and those that work in sections or
// create tasks for them.
type Used struct {
	Processor int
	Speed     float64 // of the whole program, relative to the serial processor
}

// Term is the loss of one kind.
type Term struct {
	Micros float64
	Items  []Item // largest first, gains among losses, ties in program order; they add up to Micros
}

// Item is a place with its part of a loss. What does not apply is -1.
type Item struct {
	Func, Block                int // serial code
	Region, Construct, Section int
	Lock                       int // as ir.Program.LockName numbers it
	Micros                     float64
}

var noPlace = Item{Func: -1, Block: -1, Region: -1, Construct: -1, Section: -1, Lock: -1}

// booking makes an account. Work is in cycles of processor 0 spent by the serial processor.
type booking struct {
	e     *estimate.Estimator
	m     *mapping.Resolved
	used  []bool    // by processor
	speed []float64 // by processor; 0 when it takes no part
	ideal float64
	items [Kinds]map[Item]float64
	gap   gapRows
}

// Losses accounts for a mapping by a technique that has rows. It fails where Estimate does.
func Losses(e *estimate.Estimator, m *mapping.Resolved, t estimate.Technique) (*Account, error) {
	b := &booking{e: e, m: m, used: make([]bool, len(e.Platform.Processors)), speed: make([]float64, len(e.Platform.Processors))}
	b.used[m.Serial] = true
	for k := range b.items {
		b.items[k] = map[Item]float64{}
	}
	rows, err := e.RowsUnder(t, m)
	if err != nil {
		return nil, err
	}
	parallel := rows.Base[rows.KindOf[m.Serial]]
	if err := e.Play(m, t, func(_ *table.Table, p *table.Played) {
		parallel += p.Weight * p.Span
		for q := range b.used {
			b.used[q] = b.used[q] || p.Busy[q]+p.Overhead[q] > 0
		}
	}); err != nil {
		return nil, err
	}
	micro := 1 / e.ClockMHz[0]
	whole := rows.Sequential(rows.KindOf[m.Serial])
	out := &Account{Sequential: whole * micro, Parallel: parallel * micro}
	for p, used := range b.used {
		if !used {
			continue
		}
		b.speed[p] = 1
		if alone := rows.Sequential(rows.KindOf[p]); alone > 0 && whole > 0 {
			b.speed[p] = whole / alone
		}
		out.Used = append(out.Used, Used{p, b.speed[p]})
		b.ideal += b.speed[p]
	}
	out.Ideal = b.ideal
	if err := b.serial(rows.Base[rows.KindOf[m.Serial]]); err != nil {
		return nil, err
	}
	if err := e.Play(m, t, b.row); err != nil {
		return nil, err
	}
	for k := range b.items {
		out.Terms[k] = b.term(b.items[k], micro)
	}
	out.Gap, err = b.gap.regions(rows, m, micro)
	return out, err
}

// book adds work to a loss.
func (b *booking) book(k Kind, place Item, work float64) { b.items[k][place] += work }

// place is a section, or a construct's region where section is -1.
func place(rows *table.Table, execution, section int) Item {
	at := noPlace
	at.Region, at.Construct = rows.Construct(execution)
	if section < 0 {
		at.Section, at.Construct = -1, -1
		return at
	}
	at.Construct, at.Section = rows.Split(at.Region, at.Construct, section)
	return at
}

// serial books the code outside of sections, where paths say that it is: the blocks that a
// mapping with all sections elsewhere leaves on the serial processor.
func (b *booking) serial(cycles float64) error {
	lost := cycles * (b.ideal - 1)
	if lost == 0 {
		return nil
	}
	elsewhere := 0
	if b.m.Serial == 0 {
		elsewhere = 1
	}
	all := mapping.OnOne(b.e.Platform, elsewhere, b.e.Bundle.Program)
	all.Serial = b.m.Serial
	shares, err := b.e.Attribute(all, nil)
	if err != nil {
		return err
	}
	total := 0.0
	each := func(visit func(at Item, cycles float64)) {
		for _, s := range shares.Blocks {
			if s.Processor == b.m.Serial {
				at := noPlace
				at.Func, at.Block = shares.Bodies[s.Body].Func, s.Block
				visit(at, s.Executions*s.Cycles)
			}
		}
	}
	each(func(_ Item, x float64) { total += x })
	if total == 0 {
		b.book(Serial, noPlace, lost)
		return nil
	}
	each(func(at Item, x float64) { b.book(Serial, at, lost*(x/total)) })
	return nil
}

func (b *booking) row(rows *table.Table, p *table.Played) {
	if p.Mean { // what is no event is of regions inside sections
		inside := slices.Clone(p.Overhead)
		for i := range p.Events {
			if e := &p.Events[i]; e.Kind != table.Work {
				inside[e.Processor] -= e.End - e.Start
				b.book(overheadOf(e.Kind), place(rows, e.Execution, -1), p.Weight*(e.End-e.Start)*b.speed[e.Processor])
			}
		}
		for q, x := range inside {
			b.book(Overhead, place(rows, p.Execution, -1), p.Weight*x*b.speed[q])
		}
	}
	for i := range p.Events {
		e := &p.Events[i]
		if e.Kind == table.LockWait {
			continue // what is done meanwhile tells what that loses
		}
		if e.Kind == table.Lock {
			b.book(Locking, lockAt(e.Lock), p.Weight*(e.End-e.Start)*b.speed[e.Processor])
			continue
		}
		if e.Kind != table.Work {
			if !p.Mean {
				b.book(overheadOf(e.Kind), place(rows, e.Execution, -1), p.Weight*(e.End-e.Start)*b.speed[e.Processor])
			}
			continue
		}
		did := (e.End - e.Start) * b.speed[e.Processor]
		if e.Gives != nil {
			did = 0
			for q, x := range e.Gives {
				did += x * b.speed[q]
			}
		}
		if e.Nearer != 0 {
			b.book(Communication, place(rows, e.Execution, e.Section), -p.Weight*e.Nearer*b.speed[e.Processor])
			did += e.Nearer * b.speed[e.Processor]
		}
		if lost := did - e.Serial; math.Abs(lost) > 1e-9*max(did, e.Serial) {
			b.book(Speeds, place(rows, e.Execution, e.Section), p.Weight*lost)
		}
	}
	if p.Mean {
		b.waitOnAverage(rows, p)
	} else {
		b.wait(rows, p)
	}
	b.gap.add(rows, p, b.m)
}

func lockAt(lock int) Item {
	at := noPlace
	at.Lock = lock
	return at
}

// overheadOf is the loss that an overhead is.
func overheadOf(k table.EventKind) Kind {
	switch k {
	case table.Forking, table.Joining:
		return ForkJoin
	case table.Combining:
		return Combining
	case table.Dispatch:
		return Dispatch
	case table.TeamOfOne:
		return TeamOfOne
	case table.TaskMake, table.TaskSteal:
		return Tasking
	case table.Fetch:
		return Communication
	case table.Contend:
		return Contention
	}
	return Overhead
}

// term turns work into time lost. What is nothing but rounding is left out.
func (b *booking) term(items map[Item]float64, micro float64) Term {
	var t Term
	most := 0.0
	for _, work := range items {
		most = max(most, math.Abs(work))
	}
	for item, work := range items {
		if math.Abs(work) > 1e-12*most {
			item.Micros = work * micro / b.ideal
			t.Items = append(t.Items, item)
		}
	}
	slices.SortFunc(t.Items, func(x, y Item) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Micros), math.Abs(x.Micros)), cmp.Compare(y.Micros, x.Micros),
			slices.Compare([]int{x.Func, x.Block, x.Region, x.Construct, x.Section, x.Lock}, []int{y.Func, y.Block, y.Region, y.Construct, y.Section, y.Lock}))
	})
	for _, item := range t.Items {
		t.Micros += item.Micros
	}
	return t
}
