package estimate

// This file solves recursive functions whose tasks run in parallel.

import (
	"fmt"

	"pathspan/estimate/recursion"
)

// circle is the system of equations of one component of the call graph: the value
// of each of its functions, in each context in which it is called, as a function of
// those values. It is piecewise linear, as times are sums and maxima.
type circle struct {
	component int
	unknowns  []instance
}

type instance struct {
	hot     int
	context context
}

// recursive returns the value of a recursive function in a context, and solves its
// component first when it is not being solved.
func (v *evaluator) recursive(h int, c context) float64 {
	f := v.e.hot[h]
	start := v.e.serial[f.fn].levels[0][v.kind(c)]
	r := v.recursion
	if r != nil && r.component == v.e.scc[f.fn] {
		r.unknowns = append(r.unknowns, instance{h, c})
		v.values[c][h], v.state[c][h] = start, provisional
		return start
	}
	outer := v.recursion
	r = &circle{component: v.e.scc[f.fn], unknowns: []instance{{h, c}}}
	v.recursion = r
	v.values[c][h], v.state[c][h] = start, provisional
	if err := recursion.Newton(system{v, r}); err != nil {
		v.fail(r)
	}
	v.recursion = outer
	for _, u := range r.unknowns {
		v.state[u.context][u.hot] = known
	}
	return v.values[c][h]
}

// system is a recursion under a mapping, as a system of equations.
type system struct {
	v *evaluator
	r *circle
}

func (s system) Values() []float64 {
	x := make([]float64, len(s.r.unknowns))
	for i, u := range s.r.unknowns {
		x[i] = s.v.values[u.context][u.hot]
	}
	return x
}

func (s system) Assume(x []float64) {
	for i, u := range s.r.unknowns[:len(x)] {
		s.v.values[u.context][u.hot] = x[i]
	}
}

func (s system) Apply() ([]float64, error) {
	var out []float64
	for i := 0; i < len(s.r.unknowns); i++ { // which may grow
		out = append(out, s.v.function(s.r.unknowns[i].hot, s.r.unknowns[i].context))
	}
	return out, nil
}

func (v *evaluator) fail(r *circle) {
	if v.err == nil {
		f := v.e.funcs[v.e.hot[r.unknowns[0].hot].fn].fn.Name
		v.err = fmt.Errorf("estimate: the recursion through %s has no solution under this mapping: each call leads to another on average; map the regions that it reaches to fewer processors, or lower the overheads", f)
	}
}
