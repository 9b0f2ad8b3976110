package openmp

// This file recognises sections constructs by their structure:
//
//	init:     call @__kmpc_for_static_init_4(ident, gtid, 34, last, lower, upper, stride, 1, 1)
//	          upper = min(upper, n-1); iv = lower
//	cond:     iv <= upper ? body : end
//	body:     switch iv, default exit, 0 -> section, 1 -> section, ...
//	section:  ... -> exit
//	exit:     -> inc
//	inc:      iv = iv + 1 -> cond
//	end:      call @__kmpc_for_static_fini(ident, gtid)

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

const (
	staticInit = "__kmpc_for_static_init_4"
	staticFini = "__kmpc_for_static_fini"
)

// construct is one worksharing construct of a function.
type construct struct {
	pos      position
	loop     *ir.Loop     // of a loop; what follows of dispatch loops is of sections
	ends     []*asm.Instr // of a loop: calls of staticFini; none where it ends at block end
	init     *asm.Instr   // call of the run-time library that begins it, in pre
	pre      *asm.Block
	cond     *asm.Block
	body     *asm.Block
	exit     *asm.Block // where sections leave to
	inc      *asm.Block
	end      *asm.Block // starts what follows the construct
	last     string     // the "is last iteration" variable, as spelled
	lastType string
	control  []string // names of the variables of the dispatch loop
	sections []section
	problem  string // why it cannot be taken apart, "" when it can
	noWait   bool
	reduces  bool
	begin    *asm.Block // of what one thread does alone
	whole    *asm.Func  // where all of a function is that
	single   bool       // what one thread does alone, while the others execute the tasks that it makes
}

// section is one section: the blocks reachable from entry without passing the
// construct's exit.
type section struct {
	entry *asm.Block // nil when the section is empty
	in    []bool     // by block index
	line  int
}

func sectionInits(m *asm.Module, f *asm.Func) []*asm.Instr {
	var out []*asm.Instr
	for in := range f.Instrs() {
		c := in.Call()
		if c != nil && c.Callee == staticInit && len(c.Args) == 9 && identAt(m, c.Args[0].Value).flags&flagSections != 0 {
			out = append(out, in)
		}
	}
	return out
}

// constructs returns the worksharing constructs of f in program order.
func constructs(m *asm.Module, f *asm.Func) []*construct {
	inits := sectionInits(m, f)
	g := newGraph(f)
	out := loops(m, g)
	for _, in := range inits {
		c := &construct{init: in, pre: in.Block(), pos: identAt(m, in.Call().Args[0].Value)}
		c.problem = c.recognise(m, g)
		if c.problem == "" {
			c.problem = c.extractable(g)
		}
		out = append(out, c)
	}
	for _, c := range out {
		waits, reduces := behind(m, g, c)
		c.noWait, c.reduces = !waits, reduces
	}
	out = append(out, singles(m, g)...)
	slices.SortStableFunc(out, func(a, b *construct) int {
		x, y := a.inBody(m), b.inBody(m)
		return cmp.Or(cmp.Compare(x.line, y.line), cmp.Compare(x.col, y.col))
	})
	return out
}

// inBody is where a construct stands in the text of its function: of one that [LayIn] brought
// there, where the function that holds it is called.
func (c *construct) inBody(m *asm.Module) position {
	at, outer := c.pos, m.Meta(c.init.Dbg())
	for range 1000 {
		if outer == nil || m.Meta(outer.Ref("inlinedAt")) == nil {
			break
		}
		outer = m.Meta(outer.Ref("inlinedAt"))
		at.line, at.col = outer.Int("line"), outer.Int("column")
	}
	return at
}

