package procmodels

// This file reduces the spelling of LLVM types to what weight tables know.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxCount bounds element counts and integer widths, so that no spelling of a
// type makes a cost infinite.
const maxCount = 1 << 24

// irType is a type as weight tables see it.
type irType struct {
	// key is the normal spelling: "i32", "double", "ptr", "<4 x i32>", "void"; for
	// aggregates and what is not understood the spelling of the module.
	key      string
	class    typeClass
	bits     int       // as the module has them, of integers and floating point
	count    int       // elements of a vector or array; 64-bit words of a wide integer
	elem     *irType   // of a vector or array
	fields   []*irType // of a literal structure
	scalable bool      // a vector of a multiple of count elements
}

type typeClass uint8

const (
	classPlain     typeClass = iota // integers to 64 bits, float, double, pointers, void
	classWide                       // integers above 64 bits
	classRareFloat                  // half, bfloat, x86_fp80, fp128, ppc_fp128
	classVector
	classArray
	classStruct
	classUnknown // named structures, target types, what is not understood
)

// legalWidths are the integer widths of weight tables. Other widths take the next.
var legalWidths = []int{1, 8, 16, 32, 64}

var floatBits = map[string]int{"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}

var plainTypes = []string{"i1", "i8", "i16", "i32", "i64", "float", "double", "ptr", "void"}

var rareFloats = []string{"half", "bfloat", "x86_fp80", "fp128", "ppc_fp128"}

// maxDepth bounds the nesting of aggregates that is looked into.
const maxDepth = 8

// parseType reads the spelling of a type in LLVM assembly.
func parseType(s string) *irType { return parseTypeAt(strings.TrimSpace(s), 0) }

func parseTypeAt(s string, depth int) *irType {
	unknown := &irType{key: s, class: classUnknown}
	switch {
	case depth > maxDepth || s == "":
		return unknown
	case strings.HasSuffix(s, "*") || s == "ptr" || strings.HasPrefix(s, "ptr "):
		return &irType{key: "ptr"}
	case s[0] == 'i' && digits(s[1:]):
		return intType(s)
	case slices.Contains(plainTypes, s):
		return &irType{key: s, bits: floatBits[s]}
	case slices.Contains(rareFloats, s):
		return &irType{key: s, class: classRareFloat, bits: floatBits[s]}
	case strings.HasPrefix(s, "<{") && strings.HasSuffix(s, "}>"):
		return structType(s, s[2:len(s)-2], depth)
	case s[0] == '{' && s[len(s)-1] == '}':
		return structType(s, s[1:len(s)-1], depth)
	case s[0] == '<' && s[len(s)-1] == '>':
		return sequenceType(s, s[1:len(s)-1], classVector, depth)
	case s[0] == '[' && s[len(s)-1] == ']':
		return sequenceType(s, s[1:len(s)-1], classArray, depth)
	}
	return unknown
}

func intType(s string) *irType {
	n, err := strconv.Atoi(s[1:])
	if err != nil || n < 1 || n > maxCount {
		return &irType{key: s, class: classUnknown}
	}
	for _, w := range legalWidths {
		if n <= w {
			return &irType{key: fmt.Sprintf("i%d", w), bits: n}
		}
	}
	words := (n + 63) / 64
	return &irType{key: fmt.Sprintf("i%d", words*64), class: classWide, bits: n, count: words}
}

var sequence = regexp.MustCompile(`^(vscale x )?\s*(\d+) x (.+)$`)

func sequenceType(s, inner string, class typeClass, depth int) *irType {
	m := sequence.FindStringSubmatch(strings.TrimSpace(inner))
	if m == nil {
		return &irType{key: s, class: classUnknown}
	}
	n, err := strconv.Atoi(m[2])
	if err != nil || n > maxCount {
		return &irType{key: s, class: classUnknown}
	}
	t := &irType{key: s, class: class, count: n, scalable: m[1] != ""}
	t.elem = parseTypeAt(strings.TrimSpace(m[3]), depth+1)
	if class == classVector {
		t.key = fmt.Sprintf("<%s%d x %s>", m[1], n, t.elem.key)
	}
	return t
}

func structType(s, inner string, depth int) *irType {
	t := &irType{key: s, class: classStruct}
	for _, f := range splitFields(inner) {
		t.fields = append(t.fields, parseTypeAt(f, depth+1))
	}
	return t
}

// splitFields cuts at the commas that stand in no bracket.
func splitFields(s string) []string {
	var fields []string
	depth, start := 0, 0
	for i, c := range s {
		switch c {
		case '{', '[', '<', '(':
			depth++
		case '}', ']', '>', ')':
			depth--
		case ',':
			if depth == 0 {
				fields = append(fields, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[start:]); last != "" {
		fields = append(fields, last)
	}
	return fields
}

// Shape is the part of a type that decides how much work an operation on it is.
type Shape struct {
	Bits     int  // of the widest element; 0 when unknown or none
	Elements int  // 1 or more
	Odd      bool // an aggregate, or a vector whose length is not known
}

// ShapeOf measures a type as LLVM assembly spells it: i32, <4 x float>, [2 x ptr],
// { i32, i1 }. What it does not understand is one element of unknown width. Pointers
// have as many bits as pointer says.
func ShapeOf(typ string, pointer int) Shape { return parseType(typ).shape(pointer) }

func (t *irType) shape(pointer int) Shape {
	switch t.class {
	case classVector, classArray:
		s := t.elem.shape(pointer)
		s.Elements = max(1, min(maxCount, s.Elements*t.count))
		s.Odd = s.Odd || t.scalable || t.class == classArray
		return s
	case classStruct:
		sum := Shape{Odd: true}
		for _, f := range t.fields {
			s := f.shape(pointer)
			sum.Bits, sum.Elements = max(sum.Bits, s.Bits), min(maxCount, sum.Elements+s.Elements)
		}
		sum.Elements = max(1, sum.Elements)
		return sum
	}
	if t.key == "ptr" {
		return Shape{pointer, 1, false}
	}
	return Shape{t.bits, 1, false}
}

func digits(s string) bool {
	if s == "" || len(s) > 9 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
