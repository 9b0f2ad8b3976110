package plan

// This file says in one line why a plan cannot be followed.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pathspan/yamlstrict"
)

// nothing is the error of an entry that no unit has.
func (m *Marking) nothing(e *Entry) error {
	if name := e.named(); name != nil {
		return e.At.Errorf("%s: the program's sources define no function of this name; name one as the source does, or the place by FILE:LINE", name)
	}
	for _, p := range e.places() {
		known := false
		for _, u := range m.units {
			known = known || len(u.files.fitting(p.File)) > 0
		}
		if !known {
			return p.At.Errorf("%s: no file of this name is compiled into the program%s", p.File, m.nearest(p.File))
		}
	}
	p := e.places()[0]
	what := "statement"
	if e.isLoop() {
		what = "for statement"
	}
	for _, u := range m.units {
		if hint := u.instead(p, e.isLoop()); hint != "" {
			return p.At.Errorf("%s: no %s begins there%s", p, what, hint)
		}
	}
	return p.At.Errorf("%s: there is no code of a function on this line; name a line on which a %s begins", p, what)
}

// nearest names files of the program that were perhaps meant.
func (m *Marking) nearest(name string) string {
	var sources []string
	for _, u := range m.units {
		sources = append(sources, u.source)
		if strings.HasSuffix(u.source, ".ll") || strings.HasSuffix(u.source, ".bc") {
			if u.source == name {
				return ": it is LLVM assembly, which a plan cannot mark; give the source"
			}
		}
	}
	if near := yamlstrict.Nearest(name, sources); near != "" {
		return "; want " + near
	}
	return "; its sources are " + yamlstrict.List(sources)
}

// instead says what there is around a place where nothing begins.
func (u *unit) instead(p *Place, loops bool) string {
	around := u.around(p.File, p.First, p.Last)
	if len(around) == 0 {
		return ""
	}
	f := around[0]
	var lines []int
	other := ""
	f.walk(func(n, parent *node) bool {
		if !f.inFile(n) {
			return true
		}
		line := f.lineOf(n)
		is := parent.kind == "CompoundStmt"
		if loops {
			is = n.kind == "ForStmt" || n.kind == "CXXForRangeStmt"
		}
		if is && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		if loops && line == p.First && (n.kind == "WhileStmt" || n.kind == "DoStmt") {
			other = "; while and do loops cannot be shared among threads: OpenMP has for loops alone"
		}
		return true
	})
	if other != "" {
		return other
	}
	if len(lines) == 0 {
		return fmt.Sprintf("; the function %s has none", f.qualified())
	}
	// The nearest first, and shown in order.
	slices.SortStableFunc(lines, func(a, b int) int { return distance(a, p.First) - distance(b, p.First) })
	lines = lines[:min(len(lines), 8)]
	slices.Sort(lines)
	var texts []string
	for _, l := range lines {
		texts = append(texts, strconv.Itoa(l))
	}
	some := "some"
	if len(texts) == 1 {
		some = "one"
	}
	return fmt.Sprintf("; %s has %s on %s", f.qualified(), some, lineList(texts))
}

func distance(a, b int) int { return max(a-b, b-a) }

// diagnostic is an error of clang: FILE:LINE:COLUMN: error: TEXT.
var diagnostic = regexp.MustCompile(`^(.*):([0-9]+):[0-9]+: (?:fatal )?error: (.*)$`)

// Explain turns what clang said when it refused marked unit k into a line about the plan. The
// source itself has no errors: it was surveyed.
func (m *Marking) Explain(k int, said string) error {
	for _, line := range strings.Split(said, "\n") {
		d := diagnostic.FindStringSubmatch(strings.TrimSpace(line))
		if d == nil {
			continue
		}
		at, _ := strconv.Atoi(d[2])
		var inner *site
		for _, s := range m.sites[k] {
			first, _ := s.in.begin.file.line(s.open)
			last, _ := s.in.begin.file.line(s.close)
			if m.units[k].files.named(d[1]).same(s.in.begin.file) && first <= at && at <= last && (inner == nil || inner.holds(s.span) && inner.span != s.span || inner.span == s.span && inner.kind.form == blockForm) {
				inner = s
			}
		}
		if inner == nil && strings.HasSuffix(d[3], "file not found") {
			return fmt.Errorf("%s: %s:%s: %s once the source is marked; name the source by a path without symbolic links", m.plan.File, d[1], d[2], d[3])
		}
		if inner == nil {
			return fmt.Errorf("%s: clang refuses %s:%s as the plan has it: %s", m.plan.File, d[1], d[2], d[3])
		}
		change := "change the source"
		if inner.loop != nil && strings.Contains(d[3], "clause of OpenMP for loop") {
			change = "have the for statement set, compare and change one variable alone, and compute others from it in the body"
		}
		return inner.entry.At.Errorf("%s cannot be %s: clang says of line %s: %s; %s, or leave the entry out", inner.in.where(inner.open), inner.kind.what, d[2], d[3], change)
	}
	return fmt.Errorf("%s: clang refuses %s as the plan has it: %s", m.plan.File, m.units[k].source, strings.Join(strings.Fields(said), " "))
}
