package toolchain

// This file holds that the commands work, and that the script which installs says the same.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// link makes a folder of some of the programs on PATH the whole PATH.
func link(t *testing.T, programs ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// TestInstallCommand runs the command with programs in the place of apt-get, sudo and su
// that note how they were called.
func TestInstallCommand(t *testing.T) {
	for _, c := range []struct {
		user int
		sudo bool
	}{{0, false}, {0, true}, {1000, true}, {1000, false}} {
		link(t, "sh", "bash")
		dir := os.Getenv("PATH")
		log := filepath.Join(t.TempDir(), "log")
		note := func(name, script string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		note("apt-get", `echo "apt-get $*" >> `+log)
		note("id", fmt.Sprint("echo ", c.user))
		note("su", `[ "$1" = -c ] && sh -c "$2"`)
		if c.sudo {
			note("sudo", `"$@"`)
		}
		line := installCommand(c.user, []string{"one", "two"})
		if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil || c.user != 0 && !strings.HasPrefix(line, "su") {
			t.Errorf("%s: %v: %s", line, err, out)
		}
		got, err := os.ReadFile(log)
		if want := "apt-get update\napt-get install -y --no-install-recommends one two\n"; err != nil || string(got) != want {
			t.Errorf("it ran %q (%v), want %q", got, err, want)
		}

		script, err := filepath.Abs("../../scripts/deps.sh")
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("bash", script, "missing").Output() // cmake is, on this PATH
		packages, command, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(string(out), "missing ")), "; install with: ")
		if want := installCommand(c.user, strings.Fields(packages)); err != nil || !ok || command != want || !strings.Contains(packages, "cmake") {
			t.Errorf("the script says %q (%v), want the command %q", out, err, want)
		}
	}
}
