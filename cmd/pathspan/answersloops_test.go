package main

// This file holds answers by executions against replay on random programs with worksharing
// loops, shared as their clauses say and as mapping files do.

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/profile"
)

func TestRandomLoops(t *testing.T) {
	if _, err := toolchain.Find(""); err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	seeds := []uint64{1, 2, 3}
	if os.Getenv("PATHSPAN_TEST_ALL") != "" {
		for seed := range uint64(40) {
			seeds = append(seeds, 4+seed)
		}
	}
	dir := t.TempDir()
	var off []deviation
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			path := writeText(t, dir, fmt.Sprintf("loops%d.c", seed), randomSource(seed, true))
			a := &asked{name: filepath.Base(path), sources: []string{path}, seed: seed, bundle: filepath.Join(dir, fmt.Sprintf("loops%d.pspan", seed))}
			if o := pathspan("", "profile", "-q", "-o", a.bundle, path); o.status != 0 {
				t.Fatal(o.stderr)
			}
			b, err := profile.ReadFile(a.bundle)
			if err != nil {
				t.Fatal(err)
			}
			n := 2 + int(seed%3)
			a.settings = []setting{{model: "generic", flags: []string{"-p", fmt.Sprint(n), "--model", "generic"}, platform: mapping.Homogeneous(n, "generic"), uniform: true}}
			s, err := unequalSetting(dir, "beside", "generic", "generic", n)
			if err != nil {
				t.Fatal(err)
			}
			a.settings = append(a.settings, s)
			for i := range a.settings {
				s := &a.settings[i]
				for k := range 3 {
					m, err := sharedByFile(dir, fmt.Sprintf("loops%d-%d-%d.yaml", seed, i, k), b.Program, k, n, seed)
					if err != nil {
						t.Fatal(err)
					}
					s.mappings = append(s.mappings, m)
				}
				if err := a.estimates(s); err != nil {
					t.Fatal(err)
				}
			}
			folder := filepath.Join(dir, fmt.Sprint("built", seed))
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := a.replay(t.Context(), folder, b); err != nil {
				t.Fatal(err)
			}
			for i := range a.settings {
				s := &a.settings[i]
				for k, exact := range s.replayed {
					// Where a mapping names regions inside of others they compete, amid what is told of together.
					limit := 0.01
					if k > 0 {
						limit = 0.02
					}
					d := exact/s.estimate[k].Speedup - 1
					off = append(off, deviation{a.name, s.model, i == 0, k, d})
					if math.Abs(d) > limit {
						t.Errorf("%v, mapping %d: estimate says %v, replay %v: %.3g%%", s.flags, k, s.estimate[k].Speedup, exact, 100*d)
					}
				}
			}
		})
	}
	logDeviations(t, off)
}

// sharedByFile is a mapping that says nothing, or shares half of the loops or all of them in
// ways of its own.
func sharedByFile(dir, name string, p *ir.Program, kind, processors int, seed uint64) (mappingText, error) {
	r := rand.New(rand.NewPCG(seed, uint64(kind)))
	regions := map[string]any{}
	for i := range p.Regions {
		if kind == 0 || kind == 1 && i%2 == 0 {
			continue
		}
		said := map[string]any{}
		for _, c := range p.Regions[i].Constructs {
			if c.Loop == nil {
				continue
			}
			how := map[string]any{"schedule": []string{"static", "static,4", "dynamic", "dynamic,3", "guided", "monotonic:dynamic,2"}[r.IntN(6)]}
			var list []string
			for _, q := range r.Perm(processors)[:1+r.IntN(processors)] {
				list = append(list, fmt.Sprintf("cpu%d", q))
			}
			how["processors"] = list
			if how["schedule"] == "static" {
				var shares []int
				for range list {
					shares = append(shares, 1+r.IntN(4))
				}
				how["shares"] = shares
			}
			said[fmt.Sprint(1+len(said))] = how
		}
		if len(said) > 0 {
			regions[p.Regions[i].Name] = map[string]any{"loops": said}
		}
	}
	text, err := json.Marshal(map[string]any{"regions": regions})
	if err != nil {
		return mappingText{}, err
	}
	m := mappingText{filepath.Join(dir, name), string(text)}
	return m, os.WriteFile(m.path, text, 0o644)
}
