package pluginpb

// This file declares the messages of model.proto, which says what each field is.

import (
	_ "embed"

	"google.golang.org/protobuf/reflect/protoreflect"

	"pathspan/messages"
)

//go:generate protoc -I ../.. -o model.binpb procmodels/pluginpb/model.proto

//go:embed model.binpb
var schema []byte

var file = messages.New(schema, (*PriceRequest_Begin)(nil), (*PriceRequest_Module)(nil), (*PriceRequest_Function)(nil), (*PriceRequest_Blocks)(nil), (*PriceRequest_End)(nil),
	(*PriceReply_Factor)(nil), (*PriceReply_Costs)(nil), (*PriceReply_Done)(nil))

type DescribeRequest struct {
	Parameters map[string]string `protobuf:"1"`
}

type Description struct {
	Name          string       `protobuf:"1"`
	Kind          string       `protobuf:"2"`
	Version       string       `protobuf:"3"`
	Source        string       `protobuf:"4"`
	Notes         string       `protobuf:"5"`
	ClockMhz      float64      `protobuf:"6"`
	Unit          string       `protobuf:"7"`
	Parameters    []*Parameter `protobuf:"8"`
	Overheads     *Overheads   `protobuf:"9"`
	Accuracy      []string     `protobuf:"10"`
	NeedsModule   bool         `protobuf:"11"`
	Additive      bool         `protobuf:"12"`
	NeedsOperands bool         `protobuf:"13"`
}

type Parameter struct {
	Name  string `protobuf:"1"`
	Value string `protobuf:"2"`
	Text  string `protobuf:"3"`
}

type Overheads struct {
	Create float64 `protobuf:"1"`
	Sync   float64 `protobuf:"2"`
}

type PriceRequest struct {
	Part isPriceRequest_Part `protobuf_oneof:"part"`
}

type PriceRequest_Begin struct {
	Begin *Begin `protobuf:"1"`
}

type PriceRequest_Module struct {
	Module []byte `protobuf:"2"`
}

type PriceRequest_Function struct {
	Function *Function `protobuf:"3"`
}

type PriceRequest_Blocks struct {
	Blocks *Blocks `protobuf:"4"`
}

type PriceRequest_End struct {
	End *End `protobuf:"5"`
}

type End struct{}

type Begin struct {
	Parameters map[string]string `protobuf:"1"`
	Triple     string            `protobuf:"2"`
	DataLayout string            `protobuf:"3"`
	Files      []string          `protobuf:"4"`
	Functions  uint64            `protobuf:"5"`
	Blocks     uint64            `protobuf:"6"`
	Operands   bool              `protobuf:"7"`
}

type Function struct {
	Index    uint32 `protobuf:"1"`
	Name     string `protobuf:"2"`
	Blocks   uint32 `protobuf:"3"`
	Source   string `protobuf:"4"`
	File     uint32 `protobuf:"5"`
	Line     uint32 `protobuf:"6"`
	Column   uint32 `protobuf:"7"`
	Exported bool   `protobuf:"8"`
	NoUnwind bool   `protobuf:"9"`
}

type Blocks struct {
	Blocks []*Block `protobuf:"1"`
}

type Block struct {
	Function     uint32         `protobuf:"1"`
	Index        uint32         `protobuf:"2"`
	Name         string         `protobuf:"3"`
	Instructions []*Instruction `protobuf:"4"`
	Successors   []uint32       `protobuf:"5"`
	Predecessors []uint32       `protobuf:"6"`
}

type Instruction struct {
	Opcode   string     `protobuf:"1"`
	Type     string     `protobuf:"2"`
	Call     *Call      `protobuf:"3"`
	File     uint32     `protobuf:"4"`
	Line     uint32     `protobuf:"5"`
	Column   uint32     `protobuf:"6"`
	Operands []*Operand `protobuf:"7"`
	Address  *Address   `protobuf:"8"`
}

type Operand struct {
	Kind  int32  `protobuf:"1"`
	N     int64  `protobuf:"2"`
	Block uint32 `protobuf:"3"`
}

type Address struct {
	Root   int32    `protobuf:"1"`
	Base   *Operand `protobuf:"2"`
	Index  *Operand `protobuf:"3"`
	Scale  int64    `protobuf:"4"`
	Offset int64    `protobuf:"5"`
	Bytes  uint32   `protobuf:"6"`
}

