package record

// This file tests programs that add their counts to those of earlier runs: the file is
// the sum of the files of single runs, whoever writes at the same time.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pathspan/profile"
)

// sumOfSingles runs the program once for each list of arguments, each with a file of its
// own, and adds the bundles up.
func sumOfSingles(t testing.TB, exe string, runs [][]string) *profile.Bundle {
	t.Helper()
	var all []*profile.Bundle
	for _, args := range runs {
		dir := t.TempDir()
		runAlone(t, exe, dir, nil, args...)
		all = append(all, readBundle(t, filepath.Join(dir, "default.pspan")))
	}
	sum, err := profile.Merge(all...)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// sameSum compares bundles of the same runs. Entries are the same; their works are, but
// for how means are rounded.
func sameSum(t testing.TB, what string, got, want *profile.Bundle) {
	t.Helper()
	if (got.Executions == nil) != (want.Executions == nil) {
		t.Fatalf("%s: executions %v, want %v", what, got.Executions, want.Executions)
	}
	if got.Executions != nil {
		sameExecutions(t, what, got.Executions, want.Executions)
	}
	g, w := *got, *want
	g.Executions, w.Executions = nil, nil
	byArguments := func(runs []profile.Run) []profile.Run {
		runs = slices.Clone(runs)
		slices.SortStableFunc(runs, func(a, b profile.Run) int {
			return cmp.Or(slices.Compare(a.Arguments, b.Arguments), cmp.Compare(a.Counted, b.Counted))
		})
		return runs
	}
	g.Provenance.Runs, w.Provenance.Runs = byArguments(g.Provenance.Runs), byArguments(w.Provenance.Runs)
	sameProfile(t, what, &g, &w)
}

// TestMergedRuns adds runs that end in different ways to one file.
func TestMergedRuns(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"0", "2"} {
		_, b := selfWriting(t, level)
		runs := [][]string{{"4", "return"}, {"7", "kill"}, {"1", "exit"}, {"7", "kill"}, {"0", "_exit"}, {"40", "quick"}, {"3", "segv"}}
		dir := t.TempDir()
		for _, args := range runs {
			if o := runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=sum-%m.pspan"}, args...); o.stderr != "" {
				t.Fatalf("%q: %s", args, o.stderr)
			}
		}
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("files %q, %v", files, err)
		}
		sameSum(t, "-O"+level, readBundle(t, files[0]), sumOfSingles(t, b.Executable, runs))
	}
}

// TestMergedTasksAndLocks adds up runs of programs whose executions are kept on the finer grid.
func TestMergedTasksAndLocks(t *testing.T) {
	t.Parallel()
	for source, runs := range map[string][][]string{
		"testdata/tasks.c":           {{"0"}, {"3"}, {"1"}, {"0"}, {"9"}},
		"testdata/taskloops.c":       {{"0"}, {"1"}, {"0"}},
		testdata + "/openmp/locks.c": {{}, {}, {}},
	} {
		r := &Recorder{Toolchain: anyLLVM(t), Dir: t.TempDir()}
		b, err := r.Build(t.Context(), Options{Sources: []string{source}, Level: "2", SelfContained: true})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for _, args := range runs {
			if o := runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=%m.pspan"}, args...); o.stderr != "" {
				t.Fatalf("%s %q: %s", source, args, o.stderr)
			}
		}
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("files %q, %v", files, err)
		}
		sum := readBundle(t, files[0])
		sameSum(t, source, sum, sumOfSingles(t, b.Executable, runs))
		if sum.Executions.Grid <= 32 {
			t.Errorf("%s: a grid of %d tests nothing", source, sum.Executions.Grid)
		}
	}
}

