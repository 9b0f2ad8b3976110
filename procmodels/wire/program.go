package wire

// This file sends a program as the requests of one exchange.

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
)

// batchSize is when a batch of blocks is sent, in bytes: well below MessageSize, so
// that a model can begin while the rest is on its way.
const batchSize = MessageSize / 4

// Parts says what of a subject is sent besides the program.
type Parts struct{ Module, Operands bool }

// SendSubject hands the requests of one exchange to send, in order: the beginning, the
// module in pieces when it is needed, the functions, their blocks, the end. An error of
// send ends it.
func SendSubject(s *procmodels.Subject, parameters map[string]string, parts Parts, send func(*pluginpb.PriceRequest) error) error {
	p := s.Program
	var ops *ir.Operands
	if parts.Operands {
		var err error
		if ops, err = s.Operands(); err != nil {
			return err
		}
	}
	begin := &pluginpb.Begin{
		Operands:   ops != nil,
		Parameters: parameters, Triple: validText(p.Triple), DataLayout: validText(p.DataLayout),
		Functions: uint64(len(p.Funcs)),
	}
	for _, file := range p.Files {
		begin.Files = append(begin.Files, validText(file))
	}
	for _, f := range p.Funcs {
		begin.Blocks += uint64(len(f.Blocks))
	}
	if err := send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Begin{Begin: begin}}); err != nil {
		return err
	}
	if parts.Module {
		for piece := range slices.Chunk(s.Module, MessageSize-64) {
			if err := send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Module{Module: piece}}); err != nil {
				return err
			}
		}
	}
	for _, f := range p.Funcs {
		if err := send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Function{Function: function(f)}}); err != nil {
			return err
		}
	}
	if err := sendBlocks(p, ops, send); err != nil {
		return err
	}
	return send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_End{End: &pluginpb.End{}}})
}

func sendBlocks(p *ir.Program, ops *ir.Operands, send func(*pluginpb.PriceRequest) error) error {
	blocks := batches[*pluginpb.Block]{send: func(all []*pluginpb.Block) error {
		return send(&pluginpb.PriceRequest{Part: &pluginpb.PriceRequest_Blocks{Blocks: &pluginpb.Blocks{Blocks: all}}})
	}}
	for _, f := range p.Funcs {
		preds := predecessors(f)
		for _, b := range f.Blocks {
			if err := blocks.add(block(f, b, preds[b.Index], ops)); err != nil {
				return err
			}
		}
	}
	return blocks.flush()
}

// batches sends messages several at a time, of batchSize bytes together or one that is longer.
type batches[M proto.Message] struct {
	send func([]M) error
	all  []M
	size int
}

func (b *batches[M]) add(m M) error {
	n := proto.Size(m)
	if b.size+n > batchSize {
		if err := b.flush(); err != nil {
			return err
		}
	}
	b.all, b.size = append(b.all, m), b.size+n
	return nil
}

func (b *batches[M]) flush() error {
	if len(b.all) == 0 {
		return nil
	}
	all := b.all
	b.all, b.size = nil, 0
	return b.send(all)
}

// predecessors lists the predecessors of each block, ascending and each once.
func predecessors(f *ir.Func) [][]uint32 {
	preds := make([][]uint32, len(f.Blocks))
	for _, b := range f.Blocks {
		for _, s := range b.Succs {
			if n := len(preds[s]); n == 0 || preds[s][n-1] != uint32(b.Index) {
				preds[s] = append(preds[s], uint32(b.Index))
			}
		}
	}
	return preds
}

func function(f *ir.Func) *pluginpb.Function {
	file, line, column := location(f.Loc)
	return &pluginpb.Function{
		Index: uint32(f.Index), Name: validText(f.Name), Blocks: uint32(len(f.Blocks)), Source: validText(f.Source),
		File: file, Line: line, Column: column, Exported: f.Exported, NoUnwind: f.NoUnwind,
	}
}

func block(f *ir.Func, b *ir.Block, preds []uint32, ops *ir.Operands) *pluginpb.Block {
	m := &pluginpb.Block{
		Function: uint32(f.Index), Index: uint32(b.Index), Name: validText(b.Name), Predecessors: preds,
		Instructions: make([]*pluginpb.Instruction, len(b.Instrs)),
	}
	for _, s := range b.Succs {
		m.Successors = append(m.Successors, uint32(s))
	}
	room := make([]pluginpb.Instruction, len(b.Instrs)) // one allocation for all
	for i := range b.Instrs {
		in, out := &b.Instrs[i], &room[i]
		out.Opcode, out.Type = validText(in.Op), validText(in.Type)
		out.File, out.Line, out.Column = location(in.Loc)
		if in.Call != nil {
			out.Call = call(in.Call)
		}
		if ops != nil {
			sendOperands(out, ops, f.Index, b.Index, i)
		}
		m.Instructions[i] = out
	}
	return m
}

func call(c *ir.Call) *pluginpb.Call {
	out := &pluginpb.Call{
		Name: validText(c.Name), Defined: c.Callee >= 0, Indirect: c.Indirect, Callee: uint32(c.Callee + 1),
		ReturnsTwice: c.ReturnsTwice, NoReturn: c.NoReturn, NoUnwind: c.NoUnwind,
	}
	for _, a := range c.ConstArgs {
		out.Constants = append(out.Constants, &pluginpb.ConstantArgument{Index: uint32(a.Index), Value: a.Value})
	}
	for _, f := range c.FuncArgs {
		out.Passed = append(out.Passed, uint32(f))
	}
	return out
}

// validText is a name as a message can hold it: LLVM's may have any bytes.
func validText(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }

// location renders a position; file 0 is none.
func location(l ir.Loc) (file, line, column uint32) {
	return uint32(l.File + 1), uint32(l.Line), uint32(l.Col)
}

// BlockName names a block in errors: "block 3 of main (for.body)".
func BlockName(f *ir.Func, block int) string {
	name := ""
	if n := f.Blocks[block].Name; n != "" {
		name = " (" + n + ")"
	}
	return fmt.Sprintf("block %d of %s%s", block, f.Name, name)
}
