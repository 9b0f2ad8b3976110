package export

// This file reads profiles back, with the package profile and with go tool pprof.

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

func pprofOf(t *testing.T, s *Subject) ([]byte, *profile.Profile) {
	t.Helper()
	data, err := Pprof(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	return data, p
}

func TestPprofAddsUpToEstimates(t *testing.T) {
	everySubject(t, func(t *testing.T, s *Subject) {
		data, p := pprofOf(t, s)
		if again, _ := pprofOf(t, s); !bytes.Equal(data, again) {
			t.Error("two profiles differ")
		}
		busy, err := s.Estimator.Busy(s.Mapping, s.Technique)
		if err != nil {
			t.Fatal(err)
		}
		var sums [sampleTypes]float64
		by := map[string]float64{}
		for _, x := range p.Sample {
			for k, n := range x.Value {
				sums[k] += float64(n)
			}
			by[x.Label["processor"][0]] += float64(x.Value[sampleBusy])
		}
		r := estimated(t, s)
		if math.Abs(sums[sampleSequential]-r.SequentialCycles) > 0.5+1e-9*r.SequentialCycles {
			t.Errorf("%v sequential cycles, want %v", sums[sampleSequential], r.SequentialCycles)
		}
		if math.Abs(sums[sampleCritical]-r.ParallelCycles) > 0.5+1e-9*r.ParallelCycles {
			t.Errorf("%v critical cycles, want %v", sums[sampleCritical], r.ParallelCycles)
		}
		for i, seconds := range busy {
			want := seconds * s.hertz(i)
			if got := by[s.Estimator.Platform.Processors[i].Name]; math.Abs(got-want) > 0.5+1e-9*want {
				t.Errorf("processor %d: %v busy cycles, want %v", i, got, want)
			}
		}
	})
}

func TestPprofText(t *testing.T) {
	_, p := pprofOf(t, fun0(t, "solB"))
	golden(t, "pprof.golden", []byte(p.String()))
}

// Cycles of a called function stand below the line that calls it, and in its section.
func TestPprofStacks(t *testing.T) {
	_, p := pprofOf(t, fun0(t, "solB"))
	seen := false
	for _, x := range p.Sample {
		if x.Location[0].Line[0].Function.Name != "fun_2" {
			continue
		}
		seen = true
		var stack []string
		for _, l := range x.Location[1:] {
			stack = append(stack, l.Line[0].Function.Name+":"+strconv.FormatInt(l.Line[0].Line, 10))
		}
		if len(stack) != 2 || stack[0] != "fun_0:64" || !strings.HasPrefix(stack[1], "main:") {
			t.Errorf("fun_2 is called from %v, want fun_0:64 and main", stack)
		}
		if x.Value[sampleBusy] > 0 && (x.Label["section"][0] != "fun0.c:fun_0#1/2" || x.Label["processor"][0] != "beta") {
			t.Errorf("fun_2 has labels %v, want section 2 on beta", x.Label)
		}
	}
	if !seen {
		t.Error("fun_2 has no samples")
	}
}

// go tool pprof is the tool that the format is for.
func TestGoToolPprof(t *testing.T) {
	s := fun0(t, "solB")
	data, _ := pprofOf(t, s)
	file := filepath.Join(t.TempDir(), "fun0.pb.gz")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "tool", "pprof", "-raw", file).CombinedOutput(); err != nil {
		t.Skipf("go tool pprof does not run here: %v\n%s", err, out)
	}
	r := estimated(t, s)
	busy, err := s.Estimator.Busy(s.Mapping, s.Technique)
	if err != nil {
		t.Fatal(err)
	}
	all := 0.0
	for p, seconds := range busy {
		all += math.Round(seconds * s.hertz(p))
	}
	row := regexp.MustCompile(`(?m)^ *(-?\d+)(?:cycles)? +[\d.]+% +[\d.]+% +-?\d+(?:cycles)? +[\d.]+% +(.*)$`)
	for name, want := range map[string]float64{"sequential": r.SequentialCycles, "busy": all, "critical": r.ParallelCycles} {
		out, err := exec.Command("go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", "-sample_index="+name, file).Output()
		if err != nil {
			t.Fatal(err)
		}
		total, functions := 0.0, map[string]bool{}
		for _, m := range row.FindAllStringSubmatch(string(out), -1) {
			n, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			total += n
			functions[strings.TrimSpace(m[2])] = true
		}
		if math.Abs(total-want) > 1 || !functions["fun_0"] || !functions["fun_2"] {
			t.Errorf("%s: go tool pprof adds up %v cycles, want %v\n%s", name, total, want, out)
		}
	}
	out, err := exec.Command("go", "tool", "pprof", "-tags", "-sample_index=busy", file).Output()
	if err != nil || !bytes.Contains(out, []byte("alpha")) || !bytes.Contains(out, []byte("fun0.c:fun_0#1/2")) {
		t.Errorf("-tags shows no processors and sections: %v\n%s", err, out)
	}
}
