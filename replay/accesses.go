package replay

// This file plays what the program reads and writes: each access goes through the caches of the
// processor that executes it under the mapping.

import (
	"errors"

	"pathspan/mapping/loops"
)

// errRemote and errLocal are the errors of platforms whose processors work on memories of their own.
var (
	errRemote = errors.New("accesses of some of its processors cross the interconnect (copies: none), and replay knows copies alone")
	errLocal  = errors.New("some of its processors work on local memories, and what is copied is simulated where it is known beforehand who executes what: not with locks, chunks that threads take as they come, regions that compete, and tasks, unless all are stages of pipelines and no section or loop is spread")
)

// Through has accesses go through memory, on the way of the mapping and, for sequential times,
// as if the serial processor executed all. Programs must tell of them.
func (s *Simulator) Through(m *Memory) error {
	switch order := s.needsOrder(); {
	case m.Remote:
		return errRemote
	case m.Local != nil && order && !allStages(s.prog):
		return errLocal
	case m.Local != nil && order:
		s.tokens = &tokens{pages: map[uint64]*[256]held{}}
		s.inOrder()
	case m.Local != nil:
		s.copies = newCopies(m)
	default:
		s.inOrder()
	}
	var err error
	if s.caches, err = newCaches(m, len(s.scale), s.m.Serial); err == nil {
		s.alone, err = newCaches(m, len(s.scale), s.m.Serial)
	}
	if err == nil && s.timed.on {
		s.caches.inTime()
	}
	return err
}

// accesses acts on an event that tells of some.
func (s *Simulator) accesses(words []uint64) {
	if s.caches == nil {
		return
	}
	for _, word := range words {
		if word == 0 {
			return
		}
		s.access(word)
	}
}

func (s *Simulator) access(word uint64) {
	serial, _ := s.alone.told(s.m.Serial, word, s.factor)
	if s.on {
		s.sequential += serial
	}
	n := len(s.frames)
	if n > 0 {
		s.frames[n-1].serial += serial
	}
	if s.timed.on && s.outermost >= 0 {
		s.timed.waited += serial
		if s.timed.must {
			return // until the region has ended
		}
	}
	p, in, thread := s.executes()
	if in != nil && in.run.at == 0 && in.run.n > 1 && len(in.untold) < mostUntold {
		in.untold = append(in.untold, word)
		return
	}
	s.play(p, in, thread, word)
}

// play sends an access through the caches of a processor, for a thread of a loop where that is shared.
func (s *Simulator) play(p int, in *frame, thread int, word uint64) {
	n := len(s.frames)
	waits, far := s.caches.told(p, word, s.factor)
	if s.tokens != nil {
		waits += s.fetchOutside(word)
	}
	if s.copies != nil {
		s.copiesOf(s.copier(in, thread), word)
	}
	switch {
	case !s.on:
		return
	case n == 0:
		s.parallel += waits
		return
	case in != nil:
		in.waits[thread] += waits
	default:
		s.frames[n-1].elapsed += waits
	}
	s.frames[n-1].far += far
}

// playUntold plays the accesses of a loop that told of no iteration.
func (s *Simulator) playUntold(f *frame) {
	proc := s.m.Regions[f.region].Proc[f.construct]
	for _, r := range spread(f.untold, float64(f.run.n)) {
		for i, word := range r.words {
			thread := f.owns(r.of[i])
			s.play(proc[thread], f, thread, word)
		}
	}
	f.untold = f.untold[:0]
}

// sideBySide is accesses that lie side by side in memory, none longer than a line, and which iterations they are of, in their order.
type sideBySide struct {
	words []uint64
	of    []int64
}

// spread is for loops of which the optimiser left none but a call that copies or fills what all iterations would, so many of
// them: what lies side by side is of iterations in their order.
func spread(words []uint64, iterations float64) (out []sideBySide) {
	ends := func(word uint64) uint64 { return word + word>>48&(1<<14-1) + 1 }
	for len(words) > 0 {
		n, all := 1, float64(words[0]>>48&(1<<14-1)+1)
		for ; n < len(words) && ends(words[n-1])<<16 == words[n]<<16 && words[n-1]>>62 == words[n]>>62; n++ {
			all += float64(words[n]>>48&(1<<14-1) + 1)
		}
		var r sideBySide
		at := 0.0
		for _, word := range words[:n] {
			for address, end := word&(1<<48-1), ends(word)&(1<<48-1); address < end; {
				next := min(end, address/longestLine*longestLine+longestLine)
				r.words, r.of = append(r.words, word>>62<<62|(next-address-1)<<48|address), append(r.of, int64(at/all*iterations))
				at, address = at+float64(next-address), next
			}
		}
		out, words = append(out, r), words[n:]
	}
	return out
}

// longestLine is the bytes of the longest lines.
const longestLine = 64

// executes tells the processor that is at work, and of iterations that threads share the frame
// of the loop and the thread.
func (s *Simulator) executes() (processor int, in *frame, thread int) {
	n := len(s.frames)
	if n == 0 {
		return s.m.Serial, nil, 0
	}
	if f := &s.frames[n-1]; !f.shared {
		return s.processor(f.at), nil, 0
	}
	for n--; s.frames[n].run == nil; n-- {
	}
	f := &s.frames[n]
	l := s.loop(f.region, f.construct)
	if len(f.waits) == 0 {
		f.waits = append(f.waits, make([]float64, l.Threads)...)
		f.owns = ownersOf(f.run, l.Schedule, l.Computed, l.Shares, l.Threads)
	}
	thread = f.owns(int64(f.run.at - min(f.run.at, f.run.last)))
	return s.m.Regions[f.region].Proc[f.construct][thread], f, thread
}

// ownersOf returns which thread executes an iteration of a loop under way.
func ownersOf(run *loopRun, s loops.Schedule, computed bool, shares []float64, threads int) func(i int64) int {
	n := max(1, int64(run.n))
	if computed && s.Kind != loops.Auto {
		s.Chunk = int64(run.chunk)
	}
	all := make([]loops.Share, threads)
	if shares != nil {
		for t, c := range loops.Weighted(n, shares) {
			all[t] = loops.Share{Begin: c.Begin, Length: max(1, c.Len()), Step: max(1, c.Len()), End: c.End}
		}
	} else {
		for t := range all {
			all[t] = s.Share(n, threads, t)
		}
	}
	last := 0
	return func(i int64) int {
		i = min(i, n-1)
		for t := range all {
			at := (last + t) % threads
			if o := &all[at]; i >= o.Begin && i < o.End && (i-o.Begin)%o.Step < o.Length {
				last = at
				return at
			}
		}
		return last
	}
}
