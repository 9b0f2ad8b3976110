package asm

// This file names what is unnamed. LLVM's instnamer does the same, but leaves
// functions marked optnone alone.

import (
	"strconv"
	"strings"
)

// NameValues gives every unnamed parameter, block and value a name, so that
// the module can be edited: the names that opt -passes=instnamer gives, which are
// arg, bb and i, with the next number of the function where that is taken. Nothing
// else changes.
func (m *Module) NameValues() {
	blocks := map[string]map[string]string{} // by function, for blockaddress
	for _, f := range m.funcs {
		if f.Named() {
			continue
		}
		if renamed := f.nameValues(); len(renamed) > 0 {
			blocks[f.name] = renamed
		}
	}
	m.renameBlockAddresses(blocks)
}

// renameBlockAddresses gives blocks whose addresses are taken their new names, by function.
func (m *Module) renameBlockAddresses(blocks map[string]map[string]string) {
	if len(blocks) == 0 {
		return
	}
	for _, g := range m.globals {
		if strings.Contains(g.entry.text, "blockaddress") {
			g.entry.text = renameBlockAddresses(g.entry.text, blocks)
		}
	}
	for _, f := range m.funcs {
		for in := range f.Instrs() {
			if strings.Contains(in.raw, "blockaddress") {
				in.setTextUnchecked(renameBlockAddresses(in.Text(), blocks))
			}
		}
	}
}

// nameValues names f's values and returns the new names of blocks by number.
func (f *Func) nameValues() map[string]string {
	f.names = nil
	f.collectNames()
	values, blocks := map[string]string{}, map[string]string{}
	last := 0
	fresh := func(name string) string {
		free := name
		for {
			if _, taken := f.names[free]; !taken {
				f.names[free] = struct{}{}
				return free
			}
			last++
			free = name + strconv.Itoa(last)
		}
	}
	for _, p := range f.Params() {
		if p.numbered {
			values[p.Name] = fresh("arg")
		}
	}
	for _, b := range f.Blocks {
		if b.numbered {
			blocks[b.Name()] = fresh("bb")
		}
		for _, in := range b.Instrs {
			if in.unnamed() {
				values[in.result] = fresh("i")
			}
		}
	}
	numbered := func(names map[string]string) func(string) (string, bool) {
		return func(s string) (string, bool) {
			to, ok := names[s[1:]] // quoted names keep their quotes and miss
			return to, ok
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			result := ""
			if in.unnamed() {
				result = values[in.result]
			}
			in.rename(result, numbered(values), numbered(blocks))
		}
		if b.numbered {
			b.setLabel(blocks[b.name])
		}
	}
	f.nameParams(values)
	f.checked, f.names, f.index = 0, nil, nil
	f.cfgChanged()
	return blocks
}

func (b *Block) setLabel(name string) {
	label := Spell(name) + ":"
	if b.implicit {
		b.head = label + "\n"
		b.labelS, b.labelE = 0, int32(len(label))
	} else {
		b.head = b.head[:b.labelS] + label + b.head[b.labelE:]
		b.labelE = b.labelS + int32(len(label))
	}
	b.name, b.numbered, b.implicit = name, false, false
}

// nameParams writes the names of parameters into the header.
func (f *Func) nameParams(names map[string]string) {
	h := f.header()
	for i := len(h.params) - 1; i >= 0; i-- {
		if p := h.params[i]; p.numbered {
			ref := LocalRef(names[p.Name])
			if p.at.e == p.at.s {
				ref = " " + ref
			}
			f.head = f.head[:p.at.s] + ref + f.head[p.at.e:]
		}
	}
	f.hdr = nil
}

// renameBlockAddresses renames the blocks in blockaddress(@f, %5).
func renameBlockAddresses(text string, blocks map[string]map[string]string) string {
	return respelled(text, func(ts *tokens, i int) (string, bool) {
		if i < 4 || !ts.is(i-4, "blockaddress") || !ts.punct(i-3, '(') || ts.t[i-2].kind != tGlobal || ts.t[i].kind != tLocal {
			return "", false
		}
		to, ok := blocks[ts.name(i-2)][ts.text(i)[1:]]
		return LocalRef(to), ok
	})
}
