package procmodels

// This file makes floating point the work of a library, by an option of the table.
//
// A table gives what an operation costs in hardware in weights, intrinsics and
// calls, and what its library routine costs, call included, in soft_float_weights,
// which holds sections of the same names. The key soft_float chooses:
//
//	soft_float: false    # or absent: an FPU does it
//	soft_float: true     # a library does it
//	soft_float: double   # an FPU for half, bfloat and float, a library for the rest
//
// so that a core without an FPU is two lines: extends the core, soft_float: true.

import (
	"strings"

	"pathspan/yamlstrict"
)

// softFloat says for which types floating point is a library's work.
type softFloat uint8

const (
	softNone softFloat = iota
	softWide           // what is wider than float
	softAll
)

var softFloats = map[string]softFloat{"false": softNone, "double": softWide, "true": softAll}

// floatOpcodes are the instructions that a processor without FPU calls a routine for.
var floatOpcodes = []string{
	"fneg", "fadd", "fsub", "fmul", "fdiv", "frem", "fcmp",
	"fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp",
}

func readSoftFloat(top yamlstrict.Fields, t *weightTable) {
	f := top.Get("soft_float_weights").Fields("weights", "intrinsics", "calls")
	readOpcodes(f.Get("weights"), &t.soft, floatOpcodes, "floating-point opcode")
	readIntrinsics(f.Get("intrinsics"), &t.soft, nil)
	readCalls(f.Get("calls"), &t.soft, nil)
	option := top.Get("soft_float")
	if option.Has() {
		t.softFloat = softFloats[option.Word("true", "false", "double")]
	}
	if t.softFloat == softNone {
		return
	}
	for _, op := range floatOpcodes {
		if w, ok := t.soft.weights[op]; !ok || !w.has {
			option.Fail("soft_float needs a cost of the routine for %q: add it to soft_float_weights.weights, for all types", op)
			return
		}
	}
}

// covers says whether operations on the type are a library's work.
func (s softFloat) covers(typ *irType) bool {
	switch {
	case s != softWide:
		return s == softAll
	case typ.elem != nil:
		return s.covers(typ.elem)
	}
	switch typ.key {
	case "half", "bfloat", "float":
		return false
	}
	return true
}

func (t *weightTable) opcode(op string, typ *irType) (weight, bool) {
	if t.softFloat.covers(typ) {
		if w, ok := t.soft.weights[op]; ok {
			return w, true
		}
	}
	w, ok := t.hard.weights[op]
	if stand, has := standsFor[op]; !ok && has {
		w, ok = t.hard.weights[stand]
	}
	return w, ok
}

// intrinsic returns the weight of an intrinsic by its name without prefix and types
// (base) and with them (name), as these say which floating-point type it works on:
// of llvm.lround.i32.f64 it is the second.
func (t *weightTable) intrinsic(base, name string) (weight, bool) {
	if t.softFloat != softNone {
		if w, ok := t.soft.intrinsics.find(base); ok && t.softFloat.covers(floatOf(base, name)) {
			return w, true
		}
	}
	return t.hard.intrinsics.find(base)
}

// floatOf returns the first floating-point type that an intrinsic's name ends in,
// float where there is none.
func floatOf(base, name string) *irType {
	types := strings.TrimPrefix(strings.TrimPrefix(name, intrinsicPrefix), base)
	for _, m := range strings.FieldsFunc(types, func(r rune) bool { return r == '.' }) {
		t := parseType(demangleType(m))
		e := t
		for e.elem != nil {
			e = e.elem
		}
		if e.class == classRareFloat || e.key == "float" || e.key == "double" {
			return t
		}
	}
	return parseType("float")
}

// call returns what an external function costs. Whether it works on float or on
// something wider shows in the type of its result, as in sqrt and sqrtf.
func (t *weightTable) call(name, resultType string) (callCost, bool) {
	if t.softFloat != softNone {
		if c, ok := t.soft.calls.find(name); ok && t.softFloat.covers(parseType(resultType)) {
			return c, true
		}
	}
	return t.hard.calls.find(name)
}
