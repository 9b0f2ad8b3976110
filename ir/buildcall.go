package ir

// This file describes calls: who is called, which callbacks and constants are
// passed, and how the call may come back.

import (
	"slices"
	"strconv"
	"strings"

	"pathspan/ir/asm"
)

// callFacts is what is known of a callee from its name and attributes.
type callFacts struct {
	callee                           int
	returnsTwice, noReturn, noUnwind bool
}

// returnsTwice are the functions that may return more than once, known by
// name for when a declaration lacks the attribute.
var returnsTwice = []string{"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork"}

func (b *builder) facts(name string) callFacts {
	if f, ok := b.known[name]; ok {
		return f
	}
	f := callFacts{callee: b.defined(name)}
	has := func(string) bool { return false }
	if f.callee >= 0 {
		has = b.m.Funcs()[f.callee].HasAttr
	} else if d := b.m.Decl(name); d != nil {
		has = d.HasAttr
	}
	f.returnsTwice = has("returns_twice") || slices.Contains(returnsTwice, strings.TrimPrefix(name, "\x01"))
	f.noReturn = has("noreturn")
	f.noUnwind = has("nounwind")
	b.known[name] = f
	return f
}

// defined returns the index of the function defined under name, through
// aliases, or -1.
func (b *builder) defined(name string) int {
	// The bound guards against aliases in a cycle.
	for range 100 {
		if i, ok := b.index[name]; ok {
			return i
		}
		g := b.m.Global(name)
		if g == nil || g.Kind() != "alias" {
			return -1
		}
		name = g.Aliasee()
	}
	return -1
}

func (b *builder) call(in *asm.Instr, c *asm.Call) *Call {
	out := &Call{Callee: -1, Name: c.Callee, Indirect: c.Indirect}
	if c.Asm {
		out.Name = "asm"
	}
	if c.Callee != "" {
		f := b.facts(c.Callee)
		out.Callee = f.callee
		out.ReturnsTwice, out.NoReturn, out.NoUnwind = f.returnsTwice, f.noReturn, f.noUnwind
	}
	out.ReturnsTwice = out.ReturnsTwice || in.HasCallAttr("returns_twice")
	out.NoReturn = out.NoReturn || in.HasCallAttr("noreturn")
	out.NoUnwind = out.NoUnwind || in.HasCallAttr("nounwind")
	for i, a := range c.Args {
		if v, ok := constInt(a.Type, a.Value); ok {
			out.ConstArgs = append(out.ConstArgs, ConstArg{Index: i, Value: v})
		}
		// A block's address is no callback, although it names the function.
		if !strings.Contains(a.Value, "@") || strings.Contains(a.Value, "blockaddress") {
			continue
		}
		for _, name := range asm.GlobalNames(a.Value) {
			if i := b.defined(name); i >= 0 && !slices.Contains(out.FuncArgs, i) {
				out.FuncArgs = append(out.FuncArgs, i)
			}
		}
	}
	return out
}

// constInt reads an integer constant of at most 64 bits, as assembly spells it, as the
// signed value of its bits: "i64 24", "i1 true" (-1 of one bit, taken as 1), "i8 u0xFF".
func constInt(typ, value string) (int64, bool) {
	digits, ok := strings.CutPrefix(typ, "i")
	if !ok {
		return 0, false
	}
	bits, err := strconv.Atoi(digits)
	if err != nil || bits < 1 || bits > 64 {
		return 0, false
	}
	switch value {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	if hex, ok := strings.CutPrefix(value, "u0x"); ok {
		u, err := strconv.ParseUint(hex, 16, bits)
		return signed(u, bits), err == nil
	}
	if hex, ok := strings.CutPrefix(value, "s0x"); ok {
		u, err := strconv.ParseUint(hex, 16, bits)
		return signed(u, min(bits, 4*len(hex))), err == nil
	}
	if v, err := strconv.ParseInt(value, 10, 64); err == nil {
		return v, true
	}
	// Above the largest signed value only the bits count.
	u, err := strconv.ParseUint(value, 10, bits)
	return signed(u, bits), err == nil
}

// signed reads the lowest bits as a number in two's complement; one bit is 0 or 1.
func signed(u uint64, bits int) int64 {
	if bits == 1 {
		return int64(u & 1)
	}
	return int64(u<<(64-bits)) >> (64 - bits)
}
