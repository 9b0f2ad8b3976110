package mapping

// This file writes mappings as the files that LoadMapping reads.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pathspan/ir"
)

// plainWord is what YAML takes for a word without quotes, wherever it stands.
var plainWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./:#-]*[A-Za-z0-9_]$`)

// YAML returns the mapping as a file for LoadMapping: the serial processor and the
// regions that are mapped explicitly, each with all of its sections, what its loops do
// otherwise than their clauses say, and depths of buffers that are not the plan's. Processors stand in the order of their first section in
// the region; of a mapping whose Order is grouped in that way, Resolve makes the same again.
func (r *Resolved) YAML(prog *ir.Program) []byte {
	var w bytes.Buffer
	fmt.Fprintf(&w, "schema: %s\nserial: %s\n", mappingSchema, word(r.Platform.Processors[r.Serial].Name))
	header := "regions:\n"
	for i := range r.Regions {
		rm := &r.Regions[i]
		if !rm.Explicit {
			continue
		}
		fmt.Fprintf(&w, "%s  %s:", header, word(prog.Regions[i].Name))
		header = ""
		first, all := 1, map[int][]string{}
		var processors []int
		for c := range rm.Order {
			if rm.Loop(c) != nil {
				continue
			}
			for _, s := range rm.Order[c] {
				p := rm.Proc[c][s]
				if all[p] == nil {
					processors = append(processors, p)
				}
				all[p] = append(all[p], strconv.Itoa(first+s))
			}
			first += len(rm.Order[c])
		}
		lines, team := r.loopLines(prog, i), words(r.TeamFile(prog, i))
		if len(processors) == 0 && len(lines) == 0 && team == "" {
			w.WriteString(" {}")
		}
		w.WriteByte('\n')
		for _, p := range processors {
			fmt.Fprintf(&w, "    %s: [%s]\n", word(r.Platform.Processors[p].Name), strings.Join(all[p], ", "))
		}
		if team != "" {
			fmt.Fprintf(&w, "    %s: [%s]\n", TasksKey, team)
		}
		if len(lines) > 0 {
			fmt.Fprintf(&w, "    %s:\n      %s\n", LoopsKey, strings.Join(lines, "\n      "))
		}
	}
	header = TasksKey + ":\n"
	for t, on := range r.Tasks {
		if on == nil {
			continue
		}
		fmt.Fprintf(&w, "%s  %s: [%s]\n", header, word(prog.Tasks[t].Name), words(r.named(on)))
		header = ""
	}
	header = DepthsKey + ":\n"
	for _, d := range r.DepthsFile(prog) {
		fmt.Fprintf(&w, "%s  %s: %d\n", header, word(d.Name.Text), d.Depth)
		header = ""
	}
	header = DesignsKey + ":\n"
	for i := range r.Platform.Processors {
		if p := &r.Platform.Processors[i]; len(p.Design) > 0 {
			fmt.Fprintf(&w, "%s  %s:\n    %s\n", header, word(p.Name), strings.Join(p.Design.lines(), "\n    "))
			header = ""
		}
	}
	return w.Bytes()
}

// loopLines says of each loop of a region what differs from its clause.
func (r *Resolved) loopLines(prog *ir.Program, region int) []string {
	var out []string
	for n, l := range r.LoopFiles(prog, region) {
		var keys []string
		if l.Schedule.Text != "" {
			keys = append(keys, "schedule: "+word(l.Schedule.Text))
		}
		if l.Processors != nil {
			keys = append(keys, "processors: ["+words(l.Processors)+"]")
		}
		if l.Shares != nil {
			var shares []string
			for _, s := range l.Shares {
				shares = append(shares, strconv.FormatFloat(s.Value, 'g', -1, 64))
			}
			keys = append(keys, "shares: ["+strings.Join(shares, ", ")+"]")
		}
		if keys != nil {
			out = append(out, fmt.Sprintf("%d: {%s}", n+1, strings.Join(keys, ", ")))
		}
	}
	return out
}

func words(list []Word) string {
	var all []string
	for _, w := range list {
		all = append(all, word(w.Text))
	}
	return strings.Join(all, ", ")
}

// word quotes what YAML would not take for a word.
func word(s string) string {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
	default:
		if plainWord.MatchString(s) {
			return s
		}
	}
	quoted, _ := json.Marshal(s) // a string never fails; YAML reads JSON
	return string(quoted)
}
