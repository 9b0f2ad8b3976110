package depend

// This file finds what iterations of simd loops need of each other.

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/memory"
)

// simd lists what an iteration of a simd loop reads that another wrote. Such loops are known by what clang says of
// their accesses, that none of them meet, which it does not say where safelen bounds them. What one writes behind another, or behind
// what that reads, is in the order of the lanes of a vector. A variable that lanes have for themselves is in memory where code is not optimised.
func (d *Depend) simd() []Race {
	construct := make([]string, len(d.data.Loops)) // "" for others
	for i := range d.data.Loops {
		if l := &d.data.Loops[i]; l.Lane < 0 && d.module.noneMeet(l.Func, d.goesRound(l.Func, l.Header)) {
			function, at := d.names.LoopAt(i)
			construct[i] = "a simd loop of " + function
			if a := d.place(function, at, ""); a.Line > 0 {
				construct[i] += fmt.Sprintf(" (%s:%d)", path.Base(a.File), a.Line)
			}
		}
	}
	var out []Race
	for i := range d.data.Carried {
		c := &d.data.Carried[i]
		if c.Loop < 0 || construct[c.Loop] == "" || c.Kind != memory.FlowDependence {
			continue
		}
		if o := &d.data.Objects[c.Object]; o.Kind == memory.Stack && o.Size <= 8 || d.ordered(c.From, c.To) {
			continue
		}
		out = append(out, Race{Kind: "iterations", Construct: construct[c.Loop], Depends: "flow", Object: d.names.Object(c.Object),
			From: d.access(c.From), To: d.access(c.To), Times: c.Times, Bytes: c.Bytes, Among: c.Among})
	}
	for i, name := range construct {
		if name == "" {
			continue
		}
		for _, s := range d.scalars(d.data.Loops[i].Func, d.data.Loops[i].Header) {
			if s.shared {
				at := d.at(d.data.Loops[i].Func, s.at, "")
				out = append(out, Race{Kind: "iterations", Construct: name, Depends: "flow", Object: "(a variable in a register)", From: at, To: at, Among: 1})
			}
		}
	}
	return out
}

// goesRound lists the blocks from which a loop of a function goes round, nil where it has none of that header, and those before
// blocks of one branch: LLVM says what it knows of the loop at a latch, or before one that is there since an edge was split.
func (d *Depend) goesRound(fn, header int) (out []int) {
	g := d.graphs(fn)
	for _, l := range g.Loops {
		if l.Header != header {
			continue
		}
		for _, e := range l.Latches {
			out = append(out, e.From)
			if len(d.bundle.Program.Funcs[fn].Blocks[e.From].Instrs) == 1 {
				for _, before := range g.Preds[e.From] {
					out = append(out, before.From)
				}
			}
		}
	}
	return out
}

// noneMeet reports whether the module says of a loop, where it goes round, that accesses of its iterations do not meet.
func (m *module) noneMeet(fn int, round []int) bool {
	v := m.of(fn)
	if v == nil {
		return false
	}
	return slices.ContainsFunc(round, func(block int) bool {
		list := v.blocks[block].Instrs
		return slices.ContainsFunc(m.text.Meta(ir.LoopID(list[len(list)-1])).Refs(), func(id int) bool {
			n := m.text.Meta(id)
			return n != nil && strings.Contains(n.Text, "\"llvm.loop.parallel_accesses\"")
		})
	})
}
