package table_test

// This file tests how tasks are played, against what no schedule can be beyond, and against
// closed formulas.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

// taskMachine has processors like one another; tasks cost what they say.
func taskMachine(n int) table.Machine {
	return table.Machine{KindOf: make([]int, n), Kinds: 1, Create: make([]float64, n), Sync: make([]float64, n)}
}

// onTeam maps one region with one section, whose tasks go to all processors.
func onTeam(n int) *mapping.Resolved {
	pl := mapping.Homogeneous(n, "generic")
	return &mapping.Resolved{Platform: pl, Regions: []mapping.RegionMap{{Team: mapping.Team(n, 0, n), Proc: [][]int{{0}}, Order: [][]int{{0}}}}}
}

func part(own float64, set int, times float64) table.Part {
	return table.Part{Own: []float64{own}, Set: set, Times: times}
}

// program makes the table of one section.
func program(t *testing.T, n int, lane func(b *table.Builder) []table.Part) *table.Table {
	t.Helper()
	b := table.NewBuilder(taskMachine(n), 1)
	x := b.Execution(0, 0, 1, [][]table.Part{lane(b)})
	b.Root(x, 1)
	tab, err := b.Table([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func value(t *testing.T, tab *table.Table, n int) float64 {
	t.Helper()
	x, err := tab.NewValuer().Value(onTeam(n))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func span(t *testing.T, tab *table.Table) float64 {
	t.Helper()
	c, err := tab.Chains(0, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Program()
}

// fib makes the tasks of a recursion that takes own at each call: one task for each of two
// smaller calls, then a taskwait.
func fib(b *table.Builder, n int, own float64) []table.Part {
	wait := b.Only(b.Task(table.Wait, -1, nil, nil))
	lanes := make([][]table.Part, n+1)
	for i := range lanes {
		if i < 2 {
			lanes[i] = []table.Part{part(own, -1, 1)}
			continue
		}
		task := func(k int) int { return b.Only(b.Task(table.Deferred, -1, nil, lanes[k])) }
		lanes[i] = []table.Part{part(own, task(i-1), 1), part(0, task(i-2), 1), part(0, wait, 1)}
	}
	return lanes[n]
}

func TestTasksOfFib(t *testing.T) {
	calls := []float64{1, 1}
	for i := 2; i <= 25; i++ {
		calls = append(calls, 1+calls[i-1]+calls[i-2])
	}
	for _, n := range []int{5, 12, 20} {
		for _, p := range []int{1, 2, 3, 8} {
			tab := program(t, p, func(b *table.Builder) []table.Part { return fib(b, n, 10) })
			if work := tab.Sequential(0); work != 10*calls[n] {
				t.Errorf("fib(%d): work %v, want %v", n, work, 10*calls[n])
			}
			if s := span(t, tab); s != 10*float64(n) { // a call for each n, down to 1
				t.Errorf("fib(%d): span %v, want %v", n, s, 10*n)
			}
			x := value(t, tab, p)
			if least := math.Max(10*float64(n), 10*calls[n]/float64(p)); x < least-1e-9 || p == 1 && x != 10*calls[n] {
				t.Errorf("fib(%d) on %d: %v, not below %v", n, p, x, least)
			}
			if greedy := 10*calls[n]/float64(p) + 10*float64(n); x > 1.05*greedy {
				t.Errorf("fib(%d) on %d: %v, far from %v", n, p, x, greedy)
			}
		}
	}
}

// TestTasksInChains: tasks of which each waits for the one before it are one after the other,
// those that wait for the second before are two chains.
func TestTasksInChains(t *testing.T) {
	for distance := 1; distance <= 3; distance++ {
		tab := program(t, 4, func(b *table.Builder) []table.Part {
			free := b.Only(b.Task(table.Deferred, -1, nil, []table.Part{part(10, -1, 1)}))
			chained := b.Only(b.Task(table.Deferred, -1, []uint64{uint64(distance)}, []table.Part{part(10, -1, 1)}))
			return []table.Part{part(0, free, float64(distance)), part(0, chained, 60-float64(distance))}
		})
		want := 600 / float64(distance)
		if x, s := value(t, tab, 4), span(t, tab); x != want || s != want {
			t.Errorf("distance %d: %v, span %v, want %v", distance, x, s, want)
		}
	}
}

// TestTaskCosts: who makes a task pays for it before others see it, who takes one from another
// pays before it begins, and nobody pays for what it takes from its own queue.
func TestTaskCosts(t *testing.T) {
	lane := func(b *table.Builder) []table.Part {
		return []table.Part{part(0, b.Only(b.Task(table.Deferred, -1, nil, []table.Part{part(100, -1, 1)})), 4)}
	}
	for _, c := range []struct {
		processors       int
		makes, steals    float64
		want, burdened   float64
		making, stealing float64
	}{
		{1, 7, 50, 400, 4*7 + 50 + 100, 0, 0}, // a team of one has no queue
		{5, 0, 0, 100, 100, 0, 0},
		{5, 7, 0, 7*4 + 100, 7*4 + 100, 7 * 4, 0},
		{5, 7, 50, 7*3 + 50 + 100, 7*4 + 50 + 100, 7 * 4, 50 * 3}, // the maker has the last
		{2, 0, 150, 300, 250, 0, 150},                             // and three, as stealing takes long
	} {
		m := taskMachine(c.processors)
		for range c.processors {
			m.Task, m.Steal = append(m.Task, c.makes), append(m.Steal, c.steals)
		}
		b := table.NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, [][]table.Part{lane(b)}), 1)
		tab, err := b.Table([]float64{0})
		if err != nil {
			t.Fatal(err)
		}
		chains, err := tab.Chains(0, true)
		if err != nil {
			t.Fatal(err)
		}
		if x, s := value(t, tab, c.processors), chains.Program(); x != c.want || s != c.burdened {
			t.Errorf("%+v: %v, burdened span %v", c, x, s)
		}
		spent := map[table.EventKind]float64{}
		if err := tab.NewValuer().Play(onTeam(c.processors), func(p *table.Played) {
			for _, e := range p.Events {
				spent[e.Kind] += e.End - e.Start
			}
		}); err != nil {
			t.Fatal(err)
		}
		if spent[table.Work] != 400 || spent[table.TaskMake] != c.making || spent[table.TaskSteal] != c.stealing {
			t.Errorf("%+v: spent %v", c, spent)
		}
	}
}

// TestUntied: a thread that waits in a tied task begins an untied one, and no tied one that the
// first did not lead to.
func TestUntied(t *testing.T) {
	for _, c := range []struct {
		untied bool
		want   float64
	}{{false, 1505}, {true, 1010}} {
		m := taskMachine(3)
		m.Untied = []bool{c.untied}
		b := table.NewBuilder(m, 1)
		task := func(number int, parts ...table.Part) int { return b.Only(b.Task(table.Deferred, number, nil, parts)) }
		wait := b.Only(b.Task(table.Wait, -1, nil, nil))
		other := task(0, part(500, -1, 1))
		long := task(-1, part(5, task(-1, part(1000, -1, 1)), 1), part(20, wait, 1))
		b.Root(b.Execution(0, 0, 1, [][]table.Part{{part(0, long, 1), part(10, other, 1), part(1000, -1, 1)}}), 1)
		tab, err := b.Table([]float64{0})
		if err != nil {
			t.Fatal(err)
		}
		if x := value(t, tab, 3); x != c.want {
			t.Errorf("untied %v: %v, want %v", c.untied, x, c.want)
		}
	}
}

// TestStealing: where two have tasks and one is long, who is asked first decides.
func TestStealing(t *testing.T) {
	lanes := func(long float64) *table.Table {
		return program(t, 4, func(b *table.Builder) []table.Part {
			task := func(parts ...table.Part) int { return b.Only(b.Task(table.Deferred, -1, nil, parts)) }
			one := task(part(0, task(part(long, -1, 1)), 1), part(45000, -1, 1))
			other := task(part(0, task(part(10000, -1, 1)), 2), part(45000, -1, 1))
			return []table.Part{part(0, one, 1), part(0, other, 1), part(45000, -1, 1)}
		})
	}
	for _, c := range []struct{ long, least, most float64 }{{50000, 55000, 70000}, {100, 45000, 45000}} {
		tab := lanes(c.long)
		least, most, err := tab.Stealing(onTeam(4), 64)
		if x := value(t, tab, 4); err != nil || x != c.least || math.Abs(least/c.least-1) > 0.01 || math.Abs(most/c.most-1) > 0.01 {
			t.Errorf("long task of %v: %v, %v to %v in other orders, %v", c.long, x, least, most, err)
		}
		if again, _, err := tab.Stealing(onTeam(4), 64); err != nil || again != least {
			t.Errorf("%v the second time, %v", again, least)
		}
	}
}

// TestFullQueues: who makes more tasks than its queue takes executes them meanwhile.
func TestFullQueues(t *testing.T) {
	tab := program(t, 2, func(b *table.Builder) []table.Part {
		return []table.Part{part(0, b.Only(b.Task(table.Deferred, -1, nil, []table.Part{part(10, -1, 1)})), 100000)}
	})
	if x := value(t, tab, 2); x != 500000 {
		t.Errorf("%v, want 500000", x)
	}
}

// TestTooManyTasks: what would take for ever is refused.
func TestTooManyTasks(t *testing.T) {
	b := table.NewBuilder(taskMachine(2), 1)
	lane := []table.Part{part(1, -1, 1)}
	for range 12 {
		lane = []table.Part{part(0, b.Only(b.Task(table.Deferred, -1, nil, lane)), 1000)}
	}
	b.Root(b.Execution(0, 0, 1, [][]table.Part{lane}), 1)
	if _, err := b.Table([]float64{0}); err == nil || !strings.Contains(err.Error(), "makes 1e+36 tasks: too many to play") {
		t.Error(err)
	}
}

// TestTaskGroups: the end of a group waits for what its tasks made, a taskwait does not.
func TestTaskGroups(t *testing.T) {
	for _, c := range []struct {
		end  table.TaskRole
		want float64
	}{{table.Wait, 105}, {table.GroupEnd, 200}} {
		tab := program(t, 4, func(b *table.Builder) []table.Part {
			inner := b.Only(b.Task(table.Deferred, -1, nil, []table.Part{part(100, -1, 1)}))
			outer := b.Only(b.Task(table.Deferred, -1, nil, []table.Part{part(5, inner, 1)}))
			begin, end := b.Only(b.Task(table.GroupBegin, -1, nil, nil)), b.Only(b.Task(c.end, -1, nil, nil))
			return []table.Part{part(0, begin, 1), part(0, outer, 1), part(0, end, 1), part(95, -1, 1), part(0, -1, 1)}
		})
		if x, s := value(t, tab, 4), span(t, tab); x != c.want || s != c.want {
			t.Errorf("role %d: %v, span %v, want %v", c.end, x, s, c.want)
		}
	}
}

func BenchmarkTasks(b *testing.B) {
	for _, n := range []int{2, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			build := table.NewBuilder(taskMachine(n), 1)
			build.Root(build.Execution(0, 0, 1, [][]table.Part{fib(build, 29, 10)}), 1) // 1.7 million tasks
			tab, err := build.Table([]float64{0})
			if err != nil {
				b.Fatal(err)
			}
			m := onTeam(n)
			v := tab.NewValuer()
			for b.Loop() {
				if _, err := v.Value(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
