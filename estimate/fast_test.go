package estimate

// This file holds fast values of random programs against Estimate.

import (
	"math"
	"math/rand"
	"slices"

	"testing"

	"pathspan/estimate/table"
)

// spaceOf is a space with what it was made of.
type spaceOf struct {
	*table.Space
	e         *Estimator
	technique Technique
}

func newSpace(t testing.TB, e *Estimator, serial int, technique Technique) *spaceOf {
	t.Helper()
	s, err := e.NewSpace(serial, technique)
	if err != nil {
		t.Fatal(err)
	}
	return &spaceOf{s, e, technique}
}

// randomSpace prices a random program for processors of two kinds.
func randomSpace(t testing.TB, seed int64) *spaceOf {
	e, r := randomEstimator(t, seed)
	return newSpace(t, e, r.Intn(len(e.Costs)), PathBased)
}

// spaceBy is randomSpace(n/2), and where n is odd one by executions.
func spaceBy(t testing.TB, n int64) *spaceOf {
	t.Helper()
	seed := n / 2
	if n%2 == 0 {
		return randomSpace(t, seed)
	}
	l := randomLiteral(t, seed, false, 3)
	r := rand.New(rand.NewSource(seed))
	l.bundle.Executions = randomExecutions(r, l)
	if seed%2 == 0 { // what comes apart
		l.bundle.Executions = onlyRoots(l.bundle.Executions)
	}
	l.prog.Funcs[0].Name = DefaultRoot
	a, err := Prepare(l.bundle, DefaultRoot)
	if err != nil {
		t.Fatal(err)
	}
	e := onRandom(t, a, l, seed, r, unequal(r, 1+r.Intn(4), l.costs))
	return newSpace(t, e, r.Intn(len(e.Costs)), ExecutionBased)
}

func randomGenes(r *rand.Rand, s *spaceOf) []int32 {
	genes := make([]int32, len(s.Genes))
	for i := range genes {
		genes[i] = int32(r.Intn(s.Genes[i].Values))
	}
	return genes
}

func (s *spaceOf) want(t testing.TB, genes []int32) float64 {
	return estimate(t, s.e, s.Mapping(genes), s.technique).ParallelSeconds
}

func closeTo(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

func TestFastEqualsEstimate(t *testing.T) {
	flat, general, moved, executions := 0, 0, 0, 0
	for n := range int64(800) {
		seed := n / 2
		s := spaceBy(t, n)
		if s.technique == ExecutionBased && !s.HasGeneral() {
			executions++
		}
		if len(s.Genes) == 0 {
			continue
		}
		r := rand.New(rand.NewSource(seed))
		f, again := s.NewFast(), s.NewFast()
		if got, want := f.Seconds(), s.want(t, f.Genes); !closeTo(got, want) {
			t.Fatalf("seed %d: %v s at rest, want %v", seed, got, want)
		}
		for range 4 {
			f.Set(randomGenes(r, s))
			for range 6 {
				i := r.Intn(len(s.Genes))
				before, genes := f.Seconds(), slices.Clone(f.Genes)
				f.Move(i, int32(r.Intn(s.Genes[i].Values)))
				if want := s.want(t, f.Genes); !closeTo(f.Seconds(), want) {
					t.Fatalf("seed %d, %v: %v s, want %v", seed, f.Genes, f.Seconds(), want)
				}
				again.Set(f.Genes)
				if again.Seconds() != f.Seconds() {
					t.Fatalf("seed %d: %v after moves, %v at once", seed, f.Seconds(), again.Seconds())
				}
				if f.Seconds() != before {
					moved++
				}
				if r.Intn(2) == 0 {
					f.Undo()
					if f.Seconds() != before || !slices.Equal(f.Genes, genes) {
						t.Fatalf("seed %d: %v after undoing, %v before", seed, f.Seconds(), before)
					}
				}
			}
			for i := range s.Units {
				if s.Units[i].General {
					general++
				} else {
					flat++
				}
			}
		}
	}
	if executions < 50 || flat < 400 || general < 100 || moved < 500 {
		t.Errorf("only %d spaces by executions, %d constructs of their own, %d general units, %d moves that matter", executions, flat, general, moved)
	}
}

// What processors are busy adds up: over a mapping without parallelism to the time, and
// by units to what is summed over the whole program.
func TestBusyTimes(t *testing.T) {
	compared := 0
	for seed := range int64(300) {
		s := randomSpace(t, seed)
		r := rand.New(rand.NewSource(seed))
		f := s.NewFast()
		for i := range 4 {
			if i > 0 {
				f.Set(randomGenes(r, s))
			}
			got := make([]float64, len(s.e.Platform.Processors))
			f.BusySeconds(got)
			want, err := s.e.Busy(s.Mapping(f.Genes), PathBased)
			if err != nil {
				t.Fatal(err)
			}
			total := 0.0
			for p := range got {
				if math.Abs(got[p]-want[p]) > 1e-9*f.Seconds() {
					t.Fatalf("seed %d, processor %d: busy %v s by units, %v s as a whole", seed, p, got[p], want[p])
				}
				total += want[p]
			}
			if i == 0 && !closeTo(total, f.Seconds()) {
				t.Fatalf("seed %d: one processor busy %v s of %v s", seed, total, f.Seconds())
			}
			if total < f.Seconds()*(1-1e-9) {
				t.Fatalf("seed %d: busy %v s altogether, yet %v s long", seed, total, f.Seconds())
			}
			if total > f.Seconds()*1.01 {
				compared++
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d candidates with processors busy at the same time", compared)
	}
}

// Moves, whole candidates and their busy times allocate nothing where constructs are
// units, nor do times of regions within regions.
func TestFastAllocatesNothing(t *testing.T) {
	flat, general := 0, 0
	for seed := range int64(40) {
		s := randomSpace(t, seed)
		if len(s.Genes) == 0 {
			continue
		}
		r := rand.New(rand.NewSource(seed))
		f, genes, busy := s.NewFast(), randomGenes(r, s), make([]float64, len(s.e.Platform.Processors))
		f.Seconds()
		n := testing.AllocsPerRun(20, func() {
			f.Set(genes)
			f.Move(r.Intn(len(genes)), 0)
			_ = f.Seconds()
			f.Undo()
			if !s.HasGeneral() {
				f.BusySeconds(busy)
			}
		})
		if !s.HasGeneral() {
			flat++
		} else {
			general++
		}
		if n > 0 {
			t.Errorf("seed %d: %v allocations, general unit %v", seed, n, s.HasGeneral())
		}
	}
	if flat < 5 || general < 5 {
		t.Errorf("only %d and %d spaces", flat, general)
	}
}
