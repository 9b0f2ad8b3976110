package table

// This file lists the decisions that make up a mapping and its schedule, as numbers that
// a search can change one by one.

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"pathspan/ir"
	"pathspan/mapping"
)

// Space holds the decisions about one program on one platform with one serial processor,
// and what is needed to value them fast. It does not change after NewSpace and may be
// used by several goroutines.
//
// The decisions fall into units that add up: the time of a candidate is Base plus that of
// each unit. A unit is a sections construct, or a worksharing loop; those that reach regions
// inside their sections are one unit, a general one, with all that they share. Loops in
// general units share their iterations as the table was made for, which is no decision.
type Space struct {
	Serial int    // processor of everything outside sections
	Genes  []Gene // those of a unit are consecutive
	Units  []Unit

	t       *Table
	static  *mapping.Resolved // where OpenMP's static schedule puts sections
	ways    [][]valuedWay     // by gene: of loops
	prog    *ir.Program
	parts   [][]int // by unit: its constructs, as stages of the table
	reached [][][]int
	stays   [][]bool  // by region and construct: sections that are no decision; nil where none
	mapped  []bool    // by region: a section of it is placed by a gene
	extra   []float64 // by processor: create and sync together, in cycles of processor 0
	places  [][]int   // see Places
	depths  [][][]int // by pipeline and buffer: depths to choose of; nil where it is no decision
	seconds float64   // of one cycle of processor 0
	lows    []Bounds  // by unit, once somebody has asked
	bounded []sync.Once
}

// Table returns the rows that the space is of.
func (s *Space) Table() *Table { return s.t }

// Gene is one decision.
type Gene struct {
	Kind                       GeneKind
	Region, Construct, Section int // as far as the kind has them
	Task                       int // of Place
	Pipeline, Buffer           int // of Depth
	Unit                       int
	Values                     int    // it is 0 to Values-1
	Name                       string // of the section, construct, region or task
}

// GeneKind says what a gene decides.
type GeneKind uint8

// The kinds of genes.
const (
	// Placement is the processor that runs a section.
	Placement GeneKind = iota
	// Nested is 1 when a region that is reached inside another one's sections is mapped
	// by its own placements, and 0 when it stays on the thread that meets it, as OpenMP
	// runs nested regions by default. It comes before the region's placements.
	Nested
	// Order is the permutation of a construct's sections, counted as by Lehmer. Only
	// constructs have one whose sections hold another construct: see Space.
	Order
	// Team is how many processors execute the tasks that a region makes, less one: the serial
	// one and those that follow it.
	Team
	// Place is which processors execute the tasks that one place of the program makes: one of
	// Places.
	Place
	// Sharing is the way in which a worksharing loop shares its iterations: one of Ways.
	Sharing
	// Depth is how many items a buffer of a pipeline holds.
	Depth
)

// Unit is a set of decisions whose effect does not depend on the others.
type Unit struct {
	First, Count int // its genes
	General      bool
	Loop         bool // its only gene is how a worksharing loop shares its iterations
	Rows         int  // ways in which it is executed
	Name         string

	// What each candidate of the unit takes, where they are few: bits of cycles, 0 until
	// somebody has valued it. The candidate's place is the sum over genes of value times step.
	found []atomic.Uint64
	step  []int // by gene of the unit
}

// mostFound is the most candidates of a unit that are kept: 128 KiB.
const mostFound = 1 << 14

// maxOrdered is the most sections of a construct whose order is a gene: 12! is less than
// 1<<31.
const maxOrdered = 12

// NewSpace prepares the search with a serial processor. seconds is the time of one cycle of
// processor 0. What never ran is no decision: sections stay with the serial processor,
// regions where OpenMP's static schedule puts them. Loops have the ways listed by region and
// construct, which Value must be told the values of; buffers of pipelines the depths listed, by pipeline, nil where
// these are the plan's.
func NewSpace(t *Table, pl *mapping.Platform, prog *ir.Program, serial int, seconds float64, ways [][][]Way, depths [][][]int) *Space {
	s := &Space{Serial: serial, t: t, static: mapping.DefaultFrom(pl, serial, prog), prog: prog, seconds: seconds, mapped: make([]bool, t.regions), reached: t.reachedSections(prog), depths: depths}
	for p := range t.KindOf {
		s.extra = append(s.extra, t.Create[p]+t.Sync[p])
	}
	s.places = placesOn(len(t.KindOf))
	s.keepPlaces()
	for _, group := range t.together() {
		switch x := &t.stages[group[0]]; {
		case s.general(group):
			s.addGeneral(group)
		case prog.Regions[x.region].Constructs[x.construct].Loop != nil:
			s.addLoop(group[0], ways[x.region])
			continue
		default:
			s.addConstruct(group[0])
		}
		s.keepFound(&s.Units[len(s.Units)-1])
	}
	s.lows, s.bounded = make([]Bounds, len(s.Units)), make([]sync.Once, len(s.Units))
	return s
}

