// Package workers runs goroutines whose panics reach whoever waits for them.
//
// A panic that leaves a goroutine ends the process with a trace and Go's status 2, past
// every recover of its caller. Here it is kept, and Wait panics with it in its place:
//
//	var crew workers.Group
//	for i := range work {
//		crew.Go(func() { do(i) })
//	}
//	crew.Wait()
//
// So the command line's one handler turns any panic into its one line. All of pathspan's
// goroutines are started here; a test holds that. What others start for us, such as the
// goroutines of a gRPC server, passes through Catch.
package workers

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Panic is what ended a worker: the value that it panicked with, and where.
type Panic struct {
	Value any
	Stack []byte // of the worker, as debug.Stack prints it
}

// String gives the value alone: what a message says.
func (p *Panic) String() string { return fmt.Sprint(p.Value) }

// Catch calls f and returns the panic that ended it, or nil.
func Catch(f func()) (p *Panic) {
	defer func() {
		if value := recover(); value != nil {
			var ours bool // of a worker's own workers
			if p, ours = value.(*Panic); !ours {
				p = &Panic{value, debug.Stack()}
			}
		}
	}()
	f()
	return nil
}

// Group is a number of goroutines to wait for. Its zero value has none.
type Group struct {
	running sync.WaitGroup
	mu      sync.Mutex
	first   *Panic
}

// Go runs f on a goroutine of its own.
func (g *Group) Go(f func()) {
	g.running.Go(func() {
		if p := Catch(f); p != nil {
			g.mu.Lock()
			defer g.mu.Unlock()
			if g.first == nil {
				g.first = p
			}
		}
	})
}

// Wait returns when all have ended. Where one panicked, Wait panics with the *Panic of
// the first that did.
func (g *Group) Wait() {
	g.running.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.first; p != nil {
		panic(p)
	}
}

// Each calls f of 0 to n-1, so many at a time, and returns when all have ended.
func Each(n, together int, f func(i int)) {
	var all Group
	places := make(chan struct{}, together)
	for i := range n {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			f(i)
		})
	}
	all.Wait()
}

// Task is one goroutine whose end can be waited for beside other things.
type Task struct {
	ended chan struct{}
	panic *Panic
}

// Start runs f on a goroutine of its own.
func Start(f func()) *Task {
	t := &Task{ended: make(chan struct{})}
	go func() {
		defer close(t.ended)
		t.panic = Catch(f)
	}()
	return t
}

// Ended is closed when the goroutine has ended. Whoever has seen that calls Wait.
func (t *Task) Ended() <-chan struct{} { return t.ended }

// Wait returns when the goroutine has ended. Where it panicked, Wait panics with the
// *Panic.
func (t *Task) Wait() {
	<-t.ended
	if t.panic != nil {
		panic(t.panic)
	}
}
