package report

// This file names what average and maximal task times get wrong, and on which paths.

import (
	"cmp"
	"slices"
	"strings"

	"pathspan/estimate/pathwise"
)

// LossGap compares the account's technique with the others.
type LossGap struct {
	PathCycles     float64         `json:"pb_cycles"`
	PathSpeedup    float64         `json:"pb_speedup"`
	AverageCycles  float64         `json:"at_cycles"`
	AverageSpeedup float64         `json:"at_speedup"`
	MaximalCycles  float64         `json:"mt_cycles"`
	MaximalSpeedup float64         `json:"mt_speedup"`
	Regions        []LossGapRegion `json:"regions"` // largest difference to average times first
}

// LossGapRegion is a sections construct. Cycles are those of all its executions for one
// execution of the function, from its fork to its join.
type LossGapRegion struct {
	Region        string         `json:"region"`
	Line          int            `json:"line,omitempty"` // of the region
	Inside        string         `json:"function"`
	Cycles        float64        `json:"cycles"`    // by the account's technique
	PathCycles    float64        `json:"pb_cycles"` // scheduled path by path
	AverageCycles float64        `json:"at_cycles"` // average task times, scheduled once
	MaximalCycles float64        `json:"mt_cycles"` // largest task times, every time
	Sections      []VariedTime   `json:"sections"`  // those whose time varies
	Classes       []LossGapClass `json:"classes"`   // most frequent first
}

// VariedTime is the time of a section for one execution of its construct, in cycles.
type VariedTime struct {
	Section  string  `json:"section"`
	Line     int     `json:"line"`
	Least    float64 `json:"least"`
	Mean     float64 `json:"mean"`
	Greatest float64 `json:"greatest"`
}

// LossGapClass is the executions in which the same sections are long.
type LossGapClass struct {
	Share  float64  `json:"share"`  // of the executions of the construct
	Long   []string `json:"long"`   // sections above their mean
	Short  []string `json:"short"`  // the other sections whose time varies
	Cycles float64  `json:"cycles"` // mean time of the construct
}

func (n *lossNamer) gap(x, paths *pathwise.Losses) LossGap {
	out := LossGap{PathCycles: paths.Parallel * n.clock, PathSpeedup: 1, AverageCycles: x.Gap.Average * n.clock, MaximalCycles: x.Gap.Maximal * n.clock, AverageSpeedup: 1, MaximalSpeedup: 1, Regions: []LossGapRegion{}}
	if paths.Parallel > 0 {
		out.PathSpeedup = paths.Sequential / paths.Parallel
	}
	if x.Gap.Average > 0 {
		out.AverageSpeedup = x.Sequential / x.Gap.Average
	}
	if x.Gap.Maximal > 0 {
		out.MaximalSpeedup = x.Gap.MaximalSequential / x.Gap.Maximal
	}
	for i := range x.Gap.Regions {
		g := &x.Gap.Regions[i]
		region := &n.p.Regions[g.Region]
		r := LossGapRegion{
			Region: region.Name, Line: region.Line, Inside: n.p.Funcs[g.Function].Source,
			Cycles: g.Paths * n.clock, AverageCycles: g.Average * n.clock, MaximalCycles: g.Maximal * n.clock,
			Sections: []VariedTime{}, Classes: []LossGapClass{},
		}
		for k := range paths.Gap.Regions {
			if p := &paths.Gap.Regions[k]; p == g || x != paths && p.Region == g.Region && p.Construct == g.Construct {
				r.PathCycles += p.Paths * n.clock
			}
		}
		for _, s := range g.Sections {
			sec := &region.Constructs[g.Construct].Sections[s.Section]
			r.Sections = append(r.Sections, VariedTime{sec.Name, sec.Line, s.Least * n.clock, s.Mean * n.clock, s.Greatest * n.clock})
		}
		for _, c := range g.Classes {
			class := LossGapClass{Share: c.Share, Cycles: c.Span * n.clock, Long: []string{}, Short: []string{}}
			for k, long := range c.Long {
				if long {
					class.Long = append(class.Long, r.Sections[k].Section)
				} else {
					class.Short = append(class.Short, r.Sections[k].Section)
				}
			}
			r.Classes = append(r.Classes, class)
		}
		out.Regions = append(out.Regions, r)
	}
	return out
}

func indexOfPlace(items []LossItem, like *LossItem) int {
	return slices.IndexFunc(items, func(i LossItem) bool {
		return i.Place == like.Place && i.Inside == like.Inside && i.Sec == like.Sec
	})
}

func sortByCycles(items []LossItem) {
	slices.SortStableFunc(items, func(x, y LossItem) int { return cmp.Compare(y.Cycles, x.Cycles) })
}

// sectionNumber returns the number of a section in its region, which ends its name.
func sectionNumber(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}
