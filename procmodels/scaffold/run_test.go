package scaffold

// This file builds and runs what is written: each skeleton passes the conformance kit as
// it is, and does what its comments say.

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/conform"
	"pathspan/procmodels/plugin"
)

// conforms opens the model of a skeleton and holds it to the contract.
func conforms(t *testing.T, s *Skeleton, dir string) {
	t.Helper()
	t.Setenv(plugin.TimeoutVariable, "1h") // on a machine however busy
	t.Setenv("PATHSPAN_CACHE", "off")      // or the kit would compare an answer with itself
	open := func(parameters string) (procmodels.Model, error) {
		return procmodels.Open(s.Reference+"./"+filepath.Base(dir)+"/"+s.Model+parameters, filepath.Dir(dir))
	}
	report := conform.Check(t.Context(), func() (procmodels.Model, error) { return open("") }, time.Hour)
	if err := report.Err(); err != nil {
		t.Error(err)
	}
	if s.Reference == "" {
		return
	}
	program := &ir.Program{Funcs: []*ir.Func{{Name: "f", Blocks: []*ir.Block{{Instrs: []ir.Instr{
		{Op: "load", Type: "i32"}, {Op: "mul", Type: "i32"}, {Op: "fneg", Type: "float"}, {Op: "ret", Type: "void"},
	}}}}}}
	for parameters, want := range map[string]float64{"": 2 + 3 + 1 + 5, "?wait=3": 5 + 3 + 1 + 5} {
		m, err := open(parameters)
		if err != nil {
			t.Fatal(err)
		}
		if d := m.Describe(); !d.Additive || d.Unit == "" || d.ClockMHz != 100 {
			t.Errorf("%s describes itself as %+v", parameters, d)
		}
		costs, err := m.Costs(context.Background(), &procmodels.Subject{Program: program})
		if err != nil {
			t.Fatal(err)
		}
		m.(interface{ Close() error }).Close()
		b := costs.Blocks[0][0]
		if b.Cycles != want || len(b.Defaults) != 1 || b.Defaults[0].Cycles != 1 {
			t.Errorf("%s: %+v, want %g cycles, 1 of them assumed", parameters, b, want)
		}
	}
	if m, err := open("?wiat=3"); err == nil {
		m.(interface{ Close() error }).Close()
		t.Error("a parameter that the model does not know is no error")
	} else if msg := err.Error(); !strings.Contains(msg, "wiat") || !strings.Contains(msg, "wait") || strings.Contains(msg, "\n") {
		t.Errorf("a misspelt parameter: %v", err)
	}
}

func TestTableConforms(t *testing.T) {
	dir, s := write(t, Options{Name: "mycore", Language: Table})
	conforms(t, s, dir)
}

func TestPythonRuns(t *testing.T) {
	if out, err := exec.Command("/usr/bin/python3", "-c", "import grpc, google.protobuf").CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Skipf("skipped: /usr/bin/python3 cannot import grpc and google.protobuf (%v: %s); install python3-grpcio", err, lines[len(lines)-1])
	}
	dir, s := write(t, Options{Name: "json", Language: Python}) // a name that Python has a module of
	conforms(t, s, dir)

	// By name, through a link into a folder of plugins, as README.md says.
	plugins := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, s.Model), filepath.Join(plugins, "mysim.py")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATHSPAN_PLUGINS", plugins)
	m, err := procmodels.Open("plugin:mysim", "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.(interface{ Close() error }).Close()
	if got := m.Describe().Name; got != "json" {
		t.Errorf("plugin:mysim is %s", got)
	}
}

// Without a network, as everything that a model needs the tree needs too.
func TestGoBuildsAndRuns(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("skipped: go is not on PATH")
	}
	dir, s := write(t, Options{Name: "v2", Language: Go, Tree: "../.."}) // go build alone would not name it so
	build := exec.Command("sh", "-ec", s.Build)
	build.Dir = dir
	build.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly", "PATH="+filepath.Dir(goTool)+":"+os.Getenv("PATH"))
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", s.Build, err, out)
	}
	conforms(t, s, dir)
}
