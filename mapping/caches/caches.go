// Package caches says how often caches miss, of any size, from one record of how far apart
// lines are used again: in how many accesses a line was the k-th of those used last.
//
//	h := caches.Histogram{{Lines: caches.First, Times: 20}, {Lines: 2, Times: 900}, {Lines: 3, Times: 80}}
//	misses := caches.Cache{Size: 32 << 10, Line: 64, Ways: 4}.Misses(h)
//
// A fully associative cache that replaces the line used longest ago holds the lines used
// last, whatever the program (R. L. Mattson and others, IBM Systems Journal 9, 1970). Of a
// set-associative one it is assumed that each line lies in any set by chance, so that how many of
// the lines used since fell into one set follows a binomial distribution (A. J. Smith, IEEE TSE 4,
// 1978; M. D. Hill and A. J. Smith, IEEE ToC 38, 1989; so does PPT-Multicore, A. Barai and
// others, 2021). docs/accuracy.md has how far that is off cachegrind.
//
// The package knows nothing of programs, processors or time.
package caches

// This file counts misses.

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"gonum.org/v1/gonum/mathext"
)

// RecordedLine is the bytes of the lines that histograms are about.
const RecordedLine = 64

// First stands in Reuse.Lines for a line that was not used before.
const First = -1

// Reuse is how often lines of RecordedLine bytes were used again.
type Reuse struct {
	// Lines is the least number of lines of a fully associative cache in which the line was
	// still: it was among the Lines used last, itself included. 1, 2, 3, 4, 6, 8, 12, 16 and so
	// on stand for all numbers from behind the one before in this list; the uses are taken to be
	// spread over them evenly. Any other number is exact.
	Lines int64
	Times float64
}

// Histogram is the uses of a program, or of a part of it, in any order. Uses of the line used last, which all caches hold, may be left out.
type Histogram []Reuse

// Cache is a cache that replaces the line of a set that was used longest ago, and brings in
// lines that are written as it does those that are read.
type Cache struct {
	Size int64 // bytes
	Line int64 // bytes, a power of two
	Ways int64 // 0 stands for all lines in one set
}

// Check reports what no cache can be.
func (c Cache) Check() error {
	pow2 := func(x int64) bool { return x > 0 && bits.OnesCount64(uint64(x)) == 1 }
	switch {
	case !pow2(c.Line):
		return fmt.Errorf("a line of %d bytes: want a power of two", c.Line)
	case c.Line > RecordedLine:
		return fmt.Errorf("a line of %d bytes: profiles tell lines of %d bytes apart: want %[2]d or less", c.Line, RecordedLine)
	case c.Ways < 0 || c.Size <= 0 || c.Size%c.Line != 0:
		return fmt.Errorf("%d bytes in lines of %d: want a multiple", c.Size, c.Line)
	case c.Ways > 0 && (c.Size%(c.Line*c.Ways) != 0 || !pow2(c.Size/(c.Line*c.Ways))):
		return fmt.Errorf("%d bytes in lines of %d, %d ways: want line x ways x a power of two", c.Size, c.Line, c.Ways)
	}
	return nil
}

// sets is the number of sets of recorded lines: shorter ones of one such lie in sets side by
// side.
func (c Cache) sets() int64 {
	if c.Ways == 0 {
		return 1
	}
	return max(1, c.Size/(RecordedLine*c.Ways))
}

// Exact reports whether the histogram's lines are the cache's. Shorter ones are an
// approximation: the parts of a recorded line are taken to be used together, each bringing in
// its own, as where arrays are passed through.
func (c Cache) Exact() bool { return c.Line == RecordedLine }

// Misses returns how many of the uses miss, first uses among them.
func (c Cache) Misses(h Histogram) float64 { return c.MissesAt(h, 1) }

// MissesAt returns how many miss where so many times as many others lie between two uses of a line: of a program of which others have a part, which have
// caches of their own, times the part of the lines that this one sees.
func (c Cache) MissesAt(h Histogram, times float64) float64 {
	lines := c.Size / RecordedLine
	ways, sets := lines/c.sets(), c.sets()
	misses := 0.0
	for _, r := range h {
		if r.Lines == First {
			misses += r.Times
			continue
		}
		above, upTo := scaled(r.Lines, times)
		switch sets {
		case 1:
			misses += r.Times * beyond(above, upTo, lines)
		default:
			misses += r.Times * (1 - stays(above, upTo, ways, 1/float64(sets)))
		}
	}
	return misses * float64(RecordedLine/c.Line)
}

// Behind returns the number behind which a group that ends at another begins.
func Behind(end int64) int64 {
	switch odd := end >> bits.TrailingZeros64(uint64(end)); {
	case odd == 1 && end >= 4:
		return end / 4 * 3
	case odd == 3 && end > 3:
		return end / 3 * 2
	}
	return end - 1
}

// beyond is the share of the numbers above one and up to another that exceed a limit.
func beyond(above, upTo, limit int64) float64 {
	switch {
	case limit >= upTo:
		return 0
	case limit <= above:
		return 1
	}
	return float64(upTo-limit) / float64(upTo-above)
}

// points is at how many numbers of a group the chance to hit is asked for, which is smooth.
const points = 8

