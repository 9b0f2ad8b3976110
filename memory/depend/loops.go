package depend

// This file says whether the iterations of a loop could run at the same time.

import (
	"fmt"
	"slices"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
	"pathspan/memory"
)

// Verdict is what it takes for the iterations of a loop to run at the same time.
type Verdict string

// The verdicts, the easiest first.
const (
	Independent Verdict = "independent" // nothing
	Private     Verdict = "private"     // each thread gets some objects of its own, which iterations write before they read
	Reduction   Verdict = "reduction"   // threads combine what each computed
	Dependent   Verdict = "dependent"   // an iteration needs what another computed
	Unseen      Verdict = "unseen"      // nothing is recorded of the loop
)

var verdicts = []Verdict{Independent, Private, Reduction, Dependent}

// Loop is what is known of a loop's iterations.
type Loop struct {
	Verdict Verdict
	Private []Owned
	Reduces []Reduced
	// Reread are places whose value is kept for the next iteration, which could read it anew.
	Reread []Access
	Forbid []Conflict
	// Variables are those of the source that the optimiser keeps in registers; see [Depend.Variables].
	Variables []Variable
}

// Reduced is what iterations combine.
type Reduced struct {
	What string // object; "" for a variable in a register
	Op   string // as reduction clauses name it
	At   Access
}

// Conflict is a dependence that keeps iterations from running at the same time.
type Conflict struct {
	Depends  string // flow, anti or output
	Object   string // "" for a variable in a register
	From, To Access
	Times    uint64 // 0 for a register
}

func (l *Loop) worse(v Verdict) {
	if slices.Index(verdicts, v) > slices.Index(verdicts, l.Verdict) {
		l.Verdict = v
	}
}

// Add joins what is known of two copies of a loop.
func (l *Loop) Add(m Loop) {
	if m.Verdict == Unseen || l.Verdict == Unseen {
		if l.Verdict == Unseen {
			*l = m
		}
		return
	}
	l.worse(m.Verdict)
	for _, o := range m.Private {
		k := slices.IndexFunc(l.Private, func(x Owned) bool { return x.Object == o.Object })
		if k < 0 {
			l.Private = append(l.Private, o)
		} else if l.Private[k].Clause != "" && o.Clause != "private" { // what is right for both
			l.Private[k] = o
		}
	}
	l.Reduces = addNew(l.Reduces, m.Reduces)
	l.Reread = addNew(l.Reread, m.Reread)
	for _, c := range m.Forbid {
		k := slices.IndexFunc(l.Forbid, func(x Conflict) bool { x.Times = c.Times; return x == c })
		if k < 0 {
			l.Forbid = append(l.Forbid, c)
		} else {
			l.Forbid[k].Times += c.Times
		}
	}
}

