package suggest

// This file counts the iterations of the source's loops, of which the profile counts those
// of the optimised program: loops are rotated, and several iterations unrolled into one.

import (
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
)

// ends is how executions of a loop ended: how often, and how often behind a whole iteration.
type ends struct{ times, whole float64 }

// endsOf looks at the last traversals of a function's loops.
func (f *function) endsOf() []ends {
	out := make([]ends, len(f.cfg.Loops))
	for l := range f.prof.Levels {
		for i := range f.prof.Levels[l].Paths {
			path := &f.prof.Levels[l].Paths[i]
			count := float64(path.Count)
			if path.End == pathprof.EndPartial && l > 0 {
				out[l-1].add(f.wholeIteration(l-1, path.Steps[len(path.Steps)-1]), count)
			}
			for n, s := range path.Steps {
				loop := s.Loop()
				if loop < 0 {
					continue
				}
				last := pathprof.Step(-1)
				for _, next := range path.Steps[n+1:] {
					if at := next.Loop(); at >= 0 && f.cfg.Loops[at].Parent != loop && !f.nested(at, loop) || at < 0 && !f.cfg.InLoop(loop, int(next)) {
						break
					}
					last = next
				}
				if last >= 0 {
					out[loop].add(f.wholeIteration(loop, last), count)
				}
			}
		}
	}
	return out
}

func (e *ends) add(whole bool, count float64) {
	e.times += count
	if whole {
		e.whole += count
	}
}

// nested reports whether a loop lies in another.
func (f *function) nested(inner, outer int) bool {
	for inner >= 0 && inner != outer {
		inner = f.cfg.Loops[inner].Parent
	}
	return inner == outer
}

// wholeIteration reports whether a loop that is left in a block has done there what an
// iteration does: a back edge starts in the block or behind it, with nothing between.
func (f *function) wholeIteration(loop int, block pathprof.Step) bool {
	if block < 0 {
		return false
	}
	for _, latch := range f.cfg.Loops[loop].Latches {
		if latch.From == int(block) {
			return latch.From != f.cfg.Loops[loop].Header || len(f.cfg.Loops[loop].Blocks) == 1 || f.works(int(block))
		}
		if len(f.fn.Blocks[latch.From].Instrs) == 1 && slices.Contains(f.fn.Blocks[block].Succs, latch.From) {
			return int(block) != f.cfg.Loops[loop].Header || f.works(int(block))
		}
	}
	return false
}

// works reports whether a block does more than count and compare.
func (f *function) works(block int) bool {
	for i := range f.fn.Blocks[block].Instrs {
		switch f.fn.Blocks[block].Instrs[i].Op {
		case "load", "store", "call", "invoke":
			return true
		}
	}
	return false
}

// unrolled estimates how many iterations of the source one of a loop's is: how often the
// instruction stands there that stands there least often, by place and kind. Those that
// leave something behind tell most: loads may be shared among iterations.
func (f *function) unrolled(l int) float64 {
	type key struct {
		op    string
		loc   ir.Loc
		scope int
	}
	for _, kinds := range [][]string{{"store", "call", "invoke"}, {"fadd", "fsub", "fmul", "mul", "xor", "and"}, {"load"}} {
		times := map[key]int{}
		for _, b := range f.nodes[l].blocks {
			for i := range f.fn.Blocks[b].Instrs {
				in := &f.fn.Blocks[b].Instrs[i]
				if slices.Contains(kinds, in.Op) && in.Loc.Line > 0 && (in.Call == nil || !intrinsic(in.Call.Name)) {
					times[key{in.Op, in.Loc, in.Scope}]++
				}
			}
		}
		least := 0
		for _, n := range times {
			if least == 0 || n < least {
				least = n
			}
		}
		if least > 0 {
			return float64(least)
		}
	}
	return 1
}

// early reports whether a loop can be left from several places, but by ending the program or
// by an exception; or, where it lost which statement it is, from amid its body.
func (f *function) early(l int, word ir.LoopWord) bool {
	from, loop := -1, f.cfg.Loops[l-1]
	for _, e := range loop.Exits {
		if op := f.fn.Blocks[e.From].Terminator().Op; op == "invoke" && e.Index == 1 || !f.returns(f.cfg.Target(e)) {
			continue
		}
		if from >= 0 && from != e.From {
			return true
		}
		from = e.From
	}
	if word != ir.UnknownLoop || from < 0 || slices.ContainsFunc(loop.Latches, func(e flow.Edge) bool { return e.From == from }) {
		return false
	}
	return from != loop.Header || slices.ContainsFunc(f.fn.Blocks[from].Instrs, func(in ir.Instr) bool { return in.Op == "call" || in.Op == "store" })
}

// returns reports whether a block can lead to where the function returns.
func (f *function) returns(block int) bool {
	if f.returning == nil {
		var ends []int
		for _, b := range f.cfg.Order {
			if f.fn.Blocks[b].Terminator().Op == "ret" {
				ends = append(ends, b)
			}
		}
		f.returning = flow.Reached(len(f.fn.Blocks), ends, f.cfg.Preceding)
	}
	return f.returning[block]
}
