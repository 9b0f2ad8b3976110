package htg

// This file writes control-flow graphs and control dependence regions.

import (
	"io"

	"pathspan/ir"
	"pathspan/ir/flow"
)

type cfgJSON struct {
	Schema   string      `json:"schema"`
	Function string      `json:"function"`
	Blocks   []blockJSON `json:"blocks"`
	Edges    []edgeJSON  `json:"edges"`
}

type blockJSON struct {
	Index  int    `json:"index"`
	Name   string `json:"name"`
	Line   int    `json:"line,omitempty"`
	Region string `json:"region"`
	Loop   int    `json:"loop"` // innermost loop, -1 for none
}

type edgeJSON struct {
	From  int  `json:"from"`
	To    int  `json:"to"`
	Index int  `json:"index"` // of the successor in the terminator
	Back  bool `json:"back,omitempty"`
}

// WriteCFG writes the control-flow graph of a function: its reachable blocks with
// their control dependence regions, and its edges, back edges dashed.
func WriteCFG(w io.Writer, f *ir.Func, c *flow.CFG, format Format) error {
	out := cfgJSON{Schema: "pathspan.cfg/1", Function: f.Name, Blocks: []blockJSON{}, Edges: []edgeJSON{}}
	for _, b := range c.Order {
		out.Blocks = append(out.Blocks, blockJSON{b, f.Blocks[b].Name, blockLine(f.Blocks[b]), c.Regions[c.RegionOf[b]].Name, c.LoopOf[b]})
		for i, t := range c.Succs[b] {
			out.Edges = append(out.Edges, edgeJSON{b, t, i, c.IsBack(flow.Edge{From: b, Index: i})})
		}
	}
	return write(w, format, out, func(d *dotText) {
		d.open("digraph %s", quote("cfg "+f.Name))
		d.line("node [shape=box];")
		for _, b := range out.Blocks {
			d.line("b%d [label=%s];", b.Index, quote(blockLabel(f.Blocks[b.Index]), "region "+b.Region))
		}
		for _, e := range out.Edges {
			style := ""
			if e.Back {
				style = " [style=dashed]"
			}
			d.line("b%d -> b%d%s;", e.From, e.To, style)
		}
		d.close()
	})
}

type cdgJSON struct {
	Schema   string       `json:"schema"`
	Function string       `json:"function"`
	Regions  []regionJSON `json:"regions"`
}

type regionJSON struct {
	Name   string    `json:"name"`
	Blocks []string  `json:"blocks"`
	Deps   []depJSON `json:"depends_on"`
}

type depJSON struct {
	Block     string `json:"block"` // "" for the entry of the function
	Successor int    `json:"successor"`
	Region    string `json:"region"` // region of that block
}

// WriteCDG writes the control dependence graph of a function by regions: which blocks
// run under the same conditions, and which branches decide.
func WriteCDG(w io.Writer, f *ir.Func, c *flow.CFG, format Format) error {
	out := cdgJSON{Schema: "pathspan.cdg/1", Function: f.Name}
	for i := range c.Regions {
		r := &c.Regions[i]
		j := regionJSON{Name: r.Name, Blocks: []string{}, Deps: []depJSON{}}
		for _, b := range r.Blocks {
			j.Blocks = append(j.Blocks, f.Blocks[b].Name)
		}
		for _, e := range c.RegionDeps(i) {
			dep := depJSON{Region: c.Regions[0].Name}
			if e != flow.FunctionEntry {
				dep = depJSON{f.Blocks[e.From].Name, e.Index, c.Regions[c.RegionOf[e.From]].Name}
			}
			j.Deps = append(j.Deps, dep)
		}
		out.Regions = append(out.Regions, j)
	}
	return write(w, format, out, func(d *dotText) {
		d.open("digraph %s", quote("cdg "+f.Name))
		d.line("node [shape=box];")
		for _, r := range out.Regions {
			if r.Name == c.Regions[0].Name {
				r.Blocks = []string{"entry", "exit"}
			}
			lines := []string{r.Name}
			for at := 0; at < len(r.Blocks); at += 6 {
				line := ""
				for _, b := range r.Blocks[at:min(at+6, len(r.Blocks))] {
					line += " " + b
				}
				lines = append(lines, line[1:])
			}
			d.line("%s [label=%s];", r.Name, quote(lines...))
		}
		for _, r := range out.Regions {
			for _, dep := range r.Deps {
				label := dep.Block + "." + itoa(dep.Successor)
				if dep.Block == "" {
					label = ""
				}
				d.line("%s -> %s [label=%s];", dep.Region, r.Name, quote(label))
			}
		}
		d.close()
	})
}
