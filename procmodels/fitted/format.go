package fitted

// This file counts what functions of the library print, as far as the program's formats say.

import (
	"strings"

	"pathspan/ir"
)

// formatPrefix begins the features of what a conversion takes beside the call that prints it, by kind: numbers in decimal,
// in powers of two and of floating point, and texts.
const formatPrefix = "format %"

var conversions = map[byte]string{
	'd': "d", 'i': "d", 'u': "d", 'x': "x", 'X': "x", 'o': "x", 'p': "x", 's': "s",
	'f': "f", 'F': "f", 'e': "f", 'E': "f", 'g': "f", 'G': "f",
}

// conversionsOf lists the features of a format, one for each conversion.
func conversionsOf(format string) (list []string) {
	for at := 0; at < len(format); at++ {
		if format[at] != '%' {
			continue
		}
		for at++; at < len(format) && strings.IndexByte("0123456789.-+ #*lhzjtL", format[at]) >= 0; at++ {
		}
		if at < len(format) && conversions[format[at]] != "" {
			list = append(list, formatPrefix+conversions[format[at]])
		}
	}
	return list
}

// printed is what the calls of a block print by their formats.
func printed(b *ir.Block, formats map[*ir.Call]string) (list []Feature) {
	count := map[string]float64{}
	for i := range b.Instrs {
		for _, name := range conversionsOf(formats[b.Instrs[i].Call]) {
			count[name]++
		}
	}
	for _, name := range []string{"d", "f", "s", "x"} {
		if n := count[formatPrefix+name]; n > 0 {
			list = append(list, Feature{formatPrefix + name, n})
		}
	}
	return list
}
