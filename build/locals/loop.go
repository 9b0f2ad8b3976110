package locals

// This file says what a loop does with a variable.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

type loop struct {
	m      *asm.Module
	fn     *function
	l      *flow.Loop
	in     []bool    // by block
	counts *variable // the variable of a for statement that counts its iterations; nil where none is known
	asked  map[*variable]bool
}

func newLoop(m *asm.Module, fn *function, l *flow.Loop) *loop {
	x := &loop{m: m, fn: fn, l: l, in: make([]bool, len(fn.f.Blocks)), asked: map[*variable]bool{}}
	for _, b := range l.Blocks {
		x.in[b] = true
	}
	if t := x.condition(); t != nil && t.Op() == "br" && len(t.Operands()) > 0 {
		fn.computedOf(t.Operands()[0].Value, func(v *variable) bool { x.asked[v] = true; return false }, 16)
	}
	for _, v := range fn.vars {
		if x.asked[v] && x.stepsBehind(v) {
			if x.counts != nil { // of two that go on, none counts by itself
				x.counts = nil
				break
			}
			x.counts = v
		}
	}
	return x
}

// condition is the branch that leads into the body of a for statement or out of it: not the first of the loop where the
// condition has branches of its own.
func (x *loop) condition() *asm.Instr {
	at := x.l.Header
	for _, e := range x.l.Exits {
		if slices.ContainsFunc(x.fn.cfg.Succs[e.From], func(b int) bool {
			return b < len(x.fn.f.Blocks) && strings.HasPrefix(x.fn.f.Blocks[b].Name(), "for.body")
		}) {
			at = e.From
		}
	}
	return x.fn.f.Blocks[at].Term()
}

// stepsBehind reports whether a variable changes where a for statement says so: behind the body.
func (x *loop) stepsBehind(v *variable) bool {
	some := false
	for _, latch := range x.l.Latches {
		if !strings.HasPrefix(x.fn.f.Blocks[latch.From].Name(), "for.inc") {
			return false
		}
		some = some || x.stores(v, latch.From)
	}
	return some
}

func (x *loop) stores(v *variable, block int) bool {
	return slices.ContainsFunc(v.uses[block], func(u use) bool { return u.store })
}

// is names what the loop does with a variable, "" where nothing is to be said of it:
//
//	private      each iteration writes it before it reads it, and nothing behind the loop reads it
//	lastprivate  the same, but that something behind reads what the last iteration wrote; the loop's own counter, too
//	left         something behind the loop reads it, which not every iteration writes
//	reduction OP all that iterations do is to combine it with something
//	linear STEP  it goes on by the same in each iteration, by a number or a variable that does not change
//	beside STEP  the same, in the for statement, beside the counter
//	goes         it goes on by the same in each iteration, by what has no name
//	counted      the loop's own counter, or what bounds it, which the body changes
//	condition    the loop's own counter, which its condition does not compare as it is
//	unset        the loop's own counter, which the for statement does not set (Mark reads that in its text)
//	carried      an iteration needs what another left in it
func (x *loop) is(v *variable) (is, detail string) {
	stores, inside, outside := 0, false, v.param
	for _, b := range x.l.Blocks {
		for _, u := range v.uses[b] {
			if u.store {
				stores++
			}
		}
	}
	for _, b := range v.begins {
		inside, outside = inside || x.in[b], outside || !x.in[b]
	}
	if stores == 0 || inside {
		return "", ""
	}
	exposed, whole := x.flow(v)
	behind := x.readBehind(v)
	switch {
	case v == x.counts:
		for _, b := range x.l.Blocks {
			if x.stores(v, b) && !slices.ContainsFunc(x.l.Latches, func(e flow.Edge) bool { return e.From == b }) {
				return "counted", ""
			}
		}
		if !x.bounded() {
			return "condition", ""
		}
		if behind && outside {
			return "lastprivate", ""
		}
		return "", ""
	case x.asked[v]:
		return "counted", ""
	}
	if op := x.combines(v, exposed, whole, behind); op != "" {
		return "reduction", op
	}
	switch {
	case exposed:
		step, is := x.step(v)
		switch {
		case step != "" && x.stepsBehind(v):
			return "beside", step
		case step != "":
			return "linear", step
		case is:
			return "goes", ""
		}
		return "carried", ""
	case !outside:
		return "", "" // where its life begins is not known: it may be the loop's own
	case !behind:
		return "private", ""
	case whole:
		return "lastprivate", ""
	}
	return "left", ""
}

