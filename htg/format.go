package htg

// This file holds what the writers of graphs share: the formats, and labels.

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"pathspan/draw"
	"pathspan/ir"
)

// Format is a format of graphs.
type Format string

// The formats: Graphviz's language, one JSON object, and a picture.
const (
	DOT  Format = "dot"
	JSON Format = "json"
	SVG  Format = "svg"
)

// Formats lists the formats.
var Formats = []Format{DOT, JSON, SVG}

// write writes v as JSON, or the graph.
func write(w io.Writer, format Format, v any, g *draw.Graph) error {
	switch format {
	case DOT:
		return g.DOT(w)
	case SVG:
		return g.SVG(w)
	case JSON:
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	}
	return fmt.Errorf("graph format %q: want dot, json or svg", string(format))
}

// shown returns a function's name as its programmer wrote it.
func shown(f *ir.Func) string { return demangle.Filter(f.Shown(), demangle.NoParams) }

// brief returns a function's name without namespaces that have no name, and long ones
// without the arguments of templates. Operators may have angle brackets of their own.
func brief(f *ir.Func) string {
	name := strings.ReplaceAll(shown(f), "(anonymous namespace)::", "")
	const long = 32
	if len(name) <= long || strings.Contains(name, "operator") {
		return name
	}
	var b strings.Builder
	depth := 0
	for _, c := range name {
		switch {
		case c == '<':
			if depth == 0 {
				b.WriteString("<…>")
			}
			depth++
		case c == '>':
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// blockLoc returns the first source position of a block's code, line 0 for none.
func blockLoc(b *ir.Block) ir.Loc {
	for i := range b.Instrs {
		if l := b.Instrs[i].Loc; l.Line > 0 && !idleInstr(&b.Instrs[i], b) {
			return l
		}
	}
	return ir.Loc{File: -1}
}

func blockLabel(b *ir.Block) string {
	if l := blockLoc(b).Line; l > 0 {
		return b.Name + ":" + itoa(l)
	}
	return b.Name
}

// located adds a source position to the data of a node.
func located(data map[string]string, p *ir.Program, l ir.Loc) map[string]string {
	if l.Line > 0 && l.File >= 0 && l.File < len(p.Files) {
		data["file"], data["line"] = p.Files[l.File], itoa(l.Line)
	}
	return data
}

// tooltip joins what is known of a node, one fact a line.
func tooltip(lines ...string) string {
	kept := lines[:0]
	for _, l := range lines {
		if l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// ran says how often something ran.
func ran(n uint64) string {
	switch n {
	case 0:
		return "never ran"
	case 1:
		return "ran once"
	}
	return "ran " + commas(n) + " times"
}

// commas writes a count with a comma before each three digits.
func commas(n uint64) string {
	if n < 1000 {
		return count(n)
	}
	return commas(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// lineWidth returns the width of an edge that was taken so often: with each power of
// ten a little more.
func lineWidth(n uint64) int { return min(12+3*(len(count(n))-1), 45) }
