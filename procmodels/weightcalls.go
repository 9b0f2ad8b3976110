package procmodels

// This file lends what a weight table knows of calls to models of another kind.

import "pathspan/ir"

// CallPrices returns what a weight table says of calls and intrinsics, false for a model of
// another kind. The function is not safe for concurrent use.
func CallPrices(m Model) (price func(in *ir.Instr) Price, ok bool) {
	t, ok := m.(*weightTable)
	if !ok {
		return nil, false
	}
	p := newPricer(t)
	return func(in *ir.Instr) Price { return *p.call(in) }, true
}
