package mapping

// This file says how worksharing loops share their iterations among processors.

import (
	"fmt"
	"slices"
	"strconv"

	"pathspan/ir"
	"pathspan/mapping/loops"
	"pathspan/yamlstrict"
)

// LoopMap is how a worksharing loop shares its iterations. Its threads are the first of the
// construct's sections, which are one for each thread that a team may have: the others have
// nothing to do.
type LoopMap struct {
	// Schedule is that of the clause, or of the mapping file. Kind Runtime is resolved: it
	// is what libomp takes without OMP_SCHEDULE, unless the file says otherwise.
	Schedule loops.Schedule
	Computed bool // the program computes the chunk; Schedule has none
	Threads  int
	// Shares of the iterations, by thread, in consecutive chunks: a static schedule for
	// unequal processors. Nil for what Schedule says.
	Shares []float64
}

// Part is the part of the iterations that a thread executes, as far as that is said: its
// share, or as much as each other.
func (l *LoopMap) Part(thread int) float64 {
	if l.Shares == nil {
		return 1 / float64(l.Threads)
	}
	sum := 0.0
	for _, s := range l.Shares {
		sum += s
	}
	return l.Shares[thread] / sum
}

// said is the schedule that a loop's clause asks for.
func said(l *ir.Loop) loops.Schedule {
	s := loops.Schedule{Kind: l.Schedule, Chunk: max(0, l.Chunk)}
	if l.Monotonic {
		s.Order = loops.Monotonic
	}
	if s.Kind == loops.Runtime {
		s = loops.Schedule{}
	}
	return s.Clause(l.Ordered)
}

// ClauseOf is how a loop's clause says that its iterations are shared, without threads.
func ClauseOf(l *ir.Loop) *LoopMap { return &LoopMap{Schedule: said(l), Computed: l.Chunk < 0} }

// LoopFile is what a mapping file says of a worksharing loop.
type LoopFile struct {
	Number     Word // of the loop in its region, from 1
	Schedule   Word // Text is "" where the file does not say
	Processors []Word
	Shares     []Share
}

// LoopFiles says of each loop of a region, in their order, what a mapping file must say of it:
// what differs from the clause and from OpenMP's static schedule. The words have no place.
func (r *Resolved) LoopFiles(prog *ir.Program, region int) []LoopFile {
	reg, rm := &prog.Regions[region], &r.Regions[region]
	usual := staticRegion(len(r.Platform.Processors), r.Serial, reg)
	var out []LoopFile
	for n, c := range loopsOf(reg) {
		l, clause := rm.Loops[c], usual.Loops[c]
		f := LoopFile{Number: Word{Text: strconv.Itoa(n + 1)}}
		if l.Schedule != clause.Schedule || l.Computed != clause.Computed {
			f.Schedule.Text = l.Text(reg.Constructs[c].Loop)
		}
		if l.Threads != clause.Threads || !slices.Equal(rm.Proc[c][:l.Threads], usual.Proc[c][:clause.Threads]) {
			f.Processors = r.named(rm.Proc[c][:l.Threads])
		}
		for _, s := range l.Shares {
			f.Shares = append(f.Shares, Share{Value: s})
		}
		out = append(out, f)
	}
	return out
}

// Text spells the schedule of a loop as its clause and mapping files do.
func (l *LoopMap) Text(of *ir.Loop) string {
	s := l.Schedule
	if plain := (loops.Schedule{Kind: s.Kind, Chunk: s.Chunk}); plain.Clause(of.Ordered) == s {
		s = plain
	}
	return s.String()
}

// Share is a thread's share of a loop's iterations as written.
type Share struct {
	Value float64
	Pos   yamlstrict.Pos
}

// MaxShare bounds a share, so that sums of shares stay in the range of numbers.
const MaxShare = 1e9

// LoopsKey is the key of a region that stands for its loops.
const LoopsKey = "loops"

