package replay

// This file keeps the work of the iterations of worksharing loops under way, in their order,
// for all mappings at once, and shares it among threads where a loop has ended.

import (
	"math"
	"math/bits"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/mapping/loops"
)

// mostPoints bounds the cut points of an execution of a loop. Where it has more iterations,
// neighbours are joined, the same number each time, and the work of those that are together
// is taken to be even.
const mostPoints = 1 << 16

// loopRun is an execution of a worksharing loop under way.
type loopRun struct {
	region, construct int
	n, chunk          uint64   // as the program told; n is 0 where it did not
	left              bool     // the program ended amid the iterations
	at, last          uint64   // iterations that were told, and those told of last
	grain             uint64   // iterations between cut points, at least
	positions         []uint64 // by cut point, from the first iteration: iterations before it
	spent             []uint64 // by cut point, then meter: as loopRuns.spent was
}

// loopRuns is what is known of all loops under way.
type loopRuns struct {
	plan  *Plan
	most  int        // cut points of one
	spent []uint64   // by meter, modulo 2^64
	under []*loopRun // the innermost last
	spare []*loopRun
}

func newLoopRuns(plan *Plan) *loopRuns {
	return &loopRuns{plan: plan, most: mostPoints, spent: make([]uint64, plan.Meters.Count)}
}

// before takes note of an event ahead of the simulators, after those of its units.
func (x *loopRuns) before(word uint64, units []uint64) {
	for k, u := range units {
		x.spent[k] += u
	}
	switch kind := word >> 56; kind {
	case uint64(ir.SectionBegin):
		if r, c := regionOf(word), constructOf(word); x.plan.loop(r, c) {
			x.begin(r, c)
		}
	case probe.Iteration, probe.LoopIterations, probe.LoopChunk:
		if len(x.under) == 0 {
			return
		}
		switch run := x.under[len(x.under)-1]; {
		case kind == probe.LoopIterations:
			run.n = valueOf(word)
		case kind == probe.LoopChunk:
			run.chunk = valueOf(word)
		case run.region == regionOf(word) && run.construct == constructOf(word):
			x.iteration(run, uint64(sectionOf(word)))
		}
	}
}

// behind takes note of an event when all simulators know it.
func (x *loopRuns) behind(word uint64) {
	if word>>56 != uint64(ir.SectionEnd) {
		return
	}
	for i := len(x.under) - 1; i >= 0; i-- {
		if run := x.under[i]; run.region == regionOf(word) && run.construct == constructOf(word) {
			x.spare = append(x.spare, x.under[i:]...)
			x.under = x.under[:i]
			return
		}
	}
}

func (x *loopRuns) begin(region, construct int) {
	run := &loopRun{}
	if n := len(x.spare); n > 0 {
		run, x.spare = x.spare[n-1], x.spare[:n-1]
	}
	*run = loopRun{region: region, construct: construct, grain: 1, positions: append(run.positions[:0], 0), spent: append(run.spent[:0], x.spent...)}
	x.under = append(x.under, run)
}

// innermost is the loop that began last.
func (x *loopRuns) innermost() *loopRun { return x.under[len(x.under)-1] }

// iteration cuts where an iteration begins that stands for so many.
func (x *loopRuns) iteration(run *loopRun, step uint64) {
	if run.at-run.positions[len(run.positions)-1] >= run.grain {
		if len(run.positions) >= x.most {
			run.coarsen(len(x.spent))
		}
		run.positions = append(run.positions, run.at)
		run.spent = append(run.spent, x.spent...)
	}
	run.at, run.last = run.at+step, step
}

// coarsen joins cut points by pairs.
func (run *loopRun) coarsen(meters int) {
	half := (len(run.positions) + 1) / 2
	for i := range half {
		run.positions[i] = run.positions[2*i]
		copy(run.spent[i*meters:(i+1)*meters], run.spent[2*i*meters:])
	}
	run.positions, run.spent = run.positions[:half], run.spent[:half*meters]
	run.grain = (run.at + uint64(half) - 1) / uint64(half)
}

// An extent is what the iterations of an execution are told to be.
type extent struct {
	n     int64  // at least 1, which is what a loop of none executes all the same
	told  uint64 // of these
	done  int64  // iterations behind which the program ended, or all
	chunk uint64
}

// mostUntold bounds the iterations of a loop of which its program tells few, as the optimiser
// left no loop of it: beyond, so many are taken for one, and chunks are that much smaller.
const mostUntold = 1 << 16

