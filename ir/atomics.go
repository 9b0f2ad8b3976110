package ir

// This file knows what programs update atomically: OpenMP's atomic, and C's and C++'s
// read-modify-write operations. Processors that update one cache line hand it to each other,
// which profiles tell as if the line were a lock that nothing is done under.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir/asm"
)

const (
	atomicPrefix = "atomic "
	// mostAtomics bounds how many names atomics have in a program: each takes as many numbers as
	// a lock. Others share the last.
	mostAtomics = 64
)

// Atomic reports whether it is a line that is updated atomically, rather than a lock.
func (l Lock) Atomic() bool { return strings.HasPrefix(l.Name, atomicPrefix) }

// HasLocks reports whether a program takes locks, atomic updates apart.
func (p *Program) HasLocks() bool {
	return slices.ContainsFunc(p.Locks, func(l Lock) bool { return !l.Atomic() })
}

// Update is an atomic update of a block.
type Update struct {
	At      int // index of its instruction
	Pointer asm.Operand
}

// Updates lists the atomic updates of a block, in order, as Block.Atomics names them. What reads
// or writes atomically and does not do both is none: others go on meanwhile.
func Updates(b *asm.Block) []Update {
	var out []Update
	for i, in := range b.Instrs {
		switch in.Op() {
		case "atomicrmw", "cmpxchg":
			if ops := in.Operands(); len(ops) > 0 {
				out = append(out, Update{i, ops[0]})
			}
		case "call":
			if c := in.Call(); c != nil && updates(c.Callee) {
				for _, a := range c.Args {
					if a.Type == "ptr" || strings.HasSuffix(a.Type, "*") {
						out = append(out, Update{i, asm.Operand{Type: a.Type, Value: a.Value}})
						break
					}
				}
			}
		}
	}
	return out
}

// updates reports a function of libatomic that reads and writes: what clang calls for what
// has no instruction.
func updates(callee string) bool {
	rest, ok := strings.CutPrefix(callee, "__atomic_")
	return ok && (strings.HasPrefix(rest, "fetch_") || strings.HasPrefix(rest, "exchange") || strings.HasPrefix(rest, "compare_exchange"))
}

// nameAtomics tells blocks of their atomic updates. Their names stand behind those of locks,
// whose numbers older bundles have.
func (b *builder) nameAtomics() {
	names := map[string]int{}
	for fi, f := range b.m.Funcs() {
		var defined map[string]*asm.Instr // by their names, once one is asked for
		for bi, blk := range f.Blocks {
			for _, u := range Updates(blk) {
				if defined == nil {
					defined = definitions(f)
				}
				name := atomicPrefix + b.updated(f, defined, blk.Instrs[u.At], u.Pointer.Value)
				n, ok := names[name]
				if !ok && len(names) == mostAtomics {
					name = atomicPrefix + "updates elsewhere"
					n, ok = names[name]
				}
				if !ok {
					n = b.lock(name)
					names[name] = n
				}
				g := b.p.Funcs[fi].Blocks[bi]
				g.Atomics = append(g.Atomics, n)
			}
		}
	}
}

// updated names what a pointer points to: a global variable, or where it is updated.
func (b *builder) updated(f *asm.Func, defined map[string]*asm.Instr, in *asm.Instr, value string) string {
	for range 8 { // steps from an element to what it is in
		if globals := asm.GlobalNames(value); len(globals) > 0 {
			return globals[0]
		}
		def := defined[value]
		if def == nil || def.Op() != "getelementptr" && def.Op() != "bitcast" || len(def.Operands()) == 0 {
			break
		}
		value = def.Operands()[0].Value
	}
	l := b.loc(in.Dbg())
	if l.File < 0 || l.Line == 0 {
		return "in " + f.Name()
	}
	return fmt.Sprintf("at %s:%d", b.p.Files[l.File], l.Line)
}

// definitions lists a function's instructions by how operands name what they give.
func definitions(f *asm.Func) map[string]*asm.Instr {
	out := map[string]*asm.Instr{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Result() != "" {
				out[asm.LocalRef(in.Result())] = in
			}
		}
	}
	return out
}
