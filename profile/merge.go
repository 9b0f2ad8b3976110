package profile

// This file adds up the profiles of several runs of one program (paper, end of
// section 5.1: with several inputs the profile is their average; sums carry the
// same weights).

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"pathspan/pathprof"
)

// Merge returns the sum of the bundles. They must be of one program, compiled
// alike; the error says what differs otherwise.
func Merge(bundles ...*Bundle) (*Bundle, error) {
	if len(bundles) == 0 {
		return nil, fmt.Errorf("nothing to merge")
	}
	first := bundles[0]
	out := &Bundle{Provenance: first.Provenance, Program: first.Program, Module: first.Module,
		Funcs: make([]*FuncProfile, len(first.Funcs))}
	out.Provenance.Runs = nil
	view, more := programBytes(first), uint64(0)
	for i, b := range bundles {
		if i > 0 && !bytes.Equal(programBytes(b), view) {
			return nil, fmt.Errorf("the programs differ: %s", difference(first, b))
		}
		for _, n := range b.Notes {
			var unlisted uint64
			if _, err := fmt.Sscanf(n, moreRuns, &unlisted); err == nil {
				more = pathprof.AddSat(more, unlisted)
			} else if !slices.Contains(out.Notes, n) {
				out.Notes = append(out.Notes, n)
			}
		}
		out.Provenance.Runs = append(out.Provenance.Runs, b.Provenance.Runs...)
		out.Targets = append(out.Targets, b.Targets...)
		out.Branches = append(out.Branches, b.Branches...)
		out.Lost = mergeLost(out.Lost, b.Lost)
		for fn, f := range b.Funcs {
			if f == nil {
				continue
			}
			if out.Funcs[fn] == nil {
				out.Funcs[fn] = &FuncProfile{Func: fn}
			}
			if err := out.Funcs[fn].add(f); err != nil {
				return nil, fmt.Errorf("function %s: %w", b.Program.Funcs[fn].Name, err)
			}
		}
	}
	out.listRuns(more)
	out.Targets, out.Branches = mergeTargets(out.Targets), mergeBranches(out.Branches)
	var others int
	var err error
	if out.Executions, others, err = mergeExecutions(bundles); err != nil {
		return nil, err
	}
	if others > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("the executions of %d of %d bundles are left out, since another version of pathspan told their work in other kinds of instructions", others, len(bundles)))
	}
	if out.Memory, err = mergeMemory(bundles); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(bundles, func(b *Bundle) bool { return b.Flow != nil }) {
		if len(bundles) == 1 {
			out.Flow = first.Flow
		} else {
			out.Notes = append(out.Notes, "the flow of data is left out: executions of several runs have no order")
		}
	}
	return out, out.Check() // counts that add up to too many, above all
}

// mostRuns is how many runs a bundle lists; the run-time library lists as many.
const mostRuns = 100

// moreRuns tells of the others.
const moreRuns = "%d more runs are in the counts and not in the list of runs"

// listRuns bounds the list of runs, and tells how many it leaves out with those that were left
// out before. Runs that were stopped in a section stay, since CheckEnded looks for them.
func (b *Bundle) listRuns(before uint64) {
	p := &b.Provenance
	if n := len(p.Runs) - mostRuns; n > 0 {
		stopped := slices.DeleteFunc(slices.Clone(p.Runs), func(r Run) bool { return r.Inside == nil })
		ended := slices.DeleteFunc(p.Runs, func(r Run) bool { return r.Inside != nil })
		p.Runs = append(stopped, ended...)[:mostRuns:mostRuns]
		before = pathprof.AddSat(before, uint64(n))
	}
	if before > 0 {
		b.Notes = append(b.Notes, fmt.Sprintf(moreRuns, before))
	}
}

// programBytes is the program's view in its canonical encoding. It leaves out
// where the sources lay, so that bundles of one program made in two directories
// can be merged.
func programBytes(b *Bundle) []byte {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(programToProto(b.Program))
	if err != nil {
		panic("pathprof: programBytes: " + err.Error())
	}
	return raw
}

