package formula

// This file runs tapes. Every product is rounded before it is added, so that the results
// are the same to the last bit on all machines, and those of formula.js.

import "math"

// machine holds the values of one run.
type machine struct {
	f       *Formula
	inputs  []float64
	values  []float64
	endless bool // a system had no solution
	rounds  int  // of all systems so far
	// While a system is solved: by how much each value grows with each unknown, nil
	// where it does not.
	slopes   [][]float64
	unknowns int
}

func (f *Formula) run(inputs []float64) (out []float64, endless bool) {
	m := &machine{f: f, inputs: inputs, values: make([]float64, f.values)}
	end := len(f.steps) - 1
	m.steps(0, end)
	for i := range f.steps[end].forms {
		out = append(out, m.sum(&f.steps[end].forms[i]))
	}
	return out, m.endless
}

func (m *machine) steps(from, to int) {
	for i := from; i < to; i++ {
		s := &m.f.steps[i]
		switch s.op {
		case opSeconds:
			m.values[s.first] = 1 / float64(m.inputs[s.input]*1e6)
		case opProduct:
			m.values[s.first] = m.inputs[s.input] * m.values[s.value]
		case opSum:
			m.set(s.first, m.sum(&s.forms[0]), &s.forms[0])
		case opMax:
			m.maxima(s)
		case opUnknown:
			if s.end > i {
				m.solve(i, s.end)
				i = s.end
			}
		}
	}
}

func (m *machine) set(value int, x float64, f *form) {
	m.values[value] = x
	if m.slopes != nil {
		m.slopes[value] = m.slope(f)
	}
}

func (m *machine) sum(f *form) float64 {
	x := 0.0
	for i, id := range f.ids {
		x += float64(f.coefs[i] * m.values[id])
	}
	return x
}

// slope is by how much a sum grows with each unknown.
func (m *machine) slope(f *form) []float64 {
	var out []float64
	for i, id := range f.ids {
		s := m.slopes[id]
		if s == nil {
			continue
		}
		if out == nil {
			out = make([]float64, m.unknowns)
		}
		for u := range s {
			out[u] += float64(f.coefs[i] * s[u])
		}
	}
	return out
}

// maxima makes the values of a step of maxima. The first of equal sums counts.
func (m *machine) maxima(s *step) {
	coefs := s.coefs
	for r := range s.rows {
		largest, chosen := 0.0, form{}
		for a := range s.forms {
			f := form{s.forms[a].ids, coefs[:len(s.forms[a].ids)]}
			coefs = coefs[len(f.ids):]
			if x := m.sum(&f); a == 0 || x > largest || math.IsNaN(x) {
				largest, chosen = x, f
			}
		}
		m.set(s.first+r, largest, &chosen)
	}
}

// The most rounds of the search for one solution, in which each choice of maxima is met
// once at most, and of all searches, as systems can lie within systems.
const (
	mostRounds = 1000
	allRounds  = 10_000
)

// solve finds the least solution of the system that the steps from to end make, by
// Newton's method for convex functions: the maxima choose one sum each, the linear system
// of these is solved, until the choices hold. From 0 it climbs to the solution. Without
// one the unknowns are no numbers.
func (m *machine) solve(from, end int) {
	s := &m.f.steps[end]
	n := len(s.ids)
	outer, outerUnknowns := m.slopes, m.unknowns
	m.slopes, m.unknowns = make([][]float64, m.f.values), n
	x := make([]float64, n)
	for u, id := range s.ids {
		m.values[id] = 0
		m.slopes[id] = make([]float64, n)
		m.slopes[id][u] = 1
	}
	last, solved := math.Inf(1), false
	for n := 0; n < mostRounds && m.rounds < allRounds; n++ {
		m.rounds++
		m.steps(from+1, end)
		next := m.tangent(s, x)
		if next == nil {
			break
		}
		change := 0.0
		for u, id := range s.ids {
			change = math.Max(change, math.Abs(next[u]-x[u])/math.Max(math.Abs(next[u]), math.SmallestNonzeroFloat64))
			x[u], m.values[id] = next[u], next[u]
		}
		if change < 1e-14 || change < 1e-10 && change >= last {
			solved = true
			break
		}
		last = change
	}
	if !solved {
		m.endless = true
		for _, id := range s.ids {
			m.values[id] = math.NaN()
		}
	}
	m.steps(from+1, end) // what else depends on the unknowns
	m.slopes, m.unknowns = outer, outerUnknowns
}

// tangent solves the linear system of the sums that the maxima chose; nil when it has no
// solution that can be times.
func (m *machine) tangent(s *step, x []float64) []float64 {
	n := len(s.ids)
	a, b := make([][]float64, n), make([]float64, n)
	for u := range s.ids {
		a[u] = make([]float64, n)
		a[u][u] = 1
		b[u] = m.sum(&s.forms[u])
		if slope := m.slope(&s.forms[u]); slope != nil {
			for v := range n {
				a[u][v] -= slope[v]
				b[u] -= float64(slope[v] * x[v])
			}
		}
	}
	for c := range n { // Gauss's elimination, with the largest pivot
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		a[c], a[p], b[c], b[p] = a[p], a[c], b[p], b[c]
		if a[c][c] == 0 {
			return nil
		}
		for r := c + 1; r < n; r++ {
			w := a[r][c] / a[c][c]
			for k := c; k < n; k++ {
				a[r][k] -= float64(w * a[c][k])
			}
			b[r] -= float64(w * b[c])
		}
	}
	largest := 0.0
	for r := n - 1; r >= 0; r-- {
		for k := r + 1; k < n; k++ {
			b[r] -= float64(a[r][k] * b[k])
		}
		b[r] /= a[r][r]
		largest = math.Max(largest, math.Abs(b[r]))
	}
	for _, v := range b {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < -1e-9*largest {
			return nil
		}
	}
	return b
}
