package suggest

// This file says what keeps iterations of a loop from running at the same time, where a run
// recorded the program's memory (package depend).

import (
	"cmp"
	"fmt"
	"path/filepath"
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
}

// Clause is what a pragma says of variables.
type Clause struct {
	Clause    string   `json:"clause"` // private or firstprivate
	Variables []string `json:"variables"`
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
	if d == nil || d.Verdict != depend.Dependent {
		return ""
	}
	why := what + " needs another: " + d.Forbid[0]
	if n := len(d.Forbid) - 1; n > 0 {
		why += fmt.Sprintf(", and %d more", n)
	}
	return why
}

// obstacles says what is to be written for what iterations share.
func (d *Dependences) obstacles(c *prospect) {
	if d == nil {
		return
	}
	if d.Reductions != nil {
		c.obstacle("needs a reduction of what iterations combine: %s", some(d.Reductions))
	}
	if d.Private != nil {
		c.obstacle("each thread needs its own of what iterations write before they read it: %s", some(d.Private))
	}
	if d.Reread != nil {
		c.obstacle("where a variable keeps what the iteration before read, read it anew: %s", strings.Join(d.Reread, ", "))
	}
	if d.Verdict == depend.Independent {
		c.obstacle("in the recorded run no iteration used what another wrote")
	}
}
