package htg

// This file writes control-flow graphs and control dependence regions.

import (
	"io"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/profile"
)

// CFGJSON is the JSON object of the control flow of a function.
type CFGJSON struct {
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
	// Executions is absent where the profile is.
	Executions *uint64 `json:"executions,omitempty"`
}

type edgeJSON struct {
	From  int  `json:"from"`
	To    int  `json:"to"`
	Index int  `json:"index"` // of the successor in the terminator
	Back  bool `json:"back,omitempty"`
	// Executions is absent where the profile is, and where several edges join the two
	// blocks: only their sum is known.
	Executions *uint64 `json:"executions,omitempty"`
}

// WriteCFG writes the control-flow graph of a function of p: its reachable blocks with
// their control dependence regions, and its edges, back edges dashed; with counts where
// its profile is known, else nil.
func WriteCFG(w io.Writer, f *ir.Func, c *flow.CFG, p *ir.Program, profile *profile.FuncProfile, format Format) error {
	out := CFGJSON{Schema: "pathspan.cfg/1", Function: f.Name, Blocks: []blockJSON{}, Edges: []edgeJSON{}}
	var ran []uint64
	var taken map[[2]int]uint64
	if profile != nil {
		ran, taken = profile.BlockCounts(len(f.Blocks)), edgeCounts(c, profile)
	}
	for _, b := range c.Order {
		block := blockJSON{Index: b, Name: f.Blocks[b].Name, Line: blockLoc(f.Blocks[b]).Line, Region: c.Regions[c.RegionOf[b]].Name, Loop: c.LoopOf[b]}
		if ran != nil {
			block.Executions = &ran[b]
		}
		out.Blocks = append(out.Blocks, block)
		for i, t := range c.Succs[b] {
			edge := edgeJSON{From: b, To: t, Index: i, Back: c.IsBack(flow.Edge{From: b, Index: i})}
			if profile != nil && slices.Index(c.Succs[b], t) == i && !slices.Contains(c.Succs[b][i+1:], t) {
				n := taken[[2]int{b, t}]
				edge.Executions = &n
			}
			out.Edges = append(out.Edges, edge)
		}
	}
	return write(w, format, out, DrawCFG(f, c, p, profile))
}

// CDGJSON is the JSON object of the control dependence regions of a function.
type CDGJSON struct {
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
// run under the same conditions, and which branches decide; with counts in drawings
// where its profile is known, else nil.
func WriteCDG(w io.Writer, f *ir.Func, c *flow.CFG, p *ir.Program, profile *profile.FuncProfile, format Format) error {
	out := CDGJSON{Schema: "pathspan.cdg/1", Function: f.Name}
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
	return write(w, format, out, DrawCDG(f, c, p, profile))
}
