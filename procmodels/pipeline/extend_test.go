package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
)

const callsOut = `define double @f(double %x, double %y) {
  %a = call double @exp(double %x)
  %b = frem double %a, %y
  %c = call double @llvm.cos.f64(double %b)
  ret double %c
}
declare double @exp(double)
declare double @llvm.cos.f64(double)
`

// What a file says of calls replaces what the file that it extends says, and the library.
func TestExtends(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	head := "schema: pathspan.pipeline/1\nname: mine\n"
	write("first.yaml", head+"extends: gem5-timing\nclock_mhz: 7\ncalls: {exp: 100, fmod: 40.5, llvm.cos: 60}\n")
	cost := func(ref string) (float64, procmodels.Description) {
		m, err := procmodels.Open(ref, "")
		if err != nil {
			t.Fatal(err)
		}
		p, err := ir.Read([]byte(callsOut))
		if err != nil {
			t.Fatal(err)
		}
		c, err := m.Costs(context.Background(), &procmodels.Subject{Program: p, Module: []byte(callsOut)})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Reasons) > 0 && ref != "pipeline:gem5-timing" {
			t.Errorf("%s: defaults %q", ref, c.Reasons)
		}
		return c.Blocks[0][0].Cycles, m.Describe()
	}
	plain, _ := cost("pipeline:gem5-timing")
	first, d := cost(filepath.Join(dir, "first.yaml"))
	if d.Name != "mine" || d.ClockMHz != 7 || !strings.Contains(d.Source, "gem5-timing (gem5 24.0") {
		t.Errorf("%+v", d)
	}
	second, _ := cost(write("second.yaml", head+"extends: first.yaml\ncalls: {exp: 150, llvm.cos.f64: one}\n"))
	// A class in place of 60 cycles and a call, which is of the same class.
	if first < 200.5 || second-first != 50-60 {
		t.Errorf("%g cycles, extended %g, and that %g", plain, first, second)
	}
	if again, _ := cost("pipeline:gem5-timing"); again != plain {
		t.Errorf("extending a pipeline changed it: %g cycles, %g before", again, plain)
	}
	for text, want := range map[string]string{
		"extends: cortex-a54\n":                       "or the path of a YAML file",
		"extends: none.yaml\n":                        "no such file",
		"extends: self.yaml\n":                        "at most 16 pipelines",
		"extends: gem5-timing\nissue: 2\n":            "the pipeline that it extends says so",
		"extends: gem5-timing\ncalls: {exp: -1}\n":    "exp",
		"extends: gem5-timing\ncalls: {exp: other}\n": "no class is named",
		"extends: gem5-timing\nlibrary: nothing\n":    "library",
	} {
		_, err := procmodels.Open(write("self.yaml", head+text), "")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", text, err, want)
		}
	}
}
