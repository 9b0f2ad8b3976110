package replay_test

// This file holds estimates of tasks that recursions make to replay, where they and serial code call the same function.

import (
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/testdata/programs"
)

// TestDeepTasksWithMemory: most misses are those of serial code, and all calls of the function that makes them but one are
// tasks'. No section makes these tasks by its own code.
func TestDeepTasksWithMemory(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	c := &built{r: &record.Recorder{Toolchain: tc, Dir: t.TempDir()}}
	if c.b, err = c.r.Build(t.Context(), record.Options{Sources: []string{"testdata/deeptasks.c"}, Level: "2", Memory: true}); err != nil {
		t.Fatal(err)
	}
	if _, worst := c.estimatedOn(t, programs.Run{}, []int{8, 32}, someOfFour, ""); worst > 0.03 {
		t.Errorf("estimates are up to %.2g%% off", 100*worst)
	}
}
