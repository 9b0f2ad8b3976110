package bundlepb

// This file declares the messages of bundle.proto, which says what each field is.

import (
	_ "embed"

	"google.golang.org/protobuf/reflect/protoreflect"

	"pathspan/messages"
)

//go:generate protoc -I ../.. -o bundle.binpb profile/bundlepb/bundle.proto

//go:embed bundle.binpb
var schema []byte

var file = messages.New(schema)

type Bundle struct {
	Format      uint32         `protobuf:"1"`
	Provenance  *Provenance    `protobuf:"2"`
	Program     *Program       `protobuf:"3"`
	Funcs       []*FuncProfile `protobuf:"4"`
	CallTargets []*CallTarget  `protobuf:"5"`
	Module      []byte         `protobuf:"6"`
	Notes       []string       `protobuf:"7"`
	Lost        []*Lost        `protobuf:"9"`
	Memory      *Memory        `protobuf:"11"`
	Branches    []*Foretold    `protobuf:"13"`
	Flow        *Flow          `protobuf:"12"`
	Executions  *Executions    `protobuf:"10"`
}

type Provenance struct {
	Tool       string     `protobuf:"1"`
	Clang      string     `protobuf:"2"`
	OptLevel   string     `protobuf:"3"`
	Flags      []string   `protobuf:"4"`
	Sources    []*Source  `protobuf:"5"`
	Runs       []*Run     `protobuf:"6"`
	ModuleHash []byte     `protobuf:"7"`
	Foreign    []*Foreign `protobuf:"8"`
	Plan       *Plan      `protobuf:"9"`
}

type Plan struct {
	Name   string    `protobuf:"1"`
	Text   string    `protobuf:"2"`
	Marked []*Source `protobuf:"3"`
}

type Foreign struct {
	Name      string   `protobuf:"1"`
	Bytes     uint64   `protobuf:"2"`
	Of        uint64   `protobuf:"3"`
	Why       string   `protobuf:"4"`
	Functions []string `protobuf:"5"`
}

type Source struct {
	Name   string `protobuf:"1"`
	Sha256 []byte `protobuf:"2"`
}

type Run struct {
	Arguments  []string `protobuf:"1"`
	ExitStatus int32    `protobuf:"2"`
	Signal     int32    `protobuf:"3"`
	Counted    uint64   `protobuf:"4"`
	Inside     *Mark    `protobuf:"5"`
}

type Memory struct {
	Places    []int64  `protobuf:"1"`
	Loops     []int64  `protobuf:"2"`
	Lanes     []int64  `protobuf:"3"`
	Objects   []int64  `protobuf:"4"`
	Paths     []int64  `protobuf:"5"`
	Guards    []int64  `protobuf:"6"`
	Foreign   []int64  `protobuf:"7"`
	Flows     []int64  `protobuf:"8"`
	Writes    []int64  `protobuf:"9"`
	Carried   []int64  `protobuf:"10"`
	Reuse     []int64  `protobuf:"11"`
	Spans     []int64  `protobuf:"12"`
	Names     []string `protobuf:"13"`
	Shared    []int64  `protobuf:"14"`
	Sets      []int64  `protobuf:"15"`
	Between   []int64  `protobuf:"16"`
	Nearest   []int64  `protobuf:"17"`
	SetReads  []int64  `protobuf:"18"`
	Fresh     []int64  `protobuf:"19"`
	FreshLast []int64  `protobuf:"20"`
	Taken     []int64  `protobuf:"21"`
}

type Flow struct {
	Funcs      []uint32 `protobuf:"1"`
	Callers    []uint32 `protobuf:"2"`
	Files      []uint32 `protobuf:"3"`
	Lines      []uint32 `protobuf:"4"`
	Cols       []uint32 `protobuf:"5"`
	Names      []string `protobuf:"6"`
	Executions []byte   `protobuf:"7"`
	Omitted    uint64   `protobuf:"8"`
	Overwrites []uint64 `protobuf:"10"`
	Sized      bool     `protobuf:"9"`
}

type Program struct {
	Triple     string      `protobuf:"1"`
	DataLayout string      `protobuf:"2"`
	Files      []string    `protobuf:"3"`
	Regions    []*Region   `protobuf:"4"`
	Strings    []string    `protobuf:"5"`
	Funcs      []*Func     `protobuf:"6"`
	Inlined    []string    `protobuf:"7"`
	Tasks      []*Task     `protobuf:"8"`
	Locks      []string    `protobuf:"9"`
	Pipelines  []*Pipeline `protobuf:"10"`
	Scopes     []*Scope    `protobuf:"20"`
}

type Scope struct {
	Name   string `protobuf:"1"`
	Loc    *Loc   `protobuf:"2"`
	Parent uint32 `protobuf:"3"`
	Call   *Loc   `protobuf:"4"`
}

