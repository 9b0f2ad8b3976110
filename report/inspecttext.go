package report

// This file shows for people what a bundle holds.

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/visible"
)

// Text writes the inspection for people, at most so many functions, all for 0.
func (in *Inspection) Text(out io.Writer, most int) error {
	w := bufio.NewWriter(out) // keeps the first error
	pr := &in.Provenance
	fmt.Fprintf(w, "made by    pathspan %s with %s, %s\n", pr.Tool, pr.Clang, strings.Join(append([]string{pr.OptLevel}, pr.Flags...), " "))
	if pr.Target != "" {
		fmt.Fprintf(w, "made for   %s\n", pr.Target)
	}
	fmt.Fprintf(w, "sources    %s\n", strings.Join(pr.Sources, " "))
	if pr.Plan != nil {
		fmt.Fprintf(w, "plan       %s\n", planText(pr.Plan))
	}
	for i := range pr.Runs {
		fmt.Fprintf(w, "run        %s\n", runText(&pr.Runs[i]))
	}
	fmt.Fprintf(w, "levels     %s\n", levelsText(&in.Levels))
	if len(in.Inlined) > 0 {
		const most = 6
		names := make([]string, len(in.Inlined))
		for i, n := range in.Inlined {
			names[i] = Demangled(n)
		}
		fmt.Fprintf(w, "inlined    %s\n", listedUpTo(names, most))
	}
	for _, r := range in.Regions {
		kept := ""
		if r.Classes > 0 {
			kept = fmt.Sprintf(", %s of %s", countBig(r.Executions, "execution"), Count(r.Classes, "kind"))
		}
		fmt.Fprintf(w, "region     %s, %s%s\n", ir.RegionLabel(r.Name, r.Line), parallelText(len(r.Sections), len(r.Loops)), kept)
		for _, l := range r.Loops {
			fmt.Fprintf(w, "           %s\n", loopText(&l))
		}
	}
	for _, t := range in.Tasks {
		fmt.Fprintf(w, "task       %s (line %d): %s\n", t.Name, t.Line, tasksText(&t))
	}
	for _, p := range in.Pipelines {
		fmt.Fprintf(w, "pipeline   %s (line %d): %s\n", p.Name, p.Line, stagesText(&p))
	}
	if m := in.Memory; m != nil {
		fmt.Fprintf(w, "memory     %s read and %s written, in %s%s\n", countBig(m.Read, "byte"), countBig(m.Written, "byte"), Count(m.Objects, "object"), foreignText(m.Foreign))
	}
	if s := in.Streams; s != nil {
		fmt.Fprintf(w, "flow       %s of %s\n", Count(s.Executions, "execution"), Count(s.Statements, "statement"))
	}
	if b := in.Branches; b != nil {
		fmt.Fprintf(w, "branches   %s taken, %s not foretold\n", group(b.Taken), Percent(float64(b.Wrong)/float64(max(1, b.Taken))))
	}
	for _, n := range in.Notes {
		fmt.Fprintf(w, "note       %s\n", Demangled(n))
	}
	for _, f := range in.Flow {
		fmt.Fprintf(w, "unfinished %s: %s left by a jump, or under way when the program ended\n", Demangled(f.Function), Count(int(f.Paths), "execution"))
	}
	fmt.Fprintln(w, "\nA path lists the lines of its function's file that it runs; L7* stands for the loop\nat line 7, whose iterations are paths of their own.")
	functions := in.Functions
	hidden := 0
	if most > 0 && len(functions) > most {
		hidden = len(functions) - most
		functions = functions[:most]
	}
	for i := range functions {
		printFunction(w, &functions[i])
	}
	if hidden > 0 {
		fmt.Fprintf(w, "\n%s not shown; --functions 0 shows all\n", Count(hidden, "function"))
	}
	return w.Flush()
}