// recognise fills c and returns what is not as clang writes it.
func (c *construct) recognise(m *asm.Module, g *graph) string {
	const odd = "its dispatch loop is not of the form that clang writes"
	f := g.f
	args := c.init.Call().Args
	c.last, c.lastType = args[3].Value, args[3].Type
	for _, a := range args[4:7] {
		c.control = append(c.control, strings.TrimPrefix(a.Value, "%"))
	}
	// What follows in the block only clamps the bounds.
	var iv string
	after := c.pre.Instrs[c.pre.Index(c.init)+1:]
	for i, in := range after {
		switch in.Op() {
		case "load", "icmp", "select":
		case "store":
			iv = in.Operands()[1].Value
		case "br":
			if i != len(after)-1 || len(in.Succs()) != 1 {
				return odd
			}
			c.cond = f.Block(in.Succs()[0])
		default:
			if !in.IsDebug() {
				return odd
			}
		}
	}
	if c.cond == nil || iv == "" || c.cond.Term() == nil || len(c.cond.Succs()) != 2 {
		return odd
	}
	c.control = append(c.control, strings.TrimPrefix(iv, "%"))
	if !onlyOps(c.cond, "load", "icmp", "br") || !loadsFrom(c.cond, iv) {
		return odd
	}
	c.body, c.end = f.Block(c.cond.Succs()[0]), f.Block(c.cond.Succs()[1])
	if c.body == nil || c.end == nil || c.body == c.end || !onlyOps(c.body, "load", "switch") || !loadsFrom(c.body, iv) {
		return odd
	}
	sw := c.body.Term()
	if sw == nil || sw.Op() != "switch" {
		return odd
	}
	c.exit = f.Block(sw.Succs()[0])
	// The exit leads to the increment through blocks that do nothing else.
	for b, n := c.exit, 0; ; n++ {
		if b == nil || n > 8 || b.Term() == nil || len(b.Succs()) != 1 {
			return odd
		}
		if b.Succs()[0] == c.cond.Name() {
			c.inc = b
			break
		}
		if !onlyOps(b, "br") {
			return odd
		}
		b = f.Block(b.Succs()[0])
	}
	if !onlyOps(c.inc, "load", "add", "store", "br") || !loadsFrom(c.inc, iv) {
		return odd
	}
	cases := sw.Cases()
	entries := make([]*asm.Block, len(cases))
	for _, k := range cases {
		v := strings.Fields(k.Value)
		n, err := strconv.Atoi(v[len(v)-1])
		if err != nil || n < 0 || n >= len(cases) || entries[n] != nil {
			return odd
		}
		entries[n] = f.Block(k.Block)
		if entries[n] == nil {
			return odd
		}
	}
	if len(entries) == 0 {
		return odd
	}
	stop := g.index[c.exit]
	for _, e := range entries {
		s := section{entry: e, in: g.reach(g.index[e], stop)}
		if e == c.exit {
			s.entry = nil
		}
		s.line = firstLine(m, g, s)
		c.sections = append(c.sections, s)
	}
	return ""
}

func onlyOps(b *asm.Block, ops ...string) bool {
	return !slices.ContainsFunc(b.Instrs, func(in *asm.Instr) bool { return !in.IsDebug() && !slices.Contains(ops, in.Op()) })
}

// loadsFrom reports whether b loads from the address spelled ptr.
func loadsFrom(b *asm.Block, ptr string) bool {
	return slices.ContainsFunc(b.Instrs, func(in *asm.Instr) bool { return in.Op() == "load" && in.Operands()[0].Value == ptr })
}

// firstLine returns the source line of the first instruction of s that has one.
// Lifetime markers do not count: clang writes them for some levels only.
func firstLine(m *asm.Module, g *graph, s section) int {
	if s.entry == nil {
		return 0
	}
	order := []int{g.index[s.entry]}
	seen := map[int]bool{order[0]: true}
	for i := 0; i < len(order); i++ {
		b := order[i]
		for _, in := range g.f.Blocks[b].Instrs {
			if c := in.Call(); c != nil && strings.HasPrefix(c.Callee, "llvm.lifetime.") || in.Op() == "bitcast" {
				continue
			}
			if n := m.Meta(in.Dbg()); n != nil && n.Int("line") > 0 {
				return n.Int("line")
			}
		}
		for _, t := range g.succs[b] {
			if s.in[t] && !seen[t] {
				seen[t] = true
				order = append(order, t)
			}
		}
	}
	return 0
}

