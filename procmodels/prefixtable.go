package procmodels

// This file looks names up among whole names and beginnings of names.

import "strings"

// prefixTable maps names to what they cost. A key that ends in * stands for all
// names that begin so; the longest key that fits counts.
type prefixTable[T any] map[string]T

func (t prefixTable[T]) find(name string) (T, bool) {
	if c, ok := t[name]; ok {
		return c, true
	}
	if len(name) <= len(t) {
		for n := len(name); n >= 0; n-- {
			if c, ok := t[name[:n]+"*"]; ok {
				return c, true
			}
		}
		var none T
		return none, false
	}
	// Trying the beginnings of a long name, of a C++ template say, takes time that is
	// quadratic in its length.
	var best T
	longest := -1
	for key, c := range t {
		if begin, ok := strings.CutSuffix(key, "*"); ok && len(begin) > longest && strings.HasPrefix(name, begin) {
			best, longest = c, len(begin)
		}
	}
	return best, longest >= 0
}
