package formula

// This file reads tapes. A tape is a list of numbers: steps one after the other, each an
// operation and its operands. A step makes one value or more, which are numbered from 0 in
// the order of the tape; report/page/formula.js reads the same tape.
//
//	0 input                  the seconds of a cycle at a clock in MHz: 1/(input*1e6)
//	1 input value            input times value: the time of an overhead
//	2 form                   a sum
//	3 A R shape... coefs...  R maxima of A sums, each maximum a value: A shapes (n, then n
//	                         values), then for each maximum the coefficients of its sums;
//	                         -1-value has a coefficient that is the same wherever there is
//	                         such a one, and stands once before the others
//	4                        an unknown
//	5 first n (value form)*n the system in which unknown value is form; it stretches from
//	                         the value first, its first unknown, to here; makes no value
//	6 n form*n               the outputs; ends the tape
//
// A form is n terms and their number before them: value, coefficient; or, for values that
// follow each other, -length, first value, coefficients.

import (
	"fmt"
	"math"
	"slices"
)

// Operations.
const (
	opSeconds = iota
	opProduct
	opSum
	opMax
	opUnknown
	opSolve
	opOutputs
)

// step is a step of a tape.
type step struct {
	op    int
	first int // the first value that it makes
	input int
	value int
	forms []form // opMax: the shapes, without coefficients
	coefs []float64
	rows  int
	ids   []int // opSolve: the unknowns
	end   int   // opUnknown: the step that solves its system, where it is the first of it, else -1
}

// form is a sum of values times coefficients.
type form struct {
	ids   []int
	coefs []float64
}

// reader reads the numbers of a tape.
type reader struct {
	tape []float64
	at   int
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("formula: tape, number %d: %s", r.at, fmt.Sprintf(format, args...))
	}
}

func (r *reader) number() float64 {
	if r.err != nil {
		return 0
	}
	if r.at >= len(r.tape) {
		r.fail("it ends within a step")
		return 0
	}
	x := r.tape[r.at]
	r.at++
	return x
}

// whole reads a whole number from low to below high.
func (r *reader) whole(low, high int) int {
	x := r.number()
	if r.err == nil && (x != math.Trunc(x) || x < float64(low) || x >= float64(high)) {
		r.fail("%g: want a whole number from %d to %d", x, low, high-1)
	}
	if r.err != nil {
		return low
	}
	return int(x)
}

// size reads how many of something follow, each of at least one number.
func (r *reader) size() int { return r.whole(0, len(r.tape)-r.at+1) }

// rows reads the coefficients of n maxima. Those that are alike stand once, before the
// others.
func (r *reader) rows(n int, alike []bool) []float64 {
	one := slices.Contains(alike, true)
	numbers := 0
	for _, yes := range alike {
		if !yes {
			numbers++
		}
	}
	if one {
		numbers++
	}
	if r.err == nil && (n > (len(r.tape)-r.at)/numbers || len(alike) > mostCommon*numbers) {
		r.fail("%d maxima of %d coefficients", n, len(alike))
	}
	var out []float64
	for row := 0; row < n && r.err == nil; row++ {
		same := 0.0
		if one {
			same = r.number()
		}
		for _, yes := range alike {
			if yes {
				out = append(out, same)
			} else {
				out = append(out, r.number())
			}
		}
	}
	return out
}

// form reads a form of values below known.
func (r *reader) form(known int) form {
	var f form
	for n := r.size(); len(f.ids) < n && r.err == nil; {
		id, length := r.whole(-n, max(known, 1)), 1
		if id < 0 {
			length = -id
			id = r.whole(0, known-length+1)
		} else if known == 0 {
			r.fail("a term before all values")
		}
		for i := range length {
			f.ids, f.coefs = append(f.ids, id+i), append(f.coefs, r.number())
		}
	}
	return f
}

// read fills steps from Tape.
func (f *Formula) read() error {
	r := &reader{tape: f.Tape}
	f.steps, f.values = nil, 0
	unknown := map[int]int{} // value: step
	for r.err == nil {
		s := step{op: r.whole(0, opOutputs+1), first: f.values, end: -1}
		made := 1
		switch s.op {
		case opSeconds:
			s.input = r.whole(0, len(f.Inputs))
		case opProduct:
			s.input, s.value = r.whole(0, len(f.Inputs)), r.whole(0, f.values)
		case opSum:
			s.forms = []form{r.form(f.values)}
		case opMax:
			args, alike := r.size(), []bool(nil)
			s.rows = r.size()
			for range args {
				var g form
				for range r.size() {
					id := r.whole(-f.values, f.values)
					if alike = append(alike, id < 0); id < 0 {
						id = -1 - id
					}
					g.ids = append(g.ids, id)
				}
				s.forms = append(s.forms, g)
			}
			if r.err == nil && (len(alike) == 0 || s.rows == 0) {
				r.fail("%d maxima of %d terms", s.rows, len(alike))
			}
			made = s.rows
			s.coefs = r.rows(s.rows, alike)
		case opUnknown:
			unknown[f.values] = len(f.steps)
		case opSolve:
			made = 0
			s.value = r.whole(0, f.values)
			for range r.size() {
				s.ids = append(s.ids, r.whole(s.value, f.values))
				s.forms = append(s.forms, r.form(f.values))
			}
			for i, u := range s.ids {
				at, ok := unknown[u]
				if !ok {
					r.fail("value %d is no unknown", u)
				} else if delete(unknown, u); i == 0 {
					if u != s.value {
						r.fail("the system begins at value %d, its first unknown is %d", s.value, u)
					}
					f.steps[at].end = len(f.steps)
				}
			}
			if len(s.ids) == 0 {
				r.fail("a system without unknowns")
			}
		case opOutputs:
			made = 0
			for range r.size() {
				s.forms = append(s.forms, r.form(f.values))
			}
			if r.err == nil && len(s.forms) != len(f.Outputs) {
				r.fail("%d outputs, want %d", len(s.forms), len(f.Outputs))
			}
		}
		f.steps = append(f.steps, s)
		f.values += made
		if s.op == opOutputs {
			break
		}
	}
	switch {
	case r.err == nil && r.at < len(f.Tape):
		r.fail("there is more behind the outputs")
	case r.err == nil && len(unknown) > 0:
		r.fail("%d unknowns are in no system", len(unknown))
	}
	return r.err
}
