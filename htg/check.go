package htg

// This file checks the invariants of task graphs.

import (
	"fmt"
	"slices"
)

// Check returns an error naming the first invariant that does not hold: every own
// block of a level is in exactly one task, edges lead forward, groups are delimited
// by a fork and a join task, every loop has its task, names are unique.
func (g *Graphs) Check() error {
	if len(g.Levels) != len(g.CFG.Loops)+1 {
		return fmt.Errorf("htg: %d levels for %d loops", len(g.Levels), len(g.CFG.Loops))
	}
	names := map[string]bool{}
	for level, l := range g.Levels {
		if err := g.checkLevel(level, l); err != nil {
			return fmt.Errorf("htg: function %s, level %d: %w", g.Func.Name, level, err)
		}
		for i := range l.Tasks {
			t := &l.Tasks[i]
			if t.Kind == Entry || t.Kind == Exit {
				continue
			}
			if t.Name == "" || t.Label == "" || names[t.Name] || names["label "+t.Label] {
				return fmt.Errorf("htg: function %s, level %d: task %d has name %q and label %q, one of them empty or used before", g.Func.Name, level, i, t.Name, t.Label)
			}
			names[t.Name], names["label "+t.Label] = true, true
		}
	}
	return nil
}

func (g *Graphs) checkLevel(level int, l *Graph) error {
	for _, check := range []func(int, *Graph) error{g.checkTasks, g.checkCover, g.checkGroups} {
		if err := check(level, l); err != nil {
			return err
		}
	}
	return nil
}

func (g *Graphs) checkTasks(level int, l *Graph) error {
	last := len(l.Tasks) - 1
	if l.Level != level || last < 1 || l.Tasks[0].Kind != Entry || l.Tasks[last].Kind != Exit {
		return fmt.Errorf("no entry, no exit, or numbered %d", l.Level)
	}
	for i := range l.Tasks {
		t := &l.Tasks[i]
		if t.Index != i || (t.Kind == Loop) != (t.Loop >= 0) {
			return fmt.Errorf("task %d is numbered %d, is a %v and has loop %d", i, t.Index, t.Kind, t.Loop)
		}
		if (len(t.Preds) == 0) != (i == 0) || (len(t.Succs) == 0) != (i == last) {
			return fmt.Errorf("task %d has %d predecessors and %d successors", i, len(t.Preds), len(t.Succs))
		}
		for _, s := range t.Succs {
			if s <= i || s > last || !slices.Contains(l.Tasks[s].Preds, i) {
				return fmt.Errorf("edge from task %d to task %d", i, s)
			}
		}
		for _, p := range t.Preds {
			if p < 0 || p >= i || !slices.Contains(l.Tasks[p].Succs, i) {
				return fmt.Errorf("edge to task %d from task %d", i, p)
			}
		}
	}
	return nil
}

// checkCover checks that tasks partition the level's blocks and child loops.
func (g *Graphs) checkCover(level int, l *Graph) error {
	task := make([]int, len(g.Func.Blocks))
	loop := make([]int, len(g.CFG.Loops))
	for i := range l.Tasks {
		t := &l.Tasks[i]
		for _, b := range t.Blocks {
			if task[b] != 0 || g.CFG.LoopOf[b] != level-1 || !g.CFG.Reachable[b] || g.TaskOf(level, b) != i {
				return fmt.Errorf("block %d is in task %d, but is not the level's own or in task %d too", b, i, task[b])
			}
			task[b] = i
		}
		if t.Loop >= 0 {
			if loop[t.Loop] != 0 || g.CFG.Loops[t.Loop].Parent != level-1 || g.LoopTask(level, t.Loop) != i {
				return fmt.Errorf("task %d has loop %d, which has another task or another parent", i, t.Loop)
			}
			loop[t.Loop] = i
		}
	}
	for b := range task {
		if g.CFG.Reachable[b] && g.CFG.LoopOf[b] == level-1 && task[b] == 0 {
			return fmt.Errorf("block %d is in no task", b)
		}
	}
	for i, t := range loop {
		if g.CFG.Loops[i].Parent == level-1 && t == 0 {
			return fmt.Errorf("loop %d is in no task", i)
		}
	}
	return nil
}

// checkGroups checks the fork and join shape, and that the series hold every task and
// group once.
func (g *Graphs) checkGroups(_ int, l *Graph) error {
	tasks, groups := make([]int, len(l.Tasks)), make([]int, len(l.Groups))
	var visit func(stages []Stage, group, section int) error
	visit = func(stages []Stage, group, section int) error {
		for i, st := range stages {
			if st.Task >= 0 {
				tasks[st.Task]++
				if t := &l.Tasks[st.Task]; t.Group != group || t.Section != section {
					return fmt.Errorf("task %d stands in section %d of group %d and says %d of %d", st.Task, section, group, t.Section, t.Group)
				}
				continue
			}
			gr := &l.Groups[st.Group]
			groups[st.Group]++
			if gr.Index != st.Group || gr.Parent != group || gr.ParentSection != section || gr.Parent >= gr.Index {
				return fmt.Errorf("group %d has a wrong number or parent", st.Group)
			}
			if i == 0 || i+1 == len(stages) || stages[i-1].Task != gr.Fork || stages[i+1].Task != gr.Join || gr.Fork < 0 || gr.Join < 0 {
				return fmt.Errorf("group %d has no fork or no join task of its own", st.Group)
			}
			if err := g.checkSections(l, gr); err != nil {
				return err
			}
			for k := range gr.Sections {
				if err := visit(gr.Sections[k].Series, st.Group, k); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := visit(l.Series, -1, -1); err != nil {
		return err
	}
	for i, n := range tasks {
		if want := 1; n != want && l.Tasks[i].Kind != Entry && l.Tasks[i].Kind != Exit {
			return fmt.Errorf("task %d occurs %d times", i, n)
		}
	}
	for i, n := range groups {
		if n != 1 {
			return fmt.Errorf("group %d occurs %d times", i, n)
		}
	}
	return nil
}

func (g *Graphs) checkSections(l *Graph, gr *Group) error {
	if gr.Instance < 0 || gr.Instance >= len(g.Instances) || g.Instances[gr.Instance].Region != gr.Region || !g.CFG.InLoop(g.Instances[gr.Instance].Level-1, gr.Begin) {
		return fmt.Errorf("group %d is of instance %d", gr.Index, gr.Instance)
	}
	if len(gr.Sections) == 0 || !g.CFG.Reachable[gr.Begin] || g.CFG.LoopOf[gr.Begin] != l.Level-1 {
		return fmt.Errorf("group %d has %d sections and begins in block %d", gr.Index, len(gr.Sections), gr.Begin)
	}
	for k := range gr.Sections {
		s := &gr.Sections[k]
		if k > 0 && gr.Sections[k-1].Section >= s.Section || len(s.Tasks) == 0 || !slices.IsSorted(s.Tasks) {
			return fmt.Errorf("group %d: section %d has no tasks or is out of order", gr.Index, k)
		}
		first, last := &l.Tasks[s.Tasks[0]], &l.Tasks[s.Tasks[len(s.Tasks)-1]]
		if !slices.Equal(first.Preds, []int{gr.Fork}) || !slices.Equal(last.Succs, []int{gr.Join}) {
			return fmt.Errorf("group %d: section %d does not lead from task %d to task %d", gr.Index, k, gr.Fork, gr.Join)
		}
	}
	return nil
}
