package hierarchy

// This file says in words what a file describes, for reports.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Says lists levels, local memories, main memory and what connects them, a line each. Names are
// those of the platform's first processors: what only others reach is left out.
func (m *Memory) Says(names []string) []string {
	var out []string
	of := func(list []int) string {
		var some []string
		for _, p := range list {
			if p < len(names) {
				some = append(some, names[p])
			}
		}
		return strings.Join(some, ", ")
	}
	for _, l := range m.Caches {
		if of(l.Processors) == "" {
			continue
		}
		each := "each of "
		if l.Shared {
			each = "shared by "
		}
		ways := "any line lies anywhere"
		if l.Cache.Ways > 0 {
			ways = fmt.Sprintf("%d ways", l.Cache.Ways)
		}
		out = append(out, fmt.Sprintf("%s: %d bytes, %s%s, lines of %d bytes, %s%s", l.Name, l.Cache.Size, each, of(l.Processors), l.Cache.Line, ways, l.Latency.says("; ", " longer")))
	}
	for _, l := range m.Local {
		if of(l.Processors) == "" {
			continue
		}
		size := "each access to what others use crosses"
		if !l.Remote {
			size = fmt.Sprintf("%d bytes, copies at the ends of sections", l.Size)
		}
		out = append(out, fmt.Sprintf("local memory %s: each of %s, %s%s", l.Name, of(l.Processors), size, l.Latency.says("; ", " longer")))
	}
	main := "main memory" + m.Main.Latency.says(": ", "")
	if d := m.Main.DRAM; d != nil {
		main = fmt.Sprintf("main memory: DRAM, 64 bytes take %s ns, %s accesses at a time", figure(d.Access(64)), figure(d.Banks))
	}
	if m.Buffered {
		main += "; stores wait for nothing"
	}
	out = append(out, main)
	if e := m.Elsewhere; e != nil {
		out = append(out, "lines at another processor:"+e.Read.says(" ", " longer to read")+e.Write.says(", ", " longer to write"))
	}
	for _, l := range m.Links {
		what := "bus"
		if !m.Bus {
			if slices.ContainsFunc(l.Nodes[:], func(n int) bool { return n >= len(names) }) {
				continue
			}
			ends := [2]string{"main memory", "main memory"}
			for i, n := range l.Nodes {
				if n != MainNode {
					ends[i] = names[n]
				}
			}
			what = "link between " + ends[0] + " and " + ends[1]
		}
		out = append(out, fmt.Sprintf("%s: %s GB/s behind %s ns", what, figure(l.GBs), figure(l.Latency)))
	}
	return out
}

// says is a latency between two texts, nothing where there is none.
func (l Latency) says(before, behind string) string {
	switch {
	case l.Cycles > 0:
		return before + figure(l.Cycles) + " cycles" + behind
	case l.NS > 0:
		return before + figure(l.NS) + " ns" + behind
	}
	return ""
}

func figure(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
