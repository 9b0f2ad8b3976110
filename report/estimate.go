package report

// This file shows estimates.

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/averaged"
)

// Estimates is what one call of estimate found, and its JSON object.
type Estimates struct {
	Schema    string            `json:"schema" is:"pathspan.estimate/1"`
	Bundle    string            `json:"bundle"`
	Function  string            `json:"function"`
	Models    []string          `json:"models"`
	Estimates []estimate.Result `json:"estimates"`
	Verified  int               `json:"verified,omitempty"` // estimates that were computed a second time and agree
	// Unverified lists techniques that could not be computed a second time.
	Unverified []string `json:"unverified,omitempty"`
	// Sampling is nil when every model's costs are exact.
	Sampling    *Sampling             `json:"sampling,omitempty"`
	Comparisons []estimate.Comparison `json:"comparisons,omitempty"` // of several mappings
	Accuracy    []ModelAccuracy       `json:"accuracy,omitempty"`
	// Techniques says how accurate those that were used are on benchmarks, where no
	// executions tell how much they differ on this program.
	Techniques []TechniqueAccuracy `json:"techniques,omitempty"`
	// References says what is known of the technique and the model against figures measured elsewhere.
	References []ReferenceAccuracy `json:"references,omitempty"`
	// Limits says what no mapping is above; nil where there is no region, or none can be told.
	Limits *Limits `json:"limits,omitempty"`
	// Pipelines are those of the plan, for each platform and mapping.
	Pipelines []PipelineEstimate `json:"pipelines,omitempty"`
	// Differences compares the other techniques with the first.
	Differences []TechniqueDifference `json:"differences,omitempty"`
	// Averaged says where PB parts from EB, and what is averaged there; nil where they agree.
	Averaged *averaged.Part `json:"averaged,omitempty"`
	// Defaults lists what rests on default costs, largest share first.
	Defaults []estimate.Reason `json:"defaults"`
	// Unattributed lists functions that ran outside the estimated function.
	Unattributed []estimate.Unattributed `json:"unattributed"`
	Notes        []string                `json:"notes"`
}

// Explained is the tables of one level of a function.
type Explained struct {
	Schema string `json:"schema" is:"pathspan.explain/1"`
	*estimate.Explanation
}

// Sampling says how intervals were found.
type Sampling struct {
	Samples    int     `json:"samples"` // 0 when it was switched off
	Seed       uint64  `json:"seed"`
	Confidence float64 `json:"confidence"`
}

// ModelAccuracy is what a model says of how far to trust it.
type ModelAccuracy struct {
	Model     string   `json:"model"`
	Reference string   `json:"reference"` // what pathspan model show understands
	Remarks   []string `json:"remarks"`   // at least one
}

// Text writes the table of speed-ups, a row for each platform and mapping,
// and what the figures rest on.
func (e *Estimates) Text(out io.Writer) error {
	w := bufio.NewWriter(out) // keeps the first error
	printTable(w, e)
	printPipelines(w, e)
	fmt.Fprintln(w)
	printComparisons(w, e)
	printLimits(w, e.Limits)
	printColumns(w, e)
	printAveraged(w, e)
	printDefaults(w, e)
	if e.Verified > 0 || len(e.Unverified) > 0 {
		what := "results agree with a second computation"
		if e.Verified == 1 {
			what = "result agrees with a second computation"
		}
		fmt.Fprintf(w, "verified: %d %s", e.Verified, what)
		if left := notRecomputed(e); left != "" {
			fmt.Fprintf(w, " (not recomputed: %s)", left)
		}
		fmt.Fprintln(w)
	}
	if outside := e.outside(); outside != "" {
		fmt.Fprintf(w, "outside %s: %s\n", e.Function, outside)
	}
	for _, a := range e.Accuracy {
		fmt.Fprintf(w, "accuracy of %s: %s", a.Model, a.Remarks[0])
		if more := len(a.Remarks) - 1; more > 0 {
			fmt.Fprintf(w, " (pathspan model show %s lists %d more)", a.Reference, more)
		}
		fmt.Fprintln(w)
	}
	printTechniqueAccuracy(w, e.Techniques)
	printReferenceAccuracy(w, e.References)
	printNotes(w, e.Notes)
	return w.Flush()
}

// notRecomputed lists what is shown and was not verified.
func notRecomputed(e *Estimates) string {
	var left []string
	for _, t := range e.Unverified {
		left = append(left, Title(t))
	}
	if e.Sampling != nil && e.Sampling.Samples > 0 {
		left = append(left, "intervals")
	}
	return strings.Join(left, ", ")
}

// outside names what ran outside the function, largest share first.
func (e *Estimates) outside() string {
	const most = 3
	var all []string
	for i, u := range e.Unattributed {
		if i == most {
			all = append(all, Count(len(e.Unattributed)-i, "function")+" more")
			break
		}
		all = append(all, fmt.Sprintf("%s ran %s, %s of the cycles", Demangled(u.Function), TimesAbout(u.Invocations), Percent(u.Share)))
	}
	return strings.Join(all, "; ")
}

// leastDefaults is the share of the cycles on default costs from which the text says it.
const leastDefaults = 0.001

// printDefaults says in a line which share of the cycles rests on defaults, if it counts,
// and what most of it is.
func printDefaults(w io.Writer, e *Estimates) {
	if len(e.Estimates) == 0 || e.Estimates[0].DefaultCostShare < leastDefaults {
		return
	}
	const most = 2
	var all []string
	for i, d := range e.Defaults {
		if d.Share == 0 {
			break
		}
		if i == most {
			all = append(all, fmt.Sprintf("%s more, which --json lists", Count(len(e.Defaults)-i, "reason")))
			break
		}
		why := fmt.Sprintf("%s %s", Percent(d.Share), Demangled(d.Reason))
		switch {
		case d.Places > 1:
			why += fmt.Sprintf(" (%s and %s more)", d.At, Count(d.Places-1, "line"))
		case d.Places == 1:
			why += " (" + d.At + ")"
		}
		all = append(all, why)
	}
	fmt.Fprintf(w, "%s of the cycles rest on default costs: %s\n", Percent(e.Estimates[0].DefaultCostShare), strings.Join(all, "; "))
}
