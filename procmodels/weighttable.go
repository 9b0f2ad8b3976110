package procmodels

// This file reads weight tables: cycles by LLVM opcode and type (Cai and Gajski's
// SpecC profiler, section 5.2, whose operation weights these are).

import (
	"strings"

	"pathspan/yamlstrict"
)

const (
	weightsSchema = "pathspan.weights/1"
	// maxCycles bounds one weight: far above any instruction, far below where
	// sums of weights would lose digits.
	maxCycles = 1e12
)

// weightTable is a weight table as read.
type weightTable struct {
	desc       Description
	weights    map[string]weight    // by opcode
	intrinsics prefixTable[weight]  // by name without "llvm." and types
	calls      prefixTable[float64] // by symbol of an external function
	// Where nothing else fits; their uses are reported.
	otherOpcode    float64
	otherIntrinsic float64
	otherCall      float64
}

// weight is what an opcode costs: by type, and for types that are not listed.
type weight struct {
	byType map[string]float64
	other  float64
	has    bool // other is given
}

// readWeights reads a weight table:
//
//	schema: pathspan.weights/1
//	name: mycore
//	source: where the figures come from
//	clock_mhz: 100
//	default: 1                                  # opcodes without a weight
//	weights:
//	  add: 1                                    # any type
//	  mul: {default: 3, i64: 8, <4 x i32>: 4}   # by type
//	intrinsics:
//	  fabs: {float: 1, double: 2, default: 2}
//	  lifetime.*: 0
//	calls:                                      # external functions, without the call itself
//	  sqrt: 120
//	  __kmpc_*: 0                               # 0: not even the call is made
//	  default: 50
func readWeights(r *yamlstrict.Reader) *weightTable {
	top := r.Root().Fields("schema", "name", "source", "notes", "clock_mhz", "default", "weights", "intrinsics", "calls")
	top.Schema(weightsSchema, true)
	t := &weightTable{desc: readDescription(top, KindWeights, weightsSchema)}
	t.otherOpcode = cycles(top.Need("default"))
	t.weights = map[string]weight{}
	for _, e := range top.Need("weights").Entries() {
		if !contains(opcodes, e.Key) {
			e.Value.Fail("%q is no LLVM opcode: want %s", e.Key, suggestOpcode(e.Key))
			return t
		}
		t.weights[e.Key] = readWeight(e.Value)
	}
	if w, ok := t.weights["call"]; !ok || !w.has {
		top.Get("weights").Fail("weights have none for \"call\", or none for all types: add one, such as \"call: 3\"")
	}
	t.otherIntrinsic = t.otherOpcode
	t.intrinsics = prefixTable[weight]{}
	for _, e := range top.Get("intrinsics").Entries() {
		switch {
		case e.Key == "default":
			t.otherIntrinsic = cycles(e.Value)
		case strings.HasPrefix(e.Key, intrinsicPrefix):
			e.Value.Fail("intrinsic %q: write it without %q", e.Key, intrinsicPrefix)
			return t
		default:
			t.intrinsics[e.Key] = readWeight(e.Value)
		}
	}
	t.otherCall = t.otherOpcode
	t.calls = prefixTable[float64]{}
	for _, e := range top.Get("calls").Entries() {
		if e.Key == "default" {
			t.otherCall = cycles(e.Value)
		} else {
			t.calls[e.Key] = cycles(e.Value)
		}
	}
	return t
}

// readDescription reads the keys that all kinds of tables share.
func readDescription(top yamlstrict.Fields, kind, version string) Description {
	d := Description{Name: top.Need("name").Text(), Kind: kind, Version: version}
	d.Source = strings.TrimSpace(top.Get("source").Text())
	d.Notes = strings.TrimSpace(top.Get("notes").Text())
	if v := top.Get("clock_mhz"); v.Has() {
		d.ClockMHz = v.Positive()
	}
	return d
}

func readWeight(v yamlstrict.Value) weight {
	if v.IsScalar() {
		return weight{other: cycles(v), has: true}
	}
	w := weight{byType: map[string]float64{}}
	for _, e := range v.Entries() {
		if e.Key == "default" {
			w.other, w.has = cycles(e.Value), true
			continue
		}
		t := parseType(e.Key)
		switch t.class {
		case classArray, classStruct, classUnknown:
			e.Value.Fail("%q is no type that weights can go by: want %s", e.Key, suggestType(e.Key))
			return w
		}
		if t.key != e.Key {
			e.Value.Fail("type %q: write it as %q", e.Key, t.key)
			return w
		}
		w.byType[e.Key] = cycles(e.Value)
	}
	return w
}

func cycles(v yamlstrict.Value) float64 {
	x := v.NonNegative()
	if x > maxCycles {
		v.Fail("%g cycles: want at most %g", x, maxCycles)
		return 0
	}
	return x
}

func suggestOpcode(word string) string {
	if n := yamlstrict.Nearest(word, opcodes); n != "" {
		return `"` + n + `"`
	}
	return "one of the Language Reference, such as add, load, br.cond"
}

func suggestType(word string) string {
	types := append(append([]string{"default"}, plainTypes...), rareFloats...)
	if n := yamlstrict.Nearest(word, types); n != "" {
		return `"` + n + `"`
	}
	return yamlstrict.List(types) + ", or a vector such as <4 x i32>"
}

// prefixTable maps names to what they cost. A key that ends in * stands for all
// names that begin so; the longest key that fits counts.
type prefixTable[T any] map[string]T

func (t prefixTable[T]) find(name string) (T, bool) {
	if c, ok := t[name]; ok {
		return c, true
	}
	for n := len(name); n >= 0; n-- {
		if c, ok := t[name[:n]+"*"]; ok {
			return c, true
		}
	}
	var none T
	return none, false
}
