package suggest

// This file says what keeps iterations of a loop from running at the same time, where a run
// recorded the program's memory (package depend).

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/memory/depend"
)

// Dependences is what a loop's iterations leave to each other in the recorded run.
type Dependences struct {
	Verdict depend.Verdict `json:"verdict"` // independent, private, reduction or dependent
	// Private are objects of which each thread needs one of its own: iterations write them before
	// they read them.
	Private []string `json:"private"`
	// Clauses are what a pragma says for those of them that it can name.
	Clauses []Clause `json:"clauses,omitempty"`
	// Reductions are places that combine something over iterations: OP at FILE:LINE.
	Reductions []string `json:"reductions"`
	// Reread are places whose value the next iteration reads again, FILE:LINE.
	Reread []string `json:"read_again"`
	Forbid []string `json:"forbid"` // what an iteration needs of another
	// Rewrite says what of the source must be written otherwise before its iterations can run at the same time.
	Rewrite []string `json:"rewrite,omitempty"`
	planned []string // of these, what plans do
	form    string   // why it cannot be a parallel loop as it is written; "" where it can
}

// Clause is what a pragma says of variables.
type Clause struct {
	Clause    string   `json:"clause"`           // private, firstprivate, lastprivate, linear or reduction
	Detail    string   `json:"detail,omitempty"` // of a reduction: its operation; of linear: by what they go on, but for 1
	Variables []string `json:"variables"`
}

// String is the clause as pragmas have it.
func (c Clause) String() string {
	list := strings.Join(c.Variables, ", ")
	switch {
	case c.Detail == "":
	case c.Clause == "reduction":
		list = c.Detail + ": " + list
	default:
		list += ": " + c.Detail
	}
	return c.Clause + "(" + list + ")"
}

// entry is the clause as plans have it, where it is the only one of its kind.
func (c Clause) entry() string {
	text := c.String()
	text = text[len(c.Clause)+1 : len(text)-1]
	if c.Detail != "" {
		return fmt.Sprintf("%q", text)
	}
	return text
}

// dependences looks up what is known of a loop; nil where nothing is.
func (p *program) dependences(x *sourceLoop) *Dependences {
	if p.depend == nil {
		return nil
	}
	place := p.place(&x.statement)
	all := depend.Loop{Verdict: depend.Unseen}
	for _, part := range x.parts {
		for _, l := range part.levels {
			if l > 0 {
				all.Add(p.depend.Loop(part.f.index, part.f.cfg.Loops[l-1].Header, linesOf(place)))
			}
		}
	}
	if all.Verdict == depend.Unseen {
		return nil
	}
	p.depend.Variables(&all, place.File, x.statement.loc.Line, x.statement.loc.Col)
	out := &Dependences{Verdict: all.Verdict}
	for _, o := range all.Private {
		text := o.Object
		if o.Behind != (depend.Access{}) {
			text += ", which " + at(o.Behind) + " reads behind the loop"
		}
		out.Private = append(out.Private, text)
	}
	for _, clause := range []string{"private", "firstprivate"} {
		c := Clause{Clause: clause}
		for _, o := range all.Private {
			if o.Clause == clause {
				c.Variables = append(c.Variables, o.Variable)
			}
		}
		if c.Variables != nil {
			out.Clauses = append(out.Clauses, c)
		}
	}
	for _, v := range all.Variables {
		out.variable(v)
	}
	for _, r := range all.Reduces {
		text := r.Op + " at " + at(r.At)
		if r.What != "" {
			text += " in " + r.What
		}
		out.Reductions = append(out.Reductions, text)
	}
	for _, a := range all.Reread {
		out.Reread = append(out.Reread, at(a))
	}
	for i := range all.Forbid {
		out.Forbid = append(out.Forbid, conflict(&all.Forbid[i]))
	}
	return out
}

