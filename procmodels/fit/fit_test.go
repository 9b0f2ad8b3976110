package fit

// This file plants coefficients in samples and looks for them.

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/procmodels"
	"pathspan/procmodels/fitted"
)

// counts is a Counter of fixed counts.
type counts map[string]float64

func (c counts) Counts(context.Context, fitted.Scheme) (map[string]float64, error) {
	m := map[string]float64{}
	maps.Copy(m, c)
	return m, nil
}

// planted are the costs of the synthetic processor.
var planted = map[string]float64{"alu": 1, "mul": 3, "div": 20, "load": 2.5, "store": 1.5, "fadd": 4, "branch": 0.75, "call sqrt": 35}

// synthetic makes n samples with random counts; noise is the standard deviation of the
// measured cycles' relative error.
func synthetic(r *rand.Rand, n int, noise float64) []Sample {
	var samples []Sample
	for i := range n {
		c := counts{}
		cycles := 0.0
		for _, f := range sortedKeys(planted) {
			c[f] = math.Round(1e6 * math.Exp(2*r.NormFloat64()))
			if f == "div" || f == "call sqrt" {
				c[f] = math.Round(c[f] / 10)
			}
			cycles += planted[f] * c[f]
		}
		samples = append(samples, Sample{Name: fmt.Sprint("s", i), Group: fmt.Sprint("g", i/2), Weight: 1, Cycles: cycles * (1 + noise*r.NormFloat64()), Counter: c})
	}
	return samples
}

func sortedKeys(m map[string]float64) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func coefficient(t *testing.T, m *fitted.Model, feature string) *fitted.Coefficient {
	t.Helper()
	for i := range m.Coefficients {
		if m.Coefficients[i].Feature == feature {
			return &m.Coefficients[i]
		}
	}
	t.Fatalf("no coefficient %q", feature)
	return nil
}

func TestPlantedCoefficientsExact(t *testing.T) {
	m, err := Fit(context.Background(), synthetic(rand.New(rand.NewPCG(3, 4)), 30, 0), Options{Name: "m", Ridge: -1})
	if err != nil {
		t.Fatal(err)
	}
	for f, want := range planted {
		if c := coefficient(t, m, f); math.Abs(c.Cycles-want) > 1e-6*want {
			t.Errorf("%s = %v, planted %v", f, c.Cycles, want)
		}
	}
	if m.Fit.Error.Mean > 1e-6 || m.Fit.Residual > 1e-6 {
		t.Errorf("error %v, residual %v of samples without noise", m.Fit.Error.Mean, m.Fit.Residual)
	}
	if !strings.Contains(m.Fit.Method, "ridge 0 ") {
		t.Errorf("method %q: want no ridge where there is no noise", m.Fit.Method)
	}
}

// Over many samples with noise, the planted coefficients must lie within one standard
// error of the fitted ones about as often as a normal distribution has it, 68 %, and
// within three nearly always.
func TestPlantedCoefficientsWithinErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var all, one, three int
	for range 30 {
		m, err := Fit(context.Background(), synthetic(r, 40, 0.05), Options{Name: "m", Ridge: 0})
		if err != nil {
			t.Fatal(err)
		}
		for f, want := range planted {
			c := coefficient(t, m, f)
			if !c.Known() {
				continue
			}
			all++
			if off := math.Abs(c.Cycles-want) / c.Error; off < 1 {
				one++
				three++
			} else if off < 3 {
				three++
			}
		}
	}
	if share := float64(one) / float64(all); share < 0.58 || share > 0.76 {
		t.Errorf("%.2f of %d coefficients within one standard error, want about 0.68", share, all)
	}
	if share := float64(three) / float64(all); share < 0.98 {
		t.Errorf("%.3f of %d coefficients within three standard errors", share, all)
	}
}

func TestResidualIsTheNoise(t *testing.T) {
	m, err := Fit(context.Background(), synthetic(rand.New(rand.NewPCG(7, 8)), 400, 0.1), Options{Name: "m", Ridge: 0})
	if err != nil {
		t.Fatal(err)
	}
	if m.Fit.Residual < 0.085 || m.Fit.Residual > 0.115 {
		t.Errorf("residual %v, planted noise 0.1", m.Fit.Residual)
	}
	// The mean of an absolute normal deviate is 0.8 standard deviations.
	if m.Fit.Error.Mean < 0.065 || m.Fit.Error.Mean > 0.1 {
		t.Errorf("cross-validated error %v, want about 0.08", m.Fit.Error.Mean)
	}
}

