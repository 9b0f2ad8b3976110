package serve_test

// This file shows how another program serves an estimator.

import (
	"log"
	"os"
	"strings"

	"pathspan/estimate"
	"pathspan/serve"
)

func Example() {
	e, err := estimate.Open("../cmd/pathspan/testdata/fun0a.pspan", "../testdata/fun0/platform.yaml", "fun_0")
	if err != nil {
		log.Fatal(err)
	}
	s, err := serve.New(e, serve.Options{Bundle: "fun0a.pspan"})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	requests := strings.NewReader(`{"id": "SolA", "sections": [0, 0, 1]}
{"id": "typo", "sections": [0, 0, 2]}
`)
	if err := s.Lines(requests, skipFirst{os.Stdout, new(bool)}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"id":"SolA","results":[{"technique":"pb","speedup":1.4488517745302714,"parallel_cycles":2155.5,"sequential_cycles":3123,"parallel_seconds":0.0021555,"sequential_seconds":0.003123}]}
	// {"id":"typo","error":{"field":"sections[2]","message":"processor 2 of 2: want 0 to 1, or -1 to leave the section out"}}
}

// skipFirst leaves out the description, which is flushed on its own.
type skipFirst struct {
	out  *os.File
	done *bool
}

func (w skipFirst) Write(p []byte) (int, error) {
	if !*w.done {
		*w.done = true
		return len(p), nil
	}
	return w.out.Write(p)
}
