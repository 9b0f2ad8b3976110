package table

// This file says what it costs that data lie where another processor put them. A construct's
// lanes read what others wrote: what lies where the construct is met, on the processor that
// forks, and what lanes of the same construct wrote; and what they write is read there in turn.
// Each processor that takes part waits for what its lanes read of others before it begins, once
// for all of them, and the one that met the construct waits behind the join.

import (
	"fmt"
	"math"
	"slices"
)

// Transfers are what an execution of a construct moves between processors, by lane.
type Transfers struct {
	// Shared is set of worksharing loops: In and Out have one lane, which the processors that
	// take part share evenly, and Between is empty.
	Shared bool
	In     []Crossing // what the lane reads of what lies where the construct is met
	// Among is what the lane reads of what lies with all processors evenly, as lanes of other constructs wrote it. Empty where nothing does.
	Among   []Crossing
	Out     []Crossing // what is read there of what the lane wrote
	Between []Between
	// Inside is what sections wait for what regions that they meet read of others, where their sections stay on the processor.
	Inside []Inside
	// Beside is what one lane waits for lines that another uses meanwhile, where that is under way all the time that it is, and
	// Most what each waits for all at most; empty where loops are.
	Beside []Between
	Most   []Crossing
	// Turns is what all processors together wait that take part in a loop, by their number, for lines that others of
	// them used meanwhile. Nil where nothing is, and where fewer than two take part.
	Turns []Crossing
	// Crowd is what a lane waits longer where others use the caches that its processor shares: by their
	// number in the place of the class. Nil where nothing is shared, and of a lane that never ran.
	Crowd  []Crossing
	Nearer []Nearer // how much shorter lanes take; nil where that is nothing
	Uneven float64  // how many times the mean the thread of a loop takes that ends last; 0 where that is not known
	// Bus is the part of a lane's time in which it keeps main memory busy, which serves one
	// processor at a time: [lane*Kinds+kind]. Nil where that is not known.
	Bus []float64
	// Copies are what crosses Links; nil where nothing does.
	Copies *Copies
}

// Between is what one lane reads of what another wrote, in earlier executions, and a third used last: on its processor the lines are as well.
type Between struct {
	From, To, Via int // From and Via may be WhereMet, From Anywhere; Via is From where nobody used the lines since
	Crossing
}

// Inside is what a lane waits for what a region inside of it reads, or, where To is WhereMet, what is waited behind the join for what that wrote. Where the
// region's construct is spread, its own transfers say it.
type Inside struct {
	Between
	Lane                       int // that meets the region
	Region, Construct, Section int // that reads or wrote: Construct is -1 outside of constructs, Section of loops
}

// What stands for no lane: that which runs where the construct is met, and what lies with all processors evenly.
const WhereMet, Anywhere = -1, -2

// Crossing is what reading some data takes longer than where they lie on the same processor, in cycles
// of processor 0: [class*Kinds+kind], by how far writer and reader are apart (Machine.Apart) and
// the kind of the reader. Nil is nothing.
type Crossing []float64

// transfers returns those of a construct, or of a streak, nil where there are none.
func (t *Table) transfers(region, construct int) *Transfers {
	if t.Transfers == nil {
		return nil
	}
	return t.Transfers[region][construct]
}

