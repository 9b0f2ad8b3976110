package report

// This file shows people who communicates with whom through a program's memory.

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/memory/comm"
	"pathspan/profile"
)

// Communication says who reads what others wrote, and is its JSON object.
type Communication struct {
	Schema   string  `json:"schema" is:"pathspan.comm/1"`
	Bundle   string  `json:"bundle"`
	Function string  `json:"function"` // that all shown takes part in, "" for the whole program
	Object   string  `json:"object"`   // that all shown is in, "" for all
	Least    float64 `json:"least_share"`
	comm.View
	Matrix *comm.Matrix `json:"matrix,omitempty"` // where it was asked for
	// Ports are what functions or sections share, and the memory they need, where it was asked for.
	Ports []comm.Behaviour `json:"ports,omitempty"`
	Notes []string         `json:"notes"`
}

// CommNotes says what is not in the figures of communication.
func CommNotes(b *profile.Bundle) []string {
	notes := slices.Concat(ConstructNotes(b.Notes), gaps(b)) // the others are of estimates
	const most = 4
	var names []string
	for _, f := range b.Memory.Foreign {
		if f.Calls == 0 {
			continue // what is never called does nothing
		}
		names = append(names, fmt.Sprintf("%s (called %s)", f.Name, Times(f.Calls)))
	}
	if names != nil {
		notes = append(notes, "what these do to memory is not seen: "+listedUpTo(names, most))
	}
	return notes
}

// executed is the heading of the first column of text, by what is added up.
var executed = map[comm.By]string{comm.Function: "calls", comm.Loop: "executions", comm.Section: "executions", comm.Object: "made", comm.Line: ""}

// Text writes the flat profile and the edges of most bytes, at most so many of either, all
// when limit is 0; of one execution on average where each is set.
func (c *Communication) Text(out io.Writer, limit int, each bool) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s: the program reads %s and writes %s\n\n", c.Bundle, countBig(c.Read, "byte"), countBig(c.Written, "byte"))
	c.flat(w, limit, each)
	c.edges(w, limit, each)
	printNotes(w, c.Notes)
	return w.Flush()
}

// EdgesText writes the edges alone.
func (c *Communication) EdgesText(out io.Writer, limit int, each bool) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s: the program reads %s and writes %s\n", c.Bundle, countBig(c.Read, "byte"), countBig(c.Written, "byte"))
	c.edges(w, limit, each)
	printNotes(w, c.Notes)
	return w.Flush()
}

// flatName names a row: of the heap with all calls that led to it.
func (c *Communication) flatName(r *comm.Row) string {
	if len(r.Made) > 1 {
		return "heap " + strings.Join(r.Made, " < ")
	}
	return brief(r.Name)
}

// flat writes the flat profile.
func (c *Communication) flat(w io.Writer, limit int, each bool) {
	per, t := "", table{names: 1}
	if each {
		per = " each"
	}
	t.leaveOut(c.By == comm.Line, 0)
	t.leaveOut(c.By != comm.Object, 7)
	t.row(executed[c.By], "reads", "writes", "bytes read"+per, "bytes written"+per, "read/written", "of all bytes", "size in bytes", string(c.By))
	shown, more := 0, 0
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Kind != string(c.By) {
			continue
		}
		if shown++; limit > 0 && shown > limit {
			more++
			continue
		}
		times := "?"
		if r.Executions > 0 {
			times = group(r.Executions)
		}
		t.row(times, orUnknown(r.Reads), orUnknown(r.Writes), c.bytes(r, r.Read, each), c.bytes(r, r.Written, each), ratio(r.Read, r.Written), Percent(r.Share), group(uint64(r.Size)), c.flatName(r))
	}
	t.write(w)
	if more > 0 {
		fmt.Fprintf(w, "and %s; --items 0 shows all\n", Count(more, "further "+string(c.By)))
	}
}

func orUnknown(n *uint64) string {
	if n == nil {
		return "?"
	}
	return group(*n)
}

// bytes writes bytes of a row, in all or of an execution.
func (c *Communication) bytes(r *comm.Row, n uint64, each bool) string {
	if !each {
		return group(n)
	}
	x, known := r.Each(n)
	return mean(x, known)
}

func mean(x float64, known bool) string {
	if !known {
		return "?"
	}
	return strings.TrimSuffix(grouped2(x), ".0")
}

// grouped2 writes a mean up to a tenth.
func grouped2(x float64) string {
	whole, rest, _ := strings.Cut(fmt.Sprintf("%.1f", x), ".")
	return grouped(whole) + "." + rest
}

// ratio is how often what was written is read.
func ratio(read, written uint64) string {
	if written == 0 {
		return "-"
	}
	return grouped2(float64(read) / float64(written))
}

