package comm

// This file adds communication up by function, loop nest, section, object or line.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/memory"
	"pathspan/yamlstrict"
)

// By is what is added up.
type By string

// What can be added up.
const (
	Function By = "function"
	Loop     By = "loop" // outermost loops of each function, and its code outside of loops
	Section  By = "section"
	Object   By = "object" // objects, and the functions that read and write them
	Line     By = "line"
)

// Ways lists what can be added up.
var Ways = []By{Function, Loop, Section, Object, Line}

// Options say what a view shows.
type Options struct {
	By By
	// Function and Object keep what a function of the source, or an object, takes part in; "" for
	// all. Both are names as rows have them.
	Function, Object string
	// Share hides edges of less than this share of all bytes that the program reads, 0 to 1.
	Share float64
}

// View is communication, added up.
type View struct {
	By      By     `json:"by"`
	Read    uint64 `json:"bytes_read"`    // by the whole program
	Written uint64 `json:"bytes_written"` // by the whole program
	Rows    []Row  `json:"rows"`          // those of most bytes first; by object, functions come behind
	Edges   []Edge `json:"edges"`         // those of most bytes first
	Hidden  int    `json:"hidden_edges"`  // edges below the share that was asked for
}

// Row is who reads and writes, or what is read and written.
type Row struct {
	Kind     string `json:"kind"` // what it is: as View.by, or outside
	Name     string `json:"name"`
	Function string `json:"function"` // of the source, "" for sections and objects
	File     string `json:"file"`     // "" where unknown
	Line     int    `json:"line"`     // 0 where unknown
	// Executions are calls of a function, entries of a loop nest, executions of a section; of an
	// object of the heap how often it was made. 0 where unknown.
	Executions uint64  `json:"executions"`
	Reads      *uint64 `json:"reads"` // accesses; null where a line accesses it in several sizes
	Writes     *uint64 `json:"writes"`
	Read       uint64  `json:"bytes_read"`
	Written    uint64  `json:"bytes_written"`
	Own        uint64  `json:"bytes_read_of_own"` // of those read, those that it wrote itself last
	Share      float64 `json:"share"`             // of all bytes that the program reads and writes
	// Size and Made are of an object: bytes, of the heap the most that there were at a time; and
	// where it was made, then the calls that led there.
	Size int64    `json:"size"`
	Made []string `json:"made"`
}

// Edge is what one read that another wrote.
type Edge struct {
	From   int    `json:"from"` // index into View.rows
	To     int    `json:"to"`
	Object string `json:"object"` // "" where one end is the object
	Bytes  uint64 `json:"bytes"`  // that were read
	// Distinct are those of the bytes that were read for the first time since they were written.
	Distinct uint64 `json:"distinct_bytes"`
	// AtMost says that several lines of the reader read: what each reads first may be the same.
	AtMost bool    `json:"distinct_at_most"`
	Share  float64 `json:"share"` // of all bytes that the program reads
	writes bool    // to an object: bytes that were written
}

// Each returns bytes an execution of a row, and reports whether the executions are known.
func (r *Row) Each(bytes uint64) (float64, bool) {
	return float64(bytes) / float64(max(1, r.Executions)), r.Executions > 0
}

// adder adds up.
type adder struct {
	*Comm
	by    By
	view  *View
	rows  map[[3]int]int
	edges map[edgeKey]*sum
}

type edgeKey struct{ from, to, object int }

// sum is an edge with what each reader of each writer read first.
type sum struct {
	Edge
	readers map[memory.Who]map[memory.Who]uint64
}

// View adds communication up. It reports names that there are not.
func (c *Comm) View(o Options) (*View, error) {
	function, object := -1, -1
	if o.Function != "" {
		names := make([]string, len(c.functions))
		for i := range names {
			names[i] = c.functions[i].name
		}
		if function = slices.Index(names, o.Function); function < 0 || !c.accesses(function) {
			return nil, unknown("function", "that reads or writes memory", o.Function, names)
		}
	}
	if o.Object != "" {
		if object = slices.Index(c.objects, o.Object); object < 0 {
			return nil, unknown("object", "that the program has", o.Object, c.objects)
		}
	}
	a := adder{Comm: c, by: o.By, view: &View{By: o.By}, rows: map[[3]int]int{}, edges: map[edgeKey]*sum{}}
	holds := func(w memory.Who) bool {
		return function < 0 || w.Place >= 0 && c.sameName(c.sources[w.Place].function, function)
	}
	for i := range c.data.Flows {
		f := &c.data.Flows[i]
		a.view.Read += f.Bytes
		if (object < 0 || f.Object == object) && (holds(f.From) || holds(f.To)) {
			a.flow(f)
		}
	}
	for i := range c.data.Writes {
		w := &c.data.Writes[i]
		a.view.Written += w.Bytes
		if (object < 0 || w.Object == object) && holds(w.By) {
			a.write(w)
		}
	}
	if object < 0 && function < 0 && o.By != Section && o.By != Object {
		a.count()
	}
	a.finish(o.Share)
	return a.view, nil
}

