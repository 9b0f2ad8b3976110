package estimate

// This file is the registry of techniques: one entry each, which flags, help texts, results,
// schemas, reports, charts and styles take all names and looks from. A technique is added by
// a file that holds its entry and the maker of its rows, and by a line in the list of init.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/profile"
)

// Technique is a way to estimate: the number of an entry of the registry.
type Technique uint8

// The techniques that are named in code (Lattuada, Pilato, Ferrandi, sections 5.2 and 6.2).
const (
	// PathBased schedules the tasks once per path and averages over the paths.
	PathBased Technique = iota
	// PathBasedUnmapped does so as if each section had a processor of its own: no
	// processor is shared, every section has its overhead.
	PathBasedUnmapped
	// AverageTime schedules the tasks once, with their average times.
	AverageTime
	// MaximalTime schedules the tasks once, with their largest times and the largest
	// trip counts seen. The sequential time it compares with is the sum of the same
	// times. Within a recursion, calls count with their path-based value.
	MaximalTime
	// ExecutionBased schedules each way in which sections constructs were executed, with
	// all that was executed inside, as the profile kept it; see profile.Executions. Where
	// it kept nothing (--paths-only, programs with threads of their own) it is PathBased.
	ExecutionBased
)

// Entry is what there is to know of a technique.
type Entry struct {
	ID    string // that users and files name it by: "eb"
	Title string // of its column: "EB"
	Name  string // in full, as in the tables of the paper: "Execution Based"
	Words string // what it does: "execution by execution"
	// Rank orders techniques: the better informed, the higher. No two have the same.
	Rank int
	// Style draws its speed-ups over numbers of processors; nil where those say nothing.
	Style *Style

	// Executions says that it is nothing without the executions that a profile keeps.
	Executions bool
	// Answers says that its figure is the answer where no technique of a higher rank suits
	// the profile. Such techniques have rows.
	Answers bool
	// Shown says that results show it to users who name no technique.
	Shown bool
	// Largest says that times are the largest seen, those of the sequential program too.
	Largest bool

	// Rows makes the program's rows in a setting. Whoever has rows can be accounted
	// for, searched by, served quickly, drawn and exported.
	Rows func(e *Estimator, in Setting) (*table.Table, error)
	// Time estimates what has no rows: the time of the root function under a mapping, in
	// cycles of processor 0.
	Time func(e *Estimator, m *mapping.Resolved) (float64, error)
}

// Style is the line of a technique in a chart.
type Style struct {
	Light, Dark string // its colour as #rrggbb, on light and on dark paper
	Dash        string // lengths of dashes and gaps, "" for a solid line
	Shape       string // of its points: circle, square, triangle or diamond
}

// techniques is the registry, by Technique.
var techniques []Entry

func init() {
	techniques = []Entry{
		PathBased: {
			ID: "pb", Title: "PB", Name: "Path Based", Words: "path by path", Rank: 40,
			Style:   &Style{Light: "#00845f", Dark: "#2fbf93", Dash: "9 4", Shape: "square"},
			Answers: true, Shown: true, Rows: func(e *Estimator, in Setting) (*table.Table, error) { return e.rowsOfPaths(in, false) },
		},
		PathBasedUnmapped: {
			ID: "pb-unmapped", Title: "PB unmapped", Name: "PB, not mapped", Words: "path by path, a processor for each section", Rank: 30,
			Time: func(e *Estimator, m *mapping.Resolved) (float64, error) { return e.levelByLevel(m, PathBasedUnmapped) },
		},
		AverageTime: {
			ID: "at", Title: "AT", Name: "Average Time", Words: "average task times", Rank: 20,
			Style: &Style{Light: "#c45500", Dark: "#e69f00", Dash: "2 4", Shape: "triangle"},
			Shown: true, Rows: func(e *Estimator, in Setting) (*table.Table, error) { return e.rowsOfPaths(in, true) },
		},
		MaximalTime: {
			ID: "mt", Title: "MT", Name: "Maximal Time", Words: "largest task times", Rank: 10,
			Style: &Style{Light: "#a3557f", Dark: "#d68fb8", Dash: "9 4 2 4", Shape: "diamond"},
			Shown: true, Largest: true, Time: (*Estimator).maximalTime,
		},
		ExecutionBased: {
			ID: "eb", Title: "EB", Name: "Execution Based", Words: "execution by execution", Rank: 50,
			Style:      &Style{Light: "#0072b2", Dark: "#56b4e9", Shape: "circle"},
			Executions: true, Answers: true, Shown: true, Rows: (*Estimator).rowsWhereKept,
		},
	}
}

// RegisterForTest adds a technique until a test ends. Tests that run beside it must not
// use techniques.
func RegisterForTest(t interface{ Cleanup(func()) }, x Entry) Technique {
	before := techniques
	techniques = append(slices.Clip(before), x)
	t.Cleanup(func() { techniques = before })
	return Technique(len(before))
}

// Techniques returns all techniques, those that know most first.
func Techniques() []Technique {
	all := make([]Technique, len(techniques))
	for i := range all {
		all[i] = Technique(i)
	}
	slices.SortFunc(all, func(a, b Technique) int { return b.Entry().Rank - a.Entry().Rank })
	return all
}

// TechniquesThat returns the techniques of which something holds, those that know most first.
func TechniquesThat(hold func(x *Entry) bool) []Technique {
	return slices.DeleteFunc(Techniques(), func(t Technique) bool { return !hold(t.Entry()) })
}

// Entry returns what there is to know of a technique. It must not be changed.
func (t Technique) Entry() *Entry { return &techniques[t] }

func (t Technique) String() string { return t.Entry().ID }

// HaveRows holds of techniques with rows.
func HaveRows(x *Entry) bool { return x.Rows != nil }

// AreShown holds of techniques that results show by default.
func AreShown(x *Entry) bool { return x.Shown }

// HasRows reports whether a technique makes a program rows (Estimator.Rows), which all but
// estimates need.
func (t Technique) HasRows() bool { return HaveRows(t.Entry()) }

// Suits reports whether a profile keeps what a technique needs.
func (t Technique) Suits(b *profile.Bundle) bool {
	return !t.Entry().Executions || b.Executions != nil
}

// Answering is the technique whose figure is the answer: by executions where the profile
// keeps them, by paths elsewhere.
func Answering(b *profile.Bundle) Technique {
	return TechniquesThat(func(x *Entry) bool { return x.Answers && (!x.Executions || b.Executions != nil) })[0]
}

// ParseTechnique returns the technique of that name.
func ParseTechnique(name string) (Technique, error) {
	for i := range techniques {
		if techniques[i].ID == name {
			return Technique(i), nil
		}
	}
	return 0, fmt.Errorf("technique %q: want %s", name, Choice(Techniques()))
}

// Choice lists techniques for a sentence: "eb, pb or at".
func Choice(all []Technique) string {
	names := IDs(all)
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " or " + names[n]
	}
	return strings.Join(names, "")
}

// IDs returns what users name techniques by.
func IDs(all []Technique) []string {
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.String()
	}
	return names
}
