package replay

// This file plays what stages of pipelines copy between memories of their own. What an execution of a stage reads, and who wrote
// that, is found in the order of the program, piece by piece, when the region has ended; from which memory that is copied is known when the
// execution begins. It copies before all else, from one memory after the other. What code outside of stages reads of theirs,
// whenever that is, it copies then.

import (
	"container/heap"
	"math"
	"slices"

	"pathspan/ir"
)

// stageRun is an execution of a stage. Its processor is -1 until it begins.
type stageRun struct {
	task, processor int
	of              *tokenRegion
	reads           []readToken
}

// readToken is what one reads of another's, nil for what is outside of stages.
type readToken struct {
	of    *stageRun
	bytes float64
}

// tokenRegion is an execution of a region, with the stages and processors of which code outside has copied something.
type tokenRegion struct{ fetched [][2]int }

// held is what is known of a piece of memory.
type held struct {
	by    *stageRun // that wrote it last
	fresh bool      // code outside of stages has not read it since
}

// tokens is what stages leave in memory under a mapping.
type tokens struct {
	pages map[uint64]*[256]held
	runs  map[int32]*stageRun // of the region at hand, by the event that begins them
	back  []readToken         // what code outside of its stages reads
}

// allStages reports whether all tasks of a program are stages, each made by a region that does nothing else, and nothing
// else is played in the order of time.
func allStages(p *ir.Program) bool {
	for i := range p.Regions {
		for c := range p.Regions[i].Constructs {
			if x := &p.Regions[i].Constructs[c]; x.Loop != nil || len(x.Sections) > 1 {
				return false
			}
		}
	}
	for t := range p.Tasks {
		if at, _ := p.StageOf(t); at < 0 {
			return false
		}
	}
	return p.HasTasks() && !p.HasLocks() && !regionsNest(p)
}

// touch takes note of an access by an execution of a stage that has read so much already, nil for what is outside, and visits
// what it reads of others.
func (k *tokens) touch(by *stageRun, seen map[uint64]struct{}, word uint64, reads func(of *stageRun)) {
	if word&ownStack != 0 {
		return
	}
	first := word & (1<<48 - 1) / pieceBytes
	last := (word&(1<<48-1) + word>>48&(1<<14-1)) / pieceBytes
	for at := first; at <= last; at++ {
		page := k.pages[at>>8]
		if page == nil {
			page = new([256]held)
			k.pages[at>>8] = page
		}
		h := &page[at&255]
		switch writes := word>>63 != 0; {
		case writes:
			if h.by, h.fresh = by, true; by != nil {
				seen[at] = struct{}{}
			}
		case by == nil:
			if h.by != nil && h.fresh {
				reads(h.by)
			}
			h.fresh = false
		default:
			if _, had := seen[at]; had {
				continue
			}
			if seen[at] = struct{}{}; h.by == nil || h.by.task != by.task {
				reads(h.by)
			}
		}
	}
}

// follow finds what the stages of a region read that has ended.
func (k *tokens) follow(t *tape, begin int32) {
	k.runs, k.back = map[int32]*stageRun{}, k.back[:0]
	of := &tokenRegion{}
	var now *stageRun
	var seen map[uint64]struct{}
	for e := begin + 1; int(e) < len(t.events); e++ {
		for _, word := range t.between(e-1, e) {
			k.touch(now, seen, word, func(by *stageRun) {
				list := &k.back
				if now != nil {
					list = &now.reads
				}
				at := slices.IndexFunc(*list, func(x readToken) bool { return x.of == by })
				if at < 0 {
					at = len(*list)
					*list = append(*list, readToken{of: by})
				}
				(*list)[at].bytes += pieceBytes
			})
		}
		switch t.kind(e) {
		case ir.TaskBegin:
			now, seen = &stageRun{task: t.construct(e), processor: -1, of: of}, map[uint64]struct{}{}
			k.runs[e] = now
		case ir.TaskEnd:
			now = nil
		}
	}
}