// checkTransfers reports what no execution can move.
func (t *Table) checkTransfers(x *Transfers) error {
	if x == nil {
		return nil
	}
	if x.Bus != nil && len(x.Bus) != len(x.In)*t.Kinds || slices.ContainsFunc(x.Bus, func(share float64) bool { return !(share >= 0 && share <= 1) }) {
		return fmt.Errorf("lanes keep main memory busy for %v of their time", x.Bus)
	}
	if x.Crowd != nil && len(x.Crowd) != len(x.In) {
		return fmt.Errorf("%d lanes share caches, of %d", len(x.Crowd), len(x.In))
	}
	if err := t.checkNearer(x); err != nil {
		return err
	}
	if x.Copies != nil {
		if t.Links == nil {
			return fmt.Errorf("lanes copy, and there are no links")
		}
		if err := x.Copies.check(len(x.In)); err != nil {
			return err
		}
	}
	if x.Turns != nil && (!x.Shared || len(x.Turns) != len(t.KindOf)+1) {
		return fmt.Errorf("%d processors take turns, of %d", len(x.Turns), len(t.KindOf))
	}
	if x.Among != nil && len(x.Among) != len(x.In) {
		return fmt.Errorf("%d lanes read of other constructs, of %d", len(x.Among), len(x.In))
	}
	all := slices.Concat(x.In, x.Among, x.Out, x.Crowd, x.Turns, x.Most)
	between := slices.Concat(x.Between, x.Beside)
	for i := range x.Inside {
		b := x.Inside[i]
		if b.Lane < 0 || b.Lane >= len(x.In) || b.To != b.Lane && (b.To != WhereMet || b.From != b.Lane) {
			return fmt.Errorf("lane %d of %d waits for what is inside of lane %d", b.To, len(x.In), b.Lane)
		}
		b.To = b.Lane
		between = append(between, b.Between)
	}
	if len(x.Beside) > 0 && (x.Shared || len(x.Most) != len(x.In)) {
		return fmt.Errorf("%d lanes use lines together, of %d", len(x.Most), len(x.In))
	}
	for i := range between {
		b := &between[i]
		if b.From < Anywhere || b.To < 0 || b.Via < Anywhere || b.From >= len(x.In) || b.To >= len(x.In) || b.Via >= len(x.In) {
			return fmt.Errorf("lane %d reads what lane %d of %d wrote", b.To, b.From, len(x.In))
		}
		all = append(all, b.Crossing)
	}
	for _, c := range all {
		for _, cycles := range c {
			if !(cycles >= 0) || math.IsInf(cycles, 1) {
				return fmt.Errorf("a transfer of %g cycles", cycles)
			}
		}
	}
	return nil
}

// crossing is what a reader waits for what is at another processor.
func (t *Table) crossing(c Crossing, writer, reader int) float64 {
	if c == nil || writer == reader {
		return 0
	}
	return c[t.Apart[writer][reader]*t.Kinds+t.KindOf[reader]]
}

// users marks the processors of lanes that are executed at all.
func (x *Transfers) users(proc []int, used []bool) {
	clear(used)
	for s, p := range proc {
		if x.Shared || s < len(x.Crowd) && x.Crowd[s] != nil {
			used[p] = true
		}
	}
}

// crowd is what a processor waits for as others use the caches that it shares, in an execution
// that is spread over such processors.
func (t *Table) crowd(x *Transfers, proc []int, used []bool, p int) float64 {
	if x == nil || x.Crowd == nil {
		return 0
	}
	others, all := 0, 0
	for q, yes := range used {
		if yes {
			all++
			if q != p && t.Near[q][p] {
				others++
			}
		}
	}
	if others == 0 {
		return 0
	}
	sum, at := 0.0, others*t.Kinds+t.KindOf[p]
	for s, q := range proc {
		if q != p {
			continue
		}
		if x.Shared {
			return x.Crowd[0].at(at) / float64(all)
		}
		sum += x.Crowd[s].at(at)
	}
	return sum
}

func (c Crossing) at(i int) float64 {
	if c == nil {
		return 0
	}
	return c[i]
}

// distinct counts the processors of lanes, and reports whether one is among them.
func distinct(proc []int, p int) (n int, among bool) {
	for i, q := range proc {
		if slices.Index(proc, q) == i {
			n++
		}
		among = among || q == p
	}
	return n, among
}

// bus is the part of the time of a lane in which it keeps main memory busy.
func (t *Table) bus(x *Transfers, lane, kind int) float64 {
	if x.Shared {
		lane = 0
	}
	return x.Bus[lane*t.Kinds+kind]
}

// least is the time that an execution takes at least where it is spread, as main memory serves one
// processor at a time (Y. Choi, UCLA 2019, eq. 3.18 and 3.19): what all of its lanes keep it busy, and as links carry
// one access at a time.
func (v *Valuer) least(execution int32) float64 {
	t, e := v.t, &v.t.executions[execution]
	if !e.ofConstruct() {
		return 0
	}
	x := t.transfers(int(e.region), int(e.construct))
	if x == nil || x.Bus == nil && x.Copies == nil {
		return 0
	}
	proc, _ := v.placed(int(e.region), int(e.construct))
	least := t.leastRemote(x, proc, v.m.Serial) * e.runs
	if x.Bus == nil {
		return least
	}
	sum := 0.0
	for s := range int(e.lanes) {
		kind := t.KindOf[proc[s]]
		sum += t.bus(x, s, kind) * t.alone[(int(e.first)+s)*t.Kinds+kind]
	}
	return max(sum, least)
}

