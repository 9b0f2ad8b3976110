package table

// This file values rows that say only on average what is executed inside their lanes: as
// many times as Times says, distributed as the set says. Nested constructs are valued as
// if they found the processors free (Lattuada, Pilato, Ferrandi estimate level by level
// so), which leaves out that they compete; so no row takes less than what its busiest
// processor has to do. Recursion is the solution of the equations that follow.

import (
	"errors"
	"fmt"
	"slices"

	"pathspan/estimate/recursion"
)

// expectation values sets under the valuer's mapping. A context is where a set is met:
// outside of active regions on the serial processor (0), or on processor p inside one
// (1+p).
type expectation struct {
	v     *Valuer
	stale bool // the mapping is another one
	free  bool // creating and synchronising cost nothing
	// By set*contexts+context.
	state []uint8
	time  []float64 // of one execution, processors being free
	busy  []float64 // [.. *processors+p]: what it gives processor p to do
	open  []int     // unknowns of the recursion under way
	solve bool
}

const (
	unknown uint8 = iota
	provisional
	known
)

func (x *expectation) contexts() int { return len(x.v.t.KindOf) + 1 }

// value returns the makespan of an execution that the serial processor meets outside of
// all sections.
func (x *expectation) value(execution int) (float64, error) {
	x.prepare()
	busy := make([]float64, len(x.v.t.KindOf))
	t, err := x.execution(execution, 0, busy)
	if err != nil {
		return 0, err
	}
	for _, b := range busy {
		t = max(t, b)
	}
	return t, nil
}

// prepare forgets what was known under another mapping.
func (x *expectation) prepare() {
	if x.stale {
		n := len(x.v.t.sets) * x.contexts()
		if len(x.state) < n {
			x.state, x.time = make([]uint8, n), make([]float64, n)
			x.busy = make([]float64, n*len(x.v.t.KindOf))
		}
		clear(x.state)
		x.stale = false
	}
}

