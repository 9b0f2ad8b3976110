package hostfit

// This file lists the programs of the suite and builds them.

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/workers"
)

//go:embed suite/*.c suite/*.h
var suite embed.FS

// Files are the programs of the suite; each holds several kernels.
var Files = []string{"integer", "memory", "float", "control", "library"}

// Levels are the optimisation levels at which each is measured.
var Levels = []string{"0", "2"}

// What is timed beside the kernels.
const (
	emptyProgram = "empty"
	clockProgram = "clock"
	// figuresProgram times single operations.
	figuresProgram = "figures"
	// callsProgram times functions of the mathematical library.
	callsProgram = "calls"
)

// program is one file of the suite at one level.
type program struct {
	file, level string
	kernels     []string
	plain       string // executable of the plain build
	recorder    *record.Recorder
	built       *record.Built
}

var listed = regexp.MustCompile(`\{"([a-z]+)", [a-z]+\}`)

// kernelsOf reads the names of a file's kernels from its source.
func kernelsOf(source []byte) []string {
	var names []string
	for _, m := range listed.FindAllSubmatch(source, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// builder builds the suite in a folder.
type builder struct {
	tc  *toolchain.Toolchain
	dir string
}

// unpack writes the suite's sources.
func (b *builder) unpack() error {
	entries, err := suite.ReadDir("suite")
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := suite.ReadFile("suite/" + e.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.dir, e.Name()), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// plain builds a file as anyone would, without vectors, which profiles do not have
// either, and returns the executable.
func (b *builder) plain(ctx context.Context, file, level string) (string, error) {
	exe := filepath.Join(b.dir, file+"-O"+level)
	args := []string{"-O" + level, "-fno-vectorize", "-fno-slp-vectorize", "-o", exe, filepath.Join(b.dir, file+".c"), "-lm"}
	if _, err := b.tc.Run(ctx, toolchain.Cmd{Path: b.tc.Clang, Args: args}); err != nil {
		return "", fmt.Errorf("suite: %s at -O%s: %w", file, level, err)
	}
	return exe, nil
}

// all builds the files at all levels, two at a time.
func (b *builder) all(ctx context.Context, files []string) ([]*program, error) {
	var list []*program
	for _, file := range files {
		source, err := suite.ReadFile("suite/" + file + ".c")
		if err != nil {
			return nil, fmt.Errorf("suite: there is no program %q", file)
		}
		for _, level := range Levels {
			list = append(list, &program{file: file, level: level, kernels: kernelsOf(source)})
		}
	}
	errs := make([]error, len(list))
	workers.Each(len(list), 2, func(i int) { errs[i] = b.build(ctx, list[i]) })
	return list, errors.Join(errs...)
}

func (b *builder) build(ctx context.Context, p *program) error {
	var err error
	if p.plain, err = b.plain(ctx, p.file, p.level); err != nil {
		return err
	}
	dir := filepath.Join(b.dir, "profile-"+p.file+"-O"+p.level)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	p.recorder = &record.Recorder{Toolchain: b.tc, Dir: dir}
	p.built, err = p.recorder.Build(ctx, record.Options{Sources: []string{filepath.Join(b.dir, p.file+".c")}, Level: p.level, Branches: true})
	if err != nil {
		return fmt.Errorf("suite: %s at -O%s: %w", p.file, p.level, err)
	}
	return nil
}
