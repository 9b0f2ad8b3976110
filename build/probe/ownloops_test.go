package probe

// This file tests which kinds of work say all that a loop does.

import "testing"

func TestIndependentKinds(t *testing.T) {
	back := ^uint64(0) // -1
	for _, c := range []struct {
		what    string
		vectors [][]uint64
		want    uint32
	}{
		{"nothing is added", nil, 0},
		{"one chord", [][]uint64{{0, 2, 3}}, 0b010},
		{"multiples of one", [][]uint64{{1, 2, 3}, {3, 6, 9}, {back, back - 1, back - 2}}, 0b001},
		{"two of three", [][]uint64{{1, 2, 3}, {1, 2, 4}}, 0b101},
		{"whose sum is a third", [][]uint64{{1, 0, 1}, {0, 1, 1}, {1, 1, 2}}, 0b011},
		{"all", [][]uint64{{0, 0, 5}, {0, 7, 1}, {1, 1, 1}}, 0b111},
		{"not a multiple by one", [][]uint64{{3, 5, 7}, {6, 10, 15}}, 0b101},
	} {
		if got := independent(c.vectors, 3); got != c.want {
			t.Errorf("%s: %03b, want %03b", c.what, got, c.want)
		}
	}
}
