// Package ir holds the Program view: the part of an LLVM module that path profiling, task
// graphs and cost models look at.
//
//	m, err := asm.Parse(costed)   // after ir/openmp has put marks around sections
//	p, err := ir.Build(m)
//	p.Funcs[0].Blocks[0].Succs    // control flow, by index
//	p.Regions[0].Constructs       // the OpenMP sections
//
// The view has opcodes, types, calls, marks and source lines, and no operands: it cannot be
// executed, and who needs text reads it with package asm.
package ir

// This file declares the view.

import (
	"fmt"
	"strings"
)

// Program is the view of one linked module. Functions, blocks and instructions
// are numbered densely in module order, so ids are stable for equal modules.
type Program struct {
	Triple     string
	DataLayout string
	Files      []string // source files, indexed by Loc.File
	Funcs      []*Func  // defined functions only, in module order
	Regions    []Region // OpenMP parallel regions, indexed by Mark.Region
	// Inlined names the functions of the source, but the system's headers, whose code is in
	// others and that are none of Funcs, sorted; a name of several functions stands as often.
	Inlined []string
}

// Region is one OpenMP parallel region that was made sequential and delimited.
type Region struct {
	Name       string // stable: file.c:function#k; see NameRegions
	File       string // as the compiler was given it
	Function   string // source function that holds the pragma
	Line, Col  int
	NumThreads int         // constant of the num_threads clause, 0 when absent or not constant
	Constructs []Construct // the sections constructs of the region, in program order
}

// Construct is one sections construct of a region.
type Construct struct {
	Line     int
	NoWait   bool
	Sections []Section // in source order
}

// Section is one section of a sections construct.
type Section struct {
	Name string // stable: region name + "/" + 1-based number of the section in its region
	Line int    // first source line seen in the section, 0 when unknown
}

// Func is a defined function.
type Func struct {
	Index    int
	Name     string // linker name
	Source   string // name in the source (demangled short name of its subprogram), or Name
	Loc      Loc    // where it is defined
	Exported bool   // visible outside the module
	NoUnwind bool
	Blocks   []*Block // Blocks[0] is the entry
	byName   map[string]int
}

// Block is a basic block.
type Block struct {
	Index  int
	Name   string
	Instrs []Instr // the terminator is last
	// Succs lists the successors in the terminator's order. Two successors may
	// be the same block: edges are identified by block and successor index.
	Succs []int
	// Mark is set when the block starts with an OpenMP marker.
	Mark *Mark
}

// Instr is one instruction.
type Instr struct {
	Op   string // LLVM opcode: "add", "load", "call", "invoke", "br", ...
	Type string // type that decides its cost: result type, or stored/compared operand type
	Loc  Loc
	// Into is the line of the function's own file that stands for the instruction where it
	// was written in another file and inlined: the innermost call there. It is 0 for code of
	// the function's file, and where debug information or the bundle does not tell.
	Into int
	Call *Call // for call, invoke and callbr
}

// Call describes the callee of a call instruction.
type Call struct {
	Callee   int    // index of the defined function, or -1
	Name     string // callee symbol; "" when indirect; "asm" for inline assembly
	Indirect bool
	// FuncArgs holds the defined functions whose address is passed: callbacks
	// that an external callee may invoke.
	FuncArgs []int
	// ConstArgs holds the integer constants among the arguments, ascending by index:
	// the size of a memcpy, where the program fixes it.
	ConstArgs    []ConstArg
	ReturnsTwice bool // setjmp and the like
	NoReturn     bool
	NoUnwind     bool
}

// ConstArg is an integer constant that a call passes.
type ConstArg struct {
	Index int // of the argument, from 0
	Value int64
}

// Loc is a source position. File is an index into Program.Files, or -1.
type Loc struct {
	File, Line, Col int
}

// MarkKind says what a marker delimits.
type MarkKind uint8

// The kinds of markers.
const (
	RegionBegin MarkKind = iota + 1
	RegionEnd
	SectionBegin
	SectionEnd
)

// Mark is a delimiter left by the OpenMP lowering.
type Mark struct {
	Kind      MarkKind
	Region    int // index into Program.Regions
	Construct int // for sections: index into Region.Constructs
	Section   int // for sections: index into Construct.Sections
}

// Func returns the function of that name, or nil.
func (p *Program) Func(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// BlockNamed returns the index of the block of that name, or -1.
func (f *Func) BlockNamed(name string) int {
	if f.byName == nil {
		f.byName = make(map[string]int, len(f.Blocks))
		for _, b := range f.Blocks {
			f.byName[b.Name] = b.Index
		}
	}
	if i, ok := f.byName[name]; ok {
		return i
	}
	return -1
}

// LocString renders a position as file:line, or "?" when there is none.
func (p *Program) LocString(l Loc) string {
	if l.File < 0 || l.File >= len(p.Files) || l.Line == 0 {
		return "?"
	}
	return fmt.Sprintf("%s:%d", p.Files[l.File], l.Line)
}

// HasSection reports whether a mark delimits a section of the program.
func (p *Program) HasSection(m *Mark) bool {
	return m.Region >= 0 && m.Region < len(p.Regions) && m.Construct >= 0 && m.Construct < len(p.Regions[m.Region].Constructs) &&
		m.Section >= 0 && m.Section < len(p.Regions[m.Region].Constructs[m.Construct].Sections)
}

// SectionString names the section that a mark delimits: "section 2 of region
// main.c:filter#1 (line 15)". The mark must be of the program.
func (p *Program) SectionString(m *Mark) string {
	r := &p.Regions[m.Region]
	s := r.Constructs[m.Construct].Sections[m.Section]
	return fmt.Sprintf("section %s of region %s (line %d)", s.Name[strings.LastIndexByte(s.Name, '/')+1:], r.Name, s.Line)
}

// Terminator returns the last instruction of the block.
func (b *Block) Terminator() *Instr { return &b.Instrs[len(b.Instrs)-1] }
