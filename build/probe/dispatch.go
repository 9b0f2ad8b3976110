package probe

// This file gives each worksharing loop with a dynamic schedule a place in its function for
// where it goes, so that the optimiser sees through it: build/runtime/inlined.c has a loop's
// whole range run at once, and keeps that in the place.
//
//	call void @__kmpc_dispatch_init_4(ident, gtid, schedule, lower, upper, stride, chunk)
//	call i32 @__kmpc_dispatch_next_4(ident, gtid, last, lower, upper, stride)
//
// Clang passes each loop's own variables to the second, which tell loops apart.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

const (
	dispatchInit = "__kmpc_dispatch_init_"
	dispatchNext = "__kmpc_dispatch_next_"
)

// PlaceDispatch rewrites those calls. In a function where they are of another form, and where
// pointers have types, they stay.
func PlaceDispatch(m *asm.Module) error {
	if !m.OpaquePointers() {
		return nil
	}
	declared := map[string]bool{}
	for _, f := range m.Funcs() {
		calls, place := dispatchPlaces(f)
		var text []string
		named := map[string]string{}
		for _, in := range calls {
			variable := place[in]
			if named[variable] == "" {
				named[variable] = asm.LocalRef(f.FreshName("ps.dispatch"))
				text = append(text, named[variable]+" = alloca [4 x i64], align 8")
			}
			c := in.Call()
			name := strings.Replace(c.Callee, "__kmpc_", "__pathspan_", 1)
			var types, args []string
			for _, a := range c.Args {
				types, args = append(types, a.Type), append(args, a.Type+" "+a.Value)
			}
			called := fmt.Sprintf("call %s @%s(ptr %s, %s)", c.RetType, name, named[variable], strings.Join(args, ", "))
			if in.Result() != "" {
				called = asm.LocalRef(in.Result()) + " = " + called
			}
			b := in.Block()
			if err := b.Replace(b.Index(in), called); err != nil {
				return err
			}
			if !declared[name] {
				declared[name] = true
				if err := m.AddDecl(fmt.Sprintf("declare %s @%s(ptr, %s) nounwind", c.RetType, name, strings.Join(types, ", "))); err != nil {
					return err
				}
			}
		}
		if text != nil {
			if err := f.Blocks[0].InsertBefore(0, text...); err != nil {
				return err
			}
		}
	}
	return nil
}

// dispatchPlaces lists those calls of a function, with the variable that tells the loop of
// each, or nothing where one of them is of another form.
func dispatchPlaces(f *asm.Func) (calls []*asm.Instr, place map[*asm.Instr]string) {
	place = map[*asm.Instr]string{}
	begun := map[string]bool{}
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			c := in.Call()
			switch {
			case c == nil || in.Op() != "call":
			case strings.HasPrefix(c.Callee, dispatchNext) && len(c.Args) == 6:
				calls, place[in] = append(calls, in), c.Args[3].Value
			case strings.HasPrefix(c.Callee, dispatchInit) && len(c.Args) == 7:
				variable := firstNext(b, i+1)
				if variable == "" {
					return nil, nil
				}
				calls, place[in] = append(calls, in), variable
				begun[variable] = true
			}
		}
	}
	for _, in := range calls {
		if !begun[place[in]] {
			return nil, nil
		}
	}
	return calls, place
}

// firstNext is the variable of the calls that ask for iterations first behind an instruction,
// "" where there are several.
func firstNext(b *asm.Block, from int) string {
	variable := ""
	seen := map[*asm.Block]bool{}
	type start struct {
		b    *asm.Block
		from int
	}
	for work := []start{{b, from}}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		found := false
		for _, in := range at.b.Instrs[at.from:] {
			c := in.Call()
			if c != nil && strings.HasPrefix(c.Callee, dispatchInit) {
				return ""
			}
			if c != nil && strings.HasPrefix(c.Callee, dispatchNext) && len(c.Args) == 6 {
				if variable != "" && variable != c.Args[3].Value {
					return ""
				}
				variable, found = c.Args[3].Value, true
				break
			}
		}
		for _, s := range at.b.Succs() {
			if next := at.b.Func().Block(s); !found && !seen[next] {
				seen[next] = true
				work = append(work, start{next, 0})
			}
		}
	}
	return variable
}
