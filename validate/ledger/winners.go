package ledger

// This file asks of each two runs of a program whether the faster one was foreseen.

import (
	"cmp"
	"slices"
)

// WinnersDiffer is by how much the slower of two runs must be slower for the pair to count.
const WinnersDiffer = 0.05

// Winners counts pairs of runs of one program, which differ in the number of processors, the
// sequential program among them, or in the mapping, and of which one is really faster by over 5 %.
type Winners struct {
	Reference string  `json:"reference"`
	Model     string  `json:"model"`
	Size      string  `json:"size"`
	Host      string  `json:"host,omitempty"`
	Technique string  `json:"technique"`
	Pairs     int     `json:"pairs"`
	Right     int     `json:"right"` // those whose faster run is the faster one of the estimate
	Wrong     []Wrong `json:"wrong,omitempty"`
}

// Wrong is a pair of which the estimate does not have the faster one.
type Wrong struct {
	Program   string  `json:"program"`
	Level     string  `json:"level"`
	Faster    int     `json:"faster"` // processors of the run that is really faster
	Slower    int     `json:"slower"`
	FasterBy  string  `json:"faster_mapping,omitempty"` // its mapping file
	SlowerBy  string  `json:"slower_mapping,omitempty"`
	Real      float64 `json:"real"`      // time of the slower one by that of the faster one, less 1
	Estimated float64 `json:"estimated"` // the same of the estimate: 0 or less
}

// run is how long a program took on some processors, really and by the estimate.
type run struct {
	processors      int
	mapping         string
	real, estimated float64
}

// FindWinners counts the pairs of each reference but replay, of each technique.
func (l *Ledger) FindWinners() []Winners {
	var all []Winners
	type program struct{ name, level string }
	for i := range l.Rows {
		first := &l.Rows[i]
		w := Winners{Reference: first.Reference, Model: first.Model, Size: first.Size, Host: first.Host, Technique: first.Technique}
		like := func(r *Row) bool {
			return r.Reference == w.Reference && r.Model == w.Model && r.Size == w.Size && r.Host == w.Host && r.Technique == w.Technique
		}
		if first.Reference == Replay || slices.ContainsFunc(l.Rows[:i], func(r Row) bool { return like(&r) }) {
			continue
		}
		var order []program
		runs := map[program][]run{}
		for k := range l.Rows[i:] {
			r := &l.Rows[i+k]
			if !like(r) {
				continue
			}
			p := program{r.Program, r.Level}
			one, more := r.runs()
			if runs[p] == nil {
				order, runs[p] = append(order, p), []run{one}
			}
			runs[p] = append(runs[p], more)
		}
		for _, p := range order {
			w.count(p.name, p.level, runs[p])
		}
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b Winners) int {
		return cmp.Or(cmp.Compare(a.Reference, b.Reference), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Host, b.Host), cmp.Compare(a.Technique, b.Technique))
	})
	return all
}

// runs returns the sequential and the parallel run of a row, in the unit of the reference.
func (r *Row) runs() (one, more run) {
	if r.ReferenceParallelCycles > 0 {
		return run{1, "", r.ReferenceSequentialCycles, r.SequentialCycles}, run{r.Processors, r.Mapping, r.ReferenceParallelCycles, r.ParallelCycles}
	}
	return run{1, "", r.ReferenceSequentialSeconds, r.SequentialSeconds}, run{r.Processors, r.Mapping, r.ReferenceParallelSeconds, r.ParallelSeconds}
}

func (w *Winners) count(program, level string, runs []run) {
	for i := range runs {
		for _, slower := range runs[:i] {
			faster := runs[i]
			if faster.real > slower.real {
				faster, slower = slower, faster
			}
			real := digits(slower.real/faster.real - 1)
			if !(real > WinnersDiffer) {
				continue
			}
			w.Pairs++
			if estimated := digits(slower.estimated/faster.estimated - 1); estimated > 0 {
				w.Right++
			} else {
				w.Wrong = append(w.Wrong, Wrong{program, level, faster.processors, slower.processors, faster.mapping, slower.mapping, real, estimated})
			}
		}
	}
}
