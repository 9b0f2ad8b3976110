package draw

// This file says how much room text takes, without a font at hand.

import "strings"

// Sizes of text, in tenths of a pixel.
const (
	fontSize   = 120
	smallSize  = 105 // of edges' labels
	lineHeight = 155
)

// advance holds, for the characters from space to ~, the widest advance among
// Liberation Sans (which has Arial's and Helvetica's), and DejaVu Sans, in thousandths
// of the size; measured in a browser.
var advance = [...]int{
	318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337, 637, 637, 637, 637, 637, 637, 637, 637,
	637, 637, 337, 337, 838, 838, 838, 557, 1016, 685, 687, 723, 771, 667, 611, 778, 752, 295, 500, 667, 558, 863, 749, 788,
	667, 788, 723, 667, 611, 732, 685, 989, 686, 667, 686, 391, 337, 391, 838, 557, 500, 613, 635, 550, 635, 616, 353, 635,
	634, 278, 278, 580, 278, 975, 634, 612, 635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838,
}

// textWidth returns the room that a line of text takes, in the unit of size.
func textWidth(s string, size int) int {
	sum := 0
	for _, c := range s {
		switch {
		case c >= ' ' && int(c-' ') < len(advance):
			sum += advance[c-' ']
		case c < 0x1100:
			sum += 800
		default:
			sum += 1050 // full-width scripts, the ellipsis
		}
	}
	return (sum*size + 999) / 1000
}

// boldWidth returns the room that a line of bold text takes.
func boldWidth(s string, size int) int { return textWidth(s, size) * 112 / 100 }

// Where labels are shortened: names of C++ fill a screen otherwise. Boxes are as wide as
// their titles, and have room for a line of words.
const (
	maxRunes      = 38
	maxTitleRunes = 64
)

// shorten makes a label of a node or an edge short, shortenTitle that of a box.
func shorten(s string) string      { return shortenTo(s, maxRunes) }
func shortenTitle(s string) string { return shortenTo(s, maxTitleRunes) }

// shortenTo leaves out the middle of a text that is longer than some runes, more of its
// head, since names that are long begin alike.
func shortenTo(s string, most int) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(s, "?"))
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	head := most / 3
	return string(r[:head]) + "…" + string(r[len(r)-(most-1-head):])
}
