package account

// This file divides time of sections, and of overheads, over the blocks of the program: as
// the paths spend it there, on average over all executions of the section.

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
)

// spent is time of sections and overheads, in cycles of processor 0.
type spent struct {
	work  map[spentAt]float64
	tasks map[spentAt]*[2]float64 // creating and synchronising; Section is -1
}

type spentAt struct {
	estimate.Place
	processor int
}

func (a spentAt) compare(b spentAt) int {
	return cmp.Or(a.Place.Compare(b.Place), cmp.Compare(a.processor, b.processor))
}

func newSpent() *spent {
	return &spent{work: map[spentAt]float64{}, tasks: map[spentAt]*[2]float64{}}
}

func (s *spent) add(rows *table.Table, ev *table.Event, weight float64) {
	at := spentAt{estimate.Place{Section: ev.Section}, ev.Processor}
	if at.Region, at.Construct = rows.Construct(ev.Execution); ev.Section >= 0 {
		at.Construct, at.Section = rows.Split(at.Region, at.Construct, ev.Section)
	}
	if ev.Kind == table.LockWait && ev.Section < 0 {
		return
	}
	length := weight * (ev.End - ev.Start)
	if ev.Kind == table.Work || ev.Kind == table.LockWait {
		s.work[at] += length
		return
	}
	if s.tasks[at] == nil {
		s.tasks[at] = &[2]float64{}
	}
	if ev.Kind != table.Sync && ev.Kind != table.Joining && ev.Kind != table.Combining && ev.Kind != table.Contend {
		s.tasks[at][0] += length
	} else {
		s.tasks[at][1] += length
	}
}

// attribution divides the time, and that outside of sections, over blocks. Sections that
// have no event are part of those around them.
func (s *spent) attribution(e *estimate.Estimator, m *mapping.Resolved, t estimate.Technique) (*estimate.Attribution, error) {
	serial, err := e.SerialSeconds(m.Serial, t)
	if err != nil {
		return nil, err
	}
	sections := map[estimate.Place]bool{}
	for at := range s.work {
		sections[at.Place] = true
	}
	paths, err := e.Attribute(m, func(p estimate.Place) bool { return sections[p] })
	if err != nil {
		return nil, err
	}
	d := &division{e: e, out: &estimate.Attribution{Bodies: paths.Bodies}, blocks: map[spentAt][]*estimate.BlockShare{}, forks: map[spentAt][]*estimate.ForkShare{}}
	for i := range paths.Blocks {
		b := &paths.Blocks[i]
		if b.Cycles == 0 {
			continue
		}
		d.blocks[spentAt{b.Place, b.Processor}] = append(d.blocks[spentAt{b.Place, b.Processor}], b)
		for _, wider := range []spentAt{{b.Place, anywhere}, {everywhere, anywhere}} {
			d.blocks[wider] = append(d.blocks[wider], b)
		}
	}
	for i := range paths.Forks {
		f := &paths.Forks[i]
		at := spentAt{estimate.Place{Region: f.Region, Construct: f.Construct, Section: -1}, f.Processor}
		d.forks[at] = append(d.forks[at], f)
	}
	second := 1 / (e.ClockMHz[0] * 1e6)
	d.work(spentAt{estimate.Outside, m.Serial}, serial)
	for _, at := range sorted(s.work) {
		d.work(at, s.work[at]*second)
	}
	for _, at := range sorted(s.tasks) {
		d.tasks(at, s.tasks[at][0]*second, s.tasks[at][1]*second)
	}
	return d.out, nil
}

func sorted[T any](of map[spentAt]T) []spentAt {
	return slices.SortedFunc(maps.Keys(of), spentAt.compare)
}

// Where blocks are that no section's processor has: paths may not know that it has work,
// where executions do.
const anywhere = -1

var everywhere = estimate.Place{Region: -2}

// sameTime is how far sums of the same times in another order may lie apart.
const sameTime = 1e-12

type division struct {
	e      *estimate.Estimator
	out    *estimate.Attribution
	blocks map[spentAt][]*estimate.BlockShare
	forks  map[spentAt][]*estimate.ForkShare
}

// work divides seconds of a section over its blocks on its processor, by the time that
// they take by the paths.
func (d *division) work(at spentAt, seconds float64) {
	if seconds == 0 {
		return
	}
	for _, in := range []spentAt{at, {at.Place, anywhere}, {everywhere, anywhere}} {
		all := 0.0
		for _, b := range d.blocks[in] {
			all += b.Executions * b.Cycles / d.hertz(b.Processor)
		}
		if all == 0 {
			continue
		}
		factor := seconds / all
		if math.Abs(factor-1) < sameTime {
			factor = 1
		}
		for _, b := range d.blocks[in] {
			share := *b
			share.Place, share.Processor = at.Place, at.processor
			share.Executions *= factor
			share.Cycles *= d.hertz(at.processor) / d.hertz(b.Processor)
			d.out.Blocks = append(d.out.Blocks, share)
		}
		return
	}
}

// tasks divides seconds of creating and synchronising over the functions that do so.
func (d *division) tasks(at spentAt, create, sync float64) {
	if create+sync == 0 {
		return
	}
	from, runs := d.forks[at], 0.0
	for _, f := range from {
		runs += f.Executions
	}
	if runs == 0 { // no path is known to: the root's
		from, runs = []*estimate.ForkShare{{Processor: at.processor, Region: at.Region, Construct: at.Construct, Executions: 1}}, 1
	}
	for _, f := range from {
		share := *f
		share.Create, share.Sync = create*d.hertz(at.processor)/runs, sync*d.hertz(at.processor)/runs
		d.out.Forks = append(d.out.Forks, share)
	}
}

func (d *division) hertz(processor int) float64 { return d.e.ClockMHz[processor] * 1e6 }
