package estimate

// This file finds what sections take on average by the paths.

// sectionMeans holds the average time of sections as paths give it, over all copies of
// their construct, in cycles of processor 0: [kind][region][construct][section].
type sectionMeans [][][][]float64

// sectionMeans adds up the levels' tables, with everything on one processor.
func (e *Estimator) sectionMeans() sectionMeans {
	regions := e.Bundle.Program.Regions
	means, runs := make(sectionMeans, len(e.kinds)), make([][]float64, len(regions))
	for r := range regions {
		runs[r] = make([]float64, len(regions[r].Constructs))
	}
	for k := range means {
		means[k] = make([][][]float64, len(regions))
		for r := range regions {
			for _, c := range regions[r].Constructs {
				means[k][r] = append(means[k][r], make([]float64, len(c.Sections)))
			}
		}
	}
	for _, h := range e.hot {
		for l := range h.levels {
			if hl := &h.levels[l]; hl.on {
				e.addSections(h, hl, means, runs)
			}
		}
	}
	for k := range means {
		for r := range means[k] {
			for c := range means[k][r] {
				for s := range means[k][r][c] {
					if runs[r][c] > 0 {
						means[k][r][c][s] /= runs[r][c]
					}
				}
			}
		}
	}
	return means
}

// addSections adds the sections of a level to sums, and the runs of its groups.
func (e *Estimator) addSections(h *hotFunc, hl *hotLevel, sums sectionMeans, runs [][]float64) {
	deps := make([]float64, len(hl.deps))
	for kind := range e.kinds {
		for i, d := range hl.deps {
			if d.hot >= 0 {
				deps[i] = e.serial[e.hot[d.hot].fn].levels[0][kind]
			} else {
				deps[i] = e.serial[h.fn].of(term{-1, d.level, d.part}, kind)
			}
		}
		for g := range hl.graph.Groups {
			gr := &hl.graph.Groups[g]
			for _, s := range gr.Sections {
				sum := &sums[kind][gr.Region][gr.Construct][s.Section]
				for _, t := range s.Tasks {
					*sum += hl.sum.cell(t, kind, deps)
					if hl.parts.rows > 0 {
						*sum += hl.partSum.cell(t, kind, deps)
					}
				}
			}
		}
	}
	for g := range hl.graph.Groups {
		gr := &hl.graph.Groups[g]
		runs[gr.Region][gr.Construct] += hl.groupRuns[g]
		if hl.parts.rows > 0 {
			runs[gr.Region][gr.Construct] += hl.partGroup[g]
		}
	}
}
