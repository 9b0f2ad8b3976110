package fifo

// This file keeps what is known of depths without running them: that one of some FIFOs has to be
// so deep, however deep all others are. The relaxed network, which deeper FIFOs never make slower,
// is played with others unbounded, and those that its waits are put down to are raised as far as
// it stays too slow. This is what implicit hitting sets are made of: J. Davies, F. Bacchus,
// *Solving MAXSAT by Solving a Sequence of Simpler SAT Instances* (CP 2011).

import "slices"

// demand is met where one of its depths is.
type demand []atLeast

type atLeast struct {
	fifo  int
	depth int64
}

// demands are those of one target, or of it and others that are easier to reach.
type demands struct {
	of  *sizing
	all []demand
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
// many bits: those of demands that have no FIFO in common add up.
func (d *demands) least(depths []int64, bits int64) int64 {
	var taken []bool
	for _, x := range d.all {
		if x.met(depths) {
			continue
		}
		if taken == nil {
			taken = make([]bool, len(depths))
		}
		if slices.ContainsFunc(x, func(a atLeast) bool { return taken[a.fifo] }) {
			continue
		}
		cheapest := int64(unbounded)
		for _, a := range x {
			taken[a.fifo] = true
			cheapest = min(cheapest, plus(0, a.depth-depths[a.fifo], d.of.real.net.FIFOs[a.fifo].Width))
		}
		bits = plus(bits, cheapest, 1)
	}
	return bits
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
	d.all = append(d.all, out)
	return &d.all[len(d.all)-1], nil
}
