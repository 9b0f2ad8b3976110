package profile

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pathspan/ir"
)

// Edges are as often taken as one counts who walks, and a loop is regular that makes the same few iterations each time.
func TestRunsAreWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, steady := range []int{0, 3, fewIterations, fewIterations + 2} {
		want := make([][]uint64, 6)
		for i, b := range twoWays().Blocks {
			want[i] = make([]uint64, len(b.Succs))
		}
		var entries [][]int
		most := 0
		for range 50 {
			n := steady
			if steady == 0 {
				n = 1 + r.IntN(9)
			}
			ways := make([]int, n)
			want[0][0]++
			for k := range ways {
				ways[k] = 2 + r.IntN(2)
				want[1][ways[k]-2]++
				want[ways[k]][0]++
				if k < n-1 {
					want[4][0]++
				}
			}
			want[4][1]++
			entries, most = append(entries, ways), max(most, n)
		}
		p := played(entries)
		p.Levels[1].MaxTrips, p.Levels[1].MaxKnown = uint64(most-1), true // times round it
		runs := (&Bundle{Program: &ir.Program{Funcs: []*ir.Func{twoWays(), twoWays()}}, Funcs: []*FuncProfile{p, nil}}).Runs()
		if !reflect.DeepEqual(runs.Edges[0], want) || runs.Edges[1] != nil || runs.Entries[0] != 50 {
			t.Errorf("%v entries of %v, walked %v", runs.Edges, runs.Entries, want)
		}
		if regular := steady > 0 && steady-1 <= fewIterations; runs.Regular[0][4] != regular || runs.Regular[0][1] {
			t.Errorf("%d iterations: regular %v", steady, runs.Regular[0])
		}
	}
}
