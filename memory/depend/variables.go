package depend

// This file reads what is said of loops' variables before the optimiser made registers of them (build/locals).

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir/asm"
)

// Use is what the iterations of a loop leave to each other in a variable.
type Use string

// What they leave. Nothing else is said of variables.
const (
	Own        Use = "private"     // nothing: each writes it before it reads it
	Last       Use = "lastprivate" // the same, and something behind the loop reads what the last wrote
	Left       Use = "left"        // something behind the loop reads it, which not every iteration writes
	Reduces    Use = "reduction"   // what they combine
	Linear     Use = "linear"      // it goes on by the same in each
	Beside     Use = "beside"      // the same, in the for statement
	Goes       Use = "goes"        // it goes on by what has no name
	Counted    Use = "counted"     // it counts the iterations or bounds them, and they change it
	Unset      Use = "unset"       // it counts the iterations, and the for statement does not say from where
	Condition  Use = "condition"   // it counts the iterations, and the loop's condition is not about it alone
	Carried    Use = "carried"     // one needs what another left
	calledName Use = "called"
)

var uses = []Use{Own, Last, Linear, Beside, Reduces, Left, Goes, Carried, Condition, Counted, Unset}

// Variable is one of a loop.
type Variable struct {
	Name string // "" where the loop's text does not have it, as of a macro
	Use  Use
	// Detail is the operation of a reduction as clauses name it, and by what a variable goes on.
	Detail string
	Lines  []int // that write it in the loop
}

// Variables lists what is said of the variables of a loop that stands in a place, and the names that its
// text has for others that clang numbered, "" where it has none. Of copies that are unlike, as of a template, the worst counts.
func (m *module) variables(file string, line, col int) (out []Variable, called map[string]string) {
	called = map[string]string{}
	at := map[string]int{}
	prefix := fmt.Sprintf("%d %d ", line, col)
	for _, text := range m.variablesSaid() {
		rest, ok := strings.CutPrefix(text, prefix)
		f := strings.SplitN(rest, " ", 5)
		if !ok || len(f) != 5 || f[4] != path.Base(file) {
			continue
		}
		v := Variable{Use: Use(f[0])}
		if f[1] != "-" {
			v.Name = f[1]
		}
		if v.Use == calledName {
			called[f[2]] = v.Name
			continue
		}
		if f[2] != "-" {
			v.Detail = f[2]
		}
		for _, n := range strings.Split(f[3], ",") {
			if k, err := strconv.Atoi(n); err == nil {
				v.Lines = append(v.Lines, k)
			}
		}
		if !slices.Contains(uses, v.Use) {
			continue
		}
		i, known := at[v.Name]
		switch {
		case !known || v.Name == "":
			at[v.Name] = len(out)
			out = append(out, v)
		case out[i].Use == v.Use && out[i].Detail != v.Detail:
			out[i].Use, out[i].Detail = Carried, ""
		case slices.Index(uses, v.Use) > slices.Index(uses, out[i].Use):
			out[i] = v
		}
	}
	return out, called
}

func (m *module) variablesSaid() []string {
	if m.text == nil {
		return nil
	}
	if m.vars == nil {
		m.vars = append([]string{}, m.text.NamedStrings(asm.Variables)...)
	}
	return m.vars
}

// Variables adds to what is known of a loop, which stands in a place of a file, what is said of its variables: reductions that the
// optimiser hid are none that forbid anything, and each variable says what it takes.
func (d *Depend) Variables(l *Loop, file string, line, col int) {
	var called map[string]string
	l.Variables, called = d.module.variables(file, line, col)
	for i := range l.Private {
		if o := &l.Private[i]; o.Clause != "" {
			if name, ok := called[o.Variable]; ok {
				if o.Variable = name; name == "" {
					o.Clause = ""
				}
			}
		}
	}
	if len(l.Variables) == 0 || l.Verdict == Unseen {
		return
	}
	combined := func(a Access) bool {
		in := func(use func(Use) bool) bool {
			return slices.ContainsFunc(l.Variables, func(v Variable) bool { return use(v.Use) && slices.Contains(v.Lines, a.Line) })
		}
		return path.Base(a.File) == path.Base(file) && in(func(u Use) bool { return u == Reduces }) && !in(func(u Use) bool { return slices.Index(uses, u) > slices.Index(uses, Reduces) })
	}
	l.Forbid = slices.DeleteFunc(l.Forbid, func(c Conflict) bool { return c.Object == "" && c.From == c.To && combined(c.From) })
	l.Reduces = slices.DeleteFunc(l.Reduces, func(r Reduced) bool { return r.What == "" && combined(r.At) })
	if l.Verdict == Dependent && len(l.Forbid) > 0 {
		return
	}
	l.Verdict = Independent
	if len(l.Private) > 0 {
		l.Verdict = Private
	}
	if len(l.Reduces) > 0 {
		l.Verdict = Reduction
	}
	for _, v := range l.Variables {
		if v.Use == Reduces {
			l.worse(Reduction)
		} else {
			l.worse(Private)
		}
	}
}
