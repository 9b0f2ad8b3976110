package replay

// This file simulates trees of regions a second time, in the other way: each processor
// is a coroutine that calls what it runs, as a thread of the run-time library does
// (build/runtime/team.c), and waits by looking again.

import (
	"iter"
	"math"
)

// A regionRun is one execution of a region; its parts are work, constructs and regions.
type regionRun struct {
	region int
	parts  []part
	told   [2]int // of what the stream tells of accesses
}

// A part is one of: work, by meter; the sections of a construct; a region.
type part struct {
	work      []uint64
	construct int
	sections  []*sectionRun
	between   []uint64 // work of the region before the last of the sections, if any
	touches   []uint64 // accesses in work, or in what is between
	nested    *regionRun
}

// A sectionRun is one execution of a section; its parts are work and regions.
type sectionRun struct {
	index, id int
	parts     []part
}

// coroutine is a processor of the reference.
type coroutine struct {
	number int
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	queue  []func()
	until  float64
	ready  func() bool // it waits until this holds; nil while it is busy
	asleep bool        // busy until a time
	spent  float64     // time that it was busy
}

// occurrence is something that the reference did, in order.
type occurrence struct {
	start     bool // of a section; else the end of work in it
	at        float64
	processor int
	section   int
}

type reference struct {
	s       *Simulator // what it was made of: costs, overheads and the mapping, not how it simulates
	now     float64
	workers []*coroutine
	log     []occurrence
	regions []Distribution
	memory  *bruteMemory
	alone   []float64 // what accesses of the stream wait one after the other on the serial processor, added up
}

// run returns how long a region takes that is met outside of others.
func (r *reference) run(x *regionRun) float64 {
	r.now, r.log, r.workers = 0, nil, nil
	if r.memory != nil {
		r.memory.begin()
	}
	r.regions = make([]Distribution, len(r.s.m.Regions))
	for p := range r.s.scale {
		w := &coroutine{number: p}
		first := func() {}
		if p == r.s.m.Serial {
			first = func() { r.region(w, x, 0) }
		}
		w.ready = func() bool { return true }
		w.resume, w.stop = iter.Pull(func(yield func(struct{}) bool) {
			w.yield = yield
			first()
			r.wait(w, func() bool { return false })
		})
		r.workers = append(r.workers, w)
	}
	defer func() {
		for _, w := range r.workers {
			w.stop()
		}
	}()
	for {
		if w := r.next(); w != nil {
			w.resume()
			continue
		}
		soonest := math.Inf(1)
		for _, w := range r.workers {
			if w.asleep {
				soonest = min(soonest, w.until)
			}
		}
		if math.IsInf(soonest, 1) {
			return r.now
		}
		r.now = soonest
	}
}

// next returns the processor of the lowest number that can act now.
func (r *reference) next() *coroutine {
	for _, w := range r.workers {
		if w.asleep && w.until == r.now || !w.asleep && w.ready() {
			return w
		}
	}
	return nil
}

// pause stands for the time that something takes.
func (r *reference) pause(w *coroutine, time float64) {
	w.spent += time
	if time > 0 {
		w.asleep, w.until = true, r.now+time
		if !w.yield(struct{}{}) {
			panic("the reference stopped in work")
		}
		w.asleep = false
	}
}

// wait runs what comes to a processor until something is over.
func (r *reference) wait(w *coroutine, over func() bool) {
	for !over() {
		if len(w.queue) > 0 {
			next := w.queue[0]
			w.queue = w.queue[1:]
			next()
			continue
		}
		w.ready = func() bool { return over() || len(w.queue) > 0 }
		if !w.yield(struct{}{}) {
			return
		}
	}
}

// work is what a coroutine does between two events: at even distances it makes accesses.
func (r *reference) work(w *coroutine, x *part) {
	if x.work == nil {
		return
	}
	each := float64(x.work[r.s.meter[w.number]]) * r.s.scale[w.number] / float64(len(x.touches)+1)
	r.pause(w, each)
	for _, word := range x.touches {
		r.pause(w, r.memory.touch(r.s, w.number, word, r.now)+each)
	}
	*x = part{}
}

