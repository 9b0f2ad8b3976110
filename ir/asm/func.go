package asm

// This file holds functions and blocks as read, their names, and walks over instructions.

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// ErrUnnamed is returned (wrapped) by edits of a function that holds unnamed
// values or blocks. Run opt -passes=instnamer or [Module.NameValues] first.
var ErrUnnamed = errors.New("function holds unnamed values; name them first (opt -passes=instnamer, which skips optnone functions)")

// Func is a function definition. Blocks is to be read only; edit it through
// the methods.
type Func struct {
	Blocks []*Block // Blocks[0] is the entry

	m     *Module
	entry *entry
	name  string
	head  string // from define to the opening brace and its newline
	tail  string // the closing brace and what stands before it
	hdr   *header

	cfgEdited bool
	checked   int8                // 0 not known, 1 all named, -1 some unnamed
	names     map[string]struct{} // names of params, blocks, results; nil until needed
	fresh     map[string]int      // next suffix by prefix
	index     map[string]*Block   // blocks by name; nil until needed
	preds     map[string]int      // number of edges into a block; nil until needed
}

// Block is a basic block. Instrs is to be read only; edit it through the
// methods.
type Block struct {
	Instrs []*Instr // the terminator is last

	fn             *Func
	name           string
	numbered       bool   // unnamed: known by its number
	implicit       bool   // has no label in the text
	head           string // label line with what stands before it
	labelS, labelE int32  // the label and its colon in head
}

// Name returns the linker name.
func (f *Func) Name() string { return f.name }

// Text returns the function as it prints.
func (f *Func) Text() string {
	var b strings.Builder
	(&printer{w: &b}).fn(f)
	return b.String()
}

// Func returns the function that holds b.
func (b *Block) Func() *Func { return b.fn }

// Name returns the block's name; for an unnamed block its number. That of the entry,
// which LLVM prints without a label, follows those of the parameters.
func (b *Block) Name() string {
	if b.implicit && b.name == "" {
		n := 0
		for _, p := range b.fn.Params() {
			if d := decimal(p.Name); p.numbered && d >= 0 {
				n = d + 1
			}
		}
		b.name = strconv.Itoa(n)
	}
	return b.name
}

// Term returns the terminator, or nil when the block has none.
func (b *Block) Term() *Instr {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		if in := b.Instrs[i]; !in.IsDebug() {
			if in.IsTerminator() {
				return in
			}
			return nil
		}
	}
	return nil
}

// Succs returns the labels the terminator may go to, in its order, a label
// once for each edge.
func (b *Block) Succs() []string {
	if t := b.Term(); t != nil {
		return t.Succs()
	}
	return nil
}

// Preds returns the blocks with an edge to b, in block order, each as often as
// it has edges. It walks the whole function.
func (b *Block) Preds() []*Block {
	var out []*Block
	name := b.Name()
	for _, p := range b.fn.Blocks {
		for _, s := range p.Succs() {
			if s == name {
				out = append(out, p)
			}
		}
	}
	return out
}

// Index returns the position of in among b.Instrs, or -1.
func (b *Block) Index(in *Instr) int { return slices.Index(b.Instrs, in) }

// FirstNonPhi returns the index of the first instruction that is neither a
// phi nor a debug record, len(b.Instrs) when there is none.
func (b *Block) FirstNonPhi() int {
	if i := slices.IndexFunc(b.Instrs, func(in *Instr) bool { return in.op != "phi" && !in.IsDebug() }); i >= 0 {
		return i
	}
	return len(b.Instrs)
}

// headWithoutPreds returns the label line without the comment that lists
// predecessors, which edits have made untrue.
func (b *Block) headWithoutPreds() string {
	if b.implicit {
		return b.head
	}
	rest := b.head[b.labelE:]
	if strings.HasPrefix(strings.TrimLeft(rest, " "), "; preds =") {
		return b.head[:b.labelE] + "\n"
	}
	return b.head
}

// Block returns the block of that name, or nil.
func (f *Func) Block(name string) *Block {
	if f.index == nil {
		f.index = make(map[string]*Block, len(f.Blocks))
		for _, b := range f.Blocks {
			f.index[b.Name()] = b
		}
	}
	return f.index[name]
}

// Named reports whether every parameter, block and value has a name.
func (f *Func) Named() bool { return f.CheckEditable() == nil }

// CheckEditable returns an error that wraps [ErrUnnamed] when f holds unnamed
// values or blocks, nil otherwise.
func (f *Func) CheckEditable() error {
	if f.checked == 0 {
		f.checked = 1
		if f.anyUnnamed() {
			f.checked = -1
		}
	}
	if f.checked < 0 {
		return fmt.Errorf("edit @%s: %w", f.name, ErrUnnamed)
	}
	return nil
}

func (f *Func) anyUnnamed() bool {
	return slices.ContainsFunc(f.Params(), func(p Param) bool { return p.numbered }) ||
		slices.ContainsFunc(f.Blocks, func(b *Block) bool { return b.numbered || slices.ContainsFunc(b.Instrs, (*Instr).unnamed) })
}

// FreshName returns a name that no parameter, block or value of f has:
// prefix itself when it is free, prefix.N otherwise. The name is taken.
func (f *Func) FreshName(prefix string) string {
	f.collectNames()
	name := prefix
	for n := f.fresh[prefix]; ; {
		if _, taken := f.names[name]; !taken && !isNumber(name) {
			f.names[name] = struct{}{}
			f.fresh[prefix] = n
			return name
		}
		n++
		name = prefix + "." + strconv.Itoa(n)
	}
}

func (f *Func) collectNames() {
	if f.names != nil {
		return
	}
	f.names = map[string]struct{}{}
	f.fresh = map[string]int{}
	for _, p := range f.Params() {
		f.names[p.Name] = struct{}{}
	}
	for _, b := range f.Blocks {
		f.names[b.Name()] = struct{}{}
		for _, in := range b.Instrs {
			if in.result != "" {
				f.names[in.result] = struct{}{}
			}
		}
	}
}

// Instrs yields the instructions of the functions defined, in module order.
func (m *Module) Instrs() iter.Seq[*Instr] {
	return func(yield func(*Instr) bool) {
		for _, f := range m.funcs {
			for in := range f.Instrs() {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// Instrs yields the instructions of the function, block by block. Blocks and instructions
// that are added meanwhile may be left out.
func (f *Func) Instrs() iter.Seq[*Instr] {
	return func(yield func(*Instr) bool) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if !yield(in) {
					return
				}
			}
		}
	}
}
