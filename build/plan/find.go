package plan

// This file finds statements in the functions of a source, by where they begin.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// unit is a source with what it includes, as clang sees it.
type unit struct {
	source    string
	files     *files
	functions []*function // those that the plan may mean
	meant     map[*Function][]*function
}

func newUnit(source string) *unit {
	return &unit{source: source, files: &files{byName: map[string]*file{}}, meant: map[*Function][]*function{}}
}

// spelledInside reports whether a token is an argument of a macro that the function writes
// itself, so that text can be put before it there.
func (f *function) spelledInside(p position) bool {
	return p.arg && p.file == f.begin.file && p.spelled >= f.begin.offset && p.spelled < f.last()
}

// last is the offset of the function's last token.
func (f *function) last() int { return f.end.offset }

// place returns the offset before which text goes that is to stand before a token.
func (f *function) place(p position) int {
	if f.spelledInside(p) {
		return p.spelled
	}
	return p.offset
}

// where says a place of the function's file.
func (f *function) where(offset int) string {
	line, _ := f.begin.file.line(offset)
	return fmt.Sprintf("%s:%d", f.begin.file.name, line)
}

func (f *function) lineOf(n *node) int {
	line, _ := f.begin.file.line(f.place(n.begin))
	return line
}

// inFile reports whether a node stands in the function's own file.
func (f *function) inFile(n *node) bool {
	return n.begin.file != nil && n.begin.file.same(f.begin.file)
}

// qualified is the function's name with its scopes.
func (f *function) qualified() string {
	if f.scope == "" {
		return f.name
	}
	return f.scope + "::" + f.name
}

// is reports whether a plan's name means the function.
func (f *function) is(named *Function) bool {
	full := f.qualified()
	if full != named.Name && !strings.HasSuffix(full, "::"+named.Name) {
		return false
	}
	return named.File == "" || f.begin.file != nil && f.begin.file.fits(named.File) != other
}

// walk visits the nodes in a function, those around before those inside. It goes no deeper
// where visit returns false.
func (f *function) walk(visit func(n, parent *node) bool) {
	var down func(n, parent *node)
	down = func(n, parent *node) {
		if visit(n, parent) {
			for _, c := range n.inner {
				down(c, n)
			}
		}
	}
	for _, c := range f.inner {
		down(c, f.node)
	}
}

// hidden says why text before a node would not stand before it alone; "" where it would.
func (f *function) hidden(n *node) string {
	switch {
	case !f.inFile(n):
		return "comes from another file or from a macro's own text"
	case !n.begin.macro || f.spelledInside(n.begin):
		return ""
	}
	var first *node
	f.walk(func(c, _ *node) bool {
		if first == nil && c.begin.macro && f.inFile(c) && !f.spelledInside(c.begin) && c.begin.offset == n.begin.offset {
			first = c
		}
		return first == nil
	})
	if first == n {
		return ""
	}
	return "is made by a macro that does not begin with it"
}

// loop is a for statement.
type loop struct {
	*node
	in     *function
	offset int
	marked bool // by an OpenMP directive of the program
}

// loops returns the for statements of a function in the order of the source, each once:
// templates and lambdas have theirs several times.
func (f *function) loops() []*loop {
	var all []*loop
	seen := map[int]bool{}
	directive := f.parallel()
	f.walk(func(n, parent *node) bool {
		if n.kind != "ForStmt" && n.kind != "CXXForRangeStmt" || n.begin.file == nil {
			return true
		}
		at := f.place(n.begin)
		if !seen[at] {
			seen[at] = true
			all = append(all, &loop{n, f, at, directive[n]})
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b *loop) int { return a.offset - b.offset })
	return all
}

// parallel returns the loops that directives of the program are about.
func (f *function) parallel() map[*node]bool {
	loops := map[*node]bool{}
	f.walk(func(n, _ *node) bool {
		if isLoopDirective(n.kind) {
			loops[n.associated()] = true
		}
		return true
	})
	return loops
}

// isLoopDirective tells directives that are about a loop.
func isLoopDirective(kind string) bool {
	if !strings.HasPrefix(kind, "OMP") || !strings.HasSuffix(kind, "Directive") {
		return false
	}
	return slices.ContainsFunc([]string{"For", "Simd", "Loop", "Distribute", "Tile", "Unroll"}, func(word string) bool { return strings.Contains(kind, word) })
}

// around returns the functions of a unit that have some of the lines of a file.
func (u *unit) around(name string, from, to int) []*function {
	var found []*function
	fitting := u.files.fitting(name)
	for _, f := range u.functions {
		if f.begin.file == nil || !slices.ContainsFunc(fitting, f.begin.file.same) {
			continue
		}
		first, _ := f.begin.file.line(f.begin.offset)
		last, _ := f.begin.file.line(f.last())
		if first <= to && from <= last {
			found = append(found, f)
		}
	}
	return found
}

// named returns the functions of a unit that a plan's name means.
func (u *unit) named(name *Function) []*function { return u.meant[name] }

// means finds the functions that a plan's name means in a program: those of the sources
// themselves, or else those of what they include. It is an error where they are several; the
// instances of a template are one.
func (m *Marking) means(at yamlstrict.Pos, name *Function) error {
	own := false
	each := func(visit func(u *unit, f *function, own bool)) {
		for _, u := range m.units {
			for _, f := range u.functions {
				if f.is(name) && f.hasBody() {
					visit(u, f, f.begin.file.same(u.files.named(u.source)))
				}
			}
		}
	}
	each(func(_ *unit, _ *function, is bool) { own = own || is })
	var places []string
	each(func(u *unit, f *function, is bool) {
		if is != own {
			return
		}
		u.meant[name] = append(u.meant[name], f)
		if w := f.where(f.begin.offset); !slices.Contains(places, w) {
			places = append(places, w)
		}
	})
	if len(places) < 2 {
		return nil
	}
	return at.Errorf("%s is the name of several functions (%s); name the place by FILE:LINE", name, yamlstrict.List(places))
}

func (f *function) hasBody() bool {
	return slices.ContainsFunc(f.inner, func(n *node) bool { return n.kind == "CompoundStmt" || n.kind == "CXXTryStmt" })
}

// wants reports whether the plan may mean a function.
func (p *Plan) wants(f *function) bool {
	if f.begin.file == nil {
		return false
	}
	covers := func(place *Place) bool {
		if place.Function != nil {
			return f.is(place.Function)
		}
		if f.begin.file.fits(place.File) == other {
			return false
		}
		first, _ := f.begin.file.line(f.begin.offset)
		last, _ := f.begin.file.line(f.last())
		return first <= place.Last && place.First <= last
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Caller != nil && f.is(e.Caller) || slices.ContainsFunc(e.Places, func(s Place) bool { return covers(&s) }) {
			return true
		}
	}
	return false
}
