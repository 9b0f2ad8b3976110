package probe

// This file finds accesses that stand one behind the other, in the program's text and in memory,
// so that they can be told of at once.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pathspan/ir/asm"
)

// Rows of fewer accesses cost less one by one, but of vectors: their bytes are mostly alike.
const (
	shortestRow = 4
	vector      = 16
)

// row returns how many accesses, from the i-th found on, are of one place and kind, each behind
// the one before, with nothing told of between them, and how many bytes each has. Where it is one, it
// may be of any sort.
func (w *Memory) row(i int) (n, each int) {
	if w.byOne {
		return 1, 0
	}
	first := w.found[i]
	kind, pointer, each := w.plain(first.in)
	if each == 0 {
		return 1, 0
	}
	base, at := w.position(pointer.Value, first.in.Block().Func())
	for n = 1; i+n < len(w.found); n++ {
		next := w.found[i+n]
		k, p, size := w.plain(next.in)
		if next.place != first.place || k != kind || size != each || !quietBetween(w.found[i+n-1].in, next.in) {
			break
		}
		if b, o := w.position(p.Value, next.in.Block().Func()); b != base || o != at+int64(n*each) {
			break
		}
	}
	if n < shortestRow && each < vector {
		return 1, each
	}
	return n, each
}

// plain returns what a load or store does whose size a function of the library is for, 0 bytes for
// others.
func (w *Memory) plain(in *asm.Instr) (what string, pointer asm.Operand, size int) {
	ops := in.Operands()
	switch in.Op() {
	case "load":
		what, pointer, size = "read", ops[0], w.bits(in.Type())
	case "store":
		what, pointer, size = "write", ops[1], w.bits(ops[0].Type)
	}
	switch size = (size + 7) / 8; size {
	case 1, 2, 4, 8, 16:
		return what, pointer, size
	}
	return "", asm.Operand{}, 0
}

// quietBetween reports whether nothing runs between two instructions of which something is told.
func quietBetween(a, b *asm.Instr) bool {
	block := a.Block()
	if block != b.Block() {
		return false
	}
	for _, in := range block.Instrs[block.Index(a)+1 : block.Index(b)] {
		if in.Op() == "alloca" {
			return false
		}
		c := in.Call()
		if c == nil {
			continue
		}
		if !strings.HasPrefix(c.Callee, "llvm.") {
			return false
		}
		for _, arg := range c.Args {
			if isPointer(arg.Type) {
				return false
			}
		}
	}
	return true
}

// position says where a pointer of a function points to: so many bytes behind something, whose
// spelling tells it from all others.
func (w *Memory) position(pointer string, f *asm.Func) (base string, offset int64) {
	in := w.definition(pointer, f)
	if in == nil {
		return w.constantPosition(pointer)
	}
	if in.Op() != "getelementptr" {
		return pointer, 0
	}
	ops := in.Operands()
	last := len(ops) - 1
	each := w.elementSize(in.Indexed(), last-1)
	if each == 0 {
		return pointer, 0
	}
	base, offset = w.position(ops[0].Value, f)
	for i, o := range ops[1:last] {
		if o.Value != "0" {
			base += fmt.Sprintf(" [%s %d %s]", in.Indexed(), i, o.Value)
		}
	}
	index, add := w.index(ops[last], f)
	if index != "" {
		base += fmt.Sprintf(" [%d %s]", each, index)
	}
	return base, offset + add*each
}

var constantElement = regexp.MustCompile(`^getelementptr (?:[a-z]+ )*\((.+?), [^,@]*(@[^ ,()]+)((?:, i(?:32|64) -?\d+)+)\)$`)
var constantIndex = regexp.MustCompile(`, i\d+ (-?\d+)`)

// constantPosition is the same of a global, or of an element of one.
func (w *Memory) constantPosition(pointer string) (base string, offset int64) {
	e := constantElement.FindStringSubmatch(pointer)
	if e == nil {
		return pointer, 0
	}
	for i, index := range constantIndex.FindAllStringSubmatch(e[3], -1) {
		n, err := strconv.ParseInt(index[1], 10, 64)
		each := w.elementSize(e[1], i)
		if err != nil || each == 0 {
			return pointer, 0
		}
		offset += n * each
	}
	return e[2], offset
}

// elementSize is how many bytes apart elements are that so many indices behind the first lead to, 0
// where that is not known.
func (w *Memory) elementSize(t string, indices int) int64 {
	for ; indices > 0; indices-- {
		a := arrayType.FindStringSubmatch(t)
		if a == nil {
			return 0
		}
		t = a[2]
	}
	if b := w.bits(t); b > 0 && b != 8 && b != 16 && b != 32 && b != 64 {
		return 0
	}
	return w.constSize(t)
}

// index takes an index apart into a value, "" for none, and a constant.
func (w *Memory) index(o asm.Operand, f *asm.Func) (value string, add int64) {
	if n, err := strconv.ParseInt(o.Value, 10, 64); err == nil {
		return "", n
	}
	in := w.definition(o.Value, f)
	if in == nil || o.Type != fmt.Sprintf("i%d", 8*w.wordBytes) || !(in.Op() == "add" || in.Op() == "or" && strings.Contains(in.Text(), "or disjoint ")) {
		return o.Type + o.Value, 0
	}
	ops := in.Operands()
	n, err := strconv.ParseInt(ops[1].Value, 10, 64)
	if err != nil {
		return o.Type + o.Value, 0
	}
	value, more := w.index(ops[0], f)
	return value, more + n
}

func (w *Memory) definition(value string, f *asm.Func) *asm.Instr {
	if w.defined == nil {
		w.defined = make(map[*asm.Func]map[string]*asm.Instr)
	}
	of := w.defined[f]
	if of == nil {
		of = make(map[string]*asm.Instr)
		for in := range f.Instrs() {
			if in.Result() != "" {
				of[asm.LocalRef(in.Result())] = in
			}
		}
		w.defined[f] = of
	}
	return of[value]
}