type Region struct {
	Name       string       `protobuf:"1"`
	File       string       `protobuf:"2"`
	Function   string       `protobuf:"3"`
	Line       int32        `protobuf:"4"`
	Col        int32        `protobuf:"5"`
	NumThreads int32        `protobuf:"6"`
	Constructs []*Construct `protobuf:"7"`
}

type Construct struct {
	Line     int32      `protobuf:"1"`
	NoWait   bool       `protobuf:"2"`
	Sections []*Section `protobuf:"3"`
	Loop     *Loop      `protobuf:"4"`
	Single   bool       `protobuf:"5"`
	Reduces  bool       `protobuf:"6"`
}

type Task struct {
	Name     string `protobuf:"1"`
	File     string `protobuf:"2"`
	Function string `protobuf:"3"`
	Line     int32  `protobuf:"4"`
	Untied   bool   `protobuf:"5"`
	Priority bool   `protobuf:"6"`
	Col      int32  `protobuf:"7"`
}

type Pipeline struct {
	Name     string   `protobuf:"1"`
	File     string   `protobuf:"2"`
	Function string   `protobuf:"3"`
	Line     int32    `protobuf:"4"`
	Depths   []uint32 `protobuf:"5"`
	Stages   []*Stage `protobuf:"6"`
}

type Stage struct {
	Task      uint32 `protobuf:"1"`
	Name      string `protobuf:"2"`
	Stateless bool   `protobuf:"3"`
}

type Loop struct {
	Schedule  uint32 `protobuf:"1"`
	Chunk     int64  `protobuf:"2"`
	Ordered   bool   `protobuf:"3"`
	Monotonic bool   `protobuf:"4"`
}

type Section struct {
	Name string `protobuf:"1"`
	Line int32  `protobuf:"2"`
}

type Func struct {
	Name        string   `protobuf:"1"`
	Source      string   `protobuf:"2"`
	Loc         *Loc     `protobuf:"3"`
	Exported    bool     `protobuf:"4"`
	NoUnwind    bool     `protobuf:"5"`
	Blocks      []*Block `protobuf:"6"`
	IntoCounts  []uint32 `protobuf:"7"`
	IntoLines   []uint32 `protobuf:"8"`
	ScopeCounts []uint32 `protobuf:"20"`
	Scopes      []uint32 `protobuf:"21"`
	LoopBlocks  []uint32 `protobuf:"22"`
	LoopLocs    []*Loc   `protobuf:"23"`
	LoopEnds    []uint32 `protobuf:"24"`
	LoopWords   []uint32 `protobuf:"25"`
	LoopLabels  []string `protobuf:"26"`
}

type Loc struct {
	File int32 `protobuf:"1"`
	Line int32 `protobuf:"2"`
	Col  int32 `protobuf:"3"`
}

type Block struct {
	Name    string   `protobuf:"1"`
	Succs   []uint32 `protobuf:"2"`
	Mark    *Mark    `protobuf:"3"`
	Ops     []uint32 `protobuf:"4"`
	Types   []uint32 `protobuf:"5"`
	Files   []uint32 `protobuf:"6"`
	Lines   []uint32 `protobuf:"7"`
	Cols    []uint32 `protobuf:"8"`
	Calls   []*Call  `protobuf:"9"`
	Locking uint32   `protobuf:"10"`
	Atomics []uint32 `protobuf:"11"`
}

type Call struct {
	Instr        uint32   `protobuf:"1"`
	Callee       uint32   `protobuf:"2"`
	Name         uint32   `protobuf:"3"`
	Indirect     bool     `protobuf:"4"`
	ReturnsTwice bool     `protobuf:"5"`
	NoReturn     bool     `protobuf:"6"`
	NoUnwind     bool     `protobuf:"7"`
	FuncArgs     []uint32 `protobuf:"8"`
	ConstArgs    []uint32 `protobuf:"9"`
	ConstValues  []int64  `protobuf:"10"`
}

type Mark struct {
	Kind      uint32 `protobuf:"1"`
	Region    uint32 `protobuf:"2"`
	Construct uint32 `protobuf:"3"`
	Section   uint32 `protobuf:"4"`
}

type FuncProfile struct {
	Func   uint32   `protobuf:"1"`
	Levels []*Level `protobuf:"2"`
}

type Level struct {
	Loop        int32    `protobuf:"1"`
	MaxTrips    uint64   `protobuf:"2"`
	MaxKnown    bool     `protobuf:"3"`
	StaticPaths uint64   `protobuf:"4"`
	Hashed      bool     `protobuf:"5"`
	Collapsed   bool     `protobuf:"6"`
	Degraded    bool     `protobuf:"7"`
	Cuts        []uint32 `protobuf:"8"`
	Paths       []*Path  `protobuf:"9"`
}

