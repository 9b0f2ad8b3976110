package suggest

// This file says how far iterations of a loop differ, as far as paths know it.

import (
	"math"
	"slices"

	"pathspan/pathprof"
	"pathspan/profile"
)

// spread is how the times of a loop's iterations are spread.
type spread struct {
	mean    float64
	largest float64 // what none takes longer than
	// known says that the paths tell the time of each iteration. Else loops inside or
	// functions that are called take different times on the same path.
	known   bool
	classes []class // iterations of equal time, where it is known
}

type class struct{ time, count float64 }

// largest returns what no iteration of a loop, or no call of a function for level 0, takes
// longer than: each path with the most iterations that its loops were seen to make, and the
// longest calls. What a recursion takes at most is not known.
func (p *program) largest(f *function, l int) float64 {
	if f.most == nil {
		f.most = make([]float64, len(f.nodes))
		for i := range f.most {
			f.most[i] = -1
		}
	}
	if f.most[l] >= 0 {
		return f.most[l]
	}
	prof := &f.prof.Levels[l]
	f.most[l] = math.Inf(1) // of a recursion
	if prof.Degraded || len(prof.Cuts) > 0 {
		return f.most[l] // paths in pieces
	}
	most := 0.0
	for i := range prof.Paths {
		if path := &prof.Paths[i]; path.Count > 0 {
			most = math.Max(most, p.pathTime(f, l, path, true))
		}
	}
	f.most[l] = most
	return most
}

// pathTime is what a path of a level takes on average, or at most.
func (p *program) pathTime(f *function, l int, path *profile.Path, most bool) float64 {
	kind := p.kindOf[p.serial]
	time := 0.0
	for n, cycles := range p.e.StepCycles(p.serial, f.index, l, path) {
		time += cycles * p.clocks()
		step := path.Steps[n]
		if loop := step.Loop(); loop >= 0 {
			time += p.entryTime(f, loop+1, most)
			continue
		}
		for _, s := range f.at[int(step)] {
			x := &f.sites[s]
			each := p.e.Whole(x.callee)[kind]
			if most {
				each = p.largest(p.funcs[x.callee], 0)
			}
			if times := x.calls[kind] / f.parts.Blocks[step].Runs; times > 0 {
				time += times * each
			}
		}
	}
	return time
}

// entryTime is what the completed iterations of a loop take when it is entered.
func (p *program) entryTime(f *function, l int, most bool) float64 {
	n := &f.nodes[l]
	if n.entries == 0 {
		return 0
	}
	prof := &f.prof.Levels[l]
	trips := float64(prof.Iterations()) / (n.entries * math.Max(1, float64(f.prof.Invocations())))
	if most {
		if prof.MaxKnown {
			trips = math.Max(trips, float64(prof.MaxTrips))
		}
		if trips == 0 {
			return 0
		}
		return trips * p.largest(f, l)
	}
	if f.mean == nil {
		f.mean = slices.Repeat([]float64{-1}, len(f.nodes))
	}
	if f.mean[l] < 0 {
		time := 0.0
		for i := range prof.Paths {
			if path := &prof.Paths[i]; path.Count > 0 {
				time += float64(path.Count) * p.pathTime(f, l, path, false)
			}
		}
		f.mean[l] = time / (n.entries * math.Max(1, float64(f.prof.Invocations())))
	}
	return f.mean[l]
}

// spreadOf looks at the iterations of a loop.
func (p *program) spreadOf(f *function, l int) spread {
	s := spread{known: true}
	prof := &f.prof.Levels[l]
	total, count := 0.0, 0.0
	for i := range prof.Paths {
		path := &prof.Paths[i]
		if path.Count == 0 {
			continue
		}
		mean, most := p.pathTime(f, l, path, false), p.pathTime(f, l, path, true)
		s.known = s.known && most <= mean*(1+1e-6)
		s.largest = math.Max(s.largest, most)
		if path.End == pathprof.EndIteration {
			n := float64(path.Count)
			total, count = total+n*mean, count+n
			s.classes = append(s.classes, class{mean, n})
		}
	}
	if count > 0 {
		s.mean = total / count
	}
	if prof.Degraded || len(prof.Cuts) > 0 {
		s.known, s.largest, s.classes = false, math.Inf(1), nil
	}
	return s
}
