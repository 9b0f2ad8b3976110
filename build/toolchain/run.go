package toolchain

// This file runs one tool and turns its failure into an error that quotes it.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Cmd is one run of a tool.
type Cmd struct {
	Path   string    // the program
	Args   []string  // without the program's name
	Dir    string    // working directory, "" for the current one
	Env    []string  // KEY=VALUE, added to the environment
	Stdout io.Writer // nil drops it: modules are written with -o
}

// Error is a tool that could not be run or did not succeed.
type Error struct {
	Tool   string   // base name of the program
	Args   []string // as it was run
	Exit   int      // exit status, -1 when there is none
	Signal string   // the signal that ended it, "" when none did
	Stderr string   // everything it wrote to standard error
	Cause  error    // why it could not be run or was stopped; nil when it ran and failed
}

// Error gives one line: the tool, and the first of its messages that says what
// is wrong.
func (e *Error) Error() string {
	switch {
	case errors.Is(e.Cause, context.Canceled), errors.Is(e.Cause, context.DeadlineExceeded):
		return fmt.Sprintf("%s was stopped: %v", e.Tool, e.Cause)
	case e.Cause != nil:
		return fmt.Sprintf("%s cannot be run: %v", e.Tool, e.Cause)
	case e.Signal != "":
		return fmt.Sprintf("%s crashed (%s); run it again by hand: %s", e.Tool, e.Signal, e.CommandLine())
	}
	if line := summary(e.Stderr); line != "" {
		return e.Tool + ": " + line
	}
	return fmt.Sprintf("%s failed with exit status %d and no message", e.Tool, e.Exit)
}

// Unwrap gives the cause, so that errors.Is finds a cancelled context.
func (e *Error) Unwrap() error { return e.Cause }

// CommandLine gives the command as a shell would take it.
func (e *Error) CommandLine() string {
	words := make([]string, 0, len(e.Args)+1)
	for _, w := range append([]string{e.Tool}, e.Args...) {
		words = append(words, quote(w))
	}
	return strings.Join(words, " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./=:,+@%^-]+$`)

func quote(w string) string {
	if plainWord.MatchString(w) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// Run runs a tool to its end and returns what it wrote to standard error, which
// for a success is its warnings. A failure is an *Error. Clang is told the target.
func (t *Toolchain) Run(ctx context.Context, c Cmd) (stderr string, err error) {
	if t.Target != nil && (c.Path == t.Clang || c.Path == t.ClangXX) {
		c.Args = slices.Concat(t.Target.Flags, c.Args)
	}
	path := c.Path
	if abs, err := filepath.Abs(path); err == nil && strings.Contains(path, "/") {
		path = abs // which Dir would be in the way of
	}
	cmd := exec.CommandContext(ctx, path, c.Args...)
	cmd.Dir = c.Dir
	if len(c.Env) > 0 {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	cmd.Stdout = c.Stdout
	var buf bytes.Buffer
	cmd.Stderr = &buf
	EndGently(cmd)
	err = cmd.Run()
	if err == nil {
		return buf.String(), nil
	}
	e := &Error{Tool: filepath.Base(c.Path), Args: c.Args, Exit: -1, Stderr: buf.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		e.Cause = ctx.Err()
	case errors.As(err, &exit):
		e.Exit = exit.ExitCode()
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			e.Signal = ws.Signal().String()
		}
	default:
		e.Cause = unwrapPath(err)
	}
	return buf.String(), e
}

// EndGently has the end of a command's context ask its program to end, and kill it only
// where it does not: a killed clang leaves its temporary files behind. A linker that
// outlives a killed clang does not hold us by the pipes that it has open.
func EndGently(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 2 * time.Second
}

var (
	errorLine = regexp.MustCompile(`(^|[ :])(fatal )?error: `)
	toolName  = regexp.MustCompile(`^(clang|clang\+\+|opt|llvm-[a-z]+)(-\d+)?: `)
	linkLine  = regexp.MustCompile(`undefined reference|undefined symbol|multiple definition|duplicate symbol|cannot find`)
)

// summary returns the first line of the messages that says what is wrong, and
// how many more errors follow it.
func summary(stderr string) string {
	var first, link, failure string
	errs := 0
	for _, line := range strings.Split(stderr, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.Contains(line, "linker command failed"):
		case errorLine.MatchString(line):
			if failure == "" {
				failure = line
			}
			errs++
		case link == "" && linkLine.MatchString(line):
			link = line
		case first == "":
			first = line
		}
	}
	switch {
	case failure != "":
		line := toolName.ReplaceAllString(failure, "")
		line = strings.TrimPrefix(line, "error: ")
		if errs > 1 {
			line += fmt.Sprintf(" (and %d more)", errs-1)
		}
		return line
	case link != "":
		return link
	}
	return toolName.ReplaceAllString(first, "")
}
