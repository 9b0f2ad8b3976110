package profile

import (
	"math"
	"math/rand/v2"
	"testing"

	"pathspan/ir"
	"pathspan/pathprof"
)

// twoWays is a function whose loop goes one of two ways and back, or out.
//
//	0 entry, 1 head, 2 and 3 the ways, 4 last, 5 end
func twoWays() *ir.Func {
	f := &ir.Func{}
	for i, succs := range [][]int{{1}, {2, 3}, {4}, {4}, {1, 5}, nil} {
		f.Blocks = append(f.Blocks, &ir.Block{Index: i, Succs: succs})
	}
	return f
}

// played makes a profile of twoWays from what its loop did each time that it was entered: the ways it took.
func played(entries [][]int) *FuncProfile {
	p := &FuncProfile{Levels: []LevelProfile{{Loop: -1}, {Loop: 0}}}
	add := func(l *LevelProfile, end pathprof.SinkKind, edge int, steps ...pathprof.Step) {
		for i := range l.Paths {
			if q := &l.Paths[i]; q.Steps[len(q.Steps)-2] == steps[len(steps)-2] && q.Steps[len(q.Steps)-3] == steps[len(steps)-3] {
				q.Count++
				return
			}
		}
		l.Paths = append(l.Paths, Path{End: end, Count: 1, Edge: edge, Steps: steps})
	}
	for _, ways := range entries {
		for _, w := range ways[:len(ways)-1] {
			add(&p.Levels[1], pathprof.EndIteration, 0, 1, pathprof.Step(w), 4)
		}
		add(&p.Levels[0], pathprof.EndFunction, -1, 0, pathprof.LoopStep(0), 1, pathprof.Step(ways[len(ways)-1]), 4, 5)
	}
	return p
}

// A predictor of two-bit counters, one for each branch and way that led to it from the head of the loop,
// run over what a program does by chance, is wrong as often as the paths say that it is.
func TestMistakenIsWhatCountersDo(t *testing.T) {
	for _, chance := range []float64{0.02, 0.2, 0.5, 0.7, 0.95} {
		r := rand.New(rand.NewPCG(7, 8))
		var entries [][]int
		type counter map[int]int // by what led there
		head, last := counter{}, counter{}
		wrong, taken := [2][2]float64{}, [2][2]float64{} // of head and last, by way
		step := func(c counter, key, at, way int) {
			if (c[key] >= 2) != (way == 0) {
				wrong[at][way]++
			}
			taken[at][way]++
			c[key] = min(max(c[key]+1-2*way, 0), 3)
		}
		for range 20000 {
			var ways []int
			for leave := false; !leave; {
				w := 0
				if r.Float64() < chance {
					w = 1
				}
				leave = r.Float64() < []float64{0.02, 0.4}[w] // the way tells when it ends
				step(head, 0, 0, w)
				out := 0
				if leave {
					out = 1
				}
				step(last, w, 1, out)
				ways = append(ways, 2+w)
			}
			entries = append(entries, ways)
		}
		got := mistaken(twoWays(), played(entries), 3)
		for at, block := range []int{1, 4} {
			for way := range 2 {
				if want := wrong[at][way] / taken[at][way]; math.Abs(got[block][way]-want) > 0.02 {
					t.Errorf("chance %g: way %d out of block %d is mistaken in %.3f, counters are in %.3f", chance, way, block, got[block][way], want)
				}
			}
		}
	}
}

// A loop that goes round the same few times is foretold, and one that does so more often, or not the same, is left wrongly.
func TestSteadyLoopsAreForetold(t *testing.T) {
	times := func(n ...int) (list [][]int) {
		for _, n := range n {
			ways := make([]int, n)
			for i := range ways {
				ways[i] = 2
			}
			list = append(list, ways)
		}
		return list
	}
	for _, c := range []struct {
		entries [][]int
		history int
		leaving float64
	}{{times(5, 5, 5, 5), 4, 0}, {times(5, 5, 5, 5), 3, 0.94}, {times(5, 4, 5, 5), 4, 0.93}, {times(1, 1), 0, 0}} {
		if got := mistaken(twoWays(), played(c.entries), c.history)[4][1]; math.Abs(got-c.leaving) > 0.01 {
			t.Errorf("%d loops, of which one goes round %d times, %d remembered: leaving is mistaken in %.3f, want %.2f", len(c.entries), len(c.entries[0]), c.history, got, c.leaving)
		}
	}
}