// keepFound makes room for the candidates of a unit, if they are few.
func (s *Space) keepFound(u *Unit) {
	all, step := 1, make([]int, u.Count)
	for g := range step {
		step[g] = all
		if all *= s.Genes[u.First+g].Values; all > mostFound {
			return
		}
	}
	u.step, u.found = step, make([]atomic.Uint64, all)
}

// reachedSections lists the sections of each construct that are executed, by region.
func (t *Table) reachedSections(prog *ir.Program) [][][]int {
	out := make([][][]int, t.regions)
	for r := range out {
		out[r] = make([][]int, len(prog.Regions[r].Constructs))
	}
	seen := make([]bool, len(t.executions))
	for _, r := range t.Roots {
		t.eachInside(r.Execution, seen, func(x int) {
			e := &t.executions[x]
			if e.role != NoTask || e.lock > 0 {
				return
			}
			for lane := range int(e.lanes) {
				c, s := t.Split(int(e.region), int(e.construct), lane)
				list := &out[e.region][c]
				if at, known := slices.BinarySearch(*list, s); !known && t.lanes[int(e.first)+lane].parts > 0 {
					*list = slices.Insert(*list, at, s)
				}
			}
		})
	}
	return out
}

// eachInside visits an execution and those inside it, each once, that were not seen.
func (t *Table) eachInside(x int, seen []bool, visit func(x int)) {
	if seen[x] {
		return
	}
	seen[x] = true
	visit(x)
	t.eachPart(x, func(_ int, p part) {
		if p.set >= 0 && p.times > 0 {
			for _, inner := range t.sets[p.set].Executions {
				t.eachInside(inner, seen, visit)
			}
		}
	})
}

// together lists the stages of the table whose values depend on decisions that they share,
// in program order: those where regions are reached inside sections, with all that have a
// region in common with them, and those of one construct.
func (t *Table) together() [][]int {
	var out [][]int
	var sets []RegionSet // by group
	var places [][]int
	for i := range t.stages {
		u := &t.stages[i]
		all, tasks := t.newRegionSet(), t.deferredIn([]int{i})
		all.Union(u.inside)
		all.Add(u.region)
		group, general := []int{i}, u.inside.Any() || u.tasks || t.stageOf(u.region, u.construct) < i
		for j := len(out) - 1; j >= 0; j-- {
			shares := slices.ContainsFunc(places[j], func(task int) bool { return slices.Contains(tasks, task) })
			if shares || sets[j].Intersects(all) && (general || t.general(out[j])) {
				group, tasks = append(out[j], group...), append(tasks, places[j]...)
				all.Union(sets[j])
				general = true
				out, sets, places = slices.Delete(out, j, j+1), slices.Delete(sets, j, j+1), slices.Delete(places, j, j+1)
			}
		}
		out, sets, places = append(out, group), append(sets, all), append(places, tasks)
	}
	for _, group := range out {
		slices.SortFunc(group, t.compareStages)
	}
	slices.SortFunc(out, func(a, b []int) int { return t.compareStages(a[0], b[0]) })
	return out
}

// general reports whether the value of a group of stages needs its rows played: where regions
// are reached inside its sections, or locks are, unless it is a loop, whose ways are played
// beforehand; and where threads come from sections to loops without waiting, or the other way.
func (s *Space) general(stages []int) bool {
	return s.t.general(stages) || slices.ContainsFunc(stages, func(i int) bool {
		u := &s.t.stages[i]
		if s.prog.Regions[u.region].Mixed(u.construct) {
			return true
		}
		return u.locks && s.prog.Regions[u.region].Constructs[u.construct].Loop == nil
	})
}

// keepPlaces finds the sections that stay where they are, since threads come from them to loops
// whose chunks they take as they come, which rows are made for.
func (s *Space) keepPlaces() {
	s.stays = make([][]bool, len(s.prog.Regions))
	for i := range s.prog.Regions {
		r := &s.prog.Regions[i]
		for c := range r.Constructs {
			if !r.Mixed(c) {
				continue
			}
			if s.stays[i] == nil {
				s.stays[i] = make([]bool, len(r.Constructs))
			}
			first, n := r.Together(c)
			s.stays[i][c] = slices.ContainsFunc(s.static.Regions[i].Loops[first:first+n], func(l *mapping.LoopMap) bool {
				return l != nil && l.Shares == nil && l.Schedule.Dispatched()
			})
		}
	}
}

