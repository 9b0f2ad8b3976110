package verify

// This file says what executions of stages bring in, by what rows tell of it: replay, which plays these, knows no tokens.

import (
	"math"

	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/replay"
)

// carrier is what stages of rows bring in under a mapping.
type carrier struct {
	t *table.Table
	m *mapping.Resolved
}

func (c *carrier) rates() []float64 {
	if c.t.Links == nil {
		return nil
	}
	return c.t.Links.Rate
}

// way is what lies between the memories of two processors, and how fast a copy by itself is there.
func (c *carrier) way(from, to int) (way table.Route, rate float64) {
	rate = math.Inf(1)
	if c.t.Links != nil {
		way = c.t.Links.Route[from][to]
	}
	for _, l := range way.Links {
		rate = min(rate, c.t.Links.Rate[l])
	}
	return way, rate
}

// Brings is part of [replay.Carried].
func (c *carrier) Brings(task, item, processor int, executed func(task, item int) int) (waits float64, copies []replay.Copy) {
	x := c.t.Tokens[task]
	if x == nil {
		return 0, nil
	}
	home, rate := c.way(c.m.Serial, processor)
	if home.Remote {
		waits += x.Accesses*home.Latency + x.Bytes/rate
	}
	for i, in := range x.In {
		parts := []table.Brought{{In: i, Times: 1, Copies: in.Copies}}
		if item < len(x.Items) {
			parts = x.Items[item]
		}
		bytes, often := make([]float64, len(c.t.KindOf)), make([]float64, len(c.t.KindOf)) // by the processor that has them
		var order []int
		for _, b := range parts {
			if b.In != i {
				continue
			}
			from := c.m.Serial
			if in.From >= 0 {
				from = executed(in.From, item-int(b.Back))
			}
			if from < 0 {
				continue
			}
			waits += b.Times * c.apart(in.Crossing, from, processor)
			if away, _ := c.way(c.m.Serial, from); away.Remote {
				from = c.m.Serial
			}
			if bytes[from] == 0 {
				order = append(order, from)
			}
			bytes[from], often[from] = bytes[from]+b.Times*in.Bytes, often[from]+b.Copies
		}
		for _, from := range order {
			if way, _ := c.way(from, processor); !home.Remote && len(way.Links) > 0 && bytes[from] > 0 {
				copies = append(copies, replay.Copy{Latency: min(1, often[from]) * way.Latency, Bytes: bytes[from], Links: way.Links})
			}
		}
	}
	return waits, copies
}

// Longer is part of [replay.Carried].
func (c *carrier) Longer(task, with, apart, processor, other int, slowed float64) float64 {
	if x := c.beside(task, with); x != nil && apart < len(x.Longer) {
		return max(0, min(c.apart(x.Longer[apart], other, processor), c.apart(x.Most, other, processor)-slowed))
	}
	return 0
}

func (c *carrier) beside(task, with int) *table.Beside {
	if c.t.Beside == nil {
		return nil
	}
	return c.t.Beside[task][with]
}

// apart is what a processor waits for what lies with another.
func (c *carrier) apart(x table.Crossing, from, to int) float64 {
	if len(x) == 0 || from == to {
		return 0
	}
	return x[c.t.Apart[from][to]*c.t.Kinds+c.t.KindOf[to]]
}

// Back is part of [replay.Carried].
func (c *carrier) Back(executed func(task, item int) int, items func(task int) int) (takes float64) {
	for task, x := range c.t.Tokens {
		if x == nil || x.Back.Bytes == 0 {
			continue
		}
		had := map[int]float64{}
		for item := range items(task) {
			had[executed(task, item)]++
		}
		for from := range c.t.KindOf {
			way, rate := c.way(from, c.m.Serial)
			if n := had[from]; n > 0 && len(way.Links) > 0 && !way.Remote {
				takes += min(1, n*x.Back.Copies)*way.Latency + n*x.Back.Bytes/rate
			}
		}
	}
	return takes
}
