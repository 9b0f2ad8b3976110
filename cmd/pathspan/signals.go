package main

// This file says what a signal does that asks pathspan to end.

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"pathspan/scratch"
	"pathspan/workers"
)

// watch acts on SIGINT, SIGTERM and, unless nohup had it ignored, SIGHUP. A signal ends
// the work that can be interrupted. Where there is none, and when it is the second, it
// ends pathspan as it would have without us, but that no folder is left behind. While a
// profiled program runs, signals are the program's.
type watch struct {
	signals chan os.Signal
	end     chan struct{}
	task    *workers.Task

	mu       sync.Mutex
	cancel   func()         // of the work that can be interrupted, or nil
	caught   syscall.Signal // that ended it
	programs bool           // they are the program's
}

// watchKey finds the watch in a command's context.
type watchKey struct{}

func watchSignals() *watch {
	w := &watch{signals: make(chan os.Signal, 4), end: make(chan struct{})}
	signal.Notify(w.signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(w.signals, syscall.SIGHUP)
	}
	w.task = workers.Start(w.run)
	return w
}

func (w *watch) stop() {
	signal.Stop(w.signals)
	close(w.end)
	w.task.Wait()
}

func (w *watch) run() {
	for {
		select {
		case s := <-w.signals:
			if by := s.(syscall.Signal); !w.interrupt(by) {
				scratch.RemoveAll()
				dieOf(by)
			}
		case <-w.end:
			return
		}
	}
}

// interrupt hands a signal to whom it is for. It reports false where that is nobody.
func (w *watch) interrupt(s syscall.Signal) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.programs {
		return true
	}
	if w.cancel == nil || w.caught != 0 {
		return false
	}
	w.caught = s
	w.cancel()
	return true
}

// dieOf ends pathspan by a signal, so that whoever waits for it sees what it would see of
// any other program.
func dieOf(s syscall.Signal) {
	signal.Reset(s)
	syscall.Kill(os.Getpid(), s)
	select {} // until it arrives
}

// interruptible returns a context that SIGINT, SIGTERM or SIGHUP ends until done is
// called, and which of them did.
func interruptible(parent context.Context) (ctx context.Context, caught func() syscall.Signal, done func()) {
	ctx, cancel := context.WithCancel(parent)
	w := parent.Value(watchKey{}).(*watch)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel = cancel
	caught = func() syscall.Signal {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.caught
	}
	return ctx, caught, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.cancel = nil
		cancel()
	}
}

// leaveSignals leaves signals to the profiled program, which record passes them on to,
// until done is called.
func leaveSignals(ctx context.Context) (done func()) {
	w := ctx.Value(watchKey{}).(*watch)
	set := func(to bool) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.programs = to
	}
	set(true)
	return func() { set(false) }
}
