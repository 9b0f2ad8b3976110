package shim

// This file holds elements against the schema: names, attributes, references.

import (
	"fmt"
	"slices"
	"strings"
)

// element checks an element that the schema knows and everything beneath it. Beneath
// an unknown element nothing is checked.
func (l *linter) element(n *node) {
	if l.full() {
		return
	}
	e := l.schema[n.name]
	if e.textRef != "" {
		l.reference(n, n.name, n.text, e.textRef)
	} else if n.text != "" {
		l.report(n, "text", "remove it", "%s holds the text %q", n.label(), clip(n.text))
	}
	l.attributes(n, e)
	count := map[string]int{}
	for _, c := range n.children {
		i := e.childAt(c.name)
		if i < 0 {
			l.report(c, "unknown element "+c.name, suggestion(clip(c.name), e.children, func(t childType) string { return t.name }),
				"%s has no element %s", clip(n.name), clip(c.name))
			continue
		}
		count[c.name]++
		if count[c.name] == 2 && !e.children[i].many {
			l.report(c, "two of "+c.name, "keep one", "%s has a second %s", n.label(), c.name)
		}
		l.element(c)
	}
	var missing []string
	for _, t := range e.children {
		if t.required && count[t.name] == 0 {
			missing = append(missing, t.name)
		}
	}
	if missing != nil {
		l.report(n, "without "+strings.Join(missing, " ")+n.name, "add it as the schema wants it",
			"%s has no %s", n.label(), strings.Join(missing, " and no "))
	}
}

func (l *linter) attributes(n *node, e *elementType) {
	seen := map[string]bool{}
	for _, a := range n.attrs {
		i := e.attrAt(a.name)
		if i < 0 {
			do := suggestion(clip(a.name), e.attrs, func(t attrType) string { return t.name })
			l.report(n, "unknown attribute "+a.name+n.name, do, "%s has no attribute %s", clip(n.name), clip(a.name))
			continue
		}
		seen[a.name] = true
		l.value(n, a, &e.attrs[i])
	}
	var missing []string
	for _, t := range e.attrs {
		if t.required && !seen[t.name] {
			missing = append(missing, t.name)
		}
	}
	if missing != nil {
		do := "add it"
		if len(missing) > 1 {
			do = "add them"
		}
		l.report(n, "missing "+strings.Join(missing, " ")+n.name, do, "%s lacks %s", n.label(), listed(missing))
	}
}

// listed joins words: "a", "a and b", "a, b and c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func (l *linter) value(n *node, a attr, t *attrType) {
	i, isWhole := parseWhole(a.value)
	_, isNumber := parseNumber(a.value)
	want := ""
	switch {
	case t.typ == "id" && a.value == "":
		want = "an id"
	case t.typ == "count" && (!isWhole || i < 0):
		want = "a whole number of 0 or more"
	case t.typ == "whole" && !isWhole:
		want = "a whole number"
	case t.typ == "number" && !isNumber:
		want = "a number, such as 2.5"
	case t.typ == "bool" && !slices.Contains([]string{"true", "false", "0", "1"}, a.value):
		want = "true or false"
	case t.typ == "words" && !slices.Contains(t.words, a.value):
		want = strings.Join(t.words, ", ")
	case t.typ == "" && a.value == "" && t.required:
		want = "some text"
	case t.typ == "ref":
		l.reference(n, t.name, a.value, t.ref)
	}
	if want != "" {
		l.report(n, "value "+t.name+n.name, "want "+want, "%s: %s is %q", n.label(), t.name, clip(a.value))
	}
}

// reference checks that ref, the value of from, stands for an element to.
func (l *linter) reference(n *node, from, ref, to string) {
	at := n.label() + ": " + from
	if n.name == from {
		at = from // the text of the element
	}
	target := l.index.find(ref)
	if target == nil && slices.Contains([]string{"point", "FrequencyDomain", "VoltageDomain", "any"}, to) {
		target = l.index.findNamed(ref) // strings in the schema, not ids
	}
	if target == nil {
		l.report(n, "unresolved "+from, fmt.Sprintf("give the id of %s", article(to)),
			"%s %q is the id of nothing", at, clip(ref))
		return
	}
	if to != "any" && !slices.Contains(stands(to), target.name) {
		l.report(n, "wrong "+from, fmt.Sprintf("give the id of %s", article(to)),
			"%s %q is the id of %s", at, clip(ref), target.label())
		return
	}
	switch own := target.attr("id"); {
	case !strings.HasPrefix(ref, "#") || ref == own:
	case own == "":
		l.report(n, "path", fmt.Sprintf("give the %s an id and refer to that", target.name),
			"%s %q is a path of an editor, no id", at, clip(ref))
	default:
		l.report(n, "hash", fmt.Sprintf("write it as %q", clip(own)), "%s %q is no id", at, clip(ref))
	}
}

// stands lists the elements that a reference to a kind of them may name, the usual one first.
func stands(to string) []string {
	switch to {
	case "point":
		return []string{"OperatingPoint", "OperatingPointSet"}
	case "operand":
		return []string{"InstructionInput", "InstructionOperation"}
	case "any":
		return []string{"element"}
	}
	return []string{to}
}

// article names the element that is wanted in a message.
func article(to string) string {
	name := stands(to)[0]
	if strings.ContainsRune("AEIOe", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// oneKind holds SHIM 2.0's CommunicationSet to the single kind of communication that
// the choice in its schema leaves; 1.0 allows all kinds in one set.
func (l *linter) oneKind(set *node) {
	if set.name != "CommunicationSet" || len(set.children) == 0 || l.schema["Shim"] == nil {
		return
	}
	first := set.children[0]
	for _, n := range set.children {
		if n.name != first.name {
			l.report(n, "kinds of communication", "keep one kind, or write SHIM 1.0",
				"%s beside %s: the schema of 2.0 allows one kind of communication", n.label(), first.name)
			return
		}
	}
}
