package pipeline

// This file follows values along a walk, as far as it takes to see which loads read what was stored on it:
// through variables, and through elements of arrays whose indices differ by constants.

import (
	"pathspan/ir"
)

// value is what something computed: a number that is not known, by what tells it from others, and one that is
// known, added to it. Without the first it is a constant. Equal values are equal wherever the walk began.
type value struct {
	of   uint64
	plus int64
}

// What values begin with, that nothing but the walk knows.
const (
	anArgument = 1 + iota
	aGlobal
	atFirst // what memory holds that nothing on the walk stored
	aResult // of an instruction, in an activation
	anOperation
)

// mixed tells values by what they are made of: 64 bits, so that two of a walk do not meet by chance.
func mixed(of ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, x := range of {
		h = (h ^ x) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// kept is what is in memory.
type kept struct {
	at int // when it is there
	value
}

// unknown is a value that no other equals.
func (w *walker) unknown() value {
	w.fresh++
	return value{of: mixed(w.fresh)}
}

// valueOf is the value of an operand.
func (w *walker) valueOf(a *activation, o ir.Operand) value {
	switch o.Kind {
	case ir.Constant:
		return value{plus: o.N}
	case ir.Computed:
		if x := a.values[w.first[a.fn][o.Block]+int(o.N)]; x != (value{}) {
			return x
		}
		// Before the walk began; or zero, of which no more is told than that.
		return value{of: mixed(aResult, a.serial, uint64(o.Block), uint64(o.N))}
	case ir.Argument:
		if int(o.N) < len(a.passed) {
			return a.passed[o.N]
		}
		return value{of: mixed(anArgument, a.serial, uint64(o.N))}
	}
	return w.unknown() // of a global too: operands do not say where in it
}

// placeOf is where a load or a store accesses memory, and whether the address is one that does not change
// while the function runs.
func (w *walker) placeOf(a *activation, fn, block, instr int) (at value, fixed, ok bool) {
	addr, ok := w.ops.Address(fn, block, instr)
	if !ok {
		return value{}, false, false
	}
	base := value{of: mixed(aGlobal, uint64(addr.Base.N))}
	if addr.Root != ir.OnGlobal {
		base = w.valueOf(a, addr.Base)
	}
	at = value{base.of, base.plus + addr.Offset}
	if addr.Index.Kind == ir.Unknown {
		return at, addr.Root != ir.OnPointer, true
	}
	index := w.valueOf(a, addr.Index)
	at.plus += index.plus * addr.Scale
	if index.of != 0 {
		at.of = mixed(at.of, index.of, uint64(addr.Scale))
	}
	return at, false, true
}

// computes is what an instruction computes of its operands, which are not read from memory.
func (w *walker) computes(a *activation, fn, block, instr int, in *ir.Instr, ops []ir.Operand) value {
	if len(ops) == 0 && in.Op != "alloca" || in.Call != nil {
		return w.unknown()
	}
	switch in.Op {
	case "add", "sub":
		if len(ops) != 2 {
			break
		}
		x, y := w.valueOf(a, ops[0]), w.valueOf(a, ops[1])
		switch {
		case y.of == 0 && in.Op == "sub":
			return value{x.of, x.plus - y.plus}
		case y.of == 0:
			return value{x.of, x.plus + y.plus}
		case x.of == 0 && in.Op == "add":
			return value{y.of, x.plus + y.plus}
		}
	case "zext", "sext", "freeze", "bitcast":
		return w.valueOf(a, ops[0])
	case "alloca":
		return value{of: mixed(aResult, a.serial, uint64(block), uint64(instr))}
	}
	// The same of the same, wherever in the function.
	of := mixed(anOperation, uint64(fn), uint64(block), uint64(instr))
	for _, o := range ops {
		x := w.valueOf(a, o)
		of = mixed(of, x.of, uint64(x.plus))
	}
	return value{of: of}
}
