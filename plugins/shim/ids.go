package shim

// This file numbers the elements of a file and resolves references between them.

import (
	"fmt"
	"strconv"
	"strings"
)

// idPrefix holds the elements that others refer to, and how ids made up for them
// begin. SHIM 1.0 gives clusters none, and editors leave out those of caches.
var idPrefix = map[string]string{
	"ComponentSet": "CS", "MasterComponent": "MC", "SlaveComponent": "SC", "Cache": "C",
	"AccessType": "AT", "AddressSpace": "AS", "SubSpace": "SS",
}

// index knows the elements of a file by id.
type index struct {
	root *node
	byID map[string]*node
	id   map[*node]string // of elements that have one or got one
	// Filled when first asked for, so that a file of many references takes no longer
	// than its length.
	named    map[string]*node             // operating points and domains by name
	siblings map[*node]map[string][]*node // children by name
}

// newIndex numbers the elements. Where several have one id, the first keeps it;
// duplicate is called for the others.
func newIndex(root *node, duplicate func(n, first *node)) *index {
	x := &index{root: root, byID: map[string]*node{}, id: map[*node]string{}, siblings: map[*node]map[string][]*node{}}
	root.walk(func(n *node) {
		id := n.attr("id")
		if id == "" {
			return
		}
		if first, taken := x.byID[id]; taken {
			duplicate(n, first)
			return
		}
		x.byID[id] = n
		x.id[n] = id
	})
	next := map[string]int{}
	root.walk(func(n *node) {
		prefix, needs := idPrefix[n.name]
		if _, has := x.id[n]; has || !needs {
			return
		}
		x.id[n] = freeID(prefix, next, func(id string) bool { return x.byID[id] != nil })
		x.byID[x.id[n]] = n
	})
	return x
}

// freeID makes an id up that is not taken, numbering on from the last of the prefix.
func freeID(prefix string, next map[string]int, taken func(string) bool) string {
	for {
		next[prefix]++
		if id := fmt.Sprintf("%s_%d", prefix, next[prefix]); !taken(id) {
			return id
		}
	}
}

// find returns the element that a reference stands for, or nil. It is an id, the
// same behind "#", or a path as the Eclipse Modeling Framework writes it:
// #//@systemConfiguration/@componentSet/@componentSet.0/@cache.0, where names are
// those of elements with a small first letter and numbers count siblings of the name from 0.
func (x *index) find(ref string) *node {
	if n := x.byID[ref]; n != nil {
		return n
	}
	bare := strings.TrimPrefix(ref, "#")
	if n := x.byID[bare]; n != nil {
		return n
	}
	path, ok := strings.CutPrefix(bare, "//@")
	if !ok {
		return nil
	}
	at := x.root
	for step := range strings.SplitSeq(path, "/@") {
		name, number, counted := strings.Cut(step, ".")
		i := 0
		if counted {
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 {
				return nil
			}
			i = n
		}
		if name == "" {
			return nil
		}
		of := x.children(at)[strings.ToUpper(name[:1])+name[1:]]
		if i >= len(of) {
			return nil
		}
		at = of[i]
	}
	return at
}

func (x *index) children(n *node) map[string][]*node {
	m, ok := x.siblings[n]
	if !ok {
		m = map[string][]*node{}
		for _, c := range n.children {
			m[c.name] = append(m[c.name], c)
		}
		x.siblings[n] = m
	}
	return m
}

// findNamed returns what a reference to a part of the FrequencyVoltageSet stands for:
// such references are strings in the schema, and name or identify it.
func (x *index) findNamed(ref string) *node {
	if n := x.find(ref); n != nil {
		return n
	}
	if x.named == nil {
		x.named = map[string]*node{}
		x.root.walk(func(n *node) {
			name := n.attr("name")
			if name == "" || x.named[name] != nil {
				return
			}
			switch n.name {
			case "OperatingPoint", "OperatingPointSet", "FrequencyDomain", "VoltageDomain":
				x.named[name] = n
			}
		})
	}
	return x.named[ref]
}
