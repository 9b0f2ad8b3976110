package estimate

// This file lists the decisions that make up a mapping and its schedule, as numbers that
// a search can change one by one.

import (
	"fmt"

	"pathspan/mapping"
)

// Space holds the decisions about one program on one platform with one serial processor,
// and what is needed to value them fast. It does not change after NewSpace and may be
// used by several goroutines.
//
// The decisions fall into units that add up: the time of a candidate is that of what lies
// outside of them plus that of each unit (see decompose.go). A unit is a sections
// construct, or everything that does not come apart.
type Space struct {
	Serial int    // processor of everything outside sections
	Genes  []Gene // those of a unit are consecutive
	Units  []Unit

	e         *Estimator
	technique Technique   // that values candidates: PathBased or ExecutionBased
	tables    []unitTable // by unit; without rows for the general one
	general   int         // the unit that is evaluated as a whole, -1 when there is none
	flat      []bool      // by region: its constructs are units
	mapped    []bool      // by region: a section of it is placed by a gene
	base      float64     // cycles outside of all units, of processor 0, when general < 0
	atRest    float64     // what all flat units take on the serial processor, in such cycles
	extra     []float64   // by processor: create and sync together, in such cycles
	seconds   float64     // of one cycle of processor 0
}

// Gene is one decision.
type Gene struct {
	Kind                       GeneKind
	Region, Construct, Section int // as far as the kind has them
	Unit                       int
	Values                     int    // it is 0 to Values-1
	Name                       string // of the section, construct or region
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
)

// Unit is a set of decisions whose effect does not depend on the others.
type Unit struct {
	First, Count int // its genes
	General      bool
	Rows         int // merged paths, 0 when general
	Name         string
}

// maxOrdered is the most sections of a construct whose order is a gene: 12! is less than
// 1<<31.
const maxOrdered = 12

// NewSpace prepares the search with a serial processor, by the path-based or by the
// execution-based technique. What never ran is no decision: sections stay with the serial
// processor, regions where OpenMP's static schedule puts them.
func (e *Estimator) NewSpace(serial int, t Technique) (*Space, error) {
	if t != PathBased && t != ExecutionBased {
		return nil, fmt.Errorf("estimate: candidates cannot be searched by technique %s; want eb or pb", t)
	}
	if serial < 0 || serial >= len(e.Platform.Processors) {
		return nil, fmt.Errorf("estimate: serial processor %d of %d", serial, len(e.Platform.Processors))
	}
	if e.means == nil || e.executions.byPaths {
		t = PathBased // which is then the same
	}
	s := &Space{Serial: serial, e: e, technique: t, general: -1, seconds: 1 / (e.ClockMHz[0] * 1e6)}
	for p := range e.Platform.Processors {
		s.extra = append(s.extra, e.overhead(p))
	}
	d := e.decompose(serial)
	if t == ExecutionBased {
		d.byExecutions(serial)
	}
	s.flat, s.mapped = d.flat, make([]bool, len(d.flat))
	regions := e.Bundle.Program.Regions
	for r := range regions {
		for c := range regions[r].Constructs {
			if d.flat[r] && d.tables[r][c] != nil && d.tables[r][c].rows > 0 {
				s.addConstruct(d, r, c)
			}
		}
	}
	s.addGeneral(d)
	rest, err := e.Estimate(s.Mapping(s.AtRest()), t)
	if err != nil {
		return nil, err
	}
	f := s.NewFast()
	for u := range s.Units {
		if u != s.general {
			s.atRest += f.units[u].value
		}
	}
	s.base = rest.ParallelCycles*e.factor[e.kindOf[serial]] - s.atRest
	return s, nil
}

func (s *Space) addConstruct(d *decomposition, r, c int) {
	u := Unit{First: len(s.Genes), Count: len(d.sections[r][c]), Rows: d.tables[r][c].rows}
	con := &s.e.Bundle.Program.Regions[r].Constructs[c]
	for _, sec := range d.sections[r][c] {
		s.Genes = append(s.Genes, Gene{Placement, r, c, sec, len(s.Units), len(s.e.Platform.Processors), con.Sections[sec].Name})
	}
	u.Name = s.constructName(r, c)
	s.mapped[r] = true
	s.Units = append(s.Units, u)
	s.tables = append(s.tables, *d.tables[r][c])
}

func (s *Space) constructName(r, c int) string {
	reg := &s.e.Bundle.Program.Regions[r]
	if len(reg.Constructs) == 1 {
		return reg.Name
	}
	return fmt.Sprintf("%s construct %d", reg.Name, c+1)
}

