package htg

// This file draws the call graph of what ran, and writes it.

import (
	"cmp"
	"io"
	"slices"

	"pathspan/draw"
	"pathspan/profile"
)

// CallsJSON is the JSON object of the functions that ran and how often they called each other.
type CallsJSON struct {
	Schema    string         `json:"schema"`
	Functions []functionJSON `json:"functions"`
	Calls     []callJSON     `json:"calls"`
}

type functionJSON struct {
	Index       int    `json:"index"`
	Name        string `json:"name"`
	Invocations uint64 `json:"invocations"`
}

type callJSON struct {
	Caller int `json:"caller"`
	Callee int `json:"callee"`
	// Kind is direct, indirect (profiled targets), or passed: the function is an
	// argument of a call of an external function, which may call it.
	Kind  string `json:"kind"`
	Count uint64 `json:"count"` // of calls; for passed, of the calls that pass it
}

var callKinds = [...]string{"direct", "indirect", "passed"}

// WriteCalls writes the functions that ran and how often they called each other.
func WriteCalls(w io.Writer, b *profile.Bundle, format Format) error {
	return write(w, format, calls(b), DrawCalls(b))
}

// calls counts calls between functions that ran.
func calls(b *profile.Bundle) CallsJSON {
	out := CallsJSON{Schema: "pathspan.calls/1", Functions: []functionJSON{}, Calls: []callJSON{}}
	type key struct{ caller, callee, kind int }
	counts := map[key]uint64{}
	for i, p := range b.Funcs {
		if p == nil {
			continue
		}
		f := b.Program.Funcs[i]
		out.Functions = append(out.Functions, functionJSON{i, f.Name, p.Invocations()})
		for bi, n := range p.BlockCounts(len(f.Blocks)) {
			if n == 0 {
				continue
			}
			for k := range f.Blocks[bi].Instrs {
				c := f.Blocks[bi].Instrs[k].Call
				switch {
				case c == nil:
				case c.Callee >= 0:
					counts[key{i, c.Callee, 0}] += n
				case !c.Indirect:
					for _, g := range c.FuncArgs {
						counts[key{i, g, 2}] += n
					}
				}
			}
		}
	}
	for _, t := range b.Targets {
		if t.Target >= 0 && t.Count > 0 {
			counts[key{t.Func, t.Target, 1}] += t.Count
		}
	}
	keys := make([]key, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y key) int {
		return cmp.Or(x.caller-y.caller, x.callee-y.callee, x.kind-y.kind)
	})
	for _, k := range keys {
		out.Calls = append(out.Calls, callJSON{k.caller, k.callee, callKinds[k.kind], counts[k]})
	}
	return out
}

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