// stays is the chance that a line is still in its set: that of the others used since, one less than the number, each of
// which is there with a chance, at most ways-1 are. It is the mean over the numbers above one and up to another.
func stays(above, upTo, ways int64, each float64) float64 {
	key := group{above, upTo, ways, each}
	known.RLock()
	mean, ok := known.stays[key]
	known.RUnlock()
	if ok {
		return mean
	}
	n := min(points, upTo-above)
	for i := range n {
		if others := above + ((2*i+1)*(upTo-above)+n)/(2*n) - 1; others < ways {
			mean++
		} else { // the binomial distribution function, as the regularised incomplete beta function
			mean += mathext.RegIncBeta(float64(others-ways+1), float64(ways), 1-each)
		}
	}
	mean /= float64(n)
	known.Lock()
	defer known.Unlock()
	if len(known.stays) == mostKnown {
		clear(known.stays)
	}
	known.stays[key] = mean
	return mean
}

// known has what stays found last: of few groups and caches the same is asked for each lane, mapping and draw of costs,
// and took nine tenths of the time of an estimate with memory.
var known = struct {
	sync.RWMutex
	stays map[group]float64
}{stays: map[group]float64{}}

const mostKnown = 1 << 15

type group struct {
	above, upTo, ways int64
	each              float64
}

// Conflict is how often lines were used again behind so many lines of the same set of a cache that has 2^Log sets, the
// line itself included: a sample of the uses of a program, or of a part of it, which lie 3 lines apart or more. Those of
// one set say how far apart they lie.
type Conflict struct {
	Log   int
	Lines int64 // in groups as those of Reuse.Lines
	Times float64
}

// These bound the distances of which conflicts are sampled: above the first, and up to the second or the farthest of the sample, as
// samples of older profiles end there.
const sampledAbove, sampledTo = 2, 1 << 12

// MissesOf returns how many of the uses miss where a sample says which lines share sets: of those as far apart as the sample's as many
// times more than by chance as of that. Times is that of MissesAt: as many times as many lines of a set lie between, too.
func (c Cache) MissesOf(h Histogram, sample []Conflict, times float64) float64 {
	lines := c.Size / RecordedLine
	ways, sets := lines/c.sets(), c.sets()
	log := bits.TrailingZeros64(uint64(sets))
	real, chance, lots, farthest := 0.0, 0.0, 0.0, int64(sampledTo)
	for i := range sample {
		x := &sample[i]
		above, upTo := scaled(x.Lines, times)
		switch x.Log {
		case log:
			if real += x.Times * beyond(above, upTo, ways); times < 1 {
				lots += x.Times * (1 - stays(Behind(x.Lines), x.Lines, ways, times))
			}
		case 0:
			chance += x.Times * (1 - stays(above, upTo, ways, 1/float64(sets)))
			farthest = max(farthest, x.Lines)
		}
	}
	if log == 0 || chance <= 0 {
		return c.MissesAt(h, times)
	}
	if times < 1 {
		even := 1 - min(1, uneven(sample, log, lines, ways)/(times*(1-times)))
		real = even*real + (1-even)*lots
	}
	var apart, others Histogram
	for _, r := range h {
		if r.Lines > sampledAbove && r.Lines <= farthest {
			apart = append(apart, r)
		} else {
			others = append(others, r)
		}
	}
	return c.MissesAt(others, times) + c.MissesAt(apart, times)*real/chance
}

// MissesBeside is MissesOf where others have so many lines of the cache between two uses, as many in each set: programs that execute one loop
// on several processors walk through arrays that fill sets evenly, at other places of them.
func (c Cache) MissesBeside(h Histogram, sample []Conflict, others float64) float64 {
	sets := c.sets()
	left := float64(c.Size/RecordedLine/sets) - others/float64(sets)
	with := func(ways int64) (misses float64) {
		if ways > 0 {
			fewer := c
			if fewer.Size = ways * sets * RecordedLine; c.Ways > 0 {
				fewer.Ways = ways
			}
			return fewer.MissesOf(h, sample, 1)
		}
		for _, r := range h {
			misses += r.Times
		}
		return misses * float64(RecordedLine/c.Line)
	}
	all := math.Floor(left)
	if left == all {
		return with(int64(all))
	}
	return (1-(left-all))*with(int64(all)) + (left-all)*with(int64(all)+1)
}

// uneven is how much lines in a set vary for one distance, of those that a cache does not hold, as a part of their number: 0 where arrays
// fill sets evenly, and 1 by chance. Groups of distances and of lines in a set are alike, so that what they leave open cancels.
func uneven(sample []Conflict, log int, lines, ways int64) float64 {
	moments := func(log int, beyond int64, scale float64) (mean, variance float64) {
		n, sum, squares := 0.0, 0.0, 0.0
		for i := range sample {
			if x := &sample[i]; x.Log == log && x.Lines > beyond {
				low, high := float64(Behind(x.Lines))/scale, float64(x.Lines)/scale
				n, sum, squares = n+x.Times, sum+x.Times*(low+high)/2, squares+x.Times*(low*low+low*high+high*high)/3
			}
		}
		if n == 0 {
			return 0, 0
		}
		return sum / n, squares/n - sum/n*sum/n
	}
	mean, all := moments(log, ways, 1)
	_, far := moments(0, lines, float64(int64(1)<<log))
	if mean == 0 {
		return 1
	}
	return min(1, max(0, all-far)/mean)
}

// scaled is the numbers of a group, each times a factor: those above one and up to another.
func scaled(lines int64, times float64) (above, upTo int64) {
	above, upTo = int64(math.Round(times*float64(Behind(lines)))), int64(math.Round(times*float64(lines)))
	return above, max(upTo, above+1)
}
