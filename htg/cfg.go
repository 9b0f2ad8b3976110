package htg

// This file draws control-flow graphs and control dependence regions, and writes them.

import (
	"io"
	"slices"

	"pathspan/draw"
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

// DrawCFG draws the reachable blocks of a function of p, loop headers orange, and its
// edges, back edges dashed; edges carry how often they were taken where the profile is
// known, else nil, and blocks that never ran are dotted. Block b has the id "b<b>", and
// as data its block, region, loop, executions, file and line.
func DrawCFG(f *ir.Func, c *flow.CFG, p *ir.Program, profile *profile.FuncProfile) *draw.Graph {
	out := &draw.Graph{Title: "control flow of " + shown(f), Name: "cfg " + f.Name}
	var blocks []uint64
	var edges map[[2]int]uint64
	if profile != nil {
		blocks, edges = profile.BlockCounts(len(f.Blocks)), edgeCounts(c, profile)
	}
	node := make([]int, len(f.Blocks))
	for i, b := range c.Order {
		node[b] = i
		region := c.Regions[c.RegionOf[b]].Name
		n := draw.Node{ID: "b" + itoa(b), Lines: []string{blockLabel(f.Blocks[b]), "region " + region}, Group: -1, Color: draw.Blue,
			Data: located(map[string]string{"block": f.Blocks[b].Name, "region": region}, p, blockLoc(f.Blocks[b]))}
		loop, executions := "", ""
		if l := c.LoopOf[b]; l >= 0 {
			n.Data["loop"] = itoa(l)
			loop = "in loop " + itoa(l)
			if c.Loops[l].Header == b {
				loop = "header of loop " + itoa(l)
				n.Color = draw.Orange
			}
		}
		if f.Blocks[b].Mark != nil {
			n.Color = draw.Green
		}
		if blocks != nil {
			executions = ran(blocks[b])
			n.Data["executions"] = count(blocks[b])
			if blocks[b] == 0 {
				n.Color, n.Style = draw.Ink, draw.Dotted
			}
		}
		n.Title = tooltip("block "+f.Blocks[b].Name, position(p, blockLoc(f.Blocks[b])), loop, executions)
		out.Nodes = append(out.Nodes, n)
	}
	for _, b := range c.Order {
		drawn := map[int]bool{} // a switch has several edges to one block: they are one
		for i, t := range c.Succs[b] {
			if drawn[t] {
				continue
			}
			drawn[t] = true
			e := draw.Edge{From: node[b], To: node[t]}
			if c.IsBack(flow.Edge{From: b, Index: i}) {
				e.Style = draw.Dashed
			}
			if profile != nil {
				n := edges[[2]int{b, t}]
				e.Label, e.Width, e.Data = commas(n), lineWidth(n), map[string]string{"executions": count(n)}
				e.Title = f.Blocks[b].Name + " → " + f.Blocks[t].Name + ": taken " + commas(n) + " times"
				if n == 0 {
					e.Label, e.Style, e.Width = "", draw.Dotted, 0
					e.Title = f.Blocks[b].Name + " → " + f.Blocks[t].Name + ": never taken"
				}
			}
			out.Edges = append(out.Edges, e)
		}
	}
	return out
}

func position(p *ir.Program, l ir.Loc) string {
	if l.Line == 0 {
		return ""
	}
	return p.LocString(l)
}

// DrawCDG draws which blocks of a function of p run under the same conditions, and which
// branches decide. A region has its name as id, and as data its region, executions, file
// and line.
func DrawCDG(f *ir.Func, c *flow.CFG, p *ir.Program, profile *profile.FuncProfile) *draw.Graph {
	out := &draw.Graph{Title: "control dependence in " + shown(f), Name: "cdg " + f.Name}
	var ranOften []uint64
	var edges map[[2]int]uint64
	if profile != nil {
		ranOften, edges = profile.BlockCounts(len(f.Blocks)), edgeCounts(c, profile)
	}
	for i := range c.Regions {
		r := &c.Regions[i]
		n := draw.Node{ID: r.Name, Lines: []string{r.Name}, Group: -1, Color: draw.Blue, Data: map[string]string{"region": r.Name}}
		names := make([]string, len(r.Blocks))
		for k, b := range r.Blocks {
			names[k] = f.Blocks[b].Name
		}
		if i == 0 {
			names = []string{"entry", "exit"}
			n.Color = draw.Ink
		}
		const perLine = 6
		for at := 0; at < len(names); at += perLine {
			line := ""
			for _, b := range names[at:min(at+perLine, len(names))] {
				line += " " + b
			}
			n.Lines = append(n.Lines, line[1:])
		}
		executions, where := "", ir.Loc{File: -1}
		if len(r.Blocks) > 0 {
			where = blockLoc(f.Blocks[r.Blocks[0]])
			located(n.Data, p, where)
			if ranOften != nil && i > 0 {
				executions = ran(ranOften[r.Blocks[0]])
				n.Data["executions"] = count(ranOften[r.Blocks[0]])
			}
		}
		n.Title = tooltip("control dependence region "+r.Name, position(p, where), executions)
		out.Nodes = append(out.Nodes, n)
		for _, e := range c.RegionDeps(i) {
			from, label, title := 0, "", ""
			if e != flow.FunctionEntry {
				from, label = c.RegionOf[e.From], f.Blocks[e.From].Name+"."+itoa(e.Index)
				title = "runs when " + f.Blocks[e.From].Name + " goes to " + blockName(f, c.Target(e))
				if profile != nil && c.Target(e) < len(f.Blocks) {
					title += ", " + commas(edges[[2]int{e.From, c.Target(e)}]) + " times"
				}
			}
			out.Edges = append(out.Edges, draw.Edge{From: from, To: i, Label: label, Title: title})
		}
	}
	return out
}

// blockName names a block, or the exit that all functions share.
func blockName(f *ir.Func, b int) string {
	if b >= len(f.Blocks) {
		return "the exit"
	}
	return f.Blocks[b].Name
}
