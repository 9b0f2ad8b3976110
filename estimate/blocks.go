package estimate

// This file adds up the blocks of a loop's iterations in their order: what they take of their
// own, what of this lies ahead of locks, and what is executed inside.

import (
	"math"
	"slices"

	"pathspan/estimate/table"
	"pathspan/mapping/loops"
	"pathspan/profile"
)

// quantity is something of which a loop has more as its iterations pass.
type quantity struct {
	what
	of, kind int // what it is of, and the kind of processors that takes so long, where it is of one
}

type what int // as wide as the rest of a quantity, which is hashed at once then

const (
	ofOwn   what = iota // by kind: time of the iterations' own, ordered parts included
	ofInner             // by kind: time of what is executed inside, on one processor
	often               // of a set: how often it is executed inside
	ahead               // of a lock, by kind: what of their own lies ahead of it
	turns               // how many ordered parts
	ofTurns             // by kind: what of their own these take
	ofEarly             // by kind: what iterations take ahead of their ordered parts
)

// blocks are iterations of a loop in their order.
type blocks struct {
	n      int64
	at     []int64                // cut points
	sums   map[quantity][]float64 // up to each
	inside [][]executions         // up to each from the one before
	sets   []int                  // that are executed inside
	locks  []int                  // that are taken, in the order of their first
	turn   int                    // the lock that stands for ordered parts, -1 for none
}

// executions is how often a set is executed.
type executions struct {
	set   int
	times float64
}

// piece is one of them, or several that are alike.
type piece struct {
	blocks float64
	sums   map[quantity]float64
	inside []executions
	dearer []float64 // by kind: by how much locks are dearer than prices of the loop
}

func (p *piece) add(w what, of int, from []float64, times float64) {
	for k, x := range from {
		p.sums[quantity{w, of, k}] += x * times
	}
}

// settle takes from what a piece does outside of locks by how much these are dearer, so that the loop
// costs what it did.
func (p *piece) settle() {
	for k, more := range p.dearer {
		own := p.sums[quantity{ofOwn, 0, k}]
		left := 1.0
		if more != 0 && own > 0 {
			left = max(0, 1-more/own)
		}
		for q := range p.sums {
			if q.kind == k && (q.what == ofOwn || q.what == ahead || q.what == ofEarly) {
				p.sums[q] *= left
			}
		}
		p.sums[quantity{ofOwn, 0, k}] += p.sums[quantity{ofTurns, 0, k}]
	}
}

// blocksOf adds up the blocks of an entry.
func (m *executionRows) blocksOf(x *profile.Execution, longer float64, inside func(entry int) int) *blocks {
	in, kinds := laneOf{x.Region, x.Construct, 0}, len(m.e.kinds)
	b := &blocks{n: int64(math.Max(1, math.Round(x.Iterations()))), at: []int64{0}, sums: map[quantity][]float64{}, inside: make([][]executions, 1), turn: -1}
	var pieces []piece
	nothing := func() piece { return piece{sums: map[quantity]float64{}, dearer: make([]float64, kinds)} }
	now, total, regions := nothing(), 0.0, false
	for i := range x.Lanes[0] {
		p := &x.Lanes[0][i]
		own, work, times := make([]float64, kinds), m.work(p), float64(p.Times)
		for k := range own {
			for w, price := range m.prices[k][x.Region][x.Construct][0] {
				own[k] += price * work[w]
			}
			own[k] *= longer
		}
		if p.Entry >= 0 && m.x.EndsBlock(p) {
			// What was executed before belongs to the first of the blocks.
			first := 1.0
			if !regions { // what is done under locks is spread evenly
				first = times
			}
			now.add(ofOwn, 0, own, first)
			now.blocks = first
			if pieces = append(pieces, now); first < times {
				rest := nothing()
				rest.blocks = times - 1
				rest.add(ofOwn, 0, own, times-1)
				pieces = append(pieces, rest)
			}
			total += times
			now, regions = nothing(), false
			continue
		}
		now.add(ofOwn, 0, own, times)
		if p.Entry < 0 {
			continue
		}
		if m.x.Entries[p.Entry].OfTasks { // time of the iteration that makes them
			now.add(ofOwn, 0, m.taskAlone(p.Entry, owner{x.Region, x.Construct, 0, -1}), times*longer)
			continue
		}
		takes, lock := m.aloneIn(p.Entry, in), m.x.Entries[p.Entry].Construct
		switch {
		case m.ordered(p.Entry):
			// All so far is ahead of it, but for ordered parts.
			for k := range own {
				now.sums[quantity{ofEarly, 0, k}] = now.sums[quantity{ofOwn, 0, k}] + now.sums[quantity{ofInner, 0, k}]
			}
			add(now.dearer, m.dearness(p.Entry, in, longer), times)
			now.add(ofTurns, 0, takes, times*longer)
			now.sums[quantity{what: turns}] += times
			b.turn = lock
		case m.locked(p.Entry):
			set := m.set(stretchKey{p.Entry, in, longer, 1}, inside)
			now.inside = append(now.inside, executions{set, times})
			now.add(ahead, lock, own, times)
			now.add(ofInner, 0, takes, times*longer)
			add(now.dearer, m.dearness(p.Entry, in, longer), times)
			if b.sets = append(b.sets, set); !slices.Contains(b.locks, lock) {
				b.locks = append(b.locks, lock)
			}
		default:
			set := m.builder.Only(inside(p.Entry))
			now.inside = append(now.inside, executions{set, times})
			now.add(ofInner, 0, takes, times*longer)
			b.sets, regions = append(b.sets, set), true
		}
	}
	slices.Sort(b.sets)
	b.sets = slices.Compact(b.sets)
	if n := len(pieces) - 1; n >= 0 { // behind the last block, or in place of all
		for q, x := range now.sums {
			pieces[n].sums[q] += x
		}
		add(pieces[n].dearer, now.dearer, 1)
		pieces[n].inside = append(pieces[n].inside, now.inside...)
	} else {
		now.blocks, total = 1, 1
		pieces = append(pieces, now)
	}
	b.cut(pieces, x.Block(total))
	return b
}

