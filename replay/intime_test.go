package replay

// This file holds accesses that are played in the order of time against the reference, whose
// coroutines make them one by one, with caches that are looked through line by line.

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/build/probe"
)

// touch tells of accesses.
func (s *script) touch(words []uint64) {
	s.told = append(s.told, words...)
	for len(words) > 0 {
		binary.Write(&s.buf, binary.LittleEndian, probe.Event(probe.Accesses, 0, 0, 0))
		record := make([]uint64, s.meters)
		words = words[copy(record, words):]
		binary.Write(&s.buf, binary.LittleEndian, record)
	}
}

// touches are accesses to few lines, some of which cross from one to the next.
func (f *forest) touches() []uint64 {
	var words []uint64
	if f.lines == 0 {
		return nil
	}
	for range f.IntN(3) {
		address, size, writes := uint64(f.IntN(f.lines*64))+1<<20, uint64(1+f.IntN(20)), uint64(f.IntN(3)/2)
		words = append(words, writes<<63|(size-1)<<48|address)
	}
	return words
}

// bruteMemory is caches as lists of what each holds, with when it was used.
type bruteMemory struct {
	of   *Memory
	held [][]map[uint64]int     // by level and cache, then line: when it was used last
	come [][]map[uint64]float64 // and from when on it is there
	now  int
	free float64
}

func newBrute(of *Memory) *bruteMemory {
	m := &bruteMemory{of: of}
	for _, l := range of.Levels {
		caches := make([]map[uint64]int, len(l.Of))
		for i := range caches {
			caches[i] = map[uint64]int{}
		}
		come := make([]map[uint64]float64, len(l.Of))
		for i := range come {
			come[i] = map[uint64]float64{}
		}
		m.held, m.come = append(m.held, caches), append(m.come, come)
	}
	return m
}

// begin lets time begin anew, when all is there.
func (m *bruteMemory) begin() {
	m.free = 0
	for _, level := range m.come {
		for _, come := range level {
			clear(come)
		}
	}
}

// touch makes an access, by pieces of 16 bytes, and returns what it waits in cycles of processor 0.
func (m *bruteMemory) touch(s *Simulator, p int, word uint64, now float64) (waits float64) {
	first := word & (1<<48 - 1)
	last := first + word>>48&(1<<15-1)
	for at := first / 16; at <= last/16; at++ {
		m.now++
		served := -1
		var comes []map[uint64]float64 // to these
		for i, l := range m.of.Levels {
			line := at * 16 / uint64(l.Line)
			for c, cache := range m.held[i] {
				if c == l.Of[p] && served < 0 {
					if _, there := cache[line]; there {
						served = i
					} else {
						comes = append(comes, m.come[i][c])
					}
					cache[line] = m.now
					evict(cache, &l, line)
				} else if c != l.Of[p] && word>>63 != 0 {
					delete(cache, line)
				}
			}
		}
		if served >= 0 {
			l := &m.of.Levels[served]
			waits += max(l.Cycles[p]*s.factor[p], m.come[served][l.Of[p]][at*16/uint64(l.Line)]-now-waits)
		} else {
			begins := max(now+waits, m.free)
			m.free = begins + m.of.Occupied
			waits = begins - now + m.of.Far[p]*s.factor[p]
		}
		for _, come := range comes { // lines are as long in all levels here
			come[at*16/uint64(m.of.Levels[0].Line)] = now + waits
		}
	}
	return waits
}

// evict takes the line out that was used longest ago of a set that has too many.
func evict(cache map[uint64]int, l *Level, line uint64) {
	ways := l.Ways
	if ways == 0 {
		ways = l.Size / l.Line
	}
	sets := uint64(l.Size / l.Line / ways)
	oldest, n := line, int64(0)
	for other, used := range cache {
		if other%sets == line%sets {
			if n++; used < cache[oldest] {
				oldest = other
			}
		}
	}
	if n > ways {
		delete(cache, oldest)
	}
}

// waits returns what the accesses of trees wait on the serial processor, added up.
func (m *bruteMemory) waits(s *Simulator, trees []*regionRun) []float64 {
	sums := []float64{0}
	var visit func(parts []part)
	visit = func(parts []part) {
		for _, p := range parts {
			for i, q := range p.sections {
				if i == len(p.sections)-1 {
					visit([]part{{touches: p.touches}})
				}
				visit(q.parts)
			}
			if p.nested != nil {
				visit(p.nested.parts)
			}
			if p.sections == nil {
				for _, word := range p.touches {
					m.begin()
					sums = append(sums, sums[len(sums)-1]+m.touch(s, s.m.Serial, word, math.MaxInt32))
				}
			}
		}
	}
	for _, x := range trees {
		visit(x.parts)
	}
	return sums
}

