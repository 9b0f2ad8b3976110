package plan

// This file makes pipelines of loops: their stages become tasks that wait for each other as
// the stages of a pipeline do through buffers of a depth. Variables that the marked source
// gets besides say so in depend clauses: one for the order of each stage's items, and one for
// each place in the buffer behind each stage.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// defaultDepth is how many items a buffer holds where the plan does not say: one that is
// written while the other is read.
const defaultDepth = 2

// findPipeline finds an entry's stages in a unit, and the loop that they are in; nil where
// there are none.
func (u *unit) findPipeline(e *Entry) ([]*site, error) {
	groups, err := u.sequence(e)
	if err != nil || len(groups) == 0 {
		return nil, err
	}
	around, err := groups[0].loopAround(e)
	if err != nil {
		return nil, err
	}
	task := kindOf("task")
	var stages []*site
	for i := range groups {
		s, err := groups[i].site(e, task, e.sectionAt(i))
		if err != nil {
			return nil, err
		}
		s.depends, s.stage = e.Clauses.depends(i, len(groups)), i+1
		stages = append(stages, s)
	}
	whole, err := around.site(e, e.kind, e.At)
	if err != nil {
		return nil, err
	}
	whole.edits = []edit{
		{whole.open, opening, e.Clauses.buffers(), false},
		{stages[0].open, opening, e.Clauses.nextItem(), false},
		{whole.close, closing, ` _Pragma("omp taskwait") }`, false},
	}
	return append([]*site{whole}, stages...), nil
}

// readStages reads the names of a pipeline's stages, by which mappings place them.
func (c *Clauses) readStages(v yamlstrict.Value) {
	for _, x := range v.List() {
		switch name := x.Text(); {
		case name != "" && !variable.MatchString(name):
			x.Fail("stages: %q is no name: want letters, digits and _", name)
		case slices.Contains(c.stages, name):
			x.Fail("stages: %s is there twice; give each stage a name of its own", name)
		default:
			c.stages = append(c.stages, name)
		}
	}
	if len(c.stages) != c.parts {
		v.Fail("%d names for %d stages: name each", len(c.stages), c.parts)
	}
	c.called = c.stages
}

// readDepths reads how many items each buffer of a pipeline holds, which may be one number for
// all.
func (c *Clauses) readDepths(v yamlstrict.Value) {
	list := listOrOne(v)
	if !v.IsScalar() && len(list) != len(c.depths) {
		v.Fail("%d depths for the %d buffers between %d stages: give one for each, or one number for all", len(list), len(c.depths), c.parts)
		return
	}
	for i := range c.depths {
		c.depths[i] = list[min(i, len(list)-1)].Int(1, 1<<16)
	}
}

// even reports whether all buffers hold as many items.
func (c *Clauses) even() bool { return slices.Min(c.depths) == slices.Max(c.depths) }

// buffers declares what the stages' clauses name: where buffers hold as many items, the item's
// place is one number for all.
func (c *Clauses) buffers() string {
	counter := "pathspan_item"
	if !c.even() {
		counter = fmt.Sprintf("pathspan_item[%d]", len(c.depths))
	}
	zero := "0"
	if !c.even() {
		zero = "{0}"
	}
	return fmt.Sprintf("{ char pathspan_order[%d], pathspan_slot[%d][%d]; unsigned %s = %s; ", c.parts, c.parts-1, slices.Max(c.depths), counter, zero)
}

// nextItem counts the items, in each buffer where these differ.
func (c *Clauses) nextItem() string {
	if c.even() {
		return fmt.Sprintf("pathspan_item = (pathspan_item + 1) %% %d; ", c.depths[0])
	}
	var b strings.Builder
	for i, d := range c.depths {
		fmt.Fprintf(&b, "pathspan_item[%d] = (pathspan_item[%d] + 1) %% %d; ", i, i, d)
	}
	return b.String()
}

// slot is the place of an item in the buffer behind a stage.
func (c *Clauses) slot(stage int) string {
	if c.even() {
		return fmt.Sprintf("pathspan_slot[%d][pathspan_item]", stage)
	}
	return fmt.Sprintf("pathspan_slot[%d][pathspan_item[%d]]", stage, stage)
}

// depends are the clauses of a stage. It waits for itself on the item before, unless it keeps
// nothing from item to item; for the stage before on this item; and until the stage behind
// has taken the item that lies where this one's goes.
func (c *Clauses) depends(stage, of int) string {
	var b strings.Builder
	if !slices.Contains(c.stateless, stage+1) {
		fmt.Fprintf(&b, " depend(inout : pathspan_order[%d])", stage)
	}
	if stage > 0 {
		fmt.Fprintf(&b, " depend(in : %s)", c.slot(stage-1))
	}
	if stage+1 < of {
		fmt.Fprintf(&b, " depend(out : %s)", c.slot(stage))
	}
	return b.String()
}