func addNew[T comparable](list, more []T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// Loop says what is known of the loop of a function that has a header, and stands in some lines.
func (d *Depend) Loop(fn, header int, in Lines) Loop {
	at, ok := d.loops[[2]int{fn, header}]
	if !ok { // nothing in it accesses memory, or it is entered beside its header
		g := d.graphs(fn)
		if slices.ContainsFunc(g.Loops, func(l *flow.Loop) bool { return l.Header == header && l.Irreducible }) {
			return Loop{Verdict: Unseen}
		}
		at = -1
	}
	out := Loop{Verdict: Independent}
	through := map[int]bool{} // places of reductions that write what came so far
	for _, s := range d.scalars(fn, header) {
		where := d.at(fn, s.at, "")
		switch s.kind {
		case reread:
			out.Reread = append(out.Reread, where)
		case reduction:
			out.worse(Reduction)
			out.Reduces = addNew(out.Reduces, []Reduced{{Op: s.op, At: where}})
			for _, st := range s.stores {
				if p := d.placeAt(fn, st); p >= 0 {
					through[p] = true
				}
			}
		case recurrence:
			out.worse(Dependent)
			out.Forbid = append(out.Forbid, Conflict{Depends: "flow", From: where, To: where})
		}
	}
	byObject := map[int][]*memory.Carried{}
	var objects []int
	for i := range d.data.Carried {
		if c := &d.data.Carried[i]; ok && c.Loop == at {
			if byObject[c.Object] == nil {
				objects = append(objects, c.Object)
			}
			byObject[c.Object] = append(byObject[c.Object], c)
		}
	}
	slices.Sort(objects)
	for _, o := range objects {
		d.object(&out, fn, at, o, byObject[o], through, in)
	}
	return out
}

// object adds what iterations leave to each other in one object.
func (d *Depend) object(out *Loop, fn, loop, object int, list []*memory.Carried, through map[int]bool, in Lines) {
	flows, writes := false, true
	for _, c := range list {
		flows = flows || c.Kind == memory.FlowDependence
		writes = writes && through[c.From.Place] && through[c.To.Place]
	}
	name := d.names.Object(object)
	switch {
	case writes: // the sum that a register holds
		return
	case flows && d.counterOf(loop, list):
		return
	case flows:
		if op, ok := d.accumulates(loop, object, list); ok {
			out.worse(Reduction)
			out.Reduces = append(out.Reduces, Reduced{name, op, d.access(list[0].To)})
			return
		}
	case !d.outsideRead(loop, object, list):
		if own := d.owned(fn, loop, object, in); !own.Inside {
			out.worse(Private)
			out.Private = append(out.Private, own)
		}
		return
	}
	out.worse(Dependent)
	for _, c := range list {
		if flows && c.Kind != memory.FlowDependence {
			continue
		}
		out.Add(Loop{Verdict: Dependent, Forbid: []Conflict{{dependences[c.Kind], name, d.access(c.From), d.access(c.To), c.Times}}})
	}
}

// counterOf reports whether the object is a variable that counts the iterations, where code is
// not optimised: all that is carried is in the line of the loop's statement.
func (d *Depend) counterOf(loop int, list []*memory.Carried) bool {
	_, at := d.names.LoopAt(loop)
	for _, c := range list {
		if c.Kind != memory.FlowDependence {
			continue
		}
		if c.From.Place < 0 || d.data.Objects[c.Object].Kind != memory.Stack || d.data.Places[c.From.Place].Loc.Line != at.Line || d.data.Places[c.From.Place].Loop != loop {
			return false
		}
	}
	return true
}

// outsideRead reports whether iterations read of an object, before they or others overwrite it,
// what was there before the loop: who reads such is known to read what the loop writes, as it does
// so too, writes there itself, or another iteration writes it next. Elsewhere what is read may
// be what the loop leaves as it is.
func (d *Depend) outsideRead(loop, object int, list []*memory.Carried) bool {
	own := map[int]bool{} // places that read what the loop writes
	for _, c := range list {
		if c.Kind == memory.AntiDependence {
			own[c.From.Place] = true
		}
	}
	for i := range d.data.Writes {
		if w := &d.data.Writes[i]; w.Object == object && d.holds(loop, w.By) {
			own[w.By.Place] = true
		}
	}
	outside := map[int]bool{}
	for i := range d.data.Flows {
		f := &d.data.Flows[i]
		switch {
		case f.Object != object || !d.holds(loop, f.To):
		case d.holds(loop, f.From):
			own[f.To.Place] = true
		default:
			outside[f.To.Place] = true
		}
	}
	for p := range outside {
		if own[p] {
			return true
		}
	}
	return false
}

// holds reports whether code is executed in a loop: it stands there, or is called from there.
func (d *Depend) holds(loop int, w memory.Who) bool {
	if w.Place < 0 {
		return false
	}
	p := &d.data.Places[w.Place]
	return d.inside(loop, p.Loop) || d.calledFrom(loop)[p.Func]
}

// inside reports whether a loop is executed in another, or is it.
func (d *Depend) inside(loop, inner int) bool {
	for l := inner; l >= 0; l = d.data.Loops[l].Parent {
		if l == loop || d.calledFrom(loop)[d.data.Loops[l].Func] {
			return true
		}
	}
	return false
}

// calledFrom tells the functions that a loop leads to.
func (d *Depend) calledFrom(loop int) []bool {
	if r, ok := d.reached[loop]; ok {
		return r
	}
	l := &d.data.Loops[loop]
	reached := make([]bool, len(d.bundle.Program.Funcs))
	d.reached[loop] = reached
	for _, x := range d.graphs(l.Func).Loops {
		if x.Header != l.Header {
			continue
		}
		for _, b := range x.Blocks {
			for k, c := range d.bundle.Program.Funcs[l.Func].Blocks[b].Calls() {
				d.follow(reached, d.callees(l.Func, b, k, c))
			}
		}
	}
	return reached
}

// callees are functions that a call may lead to at once, those that it passes among them; -1 for what is not the program's.
func (d *Depend) callees(fn, block, instr int, c *ir.Call) []int {
	out := append([]int{c.Callee}, c.FuncArgs...)
	for _, t := range d.bundle.Targets {
		if c.Indirect && t.Func == fn && t.Block == block && t.Instr == instr {
			out = append(out, t.Target)
		}
	}
	return out
}

// follow marks functions, and those that they lead to.
func (d *Depend) follow(reached []bool, fns []int) {
	for len(fns) > 0 {
		fn := fns[0]
		if fns = fns[1:]; fn < 0 || reached[fn] {
			continue
		}
		reached[fn] = true
		for b, block := range d.bundle.Program.Funcs[fn].Blocks {
			for k, c := range block.Calls() {
				fns = append(fns, d.callees(fn, b, k, c)...)
			}
		}
	}
}

// accumulates reports whether all that iterations do with what others left in an object is to
// combine it with something, and how.
func (d *Depend) accumulates(loop, object int, list []*memory.Carried) (op string, ok bool) {
	places := map[int]bool{}
	for _, c := range list {
		if c.From.Place < 0 || c.To.Place < 0 {
			return "", false
		}
		places[c.From.Place], places[c.To.Place] = true, true
	}
	for p := range places {
		how, is := d.combines(p)
		if !is || op != "" && how != op {
			return "", false
		}
		op = how
	}
	// Each adds as often as it reads, and nobody else in the loop looks at what it wrote.
	read, written := map[int]uint64{}, map[int]uint64{}
	for i := range d.data.Flows {
		f := &d.data.Flows[i]
		if f.Object != object || !d.holds(loop, f.To) {
			continue
		}
		if places[f.To.Place] {
			if f.From.Place >= 0 && !places[f.From.Place] && d.holds(loop, f.From) {
				return "", false // it combines what others in the loop wrote
			}
			read[f.To.Place] += f.Bytes
		} else if f.From.Place >= 0 && places[f.From.Place] {
			return "", false
		}
	}
	for i := range d.data.Writes {
		if w := &d.data.Writes[i]; w.Object == object && places[w.By.Place] {
			written[w.By.Place] += w.Bytes
		}
	}
	for p := range places {
		if read[p] != written[p] {
			return "", false
		}
	}
	return op, op != ""
}

// combines reports whether what a place writes is what it read there, combined with something.
func (d *Depend) combines(place int) (op string, ok bool) {
	p := &d.data.Places[place]
	v := d.module.of(p.Func)
	if v == nil {
		return "", false
	}
	f := d.bundle.Program.Funcs[p.Func]
	l := &loopValues{values: v, in: slices.Repeat([]bool{true}, len(v.blocks)), header: -1}
	for _, b := range v.blocks {
		for _, in := range b.Instrs {
			n, known := v.index[in]
			if in.Op() != "store" || !known {
				continue
			}
			view := &f.Blocks[v.block[in]].Instrs[n]
			if view.Loc.File != p.Loc.File || view.Loc.Line != p.Loc.Line {
				continue
			}
			how, is := l.combined(in)
			if !is || op != "" && how != op {
				return "", false
			}
			op = how
		}
	}
	return op, op != ""
}

// combined reports whether a store writes what was loaded from where it writes, combined with
// something, and nothing else is made of what was loaded.
func (l *loopValues) combined(store *asm.Instr) (string, bool) {
	to := store.Operands()[1].Value
	var load *asm.Instr
	seen := map[string]bool{}
	var find func(value string)
	find = func(value string) {
		in := l.inside(value)
		if in == nil || seen[value] {
			return
		}
		seen[value] = true
		if in.Op() == "load" {
			if in.Operands()[0].Value == to && l.block[in] == l.block[store] {
				load = in
			}
			return
		}
		for _, u := range in.Uses() {
			find("%" + u)
		}
	}
	find(store.Operands()[0].Value)
	if load == nil {
		return "", false
	}
	chain, order := l.follow(load)
	s := l.reduces(load, chain, order, store)
	return s.op, s.kind == reduction
}

// placeAt is the place of an instruction, -1 for none.
func (d *Depend) placeAt(fn int, at [2]int) int {
	in := &d.bundle.Program.Funcs[fn].Blocks[at[0]].Instrs[at[1]]
	return slices.IndexFunc(d.data.Places, func(p memory.Place) bool {
		return p.Func == fn && p.Loc.File == in.Loc.File && p.Loc.Line == in.Loc.Line
	})
}

// String is "file:line function".
func (a Access) String() string {
	if a.Line == 0 {
		return a.Function
	}
	return fmt.Sprintf("%s:%d", a.File, a.Line)
}
