package pathwise_test

// This file shows how an estimate is verified.

import (
	"fmt"
	"log"

	"pathspan/estimate"
	"pathspan/estimate/pathwise"
)

func Example() {
	e, err := estimate.Open("../../cmd/pathspan/testdata/fun0a.pspan", "../../testdata/fun0/platform.yaml", "fun_0")
	if err != nil {
		log.Fatal(err)
	}
	m, err := e.Resolve("../../testdata/fun0/solA.yaml")
	if err != nil {
		log.Fatal(err)
	}
	r, err := e.Estimate(m, estimate.PathBased)
	if err != nil {
		log.Fatal(err)
	}
	p, err := pathwise.New(pathwise.Subject{Bundle: e.Bundle, Root: e.Root, Costs: e.Costs, ClockMHz: e.ClockMHz, Overheads: e.Overheads})
	if err != nil {
		log.Fatal(err)
	}
	f, err := p.Estimate(m, pathwise.PathBased)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("difference:", f.Compare(r.SequentialCycles, r.ParallelCycles))
	// Output:
	// difference: <nil>
}
