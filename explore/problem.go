package explore

// This file prepares the search with one serial processor: which values each gene may
// have, and which processors are interchangeable.

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

// problem is the search with one serial processor. It does not change.
type problem struct {
	making
	space   *table.Space
	allowed [][]int32 // by gene
	// class is, by processor, the first of those that it is interchangeable with: they
	// have equal costs, clocks, overheads, power, memory and constraints. The serial
	// processor is alone.
	class  []int
	demand []float64 // by gene: bytes
	short  bool      // some orders or sets of processors are left out
	fixed  bool      // some loops are no decision
	spread []int     // by gene: the gene that says whether the placement counts, -1
	sets   [][]bool  // sets of processors to search one by one, one of each sort; see subsets
}

func (s *Search) newProblem(serial int, m making) (*problem, error) {
	if err := m.e.RoomOutside(serial); err != nil {
		return nil, err
	}
	teams := s.newTeams(m.e, serial)
	space, err := m.e.NewSpaceOf(serial, s.Technique, teams.ways, s.depths)
	if err != nil {
		return nil, err
	}
	p := &problem{making: m, space: space, demand: make([]float64, len(space.Genes)), spread: make([]int, len(space.Genes)), fixed: space.Fixed() != nil}
	p.short = teams.short || p.fixed || m.short
	if p.fixed && len(m.bans) > 0 {
		return nil, fmt.Errorf("%s stay as written, and may come to loops in hardware of which there is not enough", strings.Join(space.Fixed(), ", "))
	}
	usual := s.limits.usual() && !s.counts() && len(m.bans) == 0
	nested := map[int]int{}
	for i := range space.Genes {
		g := &space.Genes[i]
		p.spread[i] = -1
		var values []int32
		switch g.Kind {
		case table.Placement:
			x := section{g.Region, g.Construct, g.Section}
			p.demand[i] = s.limits.demand[x]
			for v := range g.Values {
				if s.limits.may(x, v) && m.may(x, v) {
					values = append(values, int32(v))
				}
			}
			if len(values) == 0 {
				return nil, fmt.Errorf("section %s may run on no processor: the constraints forbid all", g.Name)
			}
			if at, ok := nested[g.Region]; ok {
				p.spread[i] = at
				if s.KeepNested {
					values = values[:1] // it does not count
				}
			}
		case table.Nested:
			nested[g.Region] = i
			// OpenMP's static schedule, which then places it, knows no constraints.
			switch {
			case s.KeepNested && !usual:
				return nil, errors.New("regions within regions are to be kept on their threads, and OpenMP's static schedule, which then decides, knows no constraints: leave out one of them")
			case s.KeepNested:
				values = []int32{0}
			case usual:
				values = []int32{0, 1}
			default:
				values = []int32{1}
			}
		case table.Team:
			for v := range g.Values {
				p.short = p.short || g.Values > 2 && !s.equal(m.e, 0, v) // teams that skip some are left out
				// Who may run none of the sections that make tasks runs none of them.
				if !slices.ContainsFunc(mapping.Team(g.Values, serial, v+1)[1:], func(q int) bool { return !s.limits.may(section{g.Region, 0, 0}, q) }) {
					values = append(values, int32(v))
				}
			}
		case table.Place:
			places, whole := space.Places()
			p.short = p.short || !whole
			for v := range g.Values {
				if !slices.ContainsFunc(places[v], func(q int) bool { return s.limits.never[q] }) {
					values = append(values, int32(v))
				}
			}
		case table.Sharing:
			if values = s.different(&m, space, i); len(values) == 0 {
				return nil, fmt.Errorf("%s may run on no processor: the constraints forbid all", g.Name)
			}
		default:
			for v := range g.Values {
				values = append(values, int32(v))
				if v == maxOrders {
					p.short = true
					break
				}
			}
		}
		p.allowed = append(p.allowed, values)
	}
	s.classes(p)
	return p, p.findSets(s)
}

// maxOrders bounds the orders that are listed for one construct; it is 7!.
const maxOrders = 5040

// classes finds the interchangeable processors.
func (s *Search) classes(p *problem) {
	n := len(s.e.Platform.Processors)
	p.class = make([]int, n)
	for i := range n {
		p.class[i] = i
		for j := range i {
			if i != p.space.Serial && j != p.space.Serial && s.interchangeable(p, i, j) {
				p.class[i] = p.class[j]
				break
			}
		}
	}
}

func (s *Search) interchangeable(p *problem, i, j int) bool {
	if p.space.HasGeneral() {
		return false // of two that send to a third at once, the one with the lower number is first
	}
	if !s.equal(p.e, i, j) || s.limits.tied && s.limits.memory[i] != s.limits.memory[j] {
		return false
	}
	for g := range p.allowed {
		switch p.space.Genes[g].Kind {
		case table.Nested:
			if len(p.allowed[g]) > 1 {
				return false // the static schedule tells processors apart
			}
		case table.Placement:
			if slices.Contains(p.allowed[g], int32(i)) != slices.Contains(p.allowed[g], int32(j)) {
				return false
			}
		}
	}
	return true
}

