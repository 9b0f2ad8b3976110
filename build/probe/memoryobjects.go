package probe

// This file tells the run-time library which objects the program has in memory.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir/asm"
	"pathspan/memory"
)

// made is an instruction that makes objects, or takes them back, or an argument that is a copy.
type made struct {
	in     *asm.Instr
	object int
	of     *asm.Instr // the variable whose life begins
	f      *asm.Func  // of an argument
	arg    int
}

type global struct {
	name, typ string
	object    int
}

var numbered = regexp.MustCompile(`^\d*$`)

var (
	stringConstant = regexp.MustCompile(`^\.str(\.\d+)*$`)
	escaped        = regexp.MustCompile(`\\[0-9A-Fa-f]{2}`)
)

// nameOf is how people know a global: its name, or the beginning of a string that has none.
func nameOf(g *asm.Global) string {
	_, text, ok := strings.Cut(g.Value(), `] c"`)
	if end := strings.IndexByte(text, '"'); ok && end >= 0 && stringConstant.MatchString(g.Name()) {
		text = escaped.ReplaceAllStringFunc(text[:end], func(s string) string {
			n, _ := strconv.ParseUint(s[1:], 16, 8)
			return string([]byte{byte(n)})
		})
		if text = strings.TrimSuffix(text, "\x00"); len(text) > 24 {
			text = text[:21] + "..."
		}
		return strconv.QuoteToASCII(text)
	}
	return g.Name()
}

// objects numbers the objects of the module, from 1: globals, variables of functions, and
// places that make some on the heap.
func (w *Memory) objects(names Variables) {
	w.Data.Objects = []memory.Object{{Func: -1, Place: -1}}
	add := func(o memory.Object) int {
		w.Data.Objects = append(w.Data.Objects, o)
		return len(w.Data.Objects) - 1
	}
	for _, g := range w.m.Globals() {
		t := g.Type()
		if t == "" || strings.HasPrefix(g.Name(), "llvm.") || strings.HasPrefix(g.Name(), "__pathspan_") || numbered.MatchString(g.Name()) { // without a name: what the compiler tells its library
			continue
		}
		if strings.Contains(g.Text(), " thread_local") || strings.HasPrefix(t, "opaque") {
			continue
		}
		if _, value, _ := strings.Cut(g.Value(), t); strings.TrimSpace(value) == "" || strings.HasPrefix(strings.TrimSpace(value), ",") {
			continue // defined elsewhere
		}
		w.vars = append(w.vars, global{g.Name(), t, add(memory.Object{Kind: memory.Global, Name: nameOf(g), Func: -1, Place: -1, Size: w.constSize(t)})})
	}
	for fi, f := range w.m.Funcs() {
		variableOf := func(nth int, typ string) int {
			return add(memory.Object{Kind: memory.Stack, Name: names.of(f.Name(), nth), Func: fi, Place: -1, Size: w.constSize(typ)})
		}
		for i, p := range f.Params() {
			if t := byval(asm.Arg{Attrs: p.Attrs}); t != "" {
				w.made = append(w.made, made{object: variableOf(i, t), f: f, arg: i})
			}
		}
		of, nth := map[string]made{}, len(f.Params())
		cast := map[string]string{} // where pointers have types, lives begin by a cast, of text by a pointer to its first element
		for in := range f.Instrs() {
			switch in.Op() {
			case "alloca":
				of[asm.LocalRef(in.Result())] = made{in: in, object: variableOf(nth, in.Type())}
				nth++
			case "bitcast", "getelementptr":
				if ops := in.Operands(); !slices.ContainsFunc(ops[1:], func(o asm.Operand) bool { return o.Value != "0" }) {
					cast[asm.LocalRef(in.Result())] = ops[0].Value
				}
			}
		}
		// Variables whose life begins somewhere are made there, others where the function begins.
		begins := map[string]bool{}
		for in := range f.Instrs() {
			if c := in.Call(); c != nil && strings.HasPrefix(c.Callee, "llvm.lifetime.start") {
				name := c.Args[len(c.Args)-1].Value
				if to, ok := cast[name]; ok {
					name = to
				}
				if m, ok := of[name]; ok {
					begins[name] = true
					w.made = append(w.made, made{in: in, object: m.object, of: m.in})
				}
			}
		}
		for in := range f.Instrs() {
			if m, ok := of[asm.LocalRef(in.Result())]; ok && m.in == in && !begins[asm.LocalRef(in.Result())] {
				w.made = append(w.made, m)
			}
		}
	}
	for _, a := range w.found {
		c := a.in.Call()
		if c == nil || w.m.Func(c.Callee) != nil {
			continue
		}
		if how, ok := memory.Makes(c.Callee); ok {
			m := made{in: a.in}
			if how.Takes < 0 {
				m.object = add(memory.Object{Kind: memory.Heap, Func: w.Data.Places[a.place].Func, Place: a.place})
			}
			w.made = append(w.made, m)
		}
	}
}

