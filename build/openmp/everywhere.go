package openmp

// This file finds what every thread of a region executes on the same memory: stores outside of its
// constructs whose address, and whether they are executed, is the same for all threads (in the words of
// compilers for GPUs: uniform, not divergent). Such a store races with itself. It reads
// functions as clang wrote them, where calls of OpenMP's library still say who executes what, and
// takes for different from thread to thread all of which it does not know that it is the same.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir/asm"
)

// mostBlocks is of functions that are looked at; larger ones take long.
const mostBlocks = 2000

// MarkEverywhere writes into the named metadata [asm.Everywhere] what it finds. It comes before
// [Lower], and changes nothing else; the values of m must be named. Of a whole program, no other
// module calls its functions.
func MarkEverywhere(m *asm.Module, program bool) (err error) {
	defer failed(&err)
	e := &everywhere{m: m, calls: map[string]int{}, args: map[string][]bool{}, said: map[string]bool{}, odd: map[string]bool{}}
	var bodies []*parallel
	regions := map[string]bool{}
	for _, p := range findForks(m, func(*fork) {}) {
		regions[p.fn.Name()], regions[p.body.Name()] = true, true
		bodies = append(bodies, p)
	}
	refs := map[string]int{} // by function: how often others name it
	for in := range m.Instrs() {
		if c := in.Call(); c != nil && c.Callee == "omp_set_num_threads" && c.Args[0].Value == "1" {
			return nil
		}
		for _, g := range in.GlobalRefs() {
			refs[g]++
		}
	}
	for _, g := range m.Globals() {
		for _, r := range g.Refs() {
			refs[r] += 1 << 20
		}
	}
	for _, p := range bodies {
		alone := p.others || p.forks[0].teams || refs[p.body.Name()] != 1 && p.body != p.fn
		for _, k := range p.forks {
			alone = alone || k.threads == 1 || regions[k.caller.Name()] // a team in a team has one thread, mostly
		}
		if alone {
			continue
		}
		e.names = append(e.names, p.fn.Name())
		uniform := make([]bool, len(p.body.Params()))
		for i := range uniform {
			uniform[i] = i > 1 // the first two are a thread's number
		}
		e.function(p.body, uniform)
	}
	// Functions that are called from there alone, and with the same arguments by all threads.
	for again := true; again; {
		again = false
		for _, f := range m.Funcs() {
			if n := e.calls[f.Name()]; n == 0 || n != refs[f.Name()] || regions[f.Name()] || f.Linkage() != "internal" && !program || f.Name() == "main" {
				continue
			}
			e.calls[f.Name()] = 0
			again = true
			e.function(f, e.args[f.Name()])
		}
	}
	e.write()
	return nil
}

type everywhere struct {
	m     *asm.Module
	names []string          // of functions of regions
	calls map[string]int    // by function: how many calls of it all threads execute
	args  map[string][]bool // by function: which arguments are the same for all of them
	said  map[string]bool
	odd   map[string]bool // lines that also write where threads may have memory of their own
	list  []string
}

// note keeps what is said of lines once.
func (e *everywhere) note(text string) {
	if !e.said[text] {
		e.said[text] = true
		e.list = append(e.list, text)
	}
}

func (e *everywhere) write() {
	e.list = slices.DeleteFunc(e.list, func(text string) bool { return e.odd[text] })
	for _, n := range e.names {
		e.note("body " + n)
	}
	must(e.m.AddNamedStrings(asm.Everywhere, e.list))
}

// function looks at one that all threads execute.
func (e *everywhere) function(f *asm.Func, params []bool) {
	if len(f.Blocks) == 0 || len(f.Blocks) > mostBlocks {
		return
	}
	u := newUniform(e.m, f, params)
	if u == nil {
		return
	}
	if !slices.Contains(e.names, f.Name()) {
		e.names = append(e.names, f.Name())
	}
	for b, block := range f.Blocks {
		for i, in := range block.Instrs {
			c := in.Call()
			to, file, line := "", "", 0
			switch {
			case in.IsDebug():
				continue
			case in.Op() == "store":
				to = in.Operands()[1].Value
			case c != nil && (strings.HasPrefix(c.Callee, "llvm.memcpy") || strings.HasPrefix(c.Callee, "llvm.memset") || strings.HasPrefix(c.Callee, "llvm.memmove")):
				to = c.Args[0].Value
			}
			if to != "" {
				if u.own(to) {
					continue
				}
				file, line = lineOf(e.m, in)
				text := fmt.Sprintf("write %d %s", line, file)
				switch all := u.who[b][i].kind == byAll && !u.apart[b]; {
				case line == 0:
				case all && in.Op() == "store" && !u.differs(to) && !strings.Contains(in.Text(), "store atomic "):
					e.note(text)
				default:
					e.odd[text] = true
					// What iterations write to one place. The optimiser may keep it in a register.
					if u.who[b][i].kind == byShare && in.Op() == "store" && !u.differs(to) && !strings.Contains(in.Text(), "store atomic ") {
						e.note(fmt.Sprintf("iterations %d %s", line, file))
					}
				}
				continue
			}
			if u.who[b][i].kind != byAll || u.apart[b] {
				continue
			}
			switch {
			case c != nil && e.m.Func(c.Callee) != nil && len(e.m.Func(c.Callee).Blocks) > 0:
				same, known := e.args[c.Callee]
				if !known {
					same = slices.Repeat([]bool{true}, len(e.m.Func(c.Callee).Params()))
				}
				for k := range same {
					same[k] = same[k] && k < len(c.Args) && byval.FindString(c.Args[k].Attrs) == "" && !u.differs(c.Args[k].Value)
				}
				e.calls[c.Callee]++
				e.args[c.Callee] = same
			}
		}
	}
	u.pairs(e)
}
