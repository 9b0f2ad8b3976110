package diff

// This file holds figures against a limit.

import (
	"fmt"
	"math"
	"strings"
)

// The directions of a figure.
const (
	Higher = "higher" // is better
	Lower  = "lower"
)

// Limit says which figures passed a limit.
type Limit struct {
	Above        float64  `json:"above"` // a share: 0.03 is 3 %
	AnyDirection bool     `json:"any_direction"`
	Failed       []string `json:"failed"` // one line each
}

// newFigure makes a figure; points says that its values are shares already, such as
// errors.
func newFigure(name, of, unit, better string, a, b float64, points bool) Figure {
	f := Figure{Name: name, Of: of, Unit: unit, A: a, B: b, Better: better, Judged: true, points: points}
	switch {
	case points:
		x := math.Abs(b) - math.Abs(a)
		f.Change = &x
	case a == b:
		f.Change = new(float64)
	case a != 0:
		x := (b - a) / math.Abs(a)
		f.Change = &x
	}
	return f
}

// Worse returns by which share b is worse than a: below 0 where it is better, 0 where
// neither direction is, infinite where a is 0 and b is worse than that.
func (f *Figure) Worse() float64 {
	sign := 1.0
	switch f.Better {
	case Higher:
		sign = -1
	case Lower:
	default:
		return 0
	}
	if f.Change == nil {
		return sign * math.Inf(1) * math.Copysign(1, f.B-f.A)
	}
	return sign * *f.Change
}

// moved returns by which share b differs from a.
func (f *Figure) moved() float64 {
	if f.Change == nil {
		return math.Inf(1)
	}
	return math.Abs(*f.Change)
}

// Above returns the judged figures that got worse by more than the limit, a share of their
// value in a; with anyDirection those that changed by more than it, whichever way. It
// keeps the answer in d.Limit.
func (d *Diff) Above(limit float64, anyDirection bool) []string {
	d.Limit = &Limit{Above: limit, AnyDirection: anyDirection}
	for i := range d.Figures {
		f := &d.Figures[i]
		switch {
		case !f.Judged:
		case f.Worse() > limit:
			d.Limit.Failed = append(d.Limit.Failed, f.sentence()+", which is worse")
		case anyDirection && f.moved() > limit:
			d.Limit.Failed = append(d.Limit.Failed, f.sentence())
		}
	}
	return d.Limit.Failed
}

func (f *Figure) sentence() string {
	name := f.Name
	if f.Of != "" {
		name += " (" + f.Of + ")"
	}
	return fmt.Sprintf("%s changed from %s to %s, by %s", name, f.value(f.A), f.value(f.B), strings.TrimPrefix(f.change(), "+"))
}
