package loops

// This file hands out the chunks of dynamic, guided and auto loops.

import "math/bits"

// Dispenser hands out the chunks of a loop one after another. Which chunks there are does
// not depend on who asks; in a nonmonotonic dynamic loop (see Schedule.Steals) only the order
// in which they are asked for does.
type Dispenser struct {
	n, at, chunk int64
	threads      int
	guide        func(*Dispenser) int64 // the end of the next chunk, while larger ones are due
}

// NewDispenser returns the dispenser of n iterations for threads under a schedule that is
// dynamic, guided or auto. Static and runtime schedules are not dispensed: Share has the
// former, and Environment says what the latter are.
//
// The chunk is 1 where none is given. A team of one is serialised by libomp and has the
// whole loop in one chunk (kmp_dispatch.cpp, __kmp_dispatch_next).
func NewDispenser(s Schedule, n int64, threads int) *Dispenser {
	if s.Kind == Static || s.Kind == Runtime {
		panic("loops.NewDispenser: a " + s.Kind.String() + " loop is not dispensed")
	}
	d := &Dispenser{n: max(n, 0), chunk: max(s.Chunk, 1), threads: threads}
	if s.Kind == Auto {
		d.chunk = 1
	}
	switch {
	case threads == 1:
		d.chunk = max(d.n, 1)
	case s.Kind == Dynamic || !d.wide():
	case s.Kind == Guided:
		d.guide = halves
	case s.Kind == Auto:
		d.guide = analytic(d.n, d.threads)
	}
	return d
}

// wide reports whether a loop is long enough for libomp to begin with chunks larger than
// the one given: twice that and one more for each thread.
func (d *Dispenser) wide() bool {
	hi, least := bits.Mul64(2*uint64(d.chunk)+1, uint64(d.threads))
	return hi == 0 && least < uint64(d.n)
}

// Next returns the next chunk, and false when there is none left.
func (d *Dispenser) Next() (Chunk, bool) {
	if d.at >= d.n {
		return Chunk{}, false
	}
	begin := d.at
	if d.guide != nil {
		if end := d.guide(d); end > begin {
			d.at = end
			return Chunk{begin, end}, true
		}
		d.guide = nil
	}
	d.at += min(d.chunk, d.n-begin)
	return Chunk{begin, d.at}, true
}

// halves is libomp's guided schedule (kmp_sch_guided_iterative_chunked, its default): a
// chunk is the remaining iterations divided by twice the number of threads, until fewer
// remain than twice the threads times one more than the chunk given.
func halves(d *Dispenser) int64 {
	remaining := d.n - d.at
	hi, few := bits.Mul64(2*uint64(d.threads), uint64(d.chunk)+1)
	if hi != 0 || uint64(remaining) < few {
		return d.at
	}
	// In doubles as libomp has them, which tells for loops of more than 2^53 iterations.
	part := 0.5 / float64(d.threads)
	return d.at + int64(float64(remaining)*part)
}
