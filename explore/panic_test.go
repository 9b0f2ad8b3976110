package explore

// This file tests that a panic in a search reaches whoever runs it.

import (
	"context"
	"testing"

	"pathspan/workers"
)

func TestPanicsOfASearch(t *testing.T) {
	e := larger(t)
	for what, change := range map[string]func(*Search){
		"while it tells how far it is": func(s *Search) { s.Progress = func(Progress) { panic("told") } },
		"while it saves its state":     func(s *Search) { s.Save = func(*State) error { panic("told") } },
		"of a worker": func(s *Search) {
			broken := *s.choice
			broken.run = func(*worker) { panic("told") }
			s.choice = &broken
		},
	} {
		s, err := New(e, Options{Algorithm: "random", Evaluations: 1000})
		if err != nil {
			t.Fatal(err)
		}
		change(s)
		p := workers.Catch(func() { s.Run(context.Background()) })
		if p == nil || p.Value != "told" {
			t.Errorf("a panic %s: Run panics with %v", what, p)
		}
	}
}
