package probe

// This file lets a program tell of its memory: it finds what accesses memory, and writes what
// tells the run-time library of it (build/runtime/memory.c).

import (
	"fmt"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
	"pathspan/memory"
)

// Memory writes the calls that tell of memory into a module. It is made before other probes
// are written, since their own accesses are not the program's, and writes behind them.
type Memory struct {
	// Data is what the program has, without what its runs tell; Index says where.
	Data  *memory.Data
	Index *memory.Index

	emitter
	p         *ir.Program
	found     []found
	made      []made
	vars      []global
	foreign   []foreign
	walks     []walk
	byOne     bool // each access is told of by itself
	wordBytes int  // of a pointer
	siteOf    map[*asm.Instr]int
	defined   map[*asm.Func]map[string]*asm.Instr // values by name
}

// found is an instruction that accesses memory. Where some of what it does is atomic, and some
// is not, all counts as atomic.
type found struct {
	in    *asm.Instr
	place int
}

type foreign struct {
	in *asm.Instr
	fn int // index into Data.Foreign
}

const (
	sitesName   = "__pathspan_sites"
	siteType    = "{ i32, i32, i32, i32, i64, i64 }"
	foreignName = "__pathspan_foreign_calls"
	copierName  = "__pathspan_copier"
)

// FindMemory finds what is to be told of. The program is the module's view.
func FindMemory(m *asm.Module, p *ir.Program, graphs func(fn int) *flow.CFG, names Variables) (*Memory, error) {
	w := &Memory{emitter: emitter{m: m, i64ptr: m.Pointer("i64"), next: 1 << 21}, p: p, wordBytes: ir.PointerBits(p.DataLayout) / 8}
	funcs := m.Funcs()
	instrs := make([][][]*asm.Instr, len(funcs)) // by function and block, as the view has them
	for fi, f := range funcs {
		if err := f.CheckEditable(); err != nil {
			return nil, fmt.Errorf("probe: function %s: %w", f.Name(), err)
		}
		for bi, b := range f.Blocks {
			var list []*asm.Instr
			for n := range p.Funcs[fi].Blocks[bi].Instrs {
				at := ir.InstrAt(b, n)
				if at < 0 {
					return nil, fmt.Errorf("probe: function %s: an instruction is in its view alone", f.Name())
				}
				list = append(list, b.Instrs[at])
			}
			instrs[fi] = append(instrs[fi], list)
		}
	}
	w.Data, w.Index = memory.Of(p, graphs, func(fn, block, index int) (bool, bool) { return w.accesses(instrs[fn][block][index]) })
	called := make(map[string]int)
	for fi, f := range funcs {
		for bi := range f.Blocks {
			for n, in := range instrs[fi][bi] {
				if at := w.Index.Place(fi, bi, n); at >= 0 {
					w.found = append(w.found, found{in, at})
				}
				if name, is := w.isForeign(in); is {
					at, ok := called[name]
					if !ok {
						at = len(w.Data.Foreign)
						called[name] = at
						w.Data.Foreign = append(w.Data.Foreign, memory.Foreign{Name: name})
					}
					w.foreign = append(w.foreign, foreign{in, at})
				}
			}
		}
		w.walks = append(w.walks, w.walk(fi, f, graphs(fi), instrs[fi]))
	}
	w.objects(names)
	if n := len(w.Data.Lanes); n >= 1<<16 {
		return nil, fmt.Errorf("%d sections, loops and tasks are more than a profile of memory tells apart; leave out --memory", n)
	}
	return w, nil
}

// Write writes the calls.
func (w *Memory) Write() error {
	for i := range w.walks {
		w.tellWalk(&w.walks[i])
	}
	w.tellAccesses()
	for _, f := range w.foreign {
		var text []string
		at := fmt.Sprintf("getelementptr inbounds ([%d x i64], %s @%s, i64 0, i64 %d)", len(w.Data.Foreign), w.m.Pointer(fmt.Sprintf("[%d x i64]", len(w.Data.Foreign))), foreignName, f.fn)
		w.increase(&text, at)
		w.insert(f.in.Block(), f.in.Block().Index(f.in), text...)
	}
	w.tellObjects()
	w.declareWalk()
	w.globals(fmt.Sprintf("@%s = global [%d x i64] zeroinitializer, align 8", foreignName, len(w.Data.Foreign)),
		fmt.Sprintf("@__pathspan_foreign_count = constant i64 %d", len(w.Data.Foreign)))
	return w.err
}

// WriteAccesses writes the calls that tell what is read and written, an access each, and what variables are
// made on the stack.
func (w *Memory) WriteAccesses() error {
	w.byOne = true // for who plays one access after the other
	w.tellAccesses()
	for _, f := range []string{variableOf, argumentOf} {
		w.declare(f)
	}
	for _, m := range append(w.madeBehindCasts(), w.made...) {
		if w.Data.Objects[m.object].Kind == memory.Stack {
			w.make(m)
		}
	}
	return w.err
}

func (w *Memory) tellAccesses() {
	var sites []string
	w.siteOf = make(map[*asm.Instr]int, len(w.found))
	for i, a := range w.found {
		w.siteOf[a.in] = i
		sites = append(sites, fmt.Sprintf("%s { i32 %d, i32 -1, i32 0, i32 0, i64 0, i64 0 }", siteType, a.place+1))
	}
	for i := 0; i < len(w.found); {
		n, each := w.row(i)
		w.access(w.found[i].in, i, n, each)
		i += n
	}
	w.globals(fmt.Sprintf("@%s = internal global [%d x %s] [%s], align 16", sitesName, len(sites), siteType, strings.Join(sites, ", ")),
		fmt.Sprintf("@%s = external global i64, align 8", copierName))
	for _, n := range []int{1, 2, 4, 8, 16} {
		w.declare(fmt.Sprintf("declare void @__pathspan_read%d(i64, i64) nounwind", n), fmt.Sprintf("declare void @__pathspan_write%d(i64, i64) nounwind", n))
	}
	for _, f := range []string{"void @__pathspan_read_range(i64, i64, i64)", "void @__pathspan_write_range(i64, i64, i64)",
		"void @__pathspan_read_row(i64, i64, i64, i64)", "void @__pathspan_write_row(i64, i64, i64, i64)",
		"i64 @__pathspan_length(i32, i64, i64, i64, i32)", "i64 @__pathspan_zero(i64, i32)",
		"void @__pathspan_printed(i64, i64, i32, ...)", "void @__pathspan_scanned(i64, i64, i64, i32, ...)"} {
		w.declare("declare " + f + " nounwind")
	}
}

func (w *Memory) increase(text *[]string, pointer string) {
	old := w.value(text, "calls", "load i64, %s %s, align 8", w.i64ptr, pointer)
	more := w.value(text, "calls", "add i64 %s, 1", old)
	*text = append(*text, fmt.Sprintf("store i64 %s, %s %s, align 8", more, w.i64ptr, pointer))
}

// behind writes text that runs once an instruction is over, but not where it ends a function
// or throws.
func (w *Memory) behind(in *asm.Instr, text ...string) {
	b := in.Block()
	switch c := in.Call(); {
	case len(text) == 0 || c != nil && c.Tail == "musttail":
	case in.Op() == "invoke":
		w.onEdge(b.Func(), b, 0, text...)
	case !in.IsTerminator():
		w.insert(b, b.Index(in)+1, text...)
	}
}