// play fills what the processors do in an execution that the serial processor meets
// outside of all sections.
func (x *expectation) play(execution int, out *Played) (float64, error) {
	span, err := x.value(execution)
	if err != nil {
		return 0, err
	}
	v := x.v
	e := &v.t.executions[execution]
	proc, order := v.placed(int(e.region), int(e.construct))
	v.free.prepare()
	n := len(v.t.KindOf)
	all, at := make([]float64, n), make([]float64, n)
	tell := func(e Event, length float64) {
		if length > 0 {
			e.Execution, e.Start, e.End = execution, at[e.Processor], at[e.Processor]+length
			out.Events = append(out.Events, e)
			at[e.Processor] = e.End
		}
	}
	serial := v.m.Serial
	before, after := v.t.around(e.region, e.construct, serial)
	if !out.Forks {
		before, after = 0, v.t.single(e.region, e.construct, serial)
	}
	back := 0.0
	if out.Forks {
		_, _, back = v.fetches(e.region, e.construct, serial, serial)
	}
	all[serial] += (before + after + back) * e.runs
	for p := range at { // nothing begins before the fork
		at[p] = before * e.runs
	}
	if before > 0 {
		at[serial] = 0
		tell(Event{Kind: Forking, Processor: serial, Section: -1}, before*e.runs)
	}
	created := make([]bool, n)
	last := make([]int, len(v.t.KindOf))
	for _, s := range order {
		if int32(s) < e.lanes && v.t.lanes[e.first+int32(s)].parts > 0 {
			last[proc[s]] = s
		}
	}
	var copies *copier
	if out.Forks {
		if copies, err = x.playCopies(e, proc); err != nil {
			return 0, err
		}
	}
	// moves tells of a copy, that took so long.
	moves := func(p int, c *copied, took float64) {
		alone := min(took, c.alone(v.t.Links)*e.runs)
		tell(Event{Kind: Fetch, Processor: p, Section: -1}, alone)
		tell(Event{Kind: Contend, Processor: p, Section: -1}, took-alone)
		all[p] += took
	}
	for _, s := range order {
		if int32(s) >= e.lanes || v.t.lanes[e.first+int32(s)].parts == 0 {
			continue
		}
		p := proc[s]
		if out.Forks && !created[p] {
			created[p] = true
			tell(Event{Kind: Create, Processor: p, Section: -1}, v.t.Create[p]*e.runs)
			if copies != nil {
				moves(p, &copies.in[p], copies.tookIn[p])
			}
			fetch, crowd, _ := v.fetches(e.region, e.construct, serial, p)
			tell(Event{Kind: Fetch, Processor: p, Section: -1}, fetch*e.runs)
			tell(Event{Kind: Contend, Processor: p, Section: -1}, crowd*e.runs)
			all[p] += (v.t.Create[p] + v.t.Sync[p] + fetch + crowd) * e.runs
		}
		lane, context := e.first+int32(s), 0
		if v.active(int(e.region), v.m.Serial) {
			context = 1 + p
		}
		share := 1.0
		if out.Forks {
			share = v.shorter(int(e.region), int(e.construct), serial, s)
		}
		t, err := x.lane(lane, p, context, out.Forks, share, all)
		if err != nil {
			return 0, err
		}
		work := Event{Kind: Work, Processor: p, Section: s, Single: !out.Forks, Kept: share * x.kept(lane, p, context, !out.Forks), Gives: make([]float64, n)}
		if _, err := v.free.lane(lane, p, context, out.Forks, share, work.Gives); err != nil {
			return 0, err
		}
		work.Nearer = (1 - share) * x.kept(lane, p, context, true)
		work.Serial = v.t.alone[int(lane)*v.t.Kinds+v.t.KindOf[v.m.Serial]]
		for q, y := range work.Gives {
			out.Busy[q] += y
		}
		tell(work, t)
		if copies != nil && last[p] == s {
			moves(p, &copies.out[p], copies.tookOut[p])
		}
		if out.Forks && last[p] == s {
			tell(Event{Kind: Sync, Processor: p, Section: -1}, v.t.Sync[p]*e.runs)
		}
	}
	if end := before*e.runs + v.least(int32(execution)); out.Forks && end > max(at[serial], slices.Max(at)) {
		at[serial] = max(at[serial], slices.Max(at))
		tell(Event{Kind: Contend, Processor: serial, Section: -1}, end-at[serial])
	}
	if after > 0 { // when all have ended
		kind := TeamOfOne
		if out.Forks {
			kind = Joining
		}
		at[serial] = max(at[serial], slices.Max(at))
		tell(Event{Kind: kind, Processor: serial, Section: -1}, after*e.runs)
	}
	at[serial] = max(at[serial], slices.Max(at))
	tell(Event{Kind: Fetch, Processor: serial, Section: -1}, back*e.runs)
	for p := range all {
		out.Overhead[p] = max(0, all[p]-out.Busy[p])
	}
	return span, nil
}

// playCopies plays what is copied in an execution that the serial processor meets and that is spread; nil where nothing is.
func (x *expectation) playCopies(e *execution, proc []int) (*copier, error) {
	v := x.v
	serial, n := v.m.Serial, len(v.t.KindOf)
	load, used, busy := make([]float64, n), make([]bool, n), make([]float64, n)
	for s := range e.lanes {
		if v.t.lanes[e.first+s].parts == 0 {
			continue
		}
		p, context := proc[s], 0
		if v.active(int(e.region), serial) {
			context = 1 + p
		}
		t, err := x.lane(e.first+s, p, context, true, v.shorter(int(e.region), int(e.construct), serial, int(s)), busy)
		if err != nil {
			return nil, err
		}
		used[p], load[p] = true, load[p]+t
	}
	fetch, some := v.copiesIn(e, serial)
	if !some {
		return nil, nil
	}
	v.copiedRow(used, load, fetch, e.runs)
	c := &v.copier
	return &copier{in: slices.Clone(c.in), out: slices.Clone(c.out), tookIn: slices.Clone(c.tookIn), tookOut: slices.Clone(c.tookOut)}, nil
}

