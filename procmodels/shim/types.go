package shim

// This file measures LLVM types: how wide an element, how many elements.

import (
	"strconv"
	"strings"
)

const (
	maxBits    = 1 << 23 // LLVM's widest integer
	maxParts   = 1 << 24
	maxNesting = 16
)

// shape is the part of a type that decides its cost.
type shape struct {
	bits     int  // of the widest element; 0 when unknown or none
	elements int  // 1 or more
	odd      bool // an aggregate, or a vector whose length is not known
}

var floatBits = map[string]int{"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}

// shapeOf measures a type as LLVM assembly spells it: i32, <4 x float>, [2 x ptr],
// { i32, i1 }. What it does not understand is one element of unknown width.
func shapeOf(typ string, pointer int) shape { return shapeAt(strings.TrimSpace(typ), pointer, 0) }

func shapeAt(typ string, pointer, depth int) shape {
	unknown := shape{elements: 1}
	if depth > maxNesting {
		return unknown
	}
	if b, ok := floatBits[typ]; ok {
		return shape{bits: b, elements: 1}
	}
	switch {
	case strings.HasPrefix(typ, "ptr") || strings.HasSuffix(typ, "*"):
		return shape{bits: pointer, elements: 1}
	case strings.HasPrefix(typ, "i"):
		if n, err := strconv.Atoi(typ[1:]); err == nil && n > 0 && n <= maxBits {
			return shape{bits: n, elements: 1}
		}
	case bracketed(typ, "<{", "}>"):
		return fieldsOf(typ[2:len(typ)-2], pointer, depth)
	case bracketed(typ, "{", "}"):
		return fieldsOf(typ[1:len(typ)-1], pointer, depth)
	case bracketed(typ, "<", ">"), bracketed(typ, "[", "]"):
		body, scalable := strings.CutPrefix(strings.TrimSpace(typ[1:len(typ)-1]), "vscale x ")
		count, elem, ok := strings.Cut(body, " x ")
		n, err := strconv.Atoi(count)
		if !ok || err != nil || n < 0 {
			return unknown
		}
		s := shapeAt(strings.TrimSpace(elem), pointer, depth+1)
		s.elements = max(1, min(maxParts, s.elements*min(n, maxParts)))
		s.odd = s.odd || scalable || typ[0] == '['
		return s
	}
	return unknown
}

func bracketed(s, open, closing string) bool {
	return len(s) >= len(open)+len(closing) && strings.HasPrefix(s, open) && strings.HasSuffix(s, closing)
}

// fieldsOf adds up the fields of a structure.
func fieldsOf(list string, pointer, depth int) shape {
	sum := shape{odd: true}
	level, start := 0, 0
	field := func(s string) {
		if s = strings.TrimSpace(s); s == "" {
			return
		}
		f := shapeAt(s, pointer, depth+1)
		sum.bits, sum.elements = max(sum.bits, f.bits), min(maxParts, sum.elements+f.elements)
	}
	for i, c := range list {
		switch c {
		case '{', '[', '<', '(':
			level++
		case '}', ']', '>', ')':
			level--
		case ',':
			if level == 0 {
				field(list[start:i])
				start = i + 1
			}
		}
	}
	field(list[start:])
	sum.elements = max(sum.elements, 1)
	return sum
}