// bounded reports whether the loop's condition compares its counter with something.
func (x *loop) bounded() bool {
	in := x.fn.made(x.condition().Operands()[0].Value)
	return in != nil && in.Op() == "icmp" && slices.ContainsFunc(in.Operands(), func(o asm.Operand) bool { return x.fn.loaded(x.fn.bare(o.Value)) == x.counts })
}

// flow reports whether an iteration may read what was there when it began, and whether each writes the variable.
func (x *loop) flow(v *variable) (exposed, whole bool) {
	known := map[int]bool{} // by block: written when it is left, on all ways; those that are not met are not asked
	for changed := true; changed; {
		changed = false
		for _, b := range x.l.Blocks {
			is := x.stores(v, b) || x.before(v, b, known)
			if old, met := known[b]; !met || old != is {
				known[b], changed = is, true
			}
		}
	}
	for _, b := range x.l.Blocks {
		if len(v.uses[b]) > 0 && !v.uses[b][0].store && !x.before(v, b, known) {
			exposed = true
		}
	}
	whole = true
	for _, latch := range x.l.Latches {
		whole = whole && known[latch.From]
	}
	return exposed, whole
}

func (x *loop) before(_ *variable, b int, known map[int]bool) bool {
	if b == x.l.Header {
		return false
	}
	for _, e := range x.fn.cfg.Preds[b] {
		if is, met := known[e.From]; x.in[e.From] && met && !is {
			return false
		}
	}
	return true
}

// readBehind reports whether something behind the loop may read what the loop left.
func (x *loop) readBehind(v *variable) bool {
	seen := map[int]bool{}
	var work []int
	for _, e := range x.l.Exits {
		work = append(work, x.fn.cfg.Target(e))
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || b >= len(v.uses) {
			continue
		}
		seen[b] = true
		if len(v.uses[b]) > 0 {
			if !v.uses[b][0].store {
				return true
			}
			continue
		}
		if slices.Contains(v.begins, b) {
			continue
		}
		work = append(work, x.fn.cfg.Succs[b]...)
	}
	return false
}

// step is by what a variable goes on in each iteration, on all ways through it: a number, or the name of a variable that
// the loop does not change. It reports true without a step where that is something else that does not change.
func (x *loop) step(v *variable) (string, bool) {
	if strings.HasPrefix(v.typ, "float") || v.typ == "double" || v.typ == "half" || v.typ == "bfloat" || v.typ == "x86_fp80" || v.typ == "fp128" {
		return "", false
	}
	sum := map[int]int64{} // by block: at its end
	named, stores := "", 0
	for _, b := range x.l.Blocks {
		first := true
		for _, e := range x.fn.cfg.Preds[b] {
			if s, met := sum[e.From]; b != x.l.Header && met && x.in[e.From] {
				if !first && s != sum[b] {
					return "", false
				}
				sum[b], first = s, false
			}
		}
		sum[b] += 0
		var load *asm.Instr // the last before a store
		for _, u := range v.uses[b] {
			if !u.store {
				load = u.in
				continue
			}
			by, from := x.goesOn(v, u.in)
			if by == "" || from != load {
				return "", false
			}
			stores++
			if n, err := strconv.ParseInt(by, 10, 64); err == nil {
				sum[b] += n
			} else {
				named = by
			}
			load = nil
		}
	}
	for _, b := range x.l.Blocks { // loops inside, and what leads back
		for _, e := range x.fn.cfg.Preds[b] {
			if b == x.l.Header || !x.in[e.From] {
				continue
			}
			before := sum[b]
			for _, u := range v.uses[b] {
				if u.store {
					by, _ := x.goesOn(v, u.in)
					n, _ := strconv.ParseInt(by, 10, 64)
					before -= n
				}
			}
			if sum[e.From] != before {
				return "", false
			}
		}
	}
	total := sum[x.l.Latches[0].From]
	for _, latch := range x.l.Latches {
		if sum[latch.From] != total {
			return "", false
		}
	}
	if named != "" {
		if at := x.storeOf(v); stores != 1 || x.fn.cfg.LoopOf[at] != x.l.Index || slices.ContainsFunc(x.l.Latches, func(e flow.Edge) bool { return !x.fn.cfg.Dominates(at, e.From) }) {
			return "", false
		}
		if named == "?" {
			return "", true
		}
		return named, true
	}
	return fmt.Sprint(total), true
}

