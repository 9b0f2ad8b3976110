package estimate_test

// This file shows how programs use the estimator.

import (
	"fmt"
	"log"

	"pathspan/estimate"
)

const (
	exampleBundle   = "../cmd/pathspan/testdata/fun0b.pspan"
	examplePlatform = "../testdata/fun0/platform.yaml"
)

// Two mapping files of the paper's example are compared under two techniques. In this
// profile the heavy sections 1 and 3 are never heavy together.
func Example() {
	e, err := estimate.Open(exampleBundle, examplePlatform, "fun_0")
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range []string{"solA.yaml", "solB.yaml"} {
		m, err := e.Resolve("../testdata/fun0/" + file)
		if err != nil {
			log.Fatal(err)
		}
		pb, err := e.Estimate(m, estimate.PathBased)
		if err != nil {
			log.Fatal(err)
		}
		mt, err := e.Estimate(m, estimate.MaximalTime)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %.2f by paths, %.2f by maximal times\n", file, pb.Speedup, mt.Speedup)
	}
	// Output:
	// solA.yaml: 1.18 by paths, 1.63 by maximal times
	// solB.yaml: 1.47 by paths, 1.24 by maximal times
}

// A search changes a mapping in place and estimates it again: here each of the three
// sections goes to each of the two processors.
func ExampleEstimator_Estimate() {
	e, err := estimate.Open(exampleBundle, examplePlatform, "fun_0")
	if err != nil {
		log.Fatal(err)
	}
	m, err := e.Resolve("") // OpenMP's static schedule
	if err != nil {
		log.Fatal(err)
	}
	region := &m.Regions[0]
	region.Explicit = true
	best, where := 0.0, [3]int{}
	for i := range 8 {
		proc := [3]int{i & 1, i >> 1 & 1, i >> 2 & 1}
		copy(region.Proc[0], proc[:])
		r, err := e.Estimate(m, estimate.PathBased)
		if err != nil {
			log.Fatal(err)
		}
		if r.Speedup > best {
			best, where = r.Speedup, proc
		}
	}
	fmt.Printf("%.2f with sections on processors %v\n", best, where)
	// Output: 1.47 with sections on processors [0 1 0]
}

func ExampleOpen() {
	_, err := estimate.Open(exampleBundle, "no.yaml", "fun_0")
	fmt.Println(err)
	// Output: platform: open no.yaml: no such file or directory
}
