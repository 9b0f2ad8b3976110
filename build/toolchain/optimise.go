package toolchain

// This file spells runs of opt, and of clang where it makes code of what opt made.

import (
	"slices"
	"strings"
)

// OptArgs returns opt's arguments for running a pipeline, in the textual form
// of -passes, over a module.
//
// Vectorisation is off unless asked for: the run is on the host, but costs are
// for another processor. It must be switched off here: clang's -fno-vectorize
// and -fno-slp-vectorize steer only the passes that clang itself would run and
// leave no trace in the module. With the two options below, opt turns off what
// clang does with its two (seen on 14, 16, 19 and 22).
//
// The output is bitcode, unless its name ends in .ll.
func OptArgs(passes string, vectorize bool, input, output string) []string {
	var args []string
	if strings.HasSuffix(output, ".ll") {
		args = append(args, "-S")
	}
	if !vectorize {
		args = append(args, "-vectorize-loops=false", "-vectorize-slp=false")
	}
	return append(args, "-passes="+passes, input, "-o", output)
}

// PassesAgain returns the pipeline for a module that was optimised before something was
// written into it: the additions become registers, are moved out of loops, and join the
// code around them. Counting programs execute no more instructions than after a second
// default pipeline, in a third of its time. Loops are rotated once more, since what is
// added to their latches undoes it.
func (t *Toolchain) PassesAgain() string {
	combine := "instcombine"
	if t.Version >= 18 {
		combine += "<no-verify-fixpoint>" // as in the default pipelines
	}
	return "always-inline,globaldce,require<globals-aa>,function(sroa,early-cse<memssa>,simplifycfg," + combine +
		",loop-mssa(loop-rotate,licm),loop(indvars,loop-deletion),early-cse<memssa>,loop-mssa(licm)," + combine + ",simplifycfg)"
}

// RotateLoops are clang's arguments that have it lay out loops by how often they are
// guessed to iterate, so that they end in their test. What counts on a loop's way back
// otherwise takes a jump more in each iteration. (LLVM 14 to 22 know the option.)
var RotateLoops = []string{"-mllvm", "-force-precise-rotation-cost"}

// FixedAddress returns clang's arguments for making and linking code that runs at a fixed
// address, as far as flags for the linker do not ask for another kind of program. Counters
// that are found by the number of a path then need no register for where they begin.
func FixedAddress(linkFlags []string) []string {
	if slices.ContainsFunc(linkFlags, func(flag string) bool { return strings.Contains(flag, "pie") || strings.Contains(flag, "shared") }) {
		return nil
	}
	return []string{"-fno-pie", "-no-pie"}
}
