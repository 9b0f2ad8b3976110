package ledger

// This file declares the ledger, its rows and their order.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Schema names the format.
const Schema = "pathspan.accuracy/1"

// The references that pathspan makes itself. Others go by the source that their file
// names.
const (
	Replay   = "replay"   // exact for the cost model (package replay)
	Measured = "measured" // parallel runs on a machine (package measure)
)

// Ledger is the result of a validation.
type Ledger struct {
	Schema    string `json:"schema"`
	Toolchain string `json:"toolchain"` // the compiler, as it names itself
	Target    string `json:"target"`    // the triple that modules were compiled for
	// Programs says what is known of the programs, by name.
	Programs []Program `json:"programs"`
	Rows     []Row     `json:"rows"`
	// Regions says where the difference between PB and replay comes from.
	Regions []Region `json:"regions"`
	// Winners says whether estimates rank the runs of other references than replay right.
	Winners []Winners `json:"winners,omitempty"`
}

// Program is a program of the ledger.
type Program struct {
	Name       string `json:"name"`
	Group      string `json:"group"`          // "paper", "own", "given"
	Half       string `json:"half,omitempty"` // "making": models may be made with its figures; "judging": they may not
	Correlated bool   `json:"correlated"`     // the times of its sections depend on each other
	// Lost names approximations of PB that are known to lose some of the correlation.
	Lost []string `json:"lost,omitempty"`
}

// Row compares one estimate with one reference. Cycles are those of the processor that
// runs what is outside sections; a figure that is not known is 0 and left out.
type Row struct {
	Program    string `json:"program"`
	Size       string `json:"size"`
	Level      string `json:"level"` // of optimisation: 0, 1, 2, 3 or s
	Processors int    `json:"processors"`
	Mapping    string `json:"mapping,omitempty"` // the file that says where sections go; "" for OpenMP's static schedule
	Technique  string `json:"technique"`
	Reference  string `json:"reference"`      // Replay, Measured or a source
	Model      string `json:"model"`          // that priced the program
	Host       string `json:"host,omitempty"` // that ran it; "" where it does not matter

	Memory bool `json:"memory,omitempty"` // the estimate has what accesses wait for on a platform with memory

	// Create and Sync are the overheads that the estimate has, of a region and processor.
	Create float64 `json:"create_cycles"`
	Sync   float64 `json:"sync_cycles"`

	Speedup          float64 `json:"speedup"`           // estimated
	ReferenceSpeedup float64 `json:"reference_speedup"` // sequential by parallel time of the reference
	Error            float64 `json:"error"`             // Speedup / ReferenceSpeedup - 1
	ParallelError    float64 `json:"parallel_error"`    // the same of the parallel time
	SequentialError  float64 `json:"sequential_error"`  // the same of the sequential time: the model's error

	SequentialCycles           float64 `json:"sequential_cycles"`
	ParallelCycles             float64 `json:"parallel_cycles"`
	SequentialSeconds          float64 `json:"sequential_seconds"`
	ParallelSeconds            float64 `json:"parallel_seconds"`
	ReferenceSequentialCycles  float64 `json:"reference_sequential_cycles,omitempty"`
	ReferenceParallelCycles    float64 `json:"reference_parallel_cycles,omitempty"`
	ReferenceSequentialSeconds float64 `json:"reference_sequential_seconds,omitempty"`
	ReferenceParallelSeconds   float64 `json:"reference_parallel_seconds,omitempty"`
	ReferenceSpread            float64 `json:"reference_spread,omitempty"` // of measured times, sequential or parallel, the larger: middle half by median

	// Shares says where Error and SequentialError come from, of other references than replay.
	Shares []Share `json:"shares,omitempty"`
	// OverheadFactor is by what all overheads have to be multiplied for replay to come nearest
	// to the reference over all programs, where these tell it.
	OverheadFactor float64 `json:"overhead_factor,omitempty"`
}

// Region says what PB averages in the sections of a region, and how far its estimate of
// the region lies from replay, on Processors processors.
type Region struct {
	Program    string `json:"program"`
	Size       string `json:"size"`
	Level      string `json:"level"`
	Processors int    `json:"processors"`
	Model      string `json:"model"`
	Region     string `json:"region"`
	// Difference is that of the parallel cycles of the program with this region alone in
	// parallel: PB less replay, as a share of replay's.
	Difference float64 `json:"difference"`
	// SectionShare is the share of the sequential cycles that is spent in its sections.
	SectionShare float64 `json:"section_share"`
	// Causes are shares of the cycles in its sections, largest first. What is missing to 1
	// is kept exactly: it lies on the paths themselves, or always costs the same.
	Causes []Cause `json:"causes"`
}

