package main

// This file shows what is under way: one line on a terminal, from the second second on,
// that leaves no trace.

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pathspan/explore"
	"pathspan/visible"
	"pathspan/workers"
)

const (
	progressAfter = time.Second // shorter work shows nothing
	progressEvery = 150 * time.Millisecond
	barWidth      = 24
)

// progress draws the line. A nil progress, and one whose stream is no terminal, draws
// nothing. It may be used by several goroutines at a time.
type progress struct {
	w     io.Writer
	width int              // of the terminal, in columns
	now   func() time.Time // of the tests
	begin time.Time

	mu     sync.Mutex
	text   string
	share  float64 // that is done, below 0 where unknown
	paused bool
	shown  bool // the line is on the screen
	end    chan struct{}
	ticks  *workers.Task
}

// newProgress begins to show what is under way, on standard error if that is a terminal
// and --quiet is not given; done ends it.
func newProgress(cmd *cobra.Command) *progress {
	w := cmd.ErrOrStderr()
	if isQuiet(cmd) || !isTerminal(w) {
		return nil
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	p := &progress{w: w, width: width, now: time.Now, share: -1, end: make(chan struct{})}
	p.begin = p.now()
	end := p.end
	p.ticks = workers.Start(func() { p.tick(end) })
	return p
}

func (p *progress) tick(end <-chan struct{}) {
	t := time.NewTicker(progressEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			p.draw()
		case <-end:
			return
		}
	}
}

// step says what is under way now, with an unknown share of all.
func (p *progress) step(format string, args ...any) { p.part(-1, format, args...) }

// part says what is under way now, and which share of all is done.
func (p *progress) part(share float64, format string, args ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.share = fmt.Sprintf(format, args...), share
}

// pause takes the line away, as while the profiled program may print.
func (p *progress) pause() { p.setPaused(true) }

func (p *progress) setPaused(paused bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused = paused
	if paused {
		p.clear()
	}
}

// done takes the line away for good. It may be called more than once.
func (p *progress) done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.paused = true
	p.clear()
	running := p.end
	p.end = nil
	p.mu.Unlock()
	if running != nil {
		close(running)
		p.ticks.Wait()
	}
}

// above returns a writer for lines that are to stay, such as a compiler's warnings: what
// is drawn goes out of their way.
func (p *progress) above(w io.Writer) io.Writer {
	if p == nil {
		return w
	}
	return lineWriter{p, w}
}

type lineWriter struct {
	p *progress
	w io.Writer
}

func (l lineWriter) Write(data []byte) (int, error) {
	l.p.mu.Lock()
	defer l.p.mu.Unlock()
	l.p.clear()
	return l.w.Write(data)
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	elapsed := p.now().Sub(p.begin)
	if p.paused || p.text == "" || elapsed < progressAfter {
		return
	}
	line := elapsed.Truncate(time.Second).String() + " " + p.text
	if p.share >= 0 {
		n := int(min(p.share, 1) * barWidth)
		line = fmt.Sprintf("[%s%s] %s", strings.Repeat("#", n), strings.Repeat(".", barWidth-n), line)
	}
	line = visible.Line(line)
	if r := []rune(line); len(r) >= p.width {
		line = string(r[:max(p.width-1, 0)])
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
	p.shown = true
}

// search shows how far a search is: how much of the budget is spent, how fast, and the
// best so far.
func (p *progress) search(x explore.Progress) {
	if p == nil {
		return
	}
	rate := float64(x.Evaluations) / max(x.Elapsed.Seconds(), 1e-3)
	text := fmt.Sprintf("%d evaluations, %.2g million a second", x.Evaluations, rate/1e6)
	if x.Best != nil {
		text += fmt.Sprintf(", best %.6g s", x.Best.Metrics.Seconds)
	}
	share := -1.0
	if x.Budget > 0 {
		share = float64(x.Evaluations) / float64(x.Budget)
	}
	p.part(share, "%s", text)
}
