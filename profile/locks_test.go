package profile

import (
	"testing"

	"pathspan/ir"
)

// TestLocksOfEarlierBundles: the numbers of locks in bundles that tell fewer of an array apart
// stand for the same locks, and the last for all others.
func TestLocksOfEarlierBundles(t *testing.T) {
	for _, c := range []struct{ construct, of, want int }{
		{0, 0, 0}, {62, 0, 62}, {63, 0, ir.LocksOfOne - 1}, {64, 0, ir.LocksOfOne}, {64*3 + 5, 0, 3*ir.LocksOfOne + 5},
		{64*3 + 5, 64, 3*ir.LocksOfOne + 5}, {17, 16, ir.LocksOfOne + 1}, {5000, ir.LocksOfOne, 5000}, {64, 1 << 30, ir.LocksOfOne},
	} {
		if got := lockOf(c.construct, c.of); got != c.want {
			t.Errorf("lock %d of %d: %d, want %d", c.construct, c.of, got, c.want)
		}
	}
}
