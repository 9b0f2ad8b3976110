package pipeline

// This file finds which values are needed behind calls.

import (
	"math/bits"

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

// liveAcrossCalls counts the values that are computed before a call and used behind it and the
// arguments that are used, and tells whether the function has variables on the stack, and calls.
func (l *folder) liveAcrossCalls() (across, arguments int, stack, calling bool) {
	n := len(l.f.Blocks)
	first, count := make([]int, n), 0 // number of each block's first value
	for bi, b := range l.f.Blocks {
		first[bi] = count
		count += len(b.Instrs)
		for i := range b.Instrs {
			stack = stack || b.Instrs[i].Op == "alloca"
			calling = calling || isCall(&b.Instrs[i])
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
	if arguments = len(given); !calling {
		return 0, arguments, stack, false
	}
	words := (count+arguments)/64 + 1
	if n*words > mostWords {
		return saved, arguments, stack, true
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
	walk := func(bi int, atCalls func()) {
		copy(now, end[bi])
		for i := len(l.f.Blocks[bi].Instrs) - 1; i >= 0; i-- {
			in := &l.f.Blocks[bi].Instrs[i]
			now.remove(first[bi] + i)
			if isCall(in) {
				atCalls()
			}
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
			walk(bi, func() {})
			changed = begin[bi].join(now) || changed
		}
	}
	for bi := range n {
		walk(bi, func() { needed.join(now) })
	}
	for _, w := range needed {
		across += bits.OnesCount64(w)
	}
	return across, arguments, stack, true
}
