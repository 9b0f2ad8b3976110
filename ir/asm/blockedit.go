package asm

// This file inserts, replaces and deletes instructions and whole blocks.

import (
	"fmt"
	"slices"
	"strings"
)

// edited notes that f no longer is as it was read. Use-list orders, which
// hold only for the unedited function, go.
func (f *Func) edited() {
	if i := strings.Index(f.tail, "uselistorder"); i >= 0 {
		f.tail = "}\n"
	}
}

// cfgChanged notes that edges changed.
func (f *Func) cfgChanged() {
	f.edited()
	f.cfgEdited = true
	f.preds = nil
}

func (f *Func) noteName(name string) {
	if f.names != nil && name != "" {
		f.names[name] = struct{}{}
	}
}

// checkNew refuses new instructions that would break the numbering.
func (f *Func) checkNew(list []*Instr) error {
	if err := f.CheckEditable(); err != nil {
		return err
	}
	for _, in := range list {
		if in.unnamed() {
			return fmt.Errorf("edit @%s: the new instruction must name its result: %.60q", f.name, in.Text())
		}
	}
	return nil
}

func (b *Block) read(text []string) ([]*Instr, error) {
	var list []*Instr
	for _, t := range text {
		l, err := readInstrs(b, t)
		if err != nil {
			return nil, fmt.Errorf("edit @%s: %w", b.fn.name, err)
		}
		list = append(list, l...)
	}
	if err := b.fn.checkNew(list); err != nil {
		return nil, err
	}
	for _, in := range list {
		b.fn.noteName(in.result)
		if in.affectsEdges() {
			b.fn.cfgChanged()
		}
	}
	b.fn.edited()
	return list, nil
}

// InsertBefore inserts instructions before Instrs[i]; i may be len(Instrs).
// Each text holds one instruction or several, a line each. Instrs becomes a
// new slice: a loop over the old one goes on undisturbed.
func (b *Block) InsertBefore(i int, text ...string) error {
	if i < 0 || i > len(b.Instrs) {
		return fmt.Errorf("edit @%s, block %s: no position %d in %d instructions", b.fn.name, b.Name(), i, len(b.Instrs))
	}
	list, err := b.read(text)
	if err != nil {
		return err
	}
	b.Instrs = slices.Concat(b.Instrs[:i], list, b.Instrs[i:])
	return nil
}

// InsertAfter inserts instructions behind Instrs[i].
func (b *Block) InsertAfter(i int, text ...string) error { return b.InsertBefore(i+1, text...) }

// StartIndex returns where instructions may be inserted first: behind phis
// and a landingpad.
func (b *Block) StartIndex() int {
	i := b.FirstNonPhi()
	if i < len(b.Instrs) && b.Instrs[i].op == "landingpad" {
		i++
	}
	return i
}

// InsertAtStart inserts at StartIndex.
func (b *Block) InsertAtStart(text ...string) error {
	return b.InsertBefore(b.StartIndex(), text...)
}

// InsertAtEnd inserts before the terminator, or last when there is none.
// Before a musttail call that the terminator returns it inserts before the
// call, as nothing may stand between.
func (b *Block) InsertAtEnd(text ...string) error {
	i := len(b.Instrs)
	if t := b.Term(); t != nil {
		i = b.Index(t)
		if t.op == "ret" {
			i = b.beforeMustTail(i)
		}
	}
	return b.InsertBefore(i, text...)
}

// beforeMustTail returns the index of a musttail call that ends the block
// together with the ret at i, or i.
func (b *Block) beforeMustTail(i int) int {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		in := b.Instrs[j]
		if in.op == "call" {
			if c := in.Call(); c != nil && c.Tail == "musttail" {
				return j
			}
		}
		if in.op != "bitcast" && !in.IsDebug() {
			return i
		}
	}
	return i
}

// Replace puts instructions in the place of Instrs[i].
func (b *Block) Replace(i int, text ...string) error {
	if i < 0 || i >= len(b.Instrs) {
		return fmt.Errorf("edit @%s, block %s: no instruction %d", b.fn.name, b.Name(), i)
	}
	list, err := b.read(text)
	if err != nil {
		return err
	}
	if b.Instrs[i].affectsEdges() {
		b.fn.cfgChanged()
	}
	b.Instrs = slices.Concat(b.Instrs[:i], list, b.Instrs[i+1:])
	return nil
}

// Delete removes Instrs[i]. Debug records and calls that mention its result
// must be seen to by the caller, as other uses.
func (b *Block) Delete(i int) error { return b.Replace(i) }

// DeleteIf removes the instructions of f that a function tells.
func (f *Func) DeleteIf(gone func(*Instr) bool) error {
	for _, b := range f.Blocks {
		for i := len(b.Instrs) - 1; i >= 0; i-- {
			if gone(b.Instrs[i]) {
				if err := b.Delete(i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// AddBlock appends a block made of the lines given, the terminator last.
func (f *Func) AddBlock(name string, text ...string) (*Block, error) {
	if err := f.CheckEditable(); err != nil {
		return nil, err
	}
	if f.Block(name) != nil {
		return nil, fmt.Errorf("edit @%s: block %s exists", f.name, name)
	}
	b := f.newBlock(name)
	list, err := b.read(text)
	if err != nil {
		return nil, err
	}
	b.Instrs = list
	f.appendBlock(b)
	return b, nil
}

func (f *Func) newBlock(name string) *Block {
	label := Spell(name) + ":"
	return &Block{fn: f, name: name, head: "\n" + label + "\n", labelS: 1, labelE: int32(1 + len(label))}
}

func (f *Func) appendBlock(b *Block) {
	f.noteName(b.name)
	if f.index != nil {
		f.index[b.name] = b
	}
	f.Blocks = append(f.Blocks, b)
	f.cfgChanged()
}

// RemoveBlock removes a block and its entries in the phis of its successors.
// Branches to it and uses of its values must be seen to by the caller.
func (f *Func) RemoveBlock(b *Block) error {
	if err := f.CheckEditable(); err != nil {
		return err
	}
	for _, s := range b.Succs() {
		if t := f.Block(s); t != nil && t != b {
			if err := t.RemovePhiPred(b.Name()); err != nil {
				return err
			}
		}
	}
	f.Blocks = without(f.Blocks, b)
	f.index = nil
	f.cfgChanged()
	return nil
}

// RemovePhiPred removes one entry for predecessor pred from each phi of b. A
// phi left without entries is deleted when it has no entry left; the caller
// must then have removed its uses.
func (b *Block) RemovePhiPred(pred string) error {
	for i := 0; i < len(b.Instrs); i++ {
		in := b.Instrs[i]
		if in.op != "phi" {
			if in.IsDebug() {
				continue
			}
			break
		}
		pairs := in.Phi()
		k := slices.IndexFunc(pairs, func(p Incoming) bool { return p.Block == pred })
		if k < 0 {
			continue
		}
		pairs = slices.Delete(pairs, k, k+1)
		if len(pairs) == 0 {
			if err := b.Delete(i); err != nil {
				return err
			}
			i--
			continue
		}
		if err := in.SetPhi(pairs); err != nil {
			return err
		}
	}
	return nil
}
