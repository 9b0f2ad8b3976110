package shim

// This file prices instructions by a component's figures.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
)

// Names of functions that are not in the program that runs on the target: what
// delimits regions and sections, and the OpenMP runtime, whose work is in the
// platform's overheads.
var noCall = []string{"__pathspan", "__kmpc_"}

// noCode holds intrinsics, without "llvm." and types, that leave no instruction.
var noCode = []string{
	"dbg.", "lifetime.", "invariant.", "experimental.noalias.scope.decl", "assume", "expect", "annotation",
	"ptr.annotation", "var.annotation", "launder.invariant.group", "strip.invariant.group", "is.constant",
	"objectsize", "donothing", "sideeffect", "pseudoprobe",
}

// madeOf gives intrinsics that few instructions stand for.
var madeOf = map[string][]string{
	"fmuladd": {"fmul", "fadd"}, "fma": {"fmul", "fadd"},
	"smax": {"icmp", "select"}, "smin": {"icmp", "select"}, "umax": {"icmp", "select"}, "umin": {"icmp", "select"},
	"maxnum": {"fcmp", "select"}, "minnum": {"fcmp", "select"},
	"abs": {"sub", "icmp", "select"}, "fabs": {"and"}, "copysign": {"and", "and", "or"},
	"sadd": {"add", "icmp"}, "uadd": {"add", "icmp"}, "ssub": {"sub", "icmp"}, "usub": {"sub", "icmp"},
	"smul": {"mul", "icmp"}, "umul": {"mul", "icmp"},
	"fshl": {"shl", "lshr", "or"}, "fshr": {"shl", "lshr", "or"},
}

// standsFor names the opcode whose figure counts where one has none. SHIM files list
// the opcodes of LLVM 3, when fneg was an fsub from -0.0.
var standsFor = map[string]string{
	"invoke": "call", "callbr": "call", "fneg": "fsub", "freeze": "bitcast",
	"addrspacecast": "bitcast", "ptrtoaddr": "ptrtoint",
}

// byOutput holds the opcodes whose type, in ir.Instr, is that of the result and not
// of the operands.
var byOutput = []string{
	"load", "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp",
	"ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast",
}

// price is the cost of one instruction; with a reason, the part defaulted of it rests
// on a default. Prices are shared and never changed.
type price struct {
	cycles, defaulted float64
	reason            string
	varies            []procmodels.Variation
}

// guess is the price with all of it resting on a default.
func (p price) guess(format string, args ...any) price {
	p.defaulted, p.reason = p.cycles, fmt.Sprintf(format, args...)
	return p
}

func guess(cycles float64, format string, args ...any) price {
	return price{cycles: cycles}.guess(format, args...)
}

// plus adds the figures of two prices; the first reason stays.
func (p price) plus(q price) price {
	sum := price{p.cycles + q.cycles, p.defaulted + q.defaulted, cmp.Or(p.reason, q.reason), p.varies}
	if len(q.varies) > 0 {
		sum.varies = append(slices.Clip(sum.varies), q.varies...)
	}
	return sum
}

// pricer builds the costs of one program.
type pricer struct {
	t       *model
	costs   *procmodels.Costs
	reasons map[string]int
	factors map[string]int
	known   map[[2]string]*price // by opcode and type
	callees map[[3]string]*price // by opcode, symbol and type
	pointer int                  // bits
}

func newPricer(t *model, p *ir.Program) *pricer {
	c := &procmodels.Costs{Model: t.desc.Name, Blocks: make([][]procmodels.BlockCost, len(p.Funcs)), Warnings: slices.Clone(t.warnings)}
	for i, f := range p.Funcs {
		c.Blocks[i] = make([]procmodels.BlockCost, len(f.Blocks))
	}
	return &pricer{t, c, map[string]int{}, map[string]int{}, map[[2]string]*price{}, map[[3]string]*price{}, pointerBits(p.DataLayout)}
}