// addGeneral adds the genes of the regions that do not come apart, as one unit.
func (s *Space) addGeneral(d *decomposition) {
	u := Unit{First: len(s.Genes), General: true, Name: "regions within regions"}
	at := len(s.Units)
	for r := range s.e.Bundle.Program.Regions {
		if d.flat[r] {
			continue
		}
		reg := &s.e.Bundle.Program.Regions[r]
		for c := range reg.Constructs {
			s.mapped[r] = s.mapped[r] || d.sections[r][c] != nil
		}
		if s.mapped[r] && d.nested[r] {
			s.Genes = append(s.Genes, Gene{Kind: Nested, Region: r, Unit: at, Values: 2, Name: reg.Name})
		}
		for c := range reg.Constructs {
			for _, sec := range d.sections[r][c] {
				s.Genes = append(s.Genes, Gene{Placement, r, c, sec, at, len(s.e.Platform.Processors), reg.Constructs[c].Sections[sec].Name})
			}
			if n := len(d.sections[r][c]); d.ordered[r][c] && n > 1 && n <= maxOrdered {
				s.Genes = append(s.Genes, Gene{Kind: Order, Region: r, Construct: c, Unit: at, Values: factorial(n), Name: s.constructName(r, c)})
			}
		}
	}
	if u.Count = len(s.Genes) - u.First; u.Count == 0 {
		return
	}
	s.general = at
	s.Units = append(s.Units, u)
	s.tables = append(s.tables, unitTable{})
}

func factorial(n int) int {
	f := 1
	for i := 2; i <= n; i++ {
		f *= i
	}
	return f
}

// AtRest returns the candidate with everything on the serial processor.
func (s *Space) AtRest() []int32 {
	genes := make([]int32, len(s.Genes))
	for i := range s.Genes {
		switch s.Genes[i].Kind {
		case Placement:
			genes[i] = int32(s.Serial)
		case Nested:
			genes[i] = 1
		}
	}
	return genes
}

// Mapping returns a candidate as a mapping that Estimate takes. Regions of which no
// section was reached are where OpenMP's static schedule puts them.
func (s *Space) Mapping(genes []int32) *mapping.Resolved {
	m := mapping.DefaultFrom(s.e.Platform, s.Serial, s.e.Bundle.Program)
	for r := range m.Regions {
		if s.mapped[r] {
			m.Regions[r].Explicit = true
			s.clear(&m.Regions[r])
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
		for i := range order { // a stable insertion sort that allocates nothing
			for j := i; j > 0 && rank(rm.Proc[c][order[j]]) < rank(rm.Proc[c][order[j-1]]); j-- {
				order[j], order[j-1] = order[j-1], order[j]
			}
		}
	}
}

// clear puts a region onto the serial processor, in source order.
func (s *Space) clear(rm *mapping.RegionMap) {
	for c := range rm.Proc {
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
			s.e.static(rm, g.Region, s.Serial)
		}
	case Placement:
		if rm.Explicit {
			rm.Proc[g.Construct][g.Section] = int(genes[i])
		}
	case Order:
		if rm.Explicit {
			s.permute(rm.Order[g.Construct], g, int(genes[i]))
		}
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
		known := false
		for _, o := range all {
			known = known || o == sec
		}
		if !known {
			all = append(all, sec)
		}
	}
}

// static puts a region where OpenMP's static schedule puts it.
func (e *Estimator) static(rm *mapping.RegionMap, r, serial int) {
	reg := &e.Bundle.Program.Regions[r]
	threads := len(e.Platform.Processors)
	if reg.NumThreads > 0 {
		threads = min(threads, reg.NumThreads)
	}
	for c := range rm.Proc {
		n := len(rm.Proc[c])
		for k := range n {
			rm.Proc[c][k] = (serial + mapping.StaticThread(k, n, threads)) % len(e.Platform.Processors)
			rm.Order[c][k] = k
		}
	}
}

// Work returns the seconds that a section's work takes on the serial processor, averaged
// over all paths; 0 for genes of the general unit.
func (s *Space) Work(gene int) float64 {
	u := s.Genes[gene].Unit
	if u == s.general {
		return 0
	}
	t, x := &s.tables[u], 0.0
	for r, time := range t.column(s.e.kindOf[s.Serial], gene-s.Units[u].First) {
		x += t.weight[r] * time
	}
	return x * s.seconds
}

// HasGeneral reports whether some unit is general.
func (s *Space) HasGeneral() bool { return s.general >= 0 }
