package loops

// This file computes the chunks of auto loops, which libomp gives its analytical guided
// schedule.

import "math/big"

// extended is the precision of x86-64's long double, in bits. Where it has another format
// (quadruple precision on AArch64, double on some systems) a chunk can end an iteration
// earlier or later than here.
const extended = 64

// analytic returns what schedule(auto) begins with (kmp_sch_guided_analytical_chunked,
// what libomp maps auto to, with a chunk of 1): after k chunks, n*x^k iterations remain,
// rounded up, where x is (2t-1)/(2t) for t threads. It goes on until the k-th chunk would be
// no larger than the one given; single iterations follow.
//
// Products are rounded to a long double in the order in which __kmp_pow (kmp_dispatch.h)
// makes them, so that the chunks of the longest loops are libomp's to the iteration.
func analytic(n int64, threads int) func(*Dispenser) int64 {
	x := long().SetFloat64(1 - 0.5/float64(threads))
	cross := crossover(x, n, threads)
	k := uint64(0)
	return func(d *Dispenser) int64 {
		// A chunk that rounding leaves empty is passed over.
		for k < cross {
			k++
			if end := n - remaining(x, n, k); end > d.at {
				return end
			}
		}
		return d.at
	}
}

func long() *big.Float { return new(big.Float).SetPrec(extended) }

func power(x *big.Float, y uint64) *big.Float {
	s, square := long().SetInt64(1), long().Set(x)
	for ; y > 0; y >>= 1 {
		if y&1 != 0 {
			s.Mul(s, square)
		}
		square.Mul(square, square)
	}
	return s
}

// remaining returns the iterations that are left after k chunks.
func remaining(x *big.Float, n int64, k uint64) int64 {
	left := power(x, k)
	left.Mul(left, long().SetInt64(n))
	whole, accuracy := left.Int64()
	if accuracy != big.Exact {
		whole++
	}
	return whole
}

// crossover returns the number of chunks that are larger than the one given, which is 1:
// the first k for which x^k is at most (2*1+1)*threads/n, by libomp's own bisection, as
// rounded powers need not fall evenly.
func crossover(x *big.Float, n int64, threads int) uint64 {
	target := long().SetInt64(3 * int64(threads))
	target.Quo(target, long().SetInt64(n))
	left, right := uint64(0), uint64(229)
	if p := power(x, right); p.Cmp(target) > 0 {
		for {
			p.Mul(p, p)
			right <<= 1
			if p.Cmp(target) <= 0 || right >= 1<<27 {
				break
			}
		}
		left = right >> 1
	}
	for left+1 < right {
		middle := (left + right) / 2
		if power(x, middle).Cmp(target) > 0 {
			left = middle
		} else {
			right = middle
		}
	}
	return right
}
