package export

// This file writes cycles by source line as a profile that go tool pprof reads
// (profile.proto).

import (
	"bytes"
	"context"
	"fmt"

	"github.com/google/pprof/profile"
	"github.com/ianlancetaylor/demangle"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels/compare"
)

// The sample types of a profile, in cycles of one execution of the root function.
// Sequential and critical cycles are those of the processor that runs what is outside
// sections, busy cycles those of the processor that is busy.
const (
	sampleSequential = iota // everything on one processor; the sum is the sequential time
	sampleBusy              // under the mapping, overheads included
	sampleCritical          // what the end waits for; the sum is the parallel time
	sampleTypes
)

// SampleTypes are their names, as pprof's -sample_index wants them.
var SampleTypes = [sampleTypes]string{"sequential", "busy", "critical"}

// Frames of what no source line does.
const (
	frameCreate = "[create tasks]"
	frameSync   = "[synchronise tasks]"
)

// Pprof returns the profile, compressed. Samples have the labels processor and, in
// sections, section. A sample's stack holds the function, and callers as long as all calls
// come from one place: others are not known, as a function costs its average over all
// calls.
func Pprof(ctx context.Context, s *Subject) ([]byte, error) {
	e := s.Estimator
	w := &pprofWriter{s: s, prof: &profile.Profile{}, functions: map[frame]*profile.Function{}, locations: map[frame]*profile.Location{}, samples: map[string]int{}}
	for i, name := range SampleTypes {
		w.prof.SampleType = append(w.prof.SampleType, &profile.ValueType{Type: name, Unit: "cycles"})
		w.parts[i] = make([]rounder, len(e.Platform.Processors))
	}
	w.prof.Mapping = []*profile.Mapping{{ID: 1, File: s.Bundle, HasFunctions: true, HasFilenames: true, HasLineNumbers: true}}
	w.prof.DefaultSampleType = SampleTypes[sampleSequential]
	w.prof.Comments = []string{s.title()}
	for p := range e.Platform.Processors {
		var m *compare.Splitter
		for q := range p {
			if e.Costs[q] == e.Costs[p] {
				m = w.split[q]
			}
		}
		if m == nil {
			var err error
			if m, err = compare.NewSplitter(ctx, s.Models[p], e.Bundle.Program); err != nil {
				return nil, err
			}
		}
		w.split = append(w.split, m)
		w.prof.Comments = append(w.prof.Comments, fmt.Sprintf("%s: %s at %g MHz", e.Platform.Processors[p].Name, e.Costs[p].Model, e.ClockMHz[p]))
	}
	serial := s.Mapping.Serial
	for kind, take := range [sampleTypes]func() (*estimate.Attribution, error){
		func() (*estimate.Attribution, error) {
			return e.Attribute(mapping.OnOne(e.Platform, serial, e.Bundle.Program), nil)
		},
		func() (*estimate.Attribution, error) { return account.Busy(e, s.Mapping, s.Technique) },
		func() (*estimate.Attribution, error) { return account.CriticalPath(e, s.Mapping, s.Technique) },
	} {
		a, err := take()
		if err != nil {
			return nil, err
		}
		w.kind, w.a = kind, a
		w.add()
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	if err := w.prof.CheckValid(); err != nil {
		return nil, fmt.Errorf("pprof: %w", err)
	}
	var out bytes.Buffer
	if err := w.prof.Write(&out); err != nil { // its gzip header has no time
		return nil, err
	}
	return out.Bytes(), nil
}

// frame is a line of a function; a function whose code comes from several files is several
// to pprof.
type frame struct {
	name string // linker name
	file string
	line int
}

type pprofWriter struct {
	s         *Subject
	prof      *profile.Profile
	split     []*compare.Splitter // by processor
	functions map[frame]*profile.Function
	locations map[frame]*profile.Location
	samples   map[string]int // by stack and labels: index into amounts
	amounts   []amount
	parts     [sampleTypes][]rounder // by processor
	kind      int
	a         *estimate.Attribution
}

// amount is a sample whose figures are not whole yet.
type amount struct {
	stack     []*profile.Location
	processor int
	section   string
	cycles    [sampleTypes]float64
}

// add adds the shares of an attribution.
func (w *pprofWriter) add() {
	e := w.s.Estimator
	p := e.Bundle.Program
	for i := range w.a.Blocks {
		b := &w.a.Blocks[i]
		body := &w.a.Bodies[b.Body]
		f := p.Funcs[body.Func]
		section := ""
		if b.Section >= 0 {
			section = p.Regions[b.Region].Constructs[b.Construct].Sections[b.Section].Name
		}
		block := f.Blocks[b.Block]
		clock := e.ClockMHz[b.Processor] / e.ClockMHz[b.PricedBy]
		for n, cycles := range w.split[b.PricedBy].Split(block, b.Cycles/clock) {
			if cycles != 0 {
				w.sample([]frame{w.frame(f, block.Instrs[n].Loc)}, b.Body, b.Processor, section, cycles*clock*b.Executions)
			}
		}
	}
	if w.kind == sampleSequential {
		return // the sequential program has no region, and so no team of one
	}
	for i := range w.a.Forks {
		x := &w.a.Forks[i]
		r := &p.Regions[x.Region]
		f := p.Funcs[w.a.Bodies[x.Body].Func]
		at := frame{f.Shown(), r.File, r.Constructs[x.Construct].Line}
		if at.line == 0 {
			at.line = r.Line
		}
		w.sample([]frame{{frameCreate, "", 0}, at}, x.Body, x.Processor, "", x.Create*x.Executions)
		w.sample([]frame{{frameSync, "", 0}, at}, x.Body, x.Processor, "", x.Sync*x.Executions)
	}
}

func (w *pprofWriter) frame(f *ir.Func, l ir.Loc) frame {
	files := w.s.Estimator.Bundle.Program.Files
	at := frame{name: f.Shown()}
	if l.File >= 0 && l.File < len(files) {
		at.file, at.line = files[l.File], l.Line
	} else if l = f.Loc; l.File >= 0 && l.File < len(files) {
		at.file = files[l.File]
	}
	return at
}

// sample adds cycles of a processor. The callers of the body follow the frames.
func (w *pprofWriter) sample(frames []frame, body, processor int, section string, cycles float64) {
	if cycles == 0 {
		return
	}
	e := w.s.Estimator
	if w.kind == sampleCritical {
		cycles *= e.ClockMHz[w.s.Mapping.Serial] / e.ClockMHz[processor]
	}
	for b := &w.a.Bodies[body]; b.Caller >= 0 && len(frames) < len(w.a.Bodies)+2; b = &w.a.Bodies[b.Caller] {
		caller := e.Bundle.Program.Funcs[w.a.Bodies[b.Caller].Func]
		frames = append(frames, w.frame(caller, caller.Blocks[b.Block].Instrs[b.Instr].Loc))
	}
	key := fmt.Sprintf("%d %q", processor, section)
	var stack []*profile.Location
	for _, f := range frames {
		l := w.location(f)
		stack = append(stack, l)
		key += fmt.Sprintf(" %d", l.ID)
	}
	n, ok := w.samples[key]
	if !ok {
		n = len(w.amounts)
		w.samples[key] = n
		w.amounts = append(w.amounts, amount{stack: stack, processor: processor, section: section})
	}
	w.amounts[n].cycles[w.kind] += cycles
}

func (w *pprofWriter) location(f frame) *profile.Location {
	if l := w.locations[f]; l != nil {
		return l
	}
	of := frame{name: f.name, file: f.file}
	fn := w.functions[of]
	if fn == nil {
		fn = &profile.Function{ID: uint64(len(w.functions) + 1), Name: demangle.Filter(f.name, demangle.NoParams), SystemName: f.name, Filename: f.file}
		if of := w.s.Estimator.Bundle.Program.Func(f.name); of != nil {
			fn.StartLine = int64(of.Loc.Line)
		}
		w.functions[of] = fn
		w.prof.Function = append(w.prof.Function, fn)
	}
	l := &profile.Location{ID: uint64(len(w.locations) + 1), Mapping: w.prof.Mapping[0], Line: []profile.Line{{Function: fn, Line: int64(f.line)}}}
	w.locations[f] = l
	w.prof.Location = append(w.prof.Location, l)
	return l
}

// finish rounds the figures: those of each type add up to their rounded sum, busy ones for
// each processor.
func (w *pprofWriter) finish() error {
	for i := range w.amounts {
		a := &w.amounts[i]
		sample := &profile.Sample{
			Location: a.stack,
			Label:    map[string][]string{"processor": {w.s.Estimator.Platform.Processors[a.processor].Name}},
		}
		if a.section != "" {
			sample.Label["section"] = []string{a.section}
		}
		any := false
		for k, x := range a.cycles {
			sum := &w.parts[k][0]
			if k == sampleBusy {
				sum = &w.parts[k][a.processor]
			}
			if sum.sum+x > maxWhole {
				return fmt.Errorf("pprof: the program takes more than %.3g cycles, which a profile does not hold", float64(maxWhole))
			}
			n := sum.next(x)
			any = any || n != 0
			sample.Value = append(sample.Value, n)
		}
		if any {
			w.prof.Sample = append(w.prof.Sample, sample)
		}
	}
	w.prof = w.prof.Compact()
	return nil
}
