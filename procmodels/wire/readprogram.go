package wire

// This file rebuilds a program from the requests of an exchange.

import (
	"errors"
	"fmt"
	"io"
	"math"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
)

// ReadSubject takes requests from recv up to the end of the exchange and returns what
// is to be priced, with the parameters. Requests that break the schema's order or refer
// to what there is not are errors of one line.
func ReadSubject(recv func() (*pluginpb.PriceRequest, error)) (*procmodels.Subject, map[string]string, error) {
	r := subjectReader{s: &procmodels.Subject{Program: &ir.Program{}}}
	for !r.ended {
		req, err := recv()
		if errors.Is(err, io.EOF) {
			return nil, nil, errors.New("the requests stop before End")
		}
		if err != nil {
			return nil, nil, err
		}
		if err := r.add(req); err != nil {
			return nil, nil, err
		}
	}
	return r.s, r.begin.Parameters, nil
}

type subjectReader struct {
	s     *procmodels.Subject
	begin *pluginpb.Begin
	ended bool
	used  []*pluginpb.Block // where instructions come with operands
}

func (r *subjectReader) add(req *pluginpb.PriceRequest) error {
	p := r.s.Program
	if b := req.GetBegin(); (b != nil) != (r.begin == nil) {
		return errors.New("want Begin first, and once")
	} else if b != nil {
		r.begin = b
		p.Triple, p.DataLayout, p.Files = b.Triple, b.DataLayout, b.Files
		return nil
	}
	switch part := req.Part.(type) {
	case *pluginpb.PriceRequest_Module:
		r.s.Module = append(r.s.Module, part.Module...)
	case *pluginpb.PriceRequest_Function:
		return r.function(part.Function)
	case *pluginpb.PriceRequest_Blocks:
		for _, b := range part.Blocks.GetBlocks() {
			if err := r.block(b); err != nil {
				return err
			}
		}
	case *pluginpb.PriceRequest_End:
		r.ended = true
		return r.complete()
	default:
		return fmt.Errorf("a request of a kind that this plugin does not know (%T); rebuild it with pathspan's newest SDK", req.Part)
	}
	return nil
}

func (r *subjectReader) function(m *pluginpb.Function) error {
	p := r.s.Program
	if int(m.Index) != len(p.Funcs) {
		return fmt.Errorf("function %d where %d is next", m.Index, len(p.Funcs))
	}
	p.Funcs = append(p.Funcs, &ir.Func{
		Index: int(m.Index), Name: m.Name, Source: m.Source, Loc: readLocation(m.File, m.Line, m.Column),
		Exported: m.Exported, NoUnwind: m.NoUnwind, Blocks: make([]*ir.Block, m.Blocks),
	})
	return nil
}

func (r *subjectReader) block(m *pluginpb.Block) error {
	p := r.s.Program
	if int64(m.Function) >= int64(len(p.Funcs)) {
		return fmt.Errorf("a block of function %d, which was not announced", m.Function)
	}
	f := p.Funcs[m.Function]
	if int64(m.Index) >= int64(len(f.Blocks)) {
		return fmt.Errorf("block %d of %s, which has %d blocks", m.Index, f.Name, len(f.Blocks))
	}
	if f.Blocks[m.Index] != nil {
		return fmt.Errorf("block %d of %s comes twice", m.Index, f.Name)
	}
	b := &ir.Block{Index: int(m.Index), Name: m.Name}
	for _, s := range m.Successors {
		if int64(s) >= int64(len(f.Blocks)) {
			return fmt.Errorf("block %d of %s has successor %d, of %d blocks", m.Index, f.Name, s, len(f.Blocks))
		}
		b.Succs = append(b.Succs, int(s))
	}
	if len(m.Instructions) > 0 {
		b.Instrs = make([]ir.Instr, len(m.Instructions))
	}
	for i, in := range m.Instructions {
		b.Instrs[i] = ir.Instr{Op: in.Opcode, Type: in.Type, Loc: readLocation(in.File, in.Line, in.Column), Call: readCall(in.Call)}
		if c := b.Instrs[i].Call; c != nil && c.Callee < 0 && in.Call.Defined {
			return fmt.Errorf("block %d of %s: a defined callee without its index", m.Index, f.Name)
		}
	}
	f.Blocks[m.Index] = b
	if r.begin.Operands {
		r.used = append(r.used, m)
	}
	return nil
}

// complete checks what only the whole shows.
func (r *subjectReader) complete() error {
	p := r.s.Program
	for _, f := range p.Funcs {
		for i, b := range f.Blocks {
			if b == nil {
				return fmt.Errorf("block %d of %s did not come", i, f.Name)
			}
			for _, in := range b.Instrs {
				if in.Call != nil && in.Call.Callee >= len(p.Funcs) {
					return fmt.Errorf("block %d of %s calls function %d, of %d", i, f.Name, in.Call.Callee, len(p.Funcs))
				}
			}
		}
	}
	if !r.begin.Operands {
		return nil
	}
	var err error
	r.s.Uses, err = operandsOf(p, r.used)
	return err
}

func readCall(m *pluginpb.Call) *ir.Call {
	if m == nil {
		return nil
	}
	c := &ir.Call{
		Callee: int(min(m.Callee, math.MaxInt32)) - 1, Name: m.Name, Indirect: m.Indirect,
		ReturnsTwice: m.ReturnsTwice, NoReturn: m.NoReturn, NoUnwind: m.NoUnwind,
	}
	for _, a := range m.Constants {
		c.ConstArgs = append(c.ConstArgs, ir.ConstArg{Index: int(a.Index), Value: a.Value})
	}
	for _, f := range m.Passed {
		c.FuncArgs = append(c.FuncArgs, int(f))
	}
	return c
}

func readLocation(file, line, column uint32) ir.Loc {
	return ir.Loc{File: int(file) - 1, Line: int(line), Col: int(column)}
}
