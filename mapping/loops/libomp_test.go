package loops

// This file holds the package to what libomp does: to a record of it always, and to libomp
// itself where it is installed.

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pathspan/build/toolchain"
)

var update = flag.Bool("update", false, "rewrite the record of what libomp does")

const (
	most   = 8 // threads, as in testdata/recorder.h
	record = "testdata/libomp.txt"
)

const head = `# Which thread got which iterations of random loops: a record of LLVM's OpenMP runtime.
#
# A loop is followed by a line for each thread: the iterations that it executed, counted from 0,
# in its order. Where the loop was dispatched (all but static loops that are not ordered, and
# teams of one), each item is a chunk, and "until" is when the thread was done on the clock
# that testdata/recorder.c keeps.
# Written by "go test ./mapping/loops -update", on x86-64.
`

// did is what a thread did of a loop.
type did struct {
	items      []Chunk
	dispatched bool
	until      float64
}

func (d did) String() string {
	var words []string
	for _, c := range d.items {
		if c.Len() == 1 {
			words = append(words, fmt.Sprint(c.Begin))
		} else {
			words = append(words, fmt.Sprintf("%d-%d", c.Begin, c.End-1))
		}
	}
	if d.dispatched {
		words = append(words, "until", strconv.FormatFloat(d.until, 'f', -1, 64))
	}
	return strings.Join(words, " ")
}

// pieces merges consecutive iterations.
func pieces(iterations []int64) []Chunk {
	var out []Chunk
	for _, k := range iterations {
		if last := len(out) - 1; last >= 0 && out[last].End == k {
			out[last].End++
		} else {
			out = append(out, Chunk{k, k + 1})
		}
	}
	return out
}

// predicted returns what this package says that threads do of a loop.
func (l *loop) predicted() []did {
	finish, taken := Play(l.schedule, l.curves(), int64(len(l.values)), same(dispatch, l.threads), floats(l.start))
	out := make([]did, l.threads)
	dispatched := l.dispatched()
	for t := range out {
		if dispatched && l.schedule.Kind == Static {
			// Play has no cost for dispatching what is decided beforehand; the recorder does.
			finish[t] += dispatch * float64(len(taken[t]))
		}
		if dispatched {
			out[t] = did{taken[t], true, finish[t]}
			continue
		}
		var iterations []int64
		for _, c := range taken[t] {
			for k := c.Begin; k < c.End; k++ {
				if l.hole == nil || !l.hole(k) {
					iterations = append(iterations, k)
				}
			}
		}
		out[t].items = pieces(iterations)
	}
	return out
}

func floats(numbers []int64) []float64 {
	out := make([]float64, len(numbers))
	for i, v := range numbers {
		out[i] = float64(v)
	}
	return out
}

// dispatched reports whether a loop asks libomp for each chunk.
func (l *loop) dispatched() bool {
	return l.ordered || l.schedule.Kind != Static || strings.HasPrefix(l.clause, "runtime")
}

func block(number int, l *loop, threads []did) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nloop %d: %v\n", number, l)
	for t, d := range threads {
		fmt.Fprintf(&b, "%d: %v\n", t, d)
	}
	return b.String()
}

const randomCountOfLoops = 160

func TestRecordOfLibomp(t *testing.T) {
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimPrefix(string(data), head), "\nloop ")
	if len(blocks) != randomCountOfLoops+1 {
		t.Fatalf("%s has %d loops, want %d", record, len(blocks)-1, randomCountOfLoops)
	}
	for i, l := range randomLoops(randomCountOfLoops) {
		want := "\nloop " + strings.TrimSuffix(blocks[i+1], "\n") + "\n"
		if got := block(i, l, l.predicted()); got != want {
			t.Errorf("%v is predicted as\n%slibomp did\n%s", l.schedule, got, want)
		}
	}
}

func TestLibomp(t *testing.T) {
	loops := randomLoops(randomCountOfLoops)
	var b strings.Builder
	b.WriteString(head)
	program := build(t, loops)
	done := make([][]did, len(loops))
	for _, env := range environments {
		var numbers []string
		for i, l := range loops {
			if l.env == env {
				numbers = append(numbers, strconv.Itoa(i))
			}
		}
		if len(numbers) > 0 {
			read(t, loops, done, run(t, program, env, numbers))
		}
	}
	for i, l := range loops {
		b.WriteString(block(i, l, done[i]))
	}
	compare(t, record, b.String())
}

// compare holds what libomp does now to a record, or makes the record.
func compare(t *testing.T, path, got string) {
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("%s:%d: libomp does now\n%s\nand did\n%s", path, i+1, gotLines[i], wantLines[i])
		}
	}
	t.Fatalf("%s has %d lines, libomp gives %d", path, len(wantLines), len(gotLines))
}

