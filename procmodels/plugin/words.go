package plugin

// This file keeps the end of what a plugin writes to standard error.

import (
	"slices"
	"strings"
	"sync"

	"pathspan/procmodels/wire"
)

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
