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

// Entry is constructs of one kind, with their clauses, in the places that it names.
type Entry struct {
	At   yamlstrict.Pos
	kind *kind
	// Places are the loop, the statements of each section, or those that a construct each
	// stands around or before. Of places by calls, the functions called are in Calls instead,
	// and the function that calls them in Caller.
	Places []Place
	Caller *Function
	Calls  []string
	// Function must be around the construct, where it is not nil.
	Function *Function
	Clauses  Clauses
}

// isLoop reports whether the entry stands before a for statement, which Places[0] names.
func (e *Entry) isLoop() bool { return e.kind.form == loopForm }

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

// pragma is the directive that the entry stands for, if the team of a region around executes
// it or not.
func (e *Entry) pragma(around bool) string {
	directive := e.kind.directive
	if around && e.kind.around != "" {
		directive = e.kind.around
	}
	return "omp " + directive + e.Clauses.text
}

// Schema names the format of plans.
const Schema = "pathspan.plan/1"

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
		list.Fail("the plan is empty: want a list of loops, sections, tasks, such as - loop: app.c:57")
	}
	return p, r.Err()
}

func readEntry(v yamlstrict.Value) Entry {
	keys := append(kindNames(), "function")
	for _, key := range clauseKeys() {
		if key != "ordered" { // a kind as well
			keys = append(keys, key)
		}
	}
	f := v.Fields(keys...)
	e := Entry{At: v.Pos()}
	for _, k := range kinds {
		x := f.Get(k.key)
		switch {
		case !x.Has() || k.key == "ordered" && e.kind != nil: // there it is a clause
		case e.kind != nil:
			x.Fail("one entry with %s and %s: make two of it", e.kind.key, k.key)
		default:
			e.kind = k
			e.readPlaces(x)
		}
	}
	if e.kind == nil {
		e.kind = kindOf("loop")
		v.Fail("the entry names no construct: want %s", yamlstrict.List(kindNames()))
	}
	if x := f.Get("function"); x.Has() {
		if e.Caller != nil || len(e.Places) > 0 && e.Places[0].Function != nil {
			x.Fail("function is there twice: leave out the one behind the construct")
		}
		e.Function = readFunction(x)
	}
	e.Clauses = readClauses(f, e.kind, len(e.Places), e.Calls)
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