// and adds work to a part behind what is there.
func (p *part) and(work, touches []uint64) {
	if p.work == nil {
		p.work = make([]uint64, len(work))
	}
	for k := range work {
		p.work[k] += work[k]
	}
	p.touches = append(p.touches, touches...)
}

// spread reports whether a section of the region is mapped to another processor.
func (r *reference) spread(region, processor int) bool {
	for _, construct := range r.s.m.Regions[region].Proc {
		for _, p := range construct {
			if p != processor {
				return true
			}
		}
	}
	return false
}

func (r *reference) region(w *coroutine, x *regionRun, active int) {
	met := r.now
	rm := &r.s.m.Regions[x.region]
	var left part
	for at := 0; at < len(x.parts); at++ {
		switch p := x.parts[at]; {
		case p.nested != nil:
			r.work(w, &left)
			r.region(w, p.nested, active)
		case p.work != nil:
			left.and(p.work, p.touches)
		case active > 0 && !rm.Explicit:
			for i, s := range p.sections {
				if p.between != nil && i == len(p.sections)-1 {
					left.and(p.between, p.touches)
				}
				r.work(w, &left)
				r.section(w, s, active)
			}
		default:
			r.work(w, &left)
			end := r.waitsBehind(x, at)
			r.constructs(w, x.region, x.parts[at:end], active)
			for _, p := range x.parts[at:end] {
				if p.work != nil {
					left.and(p.work, p.touches)
				}
				if p.between != nil {
					left.and(p.between, p.touches)
				}
			}
			at = end - 1
		}
	}
	r.work(w, &left)
	serial := 0.0
	if r.alone != nil {
		serial = r.alone[x.told[1]] - r.alone[x.told[0]]
	}
	for _, u := range r.serial(x.parts) {
		serial += u
	}
	r.regions[x.region].add((r.now-met)*r.s.perRef, serial*r.s.perRef)
}

// waitsBehind returns the part behind the first construct, from one of a region's parts on,
// behind which threads wait for each other: they go on where it says nowait to one that they can
// come to by such constructs alone, in either order.
func (r *reference) waitsBehind(x *regionRun, at int) int {
	all := r.s.prog.Regions[x.region].Constructs
	for i := at + 1; i < len(x.parts); i++ {
		p := &x.parts[i]
		if p.work != nil {
			continue
		}
		from, on := x.parts[at].construct, p.nested == nil && all[x.parts[at].construct].NoWait
		for c := min(from, p.construct); on && c < max(from, p.construct); c++ {
			on = all[c].NoWait
		}
		if !on {
			break
		}
		at = i
	}
	return at + 1
}

func (r *reference) constructs(w *coroutine, region int, parts []part, active int) {
	rm := &r.s.m.Regions[region]
	by, p := map[int][]*sectionRun{}, parts[0]
	for _, p := range parts {
		if p.work != nil {
			continue
		}
		for _, i := range rm.Order[p.construct] {
			for _, s := range p.sections {
				if s.index == i {
					by[rm.Proc[p.construct][i]] = append(by[rm.Proc[p.construct][i]], s)
				}
			}
		}
	}
	left := len(by)
	_, mine := by[w.number]
	forks := left > 1 || !mine
	inside := active
	if r.spread(region, w.number) {
		inside = 1
	}
	before, after := r.toll(region, p.construct, w.number, forks)
	r.pause(w, before)
	defer func() { r.pause(w, after) }()
	job := func(o *coroutine) func() {
		return func() {
			if forks {
				r.pause(o, r.s.create[o.number])
			}
			for _, s := range by[o.number] {
				r.section(o, s, inside)
			}
			if forks {
				r.pause(o, r.s.sync[o.number])
			}
			left--
		}
	}
	for _, o := range r.workers {
		if o != w && by[o.number] != nil {
			o.queue = append(o.queue, job(o))
		}
	}
	if mine {
		job(w)()
	}
	r.wait(w, func() bool { return left == 0 })
}

