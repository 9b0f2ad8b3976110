// Package document gathers what a report says about one program on one platform under
// one mapping: the answer, what it rests on, and what stands in the way of a better one.
//
//	d, err := document.Build(ctx, document.Input{Bundle: b, Name: "app.pspan", Platform: pl})
//	err = d.WriteMarkdown(os.Stdout)
//
// A Document holds content only. WriteJSON and WriteMarkdown are here; report/page makes
// the HTML page of it. Everything is computed by estimate and estimate/pathwise; the
// package chooses, names and orders. Equal inputs give equal documents: it holds neither
// the date nor the place where it was made.
package document

// This file declares the document. Its JSON is described by docs/schema/report-2.schema.json.

import (
	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/estimate/averaged"
	"pathspan/estimate/formula"
	"pathspan/report"
)

// Document is a whole report. Times are in seconds for one execution of Function, cycles
// those of the serial processor, shares between 0 and 1, unless a comment says otherwise.
// Processors are indices into Platform.Processors. Slices are never null in JSON.
type Document struct {
	Schema     string                   `json:"schema" is:"pathspan.report/2"`
	Bundle     string                   `json:"bundle"`   // the file's name, without folder
	Function   string                   `json:"function"` // as people wrote it
	Provenance report.InspectProvenance `json:"provenance"`
	Platform   Platform                 `json:"platform"`
	Mapping    Mapping                  `json:"mapping"`
	Answer     Answer                   `json:"answer"`
	Curve      Curve                    `json:"curve"`
	// WorkSpan holds the program, then its regions that ran.
	WorkSpan []WorkSpan `json:"work_span"`
	// Graphs holds the functions that hold a region and ran.
	Graphs []Graph `json:"graphs"`
	// Timelines holds the sections constructs that ran outside of sections of others, by the
	// answer's technique.
	Timelines   []account.Timeline `json:"timelines"`
	TimelinesBy string             `json:"timelines_by"` // technique
	// Pipelines are those of the program's plan, by executions.
	Pipelines []report.PipelineEstimate `json:"pipelines,omitempty"`
	Paths     []Path                    `json:"paths"` // largest share first
	PathsLeft int                       `json:"paths_left"`
	// Losses is what `pathspan why` prints; its correlation is
	// the gap between techniques. It is the account of Mapping.
	Losses   *report.Losses `json:"losses"`
	Defaults []Default      `json:"defaults"`
	// Unattributed lists what ran outside Function, where that is the program's main.
	Unattributed []estimate.Unattributed `json:"unattributed"`
	Notes        []string                `json:"notes"`
	Sources      []Source                `json:"sources"`
	// Formula computes the estimates anew for other overheads and clocks
	// (estimate/formula). It is absent where the program has no region that ran.
	Formula *formula.Formula `json:"formula,omitempty"`
}

// Platform is what the program is estimated on.
type Platform struct {
	Name       string      `json:"name"`
	File       string      `json:"file"` // "" for equal processors
	Processors []Processor `json:"processors"`
	// Overheads are those beside create and sync that the platform gives.
	Overheads []Overhead `json:"overheads,omitempty"`
	// Memory says what caches, memories and links it has, a line each.
	Memory []string `json:"memory,omitempty"`
}

// Overhead is what something costs on any processor.
type Overhead struct {
	Key    string  `json:"key"` // in platform files
	What   string  `json:"what"`
	Cycles float64 `json:"cycles"`
}

// Processor is a processor of the platform.
type Processor struct {
	Name     string  `json:"name"`
	Model    string  `json:"model"`
	ClockMHz float64 `json:"clock_mhz"`
	Create   float64 `json:"create_cycles"` // its own cycles, for each sections construct
	Sync     float64 `json:"sync_cycles"`
}

// Mapping says where sections run. Regions that never ran are in it.
type Mapping struct {
	Name    string         `json:"name"` // of the file, or what mapping.DefaultName says
	Serial  int            `json:"serial"`
	Regions []MappedRegion `json:"regions"`
}

