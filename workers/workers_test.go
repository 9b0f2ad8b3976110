package workers_test

// This file tests that panics of goroutines reach whoever waits, and that no goroutine
// of pathspan is started elsewhere.

import (
	"bytes"
	"go/ast"
	"sync/atomic"
	"testing"

	"pathspan/testdata/sources"
	"pathspan/workers"
)

func TestGroup(t *testing.T) {
	var g workers.Group
	sum := make([]int, 100)
	for i := range sum {
		g.Go(func() { sum[i] = i })
	}
	g.Wait()
	for i, x := range sum {
		if x != i {
			t.Fatalf("worker %d has not run when Wait returns", i)
		}
	}
	ended := make(chan bool, 2)
	g.Go(func() { defer close(ended); ended <- true; panic("a broken invariant") })
	g.Go(func() { <-ended })
	p := workers.Catch(g.Wait)
	if p == nil || p.Value != "a broken invariant" || p.String() != "a broken invariant" {
		t.Fatalf("Wait panics with %v", p)
	}
	if !bytes.Contains(p.Stack, []byte("TestGroup.func")) {
		t.Errorf("the trace is not the worker's:\n%s", p.Stack)
	}
}

// Each of twelve runs once, three at a time and no more: every third waits for two others, which only three together let end.
func TestEach(t *testing.T) {
	var ran [12]atomic.Int32
	var running, most atomic.Int32
	meet := make(chan bool)
	workers.Each(len(ran), 3, func(i int) {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		if ran[i].Add(1); i%3 == 0 {
			<-meet
			<-meet
		} else {
			meet <- true
		}
		running.Add(-1)
	})
	for i := range ran {
		if n := ran[i].Load(); n != 1 {
			t.Errorf("%d ran %d times", i, n)
		}
	}
	if n := most.Load(); n > 3 || running.Load() != 0 {
		t.Errorf("%d at a time, and %d when Each returns; want 3 at most, and none", n, running.Load())
	}
	after := 0
	p := workers.Catch(func() {
		workers.Each(5, 1, func(i int) {
			if after++; i == 1 {
				panic("the second")
			}
		})
	})
	if p == nil || p.Value != "the second" || after != 5 {
		t.Errorf("one of five that panics: %v, and %d ran", p, after)
	}
	workers.Each(0, 1, func(int) { t.Error("called of none") })
}

func TestPanicOfAWorkersWorker(t *testing.T) {
	task := workers.Start(func() {
		var inner workers.Group
		inner.Go(func() { panic("deep down") })
		inner.Wait()
	})
	<-task.Ended()
	p := workers.Catch(task.Wait)
	if p == nil || p.Value != "deep down" {
		t.Fatalf("got %+v", p)
	}
	if !bytes.Contains(p.Stack, []byte("TestPanicOfAWorkersWorker.func1.1")) {
		t.Errorf("the trace is not that of the goroutine that panicked:\n%s", p.Stack)
	}
}

func TestTask(t *testing.T) {
	release := make(chan bool)
	done := false
	task := workers.Start(func() { <-release; done = true })
	select {
	case <-task.Ended():
		t.Fatal("it has ended before it could")
	default:
	}
	close(release)
	task.Wait()
	if !done {
		t.Error("Wait returns too early")
	}
}

// TestAllGoroutinesAreWorkers reads pathspan's sources: a goroutine that is started in
// any other way would take the process along when it panics.
func TestAllGoroutinesAreWorkers(t *testing.T) {
	found := sources.Each(t, "..", "workers", func(_ string, place func(ast.Node) string, n ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s: a go statement; start it with workers.Group or workers.Start", place(n))
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "sync" && n.Sel.Name == "WaitGroup" {
				t.Errorf("%s: a sync.WaitGroup; workers.Group carries panics", place(n))
			}
		}
	})
	if found < 100 {
		t.Errorf("%d files were read; want all of pathspan's", found)
	}
}
