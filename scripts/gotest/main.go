// Command gotest runs go test and reports on it: what fails, in full, as soon as it has
// failed; a line for each package; what is under way while nothing else is to be said; and
// at the end how many tests ran, failed and were skipped, and why.
//
//	gotest [-note TEXT]... [flags of go test] ./...
//
// Each -note is repeated under the summary: what else was not done. The tests get an empty
// folder for temporary files, and what they leave in it is a failure. The exit status is
// that of go test.
//
// It does not choose, order or repeat tests, and knows nothing of pathspan.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/term"

	"pathspan/workers"
)

func main() {
	status, err := run(os.Args[1:], os.Stdout, term.IsTerminal(int(os.Stdout.Fd())))
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
	}
	os.Exit(status)
}

// run runs go test and returns the exit status.
func run(args []string, out io.Writer, terminal bool) (int, error) {
	var notes []string
	for len(args) > 1 && args[0] == "-note" {
		if args[1] != "" {
			notes = append(notes, args[1])
		}
		args = args[2:]
	}
	dir, err := os.MkdirTemp("", "t") // a short name, since tests bind sockets below it
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)

	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	events, err := cmd.StdoutPipe()
	if err != nil {
		return 1, err
	}
	complaints, err := cmd.StderrPipe()
	if err != nil {
		return 1, err
	}
	// Ctrl-C reaches go test as well, whose end is ours.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	s := newScreen(out, terminal)
	r := newResults(s)
	var both workers.Group
	both.Go(func() { s.copyLines(complaints) })
	both.Go(func() { r.read(events) })
	quiet := make(chan struct{})
	progress := workers.Start(func() { s.progress(r.underWay, quiet) })
	both.Wait()
	close(quiet)
	progress.Wait()
	err = cmd.Wait()
	status := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		status = max(1, exit.ExitCode())
	case err != nil:
		return 1, err
	}
	if left := leftIn(dir); len(left) > 0 {
		r.failures = append(r.failures, "left in the folder for temporary files: "+strings.Join(left, ", "))
		status = max(1, status)
	}
	r.summary(time.Since(s.began), notes)
	return status, nil
}

// leftIn lists what tests left behind. What a process of theirs removes as it ends may take
// a moment to go.
func leftIn(dir string) []string {
	var left []string
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left = nil
		entries, err := os.ReadDir(dir)
		if err != nil {
			return []string{err.Error()}
		}
		for _, e := range entries {
			left = append(left, e.Name())
		}
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

// copyLines prints what go itself says, such as what it downloads.
func (s *screen) copyLines(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			s.print(line)
		}
		if err != nil {
			return
		}
	}
}