// toll is what a construct costs the processor that meets it ahead of all and behind all.
func (r *reference) toll(region, construct, processor int, forks bool) (before, after float64) {
	o, all := r.s.m.Platform.Other, r.s.prog.Regions[region].Constructs
	first, last := construct, construct // that threads may go through without waiting
	for first > 0 && all[first-1].NoWait {
		first--
	}
	for last < len(all)-1 && all[last].NoWait {
		last++
	}
	switch {
	case !forks && first == 0:
		before = o.TeamOfOne.Cycles
	case forks:
		if first == 0 {
			before = o.Fork.Cycles
		}
		if after = o.Barrier.Cycles; last == len(all)-1 {
			after = o.Join.Cycles
		}
	}
	return before * r.s.factor[processor], after * r.s.factor[processor]
}

func (r *reference) section(w *coroutine, s *sectionRun, active int) {
	r.log = append(r.log, occurrence{true, r.now, w.number, s.id})
	for _, p := range s.parts {
		if p.nested != nil {
			r.region(w, p.nested, active)
			continue
		}
		r.work(w, &part{work: p.work, touches: p.touches})
		r.log = append(r.log, occurrence{false, r.now, w.number, s.id})
	}
}

// serial returns what each piece of work takes on the serial processor.
func (r *reference) serial(parts []part) []float64 {
	var all []float64
	for _, p := range parts {
		switch {
		case p.nested != nil:
			all = append(all, r.serial(p.nested.parts)...)
		case p.work != nil:
			all = append(all, float64(p.work[r.s.meter[r.s.m.Serial]])*r.s.scale[r.s.m.Serial])
		default:
			for _, s := range p.sections {
				all = append(all, r.serial(s.parts)...)
			}
			if p.between != nil {
				all = append(all, r.serial([]part{{work: p.between}})...)
			}
		}
	}
	return all
}

// longest returns the length of the critical path: every share finds its processor free.
func (r *reference) longest(x *regionRun, processor, active int) float64 {
	rm := &r.s.m.Regions[x.region]
	inline := active > 0 && !rm.Explicit
	sum := 0.0
	for at := 0; at < len(x.parts); at++ {
		p := x.parts[at]
		if p.sections == nil {
			sum += r.longestOf([]part{p}, processor, active)
			continue
		}
		end := at + 1
		if !inline {
			end = r.waitsBehind(x, at)
		}
		shares, inside := map[int]float64{}, active
		if !inline && r.spread(x.region, processor) {
			inside = 1
		}
		for _, p := range x.parts[at:end] {
			for _, s := range p.sections {
				o := processor
				if !inline {
					o = rm.Proc[p.construct][s.index]
				}
				shares[o] += r.longestOf(s.parts, o, inside)
			}
			for _, u := range [][]uint64{p.work, p.between} {
				if u != nil {
					sum += r.longestOf([]part{{work: u}}, processor, active)
				}
			}
		}
		_, mine := shares[processor]
		most := 0.0
		if !inline {
			before, after := r.toll(x.region, p.construct, processor, len(shares) > 1 || !mine)
			sum += before + after
		}
		for o, time := range shares {
			if len(shares) > 1 || !mine {
				time += r.s.create[o] + r.s.sync[o]
			}
			most = max(most, time)
		}
		sum += most
		at = end - 1
	}
	return sum
}

func (r *reference) longestOf(parts []part, processor, active int) float64 {
	sum := 0.0
	for _, p := range parts {
		if p.nested != nil {
			sum += r.longest(p.nested, processor, active)
		} else {
			sum += float64(p.work[r.s.meter[processor]]) * r.s.scale[processor]
		}
	}
	return sum
}
