package procmodels

// This file prices blocks by a weight table.

import (
	"context"
	"fmt"
	"strings"

	"pathspan/ir"
)

// markerPrefix begins the names of the functions that delimit regions and sections
// in the profiled program. The program that runs on the MPSoC has none of them.
const markerPrefix = "__pathspan"

// Describe implements Model.
func (t *weightTable) Describe() Description { return t.desc }

// Costs implements Model: a block costs the sum of its instructions' weights.
// A call of a defined function costs the call alone, a call of an external one
// also what the table gives for it.
func (t *weightTable) Costs(ctx context.Context, s *Subject) (*Costs, error) {
	p := s.Program
	pricer := newPricer(t, s.moved())
	tally := NewTally(t.desc.Name, p)
	for fi, f := range p.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.desc.Name, err)
		}
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				tally.Add(&tally.Costs.Blocks[fi][bi], pricer.instr(&b.Instrs[i], b))
			}
		}
	}
	return tally.Finish(), nil
}

// pricer prices instructions and remembers prices by opcode and type. It is not
// safe for concurrent use, the table beneath it is.
type pricer struct {
	t     *weightTable
	moved map[*ir.Call]float64 // bytes that calls work on, as a run told
	types map[string]*irType
	known map[opType]*Price
	calls map[callType]*calleePrice
}

type opType struct{ op, typ string }

// callType is what the price of a call hangs on beside its arguments.
type callType struct{ op, name, typ string }

// calleePrice is the price of a function or intrinsic.
type calleePrice struct {
	any  Price     // of unknown size
	call Price     // the call alone, in any
	size *sizeCost // nil where the size does not count
}

func newPricer(t *weightTable, moved map[*ir.Call]float64) *pricer {
	return &pricer{t, moved, map[string]*irType{}, map[opType]*Price{}, map[callType]*calleePrice{}}
}

// instr prices an instruction; the price is to be read only.
func (p *pricer) instr(in *ir.Instr, b *ir.Block) *Price {
	if in.Call != nil {
		return p.call(in)
	}
	return p.opcode(opcodeOf(in, b), in.Type)
}

// opcodeOf tells the kinds of "br" apart.
func opcodeOf(in *ir.Instr, b *ir.Block) string {
	switch {
	case in.Op != "br":
		return in.Op
	case len(b.Succs) > 1:
		return brCond
	}
	for i := range b.Instrs[:len(b.Instrs)-1] {
		if b.Instrs[i].Op != "phi" && !isMarker(&b.Instrs[i]) {
			return brJump
		}
	}
	return brAlone
}

func isMarker(in *ir.Instr) bool {
	return in.Call != nil && strings.HasPrefix(in.Call.Name, markerPrefix)
}

func (p *pricer) call(in *ir.Instr) *Price {
	c := in.Call
	switch {
	case isMarker(in):
		return &Price{}
	case c.Callee >= 0:
		return p.opcode(in.Op, in.Type) // never a default: tables must have a weight for calls
	case c.Indirect || c.Name == "":
		pr := *p.opcode(in.Op, in.Type)
		pr.Reason = "indirect call: only the call itself is modelled"
		return &pr
	}
	key := callType{in.Op, c.Name, in.Type}
	callee, ok := p.calls[key]
	if !ok {
		callee = p.callee(key)
		p.calls[key] = callee
	}
	if callee.size != nil {
		if bytes, ok := callee.size.known(c, p.moved); ok {
			pr := callee.call.Plus(callee.size.of(exactly(bytes)))
			return &pr
		}
		pr := callee.any
		pr.Loc = in.Loc
		return &pr
	}
	return &callee.any
}

