package recursion

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestLinear(t *testing.T) {
	// One of two calls leads to another; the other function leads to one and a half of the first.
	c := mat.NewDense(2, 2, []float64{0.5, 0, 1.5, 0})
	x, ok := Linear(c, mat.NewDense(2, 1, []float64{3, 1}))
	if !ok || math.Abs(x.At(0, 0)-6) > 1e-12 || math.Abs(x.At(1, 0)-10) > 1e-12 {
		t.Errorf("%v, %t", x, ok)
	}
	for _, endless := range []float64{1, 2} {
		if x, ok := Linear(mat.NewDense(1, 1, []float64{endless}), mat.NewDense(1, 1, []float64{3})); ok {
			t.Errorf("%g calls lead on to %v", endless, x)
		}
	}
}

// longer is x = 2 + max(3, share*x), y = x + 1, whose second unknown turns up later.
type longer struct {
	share float64
	x     []float64
}

func (s *longer) Values() []float64  { return append([]float64(nil), s.x...) }
func (s *longer) Assume(x []float64) { copy(s.x, x) }
func (s *longer) Apply() ([]float64, error) {
	if len(s.x) == 1 {
		s.x = append(s.x, 0)
	}
	return []float64{2 + max(3, s.share*s.x[0]), s.x[0] + 1}, nil
}

func TestNewton(t *testing.T) {
	for share, want := range map[float64]float64{0.25: 5, 0.6: 5, 0.75: 8} {
		s := &longer{share: share, x: []float64{0}}
		if err := Newton(s); err != nil || math.Abs(s.x[0]-want) > 1e-9 || math.Abs(s.x[1]-want-1) > 1e-9 {
			t.Errorf("share %g: %v, %v, want %g", share, s.x, err, want)
		}
	}
	if err := Newton(&longer{share: 1.5, x: []float64{0}}); !errors.Is(err, ErrNone) {
		t.Errorf("a recursion without an end gives %v", err)
	}
}
