package plan

// This file reads the places that a plan names.

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"pathspan/yamlstrict"
)

// fileLines is FILE:LINE, FILE:LINE:COLUMN or FILE:FIRST-LAST.
var fileLines = regexp.MustCompile(`^(.+?):([0-9]+)(?:([-:])([0-9]+))?$`)

// readLoop reads the place of a loop: FILE:LINE, or a mapping of function and number.
func readLoop(v yamlstrict.Value) Place {
	if !v.IsScalar() {
		f := v.Fields("function", "loop")
		p := Place{At: v.Pos(), Function: readFunction(f.Need("function"))}
		p.Number = f.Need("loop").Int(1, math.MaxInt32)
		return p
	}
	p := readLines(v)
	if p.Last > p.First {
		v.Fail("%s: a loop is named by the one line on which its for begins", &p)
	}
	return p
}

// readLines reads FILE:LINE[:COLUMN] or FILE:FIRST-LAST.
func readLines(v yamlstrict.Value) Place {
	text := v.Text()
	p := Place{At: v.Pos()}
	m := fileLines.FindStringSubmatch(text)
	if m == nil {
		if text != "" {
			v.Fail("%q is no place: want FILE:LINE, FILE:LINE:COLUMN or FILE:FIRST-LAST", text)
		}
		return p
	}
	number := func(digits string) int {
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil || n == 0 {
			v.Fail("%q: lines and columns are numbers from 1", text)
		}
		return int(n)
	}
	p.File, p.First = m[1], number(m[2])
	p.Last = p.First
	switch m[3] {
	case ":":
		p.Column = number(m[4])
	case "-":
		if p.Last = number(m[4]); p.Last < p.First {
			v.Fail("%q: the last line is before the first", text)
		}
	}
	return p
}

// readPlaces reads what an entry's construct stands before or around.
func (e *Entry) readPlaces(v yamlstrict.Value) {
	switch {
	case e.isLoop():
		e.Places = []Place{readLoop(v)}
	case e.kind.form == sectionsForm || e.kind.form == stagesForm:
		e.readSections(v)
	case v.IsMapping() && e.kind.form == blockForm:
		e.readCalls(v, 1, "the functions that statements call, such as calls: [f]")
	default:
		for _, x := range listOrOne(v) {
			p := readLines(x)
			if e.kind.form == pointForm && p.Last > p.First {
				x.Fail("%s: %s stands before one line; name that", &p, e.kind.what)
			}
			e.Places = append(e.Places, p)
		}
	}
}

// readCalls reads the function in which statements call others.
func (e *Entry) readCalls(v yamlstrict.Value, least int, want string) {
	f := v.Fields("function", "calls")
	e.Caller = readFunction(f.Need("function"))
	calls := f.Need("calls")
	for _, c := range calls.List() {
		e.Calls = append(e.Calls, c.Text())
	}
	if len(e.Calls) < least {
		calls.Fail("want %s", want)
	}
}

// readSections reads a list of statements, or the function whose calls are meant.
func (e *Entry) readSections(v yamlstrict.Value) {
	if v.IsMapping() {
		e.readCalls(v, 2, "the calls of two "+e.parts()+" or more, such as calls: [f, g]")
		return
	}
	for _, s := range v.List() {
		p := readLines(s)
		for i := range e.Places {
			o := &e.Places[i]
			if o.File == p.File && o.First <= p.Last && p.First <= o.Last && (o.Column == 0 || p.Column == 0 || o.Column == p.Column) {
				s.Fail("%s and %s overlap: give each %s lines of its own, or FILE:LINE:COLUMN where one line has several statements", o, &p, strings.TrimSuffix(e.parts(), "s"))
			}
		}
		e.Places = append(e.Places, p)
	}
	if len(e.Places) < 2 {
		v.Fail("want two %s or more, such as [app.c:80-84, app.c:85]", e.parts())
	}
}

// parts is what an entry's statements become.
func (e *Entry) parts() string {
	if e.kind.form == stagesForm {
		return "stages"
	}
	return "sections"
}
