package procmodels

// This file looks names up among whole names and beginnings of names.

// prefixTable maps names to what they cost. A key that ends in * stands for all
// names that begin so; the longest key that fits counts.
type prefixTable[T any] map[string]T

func (t prefixTable[T]) find(name string) (T, bool) {
	if c, ok := t[name]; ok {
		return c, true
	}
	for n := len(name); n >= 0; n-- {
		if c, ok := t[name[:n]+"*"]; ok {
			return c, true
		}
	}
	var none T
	return none, false
}
