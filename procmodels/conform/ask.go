package conform

// This file asks the model, and survives models that panic, hang or fail.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"pathspan/procmodels"
	"pathspan/workers"
)

// kit is one run of the checks.
type kit struct {
	ctx     context.Context
	open    Opener
	limit   time.Duration
	model   procmodels.Model // nil until it is open
	desc    procmodels.Description
	hung    bool // one answer did not come; the model is not asked again
	failed  bool // the model failed to answer since it was opened
	answers map[*subject]*answer
	main    []*subject // see ordinary
}

// subject is a program with a name for messages.
type subject struct {
	name string
	procmodels.Subject
}

// answer is what the model said of a subject.
type answer struct {
	costs *procmodels.Costs
	err   error // of the model; or that it panicked, hung, or gave no costs
}

var errHung = errors.New("no answer")

// guarded runs ask, which asks a model, and turns panics into errors. It gives up after
// the limit; what is running then cannot be ended and is left behind.
func guarded[T any](k *kit, ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	type reply struct {
		value T
		err   error
	}
	ctx, cancel := context.WithTimeout(ctx, k.limit)
	defer cancel()
	done := make(chan reply, 1)
	workers.Start(func() { // not waited for: what it panics with is its answer
		var r reply
		if p := workers.Catch(func() { r.value, r.err = ask(ctx) }); p != nil {
			r.err = fmt.Errorf("it panicked: %v", p)
		}
		done <- r
	})
	// A model that minds its context answers a little after the limit.
	timer := time.NewTimer(k.limit + k.limit/4)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.value, r.err
	case <-timer.C:
		k.hung = true
		var none T
		return none, fmt.Errorf("%w within %v", errHung, k.limit)
	}
}

func (k *kit) price(ctx context.Context, m procmodels.Model, s *subject) (*procmodels.Costs, error) {
	costs, err := guarded(k, ctx, func(ctx context.Context) (*procmodels.Costs, error) {
		own := s.Subject // a model that writes into it shall not spoil ours
		return m.Costs(ctx, &own)
	})
	if err == nil && costs == nil {
		err = errors.New("it gave neither costs nor an error")
	}
	k.failed = k.failed || err != nil
	return costs, err
}

// costs returns the first answer to a subject, asking once.
func (k *kit) costs(s *subject) (*procmodels.Costs, error) {
	a := k.answers[s]
	if a == nil {
		a = &answer{}
		a.costs, a.err = k.price(k.ctx, k.model, s)
		k.answers[s] = a
	}
	return a.costs, a.err
}

// sound returns the first answer to a subject where it fits the program; else why not.
func (k *kit) sound(s *subject) (*procmodels.Costs, error) {
	costs, err := k.costs(s)
	if err == nil {
		err = costs.Check(s.Program)
	}
	return costs, err
}

func (k *kit) openModel() (procmodels.Model, error) {
	m, err := guarded(k, k.ctx, func(context.Context) (procmodels.Model, error) { return k.open() })
	if err == nil && m == nil {
		err = errors.New("opening gave neither a model nor an error")
	}
	return m, err
}

// recover opens the model anew after a failure: a plugin may be gone for good then, and
// what the other checks ask has not been answered yet.
func (k *kit) recover() {
	if !k.failed || k.hung || k.model == nil {
		return
	}
	k.failed = false
	if m, err := k.openModel(); err == nil {
		k.close(k.model)
		k.model = m
	}
}

func (k *kit) close(m procmodels.Model) {
	if c, ok := m.(io.Closer); ok {
		// What goes wrong on closing changes no answer.
		_, _ = guarded(k, context.WithoutCancel(k.ctx), func(context.Context) (struct{}, error) { return struct{}{}, c.Close() })
	}
}

// opens opens the model that the other checks ask.
func (k *kit) opens() outcome {
	m, err := k.openModel()
	if err != nil {
		return failed("the message says what is missing", "%v", err)
	}
	k.model = m
	return passed("")
}

// oneLine keeps a foreign message to one line of a bearable length.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + " ..."
	}
	return s
}
