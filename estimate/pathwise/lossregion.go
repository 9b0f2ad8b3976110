package pathwise

// This file books what is lost in an active region on one path.

import (
	"math"
	"slices"

	"pathspan/htg"
)

// meeting is an active region where it is met: a group of a level, in whole paths or in
// partial traversals of the level.
type meeting struct {
	at      spot
	group   int
	partial bool
}

// met holds what was seen at a meeting, a row for each path.
type met struct {
	group *htg.Group
	rows  []metRow
}

type metRow struct {
	n     float64   // occurrences per execution of the root
	span  float64   // from the fork to the end of the last section
	times []float64 // by task of the level
}

// schedule is a path of a level with the times of its tasks: as mapped, all on the
// serial processor, each alone on its own processor, and that without regions that no
// mapping names.
type schedule struct {
	l                     *layout
	times, stops          []amount
	serial, same, outside []float64
}

func (a *account) schedule(at spot, steps []step) *schedule {
	s := &schedule{l: a.w.layOut(at), times: a.w.times(at, steps)}
	s.stops = s.l.bar.stops(s.times)
	n := len(s.times)
	s.serial, s.same, s.outside = make([]float64, n), make([]float64, n), make([]float64, n)
	rows := map[[2]int][]amount{}
	row := func(kind int, w *walker, proc int) []amount {
		key := [2]int{kind, proc}
		if rows[key] == nil {
			rows[key] = w.times(spot{at.fn, at.level, proc, false}, steps)
		}
		return rows[key]
	}
	for t, p := range s.l.places {
		s.serial[t] = row(0, a.alone[a.m.Serial], a.m.Serial)[t].micros
		s.same[t] = row(0, a.alone[p.proc], p.proc)[t].micros
		s.outside[t] = row(1, a.free[p.proc], p.proc)[t].micros
		for g := s.l.graph.Tasks[t].Group; g >= 0; g = s.l.graph.Groups[g].Parent {
			if s.l.kept[g] {
				s.outside[t] = 0
			}
		}
	}
	return s
}

// difference returns x-y, and 0 where the two are equal but for rounding.
func difference(x, y float64) float64 {
	if d := x - y; math.Abs(d) > 1e-12*max(x, y) {
		return d
	}
	return 0
}

// region books one occurrence, n times.
func (a *account) region(m meeting, s *schedule, own []step, n float64) {
	g := &s.l.graph.Groups[m.group]
	fork := s.stops[g.Fork].micros
	span, busy := 0.0, 0.0
	var longest *htg.Section
	for i := range g.Sections {
		sec := &g.Sections[i]
		end := fork
		for _, t := range sec.Tasks {
			end = max(end, s.stops[t].micros)
		}
		if longest == nil || end-fork > span {
			span, longest = end-fork, sec
		}
	}
	place := func(section int) Item {
		item := NoPlace
		item.Region, item.Construct, item.Section = g.Region, g.Construct, section
		return item
	}
	var rest, kept float64 // of the longest section
	for i := range g.Sections {
		sec := &g.Sections[i]
		for _, t := range sec.Tasks {
			speed := a.speed[s.l.places[t].proc]
			extra := 0.0
			for _, x := range s.l.extras {
				if x.task == t && passes(own, x.begin) {
					extra += x.micros
					item := NoPlace
					item.Region = s.l.graph.Groups[x.group].Region
					a.items[Overhead][item] += n * x.micros * speed
				}
			}
			x := s.times[t].micros - extra
			busy += s.times[t].micros * speed
			a.items[NestedSpread][place(sec.Section)] += n * difference(x, s.same[t]) * speed
			a.items[Speeds][place(sec.Section)] += n * difference(s.same[t]*speed, s.serial[t])
			if sec == longest {
				rest += s.same[t]
				kept += s.same[t] - s.outside[t]
			}
		}
	}
	idle := n * (a.ideal*span - busy)
	share := 0.0
	if rest > 0 {
		share = min(1, max(0, kept/rest))
	}
	a.items[Imbalance][place(longest.Section)] += idle * (1 - share)
	a.items[NestedSerial][place(longest.Section)] += idle * share
	have := a.groups[m]
	if have == nil {
		have = &met{group: g}
		a.groups[m] = have
	}
	row := metRow{n: n, span: span}
	for t := range s.times {
		x := s.times[t].micros
		if !slices.ContainsFunc(g.Sections, func(sec htg.Section) bool { return slices.Contains(sec.Tasks, t) }) {
			x = 0
		}
		row.times = append(row.times, x)
	}
	have.rows = append(have.rows, row)
}
