package suggest

// This file says what is in the way of a suggestion, and what to write for it.

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/ir"
)

// describe fills in the words of a suggestion.
func (p *program) describe(c *prospect) {
	parallel := c.under - c.SavesSeconds/p.e.Second()
	if parallel > 0 {
		c.OverheadShare = math.Min(1, c.overheads/parallel)
	}
	switch c.Kind {
	case Loop:
		c.Pragma = "#pragma omp parallel for"
		if c.Schedule != "" {
			c.Pragma += " schedule(" + c.Schedule + ")"
		}
		if c.Collapse > 0 {
			c.Pragma += fmt.Sprintf(" collapse(%d)", c.Collapse)
			c.obstacle("with the loop on line %d as one: nothing may stand between the two, and the inner must be as long each time", c.inner.loc.Line)
		}
		for _, x := range c.Dependences.clauses() {
			c.Pragma += " " + x.String()
		}
		p.obstaclesOfLoop(c)
		c.Dependences.obstacles(c)
	case Sections:
		c.Pragma = "#pragma omp parallel sections"
		p.obstaclesOfSections(c)
		if c.Dependences != nil {
			c.obstacle("in the recorded run no section read what another wrote")
		}
	case Tasks:
		c.Pragma = "#pragma omp task"
		c.obstacle("at most: the longest chain of calls is not known, and small calls must not be tasks")
	}
	if c.OverheadShare >= 0.05 {
		c.obstacle("overheads take %.0f%% of its parallel time", 100*c.OverheadShare)
	}
	if c.Regions != nil {
		c.obstacle("%s inside would run on one processor", some(c.Regions))
	}
	if c.External != nil {
		c.obstacle("calls %s, which %s not profiled", some(c.External), map[bool]string{true: "was", false: "were"}[len(c.External) == 1])
	}
	if !c.Library {
		c.Plan = c.plan()
	}
}

func (c *prospect) obstacle(format string, args ...any) {
	c.Obstacles = append(c.Obstacles, fmt.Sprintf(format, args...))
}

// some names the first of many.
func some(names []string) string {
	const most = 3
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func (p *program) obstaclesOfLoop(c *prospect) {
	it, n := c.Iteration, float64(len(p.kindOf))
	switch {
	case it.Largest <= even:
	case it.Known:
		c.obstacle("iterations take up to %.1f times the average, in an order that is not known", it.Largest)
	default:
		c.obstacle("imbalance unknown: iterations take up to %.1f times the average", it.Largest)
	}
	if rounds := math.Ceil(c.Trips / n); c.Schedule == "" && c.Collapse == 0 && c.Trips/(rounds*n) < 0.95 {
		c.obstacle("%.4g iterations do not share evenly among %.0f processors", c.Trips, n)
	}
}

func (p *program) obstaclesOfSections(c *prospect) {
	longest, sum := 0.0, 0.0
	for _, part := range c.Parts {
		longest, sum = math.Max(longest, part.Seconds), sum+part.Seconds
	}
	if sum > 0 && longest/sum > 1.05/float64(min(len(c.Parts), len(p.kindOf))) {
		c.obstacle("the longest section has %.0f%% of the time", 100*longest/sum)
	}
}

// plan is a suggestion's entry in a plan.
func (c *prospect) plan() string {
	var b strings.Builder
	switch c.Kind {
	case Loop:
		fmt.Fprintf(&b, "- loop: %s\n", word(Place{File: filepath.Clean(c.Place.File), Line: c.Place.Line, Column: c.Place.Column}.String()))
		if !ir.ByDirective(c.Place.Function) {
			fmt.Fprintf(&b, "  function: %s\n", word(c.Place.Function))
		}
		if c.Schedule != "" {
			fmt.Fprintf(&b, "  schedule: %q\n", c.Schedule)
		}
		if c.Collapse > 0 {
			fmt.Fprintf(&b, "  collapse: %d\n", c.Collapse)
		}
		entries := map[string][]string{} // of a kind of clauses
		var order []string
		for _, x := range c.Dependences.clauses() {
			if entries[x.Clause] == nil {
				order = append(order, x.Clause)
			}
			entries[x.Clause] = append(entries[x.Clause], x.entry())
		}
		for _, clause := range order {
			fmt.Fprintf(&b, "  %s: [%s]\n", clause, strings.Join(entries[clause], ", "))
		}
	case Sections:
		fmt.Fprintf(&b, "- sections:\n")
		for _, part := range c.Parts {
			fmt.Fprintf(&b, "    - %s\n", lines(part.Place.File, part.Place.Line, part.Place.End))
		}
	case Tasks:
		for _, f := range c.callers {
			var calls []string
			for _, name := range f.calls {
				calls = append(calls, word(name))
			}
			fmt.Fprintf(&b, "- task: {function: %s, calls: [%s]}\n  wait: true\n", word(f.name), strings.Join(calls, ", "))
		}
	}
	return b.String()
}

// lines is FILE:LINE or FILE:LINE-LINE as plans have it.
func lines(file string, first, last int) string {
	text := fmt.Sprintf("%s:%d", filepath.Clean(file), first)
	if last > first {
		text += fmt.Sprintf("-%d", last)
	}
	return word(text)
}

// word is a text as a YAML scalar: plain where that is safe.
func word(s string) string {
	for i, r := range s {
		plain := r == '_' || r == '/' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !plain && (i == 0 && r != '.' || !strings.ContainsRune(".:-+~", r)) {
			return fmt.Sprintf("%q", s)
		}
	}
	if s == "" || strings.HasSuffix(s, ":") {
		return fmt.Sprintf("%q", s)
	}
	return s
}

// OwnStatements is what calls need to be tasks. The compiler leaves nothing that tells which have it.
const OwnStatements = "a call that is part of an expression, as in return f(a) + g(b), must first keep its value in a variable, in a statement of its own"

// PlanFile is a file for profile --plan that tries suggestions, but for those in libraries, and
// says what these need that no plan can write. It reports false where there is none of these.
func PlanFile(all []Suggestion) ([]byte, bool) {
	var b strings.Builder
	known := "those of the recorded run"
	if slices.ContainsFunc(all, func(x Suggestion) bool { return x.Dependences == nil }) {
		known = "unchecked"
	}
	b.WriteString("# Dependences are " + known + ": leave out what may not run in parallel.\n")
	b.WriteString("# Where profile --plan asks for a clause, as for counters of loops that are globals or read behind, add it.\nplan:\n")
	any := false
	for i := range all {
		if all[i].Plan == "" {
			continue
		}
		any = true
		for _, text := range all[i].Dependences.ToDo() {
			b.WriteString("  # NOT YET PARALLEL: " + text + "\n")
		}
		if all[i].Kind == Tasks {
			b.WriteString("  # " + OwnStatements + "\n")
		}
		for line := range strings.Lines(all[i].Plan) {
			b.WriteString("  " + line)
		}
	}
	return []byte(b.String()), any
}
