package fifo

// This file composes what modules take alone by closed formulas, which know nothing of FIFOs.

import "pathspan/streams/composition"

// Composed is how many cycles modules take together: one behind the other, as the states of a
// state machine that is in each once do (equation 3.1; L. Cai, D. Gajski,
// *Introduction of Design-Oriented Profiler of SpecC Language*, section 5.3.1.2), side by side (3.2), and as a pipeline, in which the first data pass through all (3.3).
type Composed struct{ Sequential, Parallel, Pipeline int64 }

// Composed is what formulas say of the modules of a network.
func (n *Network) Composed() Composed {
	var alone, latencies []int64
	for i := range n.Modules {
		alone, latencies = append(alone, n.Modules[i].Alone()), append(latencies, n.Modules[i].Latency)
	}
	return Composed{composition.Sequential(alone...), composition.Parallel(alone...), composition.Dataflow(alone, latencies)}
}
