package table

// This file reduces a table to one mapping: what is left to be known is how long a cycle
// of each processor takes, and what tasks cost on it.

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"pathspan/mapping"
)

// Reduced is a table under one mapping, small enough to be shipped. Its times are cycles
// of the processor that spends them, as those of the table must be. It is a table again
// for any speeds and overheads (Value).
type Reduced struct {
	// Base is what the serial processor does alone.
	Base float64 `json:"base"`
	// Flat are rows in which each processor does one thing.
	Flat []FlatRows `json:"flat,omitempty"`
	// Forks are executions of constructs that others compete with for the processors, inner
	// ones first.
	Forks []Fork `json:"forks,omitempty"`
	// Roots are the forks that the serial processor meets.
	Roots []ForkRoot `json:"roots,omitempty"`
}

// ForkRoot is a fork with its weight.
type ForkRoot struct {
	Fork   int     `json:"fork"` // index into Reduced.Forks
	Weight float64 `json:"weight"`
}

// FlatRows are rows of which the longest lane counts. In Rows lie, for each of them, its
// weight and the cycles of its lanes, by index into On.
type FlatRows struct {
	On   []int     `json:"on"` // processors, ascending
	Runs float64   `json:"runs"`
	Rows []float64 `json:"rows"`
}

// Fork is an execution as it is spread: a lane for each processor. A part is cycles, then
// the index of another fork in Reduced.Forks and how often both happen in a row, if any.
type Fork struct {
	On    []int         `json:"on"`
	Runs  float64       `json:"runs"`
	Lanes [][][]float64 `json:"lanes"`
}

// ErrAveraged is the error of a construct that says only on average what is executed inside
// it, so that its value under other speeds is not that of rows.
type ErrAveraged struct{ Region int }

func (e *ErrAveraged) Error() string {
	return fmt.Sprintf("table: what is executed inside region %d is known on average only", e.Region)
}

// ErrTasks is the error of a construct that makes tasks: which processor executes them hangs
// on all speeds and overheads.
type ErrTasks struct{ Region int }

func (e *ErrTasks) Error() string {
	return fmt.Sprintf("table: region %d makes tasks, which go where there is time for them", e.Region)
}

// ErrContended is the error of a construct whose processors share main memory, or links between their own, which are as fast
// at any clock.
type ErrContended struct{ Region int }

func (e *ErrContended) Error() string {
	return fmt.Sprintf("table: processors share main memory, or links, in region %d", e.Region)
}

// ErrLocked is the error of a construct whose processors wait for locks, so that its value
// under other speeds depends on who comes first.
type ErrLocked struct{ Region int }

func (e *ErrLocked) Error() string {
	return fmt.Sprintf("table: processors wait for locks in region %d", e.Region)
}

// Reduce returns the table under a mapping. Processors with the same number in alike have
// the same speed and overheads whatever these are, so that only the longest of their lanes
// is kept where that decides. Times of the table must be cycles of each processor.
func (t *Table) Reduce(m *mapping.Resolved, alike []int) (*Reduced, error) {
	v := t.NewValuer()
	v.set(m)
	r := &reducer{v: v, alike: alike, flat: map[string]int{}, row: map[string]int{}, forks: map[spot]outcome{}}
	r.out.Base = t.Base[t.KindOf[m.Serial]]
	for i := range t.stages {
		u := &t.stages[i]
		if u.locks || u.waits != nil {
			return nil, &ErrLocked{u.region}
		}
		if x := t.transfers(u.region, u.construct); x != nil && (x.Bus != nil || x.Copies != nil) {
			return nil, &ErrContended{u.region}
		}
		if v.flat(u) {
			r.stage(u)
			continue
		}
		for row, root := range u.rows {
			x := t.Roots[root].Execution
			if v.spreadsTasks(x) || v.reachesTasks(x) {
				return nil, &ErrTasks{u.region}
			}
			if !t.exact[x] {
				return nil, &ErrAveraged{u.region}
			}
			r.root(r.execution(spot{x, m.Serial, false}), u.weight[row])
		}
	}
	r.sumUp()
	return &r.out, nil
}

