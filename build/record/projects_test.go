package record

// This file profiles the test projects from their sources and holds their output
// against that of an ordinary build.

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pathspan/testdata/projects"
)

// TestProjectsBuildOrdinarily makes each project with its own build files and the
// compilers of the system.
func TestProjectsBuildOrdinarily(t *testing.T) {
	t.Parallel()
	list, err := projects.Load("../../testdata/projects")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			steps := [][]string{{"make", "-s", "-C", p.Dir, "CC=gcc", "CXX=g++", "BUILD=" + dir}}
			if p.Build == "cmake" {
				steps = [][]string{{"cmake", "-S", p.Dir, "-B", dir, "-DCMAKE_C_COMPILER=gcc", "-DCMAKE_CXX_COMPILER=g++"}, {"cmake", "--build", dir}}
			}
			for _, tool := range []string{steps[0][0], "gcc", "g++"} {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("skipped: %s is not installed", tool)
				}
			}
			for _, args := range steps {
				if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%q: %v\n%s", args, err, out)
				}
			}
			for _, run := range p.Runs {
				out, err := exec.Command(filepath.Join(dir, p.Program), run.Args...).Output()
				if want := projectOutput(t, p, run); err != nil || !bytes.Equal(out, want) {
					t.Errorf("%q: %v, it prints\n%s", run.Args, err, clip(string(out)))
				}
			}
		})
	}
}

func projectOutput(t *testing.T, p *projects.Project, run projects.Run) []byte {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(p.Dir, run.Stdout))
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// TestProjectsFromSources profiles each project from its sources; its assembler file is
// linked as it is.
func TestProjectsFromSources(t *testing.T) {
	t.Parallel()
	list, err := projects.Load("../../testdata/projects")
	if err != nil {
		t.Fatal(err)
	}
	tc := anyLLVM(t)
	for _, p := range list {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			r := &Recorder{Toolchain: tc, Dir: t.TempDir()}
			opt := Options{Sources: p.Paths(p.Sources), Level: "2", CFlags: p.Flags(), SelfContained: true}
			for _, s := range p.Paths(p.Assembler) {
				object := filepath.Join(r.Dir, filepath.Base(s)+".o")
				if out, err := exec.Command(tc.Clang, "-c", s, "-o", object).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				opt.CFlags = append(opt.CFlags, "-Wl,"+object)
			}
			b, err := r.Build(context.Background(), opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, run := range p.Runs {
				var out bytes.Buffer
				bundle, status, err := r.Run(context.Background(), b, run.Args, Streams{Stdout: &out})
				if err != nil || status.Exit != 0 || !bytes.Equal(out.Bytes(), projectOutput(t, p, run)) {
					t.Fatalf("%q: %v, it %s and prints\n%s", run.Args, err, status, clip(out.String()))
				}
				if executionsOf(bundle) == 0 {
					t.Errorf("%q: no executions of sections", run.Args)
				}
			}
		})
	}
}
