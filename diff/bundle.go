package diff

// This file compares two profiles.

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/report"
	"pathspan/visible"
)

// Input is a bundle with its name.
type Input struct {
	Name   string
	Bundle *profile.Bundle
}

// Mapping is a mapping file with its name, nil for OpenMP's static schedule.
type Mapping struct {
	Name string
	File *mapping.Mapping
}

// Options say what to predict of both bundles.
type Options struct {
	Platforms  []*mapping.Platform // the first prices functions, lines and paths
	Mappings   []Mapping           // at least one
	Techniques []estimate.Technique
	Functions  [2]string // linker names of what is estimated in a and in b
}

// Bundles compares b with a. Errors are one line each.
func Bundles(ctx context.Context, a, b Input, o Options) (*Diff, error) {
	if len(o.Platforms) == 0 || len(o.Mappings) == 0 {
		return nil, errors.New("diff: want at least one platform and one mapping")
	}
	d := &Diff{Kind: "bundle", A: a.Name, B: b.Name}
	d.compareBuild(a.Bundle, b.Bundle)
	// A technique that does not suit both would be another under its name on one side.
	techniques := o.Techniques
	if suit := suiting(techniques, a.Bundle, b.Bundle); len(suit) > 0 && len(suit) < len(techniques) {
		for _, t := range techniques {
			if t.Suits(a.Bundle) != t.Suits(b.Bundle) {
				d.Notes = append(d.Notes, "one of the bundles keeps no executions, so "+report.Named(t.String())+" is left out")
			}
		}
		techniques = suit
	}
	regions := matchRegions(a.Bundle.Program, b.Bundle.Program)
	pa, err := predict(ctx, a, o, o.Functions[0], techniques, nil)
	if err != nil {
		return nil, err
	}
	for i, j := range regions {
		if x := &a.Bundle.Program.Regions[i]; j < 0 {
			d.Build = append(d.Build, Change{What: "region", A: x.Name})
		} else {
			y := &b.Bundle.Program.Regions[j]
			if x.Name != y.Name {
				d.Build = append(d.Build, Change{What: "region", A: x.Name, B: y.Name})
			}
			sectionsX, loopsX := x.Count()
			sectionsY, loopsY := y.Count()
			if sectionsX != sectionsY {
				d.Build = append(d.Build, Change{What: "sections of " + y.Name, A: fmt.Sprint(sectionsX), B: fmt.Sprint(sectionsY)})
			}
			if loopsX != loopsY {
				d.Build = append(d.Build, Change{What: "loops of " + y.Name, A: fmt.Sprint(loopsX), B: fmt.Sprint(loopsY)})
			}
		}
	}
	for j := range b.Bundle.Program.Regions {
		if !slices.Contains(regions, j) {
			d.Build = append(d.Build, Change{What: "region", B: b.Bundle.Program.Regions[j].Name})
		}
	}
	pb, err := predict(ctx, b, o, o.Functions[1], techniques, &translation{a.Bundle.Program, b.Bundle.Program, regions})
	if err != nil {
		return nil, err
	}
	d.Model = pa.model
	d.Notes = append(append(append(d.Notes, pa.basis...), pa.notes...), pb.notes...)
	d.figures(pa, pb, o, techniques)
	d.compareCounts(newSide(pa), newSide(pb))
	d.compareExecutions(a.Bundle, b.Bundle, regions)
	d.settle()
	return d, nil
}

// suiting returns the techniques that suit both bundles.
func suiting(techniques []estimate.Technique, a, b *profile.Bundle) []estimate.Technique {
	return slices.DeleteFunc(slices.Clone(techniques), func(t estimate.Technique) bool { return !t.Suits(a) || !t.Suits(b) })
}

