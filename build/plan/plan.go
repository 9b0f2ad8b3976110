package plan

// This file declares plans, and reads the files that hold them.

import (
	"fmt"
	"strings"

	"pathspan/yamlstrict"
)

// Plan is what a plan file says.
type Plan struct {
	File    string // as the user named it, for messages
	Text    []byte
	Entries []Entry
}

// Entry is one construct of a plan: a parallel loop, or parallel sections.
type Entry struct {
	At yamlstrict.Pos
	// Loop names the loop; nil for sections.
	Loop *Place
	// Sections name the statements of each section; of sections by calls, the functions
	// called are in Calls instead, and the function that calls them in Caller.
	Sections []Place
	Caller   *Function
	Calls    []string
	// Function must be around the construct, where it is not nil.
	Function *Function
	Clauses  Clauses
}

// Place is a place in a source: lines of a file, or a loop of a function.
type Place struct {
	At          yamlstrict.Pos
	File        string // as written; "" where Function names the place
	First, Last int    // lines
	Column      int    // of the one statement that is meant; 0 for all that begin in the lines
	Function    *Function
	Number      int // of the function's for statements, from 1
}

// Function is a function by its name, in a file where one is given.
type Function struct{ File, Name string }

func (f *Function) String() string {
	if f.File != "" {
		return f.File + ":" + f.Name
	}
	return f.Name
}

// String says the place as a plan does, or in words.
func (p *Place) String() string {
	switch {
	case p.Function != nil:
		return fmt.Sprintf("loop %d of %s", p.Number, p.Function)
	case p.Column > 0:
		return fmt.Sprintf("%s:%d:%d", p.File, p.First, p.Column)
	case p.Last > p.First:
		return fmt.Sprintf("%s:%d-%d", p.File, p.First, p.Last)
	}
	return fmt.Sprintf("%s:%d", p.File, p.First)
}

// pragma is the directive that the entry stands for.
func (e *Entry) pragma() string {
	if e.Loop != nil {
		return "omp parallel for" + e.Clauses.text()
	}
	return "omp parallel sections" + e.Clauses.text()
}

// Schema names the format of plans.
const Schema = "pathspan.plan/1"

// notYet are kinds of constructs that plans are to have, with what there is until then.
var notYet = []struct{ kind, instead string }{
	{"task", "plans have loop and sections; write the pragma into the source"},
	{"pipeline", "plans have loop and sections"},
}

// Parse reads a plan; file is its name for messages. Errors name file and line.
func Parse(file string, text []byte) (*Plan, error) {
	p := &Plan{File: file, Text: text}
	r := yamlstrict.Parse(file, text)
	top := r.Root().Fields("schema", "plan")
	top.Schema(Schema, false)
	list := top.Need("plan")
	for _, v := range list.List() {
		p.Entries = append(p.Entries, readEntry(v))
	}
	if len(p.Entries) == 0 {
		list.Fail("the plan is empty: want a list of loops and sections, such as - loop: app.c:57")
	}
	return p, r.Err()
}

func readEntry(v yamlstrict.Value) Entry {
	keys := []string{"loop", "sections", "function"}
	for _, n := range notYet {
		keys = append(keys, n.kind)
	}
	f := v.Fields(append(keys, clauseKeys...)...)
	e := Entry{At: v.Pos()}
	for _, n := range notYet {
		if x := f.Get(n.kind); x.Has() {
			x.Fail("%s is not estimated yet: %s", n.kind, n.instead)
		}
	}
	loop, sections := f.Get("loop"), f.Get("sections")
	switch {
	case loop.Has() && sections.Has():
		sections.Fail("one entry with loop and sections: make two of it")
	case loop.Has():
		place := readLoop(loop)
		e.Loop = &place
	case sections.Has():
		readSections(sections, &e)
	default:
		v.Fail("the entry names no construct: want loop or sections")
	}
	if x := f.Get("function"); x.Has() {
		if e.Caller != nil || e.Loop != nil && e.Loop.Function != nil {
			x.Fail("function is there twice: leave out the one behind the construct")
		}
		e.Function = readFunction(x)
	}
	e.Clauses = readClauses(f, loop.Has())
	return e
}

// readFunction reads NAME or FILE:NAME; names may have scopes (A::b).
func readFunction(v yamlstrict.Value) *Function {
	text := v.Text()
	at := strings.LastIndexByte(strings.ReplaceAll(text, "::", ".."), ':')
	f := &Function{Name: text}
	if at >= 0 {
		f.File, f.Name = text[:at], text[at+1:]
	}
	if text != "" && (f.Name == "" || at == 0) {
		v.Fail("%q names no function: want NAME or FILE:NAME", text)
	}
	return f
}
