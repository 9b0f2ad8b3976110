package memory

// This file says what functions of the C library do to the program's memory.

import "strings"

// Size says how many bytes an effect is about.
type Size struct {
	Kind  SizeKind
	Arg   int // index of the argument
	Times int // index of the argument that multiplies it, -1 for none
}

// SizeKind says where a size comes from.
type SizeKind uint8

// The kinds of sizes.
const (
	Bytes  SizeKind = iota // argument Arg
	String                 // the string that argument Arg points to, with its zero
	Result                 // what the call returns, where that is not negative
)

// Effect is an access of a function to what one of its arguments points to.
type Effect struct {
	Pointer int // index of the argument, -1: the result
	Writes  bool
	After   bool // it is known behind the call only
	Size    Size
}

func reads(pointer int, s Size) Effect  { return Effect{Pointer: pointer, Size: s} }
func writes(pointer int, s Size) Effect { return Effect{Pointer: pointer, Writes: true, Size: s} }
func after(e Effect) Effect             { e.After = true; return e }
func bytesOf(arg int) Size              { return Size{Bytes, arg, -1} }
func stringAt(arg int) Size             { return Size{String, arg, -1} }

var copies = []Effect{reads(1, bytesOf(2)), writes(0, bytesOf(2))}

// library are the functions that pathspan knows. Those of LLVM are told by what their names
// begin with.
var library = map[string][]Effect{
	"memcpy": copies, "memmove": copies, "mempcpy": copies,
	"memset": {writes(0, bytesOf(2))}, "bzero": {writes(0, bytesOf(1))},
	"memcmp": {reads(0, bytesOf(2)), reads(1, bytesOf(2))}, "bcmp": {reads(0, bytesOf(2)), reads(1, bytesOf(2))},
	"memchr": {reads(0, bytesOf(2))},
	"strlen": {reads(0, stringAt(0))}, "puts": {reads(0, stringAt(0))}, "fputs": {reads(0, stringAt(0))},
	"strcpy": {reads(1, stringAt(1)), writes(0, stringAt(1))}, "stpcpy": {reads(1, stringAt(1)), writes(0, stringAt(1))},
	"strcmp": {reads(0, stringAt(0)), reads(1, stringAt(1))}, "strchr": {reads(0, stringAt(0))}, "strrchr": {reads(0, stringAt(0))},
	"strtol": {reads(0, stringAt(0))}, "strtod": {reads(0, stringAt(0))}, "atoi": {reads(0, stringAt(0))}, "atof": {reads(0, stringAt(0))},
	"fread":   {after(writes(0, Size{Result, -1, 1}))},
	"fwrite":  {reads(0, Size{Bytes, 1, 2})},
	"read":    {after(writes(1, Size{Result, -1, -1}))},
	"write":   {reads(1, bytesOf(2))},
	"fgets":   {after(writes(0, stringAt(0)))},
	"sprintf": {after(writes(0, stringAt(0)))}, "snprintf": {after(writes(0, stringAt(0)))},
}

// Effects returns what a function does to memory, nil where nothing is known.
func Effects(name string) []Effect {
	for _, of := range []struct {
		prefix string
		like   string
	}{{"llvm.memcpy.", "memcpy"}, {"llvm.memmove.", "memmove"}, {"llvm.memset.", "memset"}} {
		if strings.HasPrefix(name, of.prefix) {
			return library[of.like]
		}
	}
	return library[name]
}
