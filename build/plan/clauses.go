package plan

// This file reads the clauses of a plan's constructs. What they name in the program is for
// clang to check; here they are held to be clauses and nothing else.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/yamlstrict"
)

// Clauses are those of a construct.
type Clauses struct {
	text     string              // as a directive has them, each behind a space
	names    map[string][]string // variables, by the clause's key
	collapse int                 // loops; 0 where the clause is not there
	team     string              // own or around; "" where the plan does not say
	wait     bool
	nowait   bool
	// Of pipelines: the stages by name, where the plan gives them any, how many items lie
	// between each and the next, and the stages that keep nothing from item to item, by number
	// from 1.
	stages    []string
	called    []string // by whatever names the plan has for them
	depths    []int
	stateless []int
	parts     int
}

// clause is one that plans may have.
type clause struct {
	key, name string // in plans, in pragmas
	read      func(c *clause, v yamlstrict.Value, out *Clauses) string
}

// allClauses are in the order in which pragmas get them.
var allClauses = []*clause{
	{"team", "", func(_ *clause, v yamlstrict.Value, out *Clauses) string {
		out.team = v.Word("own", "around")
		return ""
	}},
	{"wait", "", func(_ *clause, v yamlstrict.Value, out *Clauses) string {
		out.wait = v.Word("true") != ""
		return ""
	}},
	{"stages", "", func(_ *clause, v yamlstrict.Value, out *Clauses) string {
		out.readStages(v)
		return ""
	}},
	{"depth", "", func(_ *clause, v yamlstrict.Value, out *Clauses) string {
		out.readDepths(v)
		return ""
	}},
	{"stateless", "", func(_ *clause, v yamlstrict.Value, out *Clauses) string {
		for _, x := range listOrOne(v) {
			n := 1 + slices.Index(out.called, x.Text())
			if n == 0 {
				if _, err := strconv.Atoi(x.Text()); err != nil && out.called != nil {
					x.Fail("stateless: no stage is called %q: want %s, or a number from 1 to %d", x.Text(), strings.Join(out.called, ", "), out.parts)
				}
				n = x.Int(1, out.parts)
			}
			if slices.Contains(out.stateless, n) {
				x.Fail("stage %s is there twice", x.Text())
			}
			out.stateless = append(out.stateless, n)
		}
		return ""
	}},
	{"simd", "simd", flag},
	{"access", "", func(_ *clause, v yamlstrict.Value, _ *Clauses) string {
		return " " + v.Word("read", "write", "update", "capture")
	}},
	{"name", "", func(_ *clause, v yamlstrict.Value, _ *Clauses) string {
		if text := v.Text(); !variable.MatchString(text) {
			v.Fail("name: %q is no name of a critical section", text)
		}
		return "(" + v.Text() + ")"
	}},
	{"schedule", "schedule", func(_ *clause, v yamlstrict.Value, _ *Clauses) string {
		return " schedule(" + readSchedule(v) + ")"
	}},
	{"collapse", "collapse", func(_ *clause, v yamlstrict.Value, out *Clauses) string {
		out.collapse = v.Int(2, 64)
		return fmt.Sprintf(" collapse(%d)", out.collapse)
	}},
	{"ordered", "ordered", flag},
	{"nowait", "nowait", func(c *clause, v yamlstrict.Value, out *Clauses) string {
		out.nowait = true
		return flag(c, v, out)
	}},
	{"threads", "num_threads", value},
	{"grainsize", "grainsize", value},
	{"num_tasks", "num_tasks", value},
	{"nogroup", "nogroup", flag},
	{"depend", "depend", many(func(v yamlstrict.Value, out *Clauses) string {
		text := v.Text()
		if m := dependence.FindStringSubmatch(text); m == nil || !isExpression(m[1], true) {
			v.Fail("depend %q: want in, out or inout, and what is read or written, such as \"in: block[i]\"", text)
		}
		return text
	})},
	{"if", "if", value},
	{"final", "final", value},
	{"priority", "priority", value},
	{"filter", "filter", value},
	{"untied", "untied", flag},
	{"mergeable", "mergeable", flag},
	{"reduction", "reduction", many(func(v yamlstrict.Value, out *Clauses) string {
		text := v.Text()
		if m := reduction.FindStringSubmatch(text); m == nil || !isExpression(m[1], true) {
			v.Fail("reduction %q: want OPERATOR: VARIABLES, such as \"+: sum\"", text)
		} else {
			for _, x := range strings.Split(m[1], ",") {
				name, _, _ := strings.Cut(x, "[")
				out.names["reduction"] = append(out.names["reduction"], strings.TrimSpace(name))
			}
		}
		return text
	})},
	{"linear", "linear", readLinear},
	{"private", "private", variables},
	{"firstprivate", "firstprivate", variables},
	{"lastprivate", "lastprivate", variables},
	{"shared", "shared", variables},
	{"copyprivate", "copyprivate", variables},
}

var (
	variable   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	reduction  = regexp.MustCompile(`^ *(?:(?:task|inscan|default) *, *)?(?:[A-Za-z_][A-Za-z0-9_:]*|[-+*&|^]|&&|\|\|) *:([^:].*)$`)
	dependence = regexp.MustCompile(`^ *(?:in|out|inout|inoutset|mutexinoutset) *:(.*)$`)
	characters = regexp.MustCompile(`^[A-Za-z0-9_ +*/%<>=!&|^~?:.,()\[\]-]+$`)
)

