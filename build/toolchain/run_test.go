package toolchain

// This file tests how a tool's failure is told, without LLVM.

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestSummary(t *testing.T) {
	for _, c := range []struct{ name, stderr, want string }{
		{"nothing", "\n\n", ""},
		{"compiler", "a.c:1:2: warning: w\nint x\n ^\na.c:3:4: error: e\na.c:9:9: fatal error: f\n2 errors generated.\n",
			"a.c:3:4: error: e (and 1 more)"},
		{"driver", "clang: error: no such file or directory: 'x.c'\nclang: error: no input files\n",
			"no such file or directory: 'x.c' (and 1 more)"},
		{"opt", "opt-14: g.ll:1:8: error: expected type\ndefine x\n       ^\n", "g.ll:1:8: error: expected type"},
		{"link", "error: Linking globals named 'f': symbol multiply defined!\n", "Linking globals named 'f': symbol multiply defined!"},
		{"linker", "/usr/bin/ld: /tmp/a.o: in function `main':\n/tmp/a.c:5: undefined reference to `f'\n" +
			"clang: error: linker command failed with exit code 1 (use -v to see invocation)\n",
			"/tmp/a.c:5: undefined reference to `f'"},
		{"plain", "opt-19: unknown pass name 'nopass'\n", "unknown pass name 'nopass'"},
		{"in a path", "/tmp/error: x/a.c:1:1: note: n\n", "/tmp/error: x/a.c:1:1: note: n"},
	} {
		if got := summary(c.stderr); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func shell(t *testing.T, ctx context.Context, script string) (string, error) {
	t.Helper()
	return new(Toolchain).Run(ctx, Cmd{Path: "/bin/sh", Args: []string{"-c", script}})
}

func TestRun(t *testing.T) {
	ctx := context.Background()
	if stderr, err := shell(t, ctx, "echo careful >&2"); err != nil || stderr != "careful\n" {
		t.Errorf("got %q, %v", stderr, err)
	}
	var out bytes.Buffer
	dir := t.TempDir()
	_, err := new(Toolchain).Run(ctx, Cmd{Path: "/bin/sh", Args: []string{"-c", `echo "$V"; pwd`},
		Env: []string{"V=seven"}, Dir: dir, Stdout: &out})
	if err != nil || out.String() != "seven\n"+dir+"\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}

	var failed *Error
	_, err = shell(t, ctx, "exit 7")
	wantError(t, err, "sh failed with exit status 7 and no message")
	if !errors.As(err, &failed) || failed.Exit != 7 {
		t.Errorf("got %#v", err)
	}
	_, err = shell(t, ctx, "kill -SEGV $$")
	wantError(t, err, "sh crashed (segmentation fault)", "by hand: sh -c 'kill -SEGV $$'")
	_, err = new(Toolchain).Run(ctx, Cmd{Path: "/nowhere/opt"})
	wantError(t, err, "opt cannot be run", "no such file")
	_, err = new(Toolchain).Run(ctx, Cmd{Path: "/bin/sh", Dir: "/nowhere"})
	wantError(t, err, "sh cannot be run", "no such file")
}

func TestRunIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	started := filepath.Join(t.TempDir(), "started")
	go func() {
		for _, err := os.Stat(started); err != nil; _, err = os.Stat(started) {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	// The grandchild keeps standard error open after the shell is killed.
	_, err := shell(t, ctx, "sleep 1000 & echo $! > "+started+".new; mv "+started+".new "+started+"; sleep 1000")
	wantError(t, err, "sh was stopped")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not wrap the context's error", err)
	}
	text, err := os.ReadFile(started)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("the grandchild was waited for: %v", err)
	}
}

func TestQuote(t *testing.T) {
	e := &Error{Tool: "clang", Args: []string{"-DX=1", "", "a b", "it's", "-passes=f(g)"}}
	if got, want := e.CommandLine(), `clang -DX=1 '' 'a b' 'it'\''s' '-passes=f(g)'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
