package asm

// This file holds one instruction as read: what is known at once (result and
// opcode) and what is parsed when first asked for.

import (
	"slices"
	"strings"
)

// Instr is an instruction or a debug record (#dbg_value and the like).
type Instr struct {
	raw      string // lines with newline, and blank and comment lines before
	off, end int32  // the instruction itself in raw
	numbered bool   // the result is unnamed and given by its number
	b        *Block
	op       string
	result   string
	info     *inside
}

// Operand is a value with its type, both as spelled.
type Operand struct {
	Type  string
	Value string
}

// Incoming is one pair of a phi, or one case of a switch.
type Incoming struct {
	Value string // as spelled
	Block string // bare label
}

// span is a piece of an instruction's text.
type span struct{ s, e int32 }

// pair is the value and the label of a phi's incoming or a switch's case.
type pair struct{ value, label span }

// inside is the inside of an instruction as it is kept.
type inside struct {
	opaque   bool
	typ      string // see Instr.Type
	operands []Operand
	pairs    []pair // of a phi or a switch
	call     *Call
	callee   span

	called    span // from the type of a call to the end of its operand bundles
	callAttrs span // behind the arguments' ), with the blank before
	dbg       int

	spans []span         // the lists of references, one behind the other
	ends  [listed]uint32 // of each list, in spans
}

// The lists of references.
const (
	ofLocals = iota // uses of local values
	ofLabels        // all of them
	ofSuccs         // labels the terminator may go to, in its order
	ofGlobals
	ofMetas // !12
	ofAttrs // #3 of a call
	listed
)

func (x *inside) list(which int) []span {
	if which == 0 {
		return x.spans[:x.ends[0]]
	}
	return x.spans[x.ends[which-1]:x.ends[which]]
}

// instrInfo is the inside of an instruction while it is parsed. It is used for one after the
// other.
type instrInfo struct {
	inside
	refs [listed][]span
}

func (info *instrInfo) note(which int, sp span) { info.refs[which] = append(info.refs[which], sp) }

// reset forgets what was parsed, and the first lists of references.
func (info *instrInfo) reset(dbg, lists int) {
	clear(info.operands)
	info.inside = inside{dbg: dbg, operands: info.operands[:0], pairs: info.pairs[:0]}
	for i := range lists {
		info.refs[i] = info.refs[i][:0]
	}
}

// keep returns what was parsed in memory of its own.
func (m *Module) keep(info *instrInfo) *inside {
	n := 0
	for _, list := range info.refs {
		n += len(list)
	}
	x := &take(&m.insides, 1)[0]
	*x = info.inside
	x.operands, x.pairs = take(&m.operands, len(info.operands)), slices.Clone(info.pairs)
	copy(x.operands, info.operands)
	x.spans = take(&m.spans, n)[:0]
	for i, list := range info.refs {
		x.spans = append(x.spans, list...)
		x.ends[i] = uint32(len(x.spans))
	}
	return x
}

// take cuts a slice off a slab, which is made anew where it is too short.
func take[T any](slab *[]T, n int) []T {
	if n > len(*slab) {
		*slab = make([]T, max(n, 256))
	}
	out := (*slab)[:n:n]
	*slab = (*slab)[n:]
	return out
}

// readHead finds result and opcode.
func (in *Instr) readHead() {
	s := in.raw[in.off:in.end]
	i := 0
	if s[0] == '%' {
		e := 1
		if len(s) > 1 && s[1] == '"' {
			e = stringEnd(s, 1)
		} else {
			e = identEnd(s, 1)
		}
		j := skipBlank(s, e)
		if j < len(s) && s[j] == '=' && e > 1 {
			in.result = unspell(s[1:e])
			in.numbered = isNumber(s[1:e])
			i = skipBlank(s, j+1)
		}
	}
	if i < len(s) && s[i] == '#' {
		in.op = s[i:identEnd(s, i+1)]
		return
	}
	e := identEnd(s, i)
	switch s[i:e] {
	case "tail", "musttail", "notail":
		i = skipBlank(s, e)
		e = identEnd(s, i)
	}
	in.op = s[i:e]
}