// TestConcurrentRuns lets sixteen processes at a time write one file, more than once.
func TestConcurrentRuns(t *testing.T) {
	t.Parallel()
	_, b := selfWriting(t, "2")
	dir := t.TempDir()
	var runs [][]string
	for i := range 48 {
		runs = append(runs, []string{fmt.Sprint(i % 16), []string{"return", "kill", "exit"}[i%3]})
	}
	var wait sync.WaitGroup
	busy := make(chan bool, 16)
	said := make([]string, len(runs))
	for i, args := range runs {
		wait.Add(1)
		busy <- true
		go func() {
			defer wait.Done()
			cmd := exec.Command(b.Executable, args...)
			cmd.Dir, cmd.Env = dir, []string{"PATHSPAN_FILE=all/%m.pspan"}
			var errs bytes.Buffer
			cmd.Stderr = &errs
			cmd.Run()
			said[i] = errs.String()
			<-busy
		}()
	}
	wait.Wait()
	if s := strings.Join(said, ""); s != "" {
		t.Errorf("they say %q", s)
	}
	files, err := filepath.Glob(filepath.Join(dir, "all", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v", files, err)
	}
	sameSum(t, "48 runs", readBundle(t, files[0]), sumOfSingles(t, b.Executable, runs))
}

// TestListOfRunsIsBounded runs more often than runs are listed.
func TestListOfRunsIsBounded(t *testing.T) {
	t.Parallel()
	_, b := selfWriting(t, "1")
	dir := t.TempDir()
	const times = 103
	for range times {
		runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=%m.pspan"}, "1")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	got := readBundle(t, files[0])
	if n := len(got.Provenance.Runs); n != 100 {
		t.Errorf("%d runs are listed", n)
	}
	if want := "3 more runs are in the counts and not in the list of runs"; !slices.Contains(got.Notes, want) {
		t.Errorf("notes %q, want %q", got.Notes, want)
	}
	if n := got.Funcs[got.Program.Func("main").Index].Invocations(); n != times {
		t.Errorf("main ran %d times, want %d", n, times)
	}
}

// TestForeignFilesStay does not add to what another program wrote, nor to damaged files,
// and leaves them as they are.
func TestForeignFilesStay(t *testing.T) {
	t.Parallel()
	_, b := selfWriting(t, "1")
	_, other := selfWriting(t, "2")
	dir := t.TempDir()
	env := func(name string) []string { return []string{"PATHSPAN_FILE=" + name} }
	runAlone(t, other.Executable, dir, env("other"), "2")
	runAlone(t, b.Executable, dir, env("own"), "2")
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	own := read("own")
	changed := bytes.Clone(own)
	changed[len(changed)-20] ^= 4
	hash := hexOf(b.Instr.Hash[:8])
	const foreign, damaged = "the file that is there is not of this program as it was built; it is left as it is\n", "the file that is there is damaged; it is left as it is, remove it to start anew\n"
	for _, c := range []struct {
		what string
		data []byte
		says string
	}{
		{"another program's", read("other"), foreign},
		{"a text", []byte("some text that is no profile at all\n"), foreign},
		{"short", []byte("PSP"), foreign},
		{"truncated", own[:len(own)-8], damaged},
		{"cut off in a word", own[:len(own)-3], damaged},
		{"without counts", own[:len(own)/8*4], damaged},
		{"changed", changed, damaged},
		{"full", full(own), "its counts would pass 2^63; move it away to count anew\n"},
	} {
		name := filepath.Join(dir, hash)
		if err := os.WriteFile(name, c.data, 0o644); err != nil {
			t.Fatal(err)
		}
		o := runAlone(t, b.Executable, dir, env("%m"), "2")
		if want := "pathspan: cannot write the profile " + hash + ": " + c.says; o.stderr != want || o.status.Exit != 3 {
			t.Errorf("%s: it %s and says %q, want %q", c.what, o.status, o.stderr, want)
		}
		if !bytes.Equal(read(hash), c.data) {
			t.Errorf("%s: the file has changed", c.what)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, hash), own, 0o644); err != nil {
		t.Fatal(err)
	}
	if o := runAlone(t, b.Executable, dir, env("%m"), "2"); o.stderr != "" || bytes.Equal(read(hash), own) {
		t.Errorf("its own file: it says %q", o.stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp*")); len(left) > 0 {
		t.Errorf("it leaves %q", left)
	}
}

// full returns a file as a program writes it, whose first counter is as high as readers
// take.
func full(own []byte) []byte {
	data := bytes.Clone(own)
	words := data[binary.LittleEndian.Uint64(data[8:])+8:] // behind the template and the magic
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(words[8*i:]) }
	binary.LittleEndian.PutUint64(words[10*8:], 1<<63-1) // behind the hash, the signal's section, a tag, a length and the counter's number
	var sum uint64
	mix := func(v uint64) {
		sum = (sum ^ v) * 0x9e3779b97f4a7c15
		sum ^= sum >> 29
	}
	for i := range 4 {
		mix(word(i))
	}
	for i := 4; 8*i+8 < len(words); { // sections, whose lengths are summed up behind them
		n := int(word(i + 1))
		mix(word(i))
		for k := range n {
			mix(word(i + 2 + k))
		}
		mix(uint64(n))
		i += 2 + n
	}
	binary.LittleEndian.PutUint64(words[len(words)-8:], sum)
	return data
}

// executionsOf counts those of all constructs.
func executionsOf(b *profile.Bundle) uint64 {
	var n uint64
	for _, x := range b.Executions.Entries {
		n += x.Count
	}
	return n
}

// TestSignalFromOutside ends a program from outside; its counts are added too.
func TestSignalFromOutside(t *testing.T) {
	t.Parallel()
	_, b := selfWriting(t, "2")
	dir := t.TempDir()
	env := []string{"PATHSPAN_FILE=%m.pspan"}
	runAlone(t, b.Executable, dir, env, "5")
	cmd := exec.Command(b.Executable, "5", "sleep")
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 100)) // it printed, so it sleeps or is about to
	time.Sleep(20 * time.Millisecond)
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	got := readBundle(t, files[0])
	if n := executionsOf(got); n != 10 {
		t.Errorf("%d executions of the region, want 10", n)
	}
	if r := got.Provenance.Runs[1]; r.Signal != int(syscall.SIGINT) || r.ExitStatus != -1 || !slices.Equal(r.Arguments, []string{"5", "sleep"}) {
		t.Errorf("the run is %+v", r)
	}
}

