package main

// This file is a technique that there is not, for the test of the registry: all that a
// technique needs but its line there.

import (
	"pathspan/estimate"
	"pathspan/estimate/table"
)

// half takes that every second execution of a construct has its sections one after the
// other.
var half = estimate.Entry{
	ID: "half", Title: "HALF", Name: "Half in Parallel", Words: "every second execution in parallel", Rank: 15,
	Style: &estimate.Style{Light: "#6b4c9a", Dark: "#b79be0", Dash: "1 3", Shape: "circle"},
	Shown: true, Rows: halfRows,
}

func halfRows(e *estimate.Estimator, in estimate.Setting) (*table.Table, error) {
	paths, err := e.RowsIn(estimate.PathBased, in)
	if err != nil {
		return nil, err
	}
	b := table.NewBuilder(paths.Machine, len(e.Bundle.Program.Regions))
	for _, root := range paths.Roots {
		region, construct := paths.Construct(root.Execution)
		apart, together := make([][]table.Part, paths.Sections(root.Execution)), make([][]table.Part, paths.Sections(root.Execution))
		first := -1 // section, which does the work of all when they are not parallel
		for s := range apart {
			own, reached := make([]float64, paths.Kinds), false
			for kind := range own {
				own[kind], reached = paths.Alone(root.Execution, s, kind)
			}
			if !reached {
				continue
			}
			apart[s] = []table.Part{{Own: own, Set: -1}}
			together[s] = []table.Part{{Own: make([]float64, paths.Kinds), Set: -1}}
			if first < 0 {
				first = s
			}
			for kind, x := range own {
				together[first][0].Own[kind] += x
			}
		}
		b.Root(b.Execution(region, construct, paths.Runs(root.Execution), apart), root.Weight/2)
		b.Root(b.Execution(region, construct, paths.Runs(root.Execution), together), root.Weight/2)
	}
	return b.Table(paths.Base)
}