func skipBlank(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// Text returns the instruction without indentation and final newline. It may
// span lines.
func (in *Instr) Text() string { return in.raw[in.off:in.end] }

// Block returns the block that holds the instruction.
func (in *Instr) Block() *Block { return in.b }

// Result returns the name of the value defined, "" when there is none.
func (in *Instr) Result() string { return in.result }

// Op returns the opcode: "add", "call" (without tail), "br", "#dbg_value" for
// a debug record.
func (in *Instr) Op() string { return in.op }

// IsTerminator reports whether the instruction ends its block.
func (in *Instr) IsTerminator() bool { return isTerminator(in.op) }

func isTerminator(op string) bool {
	switch op {
	case "br", "ret", "switch", "indirectbr", "invoke", "callbr", "resume",
		"unreachable", "cleanupret", "catchret", "catchswitch":
		return true
	}
	return false
}

// IsDebug reports whether the instruction only informs debuggers: a debug
// record, or a call of an llvm.dbg intrinsic.
func (in *Instr) IsDebug() bool {
	if in.op == "call" {
		return strings.Contains(in.raw, "@llvm.dbg.") && strings.HasPrefix(in.callee(), "llvm.dbg.")
	}
	return strings.HasPrefix(in.op, "#dbg")
}

// unnamed reports whether the instruction defines a value without a name.
func (in *Instr) unnamed() bool {
	if in.result != "" {
		return in.numbered
	}
	switch in.op {
	case "":
		return false
	case "call", "invoke", "callbr":
		c := in.Call()
		return c != nil && c.RetType != "void"
	}
	return in.op[0] != '#' && valueOps[in.op]
}

// Opaque reports whether the inside was not understood. Operands are then
// empty; references are found by their spelling alone.
func (in *Instr) Opaque() bool { return in.parse().opaque }

// Type returns the type that decides the instruction's cost, as spelled: what
// a load, phi, arithmetic instruction, conversion or call results in; what a
// store stores, icmp and fcmp compare, br, switch and indirectbr test, ret
// and resume return, cmpxchg and atomicrmw exchange, alloca and va_arg hold;
// the source of a trunc, ext or other conversion is Operands()[0].Type. It is
// "" for instructions without such a type and "void" for ret void and calls
// that return nothing.
func (in *Instr) Type() string { return in.parse().typ }

// Operands returns the values used in the order of the text, without labels,
// callee and phi blocks. For calls these are the arguments.
func (in *Instr) Operands() []Operand { return in.parse().operands }

// Uses returns the names of the local values used, a name once for each use.
func (in *Instr) Uses() []string { return in.names(in.parse().list(ofLocals)) }

// GlobalRefs returns the names of the globals referenced, a name once for each
// reference, the callee included.
func (in *Instr) GlobalRefs() []string { return in.names(in.parse().list(ofGlobals)) }

// Succs returns the labels a terminator may go to, a label once for each edge:
// br, switch default first, indirectbr, invoke normal then unwind, callbr
// default then indirect.
func (in *Instr) Succs() []string { return in.names(in.parse().list(ofSuccs)) }

// MetaRefs returns the numbers of the metadata nodes referenced.
func (in *Instr) MetaRefs() []int {
	return in.numbers(in.parse().list(ofMetas))
}

// Dbg returns the metadata number of the instruction's location, or -1.
func (in *Instr) Dbg() int { return in.parse().dbg }

// Attachment returns what follows !kind in the instruction's attachments:
// "!12" for "!tbaa", "" when there is none.
func (in *Instr) Attachment(kind string) string {
	if _, val, ok := in.attachment(kind); ok {
		return in.Text()[val.s:val.e]
	}
	return ""
}

// CallAttrGroups returns the numbers of the attribute groups of a call.
func (in *Instr) CallAttrGroups() []int {
	return in.numbers(in.parse().list(ofAttrs))
}

// Phi returns the incoming pairs of a phi, nil for other instructions.
func (in *Instr) Phi() []Incoming { return in.pairs("phi") }

// Cases returns the cases of a switch, in order and without the default.
func (in *Instr) Cases() []Incoming { return in.pairs("switch") }

func (in *Instr) pairs(op string) []Incoming {
	if in.op != op {
		return nil
	}
	ps, text := in.parse().pairs, in.Text()
	out := make([]Incoming, len(ps))
	for i, p := range ps {
		out[i] = Incoming{text[p.value.s:p.value.e], unspell(text[p.label.s+1 : p.label.e])}
	}
	return out
}

// numbers returns the numbers at the spans, behind a sigil.
func (in *Instr) numbers(spans []span) []int {
	out := make([]int, len(spans))
	for i, sp := range spans {
		out[i] = decimal(in.Text()[sp.s+1 : sp.e])
	}
	return out
}

// names returns the bare names at the spans, behind a sigil.
func (in *Instr) names(spans []span) []string {
	if len(spans) == 0 {
		return nil
	}
	text := in.Text()
	out := make([]string, len(spans))
	for i, sp := range spans {
		out[i] = unspell(text[sp.s+1 : sp.e])
	}
	return out
}
