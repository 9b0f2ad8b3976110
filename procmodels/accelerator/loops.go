package accelerator

// This file decides how loops are executed, and holds what the file gives of them to what the
// program allows.

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// looped is how a loop is executed.
type looped struct {
	loop      *flow.Loop
	given     *given // nil: nothing is
	name      string // FILE:LINE
	apart     bool   // its own blocks are scheduled one by one
	flatten   bool
	topTested bool
	// first is what entering it costs with its first iteration, each what every further one
	// does; drain is what of first is no iteration's.
	first, each, drain float64
	least, most        float64 // latency of an iteration with all inside, where it is known
	pipelined          bool
}

// The bodies that pipelines are made of: what waits for what grows with the square of accesses.
const (
	mostNodes    = 4000
	mostAccesses = 256
)

// place says where a loop of the source stands.
func place(p *ir.Program, f *ir.Func, l *flow.Loop) string {
	at := ir.Loc{File: -1}
	for _, e := range l.Latches {
		if i := slices.IndexFunc(f.Loops, func(x ir.LoopLines) bool { return x.Block == e.From }); i >= 0 {
			at = f.Loops[i].Loc
			break
		}
		if b := f.Blocks[e.From]; len(b.Instrs) > 0 {
			at = b.Terminator().Loc
		}
	}
	if at.File < 0 || at.File >= len(p.Files) {
		return f.Name
	}
	return fmt.Sprintf("%s:%d", p.Files[at.File], at.Line)
}

// named reports whether a file's name of a loop, app.c:12, is that of a place.
func named(name, place string) bool {
	return place == name || strings.HasSuffix(place, "/"+strings.TrimPrefix(name, "./"))
}

// known refuses what the file gives of loops and functions that the program does not have.
func (p *pricer) known() error {
	if len(p.m.loops) == 0 && len(p.m.funcs) == 0 {
		return nil
	}
	var places []string
	for _, f := range p.p.Funcs {
		for _, l := range flow.AnalyzeForward(f).Loops {
			places = append(places, place(p.p, f, l))
		}
	}
	for i := range p.m.loops {
		g := &p.m.loops[i]
		if !slices.ContainsFunc(places, func(at string) bool { return named(g.name, at) }) {
			return g.at.Errorf("the program has no loop at %s: %s", g.name, listed(places, "it has none at all", "its loops are at "))
		}
	}
	for i := range p.m.funcs {
		g := &p.m.funcs[i]
		if !slices.ContainsFunc(p.p.Funcs, func(f *ir.Func) bool { return f.Source == g.name || f.Name == g.name }) {
			return g.at.Errorf("the program has no function %s", g.name)
		}
	}
	return nil
}

// listed names the first of some places.
func listed(places []string, none, some string) string {
	for i := range places {
		places[i] = path.Base(places[i])
	}
	slices.Sort(places)
	places = slices.Compact(places)
	if len(places) == 0 {
		return none
	}
	const most = 8
	if len(places) > most {
		return fmt.Sprintf("%s%s and %d more", some, strings.Join(places[:most], ", "), len(places)-most)
	}
	return some + strings.Join(places, ", ")
}

// plan decides how a loop is executed. Loops around it were planned before, those inside were not.
func (r *priced) plan(l *flow.Loop) (*looped, error) {
	pl := &looped{loop: l, name: place(r.p, r.f, l), apart: true}
	for i := range r.m.loops {
		if named(r.m.loops[i].name, pl.name) {
			pl.given = &r.m.loops[i]
		}
	}
	pl.topTested = r.topTested(l)
	why := r.sequential(l)
	if pl.given != nil && pl.given.fromReport && why != "" {
		r.assumes[l.Header].add("loop at "+path.Base(pl.name)+": what the report says is not used: "+why, 0)
		pl.given = nil
	}
	switch {
	case r.within(l) || pl.given != nil && pl.given.gone:
		pl.given, pl.apart = &given{gone: true}, false
		return pl, nil
	case pl.given != nil && pl.given.absorbs:
		pl.apart, pl.pipelined = false, true
		pl.set(pl.given.latency.most, pl.given.ii/float64(pl.given.unroll))
		return pl, nil
	case len(l.Children) > 0 && why == "":
		return pl, r.nest(pl)
	case why != "" || pl.given != nil && !pl.given.pipeline:
		return pl, r.oneByOne(pl, why)
	}
	return pl, r.pipeline(pl)
}

