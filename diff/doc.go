// Package diff says what changed between two profiles of a program, or between two
// results that pathspan printed as JSON:
//
//	d, err := diff.Bundles(ctx, before, after, diff.Options{Platforms: platforms})
//	err = d.Text(os.Stdout, 5, diff.Paint{})
//	failed := d.Above(0.03, false) // figures that got worse by more than 3 %
//
// The profiles may be of two versions of the source, of two compilers or of two inputs.
// Functions are matched by name, regions by name or by their order in a function, and
// lines of a changed function by what they compute, so that paths are matched by the
// lines they run and not by their numbers. Results are matched by their keys, and entries
// of their lists by what names them: technique, processors, mapping and so on.
//
// It does not read sources, which bundles do not hold, and does not say why something
// changed.
package diff

// This file declares what a comparison finds.

// Diff is what differs between two inputs, a and b. Lists hold only what differs, the
// biggest changes first.
type Diff struct {
	Schema string `json:"schema" is:"pathspan.diff/1"`
	Kind   string `json:"kind"` // "bundle", or the schema of the results without its version
	A      string `json:"a"`    // names of the inputs
	B      string `json:"b"`
	Equal  bool   `json:"equal"` // nothing differs
	// Figures are compared one by one, equal ones included.
	Figures []Figure `json:"figures"`

	// Of bundles:
	Model      string       `json:"model,omitempty"` // that cycles are of
	Build      []Change     `json:"build,omitempty"` // sources, compiler, flags, runs
	Functions  []Function   `json:"functions,omitempty"`
	Lines      []Line       `json:"lines,omitempty"`
	Paths      []Path       `json:"paths,omitempty"`
	Executions []Executions `json:"executions,omitempty"`

	// Of results:
	Values []Value `json:"values,omitempty"` // what is no figure

	Limit *Limit   `json:"limit,omitempty"` // of Above, when it was asked
	Notes []string `json:"notes"`

	cycles float64 // of all functions in a, in b where a has none: what effects are parts of
	legend string  // of the techniques that figures name, "" for none
}

// Figure is one number of both inputs.
type Figure struct {
	Name string  `json:"name"` // "speed-up", "parallel time"
	Of   string  `json:"of"`   // what it is of: technique, processors, mapping; "" for all
	Unit string  `json:"unit"` // "cycles", "seconds", "J", "" for a ratio or a number
	A    float64 `json:"a"`
	B    float64 `json:"b"`
	// Better says which direction is: "higher", "lower", or "" where neither is.
	Better string `json:"better"`
	// Change is b / a - 1; for errors, which are shares already, |b| - |a|. Null where a
	// is 0 and b is not.
	Change *float64 `json:"change"`
	// Judged says that limits apply: to the prediction, which is the technique that comes
	// first, and to figures of no technique. What other techniques say of a mapping is shown.
	Judged bool `json:"judged"`
	points bool // Change is a difference of shares
}

// Change is something that is not a number.
type Change struct {
	What string `json:"what"` // "source susan.c", "compiler", "flags"
	A    string `json:"a"`    // "" where it is missing
	B    string `json:"b"`
}

// Counts are those of one input; all are 0 where what they are of is missing there.
type Counts struct {
	Count  uint64  `json:"count"`  // executions
	Cycles float64 `json:"cycles"` // under the model, of the serial processor, callees not included
	Share  float64 `json:"share"`  // of the cycles of all functions
}

// Function is a function whose counts differ.
type Function struct {
	Name  string `json:"name"`
	State string `json:"state"` // "both ran", "only a ran", "only b ran", "only in a", "only in b"
	A     Counts `json:"a"`
	B     Counts `json:"b"`
	// Different paths that ran, and how often all were taken.
	PathsA int    `json:"paths_a"`
	PathsB int    `json:"paths_b"`
	TakenA uint64 `json:"taken_a"`
	TakenB uint64 `json:"taken_b"`
}

// Line is a source line whose blocks run more or less often. A line that is not in an
// input has number 0 there.
type Line struct {
	Function string `json:"function"`
	File     string `json:"file"`
	LineA    int    `json:"line_a"`
	LineB    int    `json:"line_b"`
	A        Counts `json:"a"`
	B        Counts `json:"b"`
}

// Path is a path, by the lines it runs, whose share of the cycles differs.
type Path struct {
	Function string `json:"function"`
	Loop     string `json:"loop"`  // file:line of its header, "" for the function's body
	End      string `json:"end"`   // how it ends: "iteration", "end", ...
	Lines    string `json:"lines"` // in b, in a where b has none; L7* is the loop at line 7
	A        Counts `json:"a"`
	B        Counts `json:"b"`
}

// Executions are those of one sections construct or worksharing loop.
type Executions struct {
	Region    string `json:"region"`
	LineA     int    `json:"line_a,omitempty"` // of the region
	LineB     int    `json:"line_b,omitempty"`
	Construct int    `json:"construct"` // from 0
	CountA    uint64 `json:"count_a"`
	CountB    uint64 `json:"count_b"`
	ClassesA  int    `json:"classes_a"` // of like work
	ClassesB  int    `json:"classes_b"`
	Loop      bool   `json:"loop,omitempty"` // a worksharing loop
	// Work holds the mean work of each section, in instructions that cost anything; of a loop
	// that of all iterations, then their mean number.
	WorkA []float64 `json:"work_a"`
	WorkB []float64 `json:"work_b"`
}

// Value is what results have under a key; what is missing is null.
type Value struct {
	Key string `json:"key"`
	A   any    `json:"a"`
	B   any    `json:"b"`
}

// settle says whether anything differs.
func (d *Diff) settle() {
	d.Equal = len(d.Build) == 0 && len(d.Functions) == 0 && len(d.Lines) == 0 && len(d.Paths) == 0 && len(d.Executions) == 0 && len(d.Values) == 0
	for i := range d.Figures {
		d.Equal = d.Equal && d.Figures[i].A == d.Figures[i].B
	}
}
