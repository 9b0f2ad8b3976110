package table_test

// This file holds pipelines of tasks, played with their own waits and with others, to the
// recurrence of stages that have a processor each.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

// chain is a pipeline: what each stage takes on each item, and what is done before an item is made.
type chain struct {
	takes     [][]float64 // by item and stage
	before    []float64
	depths    []int
	stateless []bool
}

func randomChain(r *rand.Rand) chain {
	stages, items := 2+r.IntN(4), 1+r.IntN(40)
	c := chain{}
	for range stages - 1 {
		c.depths = append(c.depths, 1+r.IntN(5))
	}
	for range stages {
		c.stateless = append(c.stateless, r.IntN(4) == 0)
	}
	for range items {
		var takes []float64
		for range stages {
			takes = append(takes, float64(1+r.IntN(90)*r.IntN(2)))
		}
		c.takes, c.before = append(c.takes, takes), append(c.before, float64(r.IntN(20)*r.IntN(2)))
	}
	return c
}

// waits is for which elder tasks a stage waits (ir.Pipeline).
func (c *chain) waits(stage int, depths []int) []uint64 {
	var out []uint64
	if n := len(c.stateless); !c.stateless[stage] {
		out = append(out, uint64(n))
	}
	if stage > 0 {
		out = append(out, 1)
	}
	if stage < len(depths) {
		out = append(out, uint64(depths[stage]*len(c.stateless)-1))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *chain) table(t *testing.T, processors int) *table.Table {
	b := table.NewBuilder(taskMachine(processors), 1)
	var lane []table.Part
	for i, takes := range c.takes {
		for s, x := range takes {
			own := 0.0
			if s == 0 {
				own = c.before[i]
			}
			task := b.Only(b.Task(table.Deferred, s, c.waits(s, c.depths), []table.Part{part(x, -1, 1)}))
			lane = append(lane, part(own, task, 1))
		}
	}
	lane = append(lane, part(0, b.Only(b.Task(table.Wait, -1, nil, nil)), 1))
	b.Root(b.Execution(0, 0, 1, [][]table.Part{lane}), 1)
	tab, err := b.Table([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// recurrence is when each stage is done with each item, where each has a processor and takes items
// in their order.
func (c *chain) recurrence(depths []int) (ends [][]float64) {
	made := 0.0
	for i, takes := range c.takes {
		made += c.before[i]
		ends = append(ends, make([]float64, len(takes)))
		for s, x := range takes {
			begin := made
			if i > 0 {
				begin = max(begin, ends[i-1][s])
			}
			if s > 0 {
				begin = max(begin, ends[i][s-1])
			}
			if s < len(depths) && i >= depths[s] {
				begin = max(begin, ends[i-depths[s]][s+1])
			}
			ends[i][s] = begin + x
		}
	}
	return ends
}

func TestPipelinesByRecurrence(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 400 {
		c := randomChain(r)
		clear(c.stateless)
		stages := len(c.stateless)
		m := onTeam(stages + 1)
		for s := range stages {
			m.Tasks = append(m.Tasks, []int{s + 1})
		}
		other := make([]int, len(c.depths))
		for k := range other {
			other[k] = 1 + r.IntN(50)
		}
		rows := c.table(t, stages+1)
		for _, depths := range [][]int{nil, other} {
			waits, want := map[int][]uint64{}, c.recurrence(c.depths)
			if depths != nil {
				want = c.recurrence(depths)
				for s := range stages {
					waits[s] = c.waits(s, depths)
				}
			}
			at := make([]int, stages)
			unknown, err := rows.NewValuer().PlayTasks(m, waits, func(_ int, weight, span float64, runs []table.TaskRun) {
				for _, x := range runs {
					if x.Task < 0 {
						continue
					}
					i := at[x.Task]
					at[x.Task]++
					if x.Processor != x.Task+1 || x.Busy != c.takes[i][x.Task] || math.Abs(x.End-want[i][x.Task]) > 1e-9 || x.Start != x.End-x.Busy {
						t.Fatalf("%v with depths %v: item %d of stage %d ran %+v, want its end at %v", c, depths, i, x.Task, x, want[i][x.Task])
					}
				}
				if last := want[len(want)-1][stages-1]; weight != 1 || math.Abs(span-last) > 1e-9 {
					t.Fatalf("%v with depths %v takes %v, want %v", c, depths, span, last)
				}
			})
			if err != nil || unknown != 0 || slices.Min(at) != len(c.takes) || slices.Max(at) != len(c.takes) {
				t.Fatalf("%v: %d items of stages ran, %v unknown: %v", c, at, unknown, err)
			}
		}
	}
}

// TestOtherWaitsAreThoseOfOthers plays a chain with the waits of another that differs in depths
// alone, on processors that steal.
func TestOtherWaitsAreThoseOfOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	differ := 0
	for range 300 {
		c := randomChain(r)
		stages, processors := len(c.stateless), 1+r.IntN(5)
		m := onTeam(processors)
		m.Tasks = make([][]int, stages)
		if r.IntN(2) == 0 {
			m.Tasks[r.IntN(stages)] = mapping.Team(processors, r.IntN(processors), 1+r.IntN(processors))
		}
		other := c
		other.depths = make([]int, len(c.depths))
		waits := map[int][]uint64{}
		for k := range other.depths {
			other.depths[k] = 1 + r.IntN(9)
		}
		for s := range stages {
			waits[s] = other.waits(s, other.depths)
		}
		play := func(c chain, waits map[int][]uint64) (out float64) {
			if _, err := c.table(t, processors).NewValuer().PlayTasks(m, waits, func(_ int, _, span float64, _ []table.TaskRun) { out = span }); err != nil {
				t.Fatal(err)
			}
			return out
		}
		got, want := play(c, waits), play(other, nil)
		if got != want {
			t.Fatalf("%v with depths %v takes %v, want %v", c, other.depths, got, want)
		}
		if before := play(c, nil); before != want {
			differ++
		} else if v, err := c.table(t, processors).NewValuer().Value(m); err != nil || math.Abs(v-before) > 1e-9 {
			t.Fatalf("it takes %v, and its value is %v: %v", before, v, err)
		}
	}
	if differ < 50 {
		t.Errorf("%d chains of 300 take another time with other depths", differ)
	}
}