// variable adds what a variable in a register takes.
func (d *Dependences) variable(v depend.Variable) {
	name := cmp.Or(v.Name, "a variable of a macro")
	c := Clause{Clause: string(v.Use)}
	switch v.Use {
	case depend.Own, depend.Last:
	case depend.Reduces:
		c.Detail = v.Detail
	case depend.Linear, depend.Beside:
		if c.Clause = string(depend.Linear); v.Detail != "1" {
			c.Detail = v.Detail
		}
		if v.Use == depend.Beside {
			d.planned = append(d.planned, fmt.Sprintf("the for statement must count with one variable alone: change %s at the end of the body; linear has it begin right in each iteration", name))
			d.Rewrite = append(d.Rewrite, d.planned[len(d.planned)-1])
		}
	case depend.Left:
		d.Rewrite = append(d.Rewrite, fmt.Sprintf("what is behind the loop reads %s, which not every iteration writes: keep it otherwise", name))
		return
	case depend.Goes:
		d.Rewrite = append(d.Rewrite, fmt.Sprintf("%s goes on from iteration to iteration: compute it from the number of the iteration", name))
		return
	case depend.Carried:
		d.Rewrite = append(d.Rewrite, fmt.Sprintf("%s keeps what another iteration left: compute it anew in each", name))
		return
	case depend.Counted:
		d.form = fmt.Sprintf("its body changes %s, by which its iterations are counted, which a parallel loop cannot", name)
		return
	case depend.Unset:
		d.form = fmt.Sprintf("it does not set %s, which it counts with, when it begins, as a parallel loop must", name)
		return
	case depend.Condition:
		d.form = fmt.Sprintf("its condition does not compare %s, which it counts with, with a bound, as a parallel loop must", name)
		return
	}
	if v.Name == "" {
		d.Rewrite = append(d.Rewrite, fmt.Sprintf("a variable of a macro must be %s", c.Clause))
		return
	}
	for i := range d.Clauses {
		if o := &d.Clauses[i]; o.Clause == c.Clause && o.Detail == c.Detail {
			if !slices.Contains(o.Variables, v.Name) {
				o.Variables = append(o.Variables, v.Name)
			}
			return
		}
	}
	c.Variables = []string{v.Name}
	d.Clauses = append(d.Clauses, c)
}

// between says of sections what each needs of those before it, and gives up on those that do.
func (p *program) between(c *prospect) {
	if p.depend == nil || c.Kind != Sections {
		return
	}
	d := &Dependences{Verdict: depend.Independent}
	for i := range c.Parts {
		for k := range i {
			for _, found := range p.depend.Between(linesOf(c.Parts[k].Place), linesOf(c.Parts[i].Place)) {
				d.Verdict = depend.Dependent
				d.Forbid = append(d.Forbid, fmt.Sprintf("%s of line %d reads %s, which %s of line %d wrote", at(found.To), c.Parts[i].Place.Line, cmp.Or(found.Object, "a variable"), at(found.From), c.Parts[k].Place.Line))
			}
		}
	}
	c.Dependences = d
}

func linesOf(p Place) depend.Lines {
	return depend.Lines{Function: p.Function, File: p.File, First: p.Line, Last: max(p.Line, p.End)}
}

func at(a depend.Access) string {
	if a.Line == 0 {
		return "code without lines"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(a.File), a.Line)
}

// conflict says what an iteration does with what another did.
func conflict(c *depend.Conflict) string {
	what := c.Object
	if what == "" {
		what = "a variable"
	}
	switch c.Depends {
	case "anti":
		return fmt.Sprintf("%s writes %s, which %s reads before", at(c.To), what, at(c.From))
	case "output":
		return fmt.Sprintf("%s writes %s, as %s did", at(c.To), what, at(c.From))
	}
	if c.From == c.To {
		return fmt.Sprintf("%s needs what it left in %s", at(c.To), what)
	}
	return fmt.Sprintf("%s needs what %s left in %s", at(c.To), at(c.From), what)
}

// clauses are those of a loop that is to run in parallel.
func (d *Dependences) clauses() []Clause {
	if d == nil {
		return nil
	}
	return d.Clauses
}

// forbidden says why iterations, or sections, cannot run at the same time, "" where they can.
func (d *Dependences) forbidden(what string) string {
	switch {
	case d == nil:
		return ""
	case d.form != "":
		return d.form
	case d.Verdict != depend.Dependent:
		return ""
	}
	why := what + " needs another: " + d.Forbid[0]
	if n := len(d.Forbid) - 1; n > 0 {
		why += fmt.Sprintf(", and %d more", n)
	}
	return why
}

// ToDo says what is to be written for what iterations share, besides what plans write. It may be asked of nil.
func (d *Dependences) ToDo() []string {
	if d == nil {
		return nil
	}
	var out []string
	if d.Reductions != nil {
		out = append(out, "needs a reduction of what iterations combine: "+some(d.Reductions))
	}
	if d.Private != nil {
		out = append(out, "each thread needs its own of what iterations write before they read it: "+some(d.Private))
	}
	for _, text := range d.Rewrite {
		if !slices.Contains(d.planned, text) {
			out = append(out, text)
		}
	}
	if d.Reread != nil {
		out = append(out, "where a variable keeps what the iteration before read, read it anew: "+strings.Join(d.Reread, ", "))
	}
	return out
}

// obstacles says what is known of what iterations share.
func (d *Dependences) obstacles(c *prospect) {
	if d == nil {
		return
	}
	for _, text := range append(d.ToDo(), d.planned...) {
		c.obstacle("%s", text)
	}
	switch {
	case d.Verdict == depend.Independent:
		c.obstacle("in the recorded run no iteration used what another wrote")
	case d.Private == nil && d.Reductions == nil && d.Rewrite == nil:
		c.obstacle("with these clauses no iteration used what another wrote in the recorded run")
	}
}
