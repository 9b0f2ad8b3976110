package formula_test

// This file shows an estimate at other overheads.

import (
	"fmt"
	"log"

	"pathspan/estimate"
	"pathspan/estimate/formula"
)

// What the paper's example gains as creating tasks gets dearer.
func Example() {
	e, err := estimate.Open("../../cmd/pathspan/testdata/fun0b.pspan", "../../testdata/fun0/platform.yaml", "fun_0")
	if err != nil {
		log.Fatal(err)
	}
	m, err := e.Resolve("../../testdata/fun0/solB.yaml")
	if err != nil {
		log.Fatal(err)
	}
	f, err := formula.Of(e, m, []estimate.Technique{estimate.PathBased})
	if err != nil {
		log.Fatal(err)
	}
	for i, in := range f.Inputs {
		fmt.Printf("%d: %s: %g\n", i, in.Name, in.Value)
	}
	for _, create := range []float64{50, 200, 400} {
		x := f.Initial()
		x[0] = create
		figures, err := f.Eval(x)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%g cycles: %.2f\n", create, figures[0].SequentialSeconds/figures[0].ParallelSeconds)
	}
	// Output:
	// 0: creating tasks, cycles: 50
	// 1: synchronising tasks, cycles: 10
	// 2: clock of alpha, beta (table1), MHz: 1
	// 50 cycles: 1.47
	// 200 cycles: 1.37
	// 400 cycles: 1.26
}
