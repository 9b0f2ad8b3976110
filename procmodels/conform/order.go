package conform

// This file asks about the same blocks in another order and in other company.

import "math/rand"

func (k *kit) order() outcome {
	const do = "price each block from its own function and the program, never from what was priced before it"
	rng := rand.New(rand.NewSource(11))
	n := 0
	for _, s := range k.ordinary() {
		first, err := k.sound(s)
		if err != nil {
			return skipped(noAnswer)
		}
		for range 2 {
			other, to, ok := s.shuffled(rng)
			if !ok {
				continue
			}
			costs, err := k.price(k.ctx, k.model, other)
			if err == nil {
				err = costs.Check(other.Program)
			}
			if err != nil {
				return failed(do, "in another order: %v", err)
			}
			if d := differ(s, first, costs, rounding, to); d != "" {
				return failed(do, "in another order: %s", d)
			}
			n++
		}
	}
	if n == 0 {
		return skipped("no program has an order to change")
	}
	return passed("%s", count(n, "order"))
}

// company prices the functions that call no function of the program alone.
func (k *kit) company() outcome {
	const do = "price each block from its own function, never from other functions of the program"
	n := 0
	for _, s := range k.ordinary() {
		first, err := k.sound(s)
		if err != nil {
			return skipped(noAnswer)
		}
		asked := 0
		for fn := range s.Program.Funcs {
			if asked == 4 {
				break // enough of one program
			}
			alone, ok := s.alone(fn)
			if !ok {
				continue
			}
			asked++
			costs, err := k.price(k.ctx, k.model, alone)
			if err == nil {
				err = costs.Check(alone.Program)
			}
			if err != nil {
				return failed(do, "function %q alone: %v", s.Program.Funcs[fn].Name, err)
			}
			if d := differ(s, first, costs, rounding, func(p place) (place, bool) { return place{0, p.block}, p.fn == fn }); d != "" {
				return failed(do, "in company, then alone: %s", d)
			}
			n++
		}
	}
	if n == 0 {
		return skipped("no function can stand alone")
	}
	return passed("%s", count(n, "function"))
}
