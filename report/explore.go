package report

// This file shows what a search for mappings found.

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/explore"
	"pathspan/ir"
	"pathspan/mapping"
)

// Exploration is what one call of explore found on one platform or several, and its JSON
// object.
type Exploration struct {
	Schema    string   `json:"schema" is:"pathspan.explore/1"`
	Bundle    string   `json:"bundle"`
	Function  string   `json:"function"`
	Models    []string `json:"models"`
	Technique string   `json:"technique"` // that the search went by
	Objective string   `json:"objective"`
	Pareto    []string `json:"pareto,omitempty"`
	Seed      uint64   `json:"seed"`
	Budget    string   `json:"budget"`
	// Searches has one entry for each platform.
	Searches []Searched `json:"searches"`
	Notes    []string   `json:"notes"`
}

// Searched is what was found on one platform.
type Searched struct {
	Platform    string  `json:"platform"` // its name, and what of it is swept
	Processors  int     `json:"processors"`
	Algorithm   string  `json:"algorithm"`
	Reason      string  `json:"reason,omitempty"` // why it was chosen, when it was
	Proven      bool    `json:"proven"`
	Interrupted bool    `json:"interrupted"`
	Evaluations int64   `json:"evaluations"`
	Candidates  float64 `json:"candidates"` // -1 when there are too many to count
	// Loops counts the worksharing loops of which ways to share iterations were tried.
	Loops int    `json:"loops,omitempty"`
	Best  Chosen `json:"best"`
	// Static is the mapping that OpenMP gives, by the same techniques.
	Static []estimate.Result `json:"openmp_static"`
	Bounds ExploreBounds     `json:"bounds"`
	Front  []Chosen          `json:"front,omitempty"`
	Notes  []string          `json:"-"` // in those of the whole
}

// Chosen is a candidate that was chosen.
type Chosen struct {
	Seconds    float64 `json:"parallel_seconds"`
	Processors int     `json:"processors_used"`
	Joules     float64 `json:"joules,omitempty"` // where the platform gives power
	// Area is what loops that are made in hardware take, and buffers of pipelines: of each processor the
	// greatest part of a resource, added up.
	Area      float64           `json:"area,omitempty"`
	Speedup   float64           `json:"speedup"`
	Mapping   *MappingJSON      `json:"mapping"`
	Estimates []estimate.Result `json:"estimates,omitempty"` // of the best only
	resolved  *mapping.Resolved
	program   *ir.Program
}

// ExploreBounds are lower bounds on the parallel time.
type ExploreBounds struct {
	Critical float64 `json:"critical_path_seconds"`
	Capacity float64 `json:"work_over_capacity_seconds"`
	Combined float64 `json:"combined_seconds"`
	// Gap is by which share the best time is above the combined bound.
	Gap float64 `json:"gap"`
}

// MappingJSON is a mapping for programs.
type MappingJSON struct {
	Serial  string          `json:"serial"`
	Regions []RegionMapJSON `json:"regions"`
	// Tasks are the processors of the tasks of places, where these are kept to some; Depths what buffers of
	// pipelines hold behind stages, where that is not as the plan has it.
	Tasks  []TaskMapJSON `json:"tasks,omitempty"`
	Depths []DepthJSON   `json:"depths,omitempty"`
	// Designs are how loops are made in hardware, where that is not as models' files have it.
	Designs []LoopDesignJSON `json:"designs,omitempty"`
}

// TaskMapJSON says which processors execute the tasks of a place.
type TaskMapJSON struct {
	Task       string   `json:"task"`
	Processors []string `json:"processors"`
}

// DepthJSON is how many items the buffer behind a stage holds.
type DepthJSON struct {
	Stage string `json:"stage"` // its task
	Depth int    `json:"depth"`
}

// LoopDesignJSON is how a processor makes a loop.
type LoopDesignJSON struct {
	Processor string `json:"processor"`
	Loop      string `json:"loop"` // FILE:LINE
	Unroll    int    `json:"unroll,omitempty"`
	Partition int    `json:"partition,omitempty"`
}

// RegionMapJSON says where the sections of a region run, in the order in which they do.
type RegionMapJSON struct {
	Region   string           `json:"region"`
	Line     int              `json:"line,omitempty"` // of the region when the mapping was found
	Sections []SectionMapJSON `json:"sections"`
	Loops    []LoopMapJSON    `json:"loops,omitempty"`
	Tasks    []string         `json:"tasks,omitempty"` // the processors of its tasks, where these are not the usual ones
}

// LoopMapJSON says how a worksharing loop shares its iterations.
type LoopMapJSON struct {
	Loop       int       `json:"loop"`               // its number in the region, from 1
	Schedule   string    `json:"schedule,omitempty"` // "" where the program computes the chunk
	Processors []string  `json:"processors"`         // by thread
	Shares     []float64 `json:"shares,omitempty"`   // of the iterations, by thread, where they are not equal
}

