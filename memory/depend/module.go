package depend

// This file reads functions of the costed module as values and their uses.

import (
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/memory"
	"pathspan/profile"
)

// module is the text of a program, read function by function.
type module struct {
	bundle *profile.Bundle
	text   *asm.Module // nil where it cannot be read
	funcs  map[string]*asm.Func
	read   map[int]*values
	// ofThread are the globals of which each thread has its own.
	ofThread map[string]bool
	// said is what is known of the source before it was optimised (build/openmp).
	said []string
	vars []string // of variables; nil where not read yet
}

// openModule reads a bundle's module; one that cannot be read has no functions.
func openModule(b *profile.Bundle) *module {
	m := &module{bundle: b, funcs: map[string]*asm.Func{}, read: map[int]*values{}, ofThread: map[string]bool{}}
	if text, err := asm.Parse(b.Module); err == nil {
		m.text = text
		for _, f := range text.Funcs() {
			m.funcs[f.Name()] = f
		}
		m.said = text.NamedStrings(asm.Everywhere)
		for _, g := range text.Globals() {
			if strings.Contains(g.Text(), " thread_local") {
				m.ofThread[g.Name()] = true
			}
		}
	}
	return m
}

// values are what the instructions of a function define and use.
type values struct {
	blocks []*asm.Block
	block  map[*asm.Instr]int // that it is in
	index  map[*asm.Instr]int // in the program's view of the block
	viewed [][]*asm.Instr     // by block, as the program's view has them
	def    map[string]*asm.Instr
	users  map[string][]*asm.Instr
	name   map[string]int // of a block
}

// of returns the values of a function, nil where the module's is not the program's.
func (m *module) of(fn int) *values {
	if v, ok := m.read[fn]; ok {
		return v
	}
	m.read[fn] = nil
	view := m.bundle.Program.Funcs[fn]
	f := m.funcs[view.Name]
	if f == nil || len(f.Blocks) != len(view.Blocks) {
		return nil
	}
	v := &values{blocks: f.Blocks, block: map[*asm.Instr]int{}, index: map[*asm.Instr]int{}, viewed: make([][]*asm.Instr, len(f.Blocks)), def: map[string]*asm.Instr{}, users: map[string][]*asm.Instr{}, name: map[string]int{}}
	for bi, b := range f.Blocks {
		v.name[b.Name()] = bi
		n := 0
		for _, in := range b.Instrs {
			v.block[in] = bi
			if ir.Viewed(in) {
				if n >= len(view.Blocks[bi].Instrs) || view.Blocks[bi].Instrs[n].Op != in.Op() {
					return nil
				}
				v.index[in] = n
				v.viewed[bi] = append(v.viewed[bi], in)
				n++
			}
			if in.Result() != "" {
				v.def[in.Result()] = in
			}
			for _, u := range in.Uses() {
				v.users[u] = append(v.users[u], in)
			}
		}
	}
	m.read[fn] = v
	return v
}

// accesses reports whether some load or store at a place is as does says, of its instruction and the pointer.
func (m *module) accesses(p *memory.Place, does func(v *values, op, pointer string) bool) bool {
	v := m.of(p.Func)
	if v == nil {
		return false
	}
	view := m.bundle.Program.Funcs[p.Func]
	for bi, b := range v.blocks {
		for _, in := range b.Instrs {
			n, ok := v.index[in]
			if !ok || in.Op() != "store" && in.Op() != "load" {
				continue
			}
			if l := view.Blocks[bi].Instrs[n].Loc; l.File != p.Loc.File || l.Line != p.Loc.Line {
				continue
			}
			operands := in.Operands()
			if does(v, in.Op(), operands[len(operands)-1].Value) {
				return true
			}
		}
	}
	return false
}

// fixed reports whether a place writes where no index says: to a variable that may be an object, or to a part of it. Other stores of
// the line are not asked, such as of the bounds of a loop that became one call of memset.
func (m *module) fixed(p *memory.Place, o *memory.Object) bool {
	return m.accesses(p, func(v *values, op, pointer string) bool { return op == "store" && v.variable(pointer, o) })
}

// variable reports whether a pointer is one to a variable that may be an object, or any where that is nil, or to a part of one that no index says.
func (v *values) variable(pointer string, o *memory.Object) bool {
	if !strings.HasPrefix(pointer, "%") {
		name, global := strings.CutPrefix(pointer, "@")
		return !global || o == nil || o.Kind == memory.Global && strings.Trim(name, `"`) == o.Name // else a place in one
	}
	in := v.def[strings.TrimPrefix(pointer, "%")]
	if in == nil {
		return false
	}
	switch in.Op() {
	case "alloca":
		return o == nil || o.Kind == memory.Stack
	case "getelementptr", "bitcast":
		return !slices.ContainsFunc(in.Operands()[1:], func(o asm.Operand) bool { return strings.HasPrefix(o.Value, "%") }) && v.variable(in.Operands()[0].Value, o)
	case "load": // the address of what a region shares
		return v.variable(in.Operands()[0].Value, nil)
	}
	return false
}

// reduces reports whether a place accesses what a thread has of a variable that tasks reduce, which the library told it.
func (m *module) reduces(p *memory.Place) bool {
	return m.accesses(p, func(v *values, _, pointer string) bool { return v.reduced(pointer, map[string]bool{}) })
}

// reduced reports whether a pointer is, or was stored as, what the library returned for a variable that is reduced. A variable
// on the stack is stored many times, of what was loaded of it too: each is asked once.
func (v *values) reduced(pointer string, asked map[string]bool) bool {
	in := v.def[strings.TrimPrefix(pointer, "%")]
	if in == nil || !strings.HasPrefix(pointer, "%") || asked[pointer] {
		return false
	}
	asked[pointer] = true
	switch in.Op() {
	case "call":
		return in.Call().Callee == "__kmpc_task_reduction_get_th_data"
	case "getelementptr", "bitcast":
		return v.reduced(in.Operands()[0].Value, asked)
	case "load": // of code that is not optimised
		from := in.Operands()[0].Value
		if asked[from] {
			return false
		}
		asked[from] = true
		for _, u := range v.users[strings.TrimPrefix(from, "%")] {
			if u.Op() == "store" && u.Operands()[1].Value == from && v.reduced(u.Operands()[0].Value, asked) {
				return true
			}
		}
	}
	return false
}
