package plugin

// This file runs a plugin's process so that it, and what it starts, ends with us, and keeps
// the end of what it writes to standard error.

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin/runner"

	"pathspan/procmodels/wire"
	"pathspan/workers"
)

// process is one plugin's process. go-plugin drives it as its runner, because its own
// runner ends only the process itself: what that had started would stay.
type process struct {
	words     words
	line      firstLine // of standard output
	stderr    complaints
	socketDir string
	running   *workers.Task // waits for the process's end
	done      chan struct{} // closed when the process has ended
	exit      error         // how, once done is closed

	mu     sync.Mutex // over what follows
	cmd    *exec.Cmd
	held   *held // nil before it runs
	killed bool
}

func newProcess() *process {
	p := &process{done: make(chan struct{})}
	p.stderr.words, p.stderr.read = &p.words, make(chan struct{})
	return p
}

// prepare makes the process go-plugin's runner of a program in folder dir.
func (p *process) prepare(path, dir string) func(hclog.Logger, *exec.Cmd, string) (runner.Runner, error) {
	return func(_ hclog.Logger, spec *exec.Cmd, socketDir string) (runner.Runner, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.cmd = exec.Command(path)
		p.cmd.Env = spec.Env
		p.cmd.Dir = dir
		p.socketDir = socketDir
		return p, nil
	}
}

// Start starts the process.
func (p *process) Start(context.Context) error {
	outR, outW, err := os.Pipe()
	if err != nil {
		return err
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return errors.Join(err, outR.Close(), outW.Close())
	}
	p.line.r, p.stderr.r = outR, errR
	p.cmd.Stdout, p.cmd.Stderr = outW, errW
	p.mu.Lock()
	err = errors.New("interrupted")
	if !p.killed {
		p.held, err = hold(p.cmd, p.socketDir)
	}
	p.mu.Unlock()
	errors.Join(outW.Close(), errW.Close()) // the process has its own
	if err != nil {
		// go-plugin forgets the folder when there is no process.
		errors.Join(outR.Close(), errR.Close(), os.Remove(p.socketDir))
	}
	p.running = workers.Start(func() { p.wait(err) })
	return err
}

// wait waits for the process's end, or takes the error for which it did not start.
func (p *process) wait(err error) {
	if err == nil {
		err = p.held.wait()
		// What could not be ended may hold the pipes: it must not hold us.
		time.AfterFunc(time.Second, func() { errors.Join(p.line.r.Close(), p.stderr.r.Close()) })
	}
	p.exit = err
	close(p.done)
}

// kill ends the process and what it started, now or as soon as it would start.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
		return // it was not us
	default:
	}
	p.killed = true
	if p.held != nil {
		p.held.end()
	}
}

// ended waits a little for the process's end and tells whether it came, and not by us.
func (p *process) ended(wait time.Duration) bool {
	select {
	case <-p.done:
		p.mu.Lock()
		defer p.mu.Unlock()
		return !p.killed || !killed(p.exit)
	case <-time.After(wait):
		return false
	}
}

// Wait waits for the process's end.
func (p *process) Wait(context.Context) error { p.running.Wait(); return p.exit }

// Kill ends the process.
func (p *process) Kill(context.Context) error { p.kill(); return nil }

// Stdout is what the process prints, of which the first line is the handshake.
func (p *process) Stdout() io.ReadCloser { return &p.line }

// Stderr is what the process complains.
func (p *process) Stderr() io.ReadCloser { return &p.stderr }

// Name is the program.
func (p *process) Name() string { return p.cmd.Path }

// ID is the process's number, "" before it runs.
func (p *process) ID() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == nil {
		return ""
	}
	return strconv.Itoa(p.held.pid)
}

// Diagnose adds nothing; see startFault.
func (p *process) Diagnose(context.Context) string { return "" }

// PluginToHost and HostToPlugin translate nothing: both run on this machine.
func (p *process) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

// HostToPlugin see PluginToHost.
func (p *process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

// firstLine passes the first line on and drops the rest, so that a plugin that prints
// can neither fill a pipe nor confuse anybody. It keeps the line for errors.
type firstLine struct {
	r    *os.File
	mu   sync.Mutex
	kept []byte
	over bool
}

// firstLineLimit bounds what is taken for a line.
const firstLineLimit = 16 << 10

func (l *firstLine) Read(p []byte) (int, error) {
	for {
		n, err := l.r.Read(p)
		l.mu.Lock()
		over := l.over
		if !over {
			l.kept = append(l.kept, p[:n]...)
			for _, c := range p[:n] {
				l.over = l.over || c == '\n'
			}
			l.over = l.over || len(l.kept) > firstLineLimit
		}
		l.mu.Unlock()
		if !over || err != nil {
			return n, err
		}
	}
}

func (l *firstLine) Close() error { return l.r.Close() }

// text is the line as far as it came.
func (l *firstLine) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, c := range l.kept {
		if c == '\n' {
			return string(l.kept[:i])
		}
	}
	return string(l.kept)
}

// complaints is standard error. It keeps the words that it passes on, and tells when it has
// all of them.
type complaints struct {
	r     *os.File
	words *words
	once  sync.Once
	read  chan struct{}
}

func (c *complaints) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	_, _ = c.words.Write(p[:n])
	if err != nil {
		c.once.Do(func() { close(c.read) })
	}
	return n, err
}

func (c *complaints) Close() error { return c.r.Close() }

// wordsKept is how much is kept, in bytes: a Go program's traces are long and the
// reason stands at their beginning.
const wordsKept = 64 << 10

// words is the end of a stream; it is safe for concurrent use.
type words struct {
	mu  sync.Mutex
	buf []byte
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf = append(w.buf, p...)
	if len(w.buf) > 2*wordsKept {
		w.buf = slices.Clone(w.buf[len(w.buf)-wordsKept:])
	}
	return len(p), nil
}

// last is what a plugin said last, in one line: where a Go program panicked, why; else
// its last two lines, since the last of a Python traceback is the reason.
func (w *words) last() string {
	w.mu.Lock()
	text := string(w.buf)
	w.mu.Unlock()
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, `{"@level"`): // go-plugin's own log
			continue
		case strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: "):
			return wire.Line(line)
		}
		lines = append(lines, line)
	}
	return wire.Line(strings.Join(lines[max(0, len(lines)-2):], " | "))
}