// loopAround returns the innermost loop around a group as a group of its own.
func (g *group) loopAround(e *Entry) (*group, error) {
	var path []*node // from the function down to the group's block
	parents := map[*node]*node{}
	g.in.walk(func(n, parent *node) bool { parents[n] = parent; return true })
	for n := parents[g.inner[g.first]]; n != nil; n = parents[n] {
		path = append(path, n)
	}
	where := g.in.where(g.in.place(g.inner[g.first].begin))
	at := slices.IndexFunc(path, func(n *node) bool { return isLoop(n) || n.kind == "LambdaExpr" })
	if at < 0 || !isLoop(path[at]) {
		return nil, e.At.Errorf("%s: the stages are in no loop, whose iterations would be the pipeline's items; name statements of a loop's body", where)
	}
	loop, parent := path[at], parents[path[at]]
	if parent != nil && strings.HasPrefix(parent.kind, "OMP") {
		return nil, e.At.Errorf("%s: the loop around the stages has an OpenMP pragma already; take the pragma out, or the pipeline out of the plan", where)
	}
	if parent != nil && parent.kind == "CompoundStmt" {
		i := slices.Index(parent.inner, loop)
		return &group{block{parent, g.in}, i, i}, nil
	}
	return loosely(loop, g.in), nil
}

// kept lists the variables that a stage assigns and that outlive an iteration: the stage
// shares them with itself on the next item, where a task would have a copy.
func (m *Marking) kept(k int, s *site) []string {
	whole := m.pipelineOf(k, s)
	if whole == nil {
		return nil
	}
	var names []string
	for _, n := range s.statements() {
		n.each(func(n *node) {
			id, name := n.changes()
			if id != "" && s.in.declares(id) && !whole.first.declares(id) && !s.entry.Clauses.own(name) && !slices.Contains(s.entry.Clauses.names["shared"], name) && !m.sharedAround(k, s, id, name) {
				names = append(names, name)
			}
		})
	}
	return names
}

// pipelineOf returns the pipeline whose stage a site is; nil where it is none.
func (m *Marking) pipelineOf(k int, s *site) *site {
	i := slices.IndexFunc(m.sites[k], func(o *site) bool {
		return s.depends != "" && o.kind.form == stagesForm && o.entry == s.entry && o.in.begin.file.same(s.in.begin.file) && o.holds(s.span)
	})
	if i < 0 {
		return nil
	}
	return m.sites[k][i]
}

// passed says which variable passes from stage to stage without a place for each item in the
// buffer: one that is in the loop's body, or before it, and no element of an array. That is
// no matter for estimates; run in parallel, items would overwrite each other.
func (m *Marking) passed(k int, whole *site) []string {
	if whole.kind.form != stagesForm {
		return nil
	}
	stages := m.stagesOf(k, whole)
	var notes []string
	told := map[string]bool{}
	for i, s := range stages {
		passes := func(id, name string) {
			if id == "" || told[id] || (s.apart == nil || name != s.apart.name) && s.declaredInside(id, name) {
				return
			}
			for _, o := range stages[i+1:] {
				if slices.ContainsFunc(o.statements(), func(c *node) bool { return c.uses(id) }) {
					told[id] = true
					notes = append(notes, fmt.Sprintf("%s: stages pass %s on in one variable: that is estimated as a buffer of %d, but a parallel run, as of measure, needs as many of it",
						s.in.where(s.open), name, whole.entry.Clauses.depths[i]))
					return
				}
			}
		}
		for _, n := range s.statements() {
			n.each(func(n *node) {
				switch {
				case s.apart != nil && n.kind == "VarDecl" && n.name == s.apart.name:
					passes(n.id, n.name)
				case !n.writesElement():
					passes(n.changes())
				}
			})
			n.hands(func(v *node) {
				if d := s.in.variable(v.refers); d != nil && whole.first.declares(v.refers) && !strings.HasSuffix(d.typ, "&") && !d.constant() {
					passes(v.refers, v.refersName)
				}
			})
		}
	}
	return notes
}

// writesElement reports whether an assignment is to an element of something.
func (n *node) writesElement() bool {
	if len(n.inner) == 0 {
		return false
	}
	for c := n.inner[0]; ; c = c.inner[0] {
		if c.kind == "ArraySubscriptExpr" {
			return true
		}
		if len(c.inner) == 0 {
			return false
		}
	}
}
