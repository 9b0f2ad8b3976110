package validate

// This file holds figures measured elsewhere against what is validated, before anything is
// built: those that can be compared with nothing are a mistake in their file.

import (
	"errors"
	"fmt"
	"slices"

	"pathspan/testdata/bench"
)

// Check holds the references against the programs of the index, of which all or some are
// validated, and returns what is wrong with them, a line each. Left are the rows that are
// right, but not of what is validated, with what would have them compared; of programs that
// are not asked for there is one line a source.
func (v *Validation) Check(index []*bench.Program) (left []string, wrong []error) {
	elsewhere := map[string]int{}
	var sources []string
	compared := 0
	for i := range v.References {
		f := &v.References[i]
		if err := v.checkFigure(i, index); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", f.Where, err))
			continue
		}
		if !slices.ContainsFunc(v.Programs, func(p *bench.Program) bool { return p.Name == f.Program }) {
			if elsewhere[f.Source]++; elsewhere[f.Source] == 1 {
				sources = append(sources, f.Source)
			}
			continue
		}
		if why := v.leftOut(f); why != "" {
			left = append(left, fmt.Sprintf("%s: passed over; %s compares with it", f.Where, why))
			continue
		}
		if f.Processors > 1 {
			compared++
		}
	}
	for _, s := range sources {
		left = append(left, fmt.Sprintf("of %s %d rows are passed over, which are of other programs than are named", s, elsewhere[s]))
	}
	if len(v.References) > 0 && compared == 0 && wrong == nil {
		wrong = append(wrong, errors.New("no row of the references is of what is validated: name its programs, --size, --levels and -p"))
	}
	return left, wrong
}

// leftOut says which flag would have a figure of a program compared with, "" for none.
func (v *Validation) leftOut(f *Figure) string {
	switch {
	case f.Size != "" && f.Size != v.Size:
		return fmt.Sprintf("--size %s", f.Size)
	case !slices.Contains(v.Levels, f.Level):
		return fmt.Sprintf("--levels %s", f.Level)
	case f.Processors == 1 || slices.ContainsFunc(v.counts(), func(n int) bool { return n == f.Processors }):
		return ""
	}
	return fmt.Sprintf("-p %d", f.Processors)
}

// counts lists the numbers of processors of the platforms.
func (v *Validation) counts() (all []int) {
	for _, pl := range v.Platforms {
		all = append(all, len(pl.Processors))
	}
	return all
}

// checkFigure says what is wrong with a figure, whatever is validated.
func (v *Validation) checkFigure(i int, index []*bench.Program) error {
	f := &v.References[i]
	at := slices.IndexFunc(index, func(p *bench.Program) bool { return p.Name == f.Program })
	switch {
	case at < 0:
		return fmt.Errorf("program %s: no benchmark of that name; --reference-template lists them", f.Program)
	case f.Size != "" && !index[at].Has(f.Size):
		return fmt.Errorf("size %s: %s has no input of that size", f.Size, f.Program)
	}
	same := func(o *Figure) bool {
		return o.Program == f.Program && o.Level == f.Level && o.Source == f.Source
	}
	for k := range i {
		if o := &v.References[k]; same(o) && o.Size == f.Size && o.Processors == f.Processors && o.Mapping == f.Mapping {
			return fmt.Errorf("the same run as %s; leave one of them", o.Where)
		}
	}
	if f.Processors == 1 {
		return nil
	}
	one := -1
	for k := range v.References {
		o := &v.References[k]
		fits := o.Size == f.Size || o.Size == "" || f.Size == "" && o.Size == v.Size
		if same(o) && o.Processors == 1 && fits && (one < 0 || o.Size != "") {
			one = k
		}
	}
	switch {
	case one < 0:
		return fmt.Errorf("no figure of %s for %s -O%s on 1 processor, so there is no speed-up to compare with; add that row", f.Source, f.Program, f.Level)
	case (v.References[one].Cycles > 0) != (f.Cycles > 0):
		return fmt.Errorf("the figure on 1 processor (%s) has another unit; give cycles in both, or seconds", v.References[one].Where)
	}
	return nil
}
