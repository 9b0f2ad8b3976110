package fifo

// This file keeps what is known of depths without running them: that one of some FIFOs has to be
// so deep, however deep all others are. The relaxed network, which deeper FIFOs never make slower,
// is played with others unbounded, and those that its waits are put down to are raised as far as
// it stays too slow. This is what implicit hitting sets are made of: J. Davies, F. Bacchus,
// *Solving MAXSAT by Solving a Sequence of Simpler SAT Instances* (CP 2011).

import (
	"cmp"
	"slices"
)

// demand is met where one of its depths is.
type demand []atLeast

type atLeast struct {
	fifo  int
	depth int64
}

// demands are those of one target, or of it and others that are easier to reach.
type demands struct {
	of     *sizing
	all    []demand
	groups []*group // the same demands
}

// group is demands of the same FIFOs, the largest depths of the first before smaller ones.
type group struct {
	fifos []int
	all   []demand
}

func (d *demands) add(x demand) {
	d.all = append(d.all, x)
	fifos := make([]int, len(x))
	for i, a := range x {
		fifos[i] = a.fifo
	}
	at := slices.IndexFunc(d.groups, func(g *group) bool { return slices.Equal(g.fifos, fifos) })
	if at < 0 {
		at = len(d.groups)
		d.groups = append(d.groups, &group{fifos: fifos})
	}
	g := d.groups[at]
	g.all = append(g.all, x)
	if len(x) > 0 {
		slices.SortStableFunc(g.all, func(a, b demand) int { return cmp.Compare(b[0].depth, a[0].depth) })
	}
}

func (d demand) met(depths []int64) bool {
	return slices.ContainsFunc(d, func(x atLeast) bool { return depths[x.fifo] >= x.depth })
}

// unmet is a demand that depths do not meet, with the fewest ways to do so; nil where there is none.
func (d *demands) unmet(depths []int64) (out *demand) {
	for i := range d.all {
		if x := &d.all[i]; !x.met(depths) && (out == nil || len(*x) < len(*out)) {
			out = x
		}
	}
	return out
}

// least is how many bits depths have at least when they meet all demands, raised from some of so
// many bits: those of groups that have no FIFO in common add up.
func (d *demands) least(depths []int64, bits int64) int64 {
	type priced struct {
		of   *group
		bits int64
	}
	var list []priced
	for _, g := range d.groups {
		if bits := g.least(depths, d.of.real.net); bits > 0 {
			list = append(list, priced{g, bits})
		}
	}
	slices.SortStableFunc(list, func(a, b priced) int { return cmp.Compare(b.bits, a.bits) })
	taken := make([]bool, len(depths))
	for _, x := range list {
		if slices.ContainsFunc(x.of.fifos, func(f int) bool { return taken[f] }) {
			continue
		}
		for _, f := range x.of.fifos {
			taken[f] = true
		}
		bits = plus(bits, x.bits, 1)
	}
	return bits
}

// least is how many bits more meet all demands of a group: exact of those of one FIFO and of two,
// else those of the dearest demand.
func (g *group) least(depths []int64, n *Network) (bits int64) {
	raise := func(a atLeast) int64 {
		return plus(0, max(0, a.depth-depths[a.fifo]), n.FIFOs[a.fifo].Width)
	}
	if len(g.fifos) == 0 {
		return unbounded // which nothing meets
	}
	if len(g.fifos) != 2 {
		for _, x := range g.all {
			cheapest := raise(x[0])
			for _, a := range x[1:] {
				cheapest = min(cheapest, raise(a))
			}
			bits = max(bits, cheapest)
		}
		return bits
	}
	// The second FIFO meets what asks for more of the first than it has.
	best, second := int64(unbounded), int64(0)
	for _, x := range g.all {
		best = min(best, plus(raise(x[0]), second, 1))
		second = max(second, raise(x[1]))
		if raise(x[0]) == 0 {
			return best
		}
	}
	return min(best, second)
}

// learn finds a demand that depths do not meet, since the relaxed network is too slow with them;
// nil where it is not. One that nothing meets has no depths at all.
func (d *demands) learn(depths []int64, target int64) (*demand, error) {
	relaxed := d.of.relaxed
	o, err := relaxed.play(depths)
	if err != nil || o.reaches(target) {
		return nil, err
	}
	// It is as slow with all other FIFOs unbounded.
	slow := d.of.unbounded()
	var held []int
	for f, lack := range o.lack {
		if lack > 0 {
			held = append(held, f)
			slow[f] = depths[f] + lack - 1
		}
	}
	var out demand
	for _, f := range held {
		low := slow[f]
		slow[f] = unbounded
		if o, err = relaxed.play(slow); err != nil {
			return nil, err
		}
		if !o.reaches(target) {
			continue // however deep it is
		}
		high := o.need[f] // is enough
		for step := int64(1); low+1 < high; {
			slow[f] = low + (high-low)/2
			if step > 0 {
				slow[f] = min(low+step, high-1)
			}
			if o, err = relaxed.play(slow); err != nil {
				return nil, err
			}
			if o.reaches(target) {
				high, step = slow[f], 0
			} else {
				low, step = slow[f], 2*step
			}
		}
		slow[f] = low
		out = append(out, atLeast{f, high})
	}
	d.add(out)
	return &d.all[len(d.all)-1], nil
}