type Call struct {
	Name         string              `protobuf:"1"`
	Defined      bool                `protobuf:"2"`
	Indirect     bool                `protobuf:"3"`
	Constants    []*ConstantArgument `protobuf:"4"`
	Callee       uint32              `protobuf:"5"`
	Passed       []uint32            `protobuf:"6"`
	ReturnsTwice bool                `protobuf:"7"`
	NoReturn     bool                `protobuf:"8"`
	NoUnwind     bool                `protobuf:"9"`
}

type ConstantArgument struct {
	Index uint32 `protobuf:"1"`
	Value int64  `protobuf:"2"`
}

type PriceReply struct {
	Part isPriceReply_Part `protobuf_oneof:"part"`
}

type PriceReply_Factor struct {
	Factor *Factor `protobuf:"1"`
}

type PriceReply_Costs struct {
	Costs *Costs `protobuf:"2"`
}

type PriceReply_Done struct {
	Done *Done `protobuf:"3"`
}

type Factor struct {
	Name    string `protobuf:"1"`
	Bounded bool   `protobuf:"2"`
}

type Costs struct {
	Costs []*BlockCost `protobuf:"1"`
}

type BlockCost struct {
	Function uint32       `protobuf:"1"`
	Block    uint32       `protobuf:"2"`
	Cycles   float64      `protobuf:"3"`
	Best     float64      `protobuf:"4"`
	Worst    float64      `protobuf:"5"`
	After    []*After     `protobuf:"6"`
	Included []uint32     `protobuf:"7"`
	Defaults []*Default   `protobuf:"8"`
	Varies   []*Variation `protobuf:"9"`
}

type After struct {
	Predecessor uint32  `protobuf:"1"`
	Cycles      float64 `protobuf:"2"`
}

type Default struct {
	Reason string  `protobuf:"1"`
	Cycles float64 `protobuf:"2"`
	Count  uint32  `protobuf:"3"`
}

type Variation struct {
	Factor uint32  `protobuf:"1"`
	Down   float64 `protobuf:"2"`
	Up     float64 `protobuf:"3"`
}

type Done struct {
	Warnings []string `protobuf:"1"`
}

// Operand_FROM and Address_STATIC are the last of their kinds that this schema knows.
const (
	Operand_FROM   = 5
	Address_STATIC = 2
)

type isPriceRequest_Part interface{ ofPriceRequest() }

func (*PriceRequest_Begin) ofPriceRequest()    {}
func (*PriceRequest_Module) ofPriceRequest()   {}
func (*PriceRequest_Function) ofPriceRequest() {}
func (*PriceRequest_Blocks) ofPriceRequest()   {}
func (*PriceRequest_End) ofPriceRequest()      {}

type isPriceReply_Part interface{ ofPriceReply() }

func (*PriceReply_Factor) ofPriceReply() {}
func (*PriceReply_Costs) ofPriceReply()  {}
func (*PriceReply_Done) ofPriceReply()   {}

func (m *DescribeRequest) ProtoReflect() protoreflect.Message  { return file.Reflect(m) }
func (m *Description) ProtoReflect() protoreflect.Message      { return file.Reflect(m) }
func (m *Parameter) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Overheads) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *PriceRequest) ProtoReflect() protoreflect.Message     { return file.Reflect(m) }
func (m *End) ProtoReflect() protoreflect.Message              { return file.Reflect(m) }
func (m *Begin) ProtoReflect() protoreflect.Message            { return file.Reflect(m) }
func (m *Function) ProtoReflect() protoreflect.Message         { return file.Reflect(m) }
func (m *Blocks) ProtoReflect() protoreflect.Message           { return file.Reflect(m) }
func (m *Block) ProtoReflect() protoreflect.Message            { return file.Reflect(m) }
func (m *Instruction) ProtoReflect() protoreflect.Message      { return file.Reflect(m) }
func (m *Operand) ProtoReflect() protoreflect.Message          { return file.Reflect(m) }
func (m *Address) ProtoReflect() protoreflect.Message          { return file.Reflect(m) }
func (m *Call) ProtoReflect() protoreflect.Message             { return file.Reflect(m) }
func (m *ConstantArgument) ProtoReflect() protoreflect.Message { return file.Reflect(m) }
func (m *PriceReply) ProtoReflect() protoreflect.Message       { return file.Reflect(m) }
func (m *Factor) ProtoReflect() protoreflect.Message           { return file.Reflect(m) }
func (m *Costs) ProtoReflect() protoreflect.Message            { return file.Reflect(m) }
func (m *BlockCost) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *After) ProtoReflect() protoreflect.Message            { return file.Reflect(m) }
func (m *Default) ProtoReflect() protoreflect.Message          { return file.Reflect(m) }
func (m *Variation) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Done) ProtoReflect() protoreflect.Message             { return file.Reflect(m) }
