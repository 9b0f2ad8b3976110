package estimate

// This file tests that candidates are mappings that files can say, and that the order of
// sections matters only where it is a gene.

import (
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

func TestCandidatesAsFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	ordered, kept := 0, 0
	for seed := range int64(150) {
		s := randomSpace(t, seed)
		r := rand.New(rand.NewSource(seed))
		for range 3 {
			genes := randomGenes(r, s)
			m := s.Mapping(genes)
			if err := m.Check(s.e.Bundle.Program); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, m.YAML(s.e.Bundle.Program), 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := mapping.LoadMapping(path)
			if err != nil {
				t.Fatalf("%v in\n%s", err, m.YAML(s.e.Bundle.Program))
			}
			back, err := mapping.Resolve(s.e.Platform, file, s.e.Bundle.Program)
			if err != nil {
				t.Fatal(err)
			}
			back.Defaulted = nil
			if !reflect.DeepEqual(back, m) {
				t.Fatalf("seed %d: %+v became %+v by way of\n%s", seed, m, back, m.YAML(s.e.Bundle.Program))
			}
		}
		for i := range s.Genes {
			switch s.Genes[i].Kind {
			case table.Order:
				ordered++
			case table.Nested:
				kept++
			}
		}
	}
	if ordered < 20 || kept < 20 {
		t.Errorf("only %d genes of orders, %d of nested regions", ordered, kept)
	}
}

func TestOrderMattersOnlyWhereItIsAGene(t *testing.T) {
	shuffled, matters := 0, 0
	for seed := range int64(300) {
		s := randomSpace(t, seed)
		r := rand.New(rand.NewSource(seed))
		for range 3 {
			m := s.Mapping(randomGenes(r, s))
			want := estimate(t, s.e, m, PathBased).ParallelSeconds
			gene := map[[2]int]bool{}
			for i := range s.Genes {
				if g := &s.Genes[i]; g.Kind == table.Order {
					gene[[2]int{g.Region, g.Construct}] = true
				}
			}
			for free := range 2 {
				for ri := range m.Regions {
					for c, order := range m.Regions[ri].Order {
						if free == 1 || !gene[[2]int{ri, c}] {
							r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
						}
					}
				}
				got := estimate(t, s.e, m, PathBased).ParallelSeconds
				if free == 1 {
					if !closeTo(got, want) {
						matters++
					}
					continue
				}
				shuffled++
				if !closeTo(got, want) {
					t.Fatalf("seed %d: %v s after shuffling sections whose order is no gene, %v before", seed, got, want)
				}
			}
		}
	}
	if shuffled < 500 || matters < 3 {
		t.Errorf("%d shuffled, %d in which the order matters", shuffled, matters)
	}
}
