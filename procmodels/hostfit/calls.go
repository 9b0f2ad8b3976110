package hostfit

// This file names the functions of the library that are timed by themselves (suite/calls.c), so that
// programs which call them are not priced by what others take.

// timedCalls are all of them.
var timedCalls = []string{
	"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow",
	"cbrt", "hypot", "fmod", "round",
	"sinf", "cosf", "atan2f", "expf", "logf", "powf", "fmodf",
	"memcpy", "memset", // of lengths that only runs know, 8 to 39 bytes
}
