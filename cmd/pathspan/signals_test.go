//go:build linux

package main

// This file tests how signals end pathspan: with which status, and that no folder stays.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pathspan/build/toolchain"
)

// signalled starts pathspan in an empty folder, whose TMPDIR is a folder of its own, and
// sends it a signal when ready says so.
func signalled(t *testing.T, by syscall.Signal, env []string, ready func(tmp string) bool, args ...string) (status syscall.WaitStatus, tmp, stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The program of the scripts: TestMain runs pathspan under this name.
	link := filepath.Join(t.TempDir(), "pathspan")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	tmp = t.TempDir()
	cmd := exec.Command(link, args...)
	cmd.Env = append(append(os.Environ(), "TMPDIR="+tmp), env...)
	cmd.Dir = t.TempDir()
	var text bytes.Buffer
	cmd.Stderr = &text
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()
	sent := false
	for tick := time.Tick(5 * time.Millisecond); ; {
		select {
		case err := <-waited:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if !sent {
				t.Fatalf("it ended before it could be signalled: %v\n%s", err, &text)
			}
			return cmd.ProcessState.Sys().(syscall.WaitStatus), tmp, text.String()
		case <-tick:
			if !sent && ready(tmp) {
				sent = true
				if err := cmd.Process.Signal(by); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// slowCompiler makes a compiler that waits for something, once it is asked to compile.
func slowCompiler(t *testing.T) (env string) {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, tool := range map[string]string{"opt": tc.Opt, "llvm-link": tc.Link, "real-clang": tc.Clang} {
		if err := os.Symlink(tool, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	script := "#!/bin/sh\ncase \"$*\" in *slow.c*) ;; *) exec " + filepath.Join(dir, "real-clang") + " \"$@\" ;; esac\necho > \"$TMPDIR/compiles\"\nexec sleep 600\n"
	clang := filepath.Join(dir, fmt.Sprintf("clang-%d", tc.Version))
	if err := os.WriteFile(clang, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return toolchain.EnvClang + "=" + clang
}

func left(t *testing.T, tmp string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(tmp)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "compiles" {
			names = append(names, e.Name())
		}
	}
	return names
}

// compiles tells that the slow compiler was called.
func compiles(tmp string) bool {
	_, err := os.Stat(filepath.Join(tmp, "compiles"))
	return err == nil
}

func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles")
	}
	// Who runs the tests behind & or nohup has them ignore signals, and so would what they start.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGHUP)
	defer signal.Stop(caught)
	env := slowCompiler(t)
	source := filepath.Join(t.TempDir(), "slow.c")
	if err := os.WriteFile(source, []byte("int main(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, by := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		// As a compiler pathspan ends as clang does: by the signal, without a word.
		for _, args := range [][]string{{"cc", "-c", source}, {"cc", source}} {
			status, tmp, stderr := signalled(t, by, []string{env, "XDG_CACHE_HOME=" + cacheHome(t)}, compiles, args...)
			if !status.Signaled() || status.Signal() != by || stderr != "" {
				t.Errorf("%q, %v: status %#x, %q", args, by, status, stderr)
			}
			if names := left(t, tmp); names != nil {
				t.Errorf("%q, %v: %q are left", args, by, names)
			}
		}
		for _, args := range [][]string{{"profile", source}, {"replay", source}, {"measure", source}} {
			status, tmp, stderr := signalled(t, by, []string{env, "XDG_CACHE_HOME=" + cacheHome(t)}, compiles, args...)
			if !status.Exited() || status.ExitStatus() != 128+int(by) || !strings.Contains(stderr, "stopped by a signal") || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%q, %v: status %#x, %q", args, by, status, stderr)
			}
			if names := left(t, tmp); names != nil {
				t.Errorf("%q, %v: %q are left", args, by, names)
			}
		}
	}
	// Doctor has nothing to say when it is interrupted.
	status, tmp, _ := signalled(t, syscall.SIGTERM, nil, func(tmp string) bool { return left(t, tmp) != nil }, "doctor")
	if !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("doctor: status %#x", status)
	}
	if names := left(t, tmp); names != nil {
		t.Errorf("doctor: %q are left", names)
	}
}
