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

// pricer prices instructions and remembers what it found.
type pricer struct {
	t       *model
	known   map[[2]string]*procmodels.Price // by opcode and type
	callees map[[3]string]*procmodels.Price // by opcode, symbol and type
	pointer int                             // bits
}

func newPricer(t *model, p *ir.Program) *pricer {
	return &pricer{t, map[[2]string]*procmodels.Price{}, map[[3]string]*procmodels.Price{}, pointerBits(p.DataLayout)}
}

// maxPointer bounds the bits of a pointer: LLVM's widest integer.
const maxPointer = 1 << 23

// pointerBits reads the size of a pointer off LLVM's data layout: "p:32:32"; 64 when
// it says nothing.
func pointerBits(layout string) int {
	for part := range strings.SplitSeq(layout, "-") {
		rest, ok := strings.CutPrefix(part, "p:")
		if !ok {
			continue
		}
		size, _, _ := strings.Cut(rest, ":")
		if n, err := strconv.Atoi(size); err == nil && n > 0 && n <= maxPointer {
			return n
		}
	}
	return 64
}

func (p *pricer) instr(in *ir.Instr) *procmodels.Price {
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
func (p *pricer) callee(op, name, typ string) procmodels.Price {
	for _, prefix := range noCall {
		if strings.HasPrefix(name, prefix) {
			return procmodels.Price{}
		}
	}
	if base, ok := strings.CutPrefix(name, "llvm."); ok {
		return p.intrinsic(base, typ)
	}
	if name == "asm" {
		return procmodels.Guess(p.t.other, "inline assembly: not modelled")
	}
	pr := *p.opcode(op, "")
	reason := fmt.Sprintf("call to %s: only the call itself is modelled", name)
	if name == "" {
		reason = "indirect call: only the call itself is modelled"
	}
	if pr.Reason != "" {
		reason += "; " + pr.Reason // of the call itself
	}
	pr.Reason = reason
	return pr
}

func (p *pricer) intrinsic(base, typ string) procmodels.Price {
	for _, prefix := range noCode {
		if strings.HasPrefix(base, prefix) {
			return procmodels.Price{}
		}
	}
	short, _, _ := strings.Cut(base, ".")
	parts, ok := madeOf[short]
	if !ok {
		return p.opcode("call", "").Supposed("intrinsic %s: taken as a call", short)
	}
	if strings.HasPrefix(typ, "{") { // of the value and its overflow
		typ, _, _ = strings.Cut(strings.Trim(typ, "{ "), ",")
	}
	sum := procmodels.Price{}
	for _, op := range parts {
		sum = sum.Plus(*p.opcode(op, typ))
	}
	return sum.Supposed("intrinsic %s: taken as %s", short, strings.Join(parts, " and "))
}

func (p *pricer) opcode(op, typ string) *procmodels.Price {
	key := [2]string{op, typ}
	pr, ok := p.known[key]
	if !ok {
		made := p.reckon(op, typ)
		for _, access := range accessesOf[op] {
			if list := p.t.memory[access]; list != nil {
				made = made.Plus(p.take(list, op, typ, access+" access"))
			}
		}
		pr = &made
		p.known[key] = pr
	}
	return pr
}

// reckon prices an opcode for a type, without the memory that it accesses.
func (p *pricer) reckon(op, typ string) procmodels.Price {
	if list := p.t.figures[op]; list != nil {
		return p.take(list, op, typ, "opcode "+op)
	}
	stand := standsFor[op]
	list := p.t.figures[stand]
	if list == nil {
		return procmodels.Guess(p.t.other, "opcode %s: no figure", op)
	}
	return p.take(list, op, typ, "opcode "+op).Supposed("opcode %s: no figure, taken as %s", op, stand)
}

// take prices an operation for a type: by the narrowest figure that is wide enough, by
// a vector figure for vectors; otherwise element by element and word by word, which
// is a default.
func (p *pricer) take(list []figure, op, typ, what string) procmodels.Price {
	reason := ""
	s := procmodels.ShapeOf(typ, p.pointer)
	if procmodels.OneWeight(op) {
		s.Elements = 1
	} else if s.Odd {
		reason = fmt.Sprintf("%s %s: taken by its parts", what, clip(typ))
	}
	width := func(f figure) int {
		if slices.Contains(byOutput, op) {
			return f.outBits
		}
		return f.inBits
	}
	f, words := fit(list, s.Bits, s.Elements, width)
	if f.given < 0 {
		reason = cmp.Or(reason, fmt.Sprintf("%s: %g cycles in the file, taken as 0", what, f.given))
	}
	times := words * ((s.Elements + max(f.lanes, 1) - 1) / max(f.lanes, 1))
	if times > 1 && (words > 1 || f.lanes <= 1) {
		reason = cmp.Or(reason, fmt.Sprintf("%s %s: taken as %d operations", what, clip(typ), times))
	}
	pr := procmodels.Price{Cycles: f.Typical}
	if f.Best < f.Worst {
		pr.Varies = []procmodels.Span{{Factor: f.factor, Down: f.Typical - f.Best, Up: f.Worst - f.Typical}}
	}
	if pr = pr.Times(times); reason != "" {
		pr.Defaulted, pr.Reason = pr.Cycles, reason
	}
	return pr
}

// fit picks a figure for operands of some bits and as many elements; words is how
// many of its operations one element needs. Figures for any width fit where none is
// made for the width, the widest counts several times where all are too narrow.
func fit(list []figure, bits, elements int, width func(figure) int) (best figure, words int) {
	// The least of these, in turn, is the best; the first where all are equal.
	rank := func(f figure) [4]int {
		class, size := 2, -width(f) // too narrow: the widest
		switch w := width(f); {
		case bits != 0 && w >= bits:
			class, size = 0, w // the narrowest that holds it
		case w == 0 || bits == 0:
			class, size = 1, w
		}
		group := 1
		switch vector := f.lanes > 1; {
		case vector && elements == 1:
			return [4]int{3} // only where there is nothing else
		case vector && class < 2:
			group = 0 // vectors by vector figures, if wide enough
		case vector:
			group = 2
		}
		return [4]int{group, class, size, -max(f.lanes, 1)}
	}
	best = slices.MinFunc(list, func(a, b figure) int { x, y := rank(a), rank(b); return slices.Compare(x[:], y[:]) })
	words = 1
	if w := width(best); bits > w && w > 0 {
		words = (bits + w - 1) / w
	}
	return best, words
}