func (s *Space) stay(region, construct int) bool {
	return s.stays[region] != nil && s.stays[region][construct]
}

// general reports whether regions are reached inside the sections of a group of stages, or
// it is several.
func (t *Table) general(stages []int) bool {
	return len(stages) > 1 || slices.ContainsFunc(stages, func(i int) bool { return t.stages[i].inside.Any() || t.stages[i].tasks })
}

func (t *Table) compareStages(a, b int) int {
	x, y := &t.stages[a], &t.stages[b]
	return cmp.Or(cmp.Compare(x.region, y.region), cmp.Compare(x.construct, y.construct))
}

func (s *Space) addConstruct(at int) {
	x := &s.t.stages[at]
	u := Unit{First: len(s.Genes), Count: len(x.sections), Rows: len(x.rows), Name: s.constructName(x.region, x.construct)}
	for _, lane := range x.sections {
		c, sec := s.t.Split(x.region, x.construct, lane)
		s.Genes = append(s.Genes, Gene{Kind: Placement, Region: x.region, Construct: c, Section: sec, Unit: len(s.Units), Values: len(s.t.KindOf), Name: s.prog.Regions[x.region].Constructs[c].Sections[sec].Name})
	}
	s.mapped[x.region] = true
	s.Units, s.parts = append(s.Units, u), append(s.parts, []int{at})
}

func (s *Space) constructName(r, c int) string {
	reg := &s.prog.Regions[r]
	if len(reg.Constructs) == 1 {
		return reg.Name
	}
	if n := len(s.t.streak(r, c)); n > 0 {
		return fmt.Sprintf("%s constructs %d to %d", reg.Name, c+1, c+n)
	}
	return s.constructAlone(r, c)
}

func (s *Space) constructAlone(r, c int) string {
	return fmt.Sprintf("%s construct %d", s.prog.Regions[r].Name, c+1)
}

// addGeneral adds the genes of constructs that reach regions inside their sections, and of
// those regions.
func (s *Space) addGeneral(stages []int) {
	u := Unit{First: len(s.Genes), General: true}
	inside, all := s.t.newRegionSet(), s.t.newRegionSet()
	holds, seen := map[[2]int]bool{}, make([]bool, len(s.t.executions)) // constructs whose sections execute others
	for _, i := range stages {
		x := &s.t.stages[i]
		u.Rows += len(x.rows)
		inside.Union(x.inside)
		all.Union(x.inside)
		all.Add(x.region)
		for _, row := range x.rows {
			s.t.eachInside(s.t.Roots[row].Execution, seen, func(x int) {
				e := &s.t.executions[x]
				s.t.eachPart(x, func(_ int, p part) {
					if p.set >= 0 && p.times > 0 && e.role == NoTask && e.lock == 0 {
						r, c := int(e.region), int(e.construct)
						for i := range max(1, len(s.t.streak(r, c))) {
							holds[[2]int{r, c + i}] = true
						}
					}
				})
			})
		}
	}
	x := &s.t.stages[stages[0]]
	u.Name = s.constructName(x.region, x.construct)
	switch {
	case inside.Any():
		u.Name = s.prog.Regions[x.region].Name + " with regions inside"
	case x.tasks:
		u.Name = s.prog.Regions[x.region].Name + " with tasks"
	}
	if slices.ContainsFunc(stages, func(i int) bool { return s.t.compareStages(i, stages[0]) != 0 }) {
		u.Name += " and others"
	}
	at := len(s.Units)
	all.each(func(r int) {
		reg := &s.prog.Regions[r]
		s.mapped[r] = true
		if inside.has(r) {
			s.Genes = append(s.Genes, Gene{Kind: Nested, Region: r, Unit: at, Values: 2, Name: reg.Name})
		}
		if s.t.makesIn.has(r) {
			s.Genes = append(s.Genes, Gene{Kind: Team, Region: r, Unit: at, Values: len(s.t.KindOf), Name: reg.Name})
		}
		for c := range reg.Constructs {
			if reg.Constructs[c].Loop != nil || s.stay(r, c) {
				continue
			}
			sections := s.reached[r][c]
			for _, sec := range sections {
				s.Genes = append(s.Genes, Gene{Kind: Placement, Region: r, Construct: c, Section: sec, Unit: at, Values: len(s.t.KindOf), Name: reg.Constructs[c].Sections[sec].Name})
			}
			if n := len(sections); holds[[2]int{r, c}] && n > 1 && n <= maxOrdered {
				s.Genes = append(s.Genes, Gene{Kind: Order, Region: r, Construct: c, Unit: at, Values: factorial(n), Name: s.constructName(r, c)})
			}
		}
	})
	if n := len(s.Genes); n > u.First && len(s.t.KindOf) > 1 {
		for _, task := range s.t.deferredIn(stages) { // behind the genes of a region, which are consecutive
			s.Genes = append(s.Genes, Gene{Kind: Place, Region: s.Genes[n-1].Region, Task: task, Unit: at, Values: len(s.places), Name: s.prog.Tasks[task].Name})
		}
		s.addDepths(stages, at)
	}
	u.Count = len(s.Genes) - u.First
	s.Units, s.parts = append(s.Units, u), append(s.parts, stages)
}

