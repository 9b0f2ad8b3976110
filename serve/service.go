package serve

// This file declares the service: an estimator with its description and its workers.

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/workers"
)

// Options says what a service tells of itself and does by default.
type Options struct {
	Bundle     string               // name of the bundle, for the description
	Techniques []estimate.Technique // of candidates that name none; nil for the one that answers (estimate.Answering)
	Notes      []string             // further remarks for the description
	Workers    int                  // goroutines that estimate; 0 for one a core
}

// Service answers candidates of one program and platform. Its methods may be called by
// several goroutines.
type Service struct {
	Description Description

	e          *estimate.Estimator
	techniques []estimate.Technique
	places     []sectionPlace      // by section
	unnamed    []*mapping.Resolved // by serial processor: what a mapping gives that names no region
	spaces     [][]space           // by technique and serial processor
	work       chan func(*worker)
	quit       chan struct{} // closed by end
	ending     sync.Once
	failed     atomic.Pointer[workers.Panic] // the first panic of a worker or a call
	crew       workers.Group
}

// sectionPlace is where a section is in a mapping.
type sectionPlace struct{ region, construct, section int }

// New makes a service and starts its workers; Close ends them.
func New(e *estimate.Estimator, o Options) (*Service, error) {
	s := &Service{e: e, techniques: o.Techniques, work: make(chan func(*worker)), quit: make(chan struct{})}
	if s.techniques == nil {
		s.techniques = []estimate.Technique{estimate.Answering(e.Bundle)}
	}
	for r := range e.Bundle.Program.Regions {
		for c := range e.Bundle.Program.Regions[r].Constructs {
			if e.Bundle.Program.Regions[r].Constructs[c].Loop != nil {
				continue
			}
			for i := range e.Bundle.Program.Regions[r].Constructs[c].Sections {
				s.places = append(s.places, sectionPlace{r, c, i})
			}
		}
	}
	for i := range e.Platform.Processors {
		m, err := mapping.Resolve(e.Platform, &mapping.Mapping{Serial: mapping.Word{Text: e.Platform.Processors[i].Name}}, e.Bundle.Program)
		if err != nil {
			return nil, fmt.Errorf("serve: %w", err)
		}
		m.Defaulted = nil
		s.unnamed = append(s.unnamed, m)
	}
	s.spaces = make([][]space, len(estimate.Techniques()))
	for i := range s.spaces {
		s.spaces[i] = make([]space, len(s.unnamed))
	}
	s.describe(o)
	n := o.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	for range n {
		s.crew.Go(func() {
			if p := workers.Catch(s.answer); p != nil {
				s.fail(p)
			}
		})
	}
	return s, nil
}

// answer does jobs until the service ends.
func (s *Service) answer() {
	w := newWorker(s)
	for {
		select {
		case job := <-s.work:
			job(w)
		case <-s.quit:
			return
		}
	}
}

// Close ends the workers. Calls that are under way are then answered with an error.
func (s *Service) Close() {
	s.end()
	s.crew.Wait()
}

func (s *Service) end() { s.ending.Do(func() { close(s.quit) }) }

// fail ends the service because of a panic: after one, no answer can be relied on. Lines
// and Serve panic with it where they would return.
func (s *Service) fail(p *workers.Panic) {
	s.failed.CompareAndSwap(nil, p)
	s.end()
}

func (s *Service) raise() {
	if p := s.failed.Load(); p != nil {
		panic(p)
	}
}

// do gives a job to a worker. It reports false after Close.
func (s *Service) do(job func(*worker)) bool {
	select {
	case s.work <- job:
		return true
	case <-s.quit:
		return false
	}
}
