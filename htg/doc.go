// Package htg builds the hierarchical task graphs of a function: which tasks its
// parallel sections induce, and which task waits for which.
//
//	c := flow.Analyze(f)
//	graphs, err := htg.Build(f, c, program)
//	for _, t := range graphs.Levels[0].Tasks { // the function's body
//		fmt.Println(t.Label, t.Name, t.Kind, t.Preds)
//	}
//
// A function has one graph for its body (level 0) and one for each loop (level i+1
// is loop i), as package pathprof numbers levels. A graph is a series of serial
// stretches and groups of parallel sections; a section is a series again. Every
// stretch is split as Lattuada, Pilato and Ferrandi ("Performance Estimation of Task
// Graphs based on Path Profiling", section 4.1) split Task2: each loop is a loop task
// of its own, the code before, between and after loops forms code tasks, which are
// compound when they call functions of the program and simple otherwise.
//
// Code of a parallel region outside its sections is serial: it belongs to the fork
// task before a group or to the join task after it. Consecutive sections constructs
// join between each other even where the source says nowait.
//
// The package costs and schedules nothing: package estimate does.
package htg
