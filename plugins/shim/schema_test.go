package shim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The tables say of each element what the published schema says: attributes, which
// are required, words, children and how many.
func TestSchemaTables(t *testing.T) {
	for name, table := range map[string]schema{"shim10.xsd": schema10(), "shim20.xsd": schema20()} {
		t.Run(name, func(t *testing.T) {
			root, err := readTree(publicFile(t, name))
			if err != nil {
				t.Fatal(err)
			}
			x := xsd{types: map[string]*node{}, words: map[string][]string{}}
			for _, n := range root.children {
				switch n.name {
				case "complexType":
					x.types[n.attr("name")] = n
				case "simpleType":
					n.walk(func(e *node) {
						if e.name == "enumeration" {
							x.words[n.attr("name")] = append(x.words[n.attr("name")], e.attr("value"))
						}
					})
				}
			}
			checked := 0
			for element, n := range x.types {
				if n.attr("abstract") == "true" {
					continue
				}
				e := table[element]
				if e == nil {
					t.Errorf("no line for %s", element)
					continue
				}
				checked++
				want := x.describe(n)
				if element == "Shim" { // a choice of one
					for i := range want {
						want[i] = strings.Replace(want[i], "child required", "child", 1)
					}
				}
				var got []string
				for _, a := range e.attrs {
					got = append(got, fmt.Sprintf("attribute %s %t %q", a.name, a.required, strings.Join(a.words, " ")))
				}
				for _, c := range e.children {
					s := "child"
					if c.required {
						s += " required"
					}
					got = append(got, fmt.Sprintf("%s %s %t", s, c.name, c.many))
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("%s:\n got %q\nwant %q", element, got, want)
				}
			}
			if checked < 25 {
				t.Errorf("only %d elements", checked)
			}
		})
	}
}

type xsd struct {
	types map[string]*node
	words map[string][]string
}

func (x xsd) describe(n *node) []string {
	var list []string
	body := n
	n.walk(func(e *node) {
		if e.name == "extension" {
			list = x.describe(x.types[e.attr("base")])
			body = e
		}
	})
	body.walk(func(e *node) {
		switch e.name {
		case "attribute":
			list = append(list, fmt.Sprintf("attribute %s %t %q", e.attr("name"), e.attr("use") == "required", strings.Join(x.words[e.attr("type")], " ")))
		case "element":
			s := "child required"
			if e.attr("minOccurs") == "0" || e.parent.name == "choice" && e.parent.attr("minOccurs") == "0" {
				s = "child"
			}
			list = append(list, fmt.Sprintf("%s %s %t", s, e.attr("name"), e.attr("maxOccurs") == "unbounded"))
		}
	})
	return list
}

// The tables hang together: each child has a line, each reference an element.
func TestSchemaClosed(t *testing.T) {
	for _, s := range []schema{schema10(), schema20()} {
		for name, e := range s {
			for _, c := range e.children {
				if s[c.name] == nil {
					t.Errorf("%s: no line for its child %s", name, c.name)
				}
			}
			for _, a := range e.attrs {
				if a.typ == "ref" && a.ref != "point" && s[a.ref] == nil {
					t.Errorf("%s: %s refers to %s, which has no line", name, a.name, a.ref)
				}
				if !slices.Contains([]string{"", "id", "count", "whole", "number", "bool", "words", "ref"}, a.typ) {
					t.Errorf("%s: %s is of type %q", name, a.name, a.typ)
				}
			}
		}
	}
}
