package procmodels

// This file reads and prices what external functions cost: a flat number of cycles,
// or a formula of the size of what they work on.

import (
	"fmt"
	"maps"

	"pathspan/yamlstrict"
)

// maxBytes bounds the size that a table may assume.
const maxBytes = 1 << 30

// callCost is what an external function costs beside the call itself.
type callCost struct {
	cycles float64
	size   *sizeCost // instead of cycles
}

// sizeCost is a cost that grows with the bytes worked on: base + per_byte * bytes,
// such as {base: 10, per_byte: 0.5, bytes: 64}. The program as models see it
// ([ir.Call]) does not carry arguments, so that the size is always the assumed one,
// and what hangs on it is reported as a default.
type sizeCost struct {
	base    float64 // cycles of a call with nothing to do
	perByte float64 // cycles a byte
	bytes   float64 // assumed where the size is unknown
}

// price prices a call of unknown size; what names it in the reason.
func (s *sizeCost) price(what string) price {
	perSize := s.perByte * s.bytes
	pr := price{cycles: s.base + perSize, defaulted: perSize}
	if s.perByte > 0 {
		pr.reason = fmt.Sprintf("%s: size unknown, %g bytes assumed", what, s.bytes)
	}
	return pr
}

func (c callCost) price(what string) price {
	if c.size != nil {
		return c.size.price(what)
	}
	return listed(c.cycles)
}

// isSizeCost tells a formula from a mapping by type.
func isSizeCost(v yamlstrict.Value) bool {
	if v.IsScalar() {
		return false
	}
	for _, e := range v.Entries() {
		switch e.Key {
		case "base", "per_byte", "bytes":
			return true
		}
	}
	return false
}

func readSizeCost(v yamlstrict.Value) *sizeCost {
	f := v.Fields("base", "per_byte", "bytes")
	return &sizeCost{
		base:    cycles(f.Need("base")),
		perByte: cycles(f.Need("per_byte")),
		bytes:   float64(f.Need("bytes").Int(0, maxBytes)),
	}
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
			s.calls[e.Key] = callCost{size: readSizeCost(e.Value)}
		default:
			s.calls[e.Key] = callCost{cycles: cycles(e.Value)}
		}
	}
}
