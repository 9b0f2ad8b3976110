package plan

// This file makes what tasks of a plan need around them: waits behind them, and regions where
// the plan names none.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// around returns the statements of one block in which all of some nodes are: those from the
// first to the last of them or, where all are in a loop, the outermost loop.
func (f *function) around(nodes []*node) *group {
	parents := map[*node]*node{}
	f.walk(func(n, parent *node) bool { parents[n] = parent; return true })
	var common []*node // from the function down to what is around all
	for i, n := range nodes {
		var path []*node
		for p := parents[n]; p != nil; p = parents[p] {
			path = append(path, p)
		}
		slices.Reverse(path)
		if i == 0 {
			common = path
			continue
		}
		k := 0
		for k < len(common) && k < len(path) && common[k] == path[k] {
			k++
		}
		common = common[:k]
	}
	for i, n := range common { // a lambda's statements stay in it
		if n.kind == "LambdaExpr" {
			common = common[i+1:]
			break
		}
	}
	inner := len(common)
	for i, n := range common {
		if isLoop(n) {
			inner = i
			break
		}
	}
	for inner--; inner >= 0 && common[inner].kind != "CompoundStmt"; inner-- {
	}
	if inner < 0 {
		return nil
	}
	b := common[inner]
	g := &group{block: block{b, f}, first: len(b.inner)}
	for i, s := range b.inner {
		if slices.ContainsFunc(nodes, func(n *node) bool { return s.has(n) }) {
			g.first, g.last = min(g.first, i), max(g.last, i)
		}
	}
	return g
}

func isLoop(n *node) bool {
	switch n.kind {
	case "ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt":
		return true
	}
	return false
}

func (n *node) has(x *node) bool {
	return n == x || slices.ContainsFunc(n.inner, func(c *node) bool { return c.has(x) })
}

// byFunction returns the sites of each function, in their order.
func byFunction(sites []*site) [][]*site {
	var all [][]*site
	for _, s := range sites {
		i := slices.IndexFunc(all, func(o []*site) bool { return o[0].in == s.in })
		if i < 0 {
			i, all = len(all), append(all, nil)
		}
		all[i] = append(all[i], s)
	}
	return all
}

func firsts(sites []*site) []*node {
	var nodes []*node
	for _, s := range sites {
		nodes = append(nodes, s.first)
	}
	return nodes
}

// waitFor has each function wait for its tasks, behind the last of them or, where they are in
// a loop, behind the loop.
func waitFor(e *Entry, sites []*site) error {
	for _, of := range byFunction(sites) {
		last := of[len(of)-1]
		g := last.in.around(firsts(of))
		at, ok := 0, g != nil
		if ok {
			at, ok = g.close()
		}
		if !ok {
			return e.At.Errorf("%s: the end of what is to be waited for is hidden by a macro; write it out, or name a place with taskwait", last.in.where(last.open))
		}
		last.edits = append(last.edits, edit{max(at, last.close), closing, ` _Pragma("omp taskwait") `, false})
	}
	return nil
}

// makesRegions reports whether the plan has tasks and leaves it to pathspan where the team is
// made that executes them.
func (p *Plan) makesRegions() bool {
	tasks := false
	for i := range p.Entries {
		switch k := p.Entries[i].kind; {
		case k.key == "parallel":
			return false
		case k.key == "task" || k.key == "taskloop" || k.key == "pipeline":
			tasks = true
		}
	}
	return tasks
}

