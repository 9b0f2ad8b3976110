package procmodels

// This file reads and prices what external functions cost: a flat number of cycles,
// or a formula of the size of what they work on.

import (
	"fmt"
	"maps"

	"pathspan/ir"
	"pathspan/yamlstrict"
)

const (
	// maxBytes bounds the size that a table may assume.
	maxBytes = 1 << 30
	// maxKnownBytes bounds the size that a program may fix. What is above is no block
	// of memory but an error value, as of a negative size, and counts as unknown.
	maxKnownBytes = 1 << 40
	// maxSizeArg bounds the index of an argument.
	maxSizeArg = 63
)

// callCost is what an external function costs beside the call itself.
type callCost struct {
	flat figure
	size *sizeCost // instead of flat
}

// sizeCost is a cost that grows with the bytes worked on: base + per_byte * bytes,
// such as {base: 10, per_byte: 0.5, bytes: 64, size_arg: 2}. Where the program fixes
// the arguments that hold the size, their product counts; elsewhere what a run told of the call,
// else the assumed one, and what hangs on that is reported as a default.
type sizeCost struct {
	name    string // of the factor behind ranges
	base    figure // cycles of a call with nothing to do
	perByte figure // cycles a byte
	bytes   figure // assumed where the size is unknown
	args    []int  // arguments whose product is the size; none: it is never known
}

// price prices a call of unknown size; what names it in the reason.
func (s *sizeCost) price(what string) Price {
	pr := s.of(s.bytes)
	if s.perByte.worst > 0 {
		pr.Defaulted = s.perByte.typical * s.bytes.typical
		pr.Reason = fmt.Sprintf("%s: size unknown, %g bytes assumed", what, s.bytes.typical)
	}
	return pr
}

// of prices a call of a size in bytes.
func (s *sizeCost) of(bytes figure) Price {
	at := func(base, perByte, bytes float64) float64 { return base + perByte*bytes }
	x := figure{
		best:    at(s.base.best, s.perByte.best, bytes.best),
		typical: at(s.base.typical, s.perByte.typical, bytes.typical),
		worst:   at(s.base.worst, s.perByte.worst, bytes.worst),
	}
	if x.best < x.worst {
		x.factor = s.name
	}
	return x.price()
}

// known returns the size that a call fixes, or that a run told on average, in bytes.
func (s *sizeCost) known(c *ir.Call, moved map[*ir.Call]float64) (bytes float64, ok bool) {
	if bytes, ok = s.fixed(c); !ok {
		bytes, ok = moved[c]
	}
	return bytes, ok && bytes <= maxKnownBytes
}

func (s *sizeCost) fixed(c *ir.Call) (bytes float64, ok bool) {
	bytes = 1
	for _, arg := range s.args {
		found := false
		for _, a := range c.ConstArgs {
			if a.Index == arg && a.Value >= 0 {
				bytes, found = bytes*float64(a.Value), true
			}
		}
		if !found {
			return 0, false
		}
	}
	return bytes, len(s.args) > 0
}

func (c callCost) price(what string) Price {
	if c.size != nil {
		return c.size.price(what)
	}
	return c.flat.price()
}

// priceOf prices a call whose arguments are known, and perhaps what a run told of it.
func (c callCost) priceOf(call *ir.Call, moved map[*ir.Call]float64, what string) Price {
	if c.size != nil {
		if bytes, ok := c.size.known(call, moved); ok {
			return c.size.of(exactly(bytes))
		}
	}
	return c.price(what)
}

// isSizeCost tells a formula from a mapping by type.
func isSizeCost(v yamlstrict.Value) bool {
	if v.IsScalar() {
		return false
	}
	for _, e := range v.Entries() {
		switch e.Key {
		case "base", "per_byte", "bytes", "size_arg":
			return true
		}
	}
	return false
}

func readSizeCost(v yamlstrict.Value, name string) *sizeCost {
	f := v.Fields("base", "per_byte", "bytes", "size_arg")
	s := &sizeCost{
		name:    name,
		base:    readFigure(f.Need("base"), name, inCycles),
		perByte: readFigure(f.Need("per_byte"), name, inCycles),
	}
	if b := f.Need("bytes"); isRange(b) {
		s.bytes = readFigure(b, name, quantity{"bytes", maxBytes})
	} else {
		s.bytes = exactly(float64(b.Int(0, maxBytes)))
	}
	switch arg := f.Get("size_arg"); {
	case !arg.Has():
	case arg.IsScalar():
		s.args = []int{arg.Int(0, maxSizeArg)}
	default:
		for _, a := range arg.List() {
			s.args = append(s.args, a.Int(0, maxSizeArg))
		}
		if len(s.args) == 0 || len(s.args) > 4 {
			arg.Fail("size_arg lists %d arguments: want 1 to 4, whose product is the size in bytes", len(s.args))
		}
	}
	return s
}

// readCalls adds the costs of a mapping by function. With no place for a default
// (other), "default" is refused.
func readCalls(v yamlstrict.Value, s *costSection, other *float64) {
	s.calls = maps.Clone(s.calls)
	if s.calls == nil {
		s.calls = prefixTable[callCost]{}
	}
	for _, e := range v.Entries() {
		switch {
		case e.Key == "default" && other == nil:
			e.Value.Fail("default stands for all functions: give it in calls")
		case e.Key == "default":
			*other = cycles(e.Value)
		case isSizeCost(e.Value):
			s.calls[e.Key] = callCost{size: readSizeCost(e.Value, "call to "+e.Key)}
		default:
			s.calls[e.Key] = callCost{flat: readFigure(e.Value, "call to "+e.Key, inCycles)}
		}
	}
}
