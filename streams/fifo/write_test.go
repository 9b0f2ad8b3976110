package fifo_test

// This file holds what is written to being read as the same.

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"pathspan/streams/fifo"
)

// same fails where a network that is written is not read as it was.
func same(t *testing.T, n *fifo.Network) {
	t.Helper()
	text := n.YAML()
	again, err := fifo.Read("n.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(n, again) || !bytes.Equal(again.YAML(), text) {
		t.Fatalf("%+v\n%+v\n%s", n, again, text)
	}
}

func TestWrittenIsRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	read := 0
	for range 3000 {
		n, err := fifo.Read("n.yaml", network(rng).YAML())
		if err != nil {
			continue // as it reads what is not written, say
		}
		read++
		same(t, n)
	}
	if read < 1000 {
		t.Errorf("%d are read: too few to tell", read)
	}
	n, err := fifo.Read("n.yaml", []byte(`fifos: {"a: {b}": {depth: 1, width: 7}, "": {depth: 1}}`))
	if err == nil {
		t.Fatalf("%+v", n)
	}
	n, err = fifo.Read("n.yaml", []byte(`{fifos: {"a: {b}": {depth: 1, width: 7}}, modules: {"<<": {iterations: 1, ii: 1, latency: 1, writes: {"a: {b}": 0}}, 'it''s "c" ü': {iterations: 1, ii: 1, latency: 1, reads: {"a: {b}": {at: 0, when: "011"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	same(t, n)
}

// FuzzNetwork: what is read can be written, read again and played.
func FuzzNetwork(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(mpath(4000000, 2, "flush")))
	f.Add([]byte(mpath(3, 1, "stall")))
	for _, text := range []string{
		"", "fifos: {}\nmodules: {}\n", "fifos: {}\nmodules: {m: {iterations: 1, ii: 1, latency: 1}}\n",
		"fifos: {a: {depth: 1, initial: 1}}\nmodules: {m: {iterations: 9, ii: 1, latency: 1, reads: {a: 0}, writes: {a: 0}}}\n",
		"fifos: {a: {depth: 1099511627776}}\nmodules: {m: {iterations: 1000000000, ii: 1, latency: 1, reads: {a: {at: 0, tokens: 1099511627776}}, writes: {a: {at: 0, tokens: 1099511627776}}}}\n",
		"fifos: {a: {depth: 4}}\nmodules: {m: {iterations: 9, ii: 2, latency: 1048576, writes: {a: [0, {at: 1, when: '010'}]}}, n: {iterations: 3, runs: 3, pause: 5, ii: 7, latency: 9, pipeline: flush, reads: {a: 0}}}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := fifo.Read("n.yaml", text)
		if err != nil {
			return
		}
		same(t, n)
		if _, _, err := fifo.VCD(n, io.Discard, 300); err != nil {
			t.Fatal(err)
		}
	})
}
