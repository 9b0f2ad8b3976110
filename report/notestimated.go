package report

// This file says which programs are not estimated, and what is in the way: figures that
// knew nothing of their parallelism would look like results.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/profile"
)

// NotEstimated is the error for a program whose parallelism is none that a task graph
// knows, and its JSON object.
type NotEstimated struct {
	Schema     string      `json:"schema" is:"pathspan.not-estimated/1"`
	Program    string      `json:"program"`
	Reason     string      `json:"reason"`
	Constructs []Construct `json:"constructs"` // what is in the way, in the order of the source
}

// Construct is an OpenMP construct that is counted as serial code.
type Construct struct {
	Place     string `json:"place"` // file:line, "?" when unknown
	Construct string `json:"construct"`
	Done      string `json:"done"` // what is done with it
}

const noSections = "only OpenMP sections, worksharing loops and tasks are scheduled, and none ran"

// Estimable returns NotEstimated for a bundle in which no section ran, and other
// constructs could run in parallel.
func Estimable(b *profile.Bundle, name string) error {
	if slices.Contains(RegionsRan(b), true) {
		return nil
	}
	return serialOnly(b.Notes, name)
}

// Replayable returns NotEstimated for a program without sections whose build noted other
// constructs that could run in parallel.
func Replayable(p *ir.Program, notes []string, name string) error {
	if len(p.Regions) > 0 {
		return nil
	}
	return serialOnly(notes, name)
}

// Suggestable returns NotEstimated for a program that starts threads of its own, whose time is
// not that of main. What else is counted as serial code may be suggested to be parallel.
func Suggestable(b *profile.Bundle, name string) error {
	err := Estimable(b, name)
	if n, ok := err.(*NotEstimated); ok {
		if n.Constructs = slices.DeleteFunc(n.Constructs, func(c Construct) bool { return !strings.HasSuffix(c.Done, ir.CountedOutside) }); len(n.Constructs) == 0 {
			return nil
		}
	}
	return err
}

func serialOnly(notes []string, name string) error {
	n := &NotEstimated{Program: name, Reason: noSections}
	for _, text := range notes {
		if u, ok := ir.ParseUnmodelled(text); ok && u.Serial() {
			n.Constructs = append(n.Constructs, Construct(u))
		}
	}
	if n.Constructs == nil {
		return nil
	}
	return n
}

func (n *NotEstimated) Error() string {
	var all []string
	for _, c := range n.Constructs {
		all = append(all, c.Construct+" at "+c.Place)
	}
	const most = 5
	if len(all) > most {
		all = append(all[:most], fmt.Sprintf("%d more", len(all)-most))
	}
	counted, write := "counted as serial code", "write tasks as sections, and loops in the text of their parallel region"
	if slices.ContainsFunc(n.Constructs, func(c Construct) bool { return strings.HasSuffix(c.Done, ir.CountedOutside) }) {
		counted, write = "counted outside of main or as serial code", "write what threads do as sections or loops of a parallel region"
	}
	return fmt.Sprintf("%s: not estimated: %s; in the way: %s, %s; to have them estimated, %s", n.Program, n.Reason, strings.Join(all, ", "), counted, write)
}
