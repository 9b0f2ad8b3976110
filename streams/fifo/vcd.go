package fifo

// This file writes a run as waveforms.

import (
	"io"

	"pathspan/streams/waves"
)

// VCD plays the first cycles of a network, most of them at most, and writes the level of each
// FIFO, and of each module whether it runs, waits as a FIFO is full, or waits as one is empty. It
// says how many cycles were written, and whether they are all that there are.
func VCD(n *Network, out io.Writer, most int64) (cycles int64, whole bool, err error) {
	s := start(n, n.depths())
	w := waves.New(out, "a unit of time is a cycle; levels are tokens")
	w.Scope("network")
	w.Scope("fifos")
	var levels []int
	for _, q := range n.FIFOs {
		bits := 32
		if q.Depth >= 1<<31 {
			bits = 64
		}
		levels = append(levels, w.Number(q.Name, bits))
	}
	w.Up()
	var states [][3]int
	for _, m := range n.Modules {
		w.Scope(m.Name)
		states = append(states, [3]int{w.Wire("runs"), w.Wire("waits_full"), w.Wire("waits_empty")})
		w.Up()
	}
	w.Up()
	s.observe = func() {
		for f, level := range s.level {
			w.Set(s.now, levels[f], level)
		}
		for i := range s.modules {
			for k, is := range s.modules[i].doing() {
				w.Set(s.now, states[i][k], is)
			}
		}
	}
	for s.now < most {
		if whole, err = s.cycle(); whole || err != nil {
			break
		}
	}
	cycles = min(s.now, most)
	if err == nil {
		err = w.End(cycles)
	}
	return cycles, whole, err
}

// doing says with a 1 whether a module runs, and what it waits for.
func (m *module) doing() (is [3]int64) {
	switch {
	case m.done:
	case m.status != frozen && m.status != starves:
		is[0] = 1
	default:
		for _, k := range m.holders() {
			if m.accesses[k].write {
				is[1] = 1
			} else {
				is[2] = 1
			}
		}
	}
	return is
}
