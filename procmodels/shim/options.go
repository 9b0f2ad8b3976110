package shim

// This file declares what can be chosen of a component's figures.

// Options choose which figure of an instruction is its cost.
type Options struct {
	Figure Figure
	Case   Case
	// Memory names the memory whose access latency loads and stores pay as well: a
	// sub-space or a slave component, by name or id; "" for none.
	Memory string
}

// Figure is one of the two figures that SHIM gives for an instruction.
type Figure uint8

// Latency counts until the result can be used, as if each instruction waited for the
// one before: an upper bound for a pipeline, exact where nothing overlaps. It is the
// default, since it is what people measure and fill in. Pitch counts until the next
// instruction can issue: what an in-order pipeline costs as long as nothing waits for
// a result, a lower bound.
const (
	Latency Figure = iota
	Pitch
)

// Case is which of the three values of a figure counts.
type Case uint8

// All is the default: the typical value is the cost, the best and the worst one its
// range. The others take one value for certain.
const (
	All Case = iota
	Typical
	Best
	Worst
)

func (f Figure) String() string { return [...]string{"latency", "pitch"}[f] }
func (c Case) String() string   { return [...]string{"all", "typical", "best", "worst"}[c] }

// of picks the figure from the two that the file gives, in cycles. Best and worst are
// the typical value where one value is asked for.
func (o Options) of(pitch, latency Range) Range {
	r := latency
	if o.Figure == Pitch {
		r = pitch
	}
	switch o.Case {
	case Typical:
		return Range{r.Typical, r.Typical, r.Typical}
	case Best:
		return Range{r.Best, r.Best, r.Best}
	case Worst:
		return Range{r.Worst, r.Worst, r.Worst}
	}
	return r
}

// noun names what the model takes: "latencies", "worst pitches".
func (o Options) noun() string {
	noun := [...]string{"latencies", "pitches"}[o.Figure]
	if o.Case == All {
		return noun
	}
	return o.Case.String() + " " + noun
}
