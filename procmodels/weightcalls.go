package procmodels

// This file lends what a weight table knows of calls to models of another kind.

import "pathspan/ir"

// CallPrices returns what a weight table says of the calls and intrinsics of a subject, false for a model of
// another kind. The function is not safe for concurrent use.
func CallPrices(m Model, s *Subject) (price func(in *ir.Instr) Price, ok bool) {
	t, ok := m.(*weightTable)
	if !ok {
		return nil, false
	}
	p := newPricer(t, s.moved())
	return func(in *ir.Instr) Price { return *p.call(in) }, true
}
