package explore

// This file sets a search up and runs its work items.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/workers"
)

// Options say how to search. The zero value is a search for the highest speed-up without
// constraints, with seed 0 and the default budget, on the first processor.
type Options struct {
	Technique   estimate.Technique // that values candidates, of those that have rows
	Algorithm   string             // one of Algorithms; "" for auto
	Objective   Objective
	Pareto      []Objective // two or three, to find the candidates that none is better than
	Constraints Constraints
	// KeepNested leaves regions within regions on the thread that meets them, as OpenMP
	// does by default.
	KeepNested bool
	Serial     int  // processor of everything outside sections
	AnySerial  bool // try each
	Seed       uint64
	// Price prices the platform with other designs of loops, for a search of these as well; nil for none.
	Price func(*mapping.Platform) (estimate.Processors, error)
	// Depths are how many items buffers of pipelines are tried to hold, in place of the plan's; nil for the plan's.
	// Sound, when given, reports whether stages then wait for all that they need of each other.
	Depths      []int
	Sound       func(pipeline int, depths []int) bool
	Evaluations int64         // budget; 0 for DefaultEvaluations, or fewer where each plays many tasks
	Time        time.Duration // budget instead of Evaluations, when above 0; New takes up to half of it
	// Progress, when given, is called from time to time, from one goroutine at a time.
	Progress func(Progress)
	// State holds the items that an earlier run of the same search finished, and gets
	// those of this one; nil for none. Save, when given, is called with it now and then.
	State *State
	Save  func(*State) error
}

// DefaultEvaluations is the budget when none is given.
const DefaultEvaluations = 100000

// defaultTasks bounds the tasks that are played by default: some seconds.
const defaultTasks = 1 << 23

// Progress is how far a search is.
type Progress struct {
	Evaluations, Budget int64 // Budget is 0 where it is time
	Elapsed             time.Duration
	Best                *Candidate // nil before the first
}

// Search is a search that is set up.
type Search struct {
	Options
	e         *estimate.Estimator
	problems  []*problem
	limits    *limits
	depths    [][][]int // by pipeline and buffer: what is tried; nil for the plan's
	buffers   bool      // buffers take of what processors have for hardware
	tasked    bool      // loops that tasks come to may be not made
	power     mapping.Power
	reference Metrics    // the first problem's start, which relative figures refer to
	limit     []float64  // by problem: the longest time that meets MinSpeedup
	choice    *algorithm // that searches
	reason    string     // why auto chose it
	narrowing string     // how few ways to make loops are searched of how many
	size      float64    // how many candidates there are
	pieces    []item     // of searches that prove their result

	begun    time.Time
	setUp    time.Duration // what New took of Time
	stop     atomic.Bool
	spent    atomic.Int64
	deadline time.Time
	mu       sync.Mutex
	shown    *Candidate // best so far, for the progress
}

// New sets a search up. Errors name what of the options is wrong.
func New(e *estimate.Estimator, o Options) (*Search, error) {
	s := &Search{Options: o, e: e, begun: time.Now()}
	if s.power = e.Platform.Power(); s.wants(Energy) && !s.power.Known {
		return nil, fmt.Errorf("energy: platform %s gives no power: give each processor power: {active: W, idle: W}", e.Platform.Name)
	}
	if len(o.Pareto) == 1 || len(o.Pareto) > 3 {
		return nil, fmt.Errorf("a front of %d objectives: want two or three", len(o.Pareto))
	}
	for i, x := range o.Pareto {
		if slices.Contains(o.Pareto[:i], x) || x == Time && slices.Contains(o.Pareto, Speedup) {
			return nil, fmt.Errorf("a front of %s twice: speedup and time are the same", x)
		}
	}
	if len(o.Pareto) > 0 {
		s.Objective = o.Pareto[0]
	}
	err := s.resolve(&s.Constraints)
	if err != nil {
		return nil, err
	}
	s.buffers = s.e.PricesBuffers()
	if err := s.findDepths(); err != nil {
		return nil, err
	}
	serial := []int{o.Serial}
	if o.AnySerial {
		serial = s.serials()
	}
	for _, p := range serial {
		makings, failed := s.makings(p, s.mostWays(len(serial)))
		for i := range makings {
			if n := len(s.problems); n > 0 && s.hurried(4) {
				last := s.problems[n-1]
				last.short, last.making.short = true, true
				break
			}
			pr, of := s.newProblem(p, makings[i])
			if of != nil {
				failed = of
				continue
			}
			s.problems = append(s.problems, pr)
		}
		if failed != nil {
			err = failed
		}
	}
	if len(s.problems) == 0 {
		return nil, err
	}
	if s.Evaluations <= 0 {
		s.Evaluations = DefaultEvaluations
		if made := s.problems[0].space.Table().TasksMade(); made*DefaultEvaluations > defaultTasks {
			s.Evaluations = max(1, int64(defaultTasks/made))
		}
	}
	w := s.newWorker(0, 0, 0)
	w.f.Set(s.problems[0].start(s.problems[0].allowed))
	s.reference = w.metrics()
	for _, p := range s.problems {
		s.limit = append(s.limit, s.limitOf(p))
	}
	s.setUp = min(time.Since(s.begun), s.Time/2)
	return s, s.choose()
}

