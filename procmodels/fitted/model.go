package fitted

// This file declares what a fitted model is made of.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Kind is the Kind of the models' descriptions.
const Kind = "fitted"

// schema is what the key schema of a model file holds.
const schema = "pathspan.fitted/1"

// Model is a fitted model as its file has it. It is a procmodels.Model once Check has
// passed; it must not change after that.
type Model struct {
	Name     string
	Unit     string  // what one cycle means
	Source   string  // what was measured
	Notes    string  // "" when there are none
	Machine  string  // what the samples were compiled for ("x86_64"), "" where they do not agree or say
	ClockMHz float64 // 0 when unknown
	Scheme   Scheme
	Fit      Fit
	// Coefficients are ascending by feature.
	Coefficients []Coefficient
	// Covariance is that of the coefficients with a standard error, in their order:
	// the lower triangle, row i with i+1 entries, in square cycles.
	Covariance [][]float64

	factor  [][]float64 // Cholesky factor of Covariance, lower triangle
	byName  map[string]int
	inOrder []int // coefficients with a standard error, by row of the covariance
}

// Fit says how the coefficients came about and how good they are.
type Fit struct {
	Method  string
	Samples int
	Groups  int // of samples that were left out together
	// MeanInstruction is the cycles of an average instruction over the samples: what
	// an instruction costs of whose family nothing was measured.
	MeanInstruction float64
	// Residual is the standard deviation of the samples' relative errors about the
	// fit, corrected for the degrees of freedom; 0 when there are none left.
	Residual float64
	// Error is the cross-validated relative error: each group of samples predicted by
	// the others. Fitted is the mean error of the samples that were fitted.
	Error  ErrorSummary
	Fitted float64
	// Warnings concern the whole fit, one line each.
	Warnings []string
	Held     []HeldOut // the samples, predicted without their group
	Sources  []string  // names of files
}

// ErrorSummary is a distribution of relative errors, absolute values.
type ErrorSummary struct {
	Mean, Median, Worst float64
	WorstSample         string
}

// HeldOut is one sample and what the model fitted without its group said of it.
type HeldOut struct {
	Name      string  `json:"name"`
	Measured  float64 `json:"measured_cycles"`
	Predicted float64 `json:"predicted_cycles"`
}

// Coefficient is the cost of one feature.
type Coefficient struct {
	Feature string
	Cycles  float64
	// Error is the standard error in cycles, negative when unknown: the coefficient is
	// pinned at zero, or there are too few samples.
	Error    float64
	Samples  int      // that execute the feature
	Warnings []string // why not to trust it
}

// Known says whether the standard error is known.
func (c *Coefficient) Known() bool { return c.Error >= 0 }

// Check prepares the model for use and reports the first way in which it contradicts
// itself: a covariance that is not one, or that disagrees with the standard errors.
func (m *Model) Check() error {
	m.byName = map[string]int{}
	m.inOrder = nil
	for i := range m.Coefficients {
		c := &m.Coefficients[i]
		if i > 0 && m.Coefficients[i-1].Feature >= c.Feature {
			return fmt.Errorf("coefficient %q stands behind %q: want features ascending, each once", c.Feature, m.Coefficients[i-1].Feature)
		}
		m.byName[c.Feature] = i
		if c.Known() {
			m.inOrder = append(m.inOrder, i)
		}
	}
	return m.factorize()
}

// factorize makes the factors of the covariance: with L the lower triangle of
// covariance = L L^T and z independent with deviation 1, b + L z has that covariance.
func (m *Model) factorize() error {
	n := len(m.inOrder)
	if len(m.Covariance) != n {
		return fmt.Errorf("the covariance has %d rows, %d coefficients have a standard error", len(m.Covariance), n)
	}
	sd := make([]float64, n) // errors of 0 stand for 1, with nothing beside them
	for i, row := range m.Covariance {
		if len(row) != i+1 {
			return fmt.Errorf("row %d of the covariance has %d entries: want %d, the lower triangle", i+1, len(row), i+1)
		}
		c := &m.Coefficients[m.inOrder[i]]
		if v := c.Error * c.Error; row[i] < v*0.99 || row[i] > v*1.01 {
			return fmt.Errorf("coefficient %q has standard error %g, the covariance says its square is %g", c.Feature, c.Error, row[i])
		}
		sd[i] = c.Error
	}
	// As a correlation, for the entries differ by many orders of magnitude; figures in
	// a file are rounded, hence the little added to the diagonal.
	corr := mat.NewSymDense(max(n, 1), nil)
	corr.SetSym(0, 0, 1)
	for i, row := range m.Covariance {
		for j, v := range row[:i] {
			if sd[i] > 0 && sd[j] > 0 {
				corr.SetSym(i, j, v/sd[i]/sd[j])
			}
		}
		corr.SetSym(i, i, 1+rounding)
	}
	var chol mat.Cholesky
	if !chol.Factorize(corr) {
		return fmt.Errorf("the covariance is none: it is not positive definite")
	}
	var l mat.TriDense
	chol.LTo(&l)
	m.factor = make([][]float64, n)
	for i := range m.factor {
		m.factor[i] = make([]float64, i+1)
		for j := range m.factor[i] {
			m.factor[i][j] = l.At(i, j) * sd[i]
		}
	}
	return nil
}

// rounding is what figures with six digits may be off, with a margin.
const rounding = 1e-5

// AddTimed adds coefficients of library functions that were timed by themselves, in cycles of a call, where no sample
// executed them.
func (m *Model) AddTimed(calls map[string]float64) error {
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		c := Coefficient{Feature: Timed(name), Cycles: calls[name], Error: -1, Warnings: []string{"no sample executed it: timed by itself"}}
		at, ok := slices.BinarySearchFunc(m.Coefficients, c, func(a, b Coefficient) int { return strings.Compare(a.Feature, b.Feature) })
		if !ok {
			m.Coefficients = slices.Insert(m.Coefficients, at, c)
		}
	}
	return m.Check()
}

func (m *Model) coefficient(feature string) (int, bool) {
	i, ok := m.byName[feature]
	return i, ok
}

// defaultFor returns what a feature costs that no sample executed, and why. A pair
// adds nothing. A library function costs the median of those measured, an instruction
// the median of its family's coefficients, else that of an average instruction.
func (m *Model) defaultFor(feature string) (cycles float64, why string) {
	if IsPair(feature) || strings.HasPrefix(feature, formatPrefix) || feature == bytesClass || feature == executed || feature == wrong {
		return 0, ""
	}
	fam := familyOfClass(feature)
	var kin []float64
	for i := range m.Coefficients {
		c := &m.Coefficients[i]
		if !IsPair(c.Feature) && c.Feature != bytesClass && familyOfClass(c.Feature) == fam && c.Cycles > 0 {
			kin = append(kin, c.Cycles)
		}
	}
	what := "class " + feature
	if fam == library {
		what = feature
	}
	if len(kin) > 0 {
		return Median(kin), fmt.Sprintf("%s: never executed in the samples, taken as the median of %s", what, kinNames[fam])
	}
	return m.Fit.MeanInstruction, fmt.Sprintf("%s: never executed in the samples, taken as a mean instruction", what)
}

var kinNames = map[family]string{integer: "the integer classes", floating: "the floating-point classes", memory: "the memory classes",
	control: "the control-flow classes", library: "the library functions measured"}

// Median is the middle of a list, or between the two in its middle; 0 for none.
func Median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(list))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
