package openmp

// This file prepares a module for a real parallel run under a mapping: the regions and
// constructs tell the run-time library which they are, and ask it for their sections.

import (
	"fmt"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// Names that the run-time library of parallel runs (pathprof/runtime/team.c) defines.
const (
	runRegion   = "__pathspan_run_region"
	runSections = "__pathspan_run_sections"
	runPick     = "__pathspan_run_pick"
)

// Parallel lets the sections of m run where a mapping says. Unlike [Lower] it leaves
// the code as clang wrote it for OpenMP: each fork is preceded by a call that names
// its region, each sections construct asks which sections are the thread's own, and
// its switch runs those. Regions are numbered as Lower numbers them in the same
// module, and are returned. The values of m must be named.
func Parallel(m *asm.Module) ([]ir.Region, error) {
	if err := wellFormed(m); err != nil {
		return nil, err
	}
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
			if err := b.InsertBefore(b.Index(k.in), fmt.Sprintf("call void @%s(i32 %d)", runRegion, p.region)); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range regions {
		n := 0
		for _, c := range p.constructs {
			if c.problem != "" {
				continue
			}
			if err := c.ask(i32ptr, p.body, p.region, n); err != nil {
				return nil, err
			}
			n++
		}
	}
	for _, d := range []string{
		fmt.Sprintf("declare void @%s(i32) nounwind", runRegion),
		fmt.Sprintf("declare void @%s(i32, i32, i32, %s, %s, %s) nounwind", runSections, i32ptr, i32ptr, i32ptr),
		fmt.Sprintf("declare i32 @%s(i32) nounwind", runPick),
	} {
		if err := m.AddDecl(d); err != nil {
			return nil, err
		}
	}
	return r.Regions, nil
}

// ask makes a construct run the thread's own sections, in its order.
func (c *construct) ask(i32ptr string, f *asm.Func, region, index int) error {
	args := c.init.Call().Args
	text := fmt.Sprintf("call void @%s(i32 %d, i32 %d, i32 %d, %s %s, %s %s, %s %s)", runSections, region, index, len(c.sections),
		i32ptr, args[3].Value, i32ptr, args[4].Value, i32ptr, args[5].Value)
	if err := c.pre.InsertAfter(c.pre.Index(c.init), text); err != nil {
		return err
	}
	sw := c.body.Term()
	from := sw.Operands()[0].Value
	pick := asm.LocalRef(f.FreshName("pathspan.section"))
	spelled := sw.Text()
	picked := strings.Replace(spelled, "switch i32 "+from+",", "switch i32 "+pick+",", 1)
	if picked == spelled {
		return fmt.Errorf("function @%s: the switch over sections is not understood: %.80s", f.Name(), spelled)
	}
	at := c.body.Index(sw)
	return c.body.Replace(at, fmt.Sprintf("%s = call i32 @%s(i32 %s)", pick, runPick, from), picked)
}