// allPlaces is up to how many processors all sets of them are places.
const allPlaces = 3

// placesOn lists nil, and sets of processors: all proper ones of few, else each by itself.
func placesOn(processors int) [][]int {
	out := [][]int{nil}
	for p := range processors {
		out = append(out, []int{p})
	}
	for p := range processors {
		for q := p + 1; q < processors && processors == allPlaces; q++ {
			out = append(out, []int{p, q})
		}
	}
	return out
}

// Places lists the sets of processors that may execute the tasks of a place; nil stands for all
// of the team. Whole is whether there are no others.
func (s *Space) Places() (sets [][]int, whole bool) { return s.places, len(s.t.KindOf) <= allPlaces }

// deferredIn lists the tasks of the program that are deferred in the rows of some stages.
func (t *Table) deferredIn(stages []int) []int {
	var out []int
	seen := make([]bool, len(t.executions))
	for _, i := range stages {
		for _, row := range t.stages[i].rows {
			t.eachInside(t.Roots[row].Execution, seen, func(x int) {
				task := int(t.executions[x].task)
				if at, known := slices.BinarySearch(out, task); !known && t.executions[x].role == Deferred && task >= 0 {
					out = slices.Insert(out, at, task)
				}
			})
		}
	}
	return out
}

func factorial(n int) int {
	f := 1
	for i := 2; i <= n; i++ {
		f *= i
	}
	return f
}

// AtRest returns the candidate with everything on the serial processor, and buffers as deep as the plan has them, or nearly.
func (s *Space) AtRest() []int32 {
	genes := make([]int32, len(s.Genes))
	for i := range s.Genes {
		switch s.Genes[i].Kind {
		case Placement:
			genes[i] = int32(s.Serial)
		case Nested:
			genes[i] = 1
		case Sharing:
			genes[i] = s.alone(i)
		case Depth:
			genes[i] = s.planned(i)
		}
	}
	return genes
}

// AsWritten returns the candidate in which sections and tasks are where OpenMP puts them.
func (s *Space) AsWritten() []int32 {
	genes := s.AtRest()
	for i := range s.Genes {
		g := &s.Genes[i]
		switch rm := &s.static.Regions[g.Region]; g.Kind {
		case Placement:
			genes[i] = int32(rm.Proc[g.Construct][g.Section])
		case Nested:
			genes[i] = 0
		case Team:
			genes[i] = int32(len(rm.Team) - 1)
		}
	}
	return genes
}

// AsShared returns the value of a loop's gene with which it shares its iterations as OpenMP does without a
// mapping; false where none does.
func (s *Space) AsShared(gene int) (int32, bool) {
	g := &s.Genes[gene]
	is := WayOf(&s.static.Regions[g.Region], g.Construct)
	v := slices.IndexFunc(s.ways[gene], func(w valuedWay) bool {
		return w.Schedule == is.Schedule && w.Threads == is.Threads && w.Shares == nil && is.Shares == nil && slices.Equal(w.Processors, is.Processors)
	})
	return int32(v), v >= 0
}

// Mapping returns a candidate as a mapping that Estimate takes. Regions of which no
// section was reached are where OpenMP's static schedule puts them.
func (s *Space) Mapping(genes []int32) *mapping.Resolved {
	m := mapping.DefaultFrom(s.static.Platform, s.Serial, s.prog)
	for r := range m.Regions {
		if s.mapped[r] {
			m.Regions[r].Explicit = true
			s.clear(m, r)
		}
	}
	for i := range genes {
		s.write(m, i, genes)
	}
	for r := range m.Regions {
		if m.Regions[r].Explicit {
			group(&m.Regions[r])
		}
	}
	return m
}