// A group that behaves unlike the others must show when it is left out, and only then.
func TestCrossValidationLeavesGroupsOut(t *testing.T) {
	samples := synthetic(rand.New(rand.NewPCG(9, 10)), 40, 0)
	for i := range 2 {
		c := samples[i].Counter.(counts)
		c["call odd"] = samples[i].Cycles / 10
		samples[i].Cycles *= 3
	}
	m, err := Fit(context.Background(), samples, Options{Name: "m", Ridge: 0})
	if err != nil {
		t.Fatal(err)
	}
	if m.Fit.Fitted > 0.01 {
		t.Errorf("error %v on the fitted samples: the odd function explains all", m.Fit.Fitted)
	}
	if len(m.Fit.Held) != 40 {
		t.Fatalf("%d samples were left out in turn, want 40", len(m.Fit.Held))
	}
	for i, h := range m.Fit.Held {
		if off := math.Abs(h.Predicted/h.Measured - 1); (off > 0.1) != (i < 2) {
			t.Errorf("sample %d is off by %v when left out", i, off)
		}
	}
	if m.Fit.Error.WorstSample != "s0" && m.Fit.Error.WorstSample != "s1" {
		t.Errorf("worst sample %q", m.Fit.Error.WorstSample)
	}
}

func TestWarnings(t *testing.T) {
	samples := synthetic(rand.New(rand.NewPCG(11, 12)), 30, 0.02)
	for i := range samples {
		c := samples[i].Counter.(counts)
		c["shift"] = c["alu"] // a copy
		c["compare"] = c["branch"] * (1 + 0.15*float64(i%3))
		samples[i].Cycles += 0.5 * c["compare"]
		c["call printf"], c["call strtol"] = 1, 1 // too rare to matter
		if i < 2 {
			c["fdiv"] = c["fadd"] // one group only
		}
		samples[i].Cycles -= 0.7 * c["store"] // store turns cheaper
	}
	m, err := Fit(context.Background(), samples, Options{Name: "m", Ridge: 0, Timed: map[string]float64{"strtol": 90}})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []struct{ feature, want string }{
		{"alu", "cannot be told from shift"}, {"shift", "cannot be told from alu"}, {"fdiv", "executed by only 2 of 30 samples"},
		{"compare", "collinear: variance inflated"},
	} {
		c := coefficient(t, m, w.feature)
		if got := strings.Join(c.Warnings, "; "); !strings.Contains(got, w.want) {
			t.Errorf("%s: warnings %q, want %q", w.feature, got, w.want)
		}
	}
	if c := coefficient(t, m, "mul"); len(c.Warnings) > 0 {
		t.Errorf("mul: warnings %q without reason", c.Warnings)
	}
	accuracy := strings.Join(m.Describe().Accuracy, "\n")
	for _, want := range []string{"executed too rarely to be fitted, priced by default: call printf", "never executed, priced by default: alloca"} {
		if !strings.Contains(accuracy, want) {
			t.Errorf("accuracy lacks %q:\n%s", want, accuracy)
		}
	}
	if strings.Contains(accuracy, "call printf, call strtol") {
		t.Errorf("what was timed by itself is priced by default:\n%s", accuracy)
	}
	few, err := Fit(context.Background(), samples[2:7], Options{Name: "m", Ridge: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(few.Fit.Warnings, "\n")
	for _, want := range []string{"5 samples for 10 coefficients", "standard errors are unknown"} {
		if !strings.Contains(text, want) {
			t.Errorf("warnings of five samples lack %q:\n%s", want, text)
		}
	}
}

func TestPinnedAtZero(t *testing.T) {
	samples := synthetic(rand.New(rand.NewPCG(13, 14)), 30, 0)
	for i := range samples {
		c := samples[i].Counter.(counts)
		c["phi"] = 0.4*c["alu"] + float64(1e5*(i%5)) // makes programs faster: not possible
		samples[i].Cycles -= 0.3 * c["phi"]
	}
	m, err := Fit(context.Background(), samples, Options{Name: "m", Ridge: 0})
	if err != nil {
		t.Fatal(err)
	}
	c := coefficient(t, m, "phi")
	if c.Cycles != 0 || c.Known() || !slices.Contains(c.Warnings, "pinned at zero") {
		t.Errorf("phi: %+v, want it pinned at zero, without a standard error", c)
	}
}

func TestFitIsDeterministic(t *testing.T) {
	fit := func() string {
		m, err := Fit(context.Background(), synthetic(rand.New(rand.NewPCG(15, 16)), 20, 0.1), Options{Name: "m", Unit: "u", Source: "s", Ridge: -1})
		if err != nil {
			t.Fatal(err)
		}
		return string(m.Marshal())
	}
	if a, b := fit(), fit(); a != b {
		t.Errorf("two fits of the same samples differ:\n%s\n%s", a, b)
	}
}

// The covariance that the model file carries must give the same standard errors back,
// as factors of the costs.
func TestFileKeepsTheFit(t *testing.T) {
	m, err := Fit(context.Background(), synthetic(rand.New(rand.NewPCG(17, 18)), 40, 0.1), Options{Name: "m", Unit: "u", Source: "s", Ridge: -1, ClockMHz: 100})
	if err != nil {
		t.Fatal(err)
	}
	text := m.Marshal()
	file := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := procmodels.Open(file, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := again.(*fitted.Model).Marshal(); string(got) != string(text) {
		t.Errorf("written again the file differs:\n%s\n%s", text, got)
	}
}
