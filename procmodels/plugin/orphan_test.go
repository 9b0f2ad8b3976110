package plugin

// This file kills the host, or the supervisor, and looks for what stays.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pathspan/procmodels"
)

// wrapped returns a script that starts a plugin in a way of its own and waits for it.
func wrapped(t *testing.T, plugin, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wrapper.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+strings.ReplaceAll(script, "PLUGIN", "'"+plugin+"'")+"\nexit $?\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// wrappers are ways in which scripts start a program.
var wrappers = map[string]string{
	"script":          "PLUGIN",
	"own session":     "setsid -w PLUGIN",
	"two scripts":     "sh -c 'PLUGIN; exit $?'",
	"in background":   "PLUGIN & wait $!",
	"left by its own": "(setsid sh -c 'PLUGIN; exit $?' &) ; sleep 1000",
}

// startHost starts a host whose plugin hangs in the middle of the exchange.
func startHost(t *testing.T, plugin string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), testHostVariable+"="+plugin)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// waitForQuestion waits until the plugin is in the middle of the exchange.
func waitForQuestion(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(patience); len(notes(t, "asked")) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the plugin was never asked for costs")
		}
	}
}

func TestKilledHostLeavesNoProcess(t *testing.T) {
	path := as(t, "hangs")
	programs := map[string]string{"program": path}
	for name, script := range wrappers {
		programs[name] = wrapped(t, path, script)
	}
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			as(t, "hangs")
			host := startHost(t, program)
			waitForQuestion(t)
			if all, err := ofThisTest(); err != nil || len(all) < 3+othersStarted { // host, supervisor, plugin
				t.Fatalf("of host, supervisor, plugin and what it started run %q (%v)", all, err)
			}
			if err := host.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = host.Wait()
			wantNoProcess(t, 1+othersStarted)
		})
	}
}

// TestHostKilledAtAnyTime kills hosts while they start their plugin: before, during and
// after each step, as it happens to fall.
func TestHostKilledAtAnyTime(t *testing.T) {
	path := as(t, "hangs")
	program := wrapped(t, path, wrappers["script"])
	const moments = 12
	for i := range moments {
		as(t, "hangs")
		host := startHost(t, program)
		time.Sleep(time.Duration(i) * 5 * time.Millisecond)
		if err := host.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = host.Wait()
		wantNone(t, "processes", ofThisTest)
	}
}

// TestKilledSupervisor kills the process that would have ended the plugin: Linux does.
func TestKilledSupervisor(t *testing.T) {
	path := as(t, "hangs")
	ended := make(chan error)
	go func() {
		_, err := openAndPrice(t.Context(), path, &procmodels.Subject{Program: program(4)})
		ended <- err
	}()
	waitForQuestion(t)
	all, err := ofThisTest()
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range all {
		if pid, command, _ := strings.Cut(process, " "); strings.HasPrefix(command, supervisorName) {
			n, err := strconv.Atoi(pid)
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(n, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	wantLine(t, <-ended, "it crashed: its supervisor was ended (signal: killed)")
	// What the plugin had started has no parent left that would know of it.
	for _, pid := range notes(t, "processes") {
		if n, err := strconv.Atoi(pid); err == nil {
			_ = syscall.Kill(n, syscall.SIGKILL)
		}
	}
	wantNoProcess(t, 1+othersStarted)
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
	wantNoProcess(t, 2+2*othersStarted)
}