func unknown(what, that, name string, names []string) error {
	hint := ""
	if n := yamlstrict.Nearest(name, names); n != "" {
		hint = fmt.Sprintf(", but %s", n)
	}
	return fmt.Errorf("--%s %s: there is no such %s %s%s; pathspan comm --by %s --items 0 lists them", what, name, what, that, hint, what)
}

// accesses reports whether a function reads or writes memory.
func (c *Comm) accesses(function int) bool {
	is := func(w memory.Who) bool { return w.Place >= 0 && c.sameName(c.sources[w.Place].function, function) }
	return slices.ContainsFunc(c.data.Flows, func(f memory.Flow) bool { return is(f.To) }) ||
		slices.ContainsFunc(c.data.Writes, func(w memory.Write) bool { return is(w.By) })
}

func (c *Comm) sameName(f, g int) bool { return c.functions[f].name == c.functions[g].name }

// flow adds what was read. Where objects are what is asked for, functions read them.
func (a *adder) flow(f *memory.Flow) {
	to := a.who(f.To)
	reads := a.sources[f.To.Place].reads
	a.view.Rows[to].Read += f.Bytes
	a.view.Rows[to].Reads = times(a.view.Rows[to].Reads, f.Bytes, reads.size)
	if a.by == Object {
		o := a.object(f.Object)
		a.view.Rows[o].Read += f.Bytes
		a.view.Rows[o].Reads = times(a.view.Rows[o].Reads, f.Bytes, reads.size)
		a.edge(o, to, -1, f.From, f.To, f.Bytes, f.Distinct, false)
		return
	}
	from := a.who(f.From)
	if from == to {
		a.view.Rows[to].Own += f.Bytes
		return
	}
	a.edge(from, to, f.Object, f.From, f.To, f.Bytes, f.Distinct, false)
}

func (a *adder) write(w *memory.Write) {
	by := a.who(w.By)
	size := a.sources[w.By.Place].writes.size
	a.view.Rows[by].Written += w.Bytes
	a.view.Rows[by].Writes = times(a.view.Rows[by].Writes, w.Bytes, size)
	if a.by == Object {
		o := a.object(w.Object)
		a.view.Rows[o].Written += w.Bytes
		a.view.Rows[o].Writes = times(a.view.Rows[o].Writes, w.Bytes, size)
		a.edge(by, o, -1, w.By, w.By, w.Bytes, 0, true)
	}
}

// notKnown stands for a number of accesses that is not.
var notKnown = new(uint64)

// times adds the accesses of one size that so many bytes take.
func times(sum *uint64, bytes, size uint64) *uint64 {
	if sum == notKnown || size == 0 || bytes%size != 0 {
		return notKnown
	}
	if sum == nil {
		sum = new(uint64)
	}
	*sum += bytes / size
	return sum
}

// count takes the numbers of accesses from how often instructions were executed.
func (a *adder) count() {
	for i := range a.view.Rows {
		a.view.Rows[i].Reads, a.view.Rows[i].Writes = new(uint64), new(uint64)
	}
	for i := range a.sources {
		s := &a.sources[i]
		if r, ok := a.rows[a.key(memory.Who{Place: i})]; ok {
			*a.view.Rows[r].Reads += s.reads.times
			*a.view.Rows[r].Writes += s.writes.times
		}
	}
}

func (a *adder) edge(from, to, object int, writer, reader memory.Who, bytes, distinct uint64, writes bool) {
	key := edgeKey{from, to, object}
	e := a.edges[key]
	if e == nil {
		e = &sum{Edge: Edge{From: from, To: to, writes: writes}, readers: map[memory.Who]map[memory.Who]uint64{}}
		if object >= 0 {
			e.Object = a.objects[object]
		}
		a.edges[key] = e
	}
	e.Bytes += bytes
	if distinct == 0 {
		return
	}
	e.Distinct += distinct
	if e.readers[writer] == nil {
		e.readers[writer] = map[memory.Who]uint64{}
	}
	e.readers[writer][reader] += distinct
	e.AtMost = e.AtMost || len(e.readers[writer]) > 1
}

// key tells the rows of those who access apart.
func (a *adder) key(w memory.Who) [3]int {
	if w.Place < 0 {
		return [3]int{-1}
	}
	s := &a.sources[w.Place]
	switch a.by {
	case Loop:
		return [3]int{s.function, s.nest}
	case Section:
		return [3]int{w.Lane}
	case Line:
		return [3]int{s.function, s.at.File, s.at.Line}
	}
	return [3]int{s.function}
}