// callee prices what is outside the program.
func (p *pricer) callee(key callType) *calleePrice {
	if strings.HasPrefix(key.name, intrinsicPrefix) {
		return p.intrinsic(key.name, key.typ)
	}
	if key.name == "asm" {
		if cost, ok := p.t.call("asm", ""); ok {
			return &calleePrice{any: cost.price("inline assembly")}
		}
		return &calleePrice{any: Guess(p.t.otherCall, "inline assembly: not modelled")}
	}
	c := &calleePrice{call: *p.opcode(key.op, key.typ)}
	cost, ok := p.t.call(key.name, key.typ)
	if !ok {
		c.any = c.call.Plus(Guess(p.t.otherCall, "call to %s: not modelled", key.name))
		return c
	}
	body := cost.price("call to " + key.name)
	if cost.size == nil && cost.flat.worst == 0 {
		c.call, c.any = Price{}, Price{} // not even the call is made
		return c
	}
	c.any, c.size = c.call.Plus(body), cost.size
	return c
}

func (p *pricer) intrinsic(name, resultType string) *calleePrice {
	base, typ := splitIntrinsic(name)
	if typ == "" {
		typ = resultType
	}
	w, ok := p.t.intrinsic(base, name)
	if !ok {
		return &calleePrice{any: Guess(p.t.otherIntrinsic, "intrinsic %s without a weight", base)}
	}
	pr := w.price(p.typeOf(typ), operation{what: "intrinsic " + base, other: p.t.otherIntrinsic})
	return &calleePrice{any: pr, size: w.size}
}

func (p *pricer) opcode(op, typ string) *Price {
	key := opType{op, typ}
	if pr, ok := p.known[key]; ok {
		return pr
	}
	w, ok := p.t.opcode(op, p.typeOf(typ))
	var pr Price
	if ok {
		pr = w.price(p.typeOf(typ), operation{"opcode " + op, oneWeight[op], sumsFields[op], p.t.otherOpcode})
	} else {
		pr = Guess(p.t.otherOpcode, "opcode %s without a weight", spell(op, p.typeOf(typ)))
	}
	p.known[key] = &pr
	return &pr
}

func (p *pricer) typeOf(s string) *irType {
	t, ok := p.types[s]
	if !ok {
		t = parseType(s)
		p.types[s] = t
	}
	return t
}

// spell names an operation in a reason: "fneg double", "ret" for void and no type.
func spell(op string, t *irType) string {
	if t.key == "" || t.key == "void" {
		return op
	}
	return op + " " + t.key
}

// operation is what a weight is for.
type operation struct {
	what       string  // "opcode add", for reasons
	oneWeight  bool    // the work does not grow with the type
	sumsFields bool    // an aggregate costs what its parts cost
	other      float64 // the table's default where the weight has none
}

// price applies a weight to a type. The rules, in order: the type itself; for
// operations whose work does not grow with the type, the weight for other types; a
// vector is its elements, an aggregate that is loaded or stored its fields, a wide
// integer its 64-bit words; then the weight for other types. What is only plausible
// carries a reason.
func (w *weight) price(typ *irType, op operation) Price {
	if w.size != nil {
		return w.size.price(op.what)
	}
	if c, ok := w.byType[typ.key]; ok {
		return c.price()
	}
	if op.oneWeight && w.has {
		return w.other.price()
	}
	switch typ.class {
	case classVector:
		pr := w.price(typ.elem, op).Times(typ.count)
		if typ.scalable {
			return pr.Supposed("%s taken at its least length", spell(op.what, typ))
		}
		return pr
	case classArray:
		if op.sumsFields {
			return w.price(typ.elem, op).Times(typ.count)
		}
	case classStruct:
		if op.sumsFields {
			sum := Price{}
			for _, f := range typ.fields {
				sum = sum.Plus(w.price(f, op))
			}
			return sum
		}
	case classWide:
		pr := w.price(&irType{key: "i64"}, op).Times(typ.count)
		return pr.Supposed("%s taken as %d of i64", spell(op.what, typ), typ.count)
	}
	if c, ok := w.byType["i8"]; ok && typ.key == "i1" {
		return c.price()
	}
	switch {
	case w.has && typ.class == classPlain:
		return w.other.price()
	case w.has:
		return w.other.price().Supposed("%s without a weight", spell(op.what, typ))
	}
	return Guess(op.other, "%s without a weight", spell(op.what, typ))
}