// isExpression reports whether a text can be an expression in a pragma, or several with
// commas, and nothing else: it closes what it opens, and no other.
func isExpression(text string, several bool) bool {
	if !characters.MatchString(text) || strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return false
	}
	var open []rune
	said := false // since the last comma
	for _, c := range text {
		switch c {
		case '(', '[':
			open = append(open, c)
		case ')', ']':
			want := map[rune]rune{')': '(', ']': '['}[c]
			if len(open) == 0 || open[len(open)-1] != want {
				return false
			}
			open = open[:len(open)-1]
		case ',':
			if len(open) == 0 {
				if !several || !said {
					return false
				}
				said = false
				continue
			}
		}
		said = said || c != ' '
	}
	return said && len(open) == 0
}

func flag(c *clause, v yamlstrict.Value, _ *Clauses) string {
	v.Word("true")
	return " " + c.name
}

// value reads a number of 1 or more, or an expression of the program.
func value(c *clause, v yamlstrict.Value, _ *Clauses) string {
	text := v.Text()
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && c.key != "if" && c.key != "final" {
		least := int64(1)
		if c.key == "priority" || c.key == "filter" {
			least = 0
		}
		if n < least || n > 1<<31-1 {
			v.Fail("%s: %q: want a whole number from %d to 2147483647, or an expression of the program", c.key, text, least)
		}
	} else if !isExpression(text, false) {
		v.Fail("%s: %q is no expression of the program", c.key, text)
	}
	return fmt.Sprintf(" %s(%s)", c.name, strings.TrimSpace(text))
}

// many reads a list of texts, each of which is a clause.
func many(read func(v yamlstrict.Value, out *Clauses) string) func(c *clause, v yamlstrict.Value, out *Clauses) string {
	return func(c *clause, v yamlstrict.Value, out *Clauses) string {
		var b strings.Builder
		for _, x := range listOrOne(v) {
			fmt.Fprintf(&b, " %s(%s)", c.name, strings.TrimSpace(read(x, out)))
		}
		return b.String()
	}
}

func variables(c *clause, v yamlstrict.Value, out *Clauses) string {
	var list []string
	for _, x := range listOrOne(v) {
		for _, name := range strings.Split(x.Text(), ",") {
			name = strings.TrimSpace(name)
			if name != "" && !variable.MatchString(name) {
				x.Fail("%s: %q is no name of a variable", c.key, name)
			}
			for key, others := range out.names {
				// A variable may be firstprivate and lastprivate.
				if slices.Contains(others, name) && !(key == "firstprivate" && c.key == "lastprivate") {
					x.Fail("%s: %s is in %s already", c.key, name, key)
				}
			}
			if slices.Contains(list, name) {
				x.Fail("%s: %s is in %s already", c.key, name, c.key)
			}
			list = append(list, name)
		}
	}
	out.names[c.key] = list
	return fmt.Sprintf(" %s(%s)", c.name, strings.Join(list, ", "))
}

var linear = regexp.MustCompile(`^ *([A-Za-z_][A-Za-z0-9_]*) *(?::([^:].*))?$`)

// readLinear reads variables that go on in each iteration, each by 1 or by what stands behind a colon.
func readLinear(c *clause, v yamlstrict.Value, out *Clauses) string {
	var b strings.Builder
	for _, x := range listOrOne(v) {
		m := linear.FindStringSubmatch(x.Text())
		if m == nil || m[2] != "" && !isExpression(m[2], false) {
			x.Fail("linear %q: want a variable and by what it goes on in each iteration, such as \"out: 2\"; 1 may be left out", x.Text())
			continue
		}
		out.names[c.key] = append(out.names[c.key], m[1])
		fmt.Fprintf(&b, " linear(%s)", strings.TrimSpace(x.Text()))
	}
	return b.String()
}

// own reports whether the clauses give each thread a variable of its own.
func (c *Clauses) own(name string) bool {
	return slices.Contains(c.names["private"], name) || slices.Contains(c.names["firstprivate"], name) || slices.Contains(c.names["lastprivate"], name) || slices.Contains(c.names["linear"], name)
}

func clauseKeys() []string {
	var keys []string
	for _, c := range allClauses {
		keys = append(keys, c.key)
	}
	return keys
}

// readClauses reads those of a construct of so many parts, or of calls of functions.
func readClauses(f yamlstrict.Fields, k *kind, parts int, calls []string) Clauses {
	out := Clauses{names: map[string][]string{}, parts: max(parts, len(calls), 1), called: calls}
	if k.form == stagesForm {
		out.depths = slices.Repeat([]int{defaultDepth}, out.parts-1)
	}
	for _, c := range allClauses {
		v := f.Get(c.key)
		switch {
		case !v.Has() || c.key == k.key: // ordered is a construct too
		case !k.takes(c.key):
			f.Refuse(c.key, k.what+" has none; leave it out")
		default:
			out.text += c.read(c, v, &out)
		}
	}
	return out
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
	modifier, rest, modified := strings.Cut(text, ":")
	if head, _, _ := strings.Cut(text, ","); modified && !strings.Contains(head, ":") {
		modified = false // a colon of the chunk's expression
	}
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
	if n, err := strconv.ParseInt(chunk, 10, 32); chunked && (err == nil && n < 1 || err != nil && !isExpression(chunk, false)) {
		v.Fail("schedule %q: a chunk of %q: want a number of iterations from 1, or an expression of the program", text, chunk)
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