// foreignText names functions of which it is not known what they do to memory.
func foreignText(list []InspectForeign) string {
	const most = 6
	if len(list) == 0 {
		return ""
	}
	var names []string
	for _, f := range list {
		names = append(names, fmt.Sprintf("%s (%s)", Demangled(f.Name), countBig(f.Calls, "call")))
	}
	return "; not what is done to it in " + listedUpTo(names, most)
}

// tasksText says how many tasks a place made.
func tasksText(t *InspectTask) string {
	if t.Executions == 0 {
		return "none is followed"
	}
	text := fmt.Sprintf("%s of %s", countBig(t.Executions, "task"), Count(t.Classes, "kind"))
	if t.Dependent > 0 {
		text += fmt.Sprintf(", %d with dependences on others", t.Dependent)
	}
	if t.Undeferred > 0 {
		text += fmt.Sprintf(", %d at once (if clause)", t.Undeferred)
	}
	return text
}

// planText is a plan's name, what it marks besides the sources, and what it says.
func planText(p *InspectPlan) string {
	const most = 24
	lines := []string{p.Name}
	if len(p.Marked) > 0 {
		lines[0] += ", which marks " + strings.Join(p.Marked, " ")
	}
	hidden := 0
	for _, l := range strings.Split(p.Text, "\n") {
		switch l = strings.TrimRight(l, " "); {
		case strings.TrimLeft(l, " ") == "" || strings.TrimLeft(l, " ")[0] == '#' || l == "plan:":
		case len(lines) <= most:
			lines = append(lines, l)
		default:
			hidden++
		}
	}
	if hidden > 0 {
		lines = append(lines, fmt.Sprintf("%s not shown; --json has all", Count(hidden, "line")))
	}
	return strings.Join(lines, "\n           ")
}