// compareBuild compares where the bundles come from.
func (d *Diff) compareBuild(a, b *profile.Bundle) {
	x, y := &a.Provenance, &b.Provenance
	add := func(what, a, b string) {
		if a != b {
			d.Build = append(d.Build, Change{what, a, b})
		}
	}
	sum := func(s *profile.Source) string {
		if s == nil {
			return ""
		}
		return fmt.Sprintf("%x", s.SHA256[:6])
	}
	find := func(p *profile.Provenance, name string) *profile.Source {
		for i := range p.Sources {
			if p.Sources[i].Name == name {
				return &p.Sources[i]
			}
		}
		for i := range p.Sources { // built in another folder
			if filepath.Base(p.Sources[i].Name) == filepath.Base(name) {
				return &p.Sources[i]
			}
		}
		return nil
	}
	for i := range x.Sources {
		add("source "+x.Sources[i].Name, sum(&x.Sources[i]), sum(find(y, x.Sources[i].Name)))
	}
	for i := range y.Sources {
		if find(x, y.Sources[i].Name) == nil {
			add("source "+y.Sources[i].Name, "", sum(&y.Sources[i]))
		}
	}
	add("compiler", x.Clang, y.Clang)
	add("optimisation", x.OptLevel, y.OptLevel)
	add("flags", strings.Join(x.Flags, " "), strings.Join(y.Flags, " "))
	add("plan", planText(x.Plan), planText(y.Plan))
	add("target", a.Program.Triple, b.Program.Triple)
	add("compiled code", fmt.Sprintf("%x", x.ModuleHash[:6]), fmt.Sprintf("%x", y.ModuleHash[:6]))
	add("pathspan", x.Tool, y.Tool)
	add("runs", runs(x.Runs), runs(y.Runs))
}

// planText tells plans apart; its name is that of the file and a digest of what is in it.
func planText(p *profile.Plan) string {
	if p == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(p.Text))
	return fmt.Sprintf("%s %x", p.Name, sum[:6])
}

// runs tells arguments and ends of runs.
func runs(all []profile.Run) string {
	var out []string
	for _, r := range all {
		text := visible.Line(strings.Join(r.Arguments, " "))
		if text == "" {
			text = "no arguments"
		}
		switch {
		case r.Signal != 0:
			text += fmt.Sprintf(" (ended by signal %d)", r.Signal)
		case r.ExitStatus != 0:
			text += fmt.Sprintf(" (exit status %d)", r.ExitStatus)
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// compareExecutions compares how often sections constructs ran, and their work.
func (d *Diff) compareExecutions(a, b *profile.Bundle, regions []int) {
	defer func() {
		slices.SortStableFunc(d.Executions, func(x, y Executions) int { return cmp.Compare(y.effect(), x.effect()) })
	}()
	inA, inB := executionsOf(a), executionsOf(b)
	for i, j := range regions {
		x := &a.Program.Regions[i]
		n := len(x.Constructs)
		if j >= 0 {
			n = max(n, len(b.Program.Regions[j].Constructs))
		}
		for c := range n {
			e := Executions{Region: x.Name, LineA: x.Line, Construct: c}
			e.Loop = c < len(x.Constructs) && x.Constructs[c].Loop != nil
			if f := inA[[2]int{i, c}]; f != nil {
				e.CountA, e.ClassesA, e.WorkA = f.count, f.classes, f.work
			}
			if j >= 0 {
				e.LineB = b.Program.Regions[j].Line
			}
			if f := inB[[2]int{j, c}]; f != nil && j >= 0 {
				e.CountB, e.ClassesB, e.WorkB = f.count, f.classes, f.work
			}
			if e.CountA != e.CountB || e.ClassesA != e.ClassesB || !slices.Equal(e.WorkA, e.WorkB) {
				d.Executions = append(d.Executions, e)
			}
		}
	}
}

type executions struct {
	count   uint64
	classes int
	work    []float64
}

// executionsOf sums up the entries of each construct, wherever they were executed.
func executionsOf(b *profile.Bundle) map[[2]int]*executions {
	out := map[[2]int]*executions{}
	if b.Executions == nil {
		return out
	}
	for i, works := range b.Executions.Works() {
		x := &b.Executions.Entries[i]
		if x.OfTasks {
			continue
		}
		key := [2]int{x.Region, x.Construct}
		e := out[key]
		if e == nil {
			e = &executions{work: make([]float64, len(x.Lanes))}
			out[key] = e
		}
		e.classes++
		e.count += x.Count
		for s, work := range works {
			e.work[s] += work * float64(x.Count)
		}
		if x.Loop {
			e.work[1] += x.Iterations() * float64(x.Count)
		}
	}
	for _, e := range out {
		for s := range e.work {
			if e.count > 0 {
				e.work[s] /= float64(e.count)
			}
		}
	}
	return out
}
