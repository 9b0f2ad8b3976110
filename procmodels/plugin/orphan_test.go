//go:build unix

package plugin

// This file kills the host itself and looks for what stays.

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

func TestKilledHostLeavesNoProcess(t *testing.T) {
	path := as(t, "hangs")
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), testHostVariable+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for len(notes(t, "asked")) == 0 { // until the plugin is in the middle of the exchange
		if cmd.Process.Signal(syscall.Signal(0)) != nil {
			t.Fatal("the host ended by itself")
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, pid := range notes(t, "processes") {
		if !alive(pid) {
			t.Fatalf("process %s of the plugin ended too early", pid)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	wantNoProcess(t, 2)
}

// TestCleanup ends plugins that nobody closed.
func TestCleanup(t *testing.T) {
	path := as(t, "example")
	for range 2 {
		if _, err := Open(t.Context(), path, ""); err != nil {
			t.Fatal(err)
		}
	}
	Cleanup()
	wantNoProcess(t, 4)
}
