package procmodels

// This file holds what weight tables say of data rather than of instructions: the
// weights for traffic and for memory of Cai and Gajski's SpecC profiler, section 5.2,
// which there turn amounts of data by type into communication (5.3.2) and memory
// requirements (5.3.3).

import "pathspan/yamlstrict"

// maxTypeBytes bounds the size of a value of one type.
const maxTypeBytes = 1e6

// DataWeights is what a model may know of data. Weight tables implement it; a Model
// is asked by a type assertion:
//
//	if d, ok := m.(procmodels.DataWeights); ok {
//		cycles, known := d.Traffic("double")
//	}
//
// Types are spelled as in LLVM assembly: "i32", "<4 x float>", "{ i8, ptr }". A
// vector or array costs its elements, a structure its fields without padding; the
// type of a name (%struct.s) is unknown.
//
// Nothing in this tree asks yet: the figures are for an estimate of the data that
// sections on different processors exchange, and for a check that what is mapped to
// a processor fits its memory.
type DataWeights interface {
	// Traffic returns the cycles to move one value of the type over the processor's
	// interconnect, and whether the model says so.
	Traffic(typ string) (cycles float64, ok bool)
	// Memory returns the bytes that one value of the type takes, and whether the
	// model says so.
	Memory(typ string) (bytes float64, ok bool)
}

// Traffic implements DataWeights.
func (t *weightTable) Traffic(typ string) (float64, bool) { return t.traffic.ofData(parseType(typ)) }

// Memory implements DataWeights.
func (t *weightTable) Memory(typ string) (float64, bool) { return t.memory.ofData(parseType(typ)) }

// ofData applies a weight to a value of a type. Unlike [weight.price] it does not
// guess: what the table does not say and what is of unknown size has no answer.
func (w *weight) ofData(typ *irType) (float64, bool) {
	if x, ok := w.byType[typ.key]; ok {
		return x.typical, true
	}
	switch typ.class {
	case classVector, classArray:
		x, ok := w.ofData(typ.elem)
		return x * float64(typ.count), ok && !typ.scalable
	case classWide:
		x, ok := w.ofData(&irType{key: "i64"})
		return x * float64(typ.count), ok
	case classStruct:
		sum := 0.0
		for _, f := range typ.fields {
			x, ok := w.ofData(f)
			if !ok {
				return 0, false
			}
			sum += x
		}
		return sum, true
	case classUnknown:
		return 0, false
	}
	return w.other.typical, w.has && typ.key != "void"
}

func readData(v yamlstrict.Value, q quantity) weight {
	if !v.Has() {
		return weight{}
	}
	return readWeight(v, "", q)
}
