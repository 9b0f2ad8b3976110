package report

// This file names techniques for people. Results hold their identifiers; what the registry
// does not know, as in a file of another version, goes by that.

import (
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/profile"
)

// TechniqueOf returns what is known of a technique by its identifier.
func TechniqueOf(id string) estimate.Entry {
	t, err := estimate.ParseTechnique(id)
	if err != nil {
		return estimate.Entry{ID: id, Title: id, Name: id}
	}
	return *t.Entry()
}

// Beside lists the techniques that are shown beside one, as far as the profile has what they
// need.
func Beside(t estimate.Technique, b *profile.Bundle) []estimate.Technique {
	return slices.DeleteFunc(estimate.TechniquesThat(estimate.AreShown), func(x estimate.Technique) bool { return x == t || !x.Suits(b) })
}

// Title returns the name of a technique's column.
func Title(technique string) string { return TechniqueOf(technique).Title }

// Words says what a technique does.
func Words(technique string) string { return TechniqueOf(technique).Words }

// Named is the title of a technique with what it does.
func Named(technique string) string {
	if words := Words(technique); words != "" {
		return Title(technique) + " (" + words + ")"
	}
	return Title(technique)
}

// Legend expands the titles of techniques, for the line that follows their first use.
func Legend(techniques []string) string {
	var all []string
	for _, t := range techniques {
		all = append(all, strings.TrimSpace(Title(t)+" "+Words(t)))
	}
	return strings.Join(all, "; ")
}
