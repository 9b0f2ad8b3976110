package account

// This file gives work, span and burdened span, in the terms of Y. He, C. E. Leiserson,
// W. M. Leiserson, "The Cilkview Scalability Analyzer" (SPAA 2010) and of Cilkscale, its
// successor in OpenCilk. Theirs are measured on one execution; these are averages over the
// rows of a technique, and the burden is the platform's overheads.

import (
	"fmt"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
)

// WorkSpan says how much parallelism there is, whatever the mapping. All sections may
// run in parallel, those of regions within regions too, each on a processor of its own
// like the serial one. Seconds are per execution of the root function.
type WorkSpan struct {
	Name string `json:"name"` // of the region, or the root function
	File string `json:"file"`
	Line int    `json:"line"`
	// Executions are those of the region in one execution of the root; those of a
	// region with several sections constructs are of the construct executed most.
	Executions float64 `json:"executions"`
	Work       float64 `json:"work_seconds"` // on one processor
	// Span is the time when creating and synchronising cost nothing: for each row the
	// longest chain of parts. A region's is the sum over its executions, from fork to
	// join, also where other executions lie beside them.
	Span float64 `json:"span_seconds"`
	// BurdenedSpan is the time with them: every section of a construct that has several
	// is created and synchronised.
	BurdenedSpan float64 `json:"burdened_span_seconds"`

	Parallelism         float64 `json:"parallelism"` // Work / Span, 1 where both are 0
	BurdenedParallelism float64 `json:"burdened_parallelism"`
}

// scale turns cycles into seconds.
func (w *WorkSpan) scale(second float64) {
	w.Work, w.Span, w.BurdenedSpan = w.Work*second, w.Span*second, w.BurdenedSpan*second
	w.Parallelism, w.BurdenedParallelism = 1, 1
	if w.Span > 0 {
		w.Parallelism = w.Work / w.Span
	}
	if w.BurdenedSpan > 0 {
		w.BurdenedParallelism = w.Work / w.BurdenedSpan
	}
}

// WorkSpans returns the figures of the program and of each region of it, in program
// order, with serial as the processor, by a technique that has rows. Regions that the root
// does not execute have zeros, and parallelism 1.
func WorkSpans(e *estimate.Estimator, serial int, t estimate.Technique) (program WorkSpan, regions []WorkSpan, err error) {
	if serial < 0 || serial >= len(e.Platform.Processors) {
		return program, nil, fmt.Errorf("estimate: serial processor %d of %d", serial, len(e.Platform.Processors))
	}
	return WorkSpansUnder(e, mapping.DefaultFrom(e.Platform, serial, e.Bundle.Program), t)
}

// WorkSpansUnder returns them with the serial processor of a mapping, and buffers of pipelines as deep as it says.
func WorkSpansUnder(e *estimate.Estimator, m *mapping.Resolved, t estimate.Technique) (program WorkSpan, regions []WorkSpan, err error) {
	serial := m.Serial
	rows, err := e.RowsIn(t, e.Divided(serial))
	if err != nil {
		return program, nil, err
	}
	span, err := rows.ChainsUnder(m, false)
	if err != nil {
		return program, nil, err
	}
	burdened, err := rows.ChainsUnder(m, true)
	if err != nil {
		return program, nil, err
	}
	often, err := rows.Often()
	if err != nil {
		return program, nil, err
	}
	p, kind, second := e.Bundle.Program, rows.KindOf[serial], 1/(e.ClockMHz[0]*1e6)
	root := p.Funcs[e.Root]
	program = WorkSpan{Name: root.Source, Line: root.Loc.Line, Executions: 1, Work: rows.Sequential(kind), Span: span.Program(), BurdenedSpan: burdened.Program()}
	if f := root.Loc.File; f >= 0 && f < len(p.Files) {
		program.File = p.Files[f]
	}
	program.scale(second)
	runs := make([][]float64, len(p.Regions))
	for i := range p.Regions {
		r := &p.Regions[i]
		regions = append(regions, WorkSpan{Name: r.Name, File: r.File, Line: r.Line})
		runs[i] = make([]float64, len(r.Constructs))
	}
	for x, n := range often {
		if n == 0 {
			continue
		}
		if rows.Role(x) != table.NoTask {
			continue
		}
		r, c := rows.Construct(x)
		w := &regions[r]
		runs[r][c] += n * rows.Runs(x)
		w.Executions = max(w.Executions, runs[r][c])
		for s := range rows.Sections(x) {
			alone, _ := rows.Alone(x, s, kind)
			w.Work += n * alone
		}
		w.Span += n * span.Execution(x)
		w.BurdenedSpan += n * burdened.Execution(x)
	}
	for i := range regions {
		regions[i].scale(second)
	}
	return program, regions, nil
}

// AmdahlBound returns the speed-up that n processors cannot exceed when serialSeconds of
// totalSeconds cannot run in parallel (G. M. Amdahl, "Validity of the single processor
// approach to achieving large scale computing capabilities", AFIPS 1967).
func AmdahlBound(serialSeconds, totalSeconds float64, n int) float64 {
	if totalSeconds <= 0 || n < 1 {
		return 1
	}
	return totalSeconds / (serialSeconds + (totalSeconds-serialSeconds)/float64(n))
}

// spanCoefficient is what Cilkview multiplies the burdened span by, found by experiment.
const spanCoefficient = 1.7

// BurdenedSpeedup returns Cilkview's lower estimate of the speed-up on n equal processors
// under a greedy scheduler, in the form that Cilkscale plots as the bound of the burdened
// dag: T1 / (T1/P + 1.7 (1 - 1/P) T), where T is the burdened span. A mapping that is
// fixed can be slower.
func BurdenedSpeedup(ws WorkSpan, n int) float64 {
	if ws.Work <= 0 || n < 1 {
		return 1
	}
	p := float64(n)
	return ws.Work / (ws.Work/p + spanCoefficient*(1-1/p)*ws.BurdenedSpan)
}