// Variables are the names that values had, by function: its parameters, then its variables.
type Variables map[string][]string

// VariablesOf reads them from a module whose values have not been numbered yet. A function that begins with a block bb, as
// clang calls none, was without names until LLVM's instnamer gave it some.
func VariablesOf(m *asm.Module) Variables {
	out := Variables{}
	for _, f := range m.Funcs() {
		if len(f.Blocks) > 0 && f.Blocks[0].Name() == "bb" {
			continue
		}
		var names []string
		for _, p := range f.Params() {
			names = append(names, variable(p.Name))
		}
		for in := range f.Instrs() {
			if in.Op() == "alloca" {
				names = append(names, variable(in.Result()))
			}
		}
		out[f.Name()] = names
	}
	return out
}

// variable is what a value was called in the source, "" where the compiler made it.
func variable(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if numbered.MatchString(name) {
		return ""
	}
	return name
}

// of is the name of a function's nth.
func (v Variables) of(fn string, n int) string {
	if n < len(v[fn]) {
		return v[fn][n]
	}
	return ""
}

var arrayType = regexp.MustCompile(`^\[(\d+) x (.+)\]$`)

// constSize is the size of a type in bytes, 0 where its text does not tell.
func (w *Memory) constSize(t string) int64 {
	if a := arrayType.FindStringSubmatch(t); a != nil {
		n, _ := strconv.ParseInt(a[1], 10, 64)
		return n * w.constSize(a[2])
	}
	return int64(w.bits(t)+7) / 8
}

// tellObjects writes the list of globals, and what tells of the others.
// madeBehindCasts finds variables whose life begins by a pointer of another type, where pointers have types. Objects takes
// these to be made where their function begins.
func (w *Memory) madeBehindCasts() (out []made) {
	object := map[*asm.Instr]int{}
	for _, m := range w.made {
		if m.in != nil && m.in.Op() == "alloca" {
			object[m.in] = m.object
		}
	}
	for _, f := range w.m.Funcs() {
		of, casts := map[string]*asm.Instr{}, map[string]*asm.Instr{}
		for in := range f.Instrs() {
			switch in.Op() {
			case "alloca":
				of[asm.LocalRef(in.Result())] = in
			case "bitcast":
				if ops := in.Operands(); len(ops) > 0 && of[ops[0].Value] != nil {
					casts[asm.LocalRef(in.Result())] = of[ops[0].Value]
				}
			}
		}
		for in := range f.Instrs() {
			c := in.Call()
			if c == nil || !strings.HasPrefix(c.Callee, "llvm.lifetime.start") {
				continue
			}
			if a := casts[c.Args[len(c.Args)-1].Value]; a != nil {
				if n, ok := object[a]; ok {
					out = append(out, made{in: in, object: n, of: a})
				}
			}
		}
	}
	return out
}

// What tells of variables of the stack.
const (
	variableOf = "declare void @__pathspan_variable(i64, i64, i32) nounwind"
	argumentOf = "declare void @__pathspan_argument(i64, i64, i32) nounwind"
)

func (w *Memory) tellObjects() {
	var list []string
	variable, word := "{ i64, i64, i64 }", func(pointer string) string { return fmt.Sprintf("i64 ptrtoint (%s to i64)", pointer) }
	if w.wordBytes == 4 { // linkers have no words of 64 bits for such addresses: the upper half is 0
		variable, word = "{ i32, i32, i32, i32, i64 }", func(pointer string) string { return fmt.Sprintf("i32 ptrtoint (%s to i32), i32 0", pointer) }
	}
	for _, g := range w.vars {
		list = append(list, fmt.Sprintf("%s { %s, %s, i64 %d }", variable, word(fmt.Sprintf("%s %s", w.m.Pointer(g.typ), asm.GlobalRef(g.name))), word(w.sizeOf(g.typ)), g.object))
	}
	w.globals(fmt.Sprintf("@__pathspan_globals = constant [%d x %s] [%s], align 8", len(list), variable, strings.Join(list, ", ")),
		fmt.Sprintf("@__pathspan_globals_count = constant i64 %d", len(list)),
		fmt.Sprintf("@__pathspan_object_count = constant i64 %d", len(w.Data.Objects)))
	for _, f := range []string{"made(i64, i64, i64)", "moved(i64, i64, i64, i64, i64)", "gone(i64)", "unmapped(i64, i64)"} {
		w.declare("declare void @__pathspan_" + f + " nounwind")
	}
	w.declare(variableOf, argumentOf)
	for _, m := range w.made {
		w.make(m)
	}
}

