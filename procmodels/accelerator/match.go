package accelerator

// This file finds which loops of a program reports of synthesis speak of: by file and line, by label, by line in the
// name that the tool gave, or by order in the function.

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// sourceLoop is a loop of the source, wherever it was inlined.
type sourceLoop struct {
	place, holder, label string // FILE:LINE, the function that it was written in
	line                 int
	outer                *sourceLoop // in the program
	inner                []*sourceLoop
	of                   *reported // that it matches; nil: none
	flat                 bool      // it is one pipeline with what is inside
}

// sourceLoops lists the loops of a program, in the order of the source within a function.
func sourceLoops(p *ir.Program) (all []*sourceLoop) {
	known := map[string]*sourceLoop{}
	for _, f := range p.Funcs {
		c := flow.AnalyzeForward(f)
		at := make([]*sourceLoop, len(c.Loops))
		for i, l := range c.Loops {
			s := &sourceLoop{place: place(p, f, l)}
			for _, e := range l.Latches {
				if k := slices.IndexFunc(f.Loops, func(x ir.LoopLines) bool { return x.Block == e.From }); k >= 0 {
					s.label = f.Loops[k].Label
				}
				s.holder, _ = p.Holder(f, f.Blocks[e.From].Terminator())
			}
			_, line, _ := strings.Cut(path.Base(s.place), ":")
			s.line, _ = strconv.Atoi(line)
			if is := known[s.place]; is != nil {
				at[i] = is
				continue
			}
			known[s.place], at[i] = s, s
			all = append(all, s)
		}
		for i, l := range c.Loops {
			if l.Parent >= 0 && at[i].outer == nil && at[i] != at[l.Parent] && !slices.Contains(at[i].chain(), at[l.Parent]) {
				at[i].outer = at[l.Parent]
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *sourceLoop) int { return a.line - b.line })
	for _, s := range all {
		if s.outer != nil {
			s.outer.inner = append(s.outer.inner, s)
		}
	}
	return all
}

// chain lists a loop behind those around it, the outermost first.
func (s *sourceLoop) chain() (all []*sourceLoop) {
	for up := s; up != nil && len(all) < 64; up = up.outer {
		all = append(all, up)
	}
	slices.Reverse(all)
	return all
}

// pattern is what a tool may call the loop.
func (s *sourceLoop) pattern() string {
	if s.label != "" {
		return regexp.QuoteMeta(s.label)
	}
	return fmt.Sprintf(`VITIS_LOOP_%d_\d+`, s.line)
}

// matcher matches the loops of reports to those of a program.
type matcher struct {
	p      *ir.Program
	all    []*sourceLoop
	names  map[string]string // of a loop in a report, that the file gives: FILE:LINE
	failed []string          // what does not match, a line each
}

// functionOf is the function of the source that a module was made of, "" where that is not told by its name: copies
// and parts of functions have names that begin with the function's.
func (t *matcher) functionOf(module string) (name string) {
	take := func(f string) {
		if (f == module || strings.HasPrefix(module, f+"_")) && len(f) > len(name) {
			name = f
		}
	}
	for _, f := range t.p.Funcs {
		take(f.Source)
	}
	for _, s := range t.all {
		take(s.holder)
	}
	return name
}

// match finds the loop of the program, with those that are one pipeline with it around it before; nil and why for none.
func (t *matcher) match(l *reported, level []*reported, outer *sourceLoop, known bool) (chain []*sourceLoop, why string) {
	for _, key := range []string{l.title(), l.name} {
		if at, ok := t.names[key]; ok {
			if i := slices.IndexFunc(t.all, func(s *sourceLoop) bool { return named(at, s.place) }); i >= 0 {
				return t.all[i : i+1], ""
			}
		}
	}
	function := t.functionOf(l.module)
	var found, elsewhere [][]*sourceLoop
	for _, s := range t.all {
		around := s.chain()
		for n := 1; n <= len(around); n++ {
			var names []string
			for _, x := range around[len(around)-n:] {
				names = append(names, x.pattern())
			}
			if !regexp.MustCompile("^" + strings.Join(names, "_") + "$").MatchString(l.name) {
				continue
			}
			if s.holder == function {
				found = append(found, around[len(around)-n:])
			} else {
				elsewhere = append(elsewhere, around[len(around)-n:])
			}
		}
	}
	if found == nil && function == "" {
		found = elsewhere // parts of functions that the tool named itself
	}
	if len(found) > 1 && len(l.lines) > 0 {
		found = slices.DeleteFunc(found, func(c []*sourceLoop) bool { return !stands(l.lines, c[0].place) && !stands(l.lines, c[len(c)-1].place) })
	}
	if found == nil {
		for _, s := range t.all {
			if stands(l.lines, s.place) {
				found = append(found, []*sourceLoop{s})
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], ""
	case len(found) > 1:
		return nil, fmt.Sprintf("%d loops of the program may be it", len(found))
	case !byOrder.MatchString(l.name):
		return nil, "no loop of the program has this name or line"
	case !known:
		return nil, "what is around it is no loop of the program"
	}
	var same []*sourceLoop
	for _, s := range t.all {
		if s.holder == function && (outer == nil && (s.outer == nil || s.outer.holder != function) || outer != nil && s.outer == outer) {
			same = append(same, s)
		}
	}
	if len(same) != len(level) {
		return nil, fmt.Sprintf("the report has %d loops there, and %s of the program %d", len(level), function, len(same))
	}
	s := same[slices.Index(level, l)]
	if l.ii > 0 && len(s.inner) > 0 {
		return nil, fmt.Sprintf("the loop at %s is around others, and the report does not say how they are made", path.Base(s.place))
	}
	return []*sourceLoop{s}, ""
}

// stands reports whether one of the lines that a report gives is that of a place.
func stands(lines []string, place string) bool {
	return slices.ContainsFunc(lines, func(x string) bool { return path.Base(x) == path.Base(place) })
}

// module matches the loops of a module.
func (t *matcher) module(m *module) {
	var walk func(level []*reported, outer *sourceLoop, known bool)
	walk = func(level []*reported, outer *sourceLoop, known bool) {
		for _, l := range level {
			chain, why := t.match(l, level, outer, known)
			var s *sourceLoop
			if why == "" {
				s = chain[len(chain)-1]
				if is := s.of; is != nil && (is.ii != l.ii || is.first() != l.first() || is.iteration != l.iteration) {
					why = fmt.Sprintf("the loop at %s is %s of %s already, which takes another time", path.Base(s.place), is.title(), is.at)
				}
			}
			if why != "" {
				t.failed = append(t.failed, fmt.Sprintf("%s: loop %s is not used: %s; report: %s of a loop in the file says which it is", l.at, l.title(), why, l.title()))
				walk(l.inner, nil, false)
				continue
			}
			if s.of == nil {
				s.of = l
				for _, x := range chain[:len(chain)-1] {
					x.flat = true
				}
			}
			walk(l.inner, s, true)
		}
	}
	walk(m.loops, nil, true)
}