// hurried reports whether setting up has taken so many eighths of a budget of time.
func (s *Search) hurried(eighths time.Duration) bool {
	return s.Time > 0 && time.Since(s.begun) > s.Time*eighths/8
}

// share is the part of the default budget that is given, 1 for more. Ways to make loops are narrowed down with as much less,
// as what is valued for that is none of the search's own evaluations.
func (s *Search) share() float64 {
	if s.Evaluations <= 0 {
		return 1
	}
	return min(1, float64(s.Evaluations)/DefaultEvaluations)
}

// limitOf is the longest time with which a problem's mappings meet MinSpeedup.
func (s *Search) limitOf(p *problem) float64 {
	if s.Constraints.MinSpeedup > 0 {
		return p.space.NewFast().Seconds() / s.Constraints.MinSpeedup // at rest it is the sequential time
	}
	return math.Inf(1)
}

// serials lists the processors to try, one of equal ones.
func (s *Search) serials() []int {
	var all []int
	for i := range s.e.Platform.Processors {
		same := func(j int) bool { return s.equal(s.e, i, j) && s.limits.memory[i] == s.limits.memory[j] }
		plain := len(s.limits.pin) == 0 && len(s.limits.forbid) == 0 && !slices.Contains(s.limits.never, true)
		if !plain || !slices.ContainsFunc(all, same) {
			all = append(all, i)
		}
	}
	return all
}

// equal reports whether two processors take the same time and the same power for all.
func (s *Search) equal(e *estimate.Estimator, i, j int) bool {
	return e.Charged[i] == e.Charged[j] && e.Alike(i, j) && e.ClockMHz[i] == e.ClockMHz[j] && e.Overheads[i] == e.Overheads[j] && s.power.More[i] == s.power.More[j]
}

func (s *Search) wants(o Objective) bool {
	return s.Objective == o || slices.Contains(s.Pareto, o)
}

// counts reports whether the number of processors in use matters.
func (s *Search) counts() bool {
	return s.wants(Processors) || s.Constraints.MaxProcessors > 0 && s.Constraints.MaxProcessors < len(s.e.Platform.Processors)
}

// item is a piece of work that depends on nothing but its number, and on items of
// earlier batches where the algorithm says so.
type item struct {
	number  int
	problem int
	budget  int64
	set     int     // exhaustive search and branch and bound: index into problem.sets
	unit    int     // the unit searched, whole for all genes
	prefix  []int32 // values of the first genes that are searched
}

// whole stands for all units.
const whole = -1

// Outcome is what an item found.
type Outcome struct {
	Evaluations int64       `json:"evaluations"`
	Best        *Candidate  `json:"best,omitempty"`
	Front       []Candidate `json:"front,omitempty"`
	// Parts are the best choices for a unit, by their costs alone.
	Parts    []Part `json:"parts,omitempty"`
	Complete bool   `json:"complete"` // nothing better is left
}