// kept returns the time of a lane in constructs that stay on its processor, and, where its
// own does, the lane's own.
func (x *expectation) kept(lane int32, p, context int, own bool) float64 {
	v, total := x.v, 0.0
	kind := v.t.KindOf[p]
	for i := v.t.lanes[lane].first; i < v.t.lanes[lane].first+v.t.lanes[lane].parts; i++ {
		part := &v.t.parts[i]
		if own {
			total += part.times * v.t.own[int(i)*v.t.Kinds+kind]
		}
		if part.set >= 0 && context > 0 && !v.t.setReaches[part.set].Intersects(v.named) {
			total += part.times * v.t.setAlone[int(part.set)*v.t.Kinds+kind]
		}
	}
	return total
}

// lane returns the time of a lane on a processor, processors being free for what is inside
// it, of an execution that is spread or not, and adds to busy what it gives each processor to do.
func (x *expectation) lane(lane int32, p, context int, spread bool, share float64, busy []float64) (float64, error) {
	v := x.v
	l := &v.t.lanes[lane]
	total := 0.0
	for i := l.first; i < l.first+l.parts; i++ {
		part := &v.t.parts[i]
		own := part.times * v.t.own[int(i)*v.t.Kinds+v.t.KindOf[p]] * share
		if spread && !x.free {
			own += part.asks * v.t.Dispatch[p]
			total += part.waits
		}
		total += own
		busy[p] += own
		if part.set < 0 || part.times == 0 {
			continue
		}
		if context > 0 && !v.t.setReaches[part.set].Intersects(v.named) { // it stays, with all inside it
			own := part.times * v.t.setAlone[int(part.set)*v.t.Kinds+v.t.KindOf[p]] * share
			total += own
			busy[p] += own
			continue
		}
		t, err := x.set(int(part.set), context)
		if err != nil {
			return 0, err
		}
		total += part.times * t
		n := len(busy)
		for q, b := range x.busy[(int(part.set)*x.contexts()+context)*n:][:n] {
			busy[q] += part.times * b
		}
	}
	return total, nil
}

// execution returns the time of an execution in a context, processors being free, and adds
// to busy what it gives each processor to do.
func (x *expectation) execution(execution, context int, busy []float64) (float64, error) {
	v := x.v
	e := &v.t.executions[execution]
	fork, nested := v.m.Serial, false
	if context > 0 {
		fork, nested = context-1, true
	}
	if e.role != NoTask { // time where it is made
		total := 0.0
		for l := e.first; l < e.first+e.lanes; l++ {
			t, err := x.lane(l, fork, context, false, 1, busy)
			if err != nil {
				return 0, err
			}
			total += t
		}
		return total, nil
	}
	if e.lock > 0 { // nobody knows who waits on average
		return x.lane(e.first, fork, context, false, 1, busy)
	}
	proc, _ := v.placed(int(e.region), int(e.construct))
	stays := nested && !v.named.has(int(e.region))
	inner := context
	if !stays && v.active(int(e.region), fork) {
		nested = true
		inner = -1 // that of the section's processor
	}
	forks := false
	for s := range e.lanes {
		forks = forks || !stays && v.t.lanes[e.first+s].parts > 0 && proc[s] != fork
	}
	load := make([]float64, len(v.t.KindOf))
	used := make([]bool, len(v.t.KindOf))
	for s := range e.lanes {
		l := &v.t.lanes[e.first+s]
		if l.parts == 0 {
			continue
		}
		p, c := fork, inner
		if !stays {
			p = proc[s]
			if inner < 0 {
				c = 1 + p
			}
		}
		used[p] = true
		share := 1.0
		if forks {
			share = v.shorter(int(e.region), int(e.construct), fork, int(s))
		}
		t, err := x.lane(e.first+s, p, c, forks, share, busy)
		if err != nil {
			return 0, err
		}
		load[p] += t
	}
	longest, copies := 0.0, false
	if forks && !x.free {
		var fetch []float64
		if fetch, copies = v.copiesIn(e, fork); copies {
			longest = v.copiedRow(used, load, fetch, e.runs)
			for p, takesPart := range used {
				if takesPart {
					busy[p] += (v.t.Create[p]+v.t.Sync[p]+fetch[p])*e.runs + v.copier.tookIn[p] + v.copier.tookOut[p]
				}
			}
		}
	}
	for p, t := range load {
		if copies {
			break
		}
		if forks && used[p] && !x.free {
			fetch, crowd, _ := v.fetches(e.region, e.construct, fork, p)
			over := (v.t.Create[p] + v.t.Sync[p] + fetch + crowd) * e.runs
			t += over
			busy[p] += over
		}
		longest = max(longest, t)
	}
	if x.free || stays {
		return longest, nil
	}
	if forks && context == 0 {
		longest = max(longest, v.least(int32(execution)))
	}
	over := v.t.single(e.region, e.construct, fork)
	if forks {
		before, after := v.t.around(e.region, e.construct, fork)
		_, _, back := v.fetches(e.region, e.construct, fork, fork)
		over = before + after + back
	}
	busy[fork] += over * e.runs
	return longest + over*e.runs, nil
}