// within reports whether a loop is unrolled whole in one around it.
func (r *priced) within(l *flow.Loop) bool {
	return l.Parent >= 0 && r.loops[l.Parent].given != nil && (r.loops[l.Parent].given.gone || r.loops[l.Parent].given.absorbs)
}

// topTested reports whether a loop is left at its header and nowhere at its end, where blocks
// that only lead on do not count.
func (r *priced) topTested(l *flow.Loop) bool {
	exits := make([]bool, len(r.f.Blocks))
	for _, e := range l.Exits {
		exits[e.From] = true
	}
	if !exits[l.Header] {
		return false
	}
	for _, e := range l.Latches {
		end := e.From
		for len(r.f.Blocks[end].Instrs) == 1 && len(r.c.Preds[end]) == 1 && end != l.Header {
			end = r.c.Preds[end][0].From
		}
		if exits[end] {
			return false
		}
	}
	return true
}

// sequential says why a loop cannot be one pipeline, nor around one whose latency is known; "" where it can.
func (r *priced) sequential(l *flow.Loop) string {
	if l.Irreducible {
		return "it is entered at several places"
	}
	nodes, accesses := 0, 0
	for _, bi := range l.Blocks {
		if r.c.LoopOf[bi] != l.Index {
			continue
		}
		b := r.f.Blocks[bi]
		if b.Tells() {
			return "marks of parallel code are in it"
		}
		if callee := calls(b); callee != "" {
			return "it calls " + callee
		}
		nodes += len(b.Instrs)
		for i := range b.Instrs {
			if _, ok := r.ops.Address(r.fi, bi, i); ok {
				accesses++
			}
		}
	}
	if nodes > mostNodes {
		return fmt.Sprintf("it has more than %d instructions", mostNodes)
	}
	if accesses > mostAccesses {
		return fmt.Sprintf("it has more than %d loads and stores", mostAccesses)
	}
	return ""
}

// oneByOne executes a loop's blocks one after the other.
func (r *priced) oneByOne(pl *looped, why string) error {
	g := pl.given
	if g == nil {
		return nil
	}
	switch {
	case why == "" && g.flatten:
		return g.at.Errorf("flatten of the loop at %s: no loop is inside of it", g.name)
	case why != "" && (g.ii > 0 || g.latency != nil || g.unroll > 1 || g.partition > 1 || g.flatten || !g.pipeline || g.transform != asWritten):
		return g.at.Errorf("the loop at %s is no pipeline: %s; leave it out", g.name, why)
	case g.latency != nil:
		pl.apart = false
		pl.first, pl.each = g.latency.most, g.latency.most
	}
	return nil
}

