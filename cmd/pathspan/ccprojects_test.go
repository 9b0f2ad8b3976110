package main

// This file builds the test projects with pathspan cc and c++ in place of compilers, and
// holds the bundles that their programs write against those of pathspan profile.

import (
	"bytes"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/build/cc"
	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/profile"
	"pathspan/testdata/projects"
)

// TestProjectsByDropInCompiler changes nothing in the projects' build files. Each is built at one
// level, by turns, and to tell of memory at the other; with PATHSPAN_TEST_ALL=1 both are built at both.
func TestProjectsByDropInCompiler(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip(toolchain.ErrNoClang)
	}
	list, err := projects.Load("../../testdata/projects")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", cacheHome(t))
	for n, p := range list {
		if p.Dir, err = filepath.Abs(p.Dir); err != nil {
			t.Fatal(err)
		}
		for i, level := range []string{"-O0", "-O2"} {
			for k, flags := range []string{"", "--memory"} {
				if i^n%2 != k && os.Getenv("PATHSPAN_TEST_ALL") == "" {
					continue
				}
				t.Run(p.Name+level+flags, func(t *testing.T) {
					if _, err := exec.LookPath(p.Build); err != nil {
						t.Skipf("skipped: %s is not installed", p.Build)
					}
					checkProject(t, p, level, flags)
				})
			}
		}
	}
}

func checkProject(t *testing.T, p *projects.Project, level, flags string) {
	t.Setenv(cc.EnvFlags, flags)
	dir := t.TempDir()
	build := filepath.Join(dir, "build")
	var said string
	switch p.Build {
	case "make":
		said = command(t, p.Dir, "make", "-j2", "CC=pathspan cc", "CXX=pathspan c++", "CFLAGS="+level, "BUILD="+build)
	case "cmake":
		t.Setenv("CC", "pathspan cc")
		t.Setenv("CXX", "pathspan c++")
		said = command(t, dir, "cmake", "-S", p.Dir, "-B", build, "-DCMAKE_BUILD_TYPE=Plain", "-DCMAKE_C_FLAGS="+level, "-DCMAKE_CXX_FLAGS="+level)
		said += command(t, dir, "cmake", "--build", build)
	}
	if warned := strings.Contains(said, "is not profiled"); warned != (len(p.Assembler) > 0) {
		t.Errorf("a warning of what is not profiled: %v, with assembler files %q\n%s", warned, p.Assembler, said)
	}
	exe := filepath.Join(build, p.Program)
	bundle := filepath.Join(dir, "built.pspan")
	for i, run := range p.Runs {
		os.Remove(bundle)
		cmd := exec.Command(exe, run.Args...)
		cmd.Env = append(os.Environ(), "PATHSPAN_FILE="+bundle)
		cmd.Dir = dir
		out, err := cmd.Output()
		want, rerr := os.ReadFile(filepath.Join(p.Dir, run.Stdout))
		if err != nil || rerr != nil || !bytes.Equal(out, want) {
			t.Fatalf("%q: %v, %v; it prints\n%s", run.Args, err, rerr, out)
		}
		if i > 0 {
			continue // building the direct profile once is enough
		}
		built, err := profile.ReadFile(bundle)
		if err != nil {
			t.Fatal(err)
		}
		direct := filepath.Join(dir, "direct.pspan")
		args := append([]string{"profile", "-q", level, "-o", direct}, strings.Fields(flags)...)
		for _, f := range p.Flags() {
			args = append(args, "--cflags", f)
		}
		for _, s := range p.Paths(p.Assembler) {
			object := filepath.Join(dir, filepath.Base(s)+".o")
			command(t, dir, "pathspan", "cc", "-c", s, "-o", object)
			args = append(args, "--cflags", "-Wl,"+object)
		}
		for _, s := range inLinkOrder(t, built, p.Paths(p.Sources)) {
			args = append(args, asBuilt(t, p, s, level, built))
		}
		var errs bytes.Buffer
		if status := quietly(append(append(args, "--"), run.Args...), &errs); status != 0 {
			t.Fatalf("%q: status %d\n%s", args, status, errs.String())
		}
		compareBundles(t, built, direct)
		compareEstimates(t, bundle, direct)
		if flags != "" {
			compareMemory(t, p, bundle, direct)
		}
	}
}

