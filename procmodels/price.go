package procmodels

// This file adds up prices of single instructions.

import "fmt"

// price is the cost of one instruction. With a reason, part of it (defaulted, in
// cycles) rests on a default.
type price struct {
	cycles    float64
	defaulted float64
	reason    string
	varies    []span // never changed once made
}

// span is how far a price can be off by one factor, in cycles.
type span struct {
	factor   string
	down, up float64
}

func listed(cycles float64) price { return price{cycles: cycles} }

func byDefault(cycles float64, format string, args ...any) price {
	return listed(cycles).supposed(format, args...)
}

// supposed is the price with all of it resting on a default.
func (p price) supposed(format string, args ...any) price {
	p.defaulted, p.reason = p.cycles, fmt.Sprintf(format, args...)
	return p
}

func (p price) times(n int) price {
	q := price{p.cycles * float64(n), p.defaulted * float64(n), p.reason, nil}
	for _, s := range p.varies {
		q.varies = append(q.varies, span{s.factor, s.down * float64(n), s.up * float64(n)})
	}
	return q
}

func (p price) plus(q price) price {
	sum := price{p.cycles + q.cycles, p.defaulted + q.defaulted, p.reason, p.varies}
	if p.reason == "" {
		sum.reason = q.reason
	}
	for _, s := range q.varies {
		sum.varies = append(sum.varies[:len(sum.varies):len(sum.varies)], s)
	}
	return sum
}