// MappedRegion is a parallel region.
type MappedRegion struct {
	Name     string          `json:"name"`
	Function string          `json:"function"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	Explicit bool            `json:"explicit"` // the mapping names it
	Ran      bool            `json:"ran"`
	Sections []MappedSection `json:"sections"` // construct by construct, in the order in which a processor runs them
}

// MappedSection is a section and its processor.
type MappedSection struct {
	Name      string `json:"name"`
	Construct int    `json:"construct"`
	Section   int    `json:"section"` // index in its construct
	Line      int    `json:"line"`    // 0 when unknown
	Processor int    `json:"processor"`
	// Schedule is how a worksharing loop shares its iterations, of the thread of one; "" for
	// sections.
	Schedule string `json:"schedule,omitempty"`
}

// Answer is what people came for.
type Answer struct {
	Technique         string  `json:"technique"` // "eb", or another of estimate --technique
	Speedup           float64 `json:"speedup"`
	SequentialSeconds float64 `json:"sequential_seconds"`
	ParallelSeconds   float64 `json:"parallel_seconds"`
	// Interval is that of Speedup under uncertain costs; absent where costs are exact.
	Interval *estimate.Interval `json:"interval,omitempty"`
	Sampling *report.Sampling   `json:"sampling,omitempty"`
	Models   []string           `json:"models"`
	// KnownError is that of Technique by the accuracy ledger; absent where the ledger
	// does not have it, or where executions tell how techniques differ on this program.
	KnownError *report.TechniqueAccuracy `json:"known_error,omitempty"`
	// Estimates holds all techniques, Technique first.
	Estimates  []estimate.Result          `json:"estimates"`
	Techniques []report.TechniqueAccuracy `json:"techniques"`
	// Averaged says where PB parts from EB, and what is averaged there; absent where they
	// agree.
	Averaged *averaged.Part         `json:"averaged,omitempty"`
	Accuracy []report.ModelAccuracy `json:"accuracy"` // what models say of themselves
	// DefaultCostShare is the share of the sequential cycles that rests on default costs.
	DefaultCostShare float64 `json:"default_cost_share"`
	// Apart says that the answer is not that of PB, which a part of the document shows; ""
	// where they agree.
	Apart string `json:"apart"`
}

// Curve is the speed-up against processors. Its mapping is OpenMP's static schedule on
// each number of processors; what Mapping gives is in Answer.
type Curve struct {
	Basis  string       `json:"basis"` // which processors are taken, one line
	Points []CurvePoint `json:"points"`
}

// CurvePoint is one number of processors. All have the same techniques, that of the answer
// first if it has a curve.
type CurvePoint struct {
	Processors int                `json:"processors"`
	Speedups   []TechniqueSpeedup `json:"speedups"`
	// Amdahl and Span are what no mapping exceeds: as far as serial code goes, and by the
	// number of processors and the parallelism of work and span. Burdened is Cilkview's
	// lower estimate from work and burdened span. All assume processors like the serial one,
	// and spans are those of paths: EB, which knows more, can lie above them.
	Amdahl   float64 `json:"amdahl"`
	Span     float64 `json:"span"`
	Burdened float64 `json:"burdened"`
}

// TechniqueSpeedup is what a technique gives.
type TechniqueSpeedup struct {
	Technique string  `json:"technique"`
	Speedup   float64 `json:"speedup"`
}

// WorkSpan is the work and the span of the program, or of a region.
type WorkSpan struct {
	account.WorkSpan
	// Within says that executions of the region lie within each other, so that their work and
	// spans add up to more than there is.
	Within bool `json:"within_each_other,omitempty"`
}

// Graph holds the hierarchical task graph of a function: its body, and those of its loops
// that reach a region.
type Graph struct {
	Function string `json:"function"` // as people wrote it
	Symbol   string `json:"symbol"`   // as the linker knows it
	Index    int    `json:"index"`    // of the function in the bundle's program
	File     string `json:"file"`     // "" when unknown
	Line     int    `json:"line"`
	// ShareOf names the function where it calls itself: calls lie within each other, so that
	// shares are parts of the time of its calls, not of the whole.
	ShareOf string       `json:"share_of,omitempty"`
	Levels  []GraphLevel `json:"levels"`
}

// GraphLevel is the task graph of one level.
type GraphLevel struct {
	Level   int          `json:"level"`   // 0: the function's body, N: loop N of inspect
	Loop    string       `json:"loop"`    // file:line of the loop, "" for the body
	Entries float64      `json:"entries"` // calls of the function, or entries of the loop
	Tasks   []Task       `json:"tasks"`   // the first is the entry, the last the exit
	Edges   []Edge       `json:"edges"`
	Groups  []GraphGroup `json:"groups"`
}

// Task is a node. Times are those of the sequential program, on the serial processor, and
// include the loops and the called functions in it.
type Task struct {
	Label string `json:"label"` // "Task2a", as the paper prints them
	Name  string `json:"name"`
	Kind  string `json:"kind"` // entry, simple, compound, loop or exit
	File  string `json:"file"` // "" when unknown
	// Line to LastLine is the stretch of lines that it begins with, of a loop all of its
	// lines; 0 when unknown. Lines holds all stretches, ascending, those of functions that
	// were inlined from the same file among them.
	Line      int         `json:"line"`
	LastLine  int         `json:"last_line"`
	Lines     []LineRange `json:"lines"`
	CodeOf    string      `json:"code_of,omitempty"` // where no line is known: the header whose code it is, "<vector>"
	Body      int         `json:"body"`              // level of the loop that it is, 0 for none
	Processor int         `json:"processor"`         // that runs it under Mapping
	Cycles    float64     `json:"cycles"`            // all executions, cycles of the serial processor
	Seconds   float64     `json:"seconds"`
	// Share is a part of the sequential time, in a Graph with ShareOf of that of all calls.
	Share   float64 `json:"share"`
	Group   int     `json:"group"`   // the innermost one of its level, -1 for serial code
	Section int     `json:"section"` // place in the group's sections, or -1
}

// Edge is a precedence between tasks of a level.
type Edge struct {
	From int `json:"from"`
	To   int `json:"to"`
	// Bytes are what one execution of the section at its end reads of what others wrote, or they of it: distinct ones,
	// 0 where there are none or nobody knows.
	Bytes float64 `json:"bytes,omitempty"`
}

// GraphGroup is a sections construct in a level.
type GraphGroup struct {
	Name     string         `json:"name"` // of the region
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Region   int            `json:"region"` // index into Mapping.Regions
	Index    int            `json:"construct"`
	Parent   int            `json:"parent"` // group around it, -1 for none
	Fork     int            `json:"fork"`   // tasks before and after
	Join     int            `json:"join"`
	Sections []GraphSection `json:"sections"`
}

// GraphSection is a section in a level.
type GraphSection struct {
	Name      string `json:"name"`
	Line      int    `json:"line"`
	Processor int    `json:"processor"`
	Tasks     []int  `json:"tasks"`
}

// Path is the executed paths of a level that run through a sections construct, over the same
// lines, and end alike. Its time is that under Mapping, loops and called functions in it
// included, so that shares of paths of different levels overlap.
type Path struct {
	Function string  `json:"function"` // as people wrote it
	Symbol   string  `json:"symbol"`   // as the linker knows it
	Level    int     `json:"level"`
	Loop     string  `json:"loop"`
	ID       uint64  `json:"id,string"` // of the one with the most time
	Count    float64 `json:"count"`     // executions per execution of Document.Function
	End      string  `json:"end"`       // as inspect calls it
	Seconds  float64 `json:"seconds"`   // of all executions, added up also where some run at the same time
	// Share is a part of the parallel time or, where ShareOf names the function, of the time
	// of all its calls: executions of a function that calls itself, or is called in sections,
	// lie within each other or run at the same time, so that no part of the whole is theirs.
	Share   float64 `json:"share"`
	ShareOf string  `json:"share_of,omitempty"`
	// Ways are the paths of which it is more than one, largest first, some of them in the same
	// order: those part within a line. WaysLeft is how many more there are.
	Ways     []PathWay `json:"ways"`
	WaysLeft int       `json:"ways_left,omitempty"`
	// Lines are the source lines that it runs (the largest of the ways), runs of them as one range, in the order of
	// the path; Text is the same in short, loops as L12*.
	Lines []LineRange `json:"lines"`
	Text  string      `json:"text"`
	// Only is Text without the lines that all of Document.Paths of its level run: what sets
	// the path apart. It is "" where it is the only one, or runs nothing else.
	Only string `json:"only"`
}

// PathWay is one of several paths over the same lines.
type PathWay struct {
	ID      uint64  `json:"id,string"`
	Count   float64 `json:"count"`
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"` // of the Path's seconds
	Text    string  `json:"text"`  // as Path.Text
}

// LineRange is a stretch of source lines of one file.
type LineRange struct {
	File  string `json:"file"`
	First int    `json:"first"`
	Last  int    `json:"last"`
	Loop  bool   `json:"loop"` // a loop stands here, whose iterations have paths of their own
}

// Default is something that nobody said and that the figures rest on.
type Default struct {
	Kind   string  `json:"kind"` // function, processors, model, mapping, technique, clock, overheads, samples or cost
	What   string  `json:"what"`
	Value  string  `json:"value"`
	Share  float64 `json:"share"`  // of the sequential cycles, for costs
	Count  float64 `json:"count"`  // executions concerned, for costs
	Change string  `json:"change"` // how to say something else
}

// Source is a source file of the program.
type Source struct {
	File   string `json:"file"` // as tasks, paths and regions name it
	SHA256 string `json:"sha256"`
	// Text is the file as it was profiled, absent where it cannot be read now, or has
	// changed; Why then says which.
	Text string `json:"text,omitempty"`
	Why  string `json:"why,omitempty"`
}