// makeRegions puts the tasks of a plan that names no region into some, with a single construct
// in each: around the tasks of a function or, where that function is called by what its tasks
// execute, around the calls from outside.
func (m *Marking) makeRegions(part bool) error {
	if !m.plan.makesRegions() {
		return nil
	}
	c := newCalls(m)
	called := map[string]*site{} // a task of each function that needs regions in its callers
	for k := range m.units {
		var tasks []*site
		for _, s := range m.sites[k] {
			switch {
			case s.kind.key != "task" && s.kind.key != "taskloop" || s.in.inParallel(s.first):
			case !c.inside[s.in.name]:
				tasks = append(tasks, s)
			case called[s.in.name] == nil:
				called[s.in.name] = s
			}
		}
		for _, of := range byFunction(tasks) {
			if err := m.region(k, of[0], of[0].in.around(firsts(of))); err != nil {
				return err
			}
		}
	}
	found := map[string]bool{}
	for k, u := range m.units {
		for _, f := range u.functions {
			if c.inside[f.name] {
				continue
			}
			for _, g := range f.calling(func(name string) bool { return called[name] != nil }) {
				n := g.inner[g.first]
				var task *site
				n.callsAny(func(name string) bool {
					if called[name] != nil {
						task, found[name] = called[name], true
					}
					return false
				})
				if f.inParallel(n) || m.inRegion(k, f, n) {
					continue
				}
				if err := m.region(k, task, &g); err != nil {
					return err
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(called)) {
		s := called[name]
		if !part && !c.team[name] && !c.reached(name, found) {
			return s.entry.At.Errorf("%s: no statement calls %s from outside of its tasks, so that a team could be made for them there; name statements that one thread executes with parallel and single", s.in.where(s.open), name)
		}
	}
	return nil
}

// inRegion reports whether a node of unit k is in a region that was made.
func (m *Marking) inRegion(k int, f *function, n *node) bool {
	at := f.place(n.begin)
	return slices.ContainsFunc(m.sites[k], func(s *site) bool {
		return s.made && s.in.begin.file.same(f.begin.file) && s.open <= at && at < s.close
	})
}

// region puts a region with a single construct around statements, for a task's sake.
func (m *Marking) region(k int, task *site, g *group) error {
	at := task.entry.At
	if g == nil {
		return at.Errorf("%s: the task is in no block that a team could execute; name one with parallel and single", task.in.where(task.open))
	}
	s, err := g.site(task.entry, kindOf("parallel"), at)
	if err != nil {
		return fmt.Errorf("%w; or name statements that one thread executes with parallel and single", err)
	}
	s.made = true
	if last := g.inner[g.last]; last.kind == "ReturnStmt" {
		return at.Errorf("%s: a team must be made for the tasks around this statement, which returns; keep the value in a variable and return that, or name statements with parallel and single", g.in.where(s.open))
	}
	return m.add(k, []*site{s})
}

// inParallel reports whether a node is in a region of the program.
func (f *function) inParallel(n *node) bool {
	in := false
	f.walk(func(c, _ *node) bool {
		in = in || strings.HasPrefix(c.kind, "OMPParallel") && c.has(n)
		return !in
	})
	return in
}

// calls are those between the functions of a program, as far as names tell them.
type calls struct {
	from map[string][]string
	// inside are functions that are called by those that make tasks, team those that are
	// called in regions of the program; both at any depth.
	inside, team map[string]bool
}

func newCalls(m *Marking) *calls {
	c := &calls{map[string][]string{}, map[string]bool{}, map[string]bool{}}
	var teams []string
	for _, u := range m.units {
		for _, f := range u.functions {
			f.walk(func(n, _ *node) bool {
				if name := n.callee(); name != "" && !slices.Contains(c.from[f.name], name) {
					c.from[f.name] = append(c.from[f.name], name)
				}
				if strings.HasPrefix(n.kind, "OMPParallel") {
					n.callsAny(func(called string) bool { teams = append(teams, called); return false })
				}
				return true
			})
		}
	}
	for _, name := range teams {
		c.reach(name, c.team)
	}
	for _, sites := range m.sites {
		for _, s := range sites {
			if s.kind.key == "task" || s.kind.key == "taskloop" {
				for _, name := range c.from[s.in.name] {
					c.reach(name, c.inside)
				}
			}
		}
	}
	for name := range c.team {
		c.inside[name] = true
	}
	return c
}

// reach marks a function and all that it calls.
func (c *calls) reach(name string, seen map[string]bool) {
	if seen[name] {
		return
	}
	seen[name] = true
	for _, called := range c.from[name] {
		c.reach(called, seen)
	}
}

// reached reports whether a function is called, at any depth, by one of some that a region
// was found for.
func (c *calls) reached(name string, found map[string]bool) bool {
	seen := map[string]bool{}
	for from := range found {
		c.reach(from, seen)
	}
	return seen[name]
}
