//go:build linux

package main

// This file runs pathspan on a pseudo-terminal: what it shows there and leaves behind,
// and that nothing of it appears elsewhere.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"pathspan/build/toolchain"
)

// pseudoTerminal opens a terminal of 80 columns that passes text as it is, and its other
// end.
func pseudoTerminal(t *testing.T) (outer, inner *os.File) {
	t.Helper()
	outer, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	fd := int(outer.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	inner, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	mode, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	mode.Oflag &^= unix.OPOST
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, mode); err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { outer.Close(); inner.Close() })
	return outer, inner
}

// onTerminal runs pathspan with its output and errors on a terminal, or one of them in a
// pipe, and returns what came out of each.
func onTerminal(t *testing.T, env []string, outOnTerminal, errOnTerminal bool, args ...string) (terminal, piped string, status int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	outer, inner := pseudoTerminal(t)
	// The program of the scripts: TestMain runs pathspan under this name.
	link := filepath.Join(t.TempDir(), "pathspan")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, args...)
	cmd.Env = append(append(os.Environ(), "TERM=xterm", "NO_COLOR="), env...)
	var pipe bytes.Buffer
	cmd.Stdout, cmd.Stderr = &pipe, &pipe
	if outOnTerminal {
		cmd.Stdout = inner
	}
	if errOnTerminal {
		cmd.Stderr = inner
	}
	got := make(chan string)
	go func() {
		data, _ := io.ReadAll(outer) // ends with an error when the other end is closed
		got <- string(data)
	}()
	err = cmd.Run()
	inner.Close()
	terminal = <-got
	if exit, ok := err.(*exec.ExitError); ok {
		status = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return terminal, pipe.String(), status
}

func TestColours(t *testing.T) {
	a, b := filepath.Join("testdata", "fun0a.pspan"), filepath.Join("testdata", "fun0b.pspan")
	diff := []string{"diff", a, b, "--function", "fun_0", "--fail-above", "3%"}
	for _, c := range []struct {
		env    []string
		flags  []string
		onTerm bool
		want   bool
	}{
		{nil, nil, true, true}, {nil, nil, false, false},
		{[]string{"NO_COLOR=1"}, nil, true, false}, {[]string{"TERM=dumb"}, nil, true, false}, {[]string{"TERM="}, nil, true, false},
		{nil, []string{"--color", "never"}, true, false}, {nil, []string{"--color=always"}, false, true},
		{[]string{"NO_COLOR=1"}, []string{"--color", "always"}, true, true},
	} {
		terminal, piped, status := onTerminal(t, c.env, c.onTerm, c.onTerm, append(diff, c.flags...)...)
		text := terminal + piped
		if coloured := strings.Contains(text, "\x1b["); coloured != c.want || status != statusFound {
			t.Errorf("%+v: coloured %v, status %d:\n%s", c, coloured, status, text)
		}
		if c.want && !(strings.Contains(text, "\x1b[1;4;31mpathspan:\x1b[0m --fail-above 3%: ") && strings.Contains(text, "\x1b[1m") && strings.Contains(text, "worse")) {
			t.Errorf("%+v: errors are not marked, or headings:\n%q", c, text)
		}
	}
	// Colours apart, the text is the same, whatever command prints it.
	for _, args := range [][]string{diff, {"estimate", a}, {"inspect", a}, {"why", a}, {"explore", a, "-p", "2"}, {"model", "list"}, {"estimate", "--help"}, {"estimate", a, "-p", "0"}} {
		_, plain, _ := onTerminal(t, nil, false, false, args...)
		coloured, _, _ := onTerminal(t, nil, true, true, args...)
		if got := uncoloured(coloured); got != plain {
			t.Errorf("%q: on a terminal\n%s\nelsewhere\n%s", args, got, plain)
		}
		if !strings.Contains(coloured, "\x1b[") {
			t.Errorf("%q: nothing is coloured", args)
		}
	}
}

