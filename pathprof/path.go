package pathprof

// This file says what a path of a level is made of, and how it ends.

import (
	"math"
	"math/bits"
)

// SinkKind says how a path of a level ends.
type SinkKind uint8

// The ways a path ends.
const (
	EndIteration  SinkKind = iota + 1 // takes a back edge of its loop
	EndFunction                       // leaves the function in a block without successors
	EndCut                            // reaches a block where the level was cut
	EndPartial                        // leaves its loop where the outer level was not told how (collapsed)
	EndIncomplete                     // was under way when the program ended
)

// Step is one element of a path: a basic block (>= 0), or a loop with its
// completed iterations, which the paper writes L*.
type Step int

// LoopStep returns the step that stands for the completed iterations of a loop.
func LoopStep(loop int) Step { return Step(-1 - loop) }

// Loop returns the loop that the step stands for, or -1 for a block.
func (s Step) Loop() int {
	if s < 0 {
		return int(-1 - s)
	}
	return -1
}

// AddSat returns a + b, or the largest number where the sum is larger.
func AddSat(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return s
}

// MulSat returns a * b, or the largest number where the product is larger.
func MulSat(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return math.MaxUint64
	}
	return lo
}
