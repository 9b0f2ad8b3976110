// Package composition says in closed form what parts take together that are executed one after
// the other, side by side, as a pipeline, or as the states of a machine. It knows what each part
// takes in all, and nothing of how that varies from item to item:
//
//	Sequential(3, 5, 2)       10
//	Parallel(3, 5, 2)          5
//	Pipeline(4, []float64{3, 5, 2}, []float64{12, 20, 8})    25: the first item goes through, and three more come every 5
//
// It is there to be held against schedules of what was recorded (package estimate/account), and
// schedules nothing itself. The formulas are those of Y.-k. Choi, *Performance Debugging
// Frameworks for FPGA High-Level Synthesis* (Los Angeles 2019), eqs. 3.1 to 3.4, and of the
// SpecC profiler's retargetable estimation (section 5.3.1.2), which leaves open what its
// Pipeline() is.
package composition

import "slices"

// Time is seconds, or cycles, of which sums stay exact.
type Time interface{ ~int | ~int64 | ~float64 }

// Sequential is what parts take one after the other (eq. 3.1).
func Sequential[T Time](parts ...T) T {
	var sum T
	for _, x := range parts {
		sum += x
	}
	return sum
}

// Parallel is what parts take side by side that wait for each other at the end (eq. 3.2).
func Parallel[T Time](parts ...T) T { return slices.Max(parts) }

// Dataflow bounds what modules take that hand data on through queues: the slowest, and what an
// item takes from the first to the last, where iterations are the latencies of one (eq. 3.3).
func Dataflow[T Time](modules, iterations []T) T {
	return Parallel(modules...) + Sequential(iterations...)
}

// Pipeline is what stages take for so many items, 1 or more, each of which takes as long as any other: the
// first goes through all, and the others leave as the slowest stage lets them. Iterations are what
// one item takes in each stage, stages what all take there, which is less than as many times as
// long where it works on several at a time.
func Pipeline(items float64, iterations, stages []float64) float64 {
	return Sequential(iterations...) + (items-1)*Parallel(stages...)/items
}

// State is a state of a machine: how often it is entered, and what it takes each time.
type State struct{ Times, Takes float64 }

// FSM is what a machine takes that is in one state at a time (5.3.1.2).
func FSM(states ...State) float64 {
	sum := 0.0
	for _, s := range states {
		sum += s.Times * s.Takes
	}
	return sum
}

// Stall is the share of the time in which a module that takes so long does nothing (eq. 3.4).
func Stall(module, total float64) float64 { return 1 - module/total }
