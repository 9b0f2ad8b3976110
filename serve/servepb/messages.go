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

// Description is also the first line that serve writes, as JSON.
type Description struct {
	Schema     string             `protobuf:"1" json:"schema"`
	Bundle     string             `protobuf:"2" json:"bundle"`
	Function   string             `protobuf:"3" json:"function"`
	Platform   string             `protobuf:"4" json:"platform"`
	Processors []*Processor       `protobuf:"5" json:"processors"`
	Overheads  map[string]float64 `protobuf:"11" json:"overheads,omitempty"`
	Sections   []*Section         `protobuf:"6" json:"sections"`
	Regions    []*Region          `protobuf:"7" json:"regions"`
	Loops      []*Loop            `protobuf:"10" json:"loops,omitempty"`
	Techniques []string           `protobuf:"8" json:"techniques"`
	Notes      []string           `protobuf:"9" json:"notes"`
}

type Loop struct {
	Name     string `protobuf:"1" json:"name"`
	Region   int32  `protobuf:"2" json:"region"`
	Number   int32  `protobuf:"3" json:"number"`
	Line     int32  `protobuf:"4" json:"line"`
	Schedule string `protobuf:"5" json:"schedule"`
}

type Processor struct {
	Name     string  `protobuf:"1" json:"name"`
	Model    string  `protobuf:"2" json:"model"`
	ClockMhz float64 `protobuf:"3" json:"clock_mhz"`
	Create   float64 `protobuf:"4" json:"create"`
	Sync     float64 `protobuf:"5" json:"sync"`
}

type Section struct {
	Name      string `protobuf:"1" json:"name"`
	Region    int32  `protobuf:"2" json:"region"`
	Construct int32  `protobuf:"3" json:"construct"`
	Number    int32  `protobuf:"4" json:"number"`
	Line      int32  `protobuf:"5" json:"line"`
}

type Region struct {
	Name     string `protobuf:"1" json:"name"`
	File     string `protobuf:"2" json:"file"`
	Function string `protobuf:"3" json:"function"`
	Line     int32  `protobuf:"4" json:"line"`
	First    int32  `protobuf:"5" json:"first"`
	Sections int32  `protobuf:"6" json:"sections"`
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
