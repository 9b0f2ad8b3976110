package comm

// This file computes the memory that functions need (Cai, Gajski, sections 4.2.4 and 5.3.3):
// M = M_Static + M_Heap + M_Stack + M_Sub, with sizes in bytes for data types and weights.

import (
	"slices"

	"pathspan/memory"
)

// Storage is the memory that a function needs, in bytes. Null is not known.
type Storage struct {
	Static int64 `json:"static"` // global variables that it accesses itself
	// Heap is what is made in it at a time, at most: the sum over the places that make it.
	Heap int64 `json:"heap"`
	// Stack is its variables, and those of the called function that needs most (section 4.2.4.3:
	// functions are called one after the other). Null where it calls itself, however often, or
	// calls by a pointer what was not recorded.
	Stack *int64 `json:"stack"`
	// Sub is what its parallel sections need besides, all at the same time (section 4.2.4.4); of
	// those that are code of the function itself the variables are in Stack.
	Sub   *int64 `json:"sub"`
	Total *int64 `json:"total"`
}

// needs computes storage.
type needs struct {
	*Comm
	touched map[[2]int]bool // function of the source and object
	stacks  map[int]*stack  // by function
}

// stack is what is on the stack from where a function is called; nothing is known of it while it
// is computed, which it is of what leads to itself.
type stack struct {
	bytes int64
	known bool
}

func (c *Comm) needs() *needs {
	n := &needs{c, map[[2]int]bool{}, map[int]*stack{}}
	touch := func(w memory.Who, object int) {
		if w.Place >= 0 {
			n.touched[[2]int{c.sources[w.Place].function, object}] = true
		}
	}
	for i := range c.data.Flows {
		touch(c.data.Flows[i].To, c.data.Flows[i].Object)
	}
	for i := range c.data.Writes {
		touch(c.data.Writes[i].By, c.data.Writes[i].Object)
	}
	return n
}

// of computes what a function of the source needs. Variables of what was inlined are those of the
// function that holds it.
func (c *needs) of(function int) Storage {
	var s Storage
	for i := range c.data.Objects {
		o := &c.data.Objects[i]
		switch {
		case o.Kind == memory.Global && c.touched[[2]int{function, i}]:
			s.Static += o.Size
		case o.Kind == memory.Heap && c.sources[o.Place].function == function:
			s.Heap += o.Size
		}
	}
	var most, sub int64
	known := true
	for fi, f := range c.program.Funcs {
		if d := &c.functions[function]; f.Source != d.name || f.Loc.File != d.at.File || f.Loc.Line != d.at.Line {
			continue
		}
		own := c.stack(fi)
		more, ok := c.sub(fi)
		most, sub, known = max(most, own.bytes), max(sub, more), known && own.known && ok
	}
	if known {
		total := s.Static + s.Heap + most + sub
		s.Stack, s.Sub, s.Total = &most, &sub, &total
	}
	return s
}

// stack computes S_Stack of a function, with its own variables.
func (c *needs) stack(fn int) *stack {
	if s := c.stacks[fn]; s != nil {
		return s
	}
	s := &stack{}
	c.stacks[fn] = s
	most, known := int64(0), true
	for _, g := range c.callees(fn) {
		if c.bundle.Funcs[g] == nil { // it never ran
			continue
		}
		in := c.stack(g)
		most, known = max(most, in.bytes), known && in.known
	}
	s.bytes, s.known = c.own(fn)+most, known
	return s
}

// own is what the variables of a function take.
func (c *Comm) own(fn int) int64 {
	var n int64
	for i := range c.data.Objects {
		if o := &c.data.Objects[i]; o.Kind == memory.Stack && o.Func == fn {
			n += o.Size
		}
	}
	return n
}

// callees lists the functions that a function calls, as far as they ran.
func (c *Comm) callees(fn int) []int {
	var out []int
	for _, b := range c.program.Funcs[fn].Blocks {
		for _, call := range b.Calls() {
			if call.Callee >= 0 {
				out = append(out, call.Callee)
			}
			out = append(out, call.FuncArgs...)
		}
	}
	for _, t := range c.bundle.Targets {
		if t.Func == fn && t.Target >= 0 {
			out = append(out, t.Target)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sub is what sections of a function's regions need beside the largest of them, which stack has:
// each is a function that was called in order and is to run beside the others.
func (c *needs) sub(fn int) (int64, bool) {
	var sum, most int64
	known := true
	for _, g := range c.sectionsOf(fn) {
		s := c.stack(g)
		sum, most, known = sum+s.bytes, max(most, s.bytes), known && s.known
	}
	return sum - most, known
}

// sectionsOf lists the functions that a function's section marks stand around.
func (c *Comm) sectionsOf(fn int) []int {
	var out []int
	for _, b := range c.program.Funcs[fn].Blocks {
		if b.Mark == nil || !c.program.HasSection(b.Mark) || c.program.Regions[b.Mark.Region].Constructs[b.Mark.Construct].Loop != nil {
			continue
		}
		for _, call := range b.Calls() {
			if call.Callee >= 0 {
				out = append(out, call.Callee)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
