package replay

// This file holds copies between memories to what the list of all accesses says, and to links whose
// bytes are moved in small steps of time.

import (
	"math"
	"math/rand/v2"
	"testing"
)

// made is an access, by an execution of a section, -1 outside.
type made struct {
	run    int
	piece  uint64
	writes bool
}

// ran is an execution of a section.
type ran struct {
	execution, region, section, processor int
	units                                 uint64
}

// copied finds what an execution of a section copies, given all accesses of the program in their order.
func copied(all []made, runs []ran, which int) (in, out float64) {
	lane := func(run int) [2]int {
		if run < 0 {
			return [2]int{-1, -1}
		}
		return [2]int{runs[run].region, runs[run].section}
	}
	done, sent := map[uint64]bool{}, map[uint64]bool{}
	for i, a := range all {
		if a.run != which {
			continue
		}
		if !a.writes && !done[a.piece] {
			from := -1 // outside of sections, or nobody
			for _, b := range all[:i] {
				if b.piece == a.piece && b.writes {
					from = b.run
				}
			}
			if lane(from) != lane(which) {
				in += 16
			}
		}
		done[a.piece] = true
		if !a.writes || sent[a.piece] {
			continue
		}
		for _, b := range all[i+1:] {
			if b.piece != a.piece || !b.writes && lane(b.run) == lane(which) {
				continue
			}
			if !b.writes {
				out, sent[a.piece] = out+16, true
			}
			break
		}
	}
	return in, out
}

// TestCopiesOfRandomPrograms has sections of random accesses on processors with memories of their own and without, on a bus or on
// links of different speed.
func TestCopiesOfRandomPrograms(t *testing.T) {
	longer := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 3))
		processors := 2 + r.IntN(3)
		var proc [][]int
		for range 1 + r.IntN(3) {
			var sections []int
			for range 1 + r.IntN(4) {
				sections = append(sections, r.IntN(processors))
			}
			proc = append(proc, sections)
		}
		b := paid(t, processors, 40, 16, proc...)
		m := &Memory{Levels: []Level{{Size: 1024, Line: 64}}, Local: make([]bool, processors)}
		bus := r.IntN(2) == 0
		for p := range processors {
			m.Levels[0].Of, m.Levels[0].Cycles, m.Far = append(m.Levels[0].Of, p), append(m.Levels[0].Cycles, 0), append(m.Far, 0)
			m.Local[p] = p > 0 && (p == 1 || r.IntN(3) > 0)
			m.Links = append(m.Links, []float64{0.25, 0.5, 2}[r.IntN(3)])
		}
		for p := range processors {
			ways := make([]Way, processors)
			for q := range processors {
				switch a, c := m.Local[p], m.Local[q]; {
				case p == q || !a && !c:
				case bus:
					ways[q] = Way{[]int{0}, 24}
				case a && c:
					ways[q] = Way{[]int{p, q}, 48}
				case a:
					ways[q] = Way{[]int{p}, 24}
				default:
					ways[q] = Way{[]int{q}, 24}
				}
			}
			m.Ways = append(m.Ways, ways)
		}
		if err := b.sim.Through(m); err != nil {
			t.Fatal(err)
		}
		s := started(1)
		var all []made
		var runs []ran
		touch := func(run int) {
			for range r.IntN(12) {
				piece, writes := uint64(r.IntN(24)), uint64(r.IntN(2))
				all = append(all, made{run, piece, writes > 0})
				s.touch([]uint64{writes<<63 | 7<<48 | (piece*16 + 1<<20)})
			}
		}
		want, executions := 0.0, 2+r.IntN(6)
		for e := range executions {
			x, before := r.IntN(len(proc)), uint64(r.IntN(50))
			touch(-1)
			s.begin(x, before)
			want += float64(before)
			for i, p := range proc[x] {
				s.in(x, i)
				touch(len(runs))
				runs = append(runs, ran{e, x, i, p, uint64(r.IntN(300))})
				s.out(x, i, runs[len(runs)-1].units)
			}
			s.end(x, 0)
		}
		touch(-1)
		b.run(t, s.ended())
		for e := range executions {
			plain, takes := inSmallSteps(all, runs, e, processors, m)
			if want += takes; takes > plain+1 {
				longer++
			}
		}
		if got := b.sim.Parallel(); math.Abs(got-want) > 0.5*float64(executions) {
			t.Errorf("seed %d: it takes %g cycles, moved in small steps %g", seed, got, want)
		}
		count := uint64(0)
		for x := range proc {
			count += b.sim.Region(x).Count
		}
		if count != uint64(executions) {
			t.Errorf("seed %d: %d executions of regions, want %d", seed, count, executions)
		}
	}
	if longer < 150 {
		t.Errorf("only %d executions wait for copies", longer)
	}
}

// inSmallSteps returns what an execution takes without copies and with them.
func inSmallSteps(all []made, runs []ran, execution, processors int, m *Memory) (plain, takes float64) {
	const small = 1.0 / 32
	type phase struct {
		time, bytes float64
		links       []int
	}
	todo := make([][]phase, processors)
	spread := false
	for _, x := range runs {
		spread = spread || x.execution == execution && x.processor != 0
	}
	for p := range todo {
		var in, out phase
		works, some := 0.0, false
		for i, x := range runs {
			if x.execution != execution || x.processor != p {
				continue
			}
			some, works = true, works+float64(x.units)
			to, from := copied(all, runs, i)
			if way := m.Ways[0][p]; way.Links != nil && to > 0 {
				in = phase{in.time + way.Latency, in.bytes + to, way.Links}
			}
			if way := m.Ways[p][0]; way.Links != nil && from > 0 {
				out = phase{out.time + way.Latency, out.bytes + from, way.Links}
			}
		}
		if !some {
			continue
		}
		create, sync := 0.0, 0.0
		if spread {
			create, sync = 40, 16
		}
		plain = max(plain, create+works+sync)
		todo[p] = []phase{{time: create + in.time}, {bytes: in.bytes, links: in.links}, {time: works + out.time}, {bytes: out.bytes, links: out.links}, {time: sync}}
	}
	for step := 0; ; step++ {
		users, left := map[int]float64{}, false
		for p := range todo {
			for len(todo[p]) > 0 && todo[p][0].time <= 1e-9 && todo[p][0].bytes <= 1e-9 {
				todo[p] = todo[p][1:]
			}
			if len(todo[p]) > 0 {
				left = true
				if todo[p][0].bytes > 0 {
					for _, l := range todo[p][0].links {
						users[l]++
					}
				}
			}
		}
		if !left {
			return plain, float64(step) * small
		}
		for p := range todo {
			if len(todo[p]) == 0 {
				continue
			}
			x := &todo[p][0]
			rate := math.Inf(1)
			for _, l := range x.links {
				rate = min(rate, m.Links[l]/users[l])
			}
			if x.bytes > 0 {
				x.bytes -= rate * small
			} else {
				x.time -= small
			}
		}
	}
}