// pointerBits reads the size of a pointer off LLVM's data layout: "p:32:32"; 64 when
// it says nothing.
func pointerBits(layout string) int {
	for part := range strings.SplitSeq(layout, "-") {
		rest, ok := strings.CutPrefix(part, "p:")
		if !ok {
			continue
		}
		size, _, _ := strings.Cut(rest, ":")
		if n, err := strconv.Atoi(size); err == nil && n > 0 && n <= maxBits {
			return n
		}
	}
	return 64
}

func (p *pricer) charge(bc *procmodels.BlockCost, pr *price) {
	bc.Cycles += pr.cycles
	for _, v := range pr.varies {
		bc.Vary(v.Factor, v.Down, v.Up)
	}
	if pr.reason == "" {
		return
	}
	r, ok := p.reasons[pr.reason]
	if !ok {
		r = len(p.costs.Reasons)
		p.reasons[pr.reason] = r
		p.costs.Reasons = append(p.costs.Reasons, pr.reason)
	}
	i, ok := slices.BinarySearchFunc(bc.Defaults, r, func(d procmodels.DefaultCost, r int) int { return d.Reason - r })
	if !ok {
		bc.Defaults = slices.Insert(bc.Defaults, i, procmodels.DefaultCost{Reason: r})
	}
	bc.Defaults[i].Cycles += pr.defaulted
	bc.Defaults[i].Count++
}

func (p *pricer) instr(in *ir.Instr) *price {
	switch {
	case in.Call == nil:
		return p.opcode(in.Op, in.Type)
	case in.Call.Callee >= 0:
		return p.opcode(in.Op, "")
	}
	name := in.Call.Name
	if in.Call.Indirect {
		name = ""
	}
	key := [3]string{in.Op, name, in.Type}
	pr, ok := p.callees[key]
	if !ok {
		made := p.callee(in.Op, name, in.Type)
		pr = &made
		p.callees[key] = pr
	}
	return pr
}

// callee prices what is outside the program.
func (p *pricer) callee(op, name, typ string) price {
	for _, prefix := range noCall {
		if strings.HasPrefix(name, prefix) {
			return price{}
		}
	}
	if base, ok := strings.CutPrefix(name, "llvm."); ok {
		return p.intrinsic(base, typ)
	}
	if name == "asm" {
		return guess(p.t.other, "inline assembly: not modelled")
	}
	pr := *p.opcode(op, "")
	reason := fmt.Sprintf("call to %s: only the call itself is modelled", name)
	if name == "" {
		reason = "indirect call: only the call itself is modelled"
	}
	if pr.reason != "" {
		reason += "; " + pr.reason // of the call itself
	}
	pr.reason = reason
	return pr
}

func (p *pricer) intrinsic(base, typ string) price {
	for _, prefix := range noCode {
		if strings.HasPrefix(base, prefix) {
			return price{}
		}
	}
	short, _, _ := strings.Cut(base, ".")
	parts, ok := madeOf[short]
	if !ok {
		return p.opcode("call", "").guess("intrinsic %s: taken as a call", short)
	}
	if strings.HasPrefix(typ, "{") { // of the value and its overflow
		typ, _, _ = strings.Cut(strings.Trim(typ, "{ "), ",")
	}
	sum := price{}
	for _, op := range parts {
		sum = sum.plus(*p.opcode(op, typ))
	}
	return sum.guess("intrinsic %s: taken as %s", short, strings.Join(parts, " and "))
}

func (p *pricer) opcode(op, typ string) *price {
	key := [2]string{op, typ}
	pr, ok := p.known[key]
	if !ok {
		made := p.reckon(op, typ)
		for _, access := range accessesOf[op] {
			if list := p.t.memory[access]; list != nil {
				made = made.plus(p.take(list, op, typ, access+" access"))
			}
		}
		pr = &made
		p.known[key] = pr
	}
	return pr
}

