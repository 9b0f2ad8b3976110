package comm

// This file names functions, loops, lanes and objects for people.

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"pathspan/ir"
	"pathspan/memory"
)

// Outside is who wrote what no code of the program is known to have written.
const Outside = "(outside)"

// line is FILE:LINE without folders, "" where nothing is known.
func (c *Comm) line(l ir.Loc) string {
	if l.File < 0 || l.File >= len(c.program.Files) || l.Line <= 0 {
		return ""
	}
	if file := c.program.Files[l.File]; ir.Foreign(file) {
		return ir.HeaderName(file)
	} else {
		return fmt.Sprintf("%s:%d", path.Base(file), l.Line)
	}
}

// lane names code that OpenMP lets run beside other code.
func (c *Comm) lane(i int) string {
	l := &c.data.Lanes[i]
	switch l.Kind {
	case memory.Serial:
		return "serial code"
	case memory.InTask:
		return c.program.Tasks[l.Construct].Name
	case memory.InRegion:
		return c.program.Regions[l.Region].Name
	}
	construct := &c.program.Regions[l.Region].Constructs[l.Construct]
	if l.Kind == memory.InSection {
		return construct.Sections[l.Section].Name
	}
	return construct.TaskName(0)
}

// where says where an object of the heap is made: the place and the calls that led there, those
// that were inlined among them, the innermost first. Calls from header to header are one.
func (c *Comm) where(i int) []string {
	o := &c.data.Objects[i]
	if o.Kind != memory.Heap || o.Place < 0 {
		return nil
	}
	at := []ir.Loc{c.data.Places[o.Place].Loc}
	for s := c.scopeOf(i); s > 0; s = c.program.Scopes[s-1].Parent {
		at = append(at, c.program.Scopes[s-1].Call)
	}
	for p := o.Path; p > 0; p = c.data.Paths[p].Outer {
		at = append(at, c.data.Paths[p].Loc)
	}
	var out []string
	for k, l := range at {
		if k == 0 || !c.foreign(l) || !c.foreign(at[k-1]) {
			out = append(out, c.line(l))
		}
	}
	return out
}

// foreign reports whether a line is one of a header of the system.
func (c *Comm) foreign(l ir.Loc) bool {
	return l.File >= 0 && l.File < len(c.program.Files) && ir.Foreign(c.program.Files[l.File])
}

// scopeOf is the scope of the instruction that makes an object: those of a place come in the order
// of the program, and so do their objects. It is 0 where several may have made it.
func (c *Comm) scopeOf(object int) int {
	o := &c.data.Objects[object]
	scopes := c.made[o.Place]
	if o.Path == 0 {
		nth := 0
		for k := range object {
			if p := &c.data.Objects[k]; p.Kind == memory.Heap && p.Place == o.Place && p.Path == 0 {
				nth++
			}
		}
		if nth < len(scopes) {
			return scopes[nth]
		}
		return 0
	}
	for _, s := range scopes {
		if s != scopes[0] {
			return 0
		}
	}
	if len(scopes) == 0 {
		return 0
	}
	return scopes[0]
}

// objectNames gives each object a name of its own: a variable's, of one of a function with the
// function's, and of the heap as much of the calls that led to it as tells it from others.
func (c *Comm) objectNames() []string {
	names := make([]string, len(c.data.Objects))
	paths := make([][]string, len(names))
	alike := map[string]int{} // how many paths begin so
	for i := range names {
		o := &c.data.Objects[i]
		switch o.Kind {
		case memory.Elsewhere:
			names[i] = "(other memory)"
		case memory.Global:
			names[i] = o.Name
		case memory.Stack:
			names[i] = cmp.Or(o.Name, "a variable")
			if o.Func >= 0 {
				names[i] += " of " + c.program.Funcs[o.Func].Source
			}
		case memory.Heap:
			paths[i] = c.where(i)
			for n := range paths[i] {
				alike[strings.Join(paths[i][:n+1], " < ")]++
			}
		}
	}
	for i, p := range paths {
		for n := range p {
			names[i] = "heap " + strings.Join(p[:n+1], " < ")
			if alike[strings.Join(p[:n+1], " < ")] == 1 {
				break
			}
		}
	}
	seen := map[string]int{}
	for i, n := range names {
		if seen[n]++; seen[n] > 1 {
			names[i] = fmt.Sprintf("%s (%d)", n, seen[n])
		}
	}
	return names
}

// Lane names a lane, by its index.
func (c *Comm) Lane(i int) string { return c.lane(i) }

// LaneAt is where a lane begins, by its index.
func (c *Comm) LaneAt(i int) ir.Loc { return c.laneLoc(i) }

// Object names an object, by its index.
func (c *Comm) Object(i int) string { return c.objects[i] }

// Source returns the function of the source that a place was written in, and the line.
func (c *Comm) Source(place int) (function string, at ir.Loc) {
	s := &c.sources[place]
	return c.functions[s.function].name, s.at
}

// LoopAt returns the function of the source that a loop was written in, and where.
func (c *Comm) LoopAt(loop int) (function string, at ir.Loc) {
	return c.functions[c.loops[loop].function].name, c.loops[loop].at
}