// Times is so many times as much.
func (c Crossing) Times(times float64) Crossing {
	out := slices.Clone(c)
	for i := range out {
		out[i] *= times
	}
	return out
}

// Add adds up what is read of several.
func (c Crossing) Add(more Crossing) Crossing {
	if c == nil || more == nil {
		return append(slices.Clone(c), more...)
	}
	sum := slices.Clone(c)
	for i, x := range more {
		sum[i] += x
	}
	return sum
}

// fetch is what a processor waits for what its lanes read of others, beside what is copied, in an execution
// that is met on a processor and spread.
func (t *Table) fetch(x *Transfers, proc []int, met, p int) float64 {
	if x == nil {
		return 0
	}
	sum := t.remote(x, proc, met, p, nil)
	if x.Shared {
		n, takesPart := distinct(proc, p)
		if !takesPart {
			return 0
		}
		sum += t.crossing(x.In[0], met, p)/float64(n) + t.turns(x, proc, p, n)
		if x.Among != nil {
			sum += t.among(x.Among[0], p) / float64(n)
		}
		return sum
	}
	for s, c := range x.In {
		if proc[s] == p {
			sum += t.crossing(c, met, p)
		}
	}
	for i := range x.Between {
		if b := &x.Between[i]; proc[b.To] == p {
			sum += t.comes(b, proc, met)
		}
	}
	for s, c := range x.Among {
		if proc[s] == p {
			sum += t.among(c, p)
		}
	}
	return sum + t.besideSections(x, proc, p)
}

// comes is what a lane's processor waits for what another wrote: nothing where a third used it there.
func (t *Table) comes(b *Between, proc []int, met int) float64 {
	switch p := proc[b.To]; {
	case b.Via >= WhereMet && at(b.Via, proc, met) == p:
		return 0
	case b.From == Anywhere:
		return t.among(b.Crossing, p)
	default:
		return t.crossing(b.Crossing, at(b.From, proc, met), p)
	}
}

// inside is what regions inside of a construct's sections, which stay on their processors, let a processor wait before these, and that which met it behind
// the join. Explore asks for it by way of a Valuer, too: constructs with regions inside are general units.
func (v *Valuer) inside(x *Transfers, proc []int, met, p int) (before, back float64) {
	for i := range x.Inside {
		b := &x.Inside[i]
		on := proc[b.Lane]
		if b.Construct >= 0 && v.named.has(b.Region) {
			inner := v.m.Regions[b.Region].Proc[b.Construct]
			if b.Section >= 0 {
				inner = inner[b.Section : b.Section+1]
			}
			if slices.ContainsFunc(inner, func(q int) bool { return q != on }) {
				continue
			}
		}
		if b.To == WhereMet {
			back += v.t.crossing(b.Crossing, on, met)
		} else if on == p {
			before += v.t.comes(&b.Between, proc, met)
		}
	}
	return before, back
}

// at is the processor of a lane, or that which meets the construct.
func at(lane int, proc []int, met int) int {
	if lane == WhereMet {
		return met
	}
	return proc[lane]
}

// among is what a processor waits for what lies with all evenly.
func (t *Table) among(c Crossing, p int) (sum float64) {
	for q := range t.KindOf {
		sum += t.crossing(c, q, p)
	}
	return sum / float64(len(t.KindOf))
}

// besideSections is what a processor waits for lines that sections on others use meanwhile, of which each executes one at a time: of two
// processors that have several, each section of the one that has more is beside one of the other's, where they take as long.
func (t *Table) besideSections(x *Transfers, proc []int, p int) (sum float64) {
	if len(x.Beside) == 0 {
		return 0
	}
	lanes := func(of int) (n float64) {
		for _, q := range proc[:len(x.In)] {
			if q == of {
				n++
			}
		}
		return n
	}
	mine := lanes(p)
	for s := range x.In {
		if proc[s] != p {
			continue
		}
		waits, most := 0.0, 0.0
		for i := range x.Beside {
			b := &x.Beside[i]
			if q := proc[b.From]; b.To == s && q != p {
				waits += t.crossing(b.Crossing, q, p) / max(mine, lanes(q))
				most = max(most, t.crossing(x.Most[s], q, p))
			}
		}
		sum += min(waits, most)
	}
	return sum
}

