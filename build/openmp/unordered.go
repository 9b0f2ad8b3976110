package openmp

// This file finds pairs of lines of a region between which nobody waits though other threads may
// execute the one and the other: what one thread does alone, or threads share, and what follows without a barrier.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// touch is an access to memory that may be shared.
type touch struct {
	in     *asm.Instr
	block  int
	index  int
	who    who
	apart  bool // executed by some threads, or at places that differ
	writes bool
	what   string // the variable, where it is all of one
	line   string
}

// pairs notes lines that race where they meet in memory: all of their accesses must.
func (u *uniform) pairs(e *everywhere) {
	var touches []touch
	some := false
	for b, block := range u.f.Blocks {
		for i, in := range block.Instrs {
			w := u.who[b][i]
			if in.IsDebug() || in.Op() != "load" && in.Op() != "store" {
				continue
			}
			t := touch{in: in, block: b, index: i, who: w, writes: in.Op() == "store"}
			to := in.Operands()[0].Value
			if t.writes {
				to = in.Operands()[1].Value
			}
			file, line := lineOf(e.m, in)
			if line == 0 || u.own(to) {
				continue
			}
			t.line = fmt.Sprintf("%d %s", line, file)
			t.apart = w.kind == byAll && (u.apart[b] || u.differs(to)) || strings.Contains(in.Text(), " atomic ")
			t.what = u.whole(to)
			some = some || w.kind != byAll
			touches = append(touches, t)
		}
	}
	if !some || len(touches) > 2000 {
		return
	}
	numbered := u.asksNumber(u.f, map[string]bool{})
	waits := u.waiting()
	type key struct{ what, from, to string }
	var order []key
	yes, no := map[key]bool{}, map[key]bool{}
	for a := range touches {
		from := &touches[a]
		var free, behind []bool
		for c := range touches {
			to := &touches[c]
			if !from.writes && !to.writes {
				continue
			}
			k := key{"flow", from.line, to.line}
			if !from.writes {
				k.what = "anti"
			} else if to.writes {
				k.what = "output"
			}
			if k.what != "flow" && (from.what == "" || from.what != to.what) {
				continue
			}
			if free == nil {
				free, behind = u.from(from, touches, waits)
			}
			if from.apart || to.apart || !differ(from.who, to.who, numbered) || !free[c] || behind[c] {
				no[k] = true
				continue
			}
			if !yes[k] {
				yes[k] = true
				order = append(order, k)
			}
		}
	}
	for _, k := range order {
		if !no[k] {
			e.note(k.what + " " + k.from + "\n" + k.to)
		}
	}
}

// whole is the variable that a pointer is the address of, "" where it may be a part of one.
func (u *uniform) whole(pointer string) string {
	root := u.root(pointer)
	if root == pointer && !strings.Contains(pointer, "(") {
		return root
	}
	if in := u.def[strings.TrimPrefix(pointer, "%")]; in != nil && in.Op() == "load" && !strings.Contains(root, "(") {
		return root
	}
	return ""
}

// differ reports whether threads that execute the one and the other are not the same for sure.
func differ(a, b who, numbered bool) bool {
	known := func(w who) bool {
		return w.kind == byAll || w.kind == byOne || w.kind == byMaster || w.kind == inOrder || w.kind == byShare && !numbered
	}
	switch {
	case !known(a) || !known(b), a.kind == byAll && b.kind == byAll, a == b:
		return false
	case a.kind == byShare && b.kind == byShare: // the same iterations go to the same threads
		return a.number != b.number && !(a.static && b.static)
	}
	return true
}

// asksNumber reports whether a function, or what it calls, asks which thread executes it, or calls through a pointer.
func (u *uniform) asksNumber(f *asm.Func, seen map[string]bool) bool {
	seen[f.Name()] = true
	for in := range f.Instrs() {
		c := in.Call()
		if c == nil || in.IsDebug() {
			continue
		}
		if c.Callee == "" && !c.Asm || c.Callee == "omp_get_thread_num" {
			return true
		}
		if t := u.m.Func(c.Callee); t != nil && !seen[c.Callee] && u.asksNumber(t, seen) {
			return true
		}
	}
	return false
}

// waiting tells the instructions of the function at which threads may wait for each other.
func (u *uniform) waiting() map[*asm.Instr]bool {
	var may func(f *asm.Func, seen map[string]bool) bool
	at := func(in *asm.Instr, seen map[string]bool) bool {
		c := in.Call()
		switch {
		case c == nil || in.IsDebug():
			return false
		case c.Callee == "":
			return true
		case isBarrier(c), c.Callee == "__kmpc_end_reduce", c.Callee == "__kmpc_copyprivate", strings.HasPrefix(c.Callee, "pthread_barrier"):
			return true
		}
		t := u.m.Func(c.Callee)
		return t != nil && !seen[c.Callee] && may(t, seen)
	}
	may = func(f *asm.Func, seen map[string]bool) bool {
		seen[f.Name()] = true
		for in := range f.Instrs() {
			if at(in, seen) {
				return true
			}
		}
		return false
	}
	out := map[*asm.Instr]bool{}
	for in := range u.f.Instrs() {
		if at(in, map[string]bool{u.f.Name(): true}) {
			out[in] = true
		}
	}
	return out
}

// from tells which accesses come behind one without a wait, and which behind one, where it is not
// executed again in between.
func (u *uniform) from(t *touch, touches []touch, waits map[*asm.Instr]bool) (free, behind []bool) {
	free, behind = make([]bool, len(touches)), make([]bool, len(touches))
	by := map[*asm.Instr]int{}
	for i := range touches {
		by[touches[i].in] = i
	}
	// Threads wait behind the combining of a reduction, but those that have nothing to combine do so
	// in the call that begins it.
	type state struct {
		block           int
		waited, reduced bool
	}
	seen := map[state]bool{}
	var work []state
	walk := func(b, i int, waited, reduced bool) {
		for _, in := range u.f.Blocks[b].Instrs[i:] {
			if in == t.in {
				return
			}
			waited = waited || waits[in]
			reduced = reduced || in.Call() != nil && in.Call().Callee == "__kmpc_reduce"
			if k, ok := by[in]; ok {
				late := waited || reduced && touches[k].who.kind != inOrder
				free[k] = free[k] || !late
				behind[k] = behind[k] || late
			}
		}
		for _, s := range u.g.succs[b] {
			if x := (state{s, waited, reduced}); !seen[x] {
				seen[x] = true
				work = append(work, x)
			}
		}
	}
	walk(t.block, t.index+1, false, false)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		walk(x.block, 0, x.waited, x.reduced)
	}
	return free, behind
}