// extentOf returns the extent of a loop that said to have n iterations and told of some, of
// the last so many together. Loops that begin with the question whether they end tell of one
// more than there are, which takes no part. Where the program ended amid the iterations, those
// that it told of are the first, and the rest take no time: the threads that have them wait.
func extentOf(n, told, last, chunk uint64, left bool) extent {
	done := n
	switch {
	case n == 0:
		n, done = told, told
	case left && told < n:
		done, told = told, n
	case told > n && told-last == n:
		told = n
	}
	if joined := n / max(told, mostUntold); joined > 1 {
		n, done = n/joined, done/joined
		if chunk > 0 {
			chunk = max(1, chunk/joined)
		}
	}
	n = min(max(n, 1), math.MaxInt64)
	return extent{int64(n), told, int64(min(max(done, 1), n)), chunk}
}

// at returns the iteration that lies so far in the loop as a position in those that were told,
// which are others where the optimiser took some out of it.
func (x extent) at(position uint64) int64 {
	if x.told == uint64(x.n) {
		return int64(min(position, x.told))
	}
	if x.told == 0 {
		return 0
	}
	hi, lo := bits.Mul64(min(position, x.told), uint64(x.n))
	q, _ := bits.Div64(hi, lo, x.told)
	return int64(q)
}

// loop is how a mapping shares the iterations of a construct, nil for sections.
func (s *Simulator) loop(r, c int) *mapping.LoopMap {
	if !s.plan.loop(r, c) {
		return nil
	}
	return s.m.Regions[r].Loops[c]
}

// schedule is that of an execution, for which the program told a chunk.
func (x extent) schedule(l *mapping.LoopMap) loops.Schedule {
	s := l.Schedule
	if l.Computed && s.Kind != loops.Auto {
		s.Chunk = int64(min(x.chunk, math.MaxInt64))
	}
	return s
}

// share returns what each thread of a loop takes that has ended. Threads begin when their tasks
// have been created on the processors of the construct, if they are, where it forks, and
// they have done what they came to before, by processor.
func (s *Simulator) share(run *loopRun, forks bool, before []float64) []float64 {
	l, proc := s.loop(run.region, run.construct), s.m.Regions[run.region].Proc[run.construct]
	x := extentOf(run.n, run.at, run.last, run.chunk, run.left)
	curves := map[curveKey]loops.Curve{}
	byThread, start, dispatch := make([]loops.Curve, l.Threads), make([]float64, l.Threads), make([]float64, l.Threads)
	for t := range l.Threads {
		p := proc[t]
		key := curveKey{s.meter[p], s.scale[p]}
		if _, ok := curves[key]; !ok {
			curves[key] = s.curve(run, key, x)
		}
		byThread[t] = curves[key]
		if start[t] = before[p]; forks {
			start[t], dispatch[t] = start[t]+s.create[p], s.dispatch(p)
		}
	}
	takes := make([]float64, l.Threads)
	if l.Shares != nil {
		for t, c := range loops.Weighted(x.n, l.Shares) {
			takes[t] = byThread[t].Work(c.Begin, c.End)
		}
		return takes
	}
	finish, _ := loops.Finish(x.schedule(l), byThread, x.n, dispatch, start)
	for t, end := range finish {
		takes[t] = max(0, end-start[t])
	}
	return takes
}

// curveKey is what processors share that take the same time for the same work.
type curveKey struct {
	meter int
	scale float64
}

// curve returns the work of the iterations of a loop that ends now.
func (s *Simulator) curve(run *loopRun, key curveKey, x extent) loops.Curve {
	meters := len(s.loops.spent)
	at, work := make([]int64, 1, len(run.positions)+1), make([]float64, 1, len(run.positions)+1)
	for i, position := range run.positions {
		if to := x.at(position); to > at[len(at)-1] && to < x.done {
			at = append(at, to)
			work = append(work, float64(run.spent[i*meters+key.meter]-run.spent[key.meter])*key.scale)
		}
	}
	for _, to := range []int64{x.done, x.n} {
		if to > at[len(at)-1] {
			at = append(at, to)
			work = append(work, float64(s.loops.spent[key.meter]-run.spent[key.meter])*key.scale)
		}
	}
	c, err := loops.NewCurve(at, work)
	if err != nil {
		panic("replay: curve: " + err.Error()) // cut points ascend, as does what was spent
	}
	return c
}

// region, construct and section of an event, or what it tells as a number.
func regionOf(word uint64) int    { return int(word >> 32 & 0xffffff) }
func constructOf(word uint64) int { return int(word >> 16 & 0xffff) }
func sectionOf(word uint64) int   { return int(word & 0xffff) }
func valueOf(word uint64) uint64  { return word & (1<<56 - 1) }
