package document

// This file writes task graphs, defaults, notes and where everything comes from.

import (
	"fmt"
	"strings"

	"pathspan/report"
	"pathspan/visible"
)

// mermaidTasks is how many tasks a level may have to be drawn.
const mermaidTasks = 40

func (w *markdown) graphs() {
	if len(w.d.Graphs) == 0 {
		return
	}
	w.heading(2, "Task graphs")
	w.line("Times are those of all executions, loops and calls in a task included, one after the other; shares are of the sequential time.")
	for i := range w.d.Graphs {
		g := &w.d.Graphs[i]
		for k := range g.Levels {
			l := &g.Levels[k]
			if k > 0 && len(l.Groups) == 0 && len(g.Levels) > 3 {
				continue // a loop around others, which says nothing of its own
			}
			if l.Loop == "" {
				w.heading(3, "%s", g.Function)
			} else {
				w.heading(3, "%s, loop at %s", g.Function, l.Loop)
			}
			if g.ShareOf != "" {
				w.line("Calls of %s lie within each other: shares are of the time of all its calls.\n", code(g.ShareOf))
			}
			w.level(l)
		}
	}
}

func (w *markdown) level(l *GraphLevel) {
	var rows [][]string
	for i := range l.Tasks {
		t := &l.Tasks[i]
		if t.Kind == "entry" || t.Kind == "exit" {
			continue
		}
		where := ""
		if t.File != "" {
			where = code(t.File + ":" + shortened(linesText(t.Lines), 60))
		}
		if t.CodeOf != "" {
			where = "code of " + code(t.CodeOf)
		}
		kind := t.Kind
		if t.Body > 0 {
			kind = fmt.Sprintf("loop (level %d)", t.Body)
		}
		section := ""
		if t.Group >= 0 {
			section = escape(report.SectionText(l.Groups[t.Group].Sections[t.Section].Name, 0))
		}
		rows = append(rows, []string{escape(t.Label), kind, section, where, w.processor(t.Processor), report.Seconds(t.Seconds), report.Percent(t.Share)})
	}
	w.table([]string{"task", "kind", "section", "where", "processor", "time:", "share:"}, rows)
	if len(l.Tasks) > mermaidTasks || len(l.Groups) == 0 {
		return
	}
	w.line("\n```mermaid\nflowchart TD")
	for i := range l.Tasks {
		t := &l.Tasks[i]
		label := strings.ReplaceAll(t.Label, `"`, "#quot;")
		if t.Kind != "entry" && t.Kind != "exit" {
			label += "<br>" + strings.ReplaceAll(report.Percent(t.Share), "<", "#lt;")
			if t.Line > 0 {
				label += fmt.Sprintf("<br>line %d", t.Line)
			}
		}
		w.line("  t%d[\"%s\"]", i, label)
	}
	for _, e := range l.Edges {
		bytes := ""
		if e.Bytes > 0 {
			bytes = "|" + report.Count(int(e.Bytes), "byte") + "|"
		}
		w.line("  t%d -->%s t%d", e.From, bytes, e.To)
	}
	w.line("```")
}

func (w *markdown) defaults() {
	w.heading(2, "Defaults")
	if len(w.d.Defaults) == 0 {
		w.line("Nothing rests on a default.")
		return
	}
	w.line("What nobody said, what was taken instead, and how to say something else.\n")
	var rows [][]string
	for _, x := range w.d.Defaults {
		rows = append(rows, []string{x.Kind, escape(x.What), escape(x.Value), escape(x.Change)})
	}
	w.table([]string{"kind", "what", "value", "instead"}, rows)
}

func (w *markdown) notes() {
	if len(w.d.Notes)+len(w.d.Unattributed) == 0 {
		return
	}
	w.heading(2, "Notes")
	for _, n := range w.d.Notes {
		w.line("* %s", escape(report.Demangled(n)))
	}
	for _, u := range w.d.Unattributed {
		w.line("* %s ran %s outside %s, %s of the cycles", code(report.Demangled(u.Function)), report.TimesAbout(u.Invocations), code(w.d.Function), report.Percent(u.Share))
	}
}

func (w *markdown) provenance() {
	p := &w.d.Provenance
	w.heading(2, "Where this comes from")
	w.line("Profiled by pathspan %s with %s, %s%s.\n", escape(strings.TrimPrefix(p.Tool, "pathspan ")), escape(p.Clang), code(p.OptLevel), flags(p.Flags))
	if p.Plan != nil {
		w.line("* made parallel by the plan %s", code(visible.Line(p.Plan.Name)))
	}
	for _, r := range p.Runs {
		how := fmt.Sprintf("exit status %d", r.Exit)
		if r.Signal > 0 {
			how = fmt.Sprintf("ended by signal %d", r.Signal)
		}
		arguments := "without arguments"
		if len(r.Arguments) > 0 {
			arguments = "with " + code(visible.Line(strings.Join(r.Arguments, " ")))
		}
		w.line("* run %s: %s, %s counted", arguments, how, report.Count(int(r.Counted), "path"))
	}
	w.line("")
	var rows [][]string
	for _, s := range w.d.Sources {
		found := "as it was profiled"
		if s.Why != "" {
			found = s.Why
		}
		rows = append(rows, []string{code(s.File), code(s.SHA256), found})
	}
	w.table([]string{"source", "SHA-256 when profiled", "when this was written"}, rows)
}

func flags(f []string) string {
	if len(f) == 0 {
		return ""
	}
	return " " + code(strings.Join(f, " "))
}