// findSets lists the sets of processors that are searched one by one where their number
// counts: all that hold the serial processor and no more than allowed, one of each sort.
// Where the number does not count there is one set, of all processors.
func (p *problem) findSets(s *Search) error {
	n := len(p.class)
	if !s.counts() {
		p.sets = [][]bool{slices.Repeat([]bool{true}, n)}
		return nil
	}
	most := n
	if s.Constraints.MaxProcessors > 0 {
		most = min(most, s.Constraints.MaxProcessors)
	}
	var others []int
	for i := range n {
		if i != p.space.Serial {
			others = append(others, i)
		}
	}
	for team := range sorts(others, most-1, func(i, j int) bool { return p.class[i] == p.class[j] }) {
		if len(p.sets) >= maxSets {
			p.short = true
			break
		}
		set := make([]bool, n)
		for _, i := range append(team, p.space.Serial) {
			set[i] = true
		}
		if (len(team) == most-1 || s.wants(Processors)) && p.fits(set) {
			p.sets = append(p.sets, set)
		}
	}
	if len(p.sets) == 0 {
		return fmt.Errorf("no %d processors can run all sections: the constraints exclude each other", most)
	}
	return nil
}

// maxSets is the most sets of processors that are listed.
const maxSets = 4096

// fits reports whether every section may run on a processor of the set.
func (p *problem) fits(set []bool) bool {
	for g := range p.allowed {
		if !slices.ContainsFunc(p.allowed[g], func(v int32) bool { return p.inside(g, v, set) }) {
			return false
		}
	}
	return true
}

// inside reports whether a value of a gene uses no processor outside of a set.
func (p *problem) inside(gene int, value int32, set []bool) bool {
	switch p.space.Genes[gene].Kind {
	case table.Placement:
		return set[value]
	case table.Team:
		team := mapping.Team(len(p.class), p.space.Serial, int(value)+1)
		return !slices.ContainsFunc(team, func(q int) bool { return !set[q] })
	case table.Place:
		places, _ := p.space.Places()
		return !slices.ContainsFunc(places[value], func(q int) bool { return !set[q] })
	case table.Sharing:
		return !slices.ContainsFunc(p.space.Way(gene, value).Processors, func(q int) bool { return !set[q] })
	}
	return true
}

// within returns the allowed values on a set of processors.
func (p *problem) within(set []bool) [][]int32 {
	if !slices.Contains(set, false) {
		return p.allowed
	}
	out := make([][]int32, len(p.allowed))
	for g := range p.allowed {
		out[g] = slices.DeleteFunc(slices.Clone(p.allowed[g]), func(v int32) bool { return !p.inside(g, v, set) })
	}
	return out
}

// start returns the candidate that searches begin with: everything on the serial
// processor, as far as it may run there.
func (p *problem) start(allowed [][]int32) []int32 {
	return p.near(p.space.AtRest(), allowed)
}

// near makes a candidate one that is allowed.
func (p *problem) near(genes []int32, allowed [][]int32) []int32 {
	for g := range genes {
		if !slices.Contains(allowed[g], genes[g]) {
			genes[g] = allowed[g][0]
		}
	}
	return genes
}

// count returns how many candidates of some genes differ in more than the names of
// interchangeable processors; infinite where it would take long to count.
func (p *problem) count(first, genes int, allowed [][]int32) float64 {
	n := len(p.class)
	states := map[string]float64{string(make([]byte, 2*n)): 1} // by class: how many are used
	for g := first; g < first+genes; g++ {
		if p.space.Genes[g].Kind != table.Placement {
			for k := range states {
				states[k] *= float64(len(allowed[g]))
			}
			continue
		}
		may := make([]int, n) // by class
		for _, v := range allowed[g] {
			may[p.class[v]]++
		}
		next := map[string]float64{}
		for k, ways := range states {
			for c := range n {
				if may[c] == 0 {
					continue
				}
				used := int(k[2*c])<<8 | int(k[2*c+1])
				used = min(used, may[c])
				if used > 0 {
					next[k] += ways * float64(used)
				}
				if used < may[c] {
					b := []byte(k)
					b[2*c], b[2*c+1] = byte((used+1)>>8), byte(used+1)
					next[string(b)] += ways
				}
			}
		}
		if states = next; len(states) > 20000 {
			return math.Inf(1)
		}
	}
	total := 0.0
	for _, k := range slices.Sorted(maps.Keys(states)) { // sums in one order
		total += states[k]
	}
	return total
}
