package explore

// This file says what a search wants, and values candidates by it.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pathspan/estimate/table"
)

// Objective is what a search improves.
type Objective uint8

// The objectives. Speed-ups are relative to one processor's sequential time, so that the
// highest speed-up has the lowest time.
const (
	Speedup Objective = iota
	Time
	// Processors is the number of processors used, then the time.
	Processors
	// Energy is the sum over all processors of the platform of active power times busy
	// time and idle power times the rest.
	Energy
	// Area is what hardware takes that is made of loops, and of buffers of pipelines where the platform says what
	// they take: of each processor the greatest part of a resource, added up; then the time.
	Area
)

var objectives = [...]string{Speedup: "speedup", Time: "time", Processors: "processors", Energy: "energy", Area: "area"}

func (o Objective) String() string { return objectives[o] }

// ParseObjective returns the objective of that name.
func ParseObjective(name string) (Objective, error) {
	if o := slices.Index(objectives[:], name); o >= 0 {
		return Objective(o), nil
	}
	return 0, fmt.Errorf("%q: want %s", name, strings.Join(objectives[:], ", "))
}

// Metrics are what a candidate costs.
type Metrics struct {
	Seconds    float64 `json:"seconds"` // of one execution
	Processors int     `json:"processors"`
	Joules     float64 `json:"joules"` // 0 when no power is known
	Area       float64 `json:"area,omitempty"`
}

// of returns a metric; lower is better.
func (m *Metrics) of(o Objective) float64 {
	switch o {
	case Processors:
		return float64(m.Processors)
	case Energy:
		return m.Joules
	case Area:
		return m.Area
	}
	return m.Seconds
}

// price is an objective as a price of times; processors and area have none.
func (s *Search) price(o Objective) table.Price {
	if o == Energy {
		return table.Price{PerSecond: s.power.Idle, PerBusySecond: s.power.More}
	}
	return table.Price{PerSecond: 1}
}

// Candidate is a candidate and its costs.
type Candidate struct {
	Problem int     `json:"problem"` // index of its serial processor's problem
	Genes   []int32 `json:"genes"`
	Metrics Metrics `json:"metrics"`
	// Violation is by how much it breaks the constraints, 0 when it meets them.
	Violation float64 `json:"violation"`
}

// better reports whether a is strictly better than b: it breaks constraints less, has
// the lower objective, takes less time, uses fewer processors, or comes first.
func (s *Search) better(a, b *Candidate) bool {
	if b == nil {
		return true
	}
	for _, pair := range [...][2]float64{
		{a.Violation, b.Violation},
		{a.Metrics.of(s.Objective), b.Metrics.of(s.Objective)},
		{a.Metrics.Seconds, b.Metrics.Seconds},
		{a.Metrics.Area, b.Metrics.Area},
		{float64(a.Metrics.Processors), float64(b.Metrics.Processors)},
		{float64(a.Problem), float64(b.Problem)},
	} {
		if pair[0] != pair[1] {
			return pair[0] < pair[1]
		}
	}
	return slices.Compare(a.Genes, b.Genes) < 0
}

// scalar is one figure for searches that accept worse candidates: the objective, or a
// weighted sum of several, relative to the candidate at rest, and a penalty.
func (s *Search) scalar(m *Metrics, violation float64, weights []float64) float64 {
	x := 0.0
	switch {
	case len(s.Pareto) > 0:
		for i, o := range s.Pareto {
			x += weights[i] * relative(m.of(o), s.reference.of(o))
		}
	case s.Objective == Area: // the same for all of a problem
		x = m.Area + relative(m.Seconds, s.reference.Seconds)/1000
	case s.Objective == Processors: // the time decides between equal numbers
		x = float64(m.Processors) + relative(m.Seconds, s.reference.Seconds)/1000
	default:
		x = relative(m.of(s.Objective), s.reference.of(s.Objective))
	}
	if violation > 0 {
		x += 10 * (1 + violation)
	}
	return x
}

func relative(x, to float64) float64 {
	if to > 0 && !math.IsInf(to, 0) {
		return x / to
	}
	return x
}
