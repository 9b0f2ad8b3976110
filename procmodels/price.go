package procmodels

// This file adds up prices of single instructions.

import (
	"fmt"
	"slices"

	"pathspan/ir"
)

// Price is the cost of one instruction, for models that price one by one. With a reason,
// part of it rests on a default.
type Price struct {
	Cycles    float64
	Defaulted float64 // the part of Cycles that rests on a default
	Reason    string
	Loc       ir.Loc // where what it rests on is to be seen, if it has a line
	Varies    []Span // never changed once made
}

// Span is how far a price can be off by one bounded factor, in cycles.
type Span struct {
	Factor   string
	Down, Up float64
}

// Guess is a price that rests on a default altogether.
func Guess(cycles float64, format string, args ...any) Price {
	return Price{Cycles: cycles}.Supposed(format, args...)
}

// Supposed is the price with all of it resting on a default.
func (p Price) Supposed(format string, args ...any) Price {
	p.Defaulted, p.Reason = p.Cycles, fmt.Sprintf(format, args...)
	return p
}

// Times is the price of n such instructions.
func (p Price) Times(n int) Price {
	q := Price{p.Cycles * float64(n), p.Defaulted * float64(n), p.Reason, p.Loc, nil}
	for _, s := range p.Varies {
		q.Varies = append(q.Varies, Span{s.Factor, s.Down * float64(n), s.Up * float64(n)})
	}
	return q
}

// Plus adds the figures of two prices; the first reason stays.
func (p Price) Plus(q Price) Price {
	sum := Price{p.Cycles + q.Cycles, p.Defaulted + q.Defaulted, p.Reason, p.Loc, p.Varies}
	if p.Reason == "" {
		sum.Reason, sum.Loc = q.Reason, q.Loc
	}
	if len(q.Varies) > 0 {
		sum.Varies = append(slices.Clip(sum.Varies), q.Varies...)
	}
	return sum
}