func readLoop(e yamlstrict.Entry) LoopFile {
	f := LoopFile{Number: Word{e.Key, e.At}}
	v := e.Value.Fields("schedule", "processors", "shares")
	if s := v.Get("schedule"); s.Has() {
		f.Schedule = Word{s.Text(), s.Pos()}
	}
	list := func(key string) []yamlstrict.Value {
		all := v.Get(key)
		if all.Has() && len(all.List()) == 0 {
			all.Fail("%s is empty: list the processors of the loop, or leave it out", key)
		}
		return all.List()
	}
	for _, p := range list("processors") {
		f.Processors = append(f.Processors, Word{p.Text(), p.Pos()})
	}
	for _, s := range list("shares") {
		f.Shares = append(f.Shares, Share{s.Number(0, MaxShare), s.Pos()})
	}
	return f
}

// loopsOf lists the constructs of a region that are loops.
func loopsOf(reg *ir.Region) []int {
	var all []int
	for c := range reg.Constructs {
		if reg.Constructs[c].Loop != nil {
			all = append(all, c)
		}
	}
	return all
}

// share does what a file says of a loop.
func (r *Resolved) share(f *LoopFile, reg *ir.Region, rm *RegionMap) error {
	all := loopsOf(reg)
	n := 0
	if _, err := fmt.Sscanf(f.Number.Text, "%d", &n); err != nil || n < 1 || n > len(all) || f.Number.Text != fmt.Sprint(n) {
		return f.Number.Pos.Errorf("loop %q of region %s does not exist: want %s", f.Number.Text, reg.Name, loopNumbers(len(all)))
	}
	c := all[n-1]
	l := reg.Constructs[c].Loop
	m := *rm.Loops[c]
	if f.Schedule.Text != "" {
		s, err := loops.Parse(f.Schedule.Text)
		if err == nil && s.Kind == loops.Runtime {
			err = fmt.Errorf("schedule %q: a mapping says what runtime stands for: want static, dynamic, guided or auto", f.Schedule.Text)
		}
		if err == nil && l.Ordered && s.Order == loops.Nonmonotonic {
			err = fmt.Errorf("schedule %q: a loop with ordered cannot be nonmonotonic", f.Schedule.Text)
		}
		if err != nil {
			return f.Schedule.Pos.Errorf("%v", err)
		}
		m.Schedule, m.Computed = s.Clause(l.Ordered), false
	}
	if f.Processors != nil {
		lanes := len(reg.Constructs[c].Sections)
		seen := map[int]bool{}
		for t, w := range f.Processors {
			p, err := r.Platform.find(w)
			if err != nil {
				return err
			}
			if seen[p] {
				return w.Pos.Errorf("processor %q runs two threads of one loop: name each once", w.Text)
			}
			seen[p] = true
			if t < lanes {
				rm.Proc[c][t] = p
			}
		}
		m.Threads = len(f.Processors)
		for t := m.Threads; t < lanes; t++ { // those that have nothing to do are nowhere else
			rm.Proc[c][t] = rm.Proc[c][m.Threads-1]
		}
	}
	if f.Shares != nil {
		at := f.Shares[0].Pos
		switch {
		case len(f.Shares) != m.Threads:
			return at.Errorf("%d shares for %d threads: give each processor of the loop one", len(f.Shares), m.Threads)
		case m.Schedule.Kind != loops.Static || m.Schedule.Chunk > 0:
			return at.Errorf("shares want schedule: static, without a chunk (it is %s)", m.Schedule)
		}
		sum := 0.0
		m.Shares = nil
		for _, s := range f.Shares {
			if !(s.Value >= 0 && s.Value <= MaxShare) {
				return s.Pos.Errorf("share %g: want a number from 0 to %g", s.Value, float64(MaxShare))
			}
			sum += s.Value
			m.Shares = append(m.Shares, s.Value)
		}
		if sum == 0 {
			return at.Errorf("the shares are all 0: want one above")
		}
	}
	rm.Loops[c] = &m
	return nil
}

func loopNumbers(n int) string {
	switch n {
	case 0:
		return "none, as it has no worksharing loop"
	case 1:
		return "1"
	}
	return fmt.Sprintf("1 to %d", n)
}