// reckon prices an opcode for a type, without the memory that it accesses.
func (p *pricer) reckon(op, typ string) price {
	if list := p.t.figures[op]; list != nil {
		return p.take(list, op, typ, "opcode "+op)
	}
	stand := standsFor[op]
	list := p.t.figures[stand]
	if list == nil {
		return guess(p.t.other, "opcode %s: no figure", op)
	}
	return p.take(list, op, typ, "opcode "+op).guess("opcode %s: no figure, taken as %s", op, stand)
}

// take prices an operation for a type: by the narrowest figure that is wide enough, by
// a vector figure for vectors; otherwise element by element and word by word, which
// is a default.
func (p *pricer) take(list []figure, op, typ, what string) price {
	reason := ""
	s := shapeOf(typ, p.pointer)
	if s.odd && !procmodels.OneWeight(op) {
		reason = fmt.Sprintf("%s %s: taken by its parts", what, clip(typ))
	}
	elements := s.elements
	if procmodels.OneWeight(op) {
		elements = 1
	}
	width := func(f figure) int {
		if slices.Contains(byOutput, op) {
			return f.outBits
		}
		return f.inBits
	}
	f, words := fit(list, s.bits, elements, width)
	if f.given < 0 {
		reason = cmp.Or(reason, fmt.Sprintf("%s: %g cycles in the file, taken as 0", what, f.given))
	}
	times := words * ((elements + max(f.lanes, 1) - 1) / max(f.lanes, 1))
	if times > 1 && (words > 1 || f.lanes <= 1) {
		reason = cmp.Or(reason, fmt.Sprintf("%s %s: taken as %d operations", what, clip(typ), times))
	}
	pr := price{cycles: f.typical * float64(times), reason: reason}
	if f.best < f.worst {
		pr.varies = []procmodels.Variation{{
			Factor: p.factor(f.factor),
			Down:   (f.typical - f.best) * float64(times),
			Up:     (f.worst - f.typical) * float64(times),
		}}
	}
	if reason != "" {
		pr.defaulted = pr.cycles
	}
	return pr
}

// factor numbers the factors in the order of their first use.
func (p *pricer) factor(name string) int {
	i, ok := p.factors[name]
	if !ok {
		i = len(p.costs.Factors)
		p.factors[name] = i
		p.costs.Factors = append(p.costs.Factors, procmodels.Factor{Name: name, Bounded: true})
	}
	return i
}

// fit picks a figure for operands of some bits and as many elements; words is how
// many of its operations one element needs. Figures for any width fit where none is
// made for the width, the widest counts several times where all are too narrow.
func fit(list []figure, bits, elements int, width func(figure) int) (best figure, words int) {
	rank := func(f figure) (class, size int) {
		switch w := width(f); {
		case bits != 0 && w >= bits:
			return 0, w // the narrowest that holds it
		case w == 0:
			return 1, 0
		case bits == 0:
			return 1, w
		default:
			return 2, -w // too narrow: the widest
		}
	}
	vector := func(f figure) bool { return f.lanes > 1 }
	chosen := -1
	for i, f := range list {
		if vector(f) && elements == 1 {
			continue
		}
		if chosen < 0 {
			chosen = i
			continue
		}
		b := list[chosen]
		fc, fs := rank(f)
		bc, bs := rank(b)
		switch {
		case vector(f) != vector(b):
			if vector(f) && fc < 2 { // vectors by vector figures, if wide enough
				chosen = i
			} else if vector(b) && bc == 2 {
				chosen = i
			}
		case fc < bc || fc == bc && fs < bs || fc == bc && fs == bs && f.lanes > b.lanes && vector(f):
			chosen = i
		}
	}
	if chosen < 0 {
		chosen = 0 // only vector figures: one of them does a scalar
	}
	best = list[chosen]
	words = 1
	if w := width(best); bits > w && w > 0 {
		words = (bits + w - 1) / w
	}
	return best, words
}
