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
	pricer := newPricer(t)
	tally := newTally(t.desc.Name, p)
	for fi, f := range p.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.desc.Name, err)
		}
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				tally.add(fi, bi, pricer.instr(&b.Instrs[i], b))
			}
		}
	}
	return tally.costs, nil
}

// price is the cost of one instruction. With a reason, part of it (defaulted, in
// cycles) rests on a default.
type price struct {
	cycles    float64
	defaulted float64
	reason    string
}

func listed(cycles float64) price { return price{cycles: cycles} }

func byDefault(cycles float64, format string, args ...any) price {
	return price{cycles, cycles, fmt.Sprintf(format, args...)}
}

// pricer prices instructions and remembers prices by opcode and type. It is not
// safe for concurrent use, the table beneath it is.
type pricer struct {
	t     *weightTable
	types map[string]*irType
	known map[opType]price
	names map[string]price // intrinsics with their type
}

type opType struct{ op, typ string }

func newPricer(t *weightTable) *pricer {
	return &pricer{t, map[string]*irType{}, map[opType]price{}, map[string]price{}}
}

func (p *pricer) instr(in *ir.Instr, b *ir.Block) price {
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

func (p *pricer) call(in *ir.Instr) price {
	c := in.Call
	switch {
	case isMarker(in):
		return listed(0)
	case strings.HasPrefix(c.Name, intrinsicPrefix):
		return p.intrinsic(c.Name, in.Type)
	case c.Name == "asm":
		if cost, ok := p.t.call("asm", ""); ok {
			return cost.price("inline assembly")
		}
		return byDefault(p.t.otherCall, "inline assembly: not modelled")
	}
	pr := p.opcode(in.Op, in.Type) // never a default: tables must have a weight for calls
	if c.Callee >= 0 {
		return pr
	}
	if c.Indirect || c.Name == "" {
		pr.reason = "indirect call: only the call itself is modelled"
		return pr
	}
	cost, ok := p.t.call(c.Name, in.Type)
	if !ok {
		return pr.plus(byDefault(p.t.otherCall, "call to %s: not modelled", c.Name))
	}
	body := cost.price("call to " + c.Name)
	if body.cycles == 0 {
		return listed(0) // not even the call is made
	}
	return pr.plus(body)
}

func (p *pricer) intrinsic(name, resultType string) price {
	key := name + " " + resultType
	if pr, ok := p.names[key]; ok {
		return pr
	}
	base, typ := splitIntrinsic(name)
	if typ == "" {
		typ = resultType
	}
	w, ok := p.t.intrinsic(base, name)
	pr := byDefault(p.t.otherIntrinsic, "intrinsic %s without a weight", base)
	if ok {
		pr = w.price(p.typeOf(typ), operation{what: "intrinsic " + base, other: p.t.otherIntrinsic})
	}
	p.names[key] = pr
	return pr
}

func (p *pricer) opcode(op, typ string) price {
	key := opType{op, typ}
	if pr, ok := p.known[key]; ok {
		return pr
	}
	w, ok := p.t.opcode(op, p.typeOf(typ))
	var pr price
	if ok {
		pr = w.price(p.typeOf(typ), operation{"opcode " + op, oneWeight[op], sumsFields[op], p.t.otherOpcode})
	} else {
		pr = byDefault(p.t.otherOpcode, "opcode %s without a weight", spell(op, p.typeOf(typ)))
	}
	p.known[key] = pr
	return pr
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
func (w *weight) price(typ *irType, op operation) price {
	if w.size != nil {
		return w.size.price(op.what)
	}
	if c, ok := w.byType[typ.key]; ok {
		return listed(c)
	}
	if op.oneWeight && w.has {
		return listed(w.other)
	}
	switch typ.class {
	case classVector:
		pr := w.price(typ.elem, op).times(typ.count)
		if typ.scalable {
			return byDefault(pr.cycles, "%s taken at its least length", spell(op.what, typ))
		}
		return pr
	case classArray:
		if op.sumsFields {
			return w.price(typ.elem, op).times(typ.count)
		}
	case classStruct:
		if op.sumsFields {
			sum := price{}
			for _, f := range typ.fields {
				sum = sum.plus(w.price(f, op))
			}
			return sum
		}
	case classWide:
		pr := w.price(&irType{key: "i64"}, op).times(typ.count)
		return byDefault(pr.cycles, "%s taken as %d of i64", spell(op.what, typ), typ.count)
	}
	if c, ok := w.byType["i8"]; ok && typ.key == "i1" {
		return listed(c)
	}
	switch {
	case w.has && typ.class == classPlain:
		return listed(w.other)
	case w.has:
		return byDefault(w.other, "%s without a weight", spell(op.what, typ))
	}
	return byDefault(op.other, "%s without a weight", spell(op.what, typ))
}

func (p price) times(n int) price {
	return price{p.cycles * float64(n), p.defaulted * float64(n), p.reason}
}

func (p price) plus(q price) price {
	if p.reason == "" {
		p.reason = q.reason
	}
	return price{p.cycles + q.cycles, p.defaulted + q.defaulted, p.reason}
}
