package openmp

// This file recognises what one thread of a region does alone (single, master, masked) while
// the others execute the tasks that it makes:
//
//	%x = call @__kmpc_single(ident, gtid)
//	     br %x != 0 ? then : behind
//	then: ... call @__kmpc_end_single(ident, gtid)
//
// Where nothing of the kind makes the tasks of a region, all of the region is what one thread
// does: in the sequential program one thread does it once.

import (
	"slices"
	"strings"

	"pathspan/ir/asm"
)

// singles returns what one thread does alone in a function and makes tasks.
func singles(m *asm.Module, g *graph) []*construct {
	var out []*construct
	var makes map[string]bool
	for _, b := range g.f.Blocks {
		for i, in := range b.Instrs {
			c := in.Call()
			if c == nil || c.Callee != "__kmpc_single" && c.Callee != "__kmpc_master" && c.Callee != "__kmpc_masked" || in.Op() != "call" {
				continue
			}
			t := b.Term()
			if t == nil || len(t.Succs()) != 2 || i+1 >= len(b.Instrs) || !strings.Contains(b.Instrs[i+1].Text(), "icmp ne i32 "+asm.LocalRef(in.Result())+", 0") {
				continue
			}
			x := &construct{init: in, pre: b, single: true, pos: identAt(m, c.Args[0].Value), begin: g.f.Block(t.Succs()[0])}
			if x.begin == nil || len(g.preds[g.index[x.begin]]) != 1 {
				continue
			}
			if makes == nil {
				makes = makers(m)
			}
			if !x.ofTasks(g, strings.Replace(c.Callee, "__kmpc_", "__kmpc_end_", 1), makes) {
				continue
			}
			if x.pos.line == 0 {
				x.pos.file, x.pos.line = lineOf(m, in)
			}
			x.sections = []section{{line: x.pos.line}}
			out = append(out, x)
		}
	}
	return out
}

// ofTasks finds the ends of c, and reports whether tasks are made before.
func (c *construct) ofTasks(g *graph, end string, makes map[string]bool) bool {
	some := false
	g.through([]int{g.index[c.begin]}, func(in *asm.Instr) bool {
		switch {
		case in.Call() == nil || in.IsDebug():
			return false
		case in.Call().Callee == end:
			c.ends = append(c.ends, in)
			return true
		}
		some = some || callsMaker(in, makes)
		return false
	})
	return some && len(c.ends) > 0
}

// onlyTasks makes all of a region one construct where it makes tasks and has no other.
func (p *parallel) onlyTasks(makes map[string]bool) {
	if len(p.constructs) > 0 || whole(p.body) != "" || p.forks[0].teams {
		return
	}
	for in := range p.body.Instrs() {
		if in.Call() != nil && !in.IsDebug() && callsMaker(in, makes) {
			k := p.forks[0]
			p.whole = true
			p.constructs = []*construct{{pos: k.pos, single: true, sections: []section{{line: k.pos.line}}}}
			return
		}
	}
}

// markSingle puts calls that stand for marks around what one thread does.
func (c *construct) markSingle(m *asm.Module, begin, end, at string) {
	for _, name := range []string{begin, end} {
		must(m.AddDecl("declare void " + asm.GlobalRef(name) + "() nounwind"))
	}
	begin, end = "call void "+asm.GlobalRef(begin)+"() nounwind nomerge", "call void "+asm.GlobalRef(end)+"() nounwind nomerge"
	if c.whole == nil {
		must(c.begin.InsertBefore(c.begin.FirstNonPhi(), begin+at))
		for _, in := range c.ends {
			must(in.Block().InsertBefore(in.Block().Index(in), end+at))
		}
		return
	}
	f := c.whole
	entry := f.Blocks[0]
	i := slices.IndexFunc(entry.Instrs, func(in *asm.Instr) bool { return in.Op() != "alloca" && !in.IsDebug() })
	dbg := entry.Term().Dbg()
	must(entry.InsertBefore(i, begin+suffixDbg(dbg)))
	for _, b := range slices.Clone(f.Blocks) {
		if t := b.Term(); t != nil && t.Op() == "ret" {
			must(b.InsertBefore(b.Index(t), end+suffixDbg(dbg)))
		}
	}
}