// compareMemory compares what commands say of two bundles' memory: the same where it does not hang on addresses, and
// nearly so of misses.
func compareMemory(t *testing.T, p *projects.Project, a, b string) {
	t.Helper()
	inTree := regexp.MustCompile(`[\w./-]*testdata/projects/` + filepath.Base(p.Dir) + `/`) // as seen from the folder that is built in
	said := func(file string, command ...string) string {
		out := inTree.ReplaceAllString(string(succeed(t, append(command, file)...)), "")
		var kept []string
		for _, l := range strings.Split(strings.NewReplacer(file, "FILE", filepath.Base(file), "FILE").Replace(out), "\n") {
			if !strings.Contains(l, "addresses by chance") && !strings.Contains(l, "not profiled: ") {
				kept = append(kept, l)
			}
		}
		return strings.Join(kept, "\n")
	}
	for _, command := range []string{"comm --items 0", "comm --by line --items 0", "comm --matrix --format csv", "comm --graph --format dot --per-call", "comm --ports", "races", "suggest"} {
		got, want := said(a, strings.Fields(command)...), said(b, strings.Fields(command)...)
		if got != want || want == "" {
			g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
			at := 0
			for at < min(len(g), len(w))-1 && g[at] == w[at] {
				at++
			}
			t.Errorf("%s says in line %d of %d\n%s\nprofiled directly, of %d\n%s", command, at+1, len(g), g[at], len(w), w[at])
		}
	}
	const soc = "../../examples/platforms/cortex-a53.yaml"
	got, want := parallelCycles(t, "estimate", "--technique", "eb", a, "--platform", soc), parallelCycles(t, "estimate", "--technique", "eb", b, "--platform", soc)
	for n := range want {
		if math.Abs(got[n]/want[n]-1) > 0.02 {
			t.Errorf("%.0f cycles on %d processors of a platform with memory, profiled directly %.0f", got[n], n, want[n])
		}
	}
	for _, command := range []string{"explore -q", "report -o - --format md"} {
		if text := said(a, append(strings.Fields(command), "--platform", soc)...); strings.Contains(text, "profile with --memory") {
			t.Errorf("%s says\n%s", command, text)
		}
	}
}

func quietly(args []string, stderr io.Writer) int {
	return run(args, bytes.NewReader(nil), io.Discard, stderr)
}

// inLinkOrder puts sources in the order in which the build linked them, as the
// optimiser may decide by it.
func inLinkOrder(t *testing.T, b *profile.Bundle, sources []string) []string {
	t.Helper()
	var out []string
	for _, linked := range b.Provenance.Sources {
		for _, s := range sources {
			if s == linked.Name || strings.HasSuffix(s, "/"+linked.Name) {
				out = append(out, s)
			}
		}
	}
	if len(out) != len(sources) {
		t.Fatalf("the build linked %v, the project has %q", b.Provenance.Sources, sources)
	}
	return out
}

// asBuilt returns what pathspan profile is given of a source: itself, or where the build
// chose a standard of C++, which profile would choose for C as well, its module.
func asBuilt(t *testing.T, p *projects.Project, source, level string, built *profile.Bundle) string {
	t.Helper()
	flags := built.Provenance.Flags
	at := slices.IndexFunc(flags, func(f string) bool { return strings.HasPrefix(f, "-std=") })
	if at < 0 || !toolchain.IsCXX(source) {
		return source
	}
	tc, err := toolchain.Find("")
	if err != nil {
		t.Fatal(err)
	}
	include, err := (&record.Recorder{}).Headers()
	if err != nil {
		t.Fatal(err)
	}
	extra := append(p.Flags(), flags[at])
	if built.Memory != nil {
		extra = append(extra, record.KeepNames)
	}
	module := filepath.Join(t.TempDir(), filepath.Base(source)+".ll")
	if _, err := tc.Compile(t.Context(), toolchain.Compile{Source: source, Output: module, Level: level[2:],
		OpenMP: true, IncludeAfter: include, Extra: extra}); err != nil {
		t.Fatal(err)
	}
	return module
}

// compareBundles compares all but where the bundles come from.
func compareBundles(t *testing.T, built *profile.Bundle, file string) {
	t.Helper()
	direct, err := profile.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(built.Program.Funcs) != len(direct.Program.Funcs) {
		t.Fatalf("%d functions, profiled directly %d", len(built.Program.Funcs), len(direct.Program.Funcs))
	}
	ran := 0
	for i, f := range direct.Program.Funcs {
		if got := built.Program.Funcs[i].Name; got != f.Name {
			t.Fatalf("function %d is %s, profiled directly %s", i, got, f.Name)
		}
		if !reflect.DeepEqual(built.Funcs[i], direct.Funcs[i]) {
			t.Errorf("the paths of %s differ", f.Name)
		}
		if direct.Funcs[i] != nil {
			ran++
		}
	}
	if !reflect.DeepEqual(built.Targets, direct.Targets) {
		t.Error("the targets of indirect calls differ")
	}
	if !reflect.DeepEqual(built.Executions, direct.Executions) {
		t.Error("the executions of sections differ")
	}
	if ran < 3 || direct.Executions == nil {
		t.Errorf("%d functions ran; the project should have more, and executions", ran)
	}
}

// compareEstimates compares what estimate prints of both, in all techniques.
func compareEstimates(t *testing.T, a, b string) {
	t.Helper()
	var texts [2]string
	for i, file := range []string{a, b} {
		var out, errs bytes.Buffer
		if status := run([]string{"estimate", file, "-p", "1,2,3,4", "--technique", "pb,eb,at,mt", "--json"}, bytes.NewReader(nil), &out, &errs); status != 0 {
			t.Fatalf("estimate %s: %s", file, errs.String())
		}
		lines := strings.Split(out.String(), "\n")
		kept := lines[:0]
		for _, l := range lines { // the figures; names of files are those of the builds
			if strings.Contains(l, "econds") || strings.Contains(l, "peed") || strings.Contains(l, "ycles") {
				kept = append(kept, l)
			}
		}
		texts[i] = strings.Join(kept, "\n")
	}
	if texts[0] != texts[1] || strings.Count(texts[0], "\n") < 8 {
		t.Errorf("estimates differ, or are few:\n%s\nprofiled directly:\n%s", texts[0], texts[1])
	}
}

// command runs a tool and returns what it says.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}
