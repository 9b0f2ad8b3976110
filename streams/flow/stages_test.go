package flow

// This file holds what is said of stages to a graph of all items, and to traces that are known.

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pathspan/ir"
	"pathspan/memory"
	"pathspan/profile"
	"pathspan/streams"
)

// TestWaits goes from an item in a graph of all items and stages to those that it waits for.
func TestWaits(t *testing.T) {
	const items, last = 40, 39
	r := rand.New(rand.NewPCG(8, 1))
	said := map[bool]int{}
	for range 200 {
		x := ir.Pipeline{}
		for range 2 + r.IntN(3) {
			x.Stages = append(x.Stages, ir.Stage{Stateless: r.IntN(2) == 0})
		}
		for range len(x.Stages) - 1 {
			x.Depths = append(x.Depths, 1+r.IntN(4))
		}
		n := len(x.Stages)
		before := make([][]bool, items*n) // by item and stage: all that is over when it begins
		for i := range items {
			for s := range n {
				over := make([]bool, items*n)
				waits := func(item, stage int) {
					if item >= 0 {
						over[item*n+stage] = true
						for k, is := range before[item*n+stage] {
							over[k] = over[k] || is
						}
					}
				}
				if s > 0 {
					waits(i, s-1)
				}
				if !x.Stages[s].Stateless {
					waits(i-1, s)
				}
				if s < n-1 {
					waits(i-x.Depths[s], s+1)
				}
				before[i*n+s] = over
			}
		}
		for to := range n {
			for from := range n {
				for back := range 12 {
					if from == to && back == 0 {
						continue
					}
					got, want := waitsFor(&x, from, to, back), before[last*n+to][(last-back)*n+from]
					if got != want {
						t.Fatalf("%+v: stage %d waits for stage %d on the item %d before: %v, want %v", x, to, from, back, got, want)
					}
					said[got]++
				}
			}
		}
	}
	if said[true] < 1000 || said[false] < 1000 {
		t.Errorf("%v", said)
	}
}

// pipelined is a bundle of a pipeline of so many stages, whose functions are those behind main.
func pipelined(stages int) *profile.Bundle {
	p := &ir.Program{Funcs: []*ir.Func{{Name: "main"}}, Pipelines: []ir.Pipeline{{}}}
	b := &profile.Bundle{Program: p, Flow: &streams.Trace{}}
	for s := range stages {
		p.Funcs = append(p.Funcs, &ir.Func{Name: fmt.Sprint("stage", s)})
		p.Funcs[0].Blocks = append(p.Funcs[0].Blocks, &ir.Block{TaskMark: &ir.Mark{Kind: ir.TaskBegin, Construct: s}, Instrs: []ir.Instr{{Op: "call", Call: &ir.Call{Callee: s + 1}}}})
		p.Tasks = append(p.Tasks, ir.Task{})
		p.Pipelines[0].Stages = append(p.Pipelines[0].Stages, ir.Stage{Task: s})
		b.Flow.Statements = append(b.Flow.Statements, streams.Statement{Func: s + 1})
	}
	for range stages - 1 {
		p.Pipelines[0].Depths = append(p.Pipelines[0].Depths, 2)
	}
	return b
}

// TestStageChannels: stage 1 reads the last three items of stage 0, stage 2 the one
// before of stage 1, and stage 0 what stage 2 wrote three items before. The loop is entered
// twice, and the second time the first items read of the first time.
func TestStageChannels(t *testing.T) {
	b := pipelined(3)
	execution := func(item, stage int) int32 { return int32(3*item + stage) }
	for i := range 20 {
		does := streams.Writes
		if i == 0 || i == 10 {
			does |= streams.Enters
		}
		for s := range 3 {
			var from []int32
			var bytes []uint32
			read := func(item, stage int, n uint32) {
				if item >= 0 {
					from, bytes = append(from, execution(item, stage)), append(bytes, n)
				}
			}
			switch s {
			case 0:
				read(i-3, 2, 4)
			case 1:
				for back := range 3 {
					read(i-back, 0, uint32(8+back))
				}
			case 2:
				read(i-1, 1, 16)
			}
			if err := b.Flow.AddSized(s, does, from, bytes); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.Memory = &memory.Data{Lanes: []memory.Lane{{Kind: memory.Serial}, {Kind: memory.InTask, Construct: 0}, {Kind: memory.InTask, Construct: 1}},
		Objects: []memory.Object{{}, {Name: "line"}, {Name: "local", Kind: memory.Stack, Lanes: []int{1}}},
		Flows: []memory.Flow{{Object: 1, From: memory.Who{Lane: 1}, To: memory.Who{Lane: 2}, Bytes: 100, Distinct: 60}, {From: memory.Who{Lane: 1, Place: 4}, To: memory.Who{Lane: 2}, Bytes: 11, Distinct: 6},
			{Object: 2, From: memory.Who{Lane: 1}, To: memory.Who{Lane: 1}, Bytes: 9},
			{Object: 1, From: memory.Nobody, To: memory.Who{Lane: 2}, Bytes: 7}, {Object: 1, From: memory.Who{Lane: 1}, To: memory.Who{Lane: 0}, Bytes: 7}}}
	want := []StageChannel{
		{From: 0, To: 1, Traced: true, Tokens: 20, Reads: 57, Multiple: true, Sized: true, Read: 20*8 + 19*9 + 18*10, Least: 8, Most: 10, Far: 2, Remembered: true, Bytes: 111, Distinct: 66, Objects: []string{"", "line"}},
		{From: 1, To: 2, Traced: true, Tokens: 19, Reads: 19, InOrder: true, Sized: true, Read: 19 * 16, Least: 16, Most: 16, Near: 1, Far: 1},
		{From: 2, To: 0, Traced: true, Tokens: 17, Reads: 17, InOrder: true, Sized: true, Read: 17 * 4, Least: 4, Most: 4, Near: 3, Far: 3, Unordered: true},
	}
	got := StageChannels(b)
	if len(got) != len(want) || !StagesTraced(b) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if g, w := fmt.Sprintf("%+v", got[i]), fmt.Sprintf("%+v", want[i]); g != w {
			t.Errorf("got  %s\nwant %s", g, w)
		}
	}
	if got[0].Class() != "OOM+" || got[1].Class() != "IOM-" {
		t.Errorf("classes %s, %s", got[0].Class(), got[1].Class())
	}
	// A buffer of one item each has stage 0 wait for stage 2 two items before.
	b.Program.Pipelines[0].Depths = []int{1, 2}
	if got := StageChannels(b); got[2].Unordered {
		t.Error("it waits now")
	}
	b.Memory, b.Flow = nil, nil
	if got := StageChannels(b); got != nil || StagesTraced(b) {
		t.Errorf("%+v of nothing", got)
	}
}