// who is the row of who accesses.
func (a *adder) who(w memory.Who) int {
	key := a.key(w)
	if i, ok := a.rows[key]; ok {
		return i
	}
	r := Row{Kind: "outside", Name: Outside}
	if w.Place >= 0 {
		s := &a.sources[w.Place]
		f := &a.functions[s.function]
		r = Row{Kind: string(a.by), Name: f.name, Function: f.name, Executions: f.calls}
		at := f.at
		switch a.by {
		case Object:
			r.Kind = string(Function)
		case Loop:
			if s.nest >= 0 {
				at, r.Executions = a.nests[s.nest].at, a.nests[s.nest].entries
				r.Name += fmt.Sprintf(":%d", at.Line)
			}
		case Section:
			r.Name, r.Function, r.Executions, at = a.lane(w.Lane), "", a.executions(w.Lane), a.laneLoc(w.Lane)
		case Line:
			r.Name, at, r.Executions = strings.TrimSpace(a.line(s.at)+" "+f.name), s.at, 0
		}
		r.place(a.program, at)
	}
	a.rows[key] = len(a.view.Rows)
	a.view.Rows = append(a.view.Rows, r)
	return a.rows[key]
}

func (r *Row) place(p *ir.Program, at ir.Loc) {
	if at.File >= 0 && at.File < len(p.Files) && at.Line > 0 {
		r.File, r.Line = p.Files[at.File], at.Line
	}
}

func (a *adder) object(i int) int {
	key := [3]int{-2, i}
	if at, ok := a.rows[key]; ok {
		return at
	}
	o := &a.data.Objects[i]
	r := Row{Kind: string(Object), Name: a.objects[i], Executions: o.Made, Size: o.Size, Made: a.where(i)}
	if o.Kind == memory.Heap {
		r.place(a.program, a.data.Places[o.Place].Loc)
	}
	a.rows[key] = len(a.view.Rows)
	a.view.Rows = append(a.view.Rows, r)
	return a.rows[key]
}

// executions is how often a lane began, 0 where that is not known.
func (c *Comm) executions(lane int) uint64 {
	for i := range c.data.Spans {
		if c.data.Spans[i].Lane == lane {
			return c.data.Spans[i].Times
		}
	}
	return 0
}

// laneLoc is the line that a lane begins in.
func (c *Comm) laneLoc(i int) ir.Loc {
	l := &c.data.Lanes[i]
	at := func(file string, line int) ir.Loc {
		return ir.Loc{File: slices.Index(c.program.Files, file), Line: line}
	}
	switch l.Kind {
	case memory.Serial:
		return ir.Loc{File: -1}
	case memory.InTask:
		t := &c.program.Tasks[l.Construct]
		return at(t.File, t.Line)
	case memory.InRegion:
		return at(c.program.Regions[l.Region].File, c.program.Regions[l.Region].Line)
	}
	r := &c.program.Regions[l.Region]
	if l.Kind == memory.InSection {
		return at(r.File, r.Constructs[l.Construct].Sections[l.Section].Line)
	}
	return at(r.File, r.Constructs[l.Construct].Line)
}

// finish orders rows and edges, and hides those of too small a share.
func (a *adder) finish(share float64) {
	v := a.view
	order := make([]int, len(v.Rows))
	total := float64(max(1, v.Read+v.Written))
	for i := range order {
		r := &v.Rows[i]
		order[i] = i
		r.Share = float64(r.Read+r.Written) / total
		for _, n := range []**uint64{&r.Reads, &r.Writes} {
			if *n == notKnown {
				*n = nil
			} else if *n == nil {
				*n = new(uint64)
			}
		}
	}
	behind := func(r *Row) int {
		if r.Kind == string(v.By) {
			return 0
		}
		return 1
	}
	slices.SortFunc(order, func(x, y int) int {
		p, q := &v.Rows[x], &v.Rows[y]
		return cmp.Or(cmp.Compare(behind(p), behind(q)), cmp.Compare(q.Read+q.Written, p.Read+p.Written), cmp.Compare(p.Name, q.Name), cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line))
	})
	rows, at := make([]Row, len(order)), make([]int, len(order))
	for i, from := range order {
		rows[i], at[from] = v.Rows[from], i
	}
	v.Rows = rows
	for _, e := range a.edges {
		e.From, e.To, e.Share = at[e.From], at[e.To], float64(e.Bytes)/float64(max(1, v.Read))
		if e.writes {
			e.Share = float64(e.Bytes) / float64(max(1, v.Written))
		}
		if e.Share < share {
			v.Hidden++
			continue
		}
		v.Edges = append(v.Edges, e.Edge)
	}
	slices.SortFunc(v.Edges, func(p, q Edge) int {
		return cmp.Or(cmp.Compare(q.Bytes, p.Bytes), cmp.Compare(p.From, q.From), cmp.Compare(p.To, q.To), cmp.Compare(p.Object, q.Object))
	})
	v.named()
}

// named tells rows of the same name apart by where they are.
func (v *View) named() {
	count := map[string]int{}
	for i := range v.Rows {
		count[v.Rows[i].Name]++
	}
	for i := range v.Rows {
		if r := &v.Rows[i]; count[r.Name] > 1 {
			file := r.File
			if ir.Foreign(file) {
				file = ir.HeaderName(file)
			}
			r.Name += fmt.Sprintf(" (%s:%d)", file, r.Line)
		}
	}
}
