package conform

// This file holds a model to its claim that instructions add up.

import (
	"fmt"
	"math/rand"
	"slices"

	"pathspan/ir"
)

// additive prices random instructions in two blocks and in one. How a block ends may
// cost what it likes, so a block with the end alone is priced too:
// together + end alone = first part + second part.
func (k *kit) additive() outcome {
	switch {
	case !k.desc.Additive:
		return skipped("it does not claim that a block costs the sum of its instructions")
	case k.desc.NeedsModule:
		return skipped("it needs modules, and none holds the same instructions in other blocks")
	}
	const do = "price instructions one by one, or do not claim to be additive"
	rng := rand.New(rand.NewSource(5))
	p := program()
	const trials = 100
	line := 0
	some := func() []ir.Instr {
		var list []ir.Instr
		for range 1 + rng.Intn(12) {
			line++
			list = append(list, instr(kinds[rng.Intn(len(kinds))], line))
		}
		return list
	}
	addFunc(p, "end", nil)
	for i := range trials {
		a, b := some(), some()
		addFunc(p, fmt.Sprint("first", i), slices.Clone(a))
		addFunc(p, fmt.Sprint("second", i), slices.Clone(b))
		addFunc(p, fmt.Sprint("both", i), slices.Concat(a, b))
	}
	s := invented("the halves of blocks", p)
	costs, err := k.sound(s)
	if err != nil {
		return failed(do, "%s: %v", s.name, err)
	}
	end := costs.Blocks[0][0].Cycles
	for i := range trials {
		of := func(part int) float64 { return costs.Blocks[1+3*i+part][0].Cycles }
		if !alike(of(0)+of(1), of(2)+end, rounding) {
			return failed(do, "%d instructions cost %g cycles in two blocks, and %g in one with an end to spare",
				len(p.Funcs[3+3*i].Blocks[0].Instrs)-1, of(0)+of(1), of(2)+end)
		}
	}
	return passed("%d blocks in two parts", trials)
}