// difference names the first thing in which two programs differ.
func difference(a, b *Bundle) string {
	pa, pb := &a.Provenance, &b.Provenance
	switch {
	case a.Program.Triple != b.Program.Triple:
		return fmt.Sprintf("compiled for %s and for %s", a.Program.Triple, b.Program.Triple)
	case pa.Clang != pb.Clang:
		return fmt.Sprintf("compiled by %q and by %q", pa.Clang, pb.Clang)
	case pa.OptLevel != pb.OptLevel:
		return fmt.Sprintf("compiled with %s and with %s", pa.OptLevel, pb.OptLevel)
	case !slices.Equal(pa.Flags, pb.Flags):
		return fmt.Sprintf("compiled with flags %q and %q", pa.Flags, pb.Flags)
	case (pa.Plan == nil) != (pb.Plan == nil) || pa.Plan != nil && pa.Plan.Text != pb.Plan.Text:
		return "marked by different plans"
	case len(pa.Sources) != len(pb.Sources):
		return fmt.Sprintf("%d sources and %d sources", len(pa.Sources), len(pb.Sources))
	}
	for i := range pa.Sources {
		if pa.Sources[i].SHA256 != pb.Sources[i].SHA256 {
			return fmt.Sprintf("source %s has other content than %s", pb.Sources[i].Name, pa.Sources[i].Name)
		}
	}
	for i, f := range a.Program.Funcs {
		if i >= len(b.Program.Funcs) {
			return fmt.Sprintf("function %s is in one of them only", f.Name)
		}
		g := b.Program.Funcs[i]
		if f.Name != g.Name {
			return fmt.Sprintf("function %s stands in the place of %s", g.Name, f.Name)
		}
		if len(f.Blocks) != len(g.Blocks) {
			return fmt.Sprintf("function %s has %d blocks and %d blocks", f.Name, len(f.Blocks), len(g.Blocks))
		}
	}
	return "their compiled code is not the same (a header changed?)"
}

// add adds the counts of g to f; both are of one function.
func (f *FuncProfile) add(g *FuncProfile) error {
	if f.Levels == nil {
		f.Levels = make([]LevelProfile, len(g.Levels))
		for i := range g.Levels {
			f.Levels[i] = g.Levels[i]
			f.Levels[i].Paths = slices.Clone(g.Levels[i].Paths)
		}
		return nil
	}
	if len(f.Levels) != len(g.Levels) {
		return fmt.Errorf("numbered with %d levels and with %d levels", len(f.Levels), len(g.Levels))
	}
	for i := range f.Levels {
		l, m := &f.Levels[i], &g.Levels[i]
		if l.StaticPaths != m.StaticPaths || l.Collapsed != m.Collapsed || l.Degraded != m.Degraded {
			return fmt.Errorf("level %d is numbered in two ways", i)
		}
		l.MaxTrips = max(l.MaxTrips, m.MaxTrips)
		l.Paths = addUp(append(l.Paths, m.Paths...), comparePaths, func(p *Path) *uint64 { return &p.Count })
	}
	return nil
}

// addUp sorts a list and makes one of those that compare as equal.
func addUp[T any](list []T, compare func(a, b T) int, count func(*T) *uint64) []T {
	slices.SortStableFunc(list, compare)
	out := list[:0:0]
	for _, x := range list {
		if k := len(out) - 1; k >= 0 && compare(out[k], x) == 0 {
			*count(&out[k]) = pathprof.AddSat(*count(&out[k]), *count(&x))
			continue
		}
		out = append(out, x)
	}
	return out
}

// mergeTargets sorts call targets by site and target and adds up equal ones.
func mergeTargets(ts []CallTarget) []CallTarget {
	return addUp(ts, compareTargets, func(t *CallTarget) *uint64 { return &t.Count })
}

// compareTargets orders call targets by site and target.
func compareTargets(a, b CallTarget) int {
	return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Block, b.Block), cmp.Compare(a.Instr, b.Instr), cmp.Compare(a.Target, b.Target))
}
