package main

// This file writes to a terminal or a log: text, and below it what is under way.

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	redraw = time.Second      // how often a terminal's last line is renewed
	speak  = 60 * time.Second // how long a log may be silent
	width  = 78               // of the line that is renewed
)

// screen is where the report goes. It is safe for concurrent use.
type screen struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	began    time.Time
	spoke    time.Time
	shown    bool // a line is under way at the bottom of the terminal
	now      func() time.Time
}

func newScreen(out io.Writer, terminal bool) *screen {
	s := &screen{out: out, terminal: terminal, now: time.Now}
	s.began = s.now()
	s.spoke = s.began
	return s
}

// print writes whole lines.
func (s *screen) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	io.WriteString(s.out, text)
	s.spoke = s.now()
}

// clear takes the line at the bottom away.
func (s *screen) clear() {
	if s.shown {
		io.WriteString(s.out, "\r\x1b[K")
		s.shown = false
	}
}

// progress tells what is under way until quiet is closed: a terminal each second, in one
// line, a log when nothing else was said for a minute.
func (s *screen) progress(underWay func() string, quiet <-chan struct{}) {
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	for {
		select {
		case <-quiet:
			s.mu.Lock()
			s.clear()
			s.mu.Unlock()
			return
		case <-tick.C:
			s.show(underWay())
		}
	}
}

// show tells what is under way, if it is time to.
func (s *screen) show(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := clock(s.now().Sub(s.began)) + " " + text
	switch {
	case s.terminal:
		s.clear()
		if r := []rune(line); len(r) > width {
			line = string(r[:width-3]) + "..."
		}
		io.WriteString(s.out, line)
		s.shown = true
	case s.now().Sub(s.spoke) >= speak:
		io.WriteString(s.out, line+"\n")
		s.spoke = s.now()
	}
}

// clock writes a duration as minutes and seconds.
func clock(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// plural is a number of things.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