// set returns the time of one execution of a set in a context.
func (x *expectation) set(set, context int) (float64, error) {
	at := set*x.contexts() + context
	switch x.state[at] {
	case known, provisional:
		return x.time[at], nil
	}
	if !x.v.t.cyclic[set] {
		if err := x.apply(at); err != nil {
			return 0, err
		}
		x.state[at] = known
		return x.time[at], nil
	}
	n := len(x.v.t.KindOf)
	x.state[at], x.time[at] = provisional, 0
	clear(x.busy[at*n : (at+1)*n])
	x.open = append(x.open, at)
	if x.solve {
		return 0, nil
	}
	x.solve = true
	err := recursion.Newton(x)
	if errors.Is(err, recursion.ErrNone) {
		err = x.endless()
	}
	x.solve = false
	for _, u := range x.open {
		x.state[u] = known
	}
	x.open = x.open[:0]
	return x.time[at], err
}

// apply computes time and busy of one set in one context from those inside it.
func (x *expectation) apply(at int) error {
	set, context := at/x.contexts(), at%x.contexts()
	n := len(x.v.t.KindOf)
	s := &x.v.t.sets[set]
	time, busy, one := 0.0, make([]float64, n), make([]float64, n)
	for k, e := range s.Executions {
		clear(one)
		t, err := x.execution(e, context, one)
		if err != nil {
			return err
		}
		time += s.Shares[k] * t
		for p := range one {
			busy[p] += s.Shares[k] * one[p]
		}
	}
	x.time[at] = time
	copy(x.busy[at*n:], busy)
	return nil
}

// Values returns what is assumed of the sets under way: of each its time, which is a sum of
// maxima of others, then what it gives each processor to do, which is linear.
func (x *expectation) Values() []float64 {
	n := len(x.v.t.KindOf)
	var out []float64
	for _, at := range x.open {
		out = append(append(out, x.time[at]), x.busy[at*n:(at+1)*n]...)
	}
	return out
}

// Assume assumes such values.
func (x *expectation) Assume(values []float64) {
	n := len(x.v.t.KindOf)
	for at := 0; at*(n+1) < len(values); at++ {
		x.time[x.open[at]] = values[at*(n+1)]
		copy(x.busy[x.open[at]*n:], values[at*(n+1)+1:(at+1)*(n+1)])
	}
}

// Apply returns what follows from them.
func (x *expectation) Apply() ([]float64, error) {
	n := len(x.v.t.KindOf)
	var out []float64
	for i := 0; i < len(x.open); i++ { // which may grow
		at := x.open[i]
		time, busy := x.time[at], slices.Clone(x.busy[at*n:(at+1)*n])
		if err := x.apply(at); err != nil {
			return nil, err
		}
		out = append(append(out, x.time[at]), x.busy[at*n:(at+1)*n]...)
		x.time[at] = time
		copy(x.busy[at*n:], busy)
	}
	return out, nil
}

func (x *expectation) endless() error {
	t := x.v.t
	region := t.executions[t.sets[x.open[0]/x.contexts()].Executions[0]].region
	return fmt.Errorf("%w under this mapping; map the regions that it reaches to fewer processors, or lower the overheads", &ErrEndless{int(region)})
}
