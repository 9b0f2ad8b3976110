package flow

// This file names statements, and finds those that people name.

import (
	"cmp"
	"fmt"
	"path/filepath"

	"pathspan/ir"
	"pathspan/streams"
	"pathspan/yamlstrict"
)

// Names are what statements are called by: what their plan calls stages, or the function, with the
// line of the call where it is called at several, the file where these are in several, and the column where that is needed as well.
func Names(t *streams.Trace, p *ir.Program) []string {
	out := make([]string, len(t.Statements))
	stages := p.StageNames()
	file, several := make(map[int]string), make(map[int]bool) // by function: where it is called
	for i := range t.Statements {
		s := &t.Statements[i]
		at, ok := file[s.Func]
		file[s.Func], several[s.Func] = s.File, several[s.Func] || ok && at != s.File
	}
	spell := []func(s *streams.Statement) string{
		func(s *streams.Statement) string { return cmp.Or(stages[s.Func], p.Funcs[s.Func].Source) },
		func(s *streams.Statement) string { return p.Funcs[s.Func].Source },
		func(s *streams.Statement) string {
			if several[s.Func] {
				return fmt.Sprintf("%s:%s:%d", p.Funcs[s.Func].Source, filepath.Base(s.File), s.Line)
			}
			return fmt.Sprintf("%s:%d", p.Funcs[s.Func].Source, s.Line)
		},
		func(s *streams.Statement) string {
			return fmt.Sprintf("%s:%s:%d:%d", p.Funcs[s.Func].Source, filepath.Base(s.File), s.Line, s.Col)
		},
	}
	for _, name := range spell {
		times := make(map[string]int)
		for i := range out {
			if out[i] == "" {
				times[name(&t.Statements[i])]++
			}
		}
		for i := range out {
			if n := name(&t.Statements[i]); out[i] == "" && times[n] == 1 {
				out[i] = n
			}
		}
	}
	for i := range out {
		if out[i] == "" {
			out[i] = fmt.Sprintf("%s#%d", p.Funcs[t.Statements[i].Func].Source, i+1)
		}
	}
	return out
}

// Find finds the statements that a name stands for: one, or all of a function.
func Find(t *streams.Trace, p *ir.Program, names []string, name string) ([]int, error) {
	var out []int
	known := append([]string(nil), names...)
	for i := range t.Statements {
		f := p.Funcs[t.Statements[i].Func]
		known = append(known, f.Source)
		if names[i] == name || f.Source == name || f.Name == name {
			out = append(out, i)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	hint := "; pathspan flow --items 0 lists them"
	if near := yamlstrict.Nearest(name, known); near != "" {
		hint = ", but " + near
	}
	return nil, fmt.Errorf("no statement that was executed is called %s%s", name, hint)
}