// group brings the sections of a construct that share a processor together, processors in
// order of their first section in the region: what a mapping file can say.
func group(rm *mapping.RegionMap) {
	rank := func(p int) int {
		at := 0
		for c := range rm.Order {
			if rm.Loop(c) != nil {
				continue
			}
			for _, k := range rm.Order[c] {
				if rm.Proc[c][k] == p {
					return at
				}
				at++
			}
		}
		return at
	}
	for c := range rm.Order {
		order := rm.Order[c]
		if rm.Loop(c) != nil {
			continue
		}
		for i := range order { // a stable insertion sort that allocates nothing
			for j := i; j > 0 && rank(rm.Proc[c][order[j]]) < rank(rm.Proc[c][order[j-1]]); j-- {
				order[j], order[j-1] = order[j-1], order[j]
			}
		}
	}
}

// clear puts the sections of a region that need not stay onto the serial processor, in source order.
func (s *Space) clear(m *mapping.Resolved, region int) {
	rm := &m.Regions[region]
	for c := range rm.Proc {
		if rm.Loop(c) != nil || s.stay(region, c) {
			continue
		}
		for k := range rm.Proc[c] {
			rm.Proc[c][k], rm.Order[c][k] = s.Serial, k
		}
	}
}

// write writes gene i into a mapping in which the region is explicit.
func (s *Space) write(m *mapping.Resolved, i int, genes []int32) {
	g := &s.Genes[i]
	rm := &m.Regions[g.Region]
	switch g.Kind {
	case Nested:
		if rm.Explicit = genes[i] == 1; !rm.Explicit {
			for c, proc := range s.static.Regions[g.Region].Proc {
				copy(rm.Proc[c], proc)
				copy(rm.Order[c], s.static.Regions[g.Region].Order[c])
			}
			rm.Team = s.static.Regions[g.Region].Team
		}
	case Placement:
		if rm.Explicit {
			rm.Proc[g.Construct][g.Section] = int(genes[i])
		}
	case Team:
		if rm.Explicit {
			rm.Team = mapping.Team(len(s.t.KindOf), s.Serial, int(genes[i])+1)
		}
	case Order:
		if rm.Explicit {
			s.permute(rm.Order[g.Construct], g, int(genes[i]))
		}
	case Place:
		if m.Tasks == nil {
			m.Tasks = make([][]int, len(s.prog.Tasks))
		}
		m.Tasks[g.Task] = s.places[genes[i]]
	case Sharing:
		s.ways[i][genes[i]].write(rm, g.Construct)
	case Depth:
		if m.Depths == nil {
			m.Depths = make([][]int, len(s.prog.Pipelines))
		}
		if m.Depths[g.Pipeline] == nil {
			m.Depths[g.Pipeline] = slices.Clone(s.prog.Pipelines[g.Pipeline].Depths)
		}
		m.Depths[g.Pipeline][g.Buffer] = s.Depth(i, genes[i])
	}
}

// permute writes permutation number n of the sections that were reached; the others come
// last.
func (s *Space) permute(order []int, g *Gene, n int) {
	var left [maxOrdered]int
	k := 0
	for i := range s.Genes {
		if o := &s.Genes[i]; o.Kind == Placement && o.Region == g.Region && o.Construct == g.Construct {
			left[k] = o.Section
			k++
		}
	}
	all := order[:0]
	reached := left[:k]
	size := g.Values
	for len(reached) > 0 {
		size /= len(reached)
		at := n / size
		n %= size
		all = append(all, reached[at])
		reached = append(reached[:at], reached[at+1:]...)
	}
	for sec := 0; len(all) < cap(order) && sec < cap(order); sec++ {
		if !slices.Contains(all, sec) {
			all = append(all, sec)
		}
	}
}

// flat returns the stage of a unit that is not general.
func (s *Space) flat(unit int) *stage { return &s.t.stages[s.parts[unit][0]] }

// Work returns the seconds that a section's work takes on the serial processor in one
// execution of the program; 0 for genes of general units.
func (s *Space) Work(gene int) float64 {
	u := s.Genes[gene].Unit
	switch {
	case s.Units[u].General:
		return 0
	case s.Units[u].Loop:
		return s.flat(u).work(s.t.KindOf[s.Serial]) * s.seconds
	}
	return s.flat(u).whole(s.t.KindOf[s.Serial], gene-s.Units[u].First) * s.seconds
}

// HasGeneral reports whether some unit is general.
func (s *Space) HasGeneral() bool {
	return slices.ContainsFunc(s.Units, func(u Unit) bool { return u.General })
}

// BaseSeconds is the time outside of all units.
func (s *Space) BaseSeconds() float64 { return s.t.Base[s.t.KindOf[s.Serial]] * s.seconds }
