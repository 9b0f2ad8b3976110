package probe

// This file tells the run-time library which objects the program has in memory.

import (
	"fmt"
	"strconv"
	"strings"

	"pathspan/ir/asm"
	"pathspan/memory"
)

// made is an instruction that makes objects, or takes them back.
type made struct {
	in     *asm.Instr
	object int
}

// objects numbers the objects of the module, from 1: globals, variables of functions, and
// places that make some on the heap.
func (w *Memory) objects() {
	w.Objects = []memory.Object{{Func: -1, Place: -1}}
	add := func(o memory.Object) int {
		w.Objects = append(w.Objects, o)
		return len(w.Objects) - 1
	}
	for _, g := range w.m.Globals() {
		t := g.Type()
		if _, err := strconv.Atoi(g.Name()); err == nil { // without a name: what the compiler tells its library
			continue
		}
		if t == "" || strings.HasPrefix(g.Name(), "llvm.") || strings.HasPrefix(g.Value(), "{ i32, ptr, ptr }") {
			continue
		}
		if _, value, _ := strings.Cut(g.Value(), t); strings.TrimSpace(value) == "" || strings.HasPrefix(strings.TrimSpace(value), ",") {
			continue // defined elsewhere
		}
		w.vars = append(w.vars, global{g.Name(), t, add(memory.Object{Kind: memory.Global, Name: g.Name(), Func: -1, Place: -1})})
	}
	for fi, f := range w.m.Funcs() {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if in.Op() == "alloca" {
					w.made = append(w.made, made{in, add(memory.Object{Kind: memory.Stack, Name: variable(in.Result()), Func: fi, Place: -1})})
				}
			}
		}
	}
	for _, a := range w.found {
		c := a.in.Call()
		if c == nil {
			continue
		}
		if how, ok := memory.Makes(c.Callee); ok {
			m := made{in: a.in}
			if how.Size != nil {
				m.object = add(memory.Object{Kind: memory.Heap, Func: w.places.List[a.place].Func, Place: a.place})
			}
			w.made = append(w.made, m)
		}
	}
}

// variable is what a value was called in the source.
func variable(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

type global struct {
	name, typ string
	object    int
}

// tellObjects writes the list of globals, and what tells of the others.
func (w *Memory) tellObjects() {
	var list []string
	for _, g := range w.vars {
		list = append(list, fmt.Sprintf("{ i64, i64, i64 } { i64 ptrtoint (%s %s to i64), i64 ptrtoint (%s to i64), i64 %d }",
			w.m.Pointer(g.typ), asm.GlobalRef(g.name), w.sizeOf(g.typ), g.object))
	}
	w.globals(fmt.Sprintf("@__pathspan_globals = constant [%d x { i64, i64, i64 }] [%s]", len(list), strings.Join(list, ", ")),
		fmt.Sprintf("@__pathspan_varscount = constant i64 %d", len(list)))
	w.declare("declare void @__pathspan_made(i64, i64, i64) nounwind", "declare void @__pathspan_renew(i64, i64, i32) nounwind", "declare void @__pathspan_moved(i64, i64, i64, i64, i64) nounwind", "declare void @__pathspan_gone(i64) nounwind")
	for _, m := range w.made {
		w.make(m)
	}
}

// sizeOf spells the size of a type as a pointer, which is to be cast.
func (w *Memory) sizeOf(t string) string {
	return fmt.Sprintf("%s getelementptr (%s, %s null, i32 1)", w.m.Pointer(t), t, w.m.Pointer(t))
}

func (w *Memory) make(m made) {
	b := m.in.Block()
	var text []string
	if m.in.Op() == "alloca" {
		at := w.value(&text, "at", "ptrtoint %s %s to i64", m.in.ResultType(), asm.LocalRef(m.in.Result()))
		size := fmt.Sprintf("ptrtoint (%s to i64)", w.sizeOf(m.in.Type()))
		if ops := m.in.Operands(); len(ops) > 0 {
			size = w.value(&text, "size", "mul i64 %s, %s", w.wide(&text, ops[0].Type, ops[0].Value), size)
		}
		w.insert(b, b.Index(m.in)+1, append(text, fmt.Sprintf("call void @__pathspan_renew(i64 %s, i64 %s, i32 %d)", at, size, m.object))...)
		return
	}
	c := m.in.Call()
	how, _ := memory.Makes(c.Callee)
	if how.Takes >= 0 {
		at := w.value(&text, "at", "ptrtoint %s %s to i64", c.Args[how.Takes].Type, c.Args[how.Takes].Value)
		w.insert(b, b.Index(m.in), append(text, fmt.Sprintf("call void @__pathspan_gone(i64 %s)", at))...)
		return
	}
	size := ""
	for _, arg := range how.Size {
		v := w.wide(&text, c.Args[arg].Type, c.Args[arg].Value)
		if size != "" {
			v = w.value(&text, "size", "mul i64 %s, %s", size, v)
		}
		size = v
	}
	var at string
	if how.Into >= 0 {
		at = w.value(&text, "at", "load i64, %s %s", c.Args[how.Into].Type, c.Args[how.Into].Value)
	} else {
		at = w.value(&text, "at", "ptrtoint %s %s to i64", m.in.ResultType(), asm.LocalRef(m.in.Result()))
	}
	if how.From >= 0 {
		from := w.value(&text, "at", "ptrtoint %s %s to i64", c.Args[how.From].Type, c.Args[how.From].Value)
		text = append(text, fmt.Sprintf("call void @__pathspan_moved(i64 %s, i64 %d, i64 %s, i64 %s, i64 %s)", w.site(&text, w.siteOf[m.in]), m.object, from, at, size))
	} else {
		text = append(text, fmt.Sprintf("call void @__pathspan_made(i64 %d, i64 %s, i64 %s)", m.object, at, size))
	}
	if m.in.Op() == "call" {
		w.insert(b, b.Index(m.in)+1, text...)
	} else {
		w.onEdge(b.Func(), b, 0, text...)
	}
}