// Cause is something in sections that counts with an average.
type Cause struct {
	Kind  string  `json:"kind"` // loop, callee, recursion, nested, cut
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	// Sections is how many sections of the region it is in. A callee that several share
	// costs the same in all of them, whatever each makes of it.
	Sections int `json:"sections"`
}

// The kinds of causes.
const (
	Loop      = "loop"      // counts with its average trips and iteration
	Callee    = "callee"    // counts with its average over all calls
	Recursion = "recursion" // a callee that is recursive
	Nested    = "nested"    // reaches a region of its own, whose average counts
	Cut       = "cut"       // paths of the level are cut or counted apart
)

// Finish computes the errors of a row from its times. Where the reference has cycles
// they are compared, else seconds. The speed-up of the reference may be given without
// times; then only it is compared.
func (r *Row) Finish() {
	seq, par := r.ReferenceSequentialCycles, r.ReferenceParallelCycles
	ownSeq, ownPar := r.SequentialCycles, r.ParallelCycles
	if seq == 0 || par == 0 {
		seq, par = r.ReferenceSequentialSeconds, r.ReferenceParallelSeconds
		ownSeq, ownPar = r.SequentialSeconds, r.ParallelSeconds
	}
	if par > 0 {
		r.ReferenceSpeedup = seq / par
		r.ParallelError = ownPar/par - 1
	}
	if seq > 0 {
		r.SequentialError = ownSeq/seq - 1
	}
	if r.ReferenceSpeedup > 0 {
		r.Error = r.Speedup/r.ReferenceSpeedup - 1
	}
	for _, x := range r.figures() {
		*x = digits(*x)
	}
}

func (r *Row) figures() []*float64 {
	return []*float64{&r.Create, &r.Sync, &r.Speedup, &r.ReferenceSpeedup, &r.Error, &r.ParallelError, &r.SequentialError,
		&r.SequentialCycles, &r.ParallelCycles, &r.SequentialSeconds, &r.ParallelSeconds,
		&r.ReferenceSequentialCycles, &r.ReferenceParallelCycles, &r.ReferenceSequentialSeconds, &r.ReferenceParallelSeconds, &r.ReferenceSpread}
}

// digits keeps ten digits and nothing below a billionth of one, which is where
// machines that fuse operations differ from those that do not.
func digits(x float64) float64 {
	if math.Abs(x) < 1e-10 {
		return 0
	}
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 10, 64), 64)
	return y
}

// Sort puts the ledger in its order and rounds what Finish does not.
func (l *Ledger) Sort() {
	slices.SortFunc(l.Programs, func(a, b Program) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(l.Rows, func(a, b Row) int { return compareKeys(a.Key(), b.Key()) })
	slices.SortFunc(l.Regions, func(a, b Region) int {
		return cmp.Or(cmp.Compare(a.Program, b.Program), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Level, b.Level),
			cmp.Compare(a.Processors, b.Processors), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Region, b.Region))
	})
	for i := range l.Regions {
		r := &l.Regions[i]
		r.Difference, r.SectionShare = digits(r.Difference), digits(r.SectionShare)
		for k := range r.Causes {
			r.Causes[k].Share = digits(r.Causes[k].Share)
		}
	}
}

// Key identifies a row.
type Key struct {
	Program, Size, Level string
	Processors           int
	Mapping              string
	Technique, Reference string
	Model, Host          string
}

// String names the row.
func (k Key) String() string {
	s := fmt.Sprintf("%s %s -O%s, %d processors, %s against %s, model %s", k.Program, k.Size, k.Level, k.Processors, k.Technique, k.Reference, k.Model)
	if k.Host != "" {
		s += " on " + k.Host
	}
	if k.Mapping != "" {
		s += ", mapping " + k.Mapping
	}
	return s
}

// Key returns what identifies the row.
func (r *Row) Key() Key {
	return Key{r.Program, r.Size, r.Level, r.Processors, r.Mapping, r.Technique, r.Reference, r.Model, r.Host}
}

func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Program, b.Program), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Processors, b.Processors),
		cmp.Compare(a.Mapping, b.Mapping), cmp.Compare(a.Reference, b.Reference), cmp.Compare(a.Technique, b.Technique), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Host, b.Host))
}

// Program returns what is known of a program, nil when the ledger does not list it.
func (l *Ledger) Program(name string) *Program {
	for i := range l.Programs {
		if l.Programs[i].Name == name {
			return &l.Programs[i]
		}
	}
	return nil
}
