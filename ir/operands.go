package ir

// This file declares what instructions use: the values, and the addresses that they access.

import "fmt"

// Operands is what the instructions of a program use. It stands beside the Program, not in
// it: most of what reads a program needs none of it, and a bundle's module says it all.
//
//	ops, err := ir.ReadOperands(p, module)
//	for _, o := range ops.Of(fn, block, instr) { ... }
//	if a, ok := ops.Address(fn, block, instr); ok { ... }
//
// It says nothing of values that the program computes, nor which accesses meet.
type Operands struct {
	funcs [][]blockOperands // by function and block
}

type blockOperands struct {
	ends      []uint32 // of each instruction's operands, in list
	list      []Operand
	addresses []addressAt // ascending by instruction
}

type addressAt struct {
	instr uint32
	Address
}

// OperandKind says what an operand is.
type OperandKind uint8

// The kinds of operands.
const (
	Unknown  OperandKind = iota // a constant that is no integer, undefined, metadata
	Computed                    // what instruction N of block Block of the function computes
	Argument                    // argument N of the function
	Constant                    // the integer N
	Global                      // the address of global N, by first use, or a constant made of it
	// From is no value: it follows each value of a phi, and Block is the predecessor that the
	// value comes from.
	From
)

var operandKinds = [...]string{"unknown", "computed", "argument", "constant", "global", "from"}

// String names the kind.
func (k OperandKind) String() string {
	if int(k) < len(operandKinds) {
		return operandKinds[k]
	}
	return fmt.Sprintf("operand kind %d", k)
}

// Operand is one value that an instruction uses.
type Operand struct {
	N     int64
	Block int32
	Kind  OperandKind
}

// RootKind says where an address leads.
type RootKind uint8

// The kinds of roots.
const (
	OnPointer RootKind = iota // a pointer that came from elsewhere: an argument, a load, a call
	OnStack                   // a variable of the function's own
	OnGlobal                  // a global
)

// Address is what a load, a store or an atomic update accesses: Bytes bytes at Base + Index *
// Scale + Offset, as far as the function says it by getelementptr.
type Address struct {
	Base   Operand // the root itself; Unknown where it is an odd constant
	Index  Operand // Unknown, with Scale 0, where there is none
	Scale  int64   // bytes
	Offset int64   // bytes
	Bytes  uint32  // 0 where the size is not known before the program runs
	Root   RootKind
}

// NewOperands returns the operands of a program in which no instruction uses anything.
func NewOperands(p *Program) *Operands {
	o := &Operands{funcs: make([][]blockOperands, len(p.Funcs))}
	for i, f := range p.Funcs {
		o.funcs[i] = make([]blockOperands, len(f.Blocks))
	}
	return o
}

// Of returns what an instruction uses, in the order of the assembly, without the callee and
// labels. It must not be changed.
func (o *Operands) Of(fn, block, instr int) []Operand {
	b := &o.funcs[fn][block]
	if instr >= len(b.ends) {
		return nil
	}
	start := uint32(0)
	if instr > 0 {
		start = b.ends[instr-1]
	}
	return b.list[start:b.ends[instr]]
}

// Address returns what an instruction accesses, and false for what accesses nothing.
func (o *Operands) Address(fn, block, instr int) (Address, bool) {
	list := o.funcs[fn][block].addresses
	for low, high := 0, len(list); low < high; {
		mid := (low + high) / 2
		switch at := int(list[mid].instr); {
		case at == instr:
			return list[mid].Address, true
		case at < instr:
			low = mid + 1
		default:
			high = mid
		}
	}
	return Address{}, false
}

// Add says what the next instruction of a block uses, and what it accesses unless nil.
func (o *Operands) Add(fn, block int, uses []Operand, access *Address) {
	b := &o.funcs[fn][block]
	if access != nil {
		b.addresses = append(b.addresses, addressAt{uint32(len(b.ends)), *access})
	}
	b.list = append(b.list, uses...)
	b.ends = append(b.ends, uint32(len(b.list)))
}

// Check reports the first operand that refers to what the program does not have.
func (o *Operands) Check(p *Program) error {
	if len(o.funcs) != len(p.Funcs) {
		return fmt.Errorf("operands of %d functions, of %d", len(o.funcs), len(p.Funcs))
	}
	for fi, f := range p.Funcs {
		if len(o.funcs[fi]) != len(f.Blocks) {
			return fmt.Errorf("operands of %d blocks of %s, of %d", len(o.funcs[fi]), f.Name, len(f.Blocks))
		}
		for bi := range f.Blocks {
			b := &o.funcs[fi][bi]
			if len(b.ends) > len(f.Blocks[bi].Instrs) {
				return fmt.Errorf("block %d of %s: operands of %d instructions, of %d", bi, f.Name, len(b.ends), len(f.Blocks[bi].Instrs))
			}
			for _, x := range b.list {
				if !x.fits(f) {
					return fmt.Errorf("block %d of %s: an operand refers to instruction %d of block %d, which is not there", bi, f.Name, x.N, x.Block)
				}
			}
			for i := range b.addresses {
				if a := &b.addresses[i]; !a.Base.fits(f) || !a.Index.fits(f) {
					return fmt.Errorf("block %d of %s: the address of instruction %d refers to what is not there", bi, f.Name, a.instr)
				}
			}
		}
	}
	return nil
}

func (x Operand) fits(f *Func) bool {
	switch x.Kind {
	case From:
		return x.Block >= 0 && int(x.Block) < len(f.Blocks)
	case Computed:
		return x.Block >= 0 && int(x.Block) < len(f.Blocks) && x.N >= 0 && x.N < int64(len(f.Blocks[x.Block].Instrs))
	case Argument:
		return x.N >= 0
	}
	return x.Kind < From
}

// BranchKind says how a block ends.
type BranchKind uint8

// The kinds of ends.
const (
	Stops       BranchKind = iota // it does not go on: unreachable, resume, no terminator
	Jumps                         // to its only successor
	Conditional                   // to one of two
	Multiway                      // switch
	Indirect                      // to a computed place
	Returns
	Calls // a call that ends the block: invoke, callbr
)

// Branch tells how the block ends.
func (b *Block) Branch() BranchKind {
	if len(b.Instrs) == 0 {
		return Stops
	}
	switch b.Terminator().Op {
	case "br":
		if len(b.Succs) > 1 {
			return Conditional
		}
		return Jumps
	case "switch":
		return Multiway
	case "indirectbr":
		return Indirect
	case "ret":
		return Returns
	case "invoke", "callbr":
		return Calls
	}
	return Stops
}
