package openmp

// This file finds the calls that start parallel regions and turns them into
// direct calls.

import (
	"fmt"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// tidName is the variable that stands for the thread number.
const tidName = "__pathspan_tid"

// fork is one call that starts a parallel region.
type fork struct {
	caller  *asm.Func
	in      *asm.Instr
	threads int // constant of num_threads, 0 when absent or not constant
	pos     position
	teams   bool
}

// parallel is an outlined function with the forks that run it.
type parallel struct {
	fn     *asm.Func // what the forks name
	body   *asm.Func // holds the constructs: fn, or the function that fn wraps
	forks  []*fork
	others bool // fn is also referred to elsewhere
	// constructs are all sections constructs of body.
	constructs []*construct
	whole      bool   // its only construct is all of it, as it makes tasks
	region     int    // index of the region, -1 for none
	target     string // function that the forks call in the end
}

func isFork(callee string) bool {
	return callee == "__kmpc_fork_call" || callee == "__kmpc_fork_teams"
}

// findForks returns the outlined functions of m in the order of their first fork.
// Forks that cannot become direct calls are given to odd.
func findForks(m *asm.Module, odd func(*fork)) []*parallel {
	var list []*parallel
	of := map[string]*parallel{}
	for in := range m.Instrs() {
		c := in.Call()
		if c == nil || !isFork(c.Callee) || len(c.Args) < 3 {
			continue
		}
		k := &fork{caller: in.Block().Func(), in: in, pos: identAt(m, c.Args[0].Value), teams: c.Callee == "__kmpc_fork_teams"}
		k.threads = threadsBefore(in.Block(), in.Block().Index(in))
		names := asm.GlobalNames(c.Args[2].Value)
		var t *asm.Func
		if len(names) == 1 {
			t = m.Func(names[0])
		}
		if t == nil || len(t.Params()) != len(c.Args)-1 || t.Variadic() || in.Op() != "call" {
			odd(k)
			continue
		}
		p := of[t.Name()]
		if p == nil {
			p = &parallel{fn: t, body: wrapped(m, t), region: -1}
			of[t.Name()] = p
			list = append(list, p)
		}
		p.forks = append(p.forks, k)
	}
	for in := range m.Instrs() {
		c := in.Call()
		fork := c != nil && isFork(c.Callee) && in.Op() == "call"
		for _, r := range in.GlobalRefs() {
			if p := of[r]; p != nil && !fork {
				p.others = true
			}
		}
	}
	for _, g := range m.Globals() {
		for _, r := range g.Refs() {
			if p := of[r]; p != nil {
				p.others = true
			}
		}
	}
	return list
}

// wrapped returns the function that holds the code of outlined function t: with
// full debug information clang lets t forward to one that takes its parameters by
// their source types.
func wrapped(m *asm.Module, t *asm.Func) *asm.Func {
	var inner *asm.Func
	if len(t.Blocks) != 1 {
		return t
	}
	for _, in := range t.Blocks[0].Instrs {
		c := in.Call()
		if c == nil || in.IsDebug() || strings.HasPrefix(c.Callee, "llvm.") {
			continue
		}
		f := m.Func(c.Callee)
		if inner != nil || f == nil || !strings.HasSuffix(c.Callee, "debug__") {
			return t
		}
		inner = f
	}
	if inner == nil {
		return t
	}
	return inner
}

// threadsBefore returns the constant that num_threads gives for the fork at
// position i of b.
func threadsBefore(b *asm.Block, i int) int {
	for i--; i >= 0; i-- {
		c := b.Instrs[i].Call()
		if c == nil {
			continue
		}
		if isFork(c.Callee) {
			return 0
		}
		if c.Callee == "__kmpc_push_num_threads" && len(c.Args) == 3 {
			n := 0
			if _, err := fmt.Sscan(c.Args[2].Value, &n); err != nil || n < 0 {
				return 0
			}
			return n
		}
	}
	return 0
}

// direct replaces k by a call of target, a function with t's parameters. The
// request for a number of threads before it goes.
func (k *fork) direct(m *asm.Module, t *asm.Func, target string) {
	b := k.in.Block()
	c := k.in.Call()
	dbg := location(m, k.caller, k.in.Dbg())
	var text []string
	tid := m.Pointer("i32") + " " + asm.GlobalRef(tidName)
	args := []string{tid, tid}
	for i, p := range t.Params()[2:] {
		a := c.Args[3+i]
		v := a.Value
		if a.Type != p.Type {
			op := convert(a.Type, p.Type)
			v = asm.LocalRef(k.caller.FreshName("pathspan.arg"))
			text = append(text, fmt.Sprintf("%s = %s %s %s to %s%s", v, op, a.Type, a.Value, p.Type, suffixDbg(dbg)))
		}
		args = append(args, p.Type+" "+v)
	}
	text = append(text, callText("", "void", target, args, k.caller, dbg))
	at := b.Index(k.in)
	must(b.Replace(at, text...))
	for i := at - 1; i >= 0; i-- {
		c := b.Instrs[i].Call()
		if c == nil || b.Instrs[i].IsDebug() {
			continue
		}
		if c.Callee != "__kmpc_push_num_threads" && c.Callee != "__kmpc_push_proc_bind" {
			break
		}
		must(b.Delete(i))
	}
}

// convert names the conversion that passes a value of type from as type to, both
// of the same size or integers.
func convert(from, to string) string {
	fromPtr, toPtr := strings.HasSuffix(from, "*") || from == "ptr", strings.HasSuffix(to, "*") || to == "ptr"
	switch {
	case fromPtr && !toPtr:
		return "ptrtoint"
	case !fromPtr && toPtr:
		return "inttoptr"
	case strings.HasPrefix(from, "i") && strings.HasPrefix(to, "i") && ir.ScalarBits(from, 64) != ir.ScalarBits(to, 64):
		if ir.ScalarBits(from, 64) > ir.ScalarBits(to, 64) {
			return "trunc"
		}
		return "zext"
	}
	return "bitcast"
}
