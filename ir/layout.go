package ir

// This file lays out LLVM's types in memory, by the module's data layout: "Data Layout" and
// "Structure Type" in LLVM's Language Reference.

import (
	"strconv"
	"strings"

	"pathspan/ir/asm"
)

// layout knows where the parts of types lie.
type layout struct {
	m       *asm.Module
	pointer int64            // bytes
	aligned map[string]int64 // ABI alignment in bytes of scalars that the data layout names: "i64", "f64", "v128"
	known   map[string]placed
}

type placed struct {
	size, align int64
	ok          bool
}

func newLayout(m *asm.Module) *layout {
	l := &layout{m: m, pointer: int64(PointerBits(m.DataLayout()) / 8), known: map[string]placed{},
		aligned: map[string]int64{"i8": 1, "i16": 2, "i32": 4, "i64": 4, "f16": 2, "f32": 4, "f64": 8, "f128": 16, "f80": 16}}
	for _, spec := range strings.Split(m.DataLayout(), "-") {
		name, rest, _ := strings.Cut(spec, ":")
		abi, _, _ := strings.Cut(rest, ":")
		if bits, err := strconv.Atoi(abi); err == nil && name != "" && strings.Contains("ifv", name[:1]) {
			l.aligned[name] = max(1, int64(bits/8))
		}
	}
	return l
}

// largest bounds a type that addresses are computed in.
const largest = 1 << 40

// of returns how many bytes apart elements of the type lie in an array, and its alignment;
// false for a type whose size is not known before the program runs.
func (l *layout) of(t string) (size, align int64, ok bool) {
	p, known := l.known[t]
	if !known {
		l.known[t] = placed{} // of itself a type cannot be a part
		p.size, p.align, p.ok = l.place(t)
		p.ok = p.ok && p.size < largest
		l.known[t] = p
	}
	return p.size, p.align, p.ok
}

func (l *layout) place(t string) (size, align int64, ok bool) {
	switch {
	case t == "ptr" || strings.HasSuffix(t, "*") || strings.HasPrefix(t, "ptr addrspace(0)"):
		return l.pointer, l.pointer, true
	case t == "half", t == "bfloat":
		return 2, l.aligned["f16"], true
	case t == "float":
		return 4, l.aligned["f32"], true
	case t == "double":
		return 8, l.aligned["f64"], true
	case t == "fp128", t == "ppc_fp128":
		return 16, l.aligned["f128"], true
	case t == "x86_fp80":
		align = l.aligned["f80"]
		return up(10, align), align, true
	case strings.HasPrefix(t, "i"):
		return l.integer(t)
	case l.isStruct(t):
		return l.structure(t)
	case strings.HasPrefix(t, "[") || strings.HasPrefix(t, "<"):
		return l.sequence(t)
	}
	return 0, 0, false
}

func (l *layout) integer(t string) (size, align int64, ok bool) {
	bits, err := strconv.ParseInt(t[1:], 10, 32)
	if err != nil || bits < 1 {
		return 0, 0, false
	}
	// The alignment of the least integer named that holds it, else of the greatest.
	for _, n := range []int64{8, 16, 32, 64, 128} {
		if a, named := l.aligned["i"+strconv.FormatInt(n, 10)]; named {
			align = a
			if n >= bits {
				break
			}
		}
	}
	return up((bits+7)/8, align), align, true
}

func (l *layout) sequence(t string) (size, align int64, ok bool) {
	count, _, _ := strings.Cut(t[1:], " x ")
	n, err := strconv.ParseInt(count, 10, 40)
	element := l.m.Element(t, 0)
	if err != nil || element == "" {
		return 0, 0, false
	}
	size, align, ok = l.of(element)
	if ok = ok && (size == 0 || n < largest/size); !ok {
		return 0, 0, false
	}
	if t[0] == '[' {
		return n * size, align, true
	}
	// Elements of vectors lie side by side, to the bit.
	bits := n * size * 8
	if b, err := strconv.ParseInt(strings.TrimPrefix(element, "i"), 10, 32); err == nil && element[0] == 'i' {
		bits = n * b
	}
	size = (bits + 7) / 8
	for align = 1; align < size; align *= 2 {
	}
	if a, named := l.aligned["v"+strconv.FormatInt(bits, 10)]; named {
		align = a
	}
	return up(size, align), align, true
}

// isStruct reports whether a type is a structure, named or not.
func (l *layout) isStruct(t string) bool {
	return strings.HasPrefix(t, "%") || strings.HasPrefix(t, "{") || strings.HasPrefix(t, "<{")
}

func (l *layout) structure(t string) (size, align int64, ok bool) {
	size, align = 0, 1
	for i := 0; ; i++ {
		field := l.m.Element(t, i)
		if field == "" {
			return up(size, align), align, i > 0 || l.empty(t)
		}
		s, a, ok := l.of(field)
		if !ok || size >= largest {
			return 0, 0, false
		}
		if l.packed(t) {
			a = 1
		}
		size, align = up(size, a)+s, max(align, a)
	}
}

// field returns where a field of a structure lies, and its type.
func (l *layout) field(t string, n int) (offset int64, field string, ok bool) {
	for i := 0; ; i++ {
		if field = l.m.Element(t, i); field == "" {
			return 0, "", false
		}
		s, a, ok := l.of(field)
		if !ok {
			return 0, "", false
		}
		if !l.packed(t) {
			offset = up(offset, a)
		}
		if i == n {
			return offset, field, true
		}
		offset += s
	}
}

func (l *layout) packed(t string) bool { return strings.HasPrefix(l.body(t), "<{") }

func (l *layout) empty(t string) bool {
	return strings.Trim(l.body(t), "<{ }>") == "" && l.body(t) != ""
}

// body returns the structure that a name stands for.
func (l *layout) body(t string) string {
	if strings.HasPrefix(t, "%") {
		name, _ := asm.LocalName(t)
		return l.m.NamedType(name)
	}
	return t
}

// up rounds up to a multiple.
func up(n, align int64) int64 { return (n + align - 1) / align * align }
