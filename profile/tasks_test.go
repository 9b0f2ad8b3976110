package profile

// This file tests what the run-time library keeps of tasks.

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"pathspan/ir"
)

// Kinds of dependences (openmp/runtime/src/kmp.h).
const (
	dependIn    = 1
	dependOut   = 3 // inout
	dependMutex = 4
	dependSet   = 8 // inoutset
)

type dependence struct{ address, kind int }

// task tells of a task with its lane.
func (s *script) task(number int, how uint64, depends []dependence, lane func()) {
	s.add(7, how, uint64(len(depends)))
	for _, d := range depends {
		s.add(uint64(d.address), uint64(d.kind))
	}
	s.mark(int(ir.TaskBegin), 0, number, 0)
	if lane != nil {
		lane()
	}
	s.mark(int(ir.TaskEnd), 0, number, 0)
}

func (s *script) wait(depends []dependence) {
	s.add(8, uint64(len(depends)))
	for _, d := range depends {
		s.add(uint64(d.address), uint64(d.kind))
	}
	s.mark(int(ir.TaskWait), 0, 0, 0)
}

// inSection tells of an execution of the first construct, whose first section makes tasks.
func (s *script) inSection(lane func()) {
	s.mark(1, 0, 0, 0)
	s.mark(3, 0, 0, 0)
	lane()
	s.mark(4, 0, 0, 0)
	s.mark(3, 0, 0, 1)
	s.mark(4, 0, 0, 1)
	s.mark(2, 0, 0, 0)
}

// taskTrees reads trees of the made-up program.
type taskTrees struct {
	rawTrees
	regions int
}

func (t *taskTrees) form(i int) (task int, form ir.TaskForm) {
	if t.trees[i].region != t.regions {
		return -1, -1
	}
	if c := t.trees[i].construct; c < testTasks {
		return c, -1
	}
	return -1, ir.TaskForm(t.trees[i].construct - testTasks)
}

// each visits what a lane executes, in order, pieces laid out.
func (t *taskTrees) each(lane []treePart, visit func(child int)) {
	for _, p := range lane {
		for range p.times {
			if p.child < 0 {
				continue
			}
			if _, form := t.form(p.child); form == ir.Piece {
				t.each(t.trees[p.child].lanes[0], visit)
			} else {
				visit(p.child)
			}
		}
	}
}

// waits lists the distances of a dependent entry.
func (t *taskTrees) waits(i int) (out []int) {
	at := 0
	t.each(t.trees[i].lanes[0], func(child int) {
		if _, form := t.form(child); form == ir.Waited {
			out = append(out, at)
		} else {
			at++
		}
	})
	return out
}

func driveTasks(t *testing.T, exe string, s script) *taskTrees {
	got, _ := drive(t, exe, s)
	return &taskTrees{got, len(testSections) + 1}
}

// root is the execution of the first construct.
func (t *taskTrees) root(test *testing.T) *tree {
	i := slices.IndexFunc(t.trees, func(x tree) bool { return x.region == 0 })
	if i < 0 {
		test.Fatal("no execution")
	}
	return &t.trees[i]
}

// testTaskOrder: lanes longer than a lane's parts keep the order of tasks.
func testTaskOrder(t *testing.T, exe string) {
	r := rand.New(rand.NewSource(1))
	var s script
	var want []uint64
	s.inSection(func() {
		for range 5000 {
			work := uint64(1) << (3 * r.Intn(8))
			want = append(want, work)
			s.task(0, 0, nil, func() { s.work(work, 0) })
		}
	})
	got := driveTasks(t, exe, s)
	var have []uint64
	got.each(got.root(t).lanes[0], func(child int) {
		x := &got.trees[child]
		have = append(have, x.lanes[0][0].sum[0]/x.count)
	})
	if !slices.Equal(have, want) || got.grid != finerGrid || got.depth != 0 {
		t.Errorf("%d tasks of %d in their order, grid %d, depth %d", len(have), len(want), got.grid, got.depth)
	}
	for _, x := range got.trees {
		for _, lane := range x.lanes {
			if len(lane) > mostLaneParts {
				t.Errorf("a lane of %d parts", len(lane))
			}
		}
	}
}

