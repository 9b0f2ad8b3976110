package procmodels

// This file takes apart the names of LLVM intrinsics.

import (
	"regexp"
	"strings"
)

const intrinsicPrefix = "llvm."

// mangledType matches one type as intrinsic names spell it: i32, f64, p0, p0i8,
// v4f32, nxv2i64, s_struct.x, a4i8, isVoid, sl_i32i1s.
var mangledType = regexp.MustCompile(`^(i\d+|f\d+|bf16|ppcf128|p\d+.*|v\d+.*|nxv\d+.*|a\d+.*|s_.*|sl_.*|isVoid|Metadata|vararg|x86mmx|x86amx|f_.*)$`)

// splitIntrinsic returns the name without "llvm." and without the types at its end
// ("memcpy", "sadd.with.overflow"), and the first of these types as LLVM assembly
// spells it, or "" when there is none or it is no simple type.
func splitIntrinsic(name string) (base, typ string) {
	parts := strings.Split(strings.TrimPrefix(name, intrinsicPrefix), ".")
	n := len(parts)
	for n > 1 && mangledType.MatchString(parts[n-1]) {
		n--
	}
	if n < len(parts) {
		typ = demangleType(parts[n])
	}
	return strings.Join(parts[:n], "."), typ
}

var (
	mangledVector = regexp.MustCompile(`^(nx)?v(\d+)(i\d+|f\d+|bf16)$`)
	mangledFloats = map[string]string{
		"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double",
		"f80": "x86_fp80", "f128": "fp128", "ppcf128": "ppc_fp128",
	}
)

func demangleType(m string) string {
	if v := mangledVector.FindStringSubmatch(m); v != nil {
		scale := ""
		if v[1] != "" {
			scale = "vscale x "
		}
		return "<" + scale + v[2] + " x " + demangleType(v[3]) + ">"
	}
	if f, ok := mangledFloats[m]; ok {
		return f
	}
	if m[0] == 'p' {
		return "ptr"
	}
	if m[0] == 'i' && digits(m[1:]) {
		return m
	}
	return ""
}
