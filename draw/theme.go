package draw

// This file holds the look: Okabe and Ito's colours on light and on dark paper.

import (
	"fmt"
	"strings"
)

// Options say how a drawing is written.
type Options struct {
	// Prefix begins all ids in the SVG, so that a page can hold several drawings.
	Prefix string
	// Embedded leaves colours to the page: to its custom properties --draw-paper,
	// --draw-ink, --draw-line, --draw-blue, --draw-orange, --draw-green, --draw-vermilion,
	// --draw-purple, --draw-sky. Where the page does not set one, it is that of light paper.
	Embedded bool
}

type themeColor struct{ name, light, dark string }

// On dark paper the palette's blue and its black are too dark to be seen.
var theme = []themeColor{
	{"paper", "#ffffff", "#16181c"},
	{"ink", "#1a1a1a", "#e8e8e8"},
	{"line", "#5f6368", "#9aa0a6"},
	{"blue", "#0072b2", "#4ba3dd"},
	{"orange", "#e69f00", "#e69f00"},
	{"green", "#009e73", "#1fbf90"},
	{"vermilion", "#d55e00", "#f07a22"},
	{"purple", "#cc79a7", "#d992b8"},
	{"sky", "#56b4e9", "#56b4e9"},
}

// rules are the style rules of a drawing; $NAME stands for a colour of the theme.
const rules = `.drawing text{font-family:Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif;font-size:12px;fill:$ink}
.drawing .node text{text-anchor:middle}
.drawing .head{font-weight:bold}
.drawing .shape{fill:$paper;stroke:$line;stroke-width:1.4}
.drawing .tint{stroke:none;fill-opacity:.13}
.drawing .plain .shape{fill:none;stroke:none}
.drawing .box-of{fill:none;stroke:$line;stroke-width:1;stroke-opacity:.7}
.drawing .group>text{font-weight:bold;fill:$line}
.drawing .line{fill:none;stroke:$line;stroke-width:1.3}
.drawing .edge text{font-size:10.5px;fill:$line}
.drawing .tip{fill:$line}
.drawing .back .line{stroke:$vermilion}
.drawing .tip-back{fill:$vermilion}
.drawing .dashed>.shape,.drawing .dashed>.line,.drawing .dashed>.box-of{stroke-dasharray:7 4}
.drawing .dotted>.shape,.drawing .dotted>.line,.drawing .dotted>.box-of{stroke-dasharray:1.5 3.5;stroke-linecap:round}
.drawing .dotted>.shape{stroke-width:2}
.drawing .node:hover>.shape,.drawing .node:focus>.shape{stroke-width:3}
.drawing .node:focus{outline:none}
.drawing .edge:hover>.line{stroke-width:3}
`

// styleSheet returns the style rules of a drawing.
func styleSheet(opt Options) string {
	var b strings.Builder
	if !opt.Embedded {
		light, dark := "", ""
		for _, c := range theme {
			light += fmt.Sprintf("--draw-%s:%s;", c.name, c.light)
			dark += fmt.Sprintf("--draw-%s:%s;", c.name, c.dark)
		}
		const paper = "background:var(--draw-paper)}"
		b.WriteString(".drawing{" + light + paper + "\n@media(prefers-color-scheme:dark){.drawing{" + dark + paper + "}\n")
	}
	variable := func(c themeColor) string { return fmt.Sprintf("var(--draw-%s,%s)", c.name, c.light) }
	var pairs []string
	for _, c := range theme {
		pairs = append(pairs, "$"+c.name, variable(c))
	}
	b.WriteString(strings.NewReplacer(pairs...).Replace(rules))
	for _, c := range theme[3:] {
		fmt.Fprintf(&b, ".drawing .%s>.shape{stroke:%[2]s}.drawing .%[1]s>.tint{fill:%[2]s}\n", c.name, variable(c))
	}
	return b.String()
}
