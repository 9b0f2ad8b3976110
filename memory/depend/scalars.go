package depend

// This file says what optimised code keeps in registers from one iteration of a loop to the
// next: the values that meet where its iterations begin.

import (
	"slices"
	"strings"

	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

// scalarKind is what a value is that an iteration leaves to the next.
type scalarKind uint8

const (
	counter    scalarKind = iota // it follows from how many iterations there were
	reread                       // it was read from memory, and could be read again
	reduction                    // all that iterations do is to combine it with something, in any order
	recurrence                   // an iteration needs what the one before computed
)

// scalar is a value that an iteration leaves to the next.
type scalar struct {
	kind scalarKind
	op   string // of a reduction, as a clause has it
	at   [2]int // block and instruction that compute it
	// stores are those of a reduction that write what was reduced so far to one place.
	stores [][2]int
	// shared says of a recurrence, or a reduction, that the loop found its first value in memory and
	// that it is written there: OpenMP's threads would share it.
	shared bool
}

// scalars lists what the iterations of a loop leave to each other in registers, but counters;
// nil where the module cannot be read.
func (d *Depend) scalars(fn, header int) []scalar {
	v := d.module.of(fn)
	g := d.graphs(fn)
	k := slices.IndexFunc(g.Loops, func(l *flow.Loop) bool { return l.Header == header })
	if v == nil || k < 0 {
		return nil
	}
	in := make([]bool, len(v.blocks))
	for _, b := range g.Loops[k].Blocks {
		in[b] = true
	}
	l := &loopValues{values: v, in: in, header: header}
	var out []scalar
	for _, phi := range v.blocks[header].Instrs {
		if phi.Op() != "phi" {
			continue
		}
		if s := l.scalar(phi); s.kind != counter {
			out = append(out, s)
		}
	}
	return out
}

type loopValues struct {
	*values
	in     []bool // by block: of the loop
	header int
}

// inside returns the instruction of the loop that defines a value, nil for others.
func (l *loopValues) inside(value string) *asm.Instr {
	if in := l.def[strings.TrimPrefix(value, "%")]; in != nil && strings.HasPrefix(value, "%") && l.in[l.block[in]] {
		return in
	}
	return nil
}

// next and first list what a header's phi is in the next iteration, and in the first.
func (l *loopValues) split(phi *asm.Instr) (next, first []string) {
	for _, p := range phi.Phi() {
		if b, ok := l.name[p.Block]; ok && l.in[b] {
			next = append(next, p.Value)
		} else {
			first = append(first, p.Value)
		}
	}
	return next, first
}

func (l *loopValues) scalar(phi *asm.Instr) scalar {
	next, first := l.split(phi)
	if !slices.ContainsFunc(l.users[phi.Result()], func(u *asm.Instr) bool { return l.in[l.block[u]] }) {
		return scalar{kind: counter} // of interest behind the loop alone
	}
	counts := true
	for _, n := range next {
		counts = counts && l.counts(phi, n, 0)
	}
	if counts {
		// What it began with may be what an iteration before the loop's first would have written.
		if l.written(phi) && slices.ContainsFunc(first, l.element) {
			return scalar{kind: recurrence, at: [2]int{l.block[phi], l.index[phi]}, shared: true}
		}
		return scalar{kind: counter}
	}
	chain, order := l.follow(phi)
	at := func(in *asm.Instr) [2]int { return [2]int{l.block[in], l.index[in]} }
	depends := slices.ContainsFunc(next, func(n string) bool { in := l.inside(n); return in != nil && (in == phi || chain[in]) })
	if !depends {
		// The value is not computed of what it was before.
		s := scalar{kind: recurrence}
		for _, n := range next {
			in := l.inside(n)
			if in == nil {
				return scalar{kind: counter} // the same in all iterations but the first
			}
			s.at = at(in)
			if in.Op() == "load" {
				s.kind = reread
			}
		}
		if l.computed(next) {
			s.kind = counter
		}
		s.shared = s.kind == recurrence && l.kept(first, next, nil)
		return s
	}
	s := l.reduces(phi, chain, order, nil)
	for _, n := range next {
		if in := l.inside(n); in != nil && in != phi {
			s.at = at(in)
			if in.Op() == "phi" { // which says nothing of where it was computed
				for _, c := range order {
					if c.Op() != "phi" {
						s.at = at(c)
					}
				}
			}
		}
	}
	s.shared = s.kind >= reduction && l.kept(first, next, order)
	return s
}

// kept reports whether a value comes from memory before the loop, and goes there: as it is
// computed, or behind the loop.
func (l *loopValues) kept(first, next []string, order []*asm.Instr) bool {
	for _, n := range next {
		if in := l.inside(n); in != nil {
			order = append(order[:len(order):len(order)], in)
		}
	}
	return l.stored(order) && slices.ContainsFunc(first, func(f string) bool {
		return slices.ContainsFunc(l.loaded(f), func(in *asm.Instr) bool { return !l.own(in) })
	})
}

// own reports whether a load is of what each thread has for itself by a reduction clause: its address is in the list of those that
// the library is to combine.
func (l *loopValues) own(load *asm.Instr) bool {
	variable := load.Operands()[0].Value
	for _, in := range l.users[strings.TrimPrefix(variable, "%")] {
		if in.Op() != "store" || in.Operands()[0].Value != variable {
			continue
		}
		list := strings.TrimPrefix(in.Operands()[1].Value, "%")
		if at := l.def[list]; at != nil && at.Op() == "getelementptr" {
			list = strings.TrimPrefix(at.Operands()[0].Value, "%")
		}
		if slices.ContainsFunc(l.users[list], func(u *asm.Instr) bool {
			return u.Call() != nil && strings.HasPrefix(u.Call().Callee, "__kmpc_reduce")
		}) {
			return true
		}
	}
	return false
}

// counts reports whether a value is the phi plus what does not change in the loop.
func (l *loopValues) counts(phi *asm.Instr, value string, depth int) bool {
	in := l.inside(value)
	if in == phi {
		return true
	}
	if in == nil || depth > 64 {
		return in == nil
	}
	switch in.Op() {
	case "add", "sub", "getelementptr", "or", "trunc", "sext", "zext", "freeze":
	default:
		return false
	}
	led := false
	for _, o := range in.Operands() {
		x := l.inside(o.Value)
		if x == nil {
			continue
		}
		if led || !l.counts(phi, o.Value, depth+1) {
			return false
		}
		led = true
	}
	return led
}

// computed reports whether values follow from counters alone.
func (l *loopValues) computed(list []string) bool {
	seen := map[string]bool{}
	var ok func(value string) bool
	ok = func(value string) bool {
		in := l.inside(value)
		if in == nil || seen[value] {
			return true
		}
		seen[value] = true
		switch in.Op() {
		case "load", "call", "invoke", "atomicrmw", "cmpxchg":
			return false
		case "phi":
			if l.block[in] != l.header {
				break
			}
			next, _ := l.split(in)
			return !slices.ContainsFunc(next, func(n string) bool { return !l.counts(in, n, 0) })
		}
		return !slices.ContainsFunc(in.Uses(), func(u string) bool { return !ok("%" + u) })
	}
	return !slices.ContainsFunc(list, func(v string) bool { return !ok(v) })
}

// follow finds what is computed of a phi within an iteration, in the order in which it is met.
func (l *loopValues) follow(phi *asm.Instr) (map[*asm.Instr]bool, []*asm.Instr) {
	chain := map[*asm.Instr]bool{}
	var order []*asm.Instr
	work := []*asm.Instr{phi}
	for len(work) > 0 {
		x := work[0]
		work = work[1:]
		if x.Result() == "" {
			continue
		}
		for _, u := range l.users[x.Result()] {
			if u == phi || chain[u] || !l.in[l.block[u]] || u.Op() == "phi" && l.block[u] == l.header || u.IsDebug() {
				continue
			}
			chain[u] = true
			order = append(order, u)
			work = append(work, u)
		}
	}
	return chain, order
}

// combining are operations whose order does not matter, as reduction clauses name them. That of
// floating-point numbers matters for rounding, which clauses accept.
var combining = map[string]string{"add": "+", "fadd": "+", "sub": "+", "fsub": "+", "mul": "*", "fmul": "*", "and": "&", "or": "|", "xor": "^"}

var combiningCalls = []struct{ prefix, op string }{
	{"llvm.smax.", "max"}, {"llvm.umax.", "max"}, {"llvm.maxnum.", "max"}, {"llvm.maximum.", "max"}, {"fmax", "max"},
	{"llvm.smin.", "min"}, {"llvm.umin.", "min"}, {"llvm.minnum.", "min"}, {"llvm.minimum.", "min"}, {"fmin", "min"}, {"llvm.fmuladd.", "+"},
}

// reduces says whether all that is computed of a phi is one reduction of it: each operation
// combines what came so far, once, with something else, and nothing else looks at it but a store
// that is told, and stores to one place.
func (l *loopValues) reduces(phi *asm.Instr, chain map[*asm.Instr]bool, order []*asm.Instr, into *asm.Instr) scalar {
	none := scalar{kind: recurrence}
	s := scalar{kind: reduction}
	truth := false // something is asked that is for && and || alone
	of := func(value string) bool { in := l.inside(value); return in != nil && (in == phi || chain[in]) }
	is := func(op string) bool {
		if s.op == "" {
			s.op = op
		}
		return s.op == op
	}
	for _, in := range order {
		ops := in.Operands()
		n := 0
		for _, o := range ops {
			if of(o.Value) {
				n++
			}
		}
		c := in.Call()
		switch {
		case combining[in.Op()] != "":
			if n != 1 || (in.Op() == "sub" || in.Op() == "fsub") && !of(ops[0].Value) || !is(combining[in.Op()]) {
				return none
			}
		case c != nil:
			k := slices.IndexFunc(combiningCalls, func(x struct{ prefix, op string }) bool { return strings.HasPrefix(c.Callee, x.prefix) })
			if k < 0 || n != 1 || !is(combiningCalls[k].op) || combiningCalls[k].prefix == "llvm.fmuladd." && !of(ops[len(ops)-1].Value) {
				return none
			}
		case in.Op() == "phi":
			if n != len(in.Phi()) { // where ways through an iteration meet: what came so far, on each
				return none
			}
		case in.Op() == "select" && logical(ops, of) != "":
			if !is(logical(ops, of)) {
				return none
			}
		case in.Op() == "select":
			if of(ops[1].Value) && of(ops[2].Value) {
				if of(ops[0].Value) {
					return none
				}
				continue
			}
			if !l.extreme(in) || !is("min or max") {
				return none
			}
		case in == into:
		case in.Op() == "freeze":
		case in.Op() == "zext" || in.Op() == "trunc", strings.HasSuffix(in.Op(), "cmp") && slices.ContainsFunc(ops, func(o asm.Operand) bool { return o.Value == "0" }):
			truth = true
		case in.Op() == "icmp" || in.Op() == "fcmp":
			// of a minimum or a maximum: it chooses between what it compares
			if slices.ContainsFunc(l.users[in.Result()], func(u *asm.Instr) bool { return !u.IsDebug() && (u.Op() != "select" || !l.extreme(u)) }) {
				return none
			}
		case in.Op() == "store":
			if of(ops[1].Value) || l.inside(ops[1].Value) != nil {
				return none
			}
			s.stores = append(s.stores, [2]int{l.block[in], l.index[in]})
		default:
			return none
		}
	}
	if s.op == "" || truth && s.op != "&&" && s.op != "||" {
		return none
	}
	return s
}

// logical names what a select does that stands for && or ||: one of its operands came so far.
func logical(ops []asm.Operand, of func(value string) bool) string {
	n := 0
	for _, o := range ops {
		if of(o.Value) {
			n++
		}
	}
	switch {
	case n != 1 || len(ops) != 3 || ops[1].Type != "i1":
		return ""
	case ops[2].Value == "false" && !of(ops[2].Value):
		return "&&"
	case ops[1].Value == "true" && !of(ops[1].Value):
		return "||"
	}
	return ""
}

// extreme reports whether a select chooses between two values by comparing them.
func (l *loopValues) extreme(in *asm.Instr) bool {
	if in.Op() != "select" {
		return false
	}
	ops := in.Operands()
	c := l.inside(ops[0].Value)
	if c == nil || c.Op() != "icmp" && c.Op() != "fcmp" {
		return false
	}
	cmp := c.Operands()
	x, y := cmp[0].Value, cmp[1].Value
	return x == ops[1].Value && y == ops[2].Value || x == ops[2].Value && y == ops[1].Value
}

// stored reports whether one of the values is written to memory.
func (l *loopValues) stored(order []*asm.Instr) bool {
	for _, in := range order {
		if in.Op() == "store" {
			return true
		}
		seen := map[*asm.Instr]bool{in: true}
		for work := []*asm.Instr{in}; len(work) > 0 && in.Result() != ""; work = work[1:] {
			x := work[0]
			for _, u := range l.users[x.Result()] {
				if x == in && l.in[l.block[u]] || seen[u] {
					continue
				}
				seen[u] = true
				switch of := u.Operands(); {
				case u.Op() == "store":
					if of[0].Value == "%"+x.Result() {
						return true
					}
				case u.Op() == "phi" && x == in, len(of) > 0 && strings.HasPrefix(of[0].Type, "<"): // behind the loop; parts of a vector that become one
					work = append(work, u)
				}
			}
		}
	}
	return false
}

// written reports whether a counter is written to memory, or what is computed of it and constants.
func (l *loopValues) written(phi *asm.Instr) bool {
	seen := map[*asm.Instr]bool{phi: true}
	for work := []*asm.Instr{phi}; len(work) > 0; work = work[1:] {
		x := work[0]
		for _, u := range l.users[x.Result()] {
			switch u.Op() {
			case "store":
				if u.Operands()[0].Value == "%"+x.Result() {
					return true
				}
			case "add", "sub", "trunc", "sext", "zext":
				if l.in[l.block[u]] && !seen[u] {
					seen[u] = true
					work = append(work, u)
				}
			}
		}
	}
	return false
}

// loaded returns the reads of memory before the loop that a value is one of, by way of phis.
func (l *loopValues) loaded(value string) []*asm.Instr {
	var out []*asm.Instr
	seen := map[string]bool{}
	for work := []string{value}; len(work) > 0; work = work[1:] {
		in := l.def[strings.TrimPrefix(work[0], "%")]
		if in == nil || !strings.HasPrefix(work[0], "%") || seen[work[0]] {
			continue
		}
		seen[work[0]] = true
		switch in.Op() {
		case "load":
			out = append(out, in)
		case "phi":
			for _, p := range in.Phi() {
				work = append(work, p.Value)
			}
		case "insertelement": // into a vector, of which the rest combines with nothing
			work = append(work, in.Operands()[1].Value)
		}
	}
	return out
}

// element reports whether a value from before the loop was read from an array, or from a global.
func (l *loopValues) element(value string) bool {
	return slices.ContainsFunc(l.loaded(value), func(in *asm.Instr) bool {
		from := in.Operands()[0].Value
		at := l.def[strings.TrimPrefix(from, "%")]
		return strings.HasPrefix(from, "@") || at != nil && at.Op() == "getelementptr"
	})
}
