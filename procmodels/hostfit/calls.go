package hostfit

// This file names the functions of the library that are timed by themselves (suite/calls.c), so that
// programs which call them are not priced by what others take.

import "maps"

// timedCalls are all of them.
var timedCalls = []string{
	"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow",
	"cbrt", "hypot", "fmod", "round",
	"sinf", "cosf", "atan2f", "expf", "logf", "powf", "fmodf",
	"memcpy", "memset", // of lengths that only runs know, 8 to 39 bytes
	"copies", "strcpy", "strtol", "strtod",
	"snprintf", "sprintf", "printf", "fprintf", "format_d", "format_x", "format_s", "format_f",
}

// callsOf makes of what was timed what calls take, and what conversions of formats and bytes that are copied add.
func callsOf(cycles map[string]float64) map[string]float64 {
	calls := maps.Clone(cycles)
	for _, kind := range []string{"d", "f", "s", "x"} {
		calls["format %"+kind] = max(0, cycles["format_"+kind]-cycles["snprintf"])
		delete(calls, "format_"+kind)
	}
	calls["bytes moved"] = max(0, cycles["copies"]-cycles["memcpy"]) / (1024 - (8+39)/2.)
	delete(calls, "copies")
	calls["atol"], calls["atoi"], calls["strtoll"], calls["atof"] = calls["strtol"], calls["strtol"], calls["strtol"], calls["strtod"]
	return calls
}
