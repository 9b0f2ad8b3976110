package pathprof

// This file guesses how often blocks run, before anything has run: each way out of a
// block or of a loop is taken as often as the others, and loops iterate some times.

// guessedTrips is how often a loop is taken to iterate.
const guessedTrips = 8

// often returns, by block, how often it is guessed to run for each time that the function
// is entered.
func (n *Numbering) often() []float64 {
	c := n.CFG
	blocks, loops := make([]float64, len(c.Succs)), make([]float64, len(c.Loops))
	for l := -1; l < len(c.Loops); l++ { // outer loops before inner ones
		g := n.levelGraph(l)
		at := map[node]float64{g.order[0]: 1}
		if l >= 0 {
			at[g.order[0]] = loops[l] * guessedTrips
		}
		for _, v := range g.order {
			ways := 0
			if v.block >= 0 {
				blocks[v.block] = at[v]
				ways = len(c.Succs[v.block])
			} else {
				loops[v.loop] = at[v]
				ways = len(c.Loops[v.loop].Exits)
			}
			n.eachSuccessor(l, v, func(w node) { at[w] += at[v] / float64(ways) })
		}
	}
	return blocks
}
