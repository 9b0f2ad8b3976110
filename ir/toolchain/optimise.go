package toolchain

// This file spells a run of opt.

// OptArgs returns opt's arguments for running a pipeline, in the textual form
// of -passes, over a module.
//
// Vectorisation is off unless asked for: the run is on the host, but costs are
// for another processor. It must be switched off here: clang's -fno-vectorize
// and -fno-slp-vectorize steer only the passes that clang itself would run and
// leave no trace in the module. With the two options below, opt turns off what
// clang does with its two (seen on 14, 16, 19 and 22).
func OptArgs(passes string, vectorize bool, input, output string) []string {
	args := []string{"-S"}
	if !vectorize {
		args = append(args, "-vectorize-loops=false", "-vectorize-slp=false")
	}
	return append(args, "-passes="+passes, input, "-o", output)
}
