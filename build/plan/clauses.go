package plan

// This file reads the clauses of a plan's constructs. What they name in the program is for
// clang to check; here they are held to be clauses and nothing else.

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/yamlstrict"
)

// Clauses are those of a construct.
type Clauses struct {
	Schedule     string // as the clause has it; "" where there is none
	Collapse     int    // loops; 0 where the clause is not there
	Ordered      bool
	Threads      int      // 0 where the clause is not there
	Reductions   []string // each "operator : variables"
	Private      []string // variables
	FirstPrivate []string
	LastPrivate  []string
}

// clauseKeys are those of a plan's file; the first three are for loops.
var clauseKeys = []string{"schedule", "collapse", "ordered", "threads", "reduction", "private", "firstprivate", "lastprivate"}

// text is the clauses in a directive, each behind a space.
func (c *Clauses) text() string {
	var b strings.Builder
	add := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, " %s(%s)", name, value)
		}
	}
	count := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	add("schedule", c.Schedule)
	add("collapse", count(c.Collapse))
	if c.Ordered {
		b.WriteString(" ordered")
	}
	add("num_threads", count(c.Threads))
	for _, r := range c.Reductions {
		add("reduction", r)
	}
	add("private", strings.Join(c.Private, ", "))
	add("firstprivate", strings.Join(c.FirstPrivate, ", "))
	add("lastprivate", strings.Join(c.LastPrivate, ", "))
	return b.String()
}

var (
	variable  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	reduction = regexp.MustCompile(`^ *([A-Za-z_][A-Za-z0-9_]*|[-+*&|^]|&&|\|\|) *: *([A-Za-z_][A-Za-z0-9_]*(\[[A-Za-z0-9_ :+*-]*\])*( *, *[A-Za-z_][A-Za-z0-9_]*(\[[A-Za-z0-9_ :+*-]*\])*)*) *$`)
	expr      = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*( *[-+*/] *[A-Za-z0-9_]+)*$`)
)

func readClauses(f yamlstrict.Fields, loop bool) Clauses {
	var c Clauses
	if !loop {
		for _, key := range clauseKeys[:3] {
			f.Refuse(key, "sections have none; leave it out")
		}
	} else {
		c.Schedule = readSchedule(f.Get("schedule"))
		if v := f.Get("collapse"); v.Has() {
			c.Collapse = v.Int(2, 64)
		}
		c.Ordered = f.Get("ordered").Word("true") != ""
	}
	if v := f.Get("threads"); v.Has() {
		c.Threads = v.Int(1, math.MaxInt32)
	}
	for _, v := range listOrOne(f.Get("reduction")) {
		text := v.Text()
		if text != "" && !reduction.MatchString(text) {
			v.Fail("reduction %q: want OPERATOR: VARIABLES, such as \"+: sum\"", text)
		}
		c.Reductions = append(c.Reductions, text)
	}
	seen := map[string]string{}
	names := func(key string) (list []string) {
		for _, v := range listOrOne(f.Get(key)) {
			for _, name := range strings.Split(v.Text(), ",") {
				name = strings.TrimSpace(name)
				if name != "" && !variable.MatchString(name) {
					v.Fail("%s: %q is no name of a variable", key, name)
				}
				if before := seen[name]; before != "" && (before == key || before == "private" || key == "private") {
					v.Fail("%s: %s is in %s already", key, name, before)
				}
				seen[name] = key
				list = append(list, name)
			}
		}
		return list
	}
	c.Private, c.FirstPrivate, c.LastPrivate = names("private"), names("firstprivate"), names("lastprivate")
	return c
}

// listOrOne is the values of a list, or the one that stands there by itself.
func listOrOne(v yamlstrict.Value) []yamlstrict.Value {
	if v.IsScalar() {
		return []yamlstrict.Value{v}
	}
	list := v.List()
	if v.Has() && len(list) == 0 {
		v.Fail("an empty list: leave the key out")
	}
	return list
}

// readSchedule reads a schedule clause: MODIFIER: KIND, CHUNK. A chunk may be an expression
// of the program.
func readSchedule(v yamlstrict.Value) string {
	text := v.Text()
	if text == "" {
		return ""
	}
	modifier, rest, modified := strings.Cut(text, ":")
	if !modified {
		modifier, rest = "", text
	}
	modifier = strings.TrimSpace(modifier)
	if modified && modifier != "monotonic" && modifier != "nonmonotonic" {
		v.Fail("schedule %q: unknown modifier %q: want monotonic or nonmonotonic", text, modifier)
	}
	kind, chunk, chunked := strings.Cut(rest, ",")
	kind, chunk = strings.TrimSpace(kind), strings.TrimSpace(chunk)
	kinds := ir.Schedules()
	switch {
	case !slices.Contains(kinds, kind):
		hint := yamlstrict.List(kinds)
		if near := yamlstrict.Nearest(kind, kinds); near != "" {
			hint = near
		}
		v.Fail("schedule %q: there is no schedule %q: want %s", text, kind, hint)
	case modifier == "nonmonotonic" && kind == ir.Static.String():
		v.Fail("schedule %q: nonmonotonic is for dynamic and guided; leave it out", text)
	case chunked && (kind == ir.Auto.String() || kind == ir.Runtime.String()):
		v.Fail("schedule %q: %s takes no chunk; leave out the comma and what follows", text, kind)
	}
	if n, err := strconv.ParseInt(chunk, 10, 32); chunked && (err == nil && n < 1 || err != nil && !expr.MatchString(chunk)) {
		v.Fail("schedule %q: a chunk of %q: want a number of iterations from 1, or a variable of the program", text, chunk)
	}
	out := kind
	if modified {
		out = modifier + " : " + kind
	}
	if chunked {
		out += ", " + chunk
	}
	return out
}
