package fit

// This file lays samples out as a matrix.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"

	"pathspan/procmodels/fitted"
	"pathspan/workers"
)

// design is the samples as rows and the features as columns.
type design struct {
	samples  []Sample
	features []string           // ascending
	counts   [][]float64        // by sample and feature
	rare     []string           // library functions and classes executed too rarely to be fitted
	instrs   []float64          // instructions executed by each sample
	groups   []string           // in the order of their first sample
	timed    map[string]float64 // cycles of features that were timed by themselves
}

// pairSamples is how many samples there must be for each pair among the features.
const pairSamples = 4

// fewGroups is the least number of groups that must execute a feature for its
// coefficient to say something of programs outside them.
const fewGroups = 3

// rarely is how many executions for each cycle measured are too few for a feature to
// show: less than one in 100,000 cycles. The call of printf that ends each of a set of
// programs that run equally long would else take the part of a constant.
const rarely = 1e-5

func newDesign(ctx context.Context, samples []Sample, s fitted.Scheme) (*design, error) {
	d := &design{samples: samples, instrs: make([]float64, len(samples))}
	all, err := countAll(ctx, samples, s)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	rare := map[string]bool{}
	for i, sample := range samples {
		for f, n := range all[i] {
			if n < rarely*sample.Cycles {
				delete(all[i], f)
				rare[f] = rare[f] || !fitted.IsPair(f)
			}
		}
		for _, f := range slices.Sorted(maps.Keys(all[i])) {
			if isInstruction(f) {
				d.instrs[i] += all[i][f]
			}
			names[f] = names[f] || !fitted.IsPair(f)
		}
		if !slices.Contains(d.groups, sample.Group) {
			d.groups = append(d.groups, sample.Group)
		}
	}
	for _, p := range d.commonPairs(all) {
		names[p] = true
	}
	for _, f := range slices.Sorted(maps.Keys(names)) {
		if names[f] {
			d.features = append(d.features, f)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(rare)) {
		if _, ok := slices.BinarySearch(d.features, f); rare[f] && !ok {
			d.rare = append(d.rare, f)
		}
	}
	for i := range samples {
		row := make([]float64, len(d.features))
		for j, f := range d.features {
			row[j] = all[i][f]
		}
		d.counts = append(d.counts, row)
	}
	return d, nil
}

// countAll counts the features of all samples, on as many processors as there are: to play blocks takes its time.
func countAll(ctx context.Context, samples []Sample, s fitted.Scheme) ([]map[string]float64, error) {
	all, errs := make([]map[string]float64, len(samples)), make([]error, len(samples))
	workers.Each(len(samples), runtime.GOMAXPROCS(0), func(i int) {
		var err error
		if all[i], err = samples[i].Counter.Counts(ctx, s); err != nil {
			errs[i] = fmt.Errorf("sample %s: %w", samples[i].Name, err)
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// commonPairs chooses among the pairs those that make up most of the samples'
// instructions: one for every pairSamples samples, each in fewGroups groups or more.
// What was measured has no say in it.
func (d *design) commonPairs(all []map[string]float64) []string {
	share := map[string]float64{}
	groups := map[string]map[string]bool{}
	for i, counts := range all {
		for f, n := range counts {
			if fitted.IsPair(f) && n > 0 && d.instrs[i] > 0 {
				share[f] += n / d.instrs[i]
				if groups[f] == nil {
					groups[f] = map[string]bool{}
				}
				groups[f][d.samples[i].Group] = true
			}
		}
	}
	var list []string
	for f := range share {
		if len(groups[f]) >= fewGroups {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		// Sums over a map's order differ in the last digits.
		if x, y := math.Round(share[a]*1e9), math.Round(share[b]*1e9); x != y {
			return cmp.Compare(y, x)
		}
		return cmp.Compare(a, b)
	})
	return list[:min(len(list), len(d.samples)/pairSamples)]
}

// isInstruction tells classes of instructions from library functions and pairs.
func isInstruction(f string) bool {
	return !fitted.IsPair(f) && !fitted.IsLibrary(f) && !fitted.IsPlayed(f)
}

// executed counts the samples and the groups that execute a feature.
func (d *design) executed(j int) (samples, groups int) {
	seen := map[string]bool{}
	for i := range d.samples {
		if d.counts[i][j] > 0 {
			samples++
			seen[d.samples[i].Group] = true
		}
	}
	return samples, len(seen)
}

// all lists the indices of all samples.
func (d *design) all() []int {
	list := make([]int, len(d.samples))
	for i := range list {
		list[i] = i
	}
	return list
}

// but lists the samples of all groups but one.
func (d *design) but(group string) []int {
	var list []int
	for i := range d.samples {
		if d.samples[i].Group != group {
			list = append(list, i)
		}
	}
	return list
}

// meanInstruction is the median over samples of the cycles for an instruction.
func (d *design) meanInstruction(rows []int) float64 {
	var per []float64
	for _, i := range rows {
		if d.instrs[i] > 0 {
			per = append(per, d.samples[i].Cycles/d.instrs[i])
		}
	}
	return fitted.Median(per)
}

// toMap gives the counts of a sample by name.
func (d *design) toMap(i int) map[string]float64 {
	m := map[string]float64{}
	for j, n := range d.counts[i] {
		if n > 0 {
			m[d.features[j]] = n
		}
	}
	return m
}
