package explore

// This file lists what hardware can be made of loops: a search of its own for each, since what
// loops take is then the same for all mappings.

import (
	"fmt"
	"maps"
	"slices"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// making is one way to make loops in hardware.
type making struct {
	e    *estimate.Estimator
	area float64 // see Area, without buffers
	// taken is what that is, by processor; nil where buffers take nothing.
	taken []estimate.Taken
	// bans are sections that come to a loop which is not made, by processor; the first of a
	// worksharing loop stands for its threads.
	bans map[int]map[section]bool
	idle []option // loops that are not made, and that tasks come to under some mappings
	// short is set where other ways were left out that may be better.
	short bool
}

func (m *making) may(x section, processor int) bool { return !m.bans[processor][x] }

// mostDesigns bounds how many ways are searched, mostListed how many are listed; of more, bounds choose (narrow.go), as they
// do where the budget is less than what chains of each way take.
const (
	mostDesigns = 4096
	mostListed  = 1 << 17
)

// option is a way to make one loop of a processor, or not to make it.
type option struct {
	processor int
	loop      string
	design    *mapping.LoopDesign // nil: as the file has it
	left      bool                // not made
	threads   bool                // threads take iterations as they go
	byTasks   bool                // tasks come to it
	bans      []section           // if it is left
	costs     *procmodels.Costs   // of the processor, with the other loops as the file has them; nil with design
}

// loops lists the ways to make each loop, and whether there is a choice of them, or of what may be too much.
func (s *Search) loops(serial int) (options [][]option, choice bool, err error) {
	for p := range s.e.Platform.Processors {
		loops := s.e.Made(p)
		limited := len(loops) > 0 && s.limited(p)
		if s.wants(Area) && len(loops) > 0 && !limited {
			return nil, false, fmt.Errorf("area: nothing says how much there is for the hardware of %s: give it capacity: {DSP: N} on platform %s", s.e.Platform.Processors[p].Name, s.e.Platform.Name)
		}
		for i := range loops {
			list, err := s.options(p, &loops[i], serial, limited)
			if err != nil {
				return nil, false, err
			}
			options = append(options, list)
			choice = choice || limited || len(list) > 1
		}
	}
	if s.wants(Area) && options == nil && !s.buffers {
		return nil, false, fmt.Errorf("area: no processor of platform %s makes hardware of loops that a file gives, and none says what buffers of pipelines take (fifo) that the profile knows the bytes of (--flow or --memory)", s.e.Platform.Name)
	}
	return options, choice, nil
}

// mostWays is how many ways are searched at most with each of so many serial processors. Where the budget is time, it is
// found out how many; of more than a few, the best come first.
func (s *Search) mostWays(serials int) int {
	switch {
	case s.Time > 0:
		return 64
	case s.Evaluations > 0:
		return int(max(1, min(mostDesigns, s.Evaluations/int64(chains*serials))))
	}
	return mostDesigns
}

// makings lists what can be made with a serial processor, in at most so many ways.
func (s *Search) makings(serial, most int) ([]making, error) {
	options, choice, err := s.loops(serial)
	if err != nil {
		return nil, err
	}
	if s.Price == nil || !choice {
		m := making{e: s.e}
		if s.buffers {
			m.taken = s.takenBy(nil)
		}
		return []making{m}, nil
	}
	count := 1.0
	for _, list := range options {
		count *= float64(len(list))
	}
	if count > mostListed {
		return s.narrowed(serial, options, count, most)
	}
	var all [][]option
	picks := make([]option, len(options))
	var pick func(i int) error
	pick = func(i int) error {
		if i == len(options) {
			_, fits, err := s.area(picks)
			if err == nil && fits {
				all = append(all, slices.Clone(picks))
			}
			return err
		}
		for _, picks[i] = range options[i] {
			if err := pick(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := pick(0); err != nil {
		return nil, err
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("no way to make the loops that %s comes to fits what platform %s has for them: try smaller factors, or another serial processor", s.e.Platform.Processors[serial].Name, s.e.Platform.Name)
	case len(all) > most:
		return s.narrowed(serial, options, count, most)
	}
	return s.priced(all)
}

// options lists the ways to make a loop, none of which is worse than another in all.
func (s *Search) options(p int, l *procmodels.HardwareLoop, serial int, limited bool) ([]option, error) {
	prog := s.e.Bundle.Program
	var reached []section
	threads, tasks := false, prog.HasTasks()
	outside, byTasks := s.e.Reach(p, l.Loop, func(region, construct, number int) {
		threads = threads || prog.Regions[region].Constructs[construct].Loop != nil
		reached = append(reached, section{region, construct, number})
	})
	left := option{processor: p, loop: l.Loop, left: true, bans: reached, byTasks: byTasks}
	needed := outside && serial == p
	if !needed && !byTasks && len(reached) == 0 {
		return []option{left}, nil
	}
	var all []option
	if limited && !needed {
		all, s.tasked = append(all, left), s.tasked || byTasks
	}
	if l.Tries == nil || s.Price == nil {
		return append(all, option{processor: p, loop: l.Loop}), nil
	}
	type way struct {
		costs *procmodels.Costs
		takes estimate.Taken
	}
	var ways []way
	for i := range l.Tries {
		o := option{processor: p, loop: l.Loop, design: &l.Tries[i], threads: threads}
		pl := s.designed([]option{o})
		procs, err := s.Price(pl)
		if err != nil {
			return nil, err
		}
		o.costs = procs.Costs[p]
		w := way{procs.Costs[p], procs.Makes(p, func(loop string) bool { return loop == l.Loop })}
		// Where threads take iterations or tasks as they go, what takes less time can make the whole take more.
		if !threads && !tasks && slices.ContainsFunc(ways, func(x way) bool { return noMore(x.costs, w.costs) && takesNoMore(&x.takes.Loops[0], &w.takes.Loops[0]) }) {
			continue
		}
		ways, all = append(ways, w), append(all, o)
	}
	return all, nil
}

// noMore reports whether no block costs more by a than by b.
func noMore(a, b *procmodels.Costs) bool {
	for f := range a.Blocks {
		for k := range a.Blocks[f] {
			x, y := &a.Blocks[f][k], &b.Blocks[f][k]
			from := map[int]bool{}
			for _, c := range slices.Concat(x.After, y.After) {
				from[c.Pred] = true
			}
			if x.Cycles > y.Cycles {
				return false
			}
			for pred := range from {
				if behind(x, pred) > behind(y, pred) {
					return false
				}
			}
		}
	}
	return true
}

func behind(b *procmodels.BlockCost, pred int) float64 {
	for _, c := range b.After {
		if c.Pred == pred {
			return c.Cycles
		}
	}
	return b.Cycles
}

func takesNoMore(a, b *procmodels.HardwareLoop) bool {
	for _, k := range [][2]map[string]float64{{a.Own, b.Own}, {a.Shared, b.Shared}} {
		for name, x := range k[0] {
			if x > k[1][name] {
				return false
			}
		}
	}
	return true
}

// limited reports whether something says how much there is for a processor's hardware.
func (s *Search) limited(p int) bool {
	t := s.e.Makes(p, func(string) bool { return true })
	return slices.ContainsFunc(t.Resources, func(r estimate.TakenResource) bool { return r.Limited })
}

// designed is the platform with loops made as options say.
func (s *Search) designed(picks []option) *mapping.Platform {
	pl := *s.e.Platform
	pl.Processors = slices.Clone(pl.Processors)
	for _, o := range picks {
		if o.design != nil && !o.left {
			at := &pl.Processors[o.processor].Design
			*at = append(slices.Clone(*at), *o.design)
		}
	}
	return &pl
}

// madeLoops are the loops of a processor that are made, and how those that are not as the file has them.
type madeLoops struct {
	design mapping.Design
	made   func(loop string) bool
}

func (s *Search) madeBy(picks []option) map[int]madeLoops {
	made := map[int]map[string]*mapping.LoopDesign{}
	for _, o := range picks {
		if made[o.processor] == nil {
			made[o.processor] = map[string]*mapping.LoopDesign{}
		}
		if !o.left {
			made[o.processor][o.loop] = o.design
		}
	}
	all := map[int]madeLoops{}
	for p := range made {
		x := madeLoops{made: func(loop string) bool { _, ok := made[p][loop]; return ok }}
		for _, l := range s.e.Made(p) {
			if d := made[p][l.Loop]; d != nil {
				x.design = append(x.design, *d)
			}
		}
		all[p] = x
	}
	return all
}

// area is what loops take, see Area, and whether there is as much.
func (s *Search) area(picks []option) (area float64, fits bool, err error) {
	all := s.madeBy(picks)
	for _, p := range slices.Sorted(maps.Keys(all)) {
		t, err := s.e.MakesOtherwise(p, all[p].design, all[p].made)
		if err != nil {
			return 0, false, err
		}
		for _, r := range t.Resources {
			if r.Limited && r.Amount > r.Limit {
				return 0, false, nil
			}
		}
		area += t.Share()
	}
	return area, true, nil
}

// priced makes estimators of ways to make loops; those that differ in loops that are not made share one.
func (s *Search) priced(all [][]option) ([]making, error) {
	known := map[string]*estimate.Estimator{}
	var out []making
	for i, picks := range all {
		if i > 0 && s.hurried(3) {
			out[i-1].short = true
			break
		}
		pl, key := s.designed(picks), ""
		for i := range pl.Processors {
			key += pl.Processors[i].Design.String() + "\n"
		}
		if known[key] == nil {
			procs, err := s.Price(pl)
			if err != nil {
				return nil, err
			}
			if known[key], err = s.e.On(procs); err != nil {
				return nil, err
			}
		}
		m := making{e: known[key], bans: bansOf(picks), idle: idle(picks)}
		m.area, _, _ = s.area(picks) // as above
		if s.buffers {
			m.taken = s.takenBy(picks)
		}
		out = append(out, m)
	}
	return out, nil
}

// idle are the loops that are not made and that tasks come to under some mappings.
func idle(picks []option) []option {
	return slices.DeleteFunc(slices.Clone(picks), func(o option) bool { return !o.left || !o.byTasks })
}

// bansOf are the sections that come to loops which are not made.
func bansOf(picks []option) map[int]map[section]bool {
	bans := map[int]map[section]bool{}
	for _, o := range picks {
		if !o.left {
			continue
		}
		if bans[o.processor] == nil {
			bans[o.processor] = map[section]bool{}
		}
		for _, x := range o.bans {
			bans[o.processor][x] = true
		}
	}
	return bans
}