// edges writes who reads what others wrote.
func (c *Communication) edges(w io.Writer, limit int, each bool) {
	if len(c.Edges) == 0 {
		fmt.Fprintf(w, "\nNone of these reads what another wrote%s.\n", c.hidden())
		return
	}
	what, per := "who reads what another wrote", ""
	if c.By == comm.Object {
		what = "who reads and writes which object"
	}
	if each {
		per = " each"
	}
	fmt.Fprintf(w, "\n%s%s:\n", what, c.hidden())
	t := table{names: 2}
	t.leaveOut(c.By == comm.Object, 4)
	t.row("bytes"+per, "distinct bytes"+per, "of all bytes", "producer -> consumer", "object")
	for i := range c.Edges {
		if limit > 0 && i == limit {
			break
		}
		e := &c.Edges[i]
		bytes, distinct := group(e.Bytes), group(e.Distinct)
		if each {
			x, known := c.Each(e)
			bytes = mean(x, known)
			distinct = mean(x*float64(e.Distinct)/float64(max(1, e.Bytes)), known)
		}
		if e.AtMost {
			distinct = "<= " + distinct
		}
		if c.Rows[e.To].Kind == string(comm.Object) {
			distinct = ""
		}
		t.row(bytes, distinct, Percent(e.Share), fmt.Sprintf("%s -> %s", brief(c.Rows[e.From].Name), brief(c.Rows[e.To].Name)), Demangled(e.Object))
	}
	t.write(w)
	if n := len(c.Edges) - limit; limit > 0 && n > 0 {
		fmt.Fprintf(w, "and %s; --items 0 shows all\n", Count(n, "further edge"))
	}
	if slices.ContainsFunc(c.Edges, func(e comm.Edge) bool { return e.AtMost }) {
		fmt.Fprintf(w, "<=: several lines of the consumer read; bytes that more than one of them reads are counted again\n")
	}
}

// PortsText writes what functions or sections share with others, and the memory that they need;
// at most so many of them, and so many ports of each, all when limit is 0.
func (c *Communication) PortsText(out io.Writer, limit int) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s: ports, the objects that a %s shares with others; bytes of one execution\n\n", c.Bundle, c.By)
	t := table{names: 1}
	functions := c.By == comm.Function
	t.leaveOut(functions, 9)
	for i := 5; i < 9; i++ {
		t.leaveOut(!functions, i)
	}
	t.row("executions", "ports", "static: twice their width", "dynamic: read", "written", "memory: static", "heap", "stack", "sub", "memory: touched at most", string(c.By))
	shown := c.Ports
	if limit > 0 && len(shown) > limit {
		shown = shown[:limit]
	}
	for i := range shown {
		b := &shown[i]
		s := b.Storage
		if s == nil {
			s = &comm.Storage{}
		}
		times := "?"
		if b.Executions > 0 {
			times = group(b.Executions)
		}
		t.row(times, fmt.Sprint(len(b.Ports)), orNone(b.Static), mean(b.DynamicRead, true), mean(b.DynamicWritten, true), group(uint64(s.Static)), group(uint64(s.Heap)), orNone(s.Stack), orNone(s.Sub), group(b.Footprint), brief(b.Name))
	}
	t.write(w)
	for i := range shown {
		c.portsOf(w, &shown[i], limit)
	}
	if n := len(c.Ports) - len(shown); n > 0 {
		fmt.Fprintf(w, "\nand %s; --items 0 shows all\n", Count(n, "further "+string(c.By)))
	}
	fmt.Fprintf(w, "\n?: not known, as of recursions, and of ports whose size is not\n")
	printNotes(w, c.Notes)
	return w.Flush()
}

func (c *Communication) portsOf(w io.Writer, b *comm.Behaviour, limit int) {
	if len(b.Ports) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", Demangled(b.Name))
	t := table{names: 1}
	t.row("width in bytes", "reads", "bytes read", "writes", "bytes written", "object")
	for i := range b.Ports {
		if limit > 0 && i == limit {
			break
		}
		p := &b.Ports[i]
		width := "?"
		if p.Width > 0 {
			width = group(uint64(p.Width))
		}
		t.row(width, meanOr(p.Reads), mean(p.Read, true), meanOr(p.Writes), mean(p.Written, true), Demangled(p.Object))
	}
	t.write(w)
	if n := len(b.Ports) - limit; limit > 0 && n > 0 {
		fmt.Fprintf(w, "  and %s; --items 0 shows all\n", Count(n, "further port"))
	}
}

func meanOr(x *float64) string {
	if x == nil {
		return "?"
	}
	return mean(*x, true)
}

func orNone(n *int64) string {
	if n == nil {
		return "?"
	}
	return group(uint64(*n))
}

func (c *Communication) hidden() string {
	if c.Hidden == 0 {
		return ""
	}
	return fmt.Sprintf(", without %s below %s", Count(c.Hidden, "edge"), Percent(c.Least))
}

// MatrixText writes the matrix: producers down, consumers across, by number; those of most bytes,
// as many as items says, 0 for all.
func (c *Communication) MatrixText(out io.Writer, items int, each bool) error {
	b := bufio.NewWriter(out)
	per := ""
	if each {
		per = ", an execution of the consumer"
	}
	fmt.Fprintf(b, "%s: bytes that the consumer (column) reads of what the producer (row) wrote%s%s\n\n", c.Bundle, per, c.hidden())
	names := c.Matrix.Names
	if items > 0 && len(names) > items {
		names = names[:items]
	}
	t := table{names: 1}
	head := []string{""}
	for i := range names {
		head = append(head, fmt.Sprint(i+1))
	}
	t.row(append(head, "producer")...)
	for i, name := range names {
		row := []string{fmt.Sprint(i + 1)}
		for _, x := range c.Matrix.Bytes[i][:len(names)] {
			if x == 0 {
				row = append(row, ".")
			} else {
				row = append(row, mean(x, true))
			}
		}
		t.row(append(row, brief(name))...)
	}
	t.write(b)
	if n := len(c.Matrix.Names) - len(names); n > 0 {
		fmt.Fprintf(b, "and %s; --items 0 shows all\n", Count(n, "further "+string(c.By)))
	}
	printNotes(b, c.Notes)
	return b.Flush()
}
