package replay

// This file says what lies around a construct on the processor that meets it.

// around returns what a construct costs the processor that meets it before others have their
// tasks and when all have ended: forking and joining its region, told of the first and of the
// last construct, a barrier behind others that wait, and combining behind those that reduce. Constructs from one to the next of which
// threads go on without waiting are one. Where no other processor takes part
// the region has a team of one.
func (s *Simulator) around(region, construct, fork int, forks bool) (before, after float64) {
	o, constructs := &s.m.Platform.Other, s.prog.Regions[region].Constructs
	head, n := s.prog.Regions[region].Together(construct)
	first, last := head == 0, head+n == len(constructs)
	switch {
	case !forks && first:
		before = o.TeamOfOne.Cycles
	case !forks:
	default:
		if first {
			before = o.Fork.Cycles
		}
		if last {
			after = o.Join.Cycles
		} else if !constructs[head+n-1].NoWait {
			after = o.Barrier.Cycles
		}
		for _, c := range constructs[head : head+n] {
			if c.Reduces {
				after += o.Reduction.Cycles
			}
		}
	}
	return before * s.factor[fork], after * s.factor[fork]
}

// dispatch is what a processor spends on a chunk of a loop.
func (s *Simulator) dispatch(p int) float64 { return s.m.Platform.Other.Dispatch.Cycles * s.factor[p] }
