package fifo_test

// This file holds the reader to using every key, and to refusing what cannot be.

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/streams/fifo"
	"pathspan/yamlstrict/keytest"
)

const small = `schema: pathspan.network/1
fifos:
  data: {depth: 4, width: 8, initial: 1}
modules:
  source: {iterations: 20, ii: 5, latency: 3, writes: {data: 2}}
  sink:
    iterations: 5
    runs: 3
    pause: 1
    ii: 2
    latency: 4
    pipeline: flush
    reads: {data: {at: 0, tokens: 1, when: 110}}
`

func TestKeysAreUsed(t *testing.T) {
	show := func(t *testing.T, text string) string {
		n, err := fifo.Read("n.yaml", []byte(text))
		if err != nil {
			return err.Error()
		}
		r, err := fifo.Simulate(n)
		return fmt.Sprintf("%+v %+v %v %v", r.Modules, r.FIFOs, n.FIFOs, err)
	}
	keytest.Check(t, []string{"read.go"}, small, show, []keytest.Change{
		{Key: "schema", Old: "network/1", New: "network/2"},
		{Key: "fifos", Old: "fifos:", New: "fifo:"},
		{Key: "modules", Old: "modules:", New: "module:"},
		{Key: "depth", Old: "depth: 4", New: "depth: 2"},
		{Key: "width", Old: "width: 8", New: "width: 9"},
		{Key: "initial", Old: "initial: 1", New: "initial: 2"},
		{Key: "iterations", Old: "iterations: 5", New: "iterations: 6"},
		{Key: "runs", Old: "runs: 3", New: "runs: 2"},
		{Key: "pause", Old: "pause: 1", New: "pause: 0"},
		{Key: "ii", Old: "ii: 2", New: "ii: 3"},
		{Key: "latency", Old: "latency: 4", New: "latency: 5"},
		{Key: "pipeline", Old: "pipeline: flush", New: "pipeline: stall"},
		{Key: "reads", Old: "reads: {data: {at: 0", New: "writes: {data: {at: 0"},
		{Key: "writes", Old: "writes: {data: 2}", New: "writes: {data: 1}"},
		{Key: "at", Old: "at: 0", New: "at: 1"},
		{Key: "tokens", Old: "tokens: 1", New: "tokens: 2"},
		{Key: "when", Old: "when: 110", New: "when: 100"},
	})
}

func TestRefused(t *testing.T) {
	for _, x := range []struct{ old, new, want string }{
		{"depth: 4", "depth: 0", `n.yaml:3: fifos.data.depth is "0": want a whole number from 1 to 1099511627776`},
		{"initial: 1", "initial: 5", "n.yaml:3: fifos.data: 5 tokens at the start in a depth of 4: want a depth of 5 or more"},
		{"ii: 2", "ii: 0", `n.yaml:10: modules.sink.ii is "0": want a whole number from 1 to 1048576`},
		{"writes: {data: 2}", "writes: {data: 3}", "n.yaml:5: modules.source: it writes data in cycle 3 of an iteration of 3: want 0 to 2"},
		{"ii: 5, latency: 3, writes: {data: 2}", "ii: 1, latency: 3, writes: {data: [0, 1]}", "n.yaml:5: modules.source: with an ii of 1 an iteration would write data before the one before is through with it: want an ii of 2 or more"},
		{"writes: {data: 2}", "writes: {date: 2}", "n.yaml:5: modules.source: it writes date, and fifos has no such FIFO, but data"},
		{", writes: {data: 2}", "", "n.yaml:3: fifos.data: sink reads it, and no module writes it"},
		{"tokens: 1", "tokens: 5", "n.yaml:13: modules.sink: it reads 5 tokens of data at once, whose depth is 4: want that or more"},
		{"tokens: 1", "tokens: 3", "n.yaml:3: fifos.data: sink reads 30 tokens, of 1 that it holds at the start and 20 that source writes"},
		{"when: 110", "when: 12", "n.yaml:13: when: want 0 and 1, a 1 for each iteration in which it does, 1048576 of them at most and not all 0"},
	} {
		_, err := fifo.Read("n.yaml", []byte(strings.Replace(small, x.old, x.new, 1)))
		if err == nil || err.Error() != x.want {
			t.Errorf("%q: %v, want %s", x.new, err, x.want)
		}
	}
}

// TestTooMuch: what no machine has room for is refused in one line as well.
func TestTooMuch(t *testing.T) {
	many := "fifos: {}\nmodules:\n"
	for i := range 5 {
		many += fmt.Sprintf("  m%d: {iterations: 1, ii: 1, latency: 1048576}\n", i)
	}
	fifos := "fifos:\n"
	for i := range 4097 {
		fifos += fmt.Sprintf("  f%d: {depth: 1}\n", i)
	}
	for text, want := range map[string]string{
		many:  "n.yaml:7: modules.m4: up to here 5242880 iterations are under way at once: want 4194304 at most, with a larger ii or a smaller latency",
		fifos: "n.yaml:4098: fifos: want 4096 at most",
		"fifos: {a: {depth: 1099511627776}}\nmodules: {m: {iterations: 4000000, ii: 1, latency: 1, writes: {a: {at: 0, tokens: 1099511627776}}}, n: {iterations: 1, ii: 1, latency: 1, reads: {a: 0}}}\n": "n.yaml:1: fifos.a: want 1152921504606846976 tokens written and read at most, in all iterations together",
	} {
		if _, err := fifo.Read("n.yaml", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