func (r *priced) pipeline(pl *looped) error {
	pl.apart, pl.pipelined = false, true
	head := &r.assumes[pl.loop.Header]
	var bc assumptions
	graph := r.graph(r.fi, pl.loop, 0, &bc)
	for _, a := range bc.list {
		head.add(a.Reason, 0) // its cycles are not the header's
	}
	g := pl.given
	if g == nil {
		g = &given{unroll: 1, partition: 1}
	}
	if g.flatten {
		return g.at.Errorf("flatten of the loop at %s: no loop is inside of it", g.name)
	}
	proven, around := graph.recurrence(false, 1)
	if g.transform != asWritten {
		if proven == 0 || !r.sum(graph, around) {
			return g.how.Errorf("the loop at %s is no sum over its iterations: %s goes from one to the next", g.name, cmp.Or(r.cycle(graph, around), "nothing"))
		}
		ii, il := r.transformed(graph, g, proven)
		if g.latency != nil {
			il = g.latency.most
		}
		pl.set(il, ii/float64(g.unroll))
		return nil
	}
	if g.ii > 0 && g.ii < float64(proven) && g.fromReport {
		head.add(fmt.Sprintf("loop at %s: ii %g is the report's, and with operators as the model has them an iteration waits %d cycles for what the one before computes (%s)", path.Base(pl.name), g.ii, proven, r.cycle(graph, around)), 0)
	} else if g.ii > 0 && g.ii < float64(proven) {
		return g.iiAt.Errorf("ii %g of the loop at %s: an iteration waits %d cycles for what the one before computes (%s): give %d or more", g.ii, g.name, proven, r.cycle(graph, around), proven)
	}
	ii, drawn := g.ii, (g.unroll-1)*proven // what iterations at once wait for each other
	waits, around := graph.recurrence(true, 1)
	switch {
	case ii > 0 && r.told != nil && ii < float64(waits):
		head.add(fmt.Sprintf("loop at %s: ii %g is given, and where iterations of the profiled run read what others wrote is %d (%s)", path.Base(pl.name), ii, waits, r.cycle(graph, around)), 0)
	case ii == 0:
		if graph.apart {
			head.add("loop at "+path.Base(pl.name)+": accesses to one array that cannot be compared are taken to meet in no other iteration, as they did in the profiled run", 0)
		}
		if graph.far {
			head.add("loop at "+path.Base(pl.name)+": accesses to one array that cannot be compared are taken to meet no nearer than they did in the profiled run, which proves nothing of others", 0)
		} else if waits > proven {
			head.add("loop at "+path.Base(pl.name)+": accesses to one array that cannot be compared are taken to meet", 0)
		}
		least, _ := graph.recurrence(true, g.unroll)
		ii = max(1, float64(least), r.needed(graph, g.unroll, g.partition))
		drawn = least - waits
	}
	il := max(1, r.schedule(graph)) + float64(drawn)
	if g.latency != nil {
		il = g.latency.most
	}
	pl.set(il, ii/float64(g.unroll))
	return nil
}

// set makes a pipeline of what the first iteration takes, and each further one.
func (l *looped) set(first, each float64) {
	l.first, l.each, l.least, l.most = first, each, first, first
	l.drain = max(0, first-each)
}

// cycle names the operations that take time on the way around.
func (r *priced) cycle(g *graph, around []int) string {
	var names []string
	// It begins with what is first in the program's text, wherever it was found.
	first, least := 0, [2]int{math.MaxInt, 0}
	for k, i := range around {
		if i == start || g.nodes[i].latency == 0 {
			continue
		}
		if at := [2]int{g.nodes[i].block, g.nodes[i].instr}; slices.Compare(at[:], least[:]) < 0 {
			first, least = k, at
		}
	}
	for _, i := range slices.Concat(around[first:], around[:first]) {
		n := &g.nodes[i]
		if i == start || n.latency == 0 {
			continue
		}
		in := &r.f.Blocks[n.block].Instrs[n.instr]
		op := in.Op
		if in.Call != nil {
			op = in.Call.Name
		}
		if at := r.p.LocString(in.Loc); at != "" {
			op += " at " + path.Base(at)
		}
		names = append(names, fmt.Sprintf("%s %g", op, n.latency))
	}
	if len(names) > 6 {
		names = append(names[:6], "...")
	}
	return strings.Join(names, ", ")
}

// nest decides how a loop around others is executed: its blocks one by one, or as the file says.
func (r *priced) nest(pl *looped) error {
	g := pl.given
	if g == nil {
		return nil
	}
	switch {
	case g.ii > 0, g.unroll > 1, g.partition > 1, !g.pipeline, g.transform != asWritten:
		return g.at.Errorf("the loop at %s is around others and no pipeline: ii, unroll, partition, pipeline, sum and scan are for innermost ones", g.name)
	case g.flatten && len(pl.loop.Children) > 1:
		return g.at.Errorf("flatten of the loop at %s: %d loops are inside of it, which cannot be one pipeline", g.name, len(pl.loop.Children))
	case g.flatten && g.latency != nil:
		return g.latencyAt.Errorf("latency of the loop at %s: it is one pipeline with the loop inside of it; give the latency there", g.name)
	case g.latency != nil && r.m.trips == 0 && !g.fromReport:
		return g.latencyAt.Errorf("latency of the loop at %s, which is around others: say of how many iterations of these with trips, at the top of the file", g.name)
	case g.flatten:
		pl.flatten, pl.apart = true, false
	case g.latency != nil:
		pl.apart, pl.least, pl.most = false, g.latency.least, g.latency.most
	}
	return nil
}
