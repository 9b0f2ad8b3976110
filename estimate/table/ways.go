package table

// This file holds the decision of a worksharing loop: how it shares its iterations. Rows are
// made for one way of sharing, so what another way takes is read from other rows once, and
// then is a number.

import (
	"math"
	"slices"

	"pathspan/mapping"
	"pathspan/mapping/loops"
)

// Way is a way in which a worksharing loop shares its iterations.
type Way struct {
	mapping.LoopMap
	Processors []int // by thread, each once
}

// WayOf returns how a mapping lets a loop share its iterations.
func WayOf(rm *mapping.RegionMap, construct int) Way {
	l := rm.Loops[construct]
	return Way{*l, slices.Clone(rm.Proc[construct][:l.Threads])}
}

// Alone is the way in which one processor executes all iterations. A schedule changes nothing.
func (w Way) Alone(processor int) Way {
	w.Threads, w.Shares, w.Processors = 1, nil, []int{processor}
	return w
}

// write writes the way into a mapping.
func (w *Way) write(rm *mapping.RegionMap, construct int) {
	l := w.LoopMap
	rm.Loops[construct] = &l
	for t := range rm.Proc[construct] {
		rm.Proc[construct][t] = w.Processors[min(t, l.Threads-1)]
	}
}

type valuedWay struct {
	Way
	others []Way     // of the other loops of a streak, whose first the way is of
	cycles float64   // of processor 0
	busy   []float64 // by processor
}

// write writes the way into a mapping, for all loops of a streak.
func (w *valuedWay) write(rm *mapping.RegionMap, construct int) {
	w.Way.write(rm, construct)
	for i := range w.others {
		w.others[i].write(rm, construct+1+i)
	}
}

// saidAndAlone is how many ways stand before those that loops of a streak share: what the
// clause of each says, and that of one processor.
const saidAndAlone = 2

// addLoop adds the gene of a loop, or of those of a streak, given the ways of each construct.
func (s *Space) addLoop(at int, of [][]Way) {
	x := &s.t.stages[at]
	for len(s.ways) <= len(s.Genes) {
		s.ways = append(s.ways, nil)
	}
	ways := of[x.construct]
	all := make([]valuedWay, len(ways))
	for i := range ways {
		all[i].Way = ways[i]
		for c := x.construct + 1; c < x.construct+len(s.t.streak(x.region, x.construct)); c++ {
			w := ways[i]
			if i < saidAndAlone {
				w = of[c][i]
			} else if s.prog.Regions[x.region].Constructs[c].Loop.Ordered && w.Schedule.Order == loops.Nonmonotonic {
				w.Schedule.Order = loops.Monotonic
			}
			all[i].others = append(all[i].others, w)
		}
	}
	s.ways[len(s.Genes)] = all
	name := s.prog.Regions[x.region].Constructs[x.construct].LoopName()
	s.Genes = append(s.Genes, Gene{Kind: Sharing, Region: x.region, Construct: x.construct, Unit: len(s.Units), Values: len(all), Name: name})
	s.mapped[x.region] = true
	s.Units, s.parts = append(s.Units, Unit{First: len(s.Genes) - 1, Count: 1, Loop: true, Rows: len(x.rows), Name: name}), append(s.parts, []int{at})
}

// Way returns a value of the gene of a loop. It must not be changed.
func (s *Space) Way(gene int, value int32) *Way { return &s.ways[gene][value].Way }

// Takes returns what a way of sharing takes, in seconds of one execution of the program.
func (s *Space) Takes(gene int, value int32) float64 { return s.ways[gene][value].cycles * s.seconds }

// Mapped writes way k of each loop, or the last, into the mapping that the space's rows were
// made for, and reports whether some loop has as many.
func (s *Space) Mapped(k int) (*mapping.Resolved, bool) {
	m, some := mapping.DefaultFrom(s.static.Platform, s.Serial, s.prog), false
	for g := range s.Genes {
		if x := &s.Genes[g]; x.Kind == Sharing {
			some = some || k < x.Values
			s.ways[g][min(k, x.Values-1)].write(&m.Regions[x.Region], x.Construct)
		}
	}
	return m, some
}

