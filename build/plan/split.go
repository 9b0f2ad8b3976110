package plan

// This file takes a declaration apart whose variable is used behind the construct that its
// value is made in: "long s = sum(t);" becomes "long s; { s = sum(t); }" with the construct
// before the brace.

import (
	"regexp"
	"slices"
	"strings"
)

// parted is a declaration that can be taken apart.
type parted struct {
	name string
	at   int // behind the name
}

var (
	scalars    = regexp.MustCompile(`^(?:(?:volatile|unsigned|signed|char|short|int|long|float|double|bool|_Bool) ?)+$`)
	pointers   = regexp.MustCompile(`\* *(?:volatile *|restrict *|__restrict *)*$`)
	unpartable = regexp.MustCompile(`\b(?:static|extern|thread_local|_Thread_local|__thread|constexpr|register|auto|__auto_type|decltype)\b`)
)

// part returns how a group's one statement can be taken apart; nil where it cannot: it
// declares something else than one variable of a scalar type that an expression gives its
// value, or its text is not all in sight.
func (g *group) part() *parted {
	s := g.inner[g.first]
	if g.first != g.last || s.kind != "DeclStmt" || len(s.inner) != 1 {
		return nil
	}
	d := s.inner[0]
	if d.kind != "VarDecl" || len(d.inner) == 0 || !scalars.MatchString(d.typ) && !pointers.MatchString(d.typ) {
		return nil
	}
	init := d.inner[len(d.inner)-1]
	if init.kind == "InitListExpr" || g.in.hidden(s) != "" || !g.in.inFile(init) || init.begin.macro || s.begin.macro {
		return nil
	}
	from, to := g.in.place(s.begin), g.in.place(init.begin)
	text := g.in.begin.file.data
	if from < 0 || to > len(text) || from >= to {
		return nil
	}
	before, ok := strings.CutSuffix(strings.TrimRight(string(text[from:to]), " \t"), "=")
	if before = strings.TrimRight(before, " \t"); !ok || !strings.HasSuffix(before, d.name) || unpartable.MatchString(before) {
		return nil
	}
	return &parted{d.name, from + len(before)}
}

// edits puts a construct between the declaration and what gives the variable its value,
// which ends at end.
func (p *parted) edits(end int) []edit {
	return []edit{{p.at, closing, "; ", false}, {p.at, opening, "", true}, {p.at, assigning, "{ " + p.name, false}, {end, closing, " }", false}}
}

// share has tasks share variables that they assign and others read behind them: tasks have
// copies of the variables of functions, in which values are lost.
func (s *site) share(names []string) {
	if slices.Sort(names); len(names) > 0 {
		s.pragmas[0] += " shared(" + strings.Join(slices.Compact(names), ", ") + ")"
	}
}
