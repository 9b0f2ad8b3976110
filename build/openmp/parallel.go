package openmp

// This file prepares a module for a real parallel run under a mapping: the regions and
// constructs tell the run-time library which they are, and ask it for their sections and
// iterations.

import (
	"fmt"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// Names that the run-time library of parallel runs (build/runtime/team.c) defines.
const (
	runRegion   = "__pathspan_run_region"
	runSections = "__pathspan_run_sections"
	runPick     = "__pathspan_run_pick"
	runLoop     = "__pathspan_run_loop"
	runMore     = "__pathspan_run_more_" // and how clang spells the type of the loop's variable
)

// Parallel lets the sections and loops of m run where a mapping says. Unlike [Lower] it
// leaves the code as clang wrote it for OpenMP: each fork is preceded by a call that names
// its region, each sections construct asks which sections are the thread's own, and
// its switch runs those. Each loop tells which it is before it asks for iterations, and one
// that clang wrote for a static schedule, which gives a thread one range, asks again when
// it is through with that: whatever its clause, it can run under any schedule. Regions are numbered as Lower numbers them in the same
// module, and are returned. The values of m must be named.
func Parallel(m *asm.Module) (_ []ir.Region, err error) {
	defer failed(&err)
	wellFormed(m)
	r := &Result{}
	all := findForks(m, func(*fork) {})
	for _, p := range all {
		p.constructs = constructs(m, p.body)
		if why := whole(p.body); why != "" {
			for _, c := range p.constructs {
				c.problem = why
			}
		}
	}
	regions := r.number(m, all)
	i32ptr := m.Pointer("i32")
	for _, p := range all {
		for _, k := range p.forks {
			b := k.in.Block()
			must(b.InsertBefore(b.Index(k.in), fmt.Sprintf("call void @%s(i32 %d)", runRegion, p.region)))
		}
	}
	for _, p := range regions {
		n := 0
		for _, c := range p.constructs {
			if c.problem != "" || c.single { // who executes tasks is not for a mapping file of team.c to say
				continue
			}
			c.pre = c.init.Block() // which a construct before may have split
			if c.loop == nil {
				c.ask(i32ptr, p.body, p.region, n)
			} else {
				c.iterate(m, p.body, p.region, n)
			}
			n++
		}
	}
	for _, d := range []string{
		fmt.Sprintf("declare void @%s(i32) nounwind", runRegion),
		fmt.Sprintf("declare void @%s(i32, i32, i32, %s, %s, %s) nounwind", runSections, i32ptr, i32ptr, i32ptr),
		fmt.Sprintf("declare i32 @%s(i32) nounwind", runPick),
		fmt.Sprintf("declare void @%s(i32, i32) nounwind", runLoop),
	} {
		must(m.AddDecl(d))
	}
	return r.Regions, nil
}

// ask makes a construct run the thread's own sections, in its order.
func (c *construct) ask(i32ptr string, f *asm.Func, region, index int) {
	args := c.init.Call().Args
	text := fmt.Sprintf("call void @%s(i32 %d, i32 %d, i32 %d, %s %s, %s %s, %s %s)", runSections, region, index, len(c.sections),
		i32ptr, args[3].Value, i32ptr, args[4].Value, i32ptr, args[5].Value)
	must(c.pre.InsertAfter(c.pre.Index(c.init), text))
	sw := c.body.Term()
	from := sw.Operands()[0].Value
	pick := asm.LocalRef(f.FreshName("pathspan.section"))
	spelled := sw.Text()
	picked := strings.Replace(spelled, "switch i32 "+from+",", "switch i32 "+pick+",", 1)
	if picked == spelled {
		must(fmt.Errorf("function @%s: the switch over sections is not understood: %.80s", f.Name(), spelled))
	}
	at := c.body.Index(sw)
	must(c.body.Replace(at, fmt.Sprintf("%s = call i32 @%s(i32 %s)", pick, runPick, from), picked))
}

// iterate makes a loop run the thread's own iterations. At the end of
//
//	call @__kmpc_for_static_init_4(ident, gtid, schedule, last, lower, upper, stride, incr, chunk)
//
// and the code that runs from lower to upper, the run-time library is asked for another range.
func (c *construct) iterate(m *asm.Module, f *asm.Func, region, index int) {
	which := fmt.Sprintf("call void @%s(i32 %d, i32 %d)%s", runLoop, region, index, suffixDbg(c.init.Dbg()))
	must(c.pre.InsertBefore(c.pre.Index(c.init), which))
	call := c.init.Call()
	suffix, static := strings.CutPrefix(call.Callee, "__kmpc_for_static_init_")
	if !static {
		return
	}
	var types, args []string
	for _, a := range call.Args[3:7] {
		types = append(types, a.Type)
		args = append(args, a.Type+" "+a.Value)
	}
	must(m.AddDecl(fmt.Sprintf("declare i32 @%s%s(%s) nounwind", runMore, suffix, strings.Join(types, ", "))))
	again := made(f.SplitBlock(c.pre, c.pre.Index(c.init)+1, f.FreshName("pathspan.range")))
	fini := c.ends[0]
	b := fini.Block()
	rest := made(f.SplitBlock(b, b.Index(fini), f.FreshName("pathspan.done")))
	more, some := asm.LocalRef(f.FreshName("pathspan.more")), asm.LocalRef(f.FreshName("pathspan.some"))
	dbg := suffixDbg(fini.Dbg())
	must(b.Replace(len(b.Instrs)-1,
		fmt.Sprintf("%s = call i32 @%s%s(%s)%s", more, runMore, suffix, strings.Join(args, ", "), dbg),
		fmt.Sprintf("%s = icmp ne i32 %s, 0", some, more),
		fmt.Sprintf("br i1 %s, label %s, label %s", some, asm.LocalRef(again.Name()), asm.LocalRef(rest.Name()))))
}