// uncoloured takes colours out of a text.
func uncoloured(s string) string {
	var out strings.Builder
	for {
		before, after, ok := strings.Cut(s, "\x1b[")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		_, s, _ = strings.Cut(after, "m")
	}
}

// screen shows what is on a line of a terminal after a text: carriage returns go back,
// erasing empties it.
func screen(s string) (lines []string) {
	line := ""
	for len(s) > 0 {
		switch {
		case strings.HasPrefix(s, "\x1b[K"):
			line, s = "", s[3:]
		case s[0] == '\r':
			s = s[1:]
		case s[0] == '\n':
			lines, line, s = append(lines, line), "", s[1:]
		default:
			line, s = line+s[:1], s[1:]
		}
	}
	return append(lines, line)
}

// A search of more than a second shows a bar on a terminal, and only there.
func TestProgressOnTerminals(t *testing.T) {
	bundle := filepath.Join("testdata", "fun0a.pspan")
	args := []string{"explore", bundle, "-p", "4", "--algorithm", "random", "--budget", "1600ms"}
	terminal, piped, status := onTerminal(t, nil, false, true, args...)
	if status != 0 || !strings.Contains(terminal, "evaluations, ") {
		t.Errorf("status %d, on the terminal %q", status, terminal)
	}
	if lines := screen(terminal); len(lines) != 1 || lines[0] != "" {
		t.Errorf("it leaves %q", lines)
	}
	for line := range strings.SplitSeq(terminal, "\r\x1b[K") {
		if len(line) >= 80 {
			t.Errorf("the line has %d columns: %q", len(line), line)
		}
	}
	if strings.Contains(piped, "\x1b") || !strings.Contains(piped, "schema: pathspan.mapping/1") {
		t.Errorf("standard output:\n%s", piped)
	}
	terminal, piped, _ = onTerminal(t, nil, false, true, append(args, "--quiet")...)
	if terminal != "" || strings.Contains(piped, "\x1b") {
		t.Errorf("with --quiet the terminal shows %q", terminal)
	}
	terminal, piped, _ = onTerminal(t, nil, true, false, args...)
	if strings.Contains(terminal+piped, "evaluations, ") && strings.Contains(terminal+piped, "\r") {
		t.Errorf("standard error is no terminal, shown is %q", terminal+piped)
	}
	// Short work shows nothing.
	if terminal, _, _ := onTerminal(t, nil, false, true, "estimate", bundle); terminal != "" {
		t.Errorf("a short estimate shows %q", terminal)
	}
}

// What the program prints is not mixed with what is drawn.
func TestProgressAndPrograms(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip(toolchain.ErrNoClang)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "slow.c")
	program := "#include <stdio.h>\n#include <unistd.h>\n" +
		"int main(void) { for (int i = 0; i < 4; i++) { printf(\"line %d\\n\", i); fflush(stdout); usleep(300000); } fputs(\"done\\n\", stderr); return 3; }\n"
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	want := []string{"line 0", "line 1", "line 2", "line 3", "done"}
	terminal, _, status := onTerminal(t, nil, true, true, "profile", "-o", filepath.Join(dir, "slow.pspan"), source)
	lines := screen(terminal)
	if status != 3 || len(lines) != len(want)+2 || strings.Join(lines[:len(want)], "|") != strings.Join(want, "|") || !strings.HasPrefix(lines[len(want)], "pathspan: ") {
		t.Errorf("status %d, shown %q", status, lines)
	}
	if at := strings.Index(terminal, "line 0"); at < 0 || strings.Contains(terminal[at:], "\x1b[K") {
		t.Errorf("something is drawn while the program runs: %q", terminal)
	}
	terminal, piped, status := onTerminal(t, nil, true, false, "profile", "--quiet", "-o", filepath.Join(dir, "slow.pspan"), source)
	if status != 3 || terminal != "line 0\nline 1\nline 2\nline 3\n" || piped != "done\n" {
		t.Errorf("with --quiet: status %d, %q and %q", status, terminal, piped)
	}
}
