package waves

// This file is the writer.

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Writer writes one file. All signals are declared before the first is set, and are 0 until then.
type Writer struct {
	out     *bufio.Writer
	values  []int64
	bits    []int
	at      int64 // the last time that was written
	started bool
}

// New begins a file with a comment of one line, which says what a nanosecond stands for.
func New(w io.Writer, comment string) *Writer {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "$comment %s $end\n$timescale 1 ns $end\n", comment)
	return &Writer{out: out, at: -1}
}

// Scope begins a group of signals, and Up ends it.
func (w *Writer) Scope(name string) { fmt.Fprintf(w.out, "$scope module %s $end\n", word(name)) }

// Up ends a group of signals.
func (w *Writer) Up() { fmt.Fprint(w.out, "$upscope $end\n") }

// Number declares a signal of so many bits, and Wire one that is 0 or 1.
func (w *Writer) Number(name string, bits int) int { return w.declare("integer", name, bits) }

// Wire declares a signal that is 0 or 1.
func (w *Writer) Wire(name string) int { return w.declare("wire", name, 1) }

func (w *Writer) declare(kind, name string, bits int) int {
	signal := len(w.values)
	w.values, w.bits = append(w.values, 0), append(w.bits, bits)
	fmt.Fprintf(w.out, "$var %s %d %s %s $end\n", kind, bits, identifier(signal), word(name))
	return signal
}

// Set gives a signal a value of 0 or more from a time on. Times do not fall. What has that value
// already is left alone.
func (w *Writer) Set(at int64, signal int, value int64) {
	w.start()
	if value == w.values[signal] {
		return
	}
	w.values[signal] = value
	if at != w.at {
		fmt.Fprintf(w.out, "#%d\n", at)
		w.at = at
	}
	w.change(signal)
}

// End writes the time at which the file ends.
func (w *Writer) End(at int64) error {
	w.start()
	if at != w.at {
		fmt.Fprintf(w.out, "#%d\n", at)
	}
	return w.out.Flush()
}

func (w *Writer) start() {
	if w.started {
		return
	}
	w.started = true
	fmt.Fprint(w.out, "$enddefinitions $end\n$dumpvars\n")
	for i := range w.values {
		w.change(i)
	}
	fmt.Fprint(w.out, "$end\n")
}

func (w *Writer) change(signal int) {
	if w.bits[signal] == 1 {
		fmt.Fprintf(w.out, "%d%s\n", w.values[signal], identifier(signal))
		return
	}
	fmt.Fprintf(w.out, "b%b %s\n", w.values[signal], identifier(signal))
}

// identifier is the short name of a signal, of the characters that the format has for that.
func identifier(n int) string {
	var out []byte
	for {
		out = append(out, byte('!'+n%94))
		if n /= 94; n == 0 {
			return string(out)
		}
	}
}

// word is a name without what ends one in the format.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, name)
}