// TestChildrenOfFork count for themselves from the fork on: what parent and child count is
// what the source says, whether they add to one file or have one each.
func TestChildrenOfFork(t *testing.T) {
	t.Parallel()
	_, b := selfWriting(t, "1")
	dir := t.TempDir()
	runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=%m.pspan"}, "5", "fork")
	runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=each/%p.pspan"}, "5", "fork")
	one, _ := filepath.Glob(filepath.Join(dir, "*.pspan"))
	each, _ := filepath.Glob(filepath.Join(dir, "each", "*.pspan"))
	if len(one) != 1 || len(each) != 2 {
		t.Fatalf("files %q and %q", one, each)
	}
	var singles []*profile.Bundle
	for _, f := range each {
		singles = append(singles, readBundle(t, f))
	}
	sum, err := profile.Merge(singles...)
	if err != nil {
		t.Fatal(err)
	}
	merged := readBundle(t, one[0])
	sameSum(t, "parent and child", merged, sum)
	// The child has two executions more of the region; the parent waits before its own five.
	if n := executionsOf(merged); n != 5+7 {
		t.Errorf("%d executions of the region, want 12", n)
	}
	runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=parent.pspan"}, "5", "fork")
	parent := readBundle(t, filepath.Join(dir, "parent.pspan"))
	if n := executionsOf(parent); n != 5 || len(parent.Provenance.Runs) != 1 {
		t.Errorf("without %%p and %%m, %d executions of the region in %d runs, want those of the parent", n, len(parent.Provenance.Runs))
	}
}
