package ir

// This file reads what instructions use from a module.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// ReadOperands reads what the instructions of p use from the module that p is the view of.
func ReadOperands(p *Program, module []byte) (*Operands, error) {
	m, err := asm.Parse(module)
	if err != nil {
		return nil, err
	}
	if len(m.Funcs()) != len(p.Funcs) {
		return nil, fmt.Errorf("the module has %d functions, its program %d", len(m.Funcs()), len(p.Funcs))
	}
	r := operandReader{m: m, out: NewOperands(p), layout: newLayout(m), globals: map[string]int64{}}
	for i, f := range m.Funcs() {
		if err := r.fn(i, f, p.Funcs[i]); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

type operandReader struct {
	m      *asm.Module
	out    *Operands
	layout *layout

	// Of one function:
	values  map[string]Operand    // by name
	defined map[string]*asm.Instr // what computes a pointer, by name
	blocks  map[string]int32

	globals map[string]int64 // numbers, by name
	uses    []Operand        // of one instruction
}

func (r *operandReader) fn(index int, f *asm.Func, view *Func) error {
	if len(f.Blocks) != len(view.Blocks) {
		return fmt.Errorf("function @%s: the module has %d blocks, its program %d", f.Name(), len(f.Blocks), len(view.Blocks))
	}
	r.values, r.defined, r.blocks = map[string]Operand{}, map[string]*asm.Instr{}, map[string]int32{}
	for i, a := range f.Params() {
		r.values[a.Name] = Operand{Kind: Argument, N: int64(i)}
	}
	for bi, blk := range f.Blocks {
		r.blocks[blk.Name()] = int32(bi)
		n, size := int64(0), 0
		for _, in := range blk.Instrs {
			if !Viewed(in) {
				continue
			}
			if name := in.Result(); name != "" {
				r.values[name] = Operand{Kind: Computed, Block: int32(bi), N: n}
				switch in.Op() {
				case "getelementptr", "bitcast", "addrspacecast", "alloca":
					r.defined[name] = in
				}
			}
			n++
			size += len(in.Operands()) + 2*len(in.Phi())
		}
		if int(n) != len(view.Blocks[bi].Instrs) {
			return fmt.Errorf("function @%s, block %s: the module has %d instructions, its program %d", f.Name(), blk.Name(), n, len(view.Blocks[bi].Instrs))
		}
		b := &r.out.funcs[index][bi]
		b.ends, b.list = make([]uint32, 0, n), make([]Operand, 0, size)
	}
	for bi, blk := range f.Blocks {
		for _, in := range blk.Instrs {
			if Viewed(in) {
				r.instr(index, bi, in)
			}
		}
	}
	return nil
}

func (r *operandReader) instr(fn, block int, in *asm.Instr) {
	r.uses = r.uses[:0]
	if pairs := in.Phi(); pairs != nil {
		for _, p := range pairs {
			r.uses = append(r.uses, r.operand(asm.Operand{Type: in.Type(), Value: p.Value}), Operand{Kind: From, Block: r.blocks[p.Block]})
		}
		r.out.Add(fn, block, r.uses, nil)
		return
	}
	ops := in.Operands()
	for _, o := range ops {
		r.uses = append(r.uses, r.operand(o))
	}
	at := -1 // of the pointer
	switch in.Op() {
	case "load", "cmpxchg", "atomicrmw":
		at = 0
	case "store":
		at = 1
	}
	if at < 0 || at >= len(ops) {
		r.out.Add(fn, block, r.uses, nil)
		return
	}
	a := r.address(ops[at])
	if size, _, ok := r.layout.of(in.Type()); ok && size < 1<<32 {
		a.Bytes = uint32(size)
	}
	r.out.Add(fn, block, r.uses, &a)
}

func (r *operandReader) operand(o asm.Operand) Operand {
	if name, ok := asm.LocalName(o.Value); ok {
		return r.values[name] // of what is no instruction of the view: Unknown
	}
	if v, ok := constInt(o.Type, o.Value); ok {
		return Operand{Kind: Constant, N: v}
	}
	if at := strings.IndexByte(o.Value, '@'); at >= 0 {
		return Operand{Kind: Global, N: r.global(o.Value[at:])}
	}
	return Operand{}
}

// global numbers what a value with the name of a global begins with, by first use.
func (r *operandReader) global(value string) int64 {
	name := value
	if quoted, ok := strings.CutPrefix(value, `@"`); ok {
		if end := strings.IndexByte(quoted, '"'); end >= 0 {
			name = quoted[:end]
		}
	} else if end := strings.IndexAny(value, " ,)}]>"); end >= 0 {
		name = value[:end]
	}
	n, ok := r.globals[name]
	if !ok {
		n = int64(len(r.globals))
		r.globals[name] = n
	}
	return n
}

// deepest bounds how many instructions an address is followed through.
const deepest = 64

// address follows a pointer to its root, as long as at most one index is no constant.
func (r *operandReader) address(pointer asm.Operand) Address {
	var a Address
	for range deepest {
		a.Base = r.operand(pointer)
		name, ok := asm.LocalName(pointer.Value)
		if !ok {
			break
		}
		in := r.defined[name]
		if in == nil {
			return a
		}
		ops := in.Operands()
		switch in.Op() {
		case "alloca":
			a.Root = OnStack
			return a
		case "getelementptr":
			if !r.through(in, ops, &a) {
				return a
			}
		}
		pointer = ops[0]
	}
	if a.Base.Kind == Global {
		a.Root = OnGlobal
		if !strings.HasPrefix(pointer.Value, "@") {
			a.Base = Operand{} // somewhere in a global
		}
	}
	return a
}

// through adds what a getelementptr adds to its base, and reports whether an address can say
// it; else it is left alone.
func (r *operandReader) through(in *asm.Instr, ops []asm.Operand, a *Address) bool {
	if len(ops) < 2 || strings.HasPrefix(ops[0].Type, "<") {
		return false
	}
	b, t := *a, in.Indexed()
	for i, o := range ops[1:] {
		if strings.HasPrefix(o.Type, "<") {
			return false
		}
		value, isConst := constInt(o.Type, o.Value)
		if i > 0 {
			if r.layout.isStruct(t) {
				offset, field, ok := r.layout.field(t, int(value))
				if !isConst || !ok {
					return false
				}
				b.Offset, t = b.Offset+offset, field
				continue
			}
			if t = r.m.Element(t, 0); t == "" {
				return false
			}
		}
		size, _, ok := r.layout.of(t)
		switch {
		case !ok:
			return false
		case isConst:
			b.Offset += value * size
		case b.Scale != 0 || size == 0:
			return false
		default:
			b.Index, b.Scale = r.operand(o), size
		}
	}
	*a = b
	return true
}