// fetch is what code outside of stages waits on a processor for bytes that one left in its memory: the first of a
// stage on one processor in a region bring the latency with them.
func (s *Simulator) fetch(by *stageRun, bytes float64, met int) float64 {
	if by.processor < 0 {
		return 0
	}
	way := &s.caches.of.Ways[by.processor][met]
	if len(way.Links) == 0 {
		return 0
	}
	rate, waits := math.Inf(1), 0.0
	for _, l := range way.Links {
		rate = min(rate, s.caches.of.Links[l])
	}
	if pair := [2]int{by.task, by.processor}; !slices.Contains(by.of.fetched, pair) {
		by.of.fetched = append(by.of.fetched, pair)
		waits = way.Latency
	}
	return waits + bytes/rate
}

// fetchOutside is what an access outside of regions waits for what stages left elsewhere.
func (s *Simulator) fetchOutside(word uint64) (waits float64) {
	s.tokens.touch(nil, nil, word, func(by *stageRun) { waits += s.fetch(by, pieceBytes, s.m.Serial) })
	return waits
}

// fetchBack is the same of all that the code between a region's stages read.
func (s *Simulator) fetchBack(met int) (waits float64) {
	for _, x := range s.tokens.back {
		waits += s.fetch(x.of, x.bytes, met)
	}
	return waits
}

// copiesOfStage finds what the execution of a stage copies that a worker begins.
func (p *taskPlay) copiesOfStage(w *taskWorker, begin int32) (out []transfer) {
	if p.s.tokens == nil || p.s.tokens.runs[begin] == nil {
		return nil
	}
	me := p.s.tokens.runs[begin]
	me.processor = w.processor
	var from [][2]int // stage and processor
	for _, r := range me.reads {
		stage, at := -1, p.s.m.Serial
		if r.of != nil {
			if stage, at = r.of.task, r.of.processor; at < 0 {
				continue // the plan does not have it wait
			}
		}
		k := slices.Index(from, [2]int{stage, at})
		if k < 0 {
			k, from, out = len(from), append(from, [2]int{stage, at}), append(out, transfer{})
		}
		way := &p.s.caches.of.Ways[at][w.processor]
		out[k].latency, out[k].links = way.Latency, way.Links
		out[k].bytes += r.bytes
	}
	return slices.DeleteFunc(out, func(x transfer) bool { return len(x.links) == 0 })
}

// copy goes on with what the strand of a worker copies.
func (p *taskPlay) copy(w *taskWorker, x *strand) {
	switch c := &x.copies[0]; {
	case w.moves != nil:
		p.advanceCopies(w.clock)
		p.moving = slices.DeleteFunc(p.moving, func(o *taskWorker) bool { return o == w })
		w.moves = nil
		x.copies = x.copies[1:]
		p.endsOfCopies()
	case c.latency > 0:
		w.clock += c.latency
		if c.latency = 0; c.links == nil { // it only waits
			x.copies = x.copies[1:]
		}
	default:
		p.advanceCopies(w.clock)
		w.moves = c
		p.moving = append(p.moving, w)
		p.endsOfCopies()
	}
}

// copyRate is how fast a worker copies among all that do.
func (p *taskPlay) copyRate(w *taskWorker) float64 {
	rate := math.Inf(1)
	for _, l := range w.moves.links {
		users := 0.0
		for _, o := range p.moving {
			if slices.Contains(o.moves.links, l) {
				users++
			}
		}
		rate = min(rate, p.s.rate(l)/users)
	}
	return rate
}

// advanceCopies moves bytes until a time.
func (p *taskPlay) advanceCopies(now float64) {
	for _, w := range p.moving {
		w.moves.bytes = max(0, w.moves.bytes-(now-p.moved)*p.copyRate(w))
	}
	p.moved = now
}

// endsOfCopies tells those that copy when they will have ended if nobody else begins or ends.
func (p *taskPlay) endsOfCopies() {
	for _, w := range p.moving {
		w.clock = p.moved + w.moves.bytes/p.copyRate(w)
	}
	heap.Init(&p.agenda)
}