// turns is what a processor, one of so many, waits for lines that others used meanwhile: each of them is as likely to.
func (t *Table) turns(x *Transfers, proc []int, p, n int) (sum float64) {
	if x.Turns == nil || n < 2 {
		return 0
	}
	for i, q := range proc {
		if slices.Index(proc, q) == i {
			sum += t.crossing(x.Turns[n], q, p)
		}
	}
	return sum / float64(n*(n-1))
}

// AddTurns adds up what loops of a streak wait.
func (x *Transfers) AddTurns(more []Crossing) {
	if x.Turns == nil {
		x.Turns = make([]Crossing, len(more))
	}
	for n, c := range more {
		x.Turns[n] = x.Turns[n].Add(c)
	}
}

// LongestDecides lets the processor that ends last have as much more of what lies between its uses of lines as its threads take longer
// than those of others. It is to be called once, by who made the table.
func (t *Table) LongestDecides() {
	type loop struct{ region, construct int32 }
	all, longest := map[loop]float64{}, map[loop]float64{}
	for _, r := range t.Roots {
		e := &t.executions[r.Execution]
		if x := t.transfers(int(e.region), int(e.construct)); x == nil || x.Nearer == nil || !x.Shared {
			continue
		}
		sum, most, threads := 0.0, 0.0, 0.0
		for l := e.first; l < e.first+e.lanes; l++ {
			if t.lanes[l].parts == 0 {
				continue
			}
			took := t.alone[int(l)*t.Kinds]
			sum, most, threads = sum+took, max(most, took), threads+1
		}
		at := loop{e.region, e.construct}
		all[at], longest[at] = all[at]+r.Weight*sum, longest[at]+r.Weight*most*threads
	}
	for at, sum := range all {
		if sum == 0 {
			continue
		}
		x := t.transfers(int(at.region), int(at.construct))
		x.Uneven = longest[at] / sum
	}
}

// fetchBack is what the processor that met a construct waits for what its lanes wrote.
func (t *Table) fetchBack(x *Transfers, proc []int, met int) float64 {
	if x == nil {
		return 0
	}
	sum := 0.0
	if x.Shared {
		n, _ := distinct(proc, met)
		for i, p := range proc {
			if slices.Index(proc, p) == i {
				sum += t.crossing(x.Out[0], p, met) / float64(n)
			}
		}
		return sum
	}
	for s, c := range x.Out {
		sum += t.crossing(c, proc[s], met)
	}
	return sum
}

// prepareFetches fills what each processor waits for in a construct that the serial processor
// meets, and returns what that waits in the end.
func (v *Valuer) prepareFetches(u *stage) (back float64) {
	x := v.t.transfers(u.region, u.construct)
	if v.copier.some = false; x == nil {
		clear(v.fetch)
		return 0
	}
	proc, _ := v.placed(u.region, u.construct)
	x.users(proc, v.users)
	v.copier.prepare(v.t, x, proc, v.m.Serial)
	for p := range v.fetch {
		inside, behind := v.inside(x, proc, v.m.Serial, p)
		v.fetch[p], back = v.t.fetch(x, proc, v.m.Serial, p)+inside+v.t.crowd(x, proc, v.users, p), behind
	}
	return v.t.fetchBack(x, proc, v.m.Serial) + back
}

// fetches returns these for the construct of an execution under the valuer's mapping.
func (v *Valuer) fetches(region, construct int32, met, p int) (before, crowd, back float64) {
	x := v.t.transfers(int(region), int(construct))
	if x == nil {
		return 0, 0, 0
	}
	proc, _ := v.placed(int(region), int(construct))
	inside, behind := v.inside(x, proc, met, p)
	if p == met {
		back = v.t.fetchBack(x, proc, met) + behind
	}
	x.users(proc, v.users)
	return v.t.fetch(x, proc, met, p) + inside, v.t.crowd(x, proc, v.users, p), back
}