// sizeOf spells the size of a type as a pointer, which is to be cast.
func (w *Memory) sizeOf(t string) string {
	return fmt.Sprintf("%s getelementptr (%s, %s null, i32 1)", w.m.Pointer(t), t, w.m.Pointer(t))
}

func (w *Memory) make(m made) {
	var text []string
	tellVariable := func(at, size string) string {
		return fmt.Sprintf("call void @__pathspan_variable(i64 %s, i64 %s, i32 %d)", at, size, m.object)
	}
	if m.f != nil {
		p := m.f.Params()[m.arg]
		at := w.address(&text, p.Type, asm.LocalRef(p.Name))
		size := w.sizeText(byval(asm.Arg{Attrs: p.Attrs}))
		w.insert(m.f.Blocks[0], 0, append(text, fmt.Sprintf("call void @__pathspan_argument(i64 %s, i64 %s, i32 %d)", at, size, m.object))...)
		return
	}
	b := m.in.Block()
	if m.in.Op() == "alloca" {
		at := w.address(&text, m.in.ResultType(), asm.LocalRef(m.in.Result()))
		w.insert(b, b.Index(m.in)+1, append(text, tellVariable(at, w.allocaSize(&text, m.in)))...)
		return
	}
	c := m.in.Call()
	arg := func(i int) string { return w.word(&text, c.Args[i]) }
	if strings.HasPrefix(c.Callee, "llvm.lifetime.start") {
		pointer := c.Args[len(c.Args)-1]
		size := w.allocaSize(&text, m.of)
		at := w.address(&text, pointer.Type, pointer.Value)
		w.behind(m.in, append(text, tellVariable(at, size))...)
		return
	}
	how, _ := memory.Makes(c.Callee)
	if last := max(how.Takes, how.Part, how.From, how.Into); last >= len(c.Args) || len(how.Size) > 0 && how.Size[len(how.Size)-1] >= len(c.Args) {
		return // another function of the name
	}
	if how.Takes >= 0 {
		tell := fmt.Sprintf("call void @__pathspan_gone(i64 %s)", arg(how.Takes))
		if how.Part >= 0 {
			tell = fmt.Sprintf("call void @__pathspan_unmapped(i64 %s, i64 %s)", arg(how.Takes), arg(how.Part))
		}
		w.insert(b, b.Index(m.in), append(text, tell)...)
		return
	}
	at := ""
	if how.Into >= 0 {
		at = w.pointerAt(&text, arg(how.Into))
	} else if m.in.Result() == "" {
		return // nobody can use it
	} else {
		at = w.address(&text, m.in.ResultType(), asm.LocalRef(m.in.Result()))
	}
	size := ""
	for _, i := range how.Size {
		if size == "" {
			size = arg(i)
		} else {
			size = w.value(&text, "size", "mul i64 %s, %s", size, arg(i))
		}
	}
	if how.Text {
		size = w.value(&text, "size", "call i64 @__pathspan_length(i32 %d, i64 %s, i64 0, i64 -1, i32 1)", memory.Text, at)
	}
	site := w.siteOf[m.in]
	if how.From >= 0 {
		text = append(text, fmt.Sprintf("call void @__pathspan_moved(i64 %s, i64 %d, i64 %s, i64 %s, i64 %s)", w.site(&text, site), m.object, arg(how.From), at, size))
	} else {
		text = append(text, fmt.Sprintf("call void @__pathspan_made(i64 %d, i64 %s, i64 %s)", m.object, at, size))
	}
	if how.Text {
		w.rangeOf(&text, "write", site, at, size)
	}
	w.behind(m.in, text...)
}

func (w *Memory) allocaSize(text *[]string, in *asm.Instr) string {
	size := fmt.Sprintf("ptrtoint (%s to i64)", w.sizeOf(in.Type()))
	if ops := in.Operands(); len(ops) > 0 {
		size = w.value(text, "size", "mul i64 %s, %s", w.wide(text, ops[0].Type, ops[0].Value), size)
	}
	return size
}