// reducer makes a reduced table.
type reducer struct {
	v     *Valuer
	alike []int
	out   Reduced
	flat  map[string]int // by processors and runs: index into out.Flat
	row   map[string]int // by that and lanes: index of its row
	forks map[spot]outcome
}

// spot is where an execution is met: on a processor, inside an active region or not.
type spot struct {
	execution, processor int
	nested               bool
}

// outcome is what an execution is on a processor: cycles where nothing is spread inside it,
// else a fork.
type outcome struct {
	cycles        float64
	fork          int     // -1: none
	before, after float64 // what a fork costs the processor that meets it
}

// stage adds the rows of a construct whose sections hold nothing that is spread.
func (r *reducer) stage(u *stage) {
	v, forks := r.v, r.v.place(u)
	spread, alone := v.t.outside(u, v.m.Serial)
	spread += v.prepareFetches(u)
	var on []int
	for p, used := range v.used {
		if used {
			on = append(on, p)
		}
	}
	for row, w := range u.weight {
		v.loads(u, row, forks)
		if !forks {
			r.out.Base += w * (v.load[v.m.Serial] + alone*u.runs[row])
			continue
		}
		r.out.Base += w * spread * u.runs[row]
		lanes := make([]float64, len(on))
		for i, p := range on {
			lanes[i] = v.load[p] + v.fetch[p]*u.runs[row]
		}
		r.add(w, u.runs[row], on, lanes)
	}
}

// root adds what the serial processor meets.
func (r *reducer) root(o outcome, weight float64) {
	if o.fork < 0 {
		r.out.Base += weight * o.cycles
		return
	}
	r.out.Base += weight * (o.before + o.after)
	f := &r.out.Forks[o.fork]
	var lanes []float64
	for _, parts := range f.Lanes {
		if len(parts) == 1 && len(parts[0]) == 1 {
			lanes = append(lanes, parts[0][0])
		}
	}
	if len(lanes) == len(f.Lanes) {
		r.add(weight, f.Runs, f.On, lanes)
		return
	}
	for i := range r.out.Roots {
		if r.out.Roots[i].Fork == o.fork {
			r.out.Roots[i].Weight += weight
			return
		}
	}
	r.out.Roots = append(r.out.Roots, ForkRoot{o.fork, weight})
}

// add adds a flat row. Of processors that are alike the one with most to do stands for all;
// it is not the serial one where another is there, as spreading is what costs overhead.
func (r *reducer) add(weight, runs float64, on []int, cycles []float64) {
	var kept []int
	var lanes []float64
	for i, p := range on {
		at := slices.IndexFunc(kept, func(q int) bool { return r.alike[q] == r.alike[p] })
		if at < 0 {
			kept, lanes = append(kept, p), append(lanes, cycles[i])
			continue
		}
		lanes[at] = math.Max(lanes[at], cycles[i])
		if kept[at] == r.v.m.Serial {
			kept[at] = p
		}
	}
	byProcessor := make([]int, len(kept))
	for i := range byProcessor {
		byProcessor[i] = i
	}
	slices.SortFunc(byProcessor, func(a, b int) int { return kept[a] - kept[b] })
	rows := FlatRows{Runs: runs}
	row := []float64{weight}
	for _, i := range byProcessor {
		rows.On, row = append(rows.On, kept[i]), append(row, lanes[i])
	}
	if len(rows.On) == 1 { // such rows add up
		rows.Runs = 0
	}
	key := binary.LittleEndian.AppendUint64(nil, math.Float64bits(rows.Runs))
	for _, p := range rows.On {
		key = binary.AppendVarint(key, int64(p))
	}
	at, ok := r.flat[string(key)]
	if !ok {
		at = len(r.out.Flat)
		r.flat[string(key)] = at
		r.out.Flat = append(r.out.Flat, rows)
	}
	all := &r.out.Flat[at]
	if len(rows.On) == 1 {
		if all.Rows == nil {
			all.Rows = []float64{1, 0}
		}
		all.Runs += weight * runs
		all.Rows[1] += weight * row[1]
		return
	}
	for _, x := range row[1:] {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
	}
	if i, ok := r.row[string(key)]; ok {
		all.Rows[i] += weight
		return
	}
	r.row[string(key)] = len(all.Rows)
	all.Rows = append(all.Rows, row...)
}