// extractable returns why the sections of c cannot become functions, "" when
// they can.
func (c *construct) extractable(g *graph) string {
	f := g.f
	const wayOut = "its section %d has another way out than its end (a cancellation, for example)"
	own := []*asm.Block{c.pre, c.cond, c.body, c.exit, c.inc, c.end}
	inside := make([]int, len(f.Blocks)) // in how many sections a block is
	for k, s := range c.sections {
		if s.entry == nil {
			continue
		}
		for _, b := range own {
			if s.in[g.index[b]] {
				return fmt.Sprintf(wayOut, k+1)
			}
		}
		if e := g.index[s.entry]; len(g.preds[e]) > 0 && s.entry.Instrs[0].Op() == "phi" {
			return fmt.Sprintf("its section %d starts with values that depend on the way in", k+1)
		}
		for i, in := range s.in {
			if in && f.Blocks[i].Term().Op() == "ret" {
				return fmt.Sprintf(wayOut, k+1)
			}
		}
		for i, in := range s.in {
			if !in {
				continue
			}
			inside[i]++
			if why := foreign(f.Blocks[i]); why != "" {
				return fmt.Sprintf("its section %d %s", k+1, why)
			}
		}
	}
	for k, s := range c.sections {
		if s.entry == nil {
			continue
		}
		if inside[g.index[s.entry]] != 1 {
			return fmt.Sprintf("its section %d is entered from another section", k+1)
		}
	}
	if c.exit.FirstNonPhi() > 0 || c.end.FirstNonPhi() > 0 && c.end.Instrs[0].Op() == "phi" || c.cond.Instrs[0].Op() == "phi" {
		return "values flow out of its sections other than through memory"
	}
	// Nothing computed by the dispatch loop may be used elsewhere.
	local := map[string]bool{}
	for _, in := range c.pre.Instrs[c.pre.Index(c.init):] {
		local[in.Result()] = true
	}
	for _, b := range []*asm.Block{c.cond, c.body, c.exit, c.inc} {
		for _, in := range b.Instrs {
			local[in.Result()] = true
		}
	}
	delete(local, "")
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Opaque() && !in.IsDebug() {
				return "it shares a function with an instruction that is not understood: " + in.Op()
			}
			if b == c.cond || b == c.body || b == c.exit || b == c.inc || b == c.pre || in.IsDebug() {
				continue
			}
			for _, u := range in.Uses() {
				if local[u] {
					return "values of its dispatch loop are used elsewhere"
				}
			}
		}
	}
	return ""
}

// foreign returns what keeps a block from moving to another function.
func foreign(b *asm.Block) string {
	for _, in := range b.Instrs {
		switch in.Op() {
		case "indirectbr", "resume":
			return "holds an " + in.Op() + " instruction, which cannot move to another function"
		}
		if in.IsDebug() {
			continue
		}
		if strings.Contains(in.Text(), "blockaddress(") {
			return "takes the address of a label, which cannot move to another function"
		}
		if c := in.Call(); c != nil && c.Callee == staticInit {
			return "holds a worksharing construct"
		}
	}
	return ""
}

// behind says what lies between c and the next construct: whether threads wait for each other, since
// a barrier is reached before another one begins, whichever way they take, though a loop of no
// iterations is passed by; and whether they combine what they reduced.
func behind(m *asm.Module, g *graph, c *construct) (waits, reduces bool) {
	end := c.end
	if len(c.ends) > 0 {
		end = c.ends[0].Block()
	}
	waits = true
	if end == nil {
		return waits, false
	}
	g.through([]int{g.index[end]}, func(in *asm.Instr) bool {
		call := in.Call()
		switch {
		case in.Op() == "ret":
			waits = false
		case call == nil || in == c.init:
		case isBarrier(call):
			return true
		case strings.HasPrefix(call.Callee, "__kmpc_reduce"):
			reduces = true
		case call.Callee == staticInit || loopBegin(m, call):
			waits = false
			return true
		}
		return false
	})
	return waits, reduces
}