// loopText is a worksharing loop in a line.
func loopText(l *InspectLoop) string {
	text := fmt.Sprintf("%s (line %d): schedule %s", ir.SectionLabel(l.Name), l.Line, l.Schedule)
	if l.Executions == 0 {
		return text
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	n := number(l.Mean) + " iterations"
	switch {
	case l.Least == l.Most && l.Mean == 1:
		n = "1 iteration"
	case l.Least != l.Most:
		n += fmt.Sprintf(" on average, %s to %s", number(l.Least), number(l.Most))
	}
	return fmt.Sprintf("%s, %s of %s", text, countBig(l.Executions, "execution"), n)
}

func runText(r *InspectRun) string {
	arguments := "without arguments"
	if len(r.exact) > 0 {
		words := make([]string, len(r.exact))
		for i, a := range r.exact {
			if words[i] = a; a == "" || strings.ContainsAny(a, " \"'\\") || !visible.IsLine(a) {
				words[i] = strconv.Quote(a)
			}
		}
		arguments = "with arguments " + strings.Join(words, " ")
	}
	end := fmt.Sprintf("exit status %d", r.Exit)
	if r.Signal != 0 {
		end = fmt.Sprintf("ended by signal %d", r.Signal)
	}
	return fmt.Sprintf("%s: %s, %s counted", arguments, end, countBig(r.Counted, "path"))
}

// levelsText says how the levels were counted: all in arrays unless it says more.
func levelsText(l *LevelSummary) string {
	var special []string
	for _, c := range []struct {
		n    int
		what string
	}{{l.Hashed, "hashed"}, {l.Collapsed, "collapsed"}, {l.Cut, "cut"}, {l.Degraded, "counted by edges (setjmp)"}} {
		if c.n > 0 {
			special = append(special, number(c.n)+" "+c.what)
		}
	}
	s := number(l.Total) + " in functions that ran"
	if len(special) > 0 {
		s += ": " + strings.Join(special, ", ")
	}
	return s
}

func printFunction(w io.Writer, f *InspectFunction) {
	name := Demangled(f.Name)
	if ir.Made(f.Name) {
		name = f.Source
	}
	if f.Location != "" {
		name += "  " + f.Location
	}
	fmt.Fprintf(w, "\n%s  executed %s\n", name, Times(f.Invocations))
	never := 0
	for i := range f.Levels {
		l := &f.Levels[i]
		indent := "    "
		if i > 0 {
			if l.Entries == 0 && len(l.Paths) == 0 {
				never++
				continue
			}
			indent = strings.Repeat("  ", l.Depth)
			fmt.Fprintf(w, "%sloop %d at %s: %s, %s%s\n", indent, i, l.Loop, entries(l.Entries), iterations(l), levelMarks(l))
			indent += "  "
		} else if marks := levelMarks(l); marks != "" {
			fmt.Fprintf(w, "  body:%s\n", marks)
		}
		printPaths(w, indent, l)
	}
	if never > 0 {
		fmt.Fprintf(w, "  and %s that never ran\n", Count(never, "loop"))
	}
}

// printPaths lists paths. Those that run the same lines, and differ within one, are one.
func printPaths(w io.Writer, indent string, l *InspectLevel) {
	var shown []InspectPath
	var ways []int
	for _, p := range l.Paths {
		if k := slices.IndexFunc(shown, func(o InspectPath) bool { return o.End == p.End && o.Lines == p.Lines && p.Lines != "" }); k >= 0 {
			shown[k].Count += p.Count
			ways[k]++
			continue
		}
		shown, ways = append(shown, p), append(ways, 1)
	}
	width, ends := 0, 0
	lines := make([]string, len(shown))
	for i := range shown {
		width = max(width, len(group(shown[i].Count)))
		ends = max(ends, len(shown[i].End))
		lines[i] = shown[i].Lines
	}
	lines = TellApart(lines, 100)
	for i := range shown {
		p := &shown[i]
		fmt.Fprintf(w, "%s%*s x  %-*s", indent, width, group(p.Count), ends, p.End)
		if p.Lines != "" {
			fmt.Fprintf(w, "  lines %s", lines[i])
		}
		if ways[i] > 1 {
			fmt.Fprintf(w, " (%d paths, which part within lines)", ways[i])
		}
		fmt.Fprintln(w)
	}
	if l.Hidden > 0 {
		fmt.Fprintf(w, "%sand %s that ran less often\n", indent, Count(l.Hidden, "path"))
	}
}

// levelMarks says in parentheses what is special about the numbering of a level.
func levelMarks(l *InspectLevel) string {
	var marks []string
	if l.Hashed {
		marks = append(marks, "hashed")
	}
	switch {
	case l.Degraded:
		marks = append(marks, "counted by edges")
	default:
		if l.Collapsed {
			marks = append(marks, "last traversals counted here")
		}
		if l.Cuts > 0 {
			marks = append(marks, "cut at "+Count(l.Cuts, "block"))
		}
	}
	if len(marks) == 0 {
		return ""
	}
	return " (" + strings.Join(marks, ", ") + ")"
}

func entries(n uint64) string {
	if n == 1 {
		return "1 entry"
	}
	return group(n) + " entries"
}

// iterations renders how often a loop iterates per entry.
func iterations(l *InspectLevel) string {
	x, n := l.Average, ""
	switch {
	case x == math.Trunc(x) || x >= 1000:
		n = whole(x) + " iterations"
		if x == 1 {
			n = "1 iteration"
		}
	default:
		n = strconv.FormatFloat(x, 'g', 4, 64) + " iterations"
	}
	switch {
	case l.Entries == 1:
		return n
	case float64(l.Max) == x:
		return n + " each"
	case l.Max == 0:
		return n + " on average"
	}
	return fmt.Sprintf("%s on average, %s at most", n, group(l.Max))
}

// shorten cuts a list of words to about n bytes.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:strings.LastIndexByte(s[:n], ' ')+1] + "..."
}

// stagesText lists stages, with how many items the buffers between them hold.
func stagesText(p *InspectPipeline) string {
	text := ""
	for i, s := range p.Stages {
		if i > 0 {
			text += fmt.Sprintf(" -%d-> ", p.Depths[i-1])
		}
		if text += s.Name; s.Stateless {
			text += " (stateless)"
		}
	}
	return text
}