// testTaskRecursion: a million tasks that make tasks are few entries.
func testTaskRecursion(t *testing.T, exe string) {
	var s script
	var fib func(n int)
	calls := 0
	fib = func(n int) {
		s.work(3, 1)
		if calls++; n < 2 {
			return
		}
		s.task(0, 0, nil, func() { fib(n - 1) })
		s.task(1, 0, nil, func() { fib(n - 2) })
		s.wait(nil)
	}
	s.inSection(func() { fib(18) })
	got := driveTasks(t, exe, s)
	tasks := uint64(0)
	for i := range got.trees {
		if task, _ := got.form(i); task >= 0 {
			tasks += got.trees[i].count
		}
	}
	if tasks != uint64(calls-1) || len(got.trees) > 40 || got.depth != 0 {
		t.Errorf("%d tasks of %d in %d entries, depth %d", tasks, calls-1, len(got.trees), got.depth)
	}
}

// testIncludedTasks: what a final task makes is its own work, and undeferred tasks say so.
func testIncludedTasks(t *testing.T, exe string) {
	var s script
	s.inSection(func() {
		s.task(0, 2, nil, func() {
			s.work(5, 0)
			s.task(1, 0, nil, func() {
				s.work(7, 0)
				s.wait(nil)
			})
		})
		s.task(1, 1, nil, func() { s.work(11, 0) })
		s.mark(int(ir.GroupBegin), 0, 0, 0)
		s.mark(int(ir.GroupEnd), 0, 0, 0)
	})
	got := driveTasks(t, exe, s)
	said := ""
	got.each(got.root(t).lanes[0], func(child int) {
		task, form := got.form(child)
		said += fmt.Sprint(task, form)
		if len(got.trees[child].lanes) > 0 {
			said += fmt.Sprint(got.trees[child].lanes[0][0].sum)
		}
		said += ";"
	})
	if want := fmt.Sprintf("0 -1[12 0];-1 %d[0 0];-1 %d;-1 %d;", ir.Undeferred, ir.GroupBegun, ir.GroupEnded); said != want {
		t.Errorf("got %s, want %s", said, want)
	}
}

// testTaskDependences holds the siblings that are waited for to the definition: those, of all
// elder siblings, that name a common address otherwise than both to read it, or both in one
// set that may run at the same time; less those that others of them wait for themselves. What
// excludes each other is taken in the order in which it is made.
func testTaskDependences(t *testing.T, exe string) {
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		var s script
		var all [][]dependence
		s.inSection(func() {
			for range 30 {
				var list []dependence
				for range r.Intn(4) {
					d := dependence{1000 + 8*r.Intn(4), []int{dependIn, dependOut, dependMutex, dependSet}[r.Intn(4)]}
					if !slices.ContainsFunc(list, func(e dependence) bool { return e.address == d.address }) {
						list = append(list, d)
					}
				}
				all = append(all, list)
				s.task(0, 0, list, func() { s.work(1, 0) })
			}
		})
		got := driveTasks(t, exe, s)
		var waits [][]int
		got.each(got.root(t).lanes[0], func(child int) {
			if _, form := got.form(child); form == ir.Dependent {
				waits = append(waits, got.waits(child))
			} else {
				waits = append(waits, nil)
			}
		})
		if len(waits) != len(all) {
			t.Fatalf("%d tasks of %d", len(waits), len(all))
		}
		// By what is told, and by the definition: who has to be over before whom.
		told, want := make([]map[int]bool, len(all)), make([]map[int]bool, len(all))
		for i := range all {
			told[i], want[i] = map[int]bool{}, map[int]bool{}
			for _, d := range waits[i] {
				told[i][i-d] = true
				for k := range told[i-d] {
					told[i][k] = true
				}
			}
			for j := range i {
				for _, d := range all[i] {
					for _, e := range all[j] {
						if d.address == e.address && (d.kind != e.kind || d.kind == dependOut || d.kind == dependMutex) {
							want[i][j] = true
						}
					}
				}
			}
			for j := range i {
				if want[i][j] {
					for k := range want[j] {
						want[i][k] = true
					}
				}
			}
			if fmt.Sprint(told[i]) != fmt.Sprint(want[i]) {
				t.Errorf("seed %d: task %d comes behind %v, want %v", seed, i, told[i], want[i])
			}
		}
	}
}
