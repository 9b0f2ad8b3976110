package htg

// This file draws the call graph of what ran.

import (
	"pathspan/draw"
	"pathspan/profile"
)

var callLooks = map[string]draw.Style{"direct": draw.Solid, "indirect": draw.Dashed, "passed": draw.Dotted}

// DrawCalls draws the functions that ran, with how often, and the calls between them:
// direct ones continuous, indirect ones dashed, functions that are passed to external
// ones dotted. Functions with parallel regions are green. Function f has the id "f<f>",
// and as data its function (linker name), executions, file and line.
func DrawCalls(b *profile.Bundle) *draw.Graph {
	out := &draw.Graph{Title: "calls between functions that ran", Name: "calls"}
	c := calls(b)
	node := make([]int, len(b.Program.Funcs))
	for i, fn := range c.Functions {
		f := b.Program.Funcs[fn.Index]
		node[fn.Index] = i
		n := draw.Node{ID: "f" + itoa(fn.Index), Lines: []string{brief(f), "× " + commas(fn.Invocations)}, Group: -1, Color: draw.Blue,
			Data: located(map[string]string{"function": f.Name, "executions": count(fn.Invocations)}, b.Program, f.Loc)}
		for _, block := range f.Blocks {
			if block.Mark != nil {
				n.Color = draw.Green
			}
		}
		n.Title = tooltip(shown(f), position(b.Program, f.Loc), ran(fn.Invocations))
		out.Nodes = append(out.Nodes, n)
	}
	for _, call := range c.Calls {
		if b.Funcs[call.Callee] == nil {
			continue // passed, never run
		}
		title := shown(b.Program.Funcs[call.Caller]) + " → " + shown(b.Program.Funcs[call.Callee]) + ": " + call.Kind + ", " + commas(call.Count) + " times"
		out.Edges = append(out.Edges, draw.Edge{From: node[call.Caller], To: node[call.Callee], Label: commas(call.Count), Title: title,
			Style: callLooks[call.Kind], Width: lineWidth(call.Count), Data: map[string]string{"kind": call.Kind, "executions": count(call.Count)}})
	}
	return out
}
