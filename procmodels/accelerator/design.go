package accelerator

// This file makes loops otherwise than the file has it.

import (
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

// readTries reads the ways in which searches make a loop: all factors with all partitions.
func (g *given) readTries(v yamlstrict.Value) {
	if !v.Has() {
		return
	}
	f := v.Fields("unroll", "partition")
	list := func(key string) (all []int) {
		x := f.Get(key)
		if !x.Has() {
			return []int{0}
		}
		for _, e := range x.List() {
			n := e.Int(1, mostUnroll)
			if slices.Contains(all, n) {
				e.Fail("%s %d is there twice", key, n)
			}
			all = append(all, n)
		}
		if len(all) == 0 {
			x.Fail("%s is empty: list factors, such as [1, 2, 4]", key)
		}
		return all
	}
	for _, u := range list("unroll") {
		for _, p := range list("partition") {
			if u == 0 && p == 0 {
				v.Fail("try of the loop at %s is empty: give unroll or partition, such as {unroll: [1, 2, 4]}", g.name)
				return
			}
			d := mapping.LoopDesign{Loop: g.name, Unroll: u, Partition: p}
			if err := g.made(d).refused(); err != "" {
				v.Fail("%s", err)
				return
			}
			g.tries = append(g.tries, d)
		}
	}
}

// made is a loop with another design.
func (g given) made(d mapping.LoopDesign) *given {
	if d.Unroll > 0 {
		g.unroll = d.Unroll
		if !g.parted {
			g.partition = d.Unroll // as reading does
		}
	}
	if d.Partition > 0 {
		g.partition = d.Partition
	}
	return &g
}

// refused says why another design of a loop cannot be told, "" where it can.
func (g *given) refused() string {
	switch {
	case g.ii > 0 || g.latency != nil:
		return "ii and latency of the loop at " + g.name + " are those of one design: leave them out, or the other designs"
	case !g.pipeline || g.flatten:
		return "the loop at " + g.name + " is not made by itself, as a pipeline: leave other designs out"
	}
	return g.unforetold(g.unroll, g.partition)
}

// Made implements procmodels.Hardware.
func (m *Model) Made(design mapping.Design) (procmodels.Hardware, error) {
	out := *m
	out.loops = slices.Clone(m.loops)
	for _, d := range design {
		i := slices.IndexFunc(m.loops, func(g given) bool { return g.name == d.Loop })
		if i < 0 {
			var names []string
			for k := range m.loops {
				names = append(names, m.loops[k].name)
			}
			return nil, d.Pos.Errorf("model %s has no loop %s: %s", m.desc.Name, d.Loop, listed(names, "its file has no loops", "its loops are "))
		}
		g := m.loops[i].made(d)
		why := g.refused()
		if why == "" && m.reported() {
			why = "latencies of loops around others, and of functions, are those of one design: leave other designs out"
		}
		if why != "" {
			return nil, d.Pos.Errorf("%s", why)
		}
		out.loops[i] = *g
	}
	return &out, nil
}

// reported says that the file gives latencies of what is around loops.
func (m *Model) reported() bool { return m.trips > 0 }

// Loops implements procmodels.Hardware.
func (m *Model) Loops() (all []procmodels.HardwareLoop) {
	for i := range m.loops {
		g := &m.loops[i]
		own, shared := g.of(g.unroll, g.partition)
		all = append(all, procmodels.HardwareLoop{Loop: g.name, Unroll: g.unroll, Partition: g.partition, Tries: g.tries, Own: own, Shared: shared})
	}
	return all
}

// Capacity implements procmodels.Hardware.
func (m *Model) Capacity() map[string]float64 { return m.capacity }

// Find implements procmodels.Hardware.
func (m *Model) Find(p *ir.Program, loop string) (all []procmodels.HardwareAt) {
	for fi, f := range p.Funcs {
		for _, l := range flow.AnalyzeForward(f).Loops {
			if named(loop, place(p, f, l)) {
				all = append(all, procmodels.HardwareAt{Func: fi, Block: l.Header})
			}
		}
	}
	return all
}
