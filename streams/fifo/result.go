package fifo

// This file is what comes of playing a network.

// Result says how a network ran.
type Result struct {
	Cycles   int64 // until the last module is over, or until nothing moved any more
	Modules  []ModuleResult
	FIFOs    []Gauge
	Deadlock *Deadlock // nil: all modules came to their end
	// Period is after how many cycles everything repeats once the network has settled, and Each
	// how many iterations of modules start in it; 0 where that was not seen.
	Period int64
	Each   []int64
}

// ModuleResult says what a module did.
type ModuleResult struct {
	Started int64 // iterations
	Finish  int64 // the cycle behind its last; 0 where it came to none
	// Stalled are cycles in which it stood still, by FIFO that it waited for. Bubbles are
	// iterations of one that flushes that did not start in time while others went on.
	Stalled, Bubbles []int64
	// Causes are the same cycles by module that caused them; behind those of modules are cycles
	// of a deadlock.
	Causes []int64
	// After are the cycles between its end and that of the network, by module: the one that ends
	// last, while it works, and who caused its waits. Nil in a deadlock.
	After []int64
}

// Waited is how many cycles a module stood still.
func (m *ModuleResult) Waited() (cycles int64) {
	for _, c := range m.Causes {
		cycles += c
	}
	return cycles
}

// Deadlock says why nothing moves any more.
type Deadlock struct {
	Waits []Wait // of modules that are not over, ascending
	// Cycle are waits of which each is for the module of the next, and the last for that of the
	// first; empty where the reason is a module that is over.
	Cycle []Wait
}

// Wait says what a module waits for.
type Wait struct {
	Module, FIFO  int
	Full          bool  // it cannot write, else it cannot read
	Level, Tokens int64 // that are in the FIFO; that it would write or read at once
	For           int   // the module that would have to read or write
	Over          bool  // which is over
}

// Simulate plays a network.
func Simulate(n *Network) (*Result, error) {
	s, err := run(n, n.depths())
	if err != nil {
		return nil, err
	}
	r := s.result()
	if r.Deadlock == nil {
		err = s.attribute(r)
	}
	return r, err
}

// attribute plays a network again, now that it is known who ends last and when others end.
func (s *simulation) attribute(r *Result) error {
	after, last := &afterwards{}, 0
	for i := range r.Modules {
		after.ends = append(after.ends, r.Modules[i].Finish)
		after.causes = append(after.causes, make([]int64, len(s.modules)+1))
		if r.Modules[i].Finish > r.Modules[last].Finish {
			last = i
		}
	}
	again := start(s.Network, s.depths)
	again.modules[last].after = after
	if err := again.play(); err != nil {
		return err
	}
	for i := range r.Modules {
		m := &r.Modules[i]
		m.After = after.causes[i][:len(s.modules)]
		works := r.Cycles - m.Finish
		for _, cycles := range m.After {
			works -= cycles
		}
		m.After[last] += works
	}
	return nil
}

func (s *simulation) result() *Result {
	r := &Result{Cycles: s.now, FIFOs: s.gauges, Deadlock: s.deadlock()}
	r.Period, r.Each = s.period, s.each
	for i := range s.modules {
		m := &s.modules[i]
		r.Modules = append(r.Modules, ModuleResult{Started: m.issued, Finish: m.finish, Stalled: m.stalled, Bubbles: m.bubbles, Causes: m.causes})
	}
	return r
}

// deadlock explains why the network stands still; nil where it is over.
func (s *simulation) deadlock() *Deadlock {
	var d Deadlock
	of := make(map[int]Wait)
	for i := range s.modules {
		m := &s.modules[i]
		if m.done {
			continue
		}
		a := &m.accesses[m.charged]
		other := s.opposite(a)
		of[i] = Wait{Module: i, FIFO: a.FIFO, Full: a.write, Level: s.level[a.FIFO], Tokens: a.Tokens, For: other, Over: s.modules[other].done}
		d.Waits = append(d.Waits, of[i])
	}
	if len(d.Waits) == 0 {
		return nil
	}
	for _, w := range d.Waits {
		if d.Cycle = circle(of, w); d.Cycle != nil {
			break
		}
	}
	return &d
}

// circle follows who waits for one that waits, and so on, to one again; nil where it comes to one
// that is over.
func circle(of map[int]Wait, w Wait) (chain []Wait) {
	at := make(map[int]int)
	for {
		if first, again := at[w.Module]; again {
			return chain[first:]
		}
		at[w.Module] = len(chain)
		chain = append(chain, w)
		if w.Over {
			return nil
		}
		w = of[w.For]
	}
}
