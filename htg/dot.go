package htg

// This file holds what the writers of graphs share: formats, and DOT text.

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"pathspan/ir"
)

// Format is a format of graphs.
type Format string

// The formats: Graphviz's language, and one JSON object.
const (
	DOT  Format = "dot"
	JSON Format = "json"
)

// write writes v as JSON, or the text of dot.
func write(w io.Writer, format Format, v any, dot func(d *dotText)) error {
	switch format {
	case DOT:
		d := &dotText{}
		dot(d)
		_, err := io.WriteString(w, d.String())
		return err
	case JSON:
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	}
	return fmt.Errorf("graph format %q: want dot or json", string(format))
}

// dotText collects DOT statements.
type dotText struct {
	strings.Builder
	depth int
}

func (d *dotText) line(format string, args ...any) {
	d.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(d, format, args...)
	d.WriteString("\n")
}

func (d *dotText) open(format string, args ...any) {
	d.line(format+" {", args...)
	d.depth++
}

func (d *dotText) close() {
	d.depth--
	d.line("}")
}

// quote quotes an identifier or a label; lines of a label are centred.
func quote(lines ...string) string {
	for i, l := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(l)
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

// blockLine returns the first source line of a block's code, 0 for none.
func blockLine(b *ir.Block) int {
	for i := range b.Instrs {
		if l := b.Instrs[i].Loc.Line; l > 0 && !idleInstr(&b.Instrs[i], b) {
			return l
		}
	}
	return 0
}

func blockLabel(b *ir.Block) string {
	if l := blockLine(b); l > 0 {
		return b.Name + ":" + itoa(l)
	}
	return b.Name
}
