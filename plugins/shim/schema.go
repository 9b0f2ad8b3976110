package shim

// This file holds what the schemas of SHIM 1.0 and 2.0 say, as far as Lint asks.

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed schema10.txt
var schema10Text string

//go:embed schema20.txt
var schema20Text string

// The tables say for each element its attributes and, behind "/", its children:
//
//	Cache name! id!:id nWay:count cacheType!:DATA|UNIFIED / CacheRef*
//	CacheRef = Cache
//
// An attribute ends in "!" when it is required; behind ":" stands its type, a string
// by default: id, count (a whole number of 0 or more), whole, number, bool, words,
// or ref= and the element that it refers to. A child ends in ? (at most one), * (any
// number), + (one or more), or nothing (one). "=" is an element whose text refers to
// another element. A test compares the tables with the published schemas.
type schema map[string]*elementType

type elementType struct {
	attrs    []attrType
	children []childType
	textRef  string
}

type attrType struct {
	name     string
	required bool
	typ      string   // "", "id", "count", "whole", "number", "bool", "words", "ref"
	words    []string // of typ "words"
	ref      string   // of typ "ref"
}

type childType struct {
	name           string
	required, many bool
}

var (
	schema10 = sync.OnceValue(func() schema { return parseSchema(schema10Text) })
	schema20 = sync.OnceValue(func() schema { return parseSchema(schema20Text) })
)

func parseSchema(text string) schema {
	s := schema{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		e := &elementType{}
		s[fields[0]] = e
		if len(fields) == 3 && fields[1] == "=" {
			e.textRef = fields[2]
			continue
		}
		inChildren := false
		for _, f := range fields[1:] {
			switch {
			case f == "/":
				inChildren = true
			case inChildren:
				e.children = append(e.children, parseChild(f))
			default:
				e.attrs = append(e.attrs, parseAttr(f))
			}
		}
	}
	return s
}

func parseChild(f string) childType {
	switch name := f[:len(f)-1]; f[len(f)-1] {
	case '?':
		return childType{name, false, false}
	case '*':
		return childType{name, false, true}
	case '+':
		return childType{name, true, true}
	}
	return childType{f, true, false}
}

func parseAttr(f string) attrType {
	name, typ, _ := strings.Cut(f, ":")
	a := attrType{typ: typ}
	a.name, a.required = strings.CutSuffix(name, "!")
	if to, ok := strings.CutPrefix(typ, "ref="); ok {
		a.typ, a.ref = "ref", to
	} else if strings.Contains(typ, "|") {
		a.typ, a.words = "words", strings.Split(typ, "|")
	}
	return a
}

// attr finds an attribute of an element, nil when it has none of the name.
func (e *elementType) attr(name string) *attrType {
	if i := e.attrAt(name); i >= 0 {
		return &e.attrs[i]
	}
	return nil
}

func (e *elementType) attrAt(name string) int {
	return slices.IndexFunc(e.attrs, func(a attrType) bool { return a.name == name })
}

func (e *elementType) childAt(name string) int {
	return slices.IndexFunc(e.children, func(c childType) bool { return c.name == name })
}