// SectionMapJSON is a section and its processor.
type SectionMapJSON struct {
	Section   string `json:"section"`
	Processor string `json:"processor"`
}

// NewSearched sums up a search.
func NewSearched(platform string, f *explore.Found, prog *ir.Program) Searched {
	s := Searched{
		Platform: platform, Processors: len(f.Mapping.Platform.Processors), Algorithm: f.Algorithm, Reason: f.Reason,
		Proven: f.Proven, Interrupted: f.Interrupted, Evaluations: f.Evaluations, Candidates: f.Candidates, Loops: f.Loops,
		Bounds: ExploreBounds{f.Bounds.Critical, f.Bounds.Capacity, f.Bounds.Combined, f.Gap()},
	}
	if math.IsInf(s.Candidates, 0) {
		s.Candidates = -1
	}
	s.Best = NewChosen(f.Best.Metrics, f.Mapping, prog)
	if f.Short {
		s.Notes = append(s.Notes, "more ways to make loops in hardware were left out than bounds show to be no better, as the budget is small for them all: what is said to be least is so of those that were searched")
	}
	return s
}

// NewChosen describes a candidate; its speed-up is left to the caller.
func NewChosen(m explore.Metrics, r *mapping.Resolved, prog *ir.Program) Chosen {
	c := Chosen{Seconds: m.Seconds, Processors: m.Processors, Joules: m.Joules, Area: m.Area, resolved: r, program: prog}
	out := &MappingJSON{Serial: r.Platform.Processors[r.Serial].Name}
	for i := range r.Regions {
		rm := &r.Regions[i]
		if !rm.Explicit {
			continue
		}
		region := RegionMapJSON{Region: prog.Regions[i].Name, Line: prog.Regions[i].Line}
		for _, w := range r.TeamFile(prog, i) {
			region.Tasks = append(region.Tasks, w.Text)
		}
		for k := range rm.Order {
			if l := rm.Loop(k); l != nil {
				x := LoopMapJSON{Loop: len(region.Loops) + 1, Shares: l.Shares}
				if !l.Computed {
					x.Schedule = l.Text(prog.Regions[i].Constructs[k].Loop)
				}
				for _, p := range rm.Proc[k][:l.Threads] {
					x.Processors = append(x.Processors, r.Platform.Processors[p].Name)
				}
				region.Loops = append(region.Loops, x)
				continue
			}
			for _, s := range rm.Order[k] {
				region.Sections = append(region.Sections, SectionMapJSON{prog.Regions[i].Constructs[k].Sections[s].Name, r.Platform.Processors[rm.Proc[k][s]].Name})
			}
		}
		out.Regions = append(out.Regions, region)
	}
	for t, on := range r.Tasks {
		if on == nil {
			continue
		}
		x := TaskMapJSON{Task: prog.Tasks[t].Name}
		for _, p := range on {
			x.Processors = append(x.Processors, r.Platform.Processors[p].Name)
		}
		out.Tasks = append(out.Tasks, x)
	}
	for _, d := range r.DepthsFile(prog) {
		out.Depths = append(out.Depths, DepthJSON{d.Name.Text, d.Depth})
	}
	for i := range r.Platform.Processors {
		p := &r.Platform.Processors[i]
		for _, d := range p.Design {
			out.Designs = append(out.Designs, LoopDesignJSON{p.Name, d.Loop, d.Unroll, d.Partition})
		}
	}
	c.Mapping = out
	return c
}

// Text writes a mapping file whose comments say how good the mapping is; with
// several platforms, a table and a curve of the best on each.
func (x *Exploration) Text(out io.Writer) error {
	w := bufio.NewWriter(out) // keeps the first error
	switch {
	case len(x.Searches) > 1:
		exploreSweep(w, x)
	case len(x.Pareto) > 0:
		exploreFront(w, x)
	default:
		exploreBest(w, x)
	}
	return w.Flush()
}

func exploreHead(x *Exploration) string {
	return fmt.Sprintf("%s, function %s, model %s", x.Bundle, x.Function, strings.Join(x.Models, ", "))
}

