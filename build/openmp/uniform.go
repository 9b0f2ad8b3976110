package openmp

// This file says which values of a function are the same in all threads that execute it, and which
// blocks all of them execute: variables of its own are looked through, as clang keeps all of
// them in memory.

import (
	"regexp"
	"slices"
	"strings"

	"pathspan/ir/asm"
)

type uniform struct {
	m      *asm.Module
	f      *asm.Func
	g      *graph
	who    [][]who
	def    map[string]*asm.Instr
	at     map[*asm.Instr][2]int
	params map[string]bool         // which are the same
	stores map[string][]*asm.Instr // by address as it is spelled
	leaks  map[string]bool         // variables of the function whose addresses go elsewhere
	value  map[string]bool         // that differ, as far as is known
	apart  []bool                  // blocks that some threads alone execute
	decide [][]int                 // by block: those whose ends decide whether it is executed
	writes map[string]bool         // globals that functions write which this one calls
	calls  bool                    // through a pointer: anything is written
	orders bool                    // threads may order what they do in ways of their own
}

func newUniform(m *asm.Module, f *asm.Func, params []bool) *uniform {
	g := newGraph(f)
	u := &uniform{m: m, f: f, g: g, who: executorsOf(g), def: map[string]*asm.Instr{}, at: map[*asm.Instr][2]int{}, params: map[string]bool{},
		stores: map[string][]*asm.Instr{}, leaks: map[string]bool{}, value: map[string]bool{}, apart: make([]bool, len(f.Blocks)), writes: map[string]bool{}}
	if u.who == nil {
		return nil
	}
	for i, p := range f.Params() {
		u.params[p.Name] = i < len(params) && params[i]
	}
	for b, block := range f.Blocks {
		for i, in := range block.Instrs {
			u.at[in] = [2]int{b, i}
			if in.Result() != "" {
				u.def[in.Result()] = in
			}
			if in.Op() == "store" {
				to := in.Operands()[1].Value
				u.stores[to] = append(u.stores[to], in)
			}
		}
	}
	for in := range f.Instrs() {
		if in.IsDebug() || in.Call() != nil && strings.HasPrefix(in.Call().Callee, "llvm.lifetime.") {
			continue
		}
		for i, o := range in.Operands() {
			if in.Op() == "load" && i == 0 || in.Op() == "store" && i == 1 {
				continue
			}
			u.leaks[o.Value] = true
		}
		for _, use := range in.Uses() {
			if in.Op() != "load" && in.Op() != "store" {
				u.leaks["%"+use] = true
			}
		}
	}
	u.called(f, map[string]bool{f.Name(): true})
	if u.orders {
		return nil
	}
	u.decide = deciders(g)
	for changed := true; changed; {
		changed = false
		for b := range f.Blocks {
			if u.apart[b] {
				continue
			}
			for _, d := range u.decide[b] {
				if u.apart[d] || u.ends(d) {
					u.apart[b], changed = true, true
					break
				}
			}
		}
		for b, block := range f.Blocks {
			for i, in := range block.Instrs {
				if in.Result() != "" && !u.value[in.Result()] && u.made(in, b, i) {
					u.value[in.Result()], changed = true, true
				}
			}
		}
	}
	return u
}

// called finds what functions write that are called.
func (u *uniform) called(f *asm.Func, seen map[string]bool) {
	for in := range f.Instrs() {
		if in.IsDebug() {
			continue
		}
		c := in.Call()
		u.orders = u.orders || synchronizes(in)
		switch {
		case in.Op() == "store" || in.Op() == "atomicrmw" || in.Op() == "cmpxchg":
			for _, g := range in.GlobalRefs() {
				u.writes[g] = true
			}
		case c == nil:
		case c.Callee == "" && !c.Asm:
			u.calls = true
		default:
			for _, a := range c.Args { // which may write what it is given
				for _, g := range asm.GlobalNames(a.Value) {
					u.writes[g] = u.writes[g] || !strings.HasPrefix(c.Callee, "__kmpc_")
				}
			}
			for _, name := range in.GlobalRefs() {
				if t := u.m.Func(name); t != nil && !seen[name] {
					seen[name] = true
					u.called(t, seen)
				}
			}
		}
	}
}

// ends reports whether the end of a block leads threads to different ones.
func (u *uniform) ends(b int) bool {
	t := u.f.Blocks[b].Term()
	if t == nil {
		return true
	}
	if u.who[b][len(u.who[b])-1].kind != byAll {
		return true
	}
	for _, o := range t.Uses() {
		if u.f.Block(o) == nil && u.value[o] {
			return true
		}
	}
	return t.Op() != "br" && t.Op() != "switch" && t.Op() != "ret" && t.Op() != "unreachable"
}

// differs reports whether a value as spelled may be another in another thread.
func (u *uniform) differs(value string) bool {
	if name, local := strings.CutPrefix(value, "%"); local {
		if same, is := u.params[name]; is {
			return !same
		}
		return u.def[name] == nil || u.value[name]
	}
	for _, g := range asm.GlobalNames(value) {
		if x := u.m.Global(g); x == nil || strings.Contains(x.Text(), " thread_local") {
			return u.m.Func(g) == nil
		}
	}
	return false
}