func (x *loop) storeOf(v *variable) int {
	for _, b := range x.l.Blocks {
		if x.stores(v, b) {
			return b
		}
	}
	return -1
}

// goesOn says by what a store makes a variable go on from what a load read: a number, a variable, "?" for another value that
// does not change in the loop; "" for all else.
func (x *loop) goesOn(v *variable, store *asm.Instr) (by string, from *asm.Instr) {
	in := x.fn.made(x.fn.bare(store.Operands()[0].Value))
	if in == nil || in.Op() != "add" && in.Op() != "sub" && in.Op() != "getelementptr" || len(in.Operands()) != 2 {
		return "", nil
	}
	a, b := x.fn.bare(in.Operands()[0].Value), in.Operands()[1].Value
	if in.Op() == "add" && x.fn.loaded(a) != v {
		a, b = x.fn.bare(b), in.Operands()[0].Value
	}
	if x.fn.loaded(a) != v {
		return "", nil
	}
	from = x.fn.made(a)
	if n, err := strconv.ParseInt(b, 10, 64); err == nil {
		if in.Op() == "sub" {
			n = -n
		}
		return fmt.Sprint(n), from
	}
	b = x.fn.bare(b)
	if w := x.fn.loaded(b); w != nil && in.Op() != "sub" && !slices.ContainsFunc(x.l.Blocks, func(k int) bool { return x.stores(w, k) }) && identifier.MatchString(strings.TrimSuffix(w.name, ".addr")) {
		return strings.TrimSuffix(w.name, ".addr"), from
	}
	if x.invariant(b, 8) {
		return "?", from
	}
	return "", nil
}

// invariant reports whether a value is known to be the same in all iterations.
func (x *loop) invariant(value string, steps int) bool {
	in := x.fn.made(value)
	if in == nil || !x.in[x.fn.at[in][0]] {
		return true
	}
	if v := x.fn.loaded(value); v != nil {
		return !slices.ContainsFunc(x.l.Blocks, func(b int) bool { return x.stores(v, b) })
	}
	switch in.Op() {
	case "load", "call", "invoke", "phi", "alloca", "atomicrmw", "cmpxchg":
		return false
	}
	return steps > 0 && !slices.ContainsFunc(in.Operands(), func(o asm.Operand) bool { return !x.invariant(o.Value, steps-1) })
}

// lines lists where a loop writes a variable.
func (x *loop) lines(v *variable) string {
	var list []int
	for _, b := range x.l.Blocks {
		for _, u := range v.uses[b] {
			if n := x.m.Meta(u.in.Dbg()); u.store && n != nil {
				list = append(list, n.Int("line"))
			}
		}
	}
	slices.Sort(list)
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(slices.Compact(list)), " ", ","), "[]")
}