// exploreBest writes the best mapping. Everything else is a comment of the file.
func exploreBest(w io.Writer, x *Exploration) {
	s := &x.Searches[0]
	w.Write(s.Best.resolved.YAML(s.Best.program))
	var text strings.Builder
	fmt.Fprintf(&text, "%s\nplatform %s, %s; %s by %s\n\n", exploreHead(x), s.Platform, Count(s.Processors, "processor"), objectiveText(x.Objective), Title(x.Technique))
	tab := newColumns(&text)
	tab.leaveOut(s.Best.Joules == 0, "energy")
	tab.leaveOut(s.Best.Area == 0, "area")
	var techniques []string
	heads := []string{"", "processors used", "parallel time", "energy", "area"}
	for _, r := range s.Best.Estimates {
		techniques, heads = append(techniques, r.Technique), append(heads, Title(r.Technique))
	}
	row := func(results []estimate.Result, cells ...string) {
		for _, r := range results {
			cells = append(cells, fmt.Sprintf("%.2f", r.Speedup))
		}
		tab.row(cells...)
	}
	tab.row(heads...)
	row(s.Best.Estimates, "best mapping", fmt.Sprint(s.Best.Processors), Seconds(s.Best.Seconds), Joules(s.Best.Joules), Percent(s.Best.Area))
	if len(s.Static) > 0 {
		row(s.Static, s.Static[0].Mapping, "", Seconds(s.Static[0].ParallelSeconds), Joules(s.Static[0].Joules), "")
	}
	tab.Flush()
	fmt.Fprintf(&text, "\n%s\n", proofText(s)+boundText(s))
	fmt.Fprintln(&text, "next: -o FILE keeps the mapping; pathspan why --mapping FILE (what is lost, and where)")
	fmt.Fprintf(&text, "speed-ups: %s\n", Legend(techniques))
	for _, n := range x.Notes {
		fmt.Fprintf(&text, "note: %s\n", Demangled(n))
	}
	for _, line := range strings.Split(strings.TrimRight(text.String(), "\n"), "\n") {
		fmt.Fprintln(w, strings.TrimRight("# "+line, " "))
	}
}

func objectiveText(o string) string {
	switch o {
	case "speedup":
		return "highest speed-up"
	case "time":
		return "least time"
	case "processors":
		return "fewest processors, then least time"
	case "area":
		return "least area, then least time"
	}
	return "least energy"
}

// proofText says how far the best is known to be the best.
func proofText(s *Searched) string {
	how := s.Algorithm
	if s.Reason != "" {
		how += " (" + s.Reason + ")"
	}
	found := "best found"
	switch {
	case s.Interrupted:
		found = "interrupted; best so far"
	case s.Proven && (s.Algorithm == "exhaustive" || s.Algorithm == "branch-and-bound"):
		found = "proven optimal"
	case s.Proven:
		found = "proven optimal by the bound"
	}
	return fmt.Sprintf("%s: %s, %s", found, how, Count(int(s.Evaluations), "evaluation"))
}

// boundText says what no mapping can be below, behind what proofText says.
func boundText(s *Searched) string {
	b := &s.Bounds
	if b.Combined == 0 {
		return "; no bound is known, as regions lie within regions"
	}
	what := "mapping"
	if s.Loops > 0 {
		what = "mapping with schedules of loops that were tried"
	}
	text := fmt.Sprintf("\nno %s takes less than %s (critical path %s, work over capacity %s)", what, Seconds(b.Combined), Seconds(b.Critical), Seconds(b.Capacity))
	switch {
	case s.Proven: // the bound was met, or all that lies between was tried
		return ""
	case b.Gap < 1e-9:
		return text + ", which the best does"
	}
	return text + fmt.Sprintf("; the best found takes %s more, so the optimum is at most that far", Percent(b.Gap))
}

// exploreFront writes the candidates of the front and their mappings, as comments of
// one mapping file that holds the first.
func exploreFront(w io.Writer, x *Exploration) {
	s := &x.Searches[0]
	fmt.Fprintf(w, "%s\nplatform %s, %s; front of %s by %s\n\n", exploreHead(x), s.Platform, Count(s.Processors, "processor"), strings.Join(x.Pareto, ", "), Named(x.Technique))
	tab := newColumns(w)
	tab.leaveOut(len(s.Front) == 0 || s.Front[0].Joules == 0, "energy")
	tab.leaveOut(!slices.ContainsFunc(s.Front, func(c Chosen) bool { return c.Area > 0 }), "area")
	tab.row("", "processors used", "parallel time", "speed-up", "energy", "area")
	for i := range s.Front {
		c := &s.Front[i]
		tab.row(fmt.Sprint(i+1), fmt.Sprint(c.Processors), Seconds(c.Seconds), fmt.Sprintf("%.3f", c.Speedup), Joules(c.Joules), Percent(c.Area))
	}
	tab.Flush()
	text := strings.Replace(proofText(s), "proven optimal", "proven complete", 1)
	fmt.Fprintf(w, "\n%s\n", text+boundText(s))
	printNotes(w, x.Notes)
	for i := range s.Front {
		fmt.Fprintf(w, "---\n# %d\n%s", i+1, s.Front[i].resolved.YAML(s.Front[i].program))
	}
}
