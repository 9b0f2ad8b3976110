package profile

// This file reads bundles that programs wrote themselves: the template and raw counts
// behind it.

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/profile/bundlepb"
)

// readSelfWritten decodes a container of version 2. It is the bundle that pathspan
// profile would have made of the same runs.
func readSelfWritten(raw []byte) (*Bundle, error) {
	body, counts, err := splitTemplate(raw)
	if err != nil {
		return nil, err
	}
	text, err := unpack(body)
	if err != nil {
		return nil, err
	}
	var t bundlepb.Template
	if err := checkMessages(text, t.ProtoReflect().Descriptor()); err != nil {
		return nil, err
	}
	if err := proto.Unmarshal(text, &t); err != nil || t.Bundle == nil {
		return nil, errors.New("the bundle's template is corrupt; run the program again")
	}
	if t.Bundle.Format < oldestTemplate || t.Bundle.Format > templateFormat {
		return nil, formatError(t.Bundle.Format, templateFormat)
	}
	if err := unslim(&t); err != nil {
		return nil, fmt.Errorf("the bundle's template contradicts itself (%w); build the program again", err)
	}
	b, err := fromProto(t.Bundle) // its memory is as no run told of it
	if err != nil {
		return nil, fmt.Errorf("the bundle's template contradicts itself (%w); build the program again", err)
	}
	in, applied, err := planAgain(&t, b.Program, b.Provenance.ModuleHash)
	if err != nil {
		return nil, err
	}
	if x := b.Executions; x != nil {
		in.Work = &pathprof.Work{Kinds: x.Kinds, Weights: x.Weights, Vectors: x.Vectors}
	}
	profile, err := parseRaw(counts, in.Hash)
	if err != nil {
		return nil, countsError(err)
	}
	c, err := decode(in, profile, applied)
	if err != nil {
		return nil, countsError(err)
	}
	b.Funcs, b.Targets, b.Executions, b.Lost, b.Branches = c.Funcs, c.Targets, c.Executions, c.Lost, c.Branches
	b.Notes = append(b.Notes, c.Notes...)
	if b.Memory != nil {
		if b.Memory, err = b.Memory.Told(c.Memory); err != nil {
			return nil, countsError(err)
		}
	}
	for _, r := range profile.runs {
		b.Provenance.Runs = append(b.Provenance.Runs, Run{Arguments: r.arguments, ExitStatus: r.exit, Signal: r.signal, Counted: r.counted, Inside: probe.MarkOf(r.inside)})
	}
	if profile.more > 0 {
		b.Notes = append(b.Notes, fmt.Sprintf(moreRuns, profile.more))
	}
	if err := b.Check(); err != nil {
		return nil, fmt.Errorf("the bundle contradicts itself (%w); run the program again", err)
	}
	return b, nil
}

// planAgain plans the probes of a template's program once more.
func planAgain(t *bundlepb.Template, p *ir.Program, hash [32]byte) (*pathprof.Instrumentation, *probe.Applied, error) {
	err := checkGraphs(p)
	if err == nil {
		err = checkLimits(t, p)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the bundle's template contradicts itself (%w); build the program again", err)
	}
	in := pathprof.Instrument(p, hash, pathprof.Options{Limits: pathprof.Limits{Array: t.ArrayLimit, Node: t.NodeLimit}, Threads: t.Threads})
	if layout := in.Layout(); string(layout[:]) != string(t.Layout) {
		return nil, nil, errors.New("the program was built by another version of pathspan, which numbers paths in another way; use that one, or build the program again")
	}
	n := len(t.SiteFuncs)
	if len(t.SiteBlocks) != n || len(t.SiteNths) != n {
		return nil, nil, errors.New("the bundle's template contradicts itself (lists of call sites have different lengths); build the program again")
	}
	applied := &probe.Applied{Targets: toInt(t.Targets)}
	for i := range n {
		s := probe.CallSite{Func: int(t.SiteFuncs[i]), Block: int(t.SiteBlocks[i]), Nth: int(t.SiteNths[i])}
		if s.Func >= len(p.Funcs) || s.Block >= len(p.Funcs[s.Func].Blocks) {
			return nil, nil, fmt.Errorf("the bundle's template contradicts itself (call site %d is in no function); build the program again", i)
		}
		applied.CallSites = append(applied.CallSites, s)
	}
	for _, f := range applied.Targets {
		if f >= len(p.Funcs) {
			return nil, nil, fmt.Errorf("the bundle's template contradicts itself (a call reaches function %d of %d); build the program again", f, len(p.Funcs))
		}
	}
	return in, applied, nil
}

// checkGraphs does what Check does before the numbering, which expects it.
func checkGraphs(p *ir.Program) error {
	nesting := nestingOf(p)
	for _, f := range p.Funcs {
		err := checkGraph(f)
		if err == nil {
			c, nested := flow.AnalyzeLoops(f, nesting)
			if nesting -= nested; c == nil {
				err = errNesting
			}
		}
		if err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
	}
	return nil
}

// checkLimits reports limits of the numbering that are none, and those of tests for
// programs that are none: small limits take a time that grows with the square of a
// function's blocks.
func checkLimits(t *bundlepb.Template, p *ir.Program) error {
	const small = 1000
	usual := pathprof.Limits{}.WithDefaults()
	blocks := 0
	for _, f := range p.Funcs {
		blocks += len(f.Blocks)
	}
	if t.ArrayLimit > 1<<32 || t.NodeLimit > 1<<56 || blocks > small && (pathprof.Limits{Array: t.ArrayLimit, Node: t.NodeLimit}).WithDefaults() != usual {
		return fmt.Errorf("paths are numbered up to %d and %d", t.ArrayLimit, t.NodeLimit)
	}
	return nil
}

// countsError says of the file what is wrong with the counts in it.
func countsError(err error) error {
	what := strings.ReplaceAll(err.Error(), "the raw profile", "the part with the counts")
	return fmt.Errorf("the bundle is damaged: %s; copy it again or run the program again", what)
}
