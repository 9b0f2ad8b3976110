package toolchain

// This file remembers between processes which toolchain was found: asking every
// installed tool for its version takes longer than compiling a small file.

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"pathspan/scratch"
)

// FindCached is Find that keeps its answer in folder. The answer holds as long as the
// programs that could be chosen, and those that were, are the files that they were.
// Where folder cannot be used, it is Find.
func FindCached(clang, folder string) (*Toolchain, error) {
	return machine.findCached(clang, folder)
}

// found is what the file in the folder holds.
type found struct {
	Toolchain Toolchain
	Tools     string // tells the chosen files
}

func (p place) findCached(clang, folder string) (*Toolchain, error) {
	named := clang
	if named == "" {
		named = os.Getenv(EnvClang)
	}
	file := filepath.Join(folder, "toolchain-"+p.question(named)+".json")
	if text, err := os.ReadFile(file); err == nil {
		var f found
		if json.Unmarshal(text, &f) == nil && f.Toolchain.Clang != "" && f.Tools == f.Toolchain.files() {
			return &f.Toolchain, nil
		}
	}
	t, err := p.find(clang)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(found{*t, t.files()})
	if err != nil {
		return nil, err
	}
	scratch.PlaceBytes(file, 0o600, text) // where it cannot be kept, it is asked again next time
	return t, nil
}

// question names what was asked for and all that could be the answer.
func (p place) question(clang string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", clang, os.Getenv("PATH"))
	candidate := func(path string, version int) {
		identify(h, path)
		for _, tool := range []string{"clang++", "opt", "llvm-link", "llvm-dis", "llvm-profdata"} {
			for _, path := range p.companionsOf(path, version).paths(tool) {
				identify(h, path)
			}
		}
	}
	if clang != "" {
		if path, err := p.locate(clang); err == nil {
			candidate(path, 0) // whose version is not known before it is asked
		}
		return fmt.Sprintf("%x", h.Sum(nil)[:12])
	}
	for v := Newest; v >= Oldest; v-- {
		for _, path := range p.candidates(v) {
			candidate(path, v)
		}
	}
	if path, err := exec.LookPath("clang"); err == nil {
		identify(h, path)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
}

// files tells the files of the tools apart from those that an update puts in their place.
func (t *Toolchain) files() string {
	h := sha256.New()
	for _, path := range []string{t.Clang, t.ClangXX, t.Opt, t.Link, t.Dis, t.Profdata} {
		identify(h, path)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
}

// Identity tells a toolchain from others, and from itself after an update.
func (t *Toolchain) Identity() string { return t.Full + " " + t.files() }

func identify(w io.Writer, path string) {
	info, err := os.Stat(path)
	if path == "" || err != nil {
		fmt.Fprintf(w, "%q absent\n", path)
		return
	}
	fmt.Fprintf(w, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
}
