package pipeline

// This file finds which values are needed behind calls.

import (
	"math/bits"
	"strings"

	"pathspan/ir"
)

// mostWords bounds the sets of a function; a larger one is taken to need all registers.
const mostWords = 1 << 22

// values is a set of what a function computes and is given, by number.
type values []uint64

func (v values) add(n int)    { v[n/64] |= 1 << (n % 64) }
func (v values) remove(n int) { v[n/64] &^= 1 << (n % 64) }

// join adds another set, and tells whether that is more than there was.
func (v values) join(w values) bool {
	more := false
	for i := range w {
		more = more || w[i]&^v[i] != 0
		v[i] |= w[i]
	}
	return more
}

// across is what of a function lives across its calls.
type across struct {
	values, floats int          // that need registers, at most at a time
	computed       []ir.Operand // all of them that the function computes
	arguments      int          // of them that it is given
	stack, calling bool         // it has variables on the stack; it calls
}

// liveAcrossCalls finds the values that are computed before a call and used behind it.
func (l *folder) liveAcrossCalls() *across {
	a := &across{}
	n := len(l.f.Blocks)
	first, count := make([]int, n), 0 // number of each block's first value
	for bi, b := range l.f.Blocks {
		first[bi] = count
		count += len(b.Instrs)
		for i := range b.Instrs {
			a.stack = a.stack || b.Instrs[i].Op == "alloca"
			a.calling = a.calling || l.calls(bi, i)
		}
	}
	given := map[int64]int{}
	for bi, b := range l.f.Blocks {
		for i := range b.Instrs {
			for _, o := range l.ops.Of(l.fi, bi, i) {
				if _, known := given[o.N]; o.Kind == ir.Argument && !known {
					given[o.N] = count + len(given)
				}
			}
		}
	}
	if !a.calling {
		return a
	}
	words := (count+len(given))/64 + 1
	if n*words > mostWords {
		a.values, a.arguments = saved, len(given)
		return a
	}
	number := func(o ir.Operand) int {
		switch d := l.at(o); {
		case o.Kind == ir.Argument:
			return given[o.N]
		case d != nil && d.Op != "alloca":
			return first[o.Block] + int(o.N)
		}
		return -1
	}
	begin, end := make([]values, n), make([]values, n) // what is needed there
	for bi := range n {
		begin[bi], end[bi] = make(values, words), make(values, words)
	}
	for bi, b := range l.f.Blocks { // what phis read is needed where predecessors end
		for i := range b.Instrs {
			ops := l.ops.Of(l.fi, bi, i)
			for k := 0; b.Instrs[i].Op == "phi" && k+1 < len(ops); k++ {
				if v := number(ops[k]); v >= 0 && ops[k+1].Kind == ir.From {
					end[ops[k+1].Block].add(v)
				}
			}
		}
	}
	needed := make(values, words)
	now := make(values, words)
	walk := func(bi int, at func(in *ir.Instr, value int)) { // at: what is needed behind an instruction is known
		copy(now, end[bi])
		for i := len(l.f.Blocks[bi].Instrs) - 1; i >= 0; i-- {
			in := &l.f.Blocks[bi].Instrs[i]
			at(in, first[bi]+i)
			now.remove(first[bi] + i)
			if in.Op == "phi" {
				continue
			}
			for _, o := range l.ops.Of(l.fi, bi, i) {
				if v := number(o); v >= 0 {
					now.add(v)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for bi := n - 1; bi >= 0; bi-- {
			for _, s := range l.f.Blocks[bi].Succs {
				end[bi].join(begin[s])
			}
			walk(bi, func(*ir.Instr, int) {})
			changed = begin[bi].join(now) || changed
		}
	}
	floats := make(values, words)
	for bi, b := range l.f.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Op != "fcmp" && (in.Type == "float" || in.Type == "double" || strings.HasPrefix(in.Type, "<")) {
				floats.add(first[bi] + i)
			}
		}
		walk(bi, func(_ *ir.Instr, value int) {
			if l.calls(bi, value-first[bi]) {
				now.remove(value)
				needed.join(now)
			}
		})
	}
	for bi := range n { // a register is another's only where neither lives
		walk(bi, func(*ir.Instr, int) {
			values, inFloats := 0, 0
			for w := range now {
				inFloats += bits.OnesCount64(now[w] & needed[w] & floats[w])
				values += bits.OnesCount64(now[w] & needed[w] &^ floats[w])
			}
			a.values, a.floats = max(a.values, values), max(a.floats, inFloats)
		})
	}
	for bi, b := range l.f.Blocks {
		for i := range b.Instrs {
			if v := first[bi] + i; needed[v/64]>>(v%64)&1 != 0 {
				a.computed = append(a.computed, ir.Operand{Kind: ir.Computed, Block: int32(bi), N: int64(i)})
			}
		}
	}
	for v := count; v < count+len(given); v++ {
		a.arguments += int(needed[v/64] >> (v % 64) & 1)
	}
	return a
}