// cut adds pieces up, whose blocks have so many iterations.
func (b *blocks) cut(pieces []piece, block float64) {
	over := 0.0
	for i := range pieces {
		p := &pieces[i]
		p.settle()
		over += p.blocks
		at := min(b.n, int64(math.Round(over*block)))
		if i == len(pieces)-1 {
			at = b.n
		}
		if at > b.at[len(b.at)-1] {
			b.at, b.inside = append(b.at, at), append(b.inside, nil)
		}
		b.inside[len(b.at)-1] = append(b.inside[len(b.at)-1], p.inside...)
		for q, x := range p.sums {
			if b.sums[q] == nil {
				b.sums[q] = make([]float64, len(pieces)+1)
			}
			b.sums[q][len(b.at)-1] += x
		}
	}
	for q, sums := range b.sums {
		sums = sums[:len(b.at)]
		for i := range sums[1:] {
			sums[i+1] += sums[i]
		}
		b.sums[q] = sums
	}
}

// sum is a quantity up to each cut point.
func (b *blocks) sum(q quantity) []float64 {
	if sums := b.sums[q]; sums != nil {
		return sums
	}
	return make([]float64, len(b.at))
}

// whole is the time of the blocks with what is executed inside, summed up.
func (b *blocks) whole(kind int) []float64 {
	whole := slices.Clone(b.sum(quantity{ofOwn, 0, kind}))
	add(whole, b.sum(quantity{ofInner, 0, kind}), 1)
	return whole
}

func (b *blocks) curve(sums []float64) loops.Curve {
	c, err := loops.NewCurve(b.at, sums)
	if err != nil {
		panic("estimate: " + err.Error()) // cut points ascend by construction
	}
	return c
}

// curves are those of a quantity, by kind.
func (b *blocks) curves(w what, of, kinds int) []loops.Curve {
	out := make([]loops.Curve, kinds)
	for k := range out {
		out[k] = b.curve(b.sum(quantity{w, of, k}))
	}
	return out
}

// often tells, set by set, how often it is executed.
func (b *blocks) often() []loops.Curve {
	type steps struct {
		at   []int64
		sums []float64
	}
	all := make([]steps, len(b.sets))
	for i, inside := range b.inside {
		for _, x := range inside {
			k, _ := slices.BinarySearch(b.sets, x.set)
			s := &all[k]
			n := len(s.at)
			if n == 0 {
				s.at, s.sums, n = []int64{0}, []float64{0}, 1
			}
			if b.at[i] > s.at[n-1] {
				if b.at[i-1] > s.at[n-1] {
					s.at, s.sums = append(s.at, b.at[i-1]), append(s.sums, s.sums[n-1])
				}
				s.at, s.sums = append(s.at, b.at[i]), append(s.sums, s.sums[n-1])
			}
			s.sums[len(s.sums)-1] += x.times
		}
	}
	out := make([]loops.Curve, len(all))
	for i, s := range all {
		if n := len(s.at); s.at[n-1] < b.n {
			s.at, s.sums = append(s.at, b.n), append(s.sums, s.sums[n-1])
		}
		c, err := loops.NewCurve(s.at, s.sums)
		if err != nil {
			panic("estimate: " + err.Error()) // as above
		}
		out[i] = c
	}
	return out
}

// lanes are the blocks of a loop, with what is executed in them, each a lane of its own.
// Blocks that are time alone are divided as the longest of them.
func (b *blocks) lanes(kinds int) [][]table.Part {
	var out [][]table.Part
	rest, longest := make([]float64, kinds), 0.0
	for i := 1; i < len(b.at); i++ {
		own := make([]float64, kinds)
		for k := range own {
			sums := b.sum(quantity{ofOwn, 0, k})
			own[k] = sums[i] - sums[i-1]
		}
		var inside []table.Part
		for _, x := range b.inside[i] {
			inside = append(inside, table.Part{Set: x.set, Times: x.times, Own: make([]float64, kinds)})
		}
		if inside != nil {
			out = append(out, append(inside, table.Part{Set: -1, Own: own}))
			continue
		}
		add(rest, own, 1)
		longest = math.Max(longest, slices.Max(own)/float64(b.at[i]-b.at[i-1]))
	}
	if slices.Max(rest) > 0 || out == nil {
		out = append(out, divide(rest, longest, divisions)...)
	}
	// All executions of a construct have as many lanes.
	lanes := make([][]table.Part, divisions)
	for i, parts := range out {
		lanes[i%divisions] = append(lanes[i%divisions], parts...)
	}
	for i := len(out); i < divisions; i++ {
		lanes[i] = []table.Part{{Set: -1, Own: make([]float64, kinds)}}
	}
	return lanes
}

// executed is how often something is executed in some chunks, in whole numbers whose sum
// over all chunks is right.
func executed(c loops.Curve, chunks []loops.Chunk) float64 {
	sum := 0.0
	for _, k := range chunks {
		sum += math.Round(c.Work(0, k.End)) - math.Round(c.Work(0, k.Begin))
	}
	return sum
}

// worked is how much of a curve lies in some chunks.
func worked(c loops.Curve, chunks []loops.Chunk) float64 {
	sum := 0.0
	for _, k := range chunks {
		sum += c.Work(k.Begin, k.End)
	}
	return sum
}