// Part is a choice for one unit: what it adds to time and energy.
type Part struct {
	Genes   []int32 `json:"genes"`
	Seconds float64 `json:"seconds"`
	Joules  float64 `json:"joules"`
}

// Run searches until the budget is spent, everything is searched, or the context is
// done; then it returns the best so far and Interrupted is set.
func (s *Search) Run(ctx context.Context) (*Found, error) {
	begin := time.Now()
	if s.Time > 0 {
		s.deadline = begin.Add(s.Time - s.setUp)
	}
	if s.State == nil {
		s.State = &State{}
	}
	if s.State.Items == nil {
		s.State.Items = map[int]*Outcome{}
	}
	if err := s.checkState(s.State); err != nil {
		return nil, err
	}
	release := context.AfterFunc(ctx, func() { s.stop.Store(true) })
	defer release()
	for _, o := range s.State.Items {
		s.spent.Add(o.Evaluations)
	}
	ticker := s.report(begin)
	defer ticker()
	var outcomes []*Outcome
	partial := false
	for batch := 0; ; batch++ {
		items := s.choice.items(s, batch, outcomes)
		if len(items) == 0 {
			break
		}
		got, err := s.batch(items, outcomes)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, got...)
		if s.stop.Load() || s.late() {
			partial = slices.ContainsFunc(items, func(it item) bool { return s.State.Items[it.number] == nil }) ||
				len(s.choice.items(s, batch+1, outcomes)) > 0
			break
		}
	}
	interrupted := ctx.Err() != nil && partial
	if err := s.save(); err != nil {
		return nil, err
	}
	return s.conclude(ctx, outcomes, interrupted)
}

func (s *Search) save() error {
	if s.Save == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Save(s.State)
}

func (s *Search) late() bool { return !s.deadline.IsZero() && time.Now().After(s.deadline) }

// batch runs items on all cores. What was interrupted is returned but not kept.
func (s *Search) batch(items []item, before []*Outcome) ([]*Outcome, error) {
	out := make([]*Outcome, len(items))
	var next atomic.Int64
	var wait workers.Group
	var failed atomic.Pointer[error]
	saved := time.Now()
	keep := func(number int, o *Outcome) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.State.Items[number] = o
		if s.Save != nil && time.Since(saved) > saveEvery {
			saved = time.Now()
			if err := s.Save(s.State); err != nil {
				failed.Store(&err)
				s.stop.Store(true)
			}
		}
	}
	for range min(len(items), runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				it := items[i]
				s.mu.Lock()
				done := s.State.Items[it.number]
				s.mu.Unlock()
				if done != nil {
					out[i] = done
					s.show(done.Best)
					continue
				}
				if s.stop.Load() || s.late() {
					out[i] = &Outcome{}
					continue
				}
				w := s.newWorker(it.problem, it.number, it.budget)
				w.item, w.before = it, before
				s.choice.run(w)
				if out[i] = w.outcome(); !w.cut {
					keep(it.number, out[i])
				}
			}
		})
	}
	wait.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return out, nil
}

// saveEvery is how long a state may be behind.
const saveEvery = 10 * time.Second

// report calls Progress now and then until the returned function is called.
func (s *Search) report(begin time.Time) func() {
	if s.Progress == nil {
		return func() {}
	}
	end := make(chan struct{})
	tell := func() {
		p := Progress{Evaluations: s.spent.Load(), Elapsed: time.Since(begin)}
		if s.Time <= 0 {
			p.Budget = s.Evaluations
		}
		s.mu.Lock()
		p.Best = s.shown
		s.mu.Unlock()
		s.Progress(p)
	}
	telling := workers.Start(func() {
		t := time.NewTicker(200 * time.Millisecond)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				tell()
			case <-end:
				tell()
				return
			}
		}
	})
	return func() { close(end); telling.Wait() }
}

// show keeps the best so far for the progress.
func (s *Search) show(c *Candidate) {
	if c == nil {
		return
	}
	s.mu.Lock()
	if s.better(c, s.shown) {
		s.shown = c
	}
	s.mu.Unlock()
}

var errNothing = errors.New("no section of a parallel region ran in this profile, so there is nothing to map; profile an input that reaches one")