type Path struct {
	End   uint32  `protobuf:"1"`
	Id    uint64  `protobuf:"2"`
	Count uint64  `protobuf:"3"`
	Steps []int32 `protobuf:"4"`
	Edge  uint32  `protobuf:"5"`
}

type Lost struct {
	Func        uint32 `protobuf:"1"`
	Activations uint64 `protobuf:"2"`
}

type CallTarget struct {
	Func   uint32 `protobuf:"1"`
	Block  uint32 `protobuf:"2"`
	Instr  uint32 `protobuf:"3"`
	Target uint32 `protobuf:"4"`
	Count  uint64 `protobuf:"5"`
}

type Foretold struct {
	Func   uint32 `protobuf:"1"`
	Block  uint32 `protobuf:"2"`
	Way    uint32 `protobuf:"3"`
	Wrong  uint64 `protobuf:"4"`
	Times  uint64 `protobuf:"5"`
	Select uint32 `protobuf:"6"`
}

type Executions struct {
	Kinds      []string   `protobuf:"1"`
	Vectors    []*Vectors `protobuf:"2"`
	Grid       uint32     `protobuf:"3"`
	Depth      uint32     `protobuf:"4"`
	Scale      uint32     `protobuf:"5"`
	Regions    []uint32   `protobuf:"6"`
	Constructs []uint32   `protobuf:"7"`
	Roots      []uint64   `protobuf:"8"`
	Lanes      []uint32   `protobuf:"9"`
	Children   []uint32   `protobuf:"10"`
	Times      []uint64   `protobuf:"11"`
	Sums       []uint64   `protobuf:"12"`
	Weights    []uint32   `protobuf:"13"`
	LocksOfOne uint32     `protobuf:"14"`
}

type Vectors struct {
	Func   uint32   `protobuf:"1"`
	Counts []uint32 `protobuf:"2"`
}

type Template struct {
	Bundle        *Bundle  `protobuf:"1"`
	ArrayLimit    uint64   `protobuf:"2"`
	NodeLimit     uint64   `protobuf:"3"`
	Threads       bool     `protobuf:"4"`
	Layout        []byte   `protobuf:"5"`
	SiteFuncs     []uint32 `protobuf:"6"`
	SiteBlocks    []uint32 `protobuf:"7"`
	SiteNths      []uint32 `protobuf:"8"`
	Targets       []uint32 `protobuf:"9"`
	CompactModule []byte   `protobuf:"10"`
	Files         []uint32 `protobuf:"11"`
	Lines         []int32  `protobuf:"12"`
	Cols          []uint32 `protobuf:"13"`
}

func (m *Bundle) ProtoReflect() protoreflect.Message      { return file.Reflect(m) }
func (m *Provenance) ProtoReflect() protoreflect.Message  { return file.Reflect(m) }
func (m *Plan) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Foreign) ProtoReflect() protoreflect.Message     { return file.Reflect(m) }
func (m *Source) ProtoReflect() protoreflect.Message      { return file.Reflect(m) }
func (m *Run) ProtoReflect() protoreflect.Message         { return file.Reflect(m) }
func (m *Memory) ProtoReflect() protoreflect.Message      { return file.Reflect(m) }
func (m *Flow) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Program) ProtoReflect() protoreflect.Message     { return file.Reflect(m) }
func (m *Scope) ProtoReflect() protoreflect.Message       { return file.Reflect(m) }
func (m *Region) ProtoReflect() protoreflect.Message      { return file.Reflect(m) }
func (m *Construct) ProtoReflect() protoreflect.Message   { return file.Reflect(m) }
func (m *Task) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Pipeline) ProtoReflect() protoreflect.Message    { return file.Reflect(m) }
func (m *Stage) ProtoReflect() protoreflect.Message       { return file.Reflect(m) }
func (m *Loop) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Section) ProtoReflect() protoreflect.Message     { return file.Reflect(m) }
func (m *Func) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Loc) ProtoReflect() protoreflect.Message         { return file.Reflect(m) }
func (m *Block) ProtoReflect() protoreflect.Message       { return file.Reflect(m) }
func (m *Call) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Mark) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *FuncProfile) ProtoReflect() protoreflect.Message { return file.Reflect(m) }
func (m *Level) ProtoReflect() protoreflect.Message       { return file.Reflect(m) }
func (m *Path) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *Lost) ProtoReflect() protoreflect.Message        { return file.Reflect(m) }
func (m *CallTarget) ProtoReflect() protoreflect.Message  { return file.Reflect(m) }
func (m *Foretold) ProtoReflect() protoreflect.Message    { return file.Reflect(m) }
func (m *Executions) ProtoReflect() protoreflect.Message  { return file.Reflect(m) }
func (m *Vectors) ProtoReflect() protoreflect.Message     { return file.Reflect(m) }
func (m *Template) ProtoReflect() protoreflect.Message    { return file.Reflect(m) }
