package replay_test

// This file holds estimates of tasks that recursions make to replay, where they and serial code call the same function.

import (
	"testing"

	"pathspan/testdata/programs"
)

// TestDeepTasksWithMemory: most misses are those of serial code, and all calls of the function that makes them but one are
// tasks'. No section makes these tasks by its own code.
func TestDeepTasksWithMemory(t *testing.T) {
	if _, worst := of(t, "testdata/deeptasks.c").estimatedOn(t, programs.Run{}, []int{8, 32}, someOfFour, ""); worst > 0.03 {
		t.Errorf("estimates are up to %.2g%% off", 100*worst)
	}
}