// hierarchy is one of two levels or of one, with main memory that is busy with a line for some time.
func (f *forest) hierarchy(processors int) *Memory {
	m := &Memory{Occupied: float64(f.IntN(3) * 8000)}
	own, shared := Level{Size: 256, Line: 64, Ways: int64(f.IntN(3))}, Level{Size: 512, Line: 64, Ways: 2}
	for p := range processors {
		own.Of, own.Cycles = append(own.Of, p), append(own.Cycles, 0)
		shared.Of, shared.Cycles = append(shared.Of, p/2), append(shared.Cycles, float64(1000*(1+f.IntN(9))))
		m.Far = append(m.Far, float64(20000*(4+f.IntN(9))))
	}
	m.Levels = append(m.Levels, own)
	if f.IntN(2) == 0 {
		m.Levels = append(m.Levels, shared)
	}
	return m
}

func TestAccessesInTheOrderOfTime(t *testing.T) {
	waited, longer := 0, 0
	for seed := range uint64(300) {
		f := &forest{Rand: rand.New(rand.NewPCG(seed, 7)), depth: 1 + int(seed%3), sparse: 3, lines: 4 + int(seed%20)}
		processors := 1 + f.IntN(4)
		f.meters = 1 + f.IntN(min(2, processors))
		for range 1 + f.IntN(3) {
			var constructs []int
			for range 1 + f.IntN(3) {
				constructs = append(constructs, 1+f.IntN(4))
			}
			f.shape = append(f.shape, constructs)
		}
		plan, sims, _ := f.simulators(t, f.mapping(processors), f.mapping(processors), f.mapping(processors))
		for _, sim := range sims[1:] {
			if err := sim.Through(f.hierarchy(processors)); err != nil {
				t.Fatal(err)
			}
			sim.inOrder()
		}
		s := started(f.meters)
		var trees []*regionRun
		for range 1 + f.IntN(3) {
			x := f.region(1)
			s.write(x, make([]uint64, f.meters))
			trees = append(trees, x)
		}
		if _, err := Read(&s.ended().buf, plan, sims); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, sim := range sims {
			on := func(x *regionRun) bool { return !sim.active(x.region, sim.m.Serial) } // it stays on its processor
			if sim.caches == nil || slices.ContainsFunc(trees, on) {
				continue
			}
			waited += compare(t, fmt.Sprintf("seed %d, mapping %d", seed, i), sim, trees)
			if sim.Parallel() > sims[0].Parallel() {
				longer++
			}
		}
	}
	if waited < 100 || longer < 200 {
		t.Errorf("in only %d executions a share waited, and %d take longer", waited, longer)
	}
}

// ownAndBehind is a cache for each of two processors and 2 cycles to what lies behind it, or one for both in which a line is found
// after 20 cycles and to which it takes 100.
func ownAndBehind(shared bool) *Memory {
	m := &Memory{Levels: []Level{{Size: 512, Line: 64, Of: []int{0, 1}, Cycles: []float64{0, 0}}}, Far: []float64{2, 2}}
	if shared {
		m.Levels[0].Of, m.Levels[0].Cycles, m.Far = []int{0, 0}, []float64{20, 20}, []float64{100, 100}
	}
	return m
}

const aLine = 1 << 20

// Two sections read one line, at 5 and at 10. It is there at 105, for both.
func TestLinesOnTheirWay(t *testing.T) {
	b := free(t, 2, []int{0, 1})
	if err := b.sim.Through(ownAndBehind(true)); err != nil {
		t.Fatal(err)
	}
	s := started(1).begin(0, 0).in(0, 0)
	s.touch([]uint64{7<<48 | aLine})
	s.out(0, 0, 10).in(0, 1)
	s.touch([]uint64{7<<48 | aLine + 8})
	b.run(t, s.out(0, 1, 20).end(0, 0).ended())
	b.want(t, 30+100+20, 105+10)
}

// Two sections write to words of one line at 10, 20 and 30, and lose it to each other each time. Where that is more than can be kept they lose it
// once, as in the order of the program; and what a region took that is met inside of one is not lost.
func TestLinesGoBackAndForth(t *testing.T) {
	for _, c := range []struct {
		events, but int
		parallel    float64
	}{{1 << 16, 0, 3 * (40 + 3*2 + 1)}, {12, 3, 3 * (40 + 2 + 1)}} {
		b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 0, 0, [][]int{{0, 1}, {0, 1}}, 0)
		if err := b.sim.Through(ownAndBehind(false)); err != nil {
			t.Fatal(err)
		}
		s := started(1)
		for range 3 {
			s.begin(0, 0)
			for section := range 2 {
				s.in(0, section)
				for range 3 {
					s.touch([]uint64{1<<63 | 7<<48 | aLine + uint64(section)*8})
				}
				s.event(regionBegin, 1, 0, 0, 40).in(1, 0).out(1, 0, 1).end(1, 0).out(0, section, 0)
			}
			s.end(0, 0)
		}
		if _, err := read(&s.ended().buf, b.plan, []*Simulator{b.sim}, 16*c.events); err != nil {
			t.Fatal(err)
		}
		b.want(t, 3*82+2, c.parallel)
		if _, but := b.sim.InTime(); but != c.but || b.sim.Region(1).Count != 6 || b.sim.Region(0).Count != 3 {
			t.Errorf("%d of 3 executions had too many accesses, want %d; %d and %d executions", but, c.but, b.sim.Region(0).Count, b.sim.Region(1).Count)
		}
	}
}
