package replay

// This file keeps how long the executions of a region took, in bounded memory.

import "math"

// Distribution describes the executions of a region, in cycles of the serial processor.
type Distribution struct {
	Count      uint64
	Parallel   float64 // sum over the executions
	Sequential float64 // sum, one section after the other on the serial processor
	Min, Max   float64 // parallel
	buckets    map[int]uint64
	last       float64 // parallel time of the execution before, and its bucket:
	lastBucket int     // many take as long as the one before
}

// perOctave buckets to a factor of two give quantiles to about 1 %.
const perOctave = 64

func (d *Distribution) add(parallel, sequential float64) {
	if d.Count == 0 || parallel < d.Min {
		d.Min = parallel
	}
	if d.Count == 0 || parallel > d.Max {
		d.Max = parallel
	}
	d.Count++
	d.Parallel += parallel
	d.Sequential += sequential
	if d.buckets == nil {
		d.buckets = map[int]uint64{}
	}
	if parallel != d.last || d.Count == 1 {
		d.last, d.lastBucket = parallel, bucket(parallel)
	}
	d.buckets[d.lastBucket]++
}

func bucket(x float64) int {
	if x < 1 {
		return -1
	}
	return int(math.Log2(x) * perOctave)
}

// Quantile returns the time that a share q of the executions do not pass, to about 1 %;
// 0 when there was none.
func (d *Distribution) Quantile(q float64) float64 {
	if d.Count == 0 {
		return 0
	}
	want, seen := uint64(math.Ceil(q*float64(d.Count))), uint64(0)
	for b := bucket(d.Min); b <= bucket(d.Max); b++ {
		if seen += d.buckets[b]; seen >= max(want, 1) {
			if b < 0 {
				return d.Min
			}
			return min(max(math.Exp2((float64(b)+0.5)/perOctave), d.Min), d.Max)
		}
	}
	return d.Max
}
