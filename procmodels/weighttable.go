package procmodels

// This file reads weight tables: cycles by LLVM opcode and type (Cai and Gajski's
// SpecC profiler, section 5.2, whose weights for operations these are).

import (
	"maps"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// AdditiveUnit is the unit of models that add up what instructions take.
const AdditiveUnit = "clock cycle of the processor; instructions add up, without overlap, cache misses or contention"

const (
	weightsSchema = "pathspan.weights/1"
	// maxCycles bounds one weight: far above any instruction, far below where
	// sums of weights would lose digits.
	maxCycles = 1e12
)

// weightTable is a weight table as read, with what it inherits.
type weightTable struct {
	desc      Description
	hard      costSection // what the processor's instructions cost
	soft      costSection // what replaces it where floating point is a library's work
	softFloat softFloat
	// Where nothing else fits; their uses are reported.
	otherOpcode    float64
	otherIntrinsic float64
	otherCall      float64
}

type costSection struct {
	weights    map[string]weight     // by opcode
	intrinsics prefixTable[weight]   // by name without "llvm." and types
	calls      prefixTable[callCost] // by symbol of an external function
}

// weight is what an opcode or intrinsic costs: by type, and for types that are not
// listed; or, of an intrinsic, by the size of what it works on.
type weight struct {
	byType map[string]figure
	other  figure
	has    bool // other is given
	size   *sizeCost
}

// readWeights reads a weight table:
//
//	schema: pathspan.weights/1
//	name: mycore
//	extends: generic                            # a built-in table or a file; see inherit.go
//	source: where the figures come from
//	clock_mhz: 100
//	default: 1                                  # opcodes without a weight
//	weights:
//	  add: 1                                    # any type
//	  mul: {default: 3, i64: 8, <4 x i32>: 4}   # by type
//	  udiv: {best: 2, typical: 7, worst: 12}    # a range, here or by type; see figure.go
//	intrinsics:
//	  fabs: {float: 1, double: 2, default: 2}
//	  lifetime.*: 0
//	calls:                                      # external functions, without the call itself
//	  sqrt: 120
//	  memcpy: {base: 10, per_byte: 0.5, bytes: 64, size_arg: 2} # 64 bytes where argument 2 is no constant
//	  __kmpc_*: 0                               # 0: not even the call is made
//	  default: 50
//	soft_float: double                          # see softfloat.go
//	soft_float_weights:
//	  weights: {fadd: 75, ...}
func readWeights(r *yamlstrict.Reader) *weightTable {
	return readWeightsBelow(r, []string{r.Root().Pos().File})
}

// readWeightsBelow reads the table of the last file of a chain in which each
// extends the next.
func readWeightsBelow(r *yamlstrict.Reader, chain []string) *weightTable {
	top := r.Root().Fields("schema", "name", "extends", "source", "notes", "clock_mhz", "default", "weights", "intrinsics", "calls",
		"soft_float", "soft_float_weights", "traffic", "memory")
	top.Schema(weightsSchema, true)
	t := &weightTable{}
	extends := top.Get("extends")
	own := readDescription(top, KindWeights, weightsSchema)
	if extends.Has() {
		t = readParent(extends, chain)
		own = inheritDescription(own, t.desc)
	}
	t.desc = own
	t.desc.Additive = true
	t.desc.Unit = AdditiveUnit
	if v := top.Get("default"); v.Has() || !extends.Has() {
		t.otherOpcode = cycles(top.Need("default"))
		if !extends.Has() {
			t.otherIntrinsic, t.otherCall = t.otherOpcode, t.otherOpcode
		}
	}
	if v := top.Get("weights"); v.Has() || !extends.Has() {
		readOpcodes(top.Need("weights"), &t.hard, opcodes, "LLVM opcode")
	}
	if w, ok := t.hard.weights["call"]; !ok || !w.has {
		top.Get("weights").Fail("weights have none for \"call\", or none for all types: add one, such as \"call: 3\"")
	}
	readIntrinsics(top.Get("intrinsics"), &t.hard, &t.otherIntrinsic)
	readCalls(top.Get("calls"), &t.hard, &t.otherCall)
	readSoftFloat(top, t)
	for _, key := range []string{"traffic", "memory"} {
		top.Refuse(key, "no estimate uses it, since bundles hold no volumes of data; leave it out")
	}
	return t
}

// readOpcodes adds the weights of a mapping by opcode, of those known.
func readOpcodes(v yamlstrict.Value, s *costSection, known []string, what string) {
	s.weights = maps.Clone(s.weights)
	if s.weights == nil {
		s.weights = map[string]weight{}
	}
	for _, e := range v.Entries() {
		if !slices.Contains(known, e.Key) {
			e.Value.Fail("%q is no %s: want %s", e.Key, what, suggestOpcode(e.Key, known))
			return
		}
		s.weights[e.Key] = s.weights[e.Key].with(readWeight(e.Value, e.Key))
	}
}

// readIntrinsics adds the weights of a mapping by intrinsic. With no place for a
// default (other), "default" is refused.
func readIntrinsics(v yamlstrict.Value, s *costSection, other *float64) {
	s.intrinsics = maps.Clone(s.intrinsics)
	if s.intrinsics == nil {
		s.intrinsics = prefixTable[weight]{}
	}
	for _, e := range v.Entries() {
		switch {
		case e.Key == "default" && other == nil:
			e.Value.Fail("default stands for all intrinsics: give it in intrinsics")
		case e.Key == "default":
			*other = cycles(e.Value)
		case strings.HasPrefix(e.Key, intrinsicPrefix):
			e.Value.Fail("intrinsic %q: write it without %q", e.Key, intrinsicPrefix)
			return
		case isSizeCost(e.Value):
			s.intrinsics[e.Key] = weight{size: readSizeCost(e.Value, "intrinsic "+e.Key)}
		default:
			s.intrinsics[e.Key] = s.intrinsics[e.Key].with(readWeight(e.Value, "intrinsic "+e.Key))
		}
	}
}

// readDescription reads the keys that all kinds of tables share.
func readDescription(top yamlstrict.Fields, kind, version string) Description {
	d := Description{Name: top.Need("name").Text(), Kind: kind, Version: version}
	d.Source = strings.TrimSpace(top.Get("source").Paragraph())
	d.Notes = strings.TrimSpace(top.Get("notes").Paragraph())
	if v := top.Get("clock_mhz"); v.Has() {
		d.ClockMHz = v.Positive()
	}
	return d
}

// readWeight reads a figure for all types, or figures by type; name names what costs
// it.
func readWeight(v yamlstrict.Value, name string) weight {
	if v.IsScalar() || isRange(v) {
		return weight{other: readFigure(v, name, inCycles), has: true}
	}
	w := weight{byType: map[string]figure{}}
	for _, e := range v.Entries() {
		if e.Key == "default" {
			w.other, w.has = readFigure(e.Value, name, inCycles), true
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
		w.byType[e.Key] = readFigure(e.Value, name+" "+e.Key, inCycles)
	}
	return w
}

func cycles(v yamlstrict.Value) float64 { return amount(v, "cycles", maxCycles) }

// amount reads a number of a unit, at most most of it.
func amount(v yamlstrict.Value, unit string, most float64) float64 {
	x := v.NonNegative()
	if x > most {
		v.Fail("%g %s: want at most %g", x, unit, most)
		return 0
	}
	return x
}

func suggestOpcode(word string, known []string) string {
	if n := yamlstrict.Nearest(word, known); n != "" {
		return `"` + n + `"`
	}
	if len(known) < len(opcodes) {
		return "one of " + yamlstrict.List(known)
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
