package account_test

// This file shows an account of losses.

import (
	"fmt"
	"log"

	"pathspan/estimate"
	"pathspan/estimate/account"
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
	x, err := account.Losses(e, m, estimate.PathBased)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f cycles ideally\n", x.Sequential/x.Ideal) // at 1 MHz
	for k, t := range x.Terms {
		if t.Micros > 0 {
			fmt.Printf("%.1f %v\n", t.Micros, account.Kind(k))
		}
	}
	fmt.Printf("%.1f cycles predicted\n", x.Parallel)
	// Output:
	// 1561.5 cycles ideally
	// 2.5 serial
	// 531.5 imbalance
	// 60.0 overhead
	// 2155.5 cycles predicted
}