// execution reduces an execution where it is met.
func (r *reducer) execution(at spot) outcome {
	if o, ok := r.forks[at]; ok {
		return o
	}
	t := r.v.t
	e := &t.executions[at.execution]
	proc, order, stays, nested := []int(nil), onlyLane, true, at.nested // of a task, which one processor executes where it is made
	if e.ofConstruct() {
		proc, order = r.v.placed(int(e.region), int(e.construct))
		stays = at.nested && !r.v.named.has(int(e.region))
		nested = at.nested || r.v.active(int(e.region), at.processor)
	}
	lanes := make([][][]float64, len(t.KindOf))
	forks := false
	for s := range e.lanes {
		forks = forks || !stays && t.lanes[e.first+s].parts > 0 && proc[s] != at.processor
	}
	for _, s := range order {
		if int32(s) >= e.lanes || t.lanes[e.first+int32(s)].parts == 0 {
			continue
		}
		p := at.processor
		if !stays {
			p = proc[s]
		}
		share := 1.0
		if forks {
			share = r.v.shorter(int(e.region), int(e.construct), at.processor, s)
		}
		l := t.lanes[e.first+int32(s)]
		for i := l.first; i < l.first+l.parts; i++ {
			if asks := t.parts[i].asks; forks && asks*t.Dispatch[p] > 0 {
				lanes[p] = append(lanes[p], []float64{asks * t.Dispatch[p]})
			}
			lanes[p] = append(lanes[p], r.part(int(i), p, share, nested)...)
		}
	}
	f := Fork{Runs: e.runs}
	spread, alone := false, 0.0
	for p, parts := range lanes {
		if parts == nil {
			continue
		}
		if forks {
			if fetch, crowd, _ := r.v.fetches(e.region, e.construct, at.processor, p); fetch+crowd > 0 {
				parts = append([][]float64{{(fetch + crowd) * e.runs}}, parts...)
			}
		}
		parts = joined(parts)
		f.On, f.Lanes = append(f.On, p), append(f.Lanes, parts)
		spread = spread || p != at.processor || len(parts) > 1 || len(parts[0]) > 1
		alone += parts[0][0]
	}
	single := 0.0
	if !forks && !stays {
		single = t.single(e.region, e.construct, at.processor) * e.runs
	}
	o := outcome{cycles: alone + single, fork: -1}
	if spread {
		o = outcome{fork: len(r.out.Forks), before: single}
		if forks {
			o.before, o.after = t.around(e.region, e.construct, at.processor)
			_, _, back := r.v.fetches(e.region, e.construct, at.processor, at.processor)
			o.before, o.after = o.before*e.runs, (o.after+back)*e.runs
		}
		r.out.Forks = append(r.out.Forks, f)
	}
	r.forks[at] = o
	return o
}

// part reduces a part of a lane on a processor, of whose own time it takes a share. What forking and joining costs it lies before
// and behind each execution.
func (r *reducer) part(i, p int, share float64, nested bool) [][]float64 {
	t := r.v.t
	part, own := t.parts[i], t.own[i*t.Kinds+t.KindOf[p]]*share
	switch {
	case part.set < 0 || part.times == 0:
		return [][]float64{{part.times * own}}
	case nested && !t.setReaches[part.set].Intersects(r.v.named):
		return [][]float64{{part.times * (own + t.setAlone[int(part.set)*t.Kinds+t.KindOf[p]]*share)}}
	}
	o := r.execution(spot{t.sets[part.set].Executions[0], p, nested})
	if o.fork < 0 {
		return [][]float64{{part.times * (own + o.cycles)}}
	}
	own += o.before
	switch {
	case o.after == 0:
		return [][]float64{{own, float64(o.fork), part.times}}
	case part.times == 1:
		return [][]float64{{own, float64(o.fork), 1}, {o.after}}
	}
	return [][]float64{{own, float64(o.fork), 1}, {own + o.after, float64(o.fork), part.times - 1}, {o.after}}
}

