package report

// This file reads what explore --json printed, to go on with the mapping that it found.

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pathspan/bounded"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/visible"
	"pathspan/yamlstrict"
)

const exploreSchema = "pathspan.explore/1"

// ReadExploration reads a file of explore --json.
func ReadExploration(path string) (*Exploration, error) {
	data, err := bounded.ReadFile(path, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, bounded.Reason(err))
	}
	x := &Exploration{}
	if err := json.Unmarshal(data, x); err != nil || x.Schema != exploreSchema {
		if err == nil {
			err = fmt.Errorf("its schema is %q", x.Schema)
		}
		return nil, fmt.Errorf("%s: %w; want what pathspan explore --json prints (%s)", path, err, exploreSchema)
	}
	visible.Strings(x)
	if len(x.Searches) == 0 {
		return nil, fmt.Errorf("%s: it holds no search; run pathspan explore --json again", path)
	}
	for i := range x.Searches {
		if x.Searches[i].Best.Mapping == nil {
			return nil, fmt.Errorf("%s: search %d has no best mapping; run pathspan explore --json again", path, i+1)
		}
	}
	return x, nil
}

// Equal returns the platform of equal processors that a search was on, nil if it was on
// another.
func (s *Searched) Equal() *mapping.Platform {
	_, model, ok := strings.Cut(s.Platform, " x ")
	if !ok || s.Processors < 1 || s.Processors > 4096 {
		return nil
	}
	if pl := mapping.Homogeneous(s.Processors, model); pl.Name == s.Platform {
		return pl
	}
	return nil
}

// Holds reports where the best mapping of a search is estimated otherwise than the search
// says: then it was found for another bundle, function or model, and need not be the best.
func (s *Searched) Holds(e *estimate.Estimator, m *mapping.Resolved) error {
	const same = 1e-6 // relative; searches and estimates may add in another order
	for i := range s.Best.Estimates {
		found := &s.Best.Estimates[i]
		t, err := estimate.ParseTechnique(found.Technique)
		if err != nil {
			continue // of another version
		}
		here, err := e.Estimate(m, t)
		if err != nil {
			return err
		}
		if math.Abs(here.ParallelCycles-found.ParallelCycles) > same*math.Max(here.ParallelCycles, found.ParallelCycles) {
			return fmt.Errorf("%s its best mapping takes %s cycles, and %s here", "by "+Named(found.Technique), Cycles(found.ParallelCycles), Cycles(here.ParallelCycles))
		}
	}
	return nil
}

// File returns the mapping as one of a mapping file of that name.
func (m *MappingJSON) File(file string) *mapping.Mapping {
	word := func(text string) mapping.Word {
		return mapping.Word{Text: text, Pos: yamlstrict.Pos{File: file}}
	}
	out := &mapping.Mapping{File: file, Serial: word(m.Serial)}
	for _, r := range m.Regions {
		region := mapping.RegionFile{Name: word(r.Region)}
		for _, p := range r.Tasks {
			region.Team = append(region.Team, word(p))
		}
		for _, s := range r.Sections {
			i := slices.IndexFunc(region.Processors, func(l mapping.ProcessorList) bool { return l.Name.Text == s.Processor })
			if i < 0 {
				i = len(region.Processors)
				region.Processors = append(region.Processors, mapping.ProcessorList{Name: word(s.Processor)})
			}
			region.Processors[i].Sections = append(region.Processors[i].Sections, word(s.Section))
		}
		for _, l := range r.Loops {
			loop := mapping.LoopFile{Number: word(strconv.Itoa(l.Loop)), Schedule: word(l.Schedule)}
			for _, p := range l.Processors {
				loop.Processors = append(loop.Processors, word(p))
			}
			for _, s := range l.Shares {
				loop.Shares = append(loop.Shares, mapping.Share{Value: s, Pos: yamlstrict.Pos{File: file}})
			}
			region.Loops = append(region.Loops, loop)
		}
		out.Regions = append(out.Regions, region)
	}
	for _, t := range m.Tasks {
		x := mapping.TaskFile{Name: word(t.Task)}
		for _, p := range t.Processors {
			x.Processors = append(x.Processors, word(p))
		}
		out.Tasks = append(out.Tasks, x)
	}
	for _, d := range m.Depths {
		out.Depths = append(out.Depths, mapping.DepthFile{Name: word(d.Stage), Depth: d.Depth})
	}
	for _, d := range m.Designs {
		i := slices.IndexFunc(out.Designs, func(f mapping.DesignFile) bool { return f.Processor.Text == d.Processor })
		if i < 0 {
			i = len(out.Designs)
			out.Designs = append(out.Designs, mapping.DesignFile{Processor: word(d.Processor)})
		}
		out.Designs[i].Loops = append(out.Designs[i].Loops, mapping.LoopDesign{Loop: d.Loop, Unroll: d.Unroll, Partition: d.Partition, Pos: yamlstrict.Pos{File: file}})
	}
	return out
}