// build compiles loops and links them with libomp. It skips the test where there is none.
func build(t *testing.T, loops []*loop) string {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("no compiler to run libomp with: %v", err)
	}
	if tc.ClangXX == "" {
		t.Skip("no clang++ to run libomp with")
	}
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.c")
	if err := os.WriteFile(empty, []byte("int main(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	link(t, tc, tc.Clang, "-fopenmp=libomp", empty, "-o", filepath.Join(dir, "empty"))
	recorder := filepath.Join(dir, "recorder.o")
	compile(t, tc.Clang, "-Wall", "-Wextra", "-Werror", "-O1", "-c", "testdata/recorder.c", "-o", recorder)
	var source strings.Builder
	source.WriteString("#include \"recorder.h\"\n#include <cstdlib>\n#include <vector>\n\nstatic std::vector<int> numbers(1000);\nstatic char letters[1000];\n\n")
	for i, l := range loops {
		source.WriteString(l.source(i))
	}
	source.WriteString("int main(int argc, char **argv)\n{\n    static void (*const loops[])(void) = {\n")
	for i := range loops {
		fmt.Fprintf(&source, "        loop%d,\n", i)
	}
	source.WriteString("    };\n    for (int i = 1; i < argc; i++)\n        loops[atoi(argv[i])]();\n}\n")
	path := filepath.Join(dir, "loops.cpp")
	if err := os.WriteFile(path, []byte(source.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	compile(t, tc.ClangXX, "-w", "-O1", "-fopenmp=libomp", "-Itestdata", "-c", path, "-o", filepath.Join(dir, "loops.o"))
	program := filepath.Join(dir, "loops")
	compile(t, tc.ClangXX, "-fopenmp=libomp", filepath.Join(dir, "loops.o"), recorder, "-ldl", "-o", program)
	return program
}

// link makes a program with libomp. It skips the test where there is none.
func link(t *testing.T, tc *toolchain.Toolchain, compiler string, args ...string) {
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		if !bytes.Contains(out, []byte("-lomp")) {
			t.Fatalf("%s %v: %v\n%s", compiler, args, err, out)
		}
		t.Skipf("%s has no libomp to link with (Debian: apt-get install libomp-%d-dev)", compiler, tc.Version)
	}
}

func compile(t *testing.T, compiler string, args ...string) {
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", compiler, args, err, out)
	}
}

// run executes loops of a program under OMP_SCHEDULE, and no other setting of OpenMP's.
func run(t *testing.T, program, schedule string, numbers []string) []byte {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, numbers...)
	cmd.Env = environment(schedule)
	out, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		t.Fatalf("OMP_SCHEDULE=%s %s %v: %v", schedule, program, numbers, err)
	}
	return out
}

// environment is this process's, with OMP_SCHEDULE and no other setting of OpenMP's.
func environment(schedule string) []string {
	env := []string{"OMP_DYNAMIC=false", "OMP_WAIT_POLICY=passive"}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "OMP_") && !strings.HasPrefix(v, "KMP_") {
			env = append(env, v)
		}
	}
	if schedule != "" {
		env = append(env, "OMP_SCHEDULE="+schedule)
	}
	return env
}

// read takes what a program printed of loops apart, and checks that bodies ran for what
// threads were given.
func read(t *testing.T, loops []*loop, done [][]did, out []byte) {
	number, thread := -1, 0
	var chunks []Chunk
	var saw []int64
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		var n []int64
		for _, w := range words[1:] {
			v, err := strconv.ParseInt(w, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			n = append(n, v)
		}
		switch words[0] {
		case "loop":
			number, thread = int(n[0]), 0
		case "c":
			chunks = append(chunks, Chunk{n[0], n[1] + 1})
		case "v":
			k := slices.Index(loops[number].values, n[0])
			if k < 0 {
				t.Fatalf("loop %d, %v: value %d is none of its own", number, loops[number], n[0])
			}
			saw = append(saw, int64(k))
		case "t":
			l := loops[number]
			d := did{items: pieces(saw)}
			if l.dispatched() {
				d = did{chunks, true, float64(n[0])}
				var given []int64
				for _, c := range chunks {
					for k := c.Begin; k < c.End; k++ {
						if l.hole == nil || !l.hole(k) {
							given = append(given, k)
						}
					}
				}
				if !slices.Equal(given, saw) {
					t.Errorf("loop %d, %v: thread %d was given %v and executed %v", number, l, thread, given, saw)
				}
			}
			done[number] = append(done[number], d)
			chunks, saw = nil, nil
			thread++
		}
	}
}
