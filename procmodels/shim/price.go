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
// on a default.
type price struct {
	cycles, defaulted float64
	reason            string
}

func guess(cycles float64, format string, args ...any) price {
	return price{cycles, cycles, fmt.Sprintf(format, args...)}
}

// pricer builds the costs of one program.
type pricer struct {
	t       *model
	costs   *procmodels.Costs
	reasons map[string]int
	known   map[[2]string]price // by opcode and type
	pointer int                 // bits
}

func newPricer(t *model, p *ir.Program) *pricer {
	c := &procmodels.Costs{Model: t.desc.Name, Blocks: make([][]procmodels.BlockCost, len(p.Funcs)), Warnings: slices.Clone(t.warnings)}
	for i, f := range p.Funcs {
		c.Blocks[i] = make([]procmodels.BlockCost, len(f.Blocks))
	}
	return &pricer{t, c, map[string]int{}, map[[2]string]price{}, pointerBits(p.DataLayout)}
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

func (p *pricer) charge(bc *procmodels.BlockCost, pr price) {
	bc.Cycles += pr.cycles
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

func (p *pricer) instr(in *ir.Instr) price {
	if in.Call == nil {
		return p.opcode(in.Op, in.Type)
	}
	name := in.Call.Name
	for _, prefix := range noCall {
		if strings.HasPrefix(name, prefix) {
			return price{}
		}
	}
	if base, ok := strings.CutPrefix(name, "llvm."); ok {
		return p.intrinsic(base, in.Type)
	}
	if name == "asm" {
		return guess(p.t.other, "inline assembly: not modelled")
	}
	pr := p.opcode(in.Op, "")
	if in.Call.Callee >= 0 {
		return pr
	}
	reason := fmt.Sprintf("call to %s: only the call itself is modelled", name)
	if in.Call.Indirect || name == "" {
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
		return guess(p.opcode("call", "").cycles, "intrinsic %s: taken as a call", short)
	}
	if strings.HasPrefix(typ, "{") { // of the value and its overflow
		typ, _, _ = strings.Cut(strings.Trim(typ, "{ "), ",")
	}
	sum := 0.0
	for _, op := range parts {
		sum += p.opcode(op, typ).cycles
	}
	return guess(sum, "intrinsic %s: taken as %s", short, strings.Join(parts, " and "))
}

func (p *pricer) opcode(op, typ string) price {
	key := [2]string{op, typ}
	pr, ok := p.known[key]
	if !ok {
		pr = p.reckon(op, typ)
		p.known[key] = pr
	}
	return pr
}

// reckon prices an opcode for a type: by the narrowest figure that is wide enough, by
// a vector figure for vectors; otherwise element by element and word by word, which
// is a default.
func (p *pricer) reckon(op, typ string) price {
	list, reason := p.t.figures[op], ""
	if list == nil {
		stand := standsFor[op]
		if list = p.t.figures[stand]; list == nil {
			return guess(p.t.other, "opcode %s: no figure", op)
		}
		reason = fmt.Sprintf("opcode %s: no figure, taken as %s", op, stand)
	}
	s := shapeOf(typ, p.pointer)
	if s.odd && !procmodels.OneWeight(op) {
		reason = cmp.Or(reason, fmt.Sprintf("opcode %s %s: taken by its parts", op, clip(typ)))
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
	cycles := f.cycles
	if cycles < 0 {
		cycles = 0
		reason = cmp.Or(reason, fmt.Sprintf("opcode %s: %g cycles in the file, taken as 0", op, f.cycles))
	}
	times := words * ((elements + max(f.lanes, 1) - 1) / max(f.lanes, 1))
	if times > 1 && (words > 1 || f.lanes <= 1) {
		reason = cmp.Or(reason, fmt.Sprintf("opcode %s %s: taken as %d operations", op, clip(typ), times))
	}
	cycles *= float64(times)
	if reason != "" {
		return price{cycles, cycles, reason}
	}
	return price{cycles: cycles}
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
