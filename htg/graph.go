package htg

// This file declares the task graphs of a function.

import (
	"pathspan/ir"
	"pathspan/ir/flow"
)

// Kind says what a task consists of.
type Kind uint8

// The kinds of tasks (Lattuada, Pilato, Ferrandi, section 4.1), and the two virtual
// tasks that begin and end every graph.
const (
	Entry    Kind = iota
	Simple        // code without loops that calls no function of the program
	Compound      // code without loops that calls functions of the program
	Loop          // a loop, whose body is a graph of its own
	Exit
)

var kindNames = [...]string{Entry: "entry", Simple: "simple", Compound: "compound", Loop: "loop", Exit: "exit"}

func (k Kind) String() string { return kindNames[k] }

// Graphs holds the task graphs of one function.
type Graphs struct {
	Func   *ir.Func
	CFG    *flow.CFG
	Levels []*Graph // Levels[0]: the function's body, Levels[i+1]: loop i
	// Instances lists the parallel regions of the function, copies made by inlining
	// or unrolling each on their own, by the position of their first block.
	Instances []Instance
	// Warnings names regions that are treated as serial code, and why; one line each.
	Warnings []string
}

// Instance is one occurrence of a parallel region in a function.
type Instance struct {
	Region int // index into Program.Regions
	Begin  int // block that starts it
	Level  int // level it begins in; its sections may lie in loops of that level
	// Outer is the instance around it, at whatever level, or -1.
	Outer int
}

// Graph is the task graph of one level.
type Graph struct {
	Level  int
	Tasks  []Task  // topologically ordered; Entry is first, Exit last
	Groups []Group // outer groups before the groups inside their sections
	Series []Stage // the whole level, without Entry and Exit
	// Inside is the region instance that holds the whole level in one of its sections,
	// -1 when there is none.
	Inside int

	taskOf []int // by block: its task when the block is the level's own, else -1
	loops  []int // by loop: task of the loop directly in the level that holds it, else -1
}

// Task is a node of a graph.
type Task struct {
	Index int
	// Name identifies the task within its function from build to build. It is the
	// section's name, and a letter when the section is split: "fun0.c:fun_0#1/2b".
	// Tasks of serial code are named by function and first source line, "fun_0:46".
	// Further tasks of that name add #2, #3 and so on.
	Name string
	// Label numbers the tasks of the function as the paper prints them: Task0,
	// Task1, Task2a, Task2b; sections inside section 2 are Task2.1, Task2.2.
	Label  string
	Kind   Kind
	Blocks []int // own blocks of the level, in topological order
	Loop   int   // the loop, -1 unless Kind is Loop
	// Group and Section place the task in the innermost group of its graph that
	// holds it, -1 for serial code of the level.
	Group, Section int
	Preds, Succs   []int
}

// Stage is one element of a series: a task, or a group when Task is -1.
type Stage struct{ Task, Group int }

// Group is the set of sections of one sections construct of a region instance: its
// sections may run in parallel, between Fork and Join.
type Group struct {
	Index     int
	Instance  int // index into Graphs.Instances
	Region    int // index into Program.Regions
	Construct int // index into Region.Constructs
	// Parent and ParentSection are the group of this graph that this one lies in and
	// the place in its Sections, -1 when the group lies in none.
	Parent, ParentSection int
	Fork, Join            int // tasks before and after
	Begin                 int // block that runs whenever the group does, once, first
	Sections              []Section
}

// Section is one section of a group.
type Section struct {
	Section int     // index into Construct.Sections
	Series  []Stage // its tasks and inner groups
	Tasks   []int   // all its tasks in topological order, those of inner groups included
}

// TaskOf returns the task that a block's execution belongs to when it occurs in a
// path of the level: the level's own blocks have tasks, blocks of a loop inside the
// level belong to the loop's task. It returns -1 for other blocks.
func (g *Graphs) TaskOf(level, block int) int {
	l := g.Levels[level]
	if t := l.taskOf[block]; t >= 0 {
		return t
	}
	return g.LoopTask(level, g.CFG.LoopOf[block])
}

// LoopTask returns the task of the level that holds the loop, which may be nested in
// another loop of the level; -1 when the loop does not lie in the level.
func (g *Graphs) LoopTask(level, loop int) int {
	for ; loop >= 0 && loop != level-1; loop = g.CFG.Loops[loop].Parent {
		if t := g.Levels[level].loops[loop]; t >= 0 {
			return t
		}
	}
	return -1
}