// made reports whether what an instruction makes may differ.
func (u *uniform) made(in *asm.Instr, b, i int) bool {
	if w := u.who[b][i].kind; w != byAll {
		return w != byNobody
	}
	switch in.Op() {
	case "alloca": // each has its own
		return true
	case "load":
		return u.loaded(in)
	case "phi":
		for _, p := range in.Phi() {
			from := u.f.Block(p.Block)
			if from == nil || u.apart[u.g.index[from]] != u.apart[b] || u.apart[b] || u.differs(p.Value) || u.ends(u.g.index[from]) {
				return true
			}
		}
		return false
	case "call":
		c := in.Call()
		switch {
		case c.Callee == "omp_get_num_threads" || c.Callee == "omp_get_max_threads":
			return false
		case !strings.HasPrefix(c.Callee, "llvm.") || strings.HasPrefix(c.Callee, "llvm.threadlocal"):
			return true
		}
		return slices.ContainsFunc(c.Args, func(a asm.Arg) bool { return u.differs(a.Value) })
	case "atomicrmw", "cmpxchg", "invoke", "landingpad", "va_arg":
		return true
	}
	return slices.ContainsFunc(in.Operands(), func(o asm.Operand) bool { return u.differs(o.Value) })
}

// loaded reports whether what is read may differ: of a variable of the function's own by what is
// written there; of others where threads may write it.
func (u *uniform) loaded(in *asm.Instr) bool {
	from := in.Operands()[0].Value
	if v := u.def[strings.TrimPrefix(from, "%")]; v != nil && strings.HasPrefix(from, "%") && v.Op() == "alloca" {
		if u.leaks[from] {
			return true
		}
		for _, s := range u.stores[from] {
			at := u.at[s]
			if u.who[at[0]][at[1]].kind != byAll || u.apart[at[0]] || u.differs(s.Operands()[0].Value) {
				return true
			}
		}
		return false
	}
	if strings.Contains(in.Text(), "load atomic ") || u.calls || u.differs(from) || len(u.stores[from]) > 0 {
		return true
	}
	base := asm.GlobalNames(from)
	if len(base) == 0 {
		return !u.untouched(from)
	}
	return slices.ContainsFunc(base, func(g string) bool { return u.writes[g] })
}

// untouched reports whether what a parameter points to is written nowhere in the function: no store
// goes there, and no other function gets to know it.
func (u *uniform) untouched(pointer string) bool {
	root := u.root(pointer)
	if root == "" {
		return false
	}
	for to := range u.stores {
		if u.root(to) == root {
			return false
		}
	}
	for in := range u.f.Instrs() {
		c := in.Call()
		if c == nil || in.IsDebug() || strings.HasPrefix(c.Callee, "llvm.lifetime") {
			continue
		}
		for _, a := range c.Args {
			if strings.HasPrefix(a.Value, "%") && u.root(a.Value) == root {
				return false
			}
		}
	}
	return true
}

// root is the parameter or global that a pointer is made of, "" where that is not one.
func (u *uniform) root(pointer string) string {
	for range 64 {
		name, local := strings.CutPrefix(pointer, "%")
		if !local {
			if g := asm.GlobalNames(pointer); len(g) == 1 {
				return "@" + g[0]
			}
			return ""
		}
		if _, is := u.params[name]; is {
			return pointer
		}
		in := u.def[name]
		if in == nil {
			return ""
		}
		switch in.Op() {
		case "getelementptr", "bitcast":
			pointer = in.Operands()[0].Value
		case "load":
			from := in.Operands()[0].Value
			v := u.def[strings.TrimPrefix(from, "%")]
			if v == nil || v.Op() != "alloca" || u.leaks[from] || len(u.stores[from]) != 1 {
				return ""
			}
			pointer = u.stores[from][0].Operands()[0].Value
		default:
			return ""
		}
	}
	return ""
}

// deciders lists, by block, those on whose end it depends whether it is executed (control dependence,
// Ferrante, Ottenstein and Warren, The Program Dependence Graph and Its Use in Optimization, 1987).
func deciders(g *graph) [][]int {
	n := len(g.f.Blocks)
	behind := make([][]bool, n) // by block: those that are passed on each way from it to an end
	for b := range behind {
		behind[b] = slices.Repeat([]bool{true}, n)
	}
	for changed := true; changed; {
		changed = false
		for b := n - 1; b >= 0; b-- {
			for k := range n {
				all := len(g.succs[b]) > 0
				for _, s := range g.succs[b] {
					all = all && behind[s][k]
				}
				if is := all || k == b; is != behind[b][k] {
					behind[b][k], changed = is, true
				}
			}
		}
	}
	out := make([][]int, n)
	for d := range n {
		if len(g.succs[d]) < 2 {
			continue
		}
		for b := range n {
			if b != d && behind[d][b] {
				continue
			}
			if slices.ContainsFunc(g.succs[d], func(s int) bool { return behind[s][b] }) {
				out[b] = append(out[b], d)
			}
		}
	}
	return out
}

// own reports whether a pointer is one to a variable of the function, or into one.
func (u *uniform) own(pointer string) bool {
	for range 64 {
		name, local := strings.CutPrefix(pointer, "%")
		in := u.def[name]
		if !local || in == nil {
			return false
		}
		switch in.Op() {
		case "alloca":
			return true
		case "getelementptr", "bitcast":
			pointer = in.Operands()[0].Value
		default:
			return false
		}
	}
	return false
}

// ordering are atomic accesses that others come behind: OpenMP's are none unless a clause says so.
var ordering = regexp.MustCompile(` (acquire|release|acq_rel|seq_cst)\b`)

// synchronizes reports whether an instruction may be a lock or a signal that the program makes itself.
func synchronizes(in *asm.Instr) bool {
	c := in.Call()
	switch in.Op() {
	case "fence":
		return true
	case "load", "store", "atomicrmw", "cmpxchg":
		return ordering.MatchString(in.Text())
	}
	if c == nil {
		return false
	}
	for _, prefix := range []string{"pthread_cond", "pthread_barrier", "pthread_spin", "pthread_rwlock", "sem_", "__atomic_", "__sync_"} {
		if strings.HasPrefix(c.Callee, prefix) {
			return true
		}
	}
	return c.Asm
}
