package loops

// This file counts the iterations of loops from their bounds, for programs that tests make up.

// trips returns how many iterations a loop has that libomp was given with these bounds, the
// upper one included, and stride: what __kmp_for_static_init (kmp_sched.cpp) and
// __kmp_dispatch_init_algorithm (kmp_dispatch.cpp) compute. It is 0 where the first
// iteration is already past the upper bound.
//
// Bounds are 64 bits wide, of an unsigned variable as two's complement; those of 32-bit
// loops are extended by the caller, with zeros where they are unsigned. Their distance is
// taken as an unsigned number, so it may exceed what the variable's type holds. The one loop
// whose count exceeds 64 bits, all of them with stride 1 or -1, counts 0, as libomp has it.
// A stride of 0 counts 0.
//
// Clang hands libomp iteration numbers, not the loop's variable: bounds 0 and n-1, stride 1.
// It computes n as (upper - lower - 1 + stride)/stride, upper past the last value, unsigned and
// as wide as the variable (an int at least), and makes it 0 unless lower is before upper; so
// the bounds in the program's text give n here. Three kinds of loops differ. Where the variable
// would leave its type in the end, which OpenMP does not allow, clang's sum wraps. Where
// an unsigned variable comes to != by wrapping, clang executes nothing. Under collapse, n
// is the product of the loops' counts, in 32 bits or 64; an inner loop bounded by an outer one's
// variable counts as often as its widest row, and iterations of shorter rows that do not
// exist take their place in chunks but execute nothing.
func trips(lower, upper, stride int64, unsigned bool) uint64 {
	if stride < 0 {
		lower, upper = upper, lower
	}
	empty := upper < lower
	if unsigned {
		empty = uint64(upper) < uint64(lower)
	}
	if empty || stride == 0 {
		return 0
	}
	size := uint64(stride)
	if stride < 0 {
		size = -size
	}
	return (uint64(upper)-uint64(lower))/size + 1
}
