package profile

// This file performs what CONTRIBUTING.md says of a recorded datum: it adds one to copies
// of the library and of the list of sections, and has two runs of a program add it up.

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build"
	"pathspan/build/toolchain"
)

// The datum: how often the program ended. Three edits record it and add it up.
var (
	datumLine    = `RAW(9, ENDS, 1, ANY, "add")` + "\n" // of raw.def
	datumWriting = `
  __pathspan_file_section(RAW_ENDS);
  put(tally(1 + (next(RAW_ENDS) == END ? 0 : *take(RAW_ENDS, 1))));` // of profile.c, behind the last section
)

func TestRecordedDatum(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	dir := t.TempDir()
	library, err := fs.Sub(build.Library, "runtime")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, library); err != nil {
		t.Fatal(err)
	}
	edit := func(file, behind, text string) {
		name := filepath.Join(dir, file)
		old, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before, after, ok := strings.Cut(string(old), behind)
		if behind == "" {
			before, after, ok = string(old), "", true
		}
		if !ok {
			t.Fatalf("%s has no %q any more: CONTRIBUTING.md is out of date", file, behind)
		}
		if err := os.WriteFile(name, []byte(before+behind+text+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	edit("raw.def", "", datumLine)
	edit("profile.c", "if (__pathspan_put_memory) __pathspan_put_memory(put);", datumWriting)

	exe := filepath.Join(dir, "program")
	args := []string{"-O1", "-I" + dir, "testdata/module.c", "-o", exe}
	for _, source := range append(build.Executions(), "profile.c", "earlier.c", "file.c", "watch.c", "activations.c", "ends.c") {
		args = append(args, filepath.Join(dir, source))
	}
	if out, err := exec.Command(tc.Clang, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for range 3 { // %m: they add up in one file
		run := exec.Command(exe)
		run.Env = append(os.Environ(), "PATHSPAN_FILE="+filepath.Join(dir, "%m.raw"))
		if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.raw"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data = data[32:] // the template
	hash := [32]byte{1, 2, 3}

	if p, err := parseRaw(data, hash); err == nil {
		t.Errorf("a reader without the section reads %+v", p)
	}
	var ends uint64
	before := rawSections
	defer func() { rawSections = before }()
	rawSections = append(slices.Clone(before), rawSection{9, "ENDS", 1, "ANY", func(_ *rawProfile, r *rawReader) { ends += r.word() }})
	p, err := parseRaw(data, hash)
	if err != nil {
		t.Fatal(err)
	}
	if ends != 3 || len(p.runs) != 3 {
		t.Errorf("%d ends of %d runs, want 3 of 3", ends, len(p.runs))
	}
}
