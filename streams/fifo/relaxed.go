package fifo

// This file makes a network that is never slower than another, and in which nothing would come
// later if something came earlier: deeper FIFOs cannot make it slower. A pipeline that stalls as a
// whole is that already. One that flushes is not: an iteration that starts early may be the one
// that holds others of it up, which without it had gone on. In its place come the cycles of an
// iteration in which it reads or writes, each a module of its own, with nothing between them but
// the time that has to pass, and as many iterations under way as the pipeline has room for.

// relaxed is such a network. Its first FIFOs are those of the network; the others, which have no
// bound, are between parts of what was one module.
func (n *Network) relaxed() *Network {
	out := &Network{FIFOs: append([]FIFO(nil), n.FIFOs...)}
	for i := range n.Modules {
		if n.Modules[i].flushes() {
			out.take(&n.Modules[i])
		} else {
			out.add(n.Modules[i])
		}
	}
	return out
}

// flushes says whether a pipeline ever takes a bubble in.
func (m *Module) flushes() bool {
	if m.Flush {
		for _, a := range m.Reads {
			if a.At == 0 {
				return true
			}
		}
	}
	return false
}

// add puts a module in, and makes it an end of its FIFOs.
func (n *Network) add(m Module) {
	for _, a := range m.Reads {
		n.FIFOs[a.FIFO].Reader = len(n.Modules)
	}
	for _, a := range m.Writes {
		n.FIFOs[a.FIFO].Writer = len(n.Modules)
	}
	n.Modules = append(n.Modules, m)
}

// link makes a FIFO between parts.
func (n *Network) link(tokens int64) int {
	n.FIFOs = append(n.FIFOs, FIFO{Depth: unbounded, Width: 1, Initial: tokens})
	return len(n.FIFOs) - 1
}

// take puts parts of a module in. An iteration may start where what it reads first is there, II
// cycles behind the one before.
func (n *Network) take(m *Module) {
	ages := []int64{0}
	for at := int64(1); at < m.Latency; at++ {
		if len(accessesAt(m.Reads, at)) > 0 || len(accessesAt(m.Writes, at)) > 0 {
			ages = append(ages, at)
		}
	}
	room := n.link((m.Latency-1)/m.II + 1)
	apart := m.II
	if m.Runs > 1 {
		apart = min(apart, m.Latency+m.Pause) // from the last of a run to the first of the next
	}
	last := -1 // FIFO from the part before
	for k, at := range ages {
		part := Module{Iterations: m.Total(), Runs: 1, II: apart, Latency: m.Latency - at, Reads: accessesAt(m.Reads, at), Writes: accessesAt(m.Writes, at)}
		if k == 0 {
			part.Iterations, part.Runs, part.Pause, part.II = m.Iterations, m.Runs, m.Pause, m.II
			part.Reads = append(part.Reads, Access{FIFO: room, Tokens: 1})
		} else {
			// What is written to a link can be read a cycle later.
			if pass := at - ages[k-1] - 1; pass > 0 {
				next := n.link(0)
				n.add(Module{Iterations: m.Total(), Runs: 1, II: 1, Latency: pass, Flush: true,
					Reads: []Access{{FIFO: last, Tokens: 1}}, Writes: []Access{{FIFO: next, At: pass - 1, Tokens: 1}}})
				last = next
			}
			part.Reads = append(part.Reads, Access{FIFO: last, Tokens: 1})
		}
		if k == len(ages)-1 {
			last = room
		} else {
			last = n.link(0)
		}
		part.Writes = append(part.Writes, Access{FIFO: last, Tokens: 1})
		n.add(part)
	}
}

// accessesAt are those of a cycle of an iteration, as those of its first.
func accessesAt(list []Access, at int64) (out []Access) {
	for _, a := range list {
		if a.At == at {
			a.At = 0
			out = append(out, a)
		}
	}
	return out
}
