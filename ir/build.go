package ir

// This file fills the Program view from an assembly module.

import (
	"fmt"
	"strconv"
	"strings"

	"pathspan/ir/asm"
)

// MarkerFunc is the function that the OpenMP lowering calls to delimit regions
// and sections, with constants: kind, region, construct, section.
const MarkerFunc = "__pathspan_mark"

// TaskCall begins the names of what else the lowering of tasks calls: what tells the run-time
// library how a task is created, which the program itself does not do.
const TaskCall = "__pathspan_task"

// Build makes the Program view of m. Funcs and their Blocks stand in the order
// of m.Funcs() and their Blocks, so that indices agree; Succs agree with
// [asm.Block.Succs]. Regions is left empty.
//
// Debug records and intrinsics that leave no code (llvm.dbg, llvm.lifetime,
// llvm.assume and such) are no instructions of the view. A call of
// [MarkerFunc] that is the first instruction of its block but for phis and pads
// becomes Block.Mark; elsewhere, or with operands that are not constant, it is
// an error, as is a block without terminator and a branch to a block that does
// not exist.
//
// Instr.Type is the type that decides the cost: the result's for most; the
// stored value's for store; the compared operands' for icmp and fcmp; the
// tested value's for br and switch ("" for an unconditional br); the returned
// value's for ret; the pointer's for getelementptr; the allocated type for
// alloca; the exchanged value's for cmpxchg and atomicrmw; for calls what they
// return. For conversions it is the floating-point side when there is one (the
// wider when both are), the wider side for integers, the result otherwise.
func Build(m *asm.Module) (*Program, error) {
	b := &builder{
		m:     m,
		p:     &Program{Triple: m.Triple(), DataLayout: m.DataLayout()},
		index: map[string]int{},
		at:    make([]place, m.MetaLines()),
		paths: map[int]int{},
		files: map[string]int{},
		dirs:  map[string]string{},
		known: map[string]callFacts{},

		scopes: map[[2]int]int{}, beyond: map[int]*place{},
	}
	for i, f := range m.Funcs() {
		b.index[f.Name()] = i
	}
	for i, f := range m.Funcs() {
		g, err := b.fn(i, f)
		if err != nil {
			return nil, err
		}
		b.p.Funcs = append(b.p.Funcs, g)
	}
	b.nameAtomics()
	b.p.Inlined = b.inlined()
	return b.p, nil
}

// Read is Build of a module's text.
func Read(text []byte) (*Program, error) {
	m, err := asm.Parse(text)
	if err != nil {
		return nil, err
	}
	return Build(m)
}

type builder struct {
	m     *asm.Module
	p     *Program
	index map[string]int // defined functions by name
	at    []place        // by DILocation
	paths map[int]int    // file index by DIFile
	files map[string]int // file index by path
	dirs  map[string]string
	known map[string]callFacts // by callee

	scopes map[[2]int]int // what Instr.Scope is, by function and call
	beyond map[int]*place // of numbers that are not in at
}

func (b *builder) fn(index int, f *asm.Func) (*Func, error) {
	linkage := f.Linkage()
	g := &Func{
		Index:    index,
		Name:     f.Name(),
		Source:   strings.TrimPrefix(f.Name(), "\x01"),
		Loc:      Loc{File: -1},
		Exported: linkage != "internal" && linkage != "private",
		NoUnwind: f.HasAttr("nounwind"),
	}
	if sp := b.m.Meta(f.Dbg()); sp != nil {
		if name := sp.Str("name"); name != "" {
			g.Source = name
		}
		g.Loc = Loc{File: b.file(sp.Ref("file")), Line: sp.Int("line")}
	}
	blocks := make(map[string]int, len(f.Blocks))
	for i, blk := range f.Blocks {
		blocks[blk.Name()] = i
	}
	store := make([]Block, len(f.Blocks))
	g.Blocks = make([]*Block, len(f.Blocks))
	for i, blk := range f.Blocks {
		nb := &store[i]
		g.Blocks[i] = nb
		nb.Index, nb.Name = i, blk.Name()
		if err := b.block(g, nb, blk); err != nil {
			return nil, err
		}
		for _, s := range blk.Succs() {
			t, ok := blocks[s]
			if !ok {
				return nil, fmt.Errorf("function @%s, block %s: branch to block %s, which does not exist", f.Name(), nb.Name, s)
			}
			nb.Succs = append(nb.Succs, t)
		}
		b.loopLines(g, i, blk.Term())
	}
	return g, nil
}