// joined adds up cycles that follow one another.
func joined(parts [][]float64) [][]float64 {
	out := parts[:1]
	for _, p := range parts[1:] {
		switch last := out[len(out)-1]; {
		case len(p) == 1 && len(last) == 1:
			out[len(out)-1] = []float64{last[0] + p[0]}
		case len(p) == 1 && p[0] == 0:
		case len(last) == 1 && last[0] == 0:
			out[len(out)-1] = p
		default:
			out = append(out, p)
		}
	}
	return out
}

// sumUp drops the forks that are rows of their own.
func (r *reducer) sumUp() {
	needed := make([]bool, len(r.out.Forks))
	for _, root := range r.out.Roots {
		needed[root.Fork] = true
	}
	each := func(f *Fork, visit func(inner *float64)) {
		for _, parts := range f.Lanes {
			for _, p := range parts {
				if len(p) > 1 {
					visit(&p[1])
				}
			}
		}
	}
	for i := len(needed) - 1; i >= 0; i-- {
		if needed[i] {
			each(&r.out.Forks[i], func(inner *float64) { needed[int(*inner)] = true })
		}
	}
	place, kept := make([]int, len(needed)), r.out.Forks[:0]
	for i, f := range r.out.Forks {
		if needed[i] {
			place[i] = len(kept)
			each(&f, func(inner *float64) { *inner = float64(place[int(*inner)]) })
			kept = append(kept, f)
		}
	}
	r.out.Forks = kept
	for i := range r.out.Roots {
		r.out.Roots[i].Fork = place[r.out.Roots[i].Fork]
	}
}

// Value returns the time of one execution of the program, in whatever unit factor is in:
// the length of a cycle of each processor. create and sync are in cycles of each processor.
func (r *Reduced) Value(serial int, factor, create, sync []float64) (float64, error) {
	n := len(factor)
	regions := len(r.Flat) + len(r.Forks)
	m := Machine{KindOf: make([]int, n), Kinds: 1}
	for p, f := range factor {
		m.Create, m.Sync = append(m.Create, create[p]*f), append(m.Sync, sync[p]*f)
	}
	b := NewBuilder(m, regions)
	mapped := &mapping.Resolved{Serial: serial}
	region := func(on []int) int {
		order := make([]int, len(on))
		for i := range order {
			order[i] = i
		}
		mapped.Regions = append(mapped.Regions, mapping.RegionMap{Explicit: true, Proc: [][]int{on}, Order: [][]int{order}})
		return len(mapped.Regions) - 1
	}
	for _, f := range r.Flat {
		at, stride := region(f.On), 1+len(f.On)
		for i := 0; i < len(f.Rows); i += stride {
			var lanes [][]Part
			for k, p := range f.On {
				lanes = append(lanes, []Part{{Own: []float64{f.Rows[i+1+k] * factor[p]}, Set: -1}})
			}
			b.Root(b.Execution(at, 0, f.Runs, lanes), f.Rows[i])
		}
	}
	var sets, executions []int
	for _, f := range r.Forks {
		lanes := make([][]Part, len(f.On))
		for k, p := range f.On {
			for _, part := range f.Lanes[k] {
				x := Part{Own: []float64{part[0] * factor[p]}, Set: -1}
				if len(part) > 1 {
					x.Set, x.Times = sets[int(part[1])], part[2]
				}
				lanes[k] = append(lanes[k], x)
			}
		}
		x := b.Execution(region(f.On), 0, f.Runs, lanes)
		executions = append(executions, x)
		sets = append(sets, b.Only(x))
	}
	for _, root := range r.Roots {
		b.Root(executions[root.Fork], root.Weight)
	}
	t, err := b.Table([]float64{r.Base * factor[serial]})
	if err != nil {
		return 0, err
	}
	return t.NewValuer().Value(mapped)
}