// Value reads what way k of each loop takes from rows that were made for Mapped(k).
func (s *Space) Value(k int, rows *Table, m *mapping.Resolved) error {
	v := rows.NewValuer()
	v.set(m)
	for g := range s.Genes {
		x := &s.Genes[g]
		if x.Kind != Sharing || k >= x.Values {
			continue
		}
		w := &s.ways[g][k]
		w.cycles, w.busy = 0, make([]float64, len(rows.KindOf))
		at := rows.stageOf(x.Region, x.Construct)
		if at < 0 {
			continue
		}
		u := &rows.stages[at]
		var err error
		if w.cycles, err = v.stage(u); err != nil {
			return err
		}
		if err := v.playStage(u, func(p *Played) {
			for q := range w.busy {
				w.busy[q] += p.Weight * (p.Busy[q] + p.Overhead[q])
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// Work returns what a construct that is executed outside of all sections takes on one
// processor of a kind, in cycles of processor 0.
func (t *Table) Work(region, construct, kind int) float64 {
	sum := 0.0
	for i := range t.stages {
		if u := &t.stages[i]; u.region == region && u.construct == construct {
			sum += u.work(kind)
		}
	}
	return sum
}

func (t *Table) stageOf(region, construct int) int {
	return slices.IndexFunc(t.stages, func(u stage) bool { return u.region == region && u.construct == construct })
}

// alone is the way in which the serial processor executes all iterations of a loop.
func (s *Space) alone(gene int) int32 {
	return int32(slices.IndexFunc(s.ways[gene], func(w valuedWay) bool {
		return w.Threads == 1 && w.Processors[0] == s.Serial
	}))
}

// Fixed names the loops that ran and are no decision: those with regions or tasks in their
// iterations, inside sections, or to which threads come from sections, or the other way, without
// waiting; and sections that stay where they are for that.
func (s *Space) Fixed() []string {
	var out []string
	for r := range s.reached {
		for c, lanes := range s.reached[r] {
			con := &s.prog.Regions[r].Constructs[c]
			if con.Loop == nil && len(lanes) > 0 && s.stay(r, c) {
				out = append(out, s.constructAlone(r, c))
			}
			free := slices.ContainsFunc(s.Genes, func(g Gene) bool {
				return g.Kind == Sharing && g.Region == r && g.Construct <= c && c < g.Construct+max(1, len(s.t.streak(r, g.Construct)))
			})
			if con.Loop != nil && len(lanes) > 0 && !free {
				out = append(out, con.LoopName())
			}
		}
	}
	return out
}

// loopBounds bounds a loop: no candidate is below the best of its ways. How long an iteration
// takes is not known, so that the critical path is no bound; nor is the work over the capacity
// where processors differ, as each may be the better one for some iterations.
func (s *Space) loopBounds(unit int, allowed [][]int32) Bounds {
	t, gene := s.flat(unit), s.Units[unit].First
	least, processors, kind, equal := math.Inf(1), make([]bool, len(s.extra)), -1, true
	s.values(allowed, gene, func(v int) {
		w := &s.ways[gene][v]
		least = min(least, w.cycles)
		for _, p := range w.Processors {
			equal = equal && (kind < 0 || kind == s.t.KindOf[p])
			processors[p], kind = true, s.t.KindOf[p]
		}
	})
	b := Bounds{Combined: least * s.seconds}
	if n := count(processors); equal && n > 0 {
		b.Capacity = min(b.Combined, t.work(kind)/float64(n)*s.seconds)
	}
	return b
}

func count(all []bool) int {
	n := 0
	for _, yes := range all {
		if yes {
			n++
		}
	}
	return n
}
