package main

// This file runs whole command lines from the scripts in testdata/script. With
// -update, what they compare with is rewritten.

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"pathspan/build/toolchain"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	debug.SetGCPercent(800) // thousands of short runs: a sixth of the processor time
	testscript.Main(fewSamples{m}, map[string]func(){
		"pathspan": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// fewSamples has tests draw uncertain costs a few times: nothing but intervals hangs on it. Scripts and
// README run processes, which draw as often as for users.
type fewSamples struct{ *testing.M }

func (m fewSamples) Run() int {
	usualSamples = 8
	return m.M.Run()
}

func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var versions []int
	for _, tc := range toolchain.All() {
		versions = append(versions, tc.Version)
	}
	if len(versions) == 0 {
		t.Log("no LLVM is installed: what profiles is skipped")
	}
	cache := cacheHome(t)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			env.Setenv("FUN0", filepath.Join(root, "testdata", "fun0"))
			env.Setenv("FEATURES", filepath.Join(root, "testdata", "features"))
			env.Setenv("PATHSPAN_CLANG", "")
			env.Setenv("XDG_CACHE_HOME", cache)
			for _, name := range []string{"fun0a.pspan", "fun0b.pspan", "nested.pspan"} {
				data, err := os.ReadFile(filepath.Join("testdata", name))
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), data, 0o644); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"oneline": oneLine, "damage": damage, "files": files},
		Condition: func(cond string) (bool, error) {
			if v, err := strconv.Atoi(strings.TrimPrefix(cond, "llvm")); err == nil {
				return slices.Contains(versions, v), nil
			}
			if path, ok := strings.CutPrefix(cond, "exists:"); ok {
				_, err := os.Stat(path)
				return err == nil, nil
			}
			switch cond {
			case "clang": // any supported LLVM
				return len(versions) > 0, nil
			case "libomp": // which programs with tasks are measured with
				return linksOpenMP(t.TempDir()), nil
			case "root":
				return os.Geteuid() == 0, nil
			}
			return false, nil
		},
	})
}

// linksOpenMP reports whether the clang that is taken finds LLVM's OpenMP library.
func linksOpenMP(dir string) bool {
	tc, err := toolchain.Find("")
	if err != nil {
		return false
	}
	link := exec.Command(tc.Clang, "-fopenmp=libomp", "-x", "c", "-", "-o", filepath.Join(dir, "linked"))
	link.Stdin = strings.NewReader("int main(void) { return 0; }\n")
	return link.Run() == nil
}

// oneLine checks that the last command printed one line of pathspan's to standard
// error, and nothing else.
func oneLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: oneline")
	}
	s := ts.ReadFile("stderr")
	if strings.Count(s, "\n") != 1 || !strings.HasPrefix(s, "pathspan: ") || strings.Contains(s, "internal error") {
		ts.Fatalf("want one line that pathspan says, got:\n%s", s)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("want nothing on standard output, got:\n%s", out)
	}
}

// damage copies a file: its first bytes only ("damage a b cut 100"), or with a byte
// changed ("damage a b flip 100").
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: damage from to cut|flip position")
	}
	data := []byte(ts.ReadFile(args[0]))
	at, err := strconv.Atoi(args[3])
	ts.Check(err)
	switch args[2] {
	case "cut":
		data = data[:at]
	case "flip":
		data[at] ^= 0x55
	default:
		ts.Fatalf("damage: %s: want cut or flip", args[2])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// files checks that a folder holds the named files and no others, hidden ones
// included.
func files(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: files folder [name...]")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	want := slices.Sorted(slices.Values(args[1:]))
	if !slices.Equal(have, want) {
		ts.Fatalf("folder %s holds %q, want %q", args[0], have, want)
	}
}
