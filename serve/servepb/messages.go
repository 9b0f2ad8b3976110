package servepb

// This file declares the messages of serve.proto, which says what each field is.

import (
	_ "embed"

	"google.golang.org/protobuf/reflect/protoreflect"

	"pathspan/messages"
)

//go:generate protoc -I ../.. -o serve.binpb serve/servepb/serve.proto

//go:embed serve.binpb
var schema []byte

var file = messages.New(schema)

type DescribeRequest struct{}

type Description struct {
	Schema     string       `protobuf:"1"`
	Bundle     string       `protobuf:"2"`
	Function   string       `protobuf:"3"`
	Platform   string       `protobuf:"4"`
	Processors []*Processor `protobuf:"5"`
	Sections   []*Section   `protobuf:"6"`
	Regions    []*Region    `protobuf:"7"`
	Techniques []string     `protobuf:"8"`
	Notes      []string     `protobuf:"9"`
	Loops      []*Loop      `protobuf:"10"`
}

type Loop struct {
	Name     string `protobuf:"1"`
	Region   int32  `protobuf:"2"`
	Number   int32  `protobuf:"3"`
	Line     int32  `protobuf:"4"`
	Schedule string `protobuf:"5"`
}

type Processor struct {
	Name     string  `protobuf:"1"`
	Model    string  `protobuf:"2"`
	ClockMhz float64 `protobuf:"3"`
	Create   float64 `protobuf:"4"`
	Sync     float64 `protobuf:"5"`
}

type Section struct {
	Name      string `protobuf:"1"`
	Region    int32  `protobuf:"2"`
	Construct int32  `protobuf:"3"`
	Number    int32  `protobuf:"4"`
	Line      int32  `protobuf:"5"`
}

type Region struct {
	Name     string `protobuf:"1"`
	File     string `protobuf:"2"`
	Function string `protobuf:"3"`
	Line     int32  `protobuf:"4"`
	First    int32  `protobuf:"5"`
	Sections int32  `protobuf:"6"`
}

type Batch struct {
	Candidates []*Candidate `protobuf:"1"`
}

type Candidate struct {
	Id         string   `protobuf:"1"`
	Sections   []int32  `protobuf:"2"`
	Order      []uint32 `protobuf:"3"`
	Serial     string   `protobuf:"4"`
	Mapping    *Mapping `protobuf:"5"`
	Techniques []string `protobuf:"6"`
}

type Mapping struct {
	Serial  string           `protobuf:"1"`
	Regions []*RegionMapping `protobuf:"2"`
}

type RegionMapping struct {
	Region     string               `protobuf:"1"`
	Processors []*ProcessorSections `protobuf:"2"`
	Loops      []*LoopMapping       `protobuf:"3"`
}

type LoopMapping struct {
	Loop       uint32    `protobuf:"1"`
	Schedule   string    `protobuf:"2"`
	Processors []string  `protobuf:"3"`
	Shares     []float64 `protobuf:"4"`
}

type ProcessorSections struct {
	Processor string   `protobuf:"1"`
	Sections  []string `protobuf:"2"`
}

type Answers struct {
	Answers []*Answer `protobuf:"1"`
}

type Answer struct {
	Id      string    `protobuf:"1"`
	Results []*Result `protobuf:"2"`
	Error   *Error    `protobuf:"3"`
}

type Result struct {
	Technique         string  `protobuf:"1"`
	Speedup           float64 `protobuf:"2"`
	ParallelCycles    float64 `protobuf:"3"`
	SequentialCycles  float64 `protobuf:"4"`
	ParallelSeconds   float64 `protobuf:"5"`
	SequentialSeconds float64 `protobuf:"6"`
}

type Error struct {
	Field   string `protobuf:"1"`
	Message string `protobuf:"2"`
}

func (m *DescribeRequest) ProtoReflect() protoreflect.Message   { return file.Reflect(m) }
func (m *Description) ProtoReflect() protoreflect.Message       { return file.Reflect(m) }
func (m *Loop) ProtoReflect() protoreflect.Message              { return file.Reflect(m) }
func (m *Processor) ProtoReflect() protoreflect.Message         { return file.Reflect(m) }
func (m *Section) ProtoReflect() protoreflect.Message           { return file.Reflect(m) }
func (m *Region) ProtoReflect() protoreflect.Message            { return file.Reflect(m) }
func (m *Batch) ProtoReflect() protoreflect.Message             { return file.Reflect(m) }
func (m *Candidate) ProtoReflect() protoreflect.Message         { return file.Reflect(m) }
func (m *Mapping) ProtoReflect() protoreflect.Message           { return file.Reflect(m) }
func (m *RegionMapping) ProtoReflect() protoreflect.Message     { return file.Reflect(m) }
func (m *LoopMapping) ProtoReflect() protoreflect.Message       { return file.Reflect(m) }
func (m *ProcessorSections) ProtoReflect() protoreflect.Message { return file.Reflect(m) }
func (m *Answers) ProtoReflect() protoreflect.Message           { return file.Reflect(m) }
func (m *Answer) ProtoReflect() protoreflect.Message            { return file.Reflect(m) }
func (m *Result) ProtoReflect() protoreflect.Message            { return file.Reflect(m) }
func (m *Error) ProtoReflect() protoreflect.Message             { return file.Reflect(m) }