func (b *builder) block(g *Func, nb *Block, blk *asm.Block) error {
	if blk.Term() == nil {
		return fmt.Errorf("function @%s, block %s: no terminator that is understood", g.Name, nb.Name)
	}
	nb.Locking = b.locking(blk)
	first := true // nothing but phis and pads so far
	nb.Instrs = make([]Instr, 0, len(blk.Instrs))
	for _, in := range blk.Instrs {
		if in.IsDebug() {
			continue
		}
		call := in.Call()
		if call != nil && call.Callee == MarkerFunc {
			mark, err := ReadMark(call)
			if err != nil {
				return fmt.Errorf("function @%s, block %s: %w", g.Name, nb.Name, err)
			}
			if !first {
				return fmt.Errorf("function @%s, block %s: a marker stands behind other instructions; split the block before it", g.Name, nb.Name)
			}
			if first = false; mark.Kind.OfTasks() {
				nb.TaskMark = mark
			} else {
				nb.Mark = mark
			}
			continue
		}
		if call != nil && leavesNoCode(call.Callee) {
			continue
		}
		op := in.Op()
		switch op {
		case "phi", "landingpad":
		default:
			first = false
		}
		ni := Instr{Op: op, Type: costType(in), Loc: b.loc(in.Dbg())}
		if ni.Loc.File >= 0 && ni.Loc.File != g.Loc.File {
			ni.Into = b.into(in.Dbg(), g.Loc.File)
		}
		ni.Scope = b.scope(in.Dbg())
		if call != nil {
			ni.Call = b.call(in, call)
		}
		nb.Instrs = append(nb.Instrs, ni)
	}
	return nil
}

// costType returns the type that decides what in costs; see [Build].
func costType(in *asm.Instr) string {
	switch in.Op() {
	case "trunc", "fptrunc", "fptosi", "fptoui":
		if ops := in.Operands(); len(ops) > 0 {
			return ops[0].Type
		}
	}
	return in.Type()
}

// InstrAt returns the index in blk.Instrs of what [Build] made instruction n of the
// block's view, or -1.
func InstrAt(blk *asm.Block, n int) int {
	for i, in := range blk.Instrs {
		if !Viewed(in) {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return -1
}

// Viewed reports whether an instruction is one of the view.
func Viewed(in *asm.Instr) bool {
	c := in.Call()
	return !in.IsDebug() && (c == nil || c.Callee != MarkerFunc && !leavesNoCode(c.Callee))
}

// leavesNoCode reports whether calls of a function only inform LLVM, or our library of tasks.
func leavesNoCode(name string) bool {
	if strings.HasPrefix(name, TaskCall) {
		return true
	}
	name, ok := strings.CutPrefix(name, "llvm.")
	if !ok {
		return false
	}
	for _, prefix := range []string{"dbg.", "lifetime.", "assume", "invariant.", "experimental.noalias.scope.decl",
		"var.annotation", "donothing", "sideeffect", "pseudoprobe", "fake.use"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// ReadMark reads the operands of a marker.
func ReadMark(c *asm.Call) (*Mark, error) {
	var v [4]int
	if len(c.Args) != len(v) {
		return nil, fmt.Errorf("marker with %d operands, want %d", len(c.Args), len(v))
	}
	for i, a := range c.Args {
		n, err := strconv.Atoi(a.Value)
		if err != nil {
			return nil, fmt.Errorf("marker operand %d is not constant: %s", i+1, a.Value)
		}
		v[i] = n
	}
	kind := MarkKind(v[0])
	if (v[0] < int(RegionBegin) || v[0] > int(SectionEnd)) && !kind.OfTasks() {
		return nil, fmt.Errorf("marker of unknown kind %d", v[0])
	}
	return &Mark{Kind: kind, Region: v[1], Construct: v[2], Section: v[3]}, nil
}
