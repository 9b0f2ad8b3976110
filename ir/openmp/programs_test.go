package openmp_test

// This file runs the programs of testdata through the pipeline.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"pathspan/ir/toolchain"
)

const testdata = "../../testdata"

type expect struct {
	Exit   int
	Stdout string
}

type program struct {
	Name        string
	Sources     []string
	Link        []string
	Args        []string
	Expect      expect
	SmallArgs   []string `yaml:"small_args"`
	SmallExpect *expect  `yaml:"small_expect"`
	Tags        []string
}

// programs returns the programs of testdata that use OpenMP, each once.
func programs(t *testing.T) []program {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(testdata, "programs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Programs []program }
	if err := yaml.Unmarshal(src, &all); err != nil {
		t.Fatal(err)
	}
	var out []program
	for _, p := range all.Programs {
		omp := false
		for i, s := range p.Sources {
			p.Sources[i] = filepath.Join(testdata, s)
			text, err := os.ReadFile(p.Sources[i])
			if err != nil {
				t.Fatal(err)
			}
			omp = omp || strings.Contains(string(text), "#pragma omp")
		}
		if !omp {
			continue
		}
		if p.SmallExpect != nil {
			p.Args, p.Expect = p.SmallArgs, *p.SmallExpect
		}
		out = append(out, p)
	}
	return out
}

func toolchains(t *testing.T) []*toolchain.Toolchain {
	t.Helper()
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no clang with opt and llvm-link of a version from 14 to 22 is installed")
	}
	return all
}

func TestPrograms(t *testing.T) {
	all := toolchains(t)
	for i, tc := range all {
		p := newPipeline(t, tc)
		for j, g := range programs(t) {
			for _, level := range []string{"0", "2"} {
				if i != 0 && i != len(all)-1 && j%6 != 0 {
					continue
				}
				name := strings.Join([]string{g.Name, tc.Full, "O" + level}, "/")
				t.Run(name, func(t *testing.T) {
					b := p.build(t, level, g.Link, g.Sources...)
					want, err := os.ReadFile(filepath.Join(testdata, g.Expect.Stdout))
					if err != nil {
						t.Fatal(err)
					}
					out, exit := run(t, b.exe, g.Args...)
					if exit != g.Expect.Exit || out != string(want) {
						t.Errorf("exit %d, want %d; output\n%s\nwant\n%s", exit, g.Expect.Exit, out, want)
					}
				})
			}
		}
	}
}
