package loops

// This file splits loops among threads before they run.

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// Chunk is the iterations from Begin up to, but without, End.
type Chunk struct{ Begin, End int64 }

// Len returns how many iterations a chunk has.
func (c Chunk) Len() int64 { return c.End - c.Begin }

// Share is what one thread executes of a statically scheduled loop: chunks of Length
// iterations that begin Step apart, the first at Begin, none past End. Begin is not below
// End where the thread has nothing.
type Share struct{ Begin, Length, Step, End int64 }

// Chunks returns how many chunks a thread has.
func (s Share) Chunks() int64 {
	if s.Begin >= s.End {
		return 0
	}
	return (s.End-1-s.Begin)/s.Step + 1
}

// Chunk returns chunk k of a thread, from 0 up to Chunks.
func (s Share) Chunk(k int64) Chunk {
	begin := s.Begin + k*s.Step
	return Chunk{begin, begin + min(s.Length, s.End-begin)}
}

// All yields the chunks of a thread in the order in which it takes them.
func (s Share) All() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for k := range s.Chunks() {
			if !yield(s.Chunk(k)) {
				return
			}
		}
	}
}

// Share returns what a thread executes of n iterations on threads under the static
// schedule s. It is the same where a loop is ordered, or static by OMP_SCHEDULE, and passes
// through __kmpc_dispatch_init for that.
//
// Without a chunk, shares are consecutive and differ by one iteration at most, the larger
// ones first (kmp_sched.cpp, __kmp_for_static_init, the balanced method); a loop of fewer
// iterations than threads is the same in that. With a chunk, chunks go round
// (kmp_sch_static_chunked). One thread has the whole loop in one piece, whatever the
// chunk: a team of one is serialised.
func (s Schedule) Share(n int64, threads, thread int) Share {
	if n <= 0 {
		return Share{}
	}
	t, team := int64(thread), int64(threads)
	if threads == 1 {
		return Share{0, n, n, n}
	}
	chunk := s.Chunk
	if chunk <= 0 {
		small, extras := n/team, n%team
		begin := t*small + min(t, extras)
		length := small
		if t < extras {
			length++
		}
		return Share{begin, max(length, 1), max(length, 1), begin + length}
	}
	chunk = min(chunk, n)
	begin, past := times(t, chunk)
	if past || begin >= n {
		return Share{n, 1, 1, n}
	}
	step, past := times(team, chunk)
	if past {
		step = n // no thread has a second chunk
	}
	return Share{begin, chunk, step, n}
}

// times multiplies two numbers that are not negative, and reports a product past 63 bits.
func times(a, b int64) (int64, bool) {
	if a != 0 && b > math.MaxInt64/a {
		return 0, true
	}
	return a * b, false
}

// Weighted splits n iterations into consecutive chunks, one for each processor, in
// proportion to shares: pathspan's own schedule for unequal processors. Each gets the whole
// part of what it is due; what is left goes one by one to those with the largest remainder,
// the first among equals. Shares that are not positive and finite get nothing; where none is,
// processor 0 gets all. A processor without iterations has an empty chunk.
func Weighted(n int64, shares []float64) []Chunk {
	n = max(n, 0)
	scale := 0.0 // the largest share, so that sums neither overflow nor vanish
	for _, s := range shares {
		if counts(s) {
			scale = max(scale, s)
		}
	}
	lengths := make([]int64, len(shares))
	if scale == 0 {
		if len(lengths) > 0 {
			lengths[0] = n
		}
		return consecutive(lengths)
	}
	sum := 0.0
	for _, s := range shares {
		if counts(s) {
			sum += s / scale
		}
	}
	remainder := make([]float64, len(shares))
	byRemainder := []int{}
	left := n
	for p, s := range shares {
		if !counts(s) {
			continue
		}
		due := float64(n) * (s / scale / sum)
		whole := math.Floor(due)
		// Rounding can make a share as large as 2^63, or all of them more than n.
		lengths[p] = left
		if whole < float64(left) {
			lengths[p] = int64(whole)
		}
		left -= lengths[p]
		remainder[p] = due - whole
		byRemainder = append(byRemainder, p)
	}
	slices.SortStableFunc(byRemainder, func(a, b int) int { return cmp.Compare(remainder[b], remainder[a]) })
	for i, p := range byRemainder {
		// One each, but for loops so long that rounding left more.
		rest := int64(len(byRemainder) - i)
		one := left / rest
		if left%rest != 0 {
			one++
		}
		lengths[p] += one
		left -= one
	}
	return consecutive(lengths)
}

// counts reports whether a share is one that a processor can be due.
func counts(share float64) bool { return share > 0 && !math.IsInf(share, 1) }

func consecutive(lengths []int64) []Chunk {
	out := make([]Chunk, len(lengths))
	at := int64(0)
	for i, length := range lengths {
		out[i] = Chunk{at, at + length}
		at += length
	}
	return out
}
