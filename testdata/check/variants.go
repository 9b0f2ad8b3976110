package main

// This file lists the ways a program is built and run, and compares the outcomes.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"pathspan/testdata/programs"
)

// variant is one build and the thread counts it runs with.
type variant struct {
	name    string
	clang   string // "-14" and so on, or "" for gcc
	full    string // the thread count that the long runs get too, or ""
	flags   []string
	threads []string
	openmp  bool
	compile bool // compile only: nothing to link with
	sane    bool // sanitizers turn signals into exits
	quiet   bool // must compile without a warning
}

var variants = []variant{
	{name: "gcc", flags: []string{"-O2", "-Wno-unknown-pragmas"}, threads: []string{"1"}, full: "1", quiet: true},
	{name: "gcc -O0", flags: []string{"-O0", "-w"}, threads: []string{"1"}},
	{name: "gcc -fopenmp", flags: []string{"-O2", "-fopenmp"}, threads: []string{"1", "2", "3", "8"}, full: "2", openmp: true, quiet: true},
	{name: "gcc sanitizers", flags: []string{"-O1", "-g", "-fopenmp", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"},
		threads: []string{"4"}, openmp: true, sane: true},
	{name: "clang-14", clang: "-14", flags: []string{"-O2", "-Wno-unknown-pragmas"}, threads: []string{"1"}, quiet: true},
	{name: "clang-14 -fopenmp", clang: "-14", flags: []string{"-O1", "-fopenmp"}, openmp: true, compile: true, quiet: true},
	{name: "clang-19 -fopenmp", clang: "-19", flags: []string{"-O1", "-fopenmp"}, openmp: true, compile: true, quiet: true},
}

type checker struct {
	root, scratch string
	program       *programs.Program
}

// check returns one line for each fault.
func (c *checker) check(update bool) []string {
	if err := os.MkdirAll(c.scratch, 0o755); err != nil {
		return []string{err.Error()}
	}
	var faults []string
	for i, v := range variants {
		if c.program.Has("openmp-only") && !v.openmp {
			continue
		}
		if v.sane && c.program.Expect.Signal != "" {
			continue
		}
		compiler := c.compiler(v)
		if _, err := exec.LookPath(compiler); err != nil {
			continue
		}
		binary := filepath.Join(c.scratch, fmt.Sprint(i))
		if err := c.build(compiler, v, binary); err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", v.name, err))
			continue
		}
		if v.compile {
			continue
		}
		for _, threads := range v.threads {
			for _, run := range c.runs(threads == v.full) {
				err := c.compare(binary, threads, run, update)
				if err != nil {
					faults = append(faults, fmt.Sprintf("%s, %s threads, arguments %q: %v", v.name, threads, run.Args, err))
				}
			}
			update = false // the first variant that runs is the reference
		}
	}
	return faults
}

// runs returns the short run and, where asked and different, the long one.
func (c *checker) runs(full bool) []programs.Run {
	if full && c.program.SmallWants != nil {
		return []programs.Run{c.program.Small(), c.program.Default()}
	}
	return []programs.Run{c.program.Small()}
}

func (c *checker) compiler(v variant) string {
	cxx := c.program.Language == "c++"
	switch {
	case v.clang != "" && cxx:
		return "clang++" + v.clang
	case v.clang != "":
		return "clang" + v.clang
	case cxx:
		return "g++"
	}
	return "gcc"
}

func (c *checker) build(compiler string, v variant, binary string) error {
	standard := "-std=gnu11"
	if c.program.Language == "c++" {
		standard = "-std=gnu++17"
	}
	arguments := append([]string{standard, "-Wall", "-Wextra"}, v.flags...)
	sources := make([]string, len(c.program.Sources))
	for i, path := range c.program.Paths(c.root) {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		sources[i] = absolute
	}
	arguments = append(arguments, sources...)
	if v.compile {
		arguments = append(arguments, "-c")
	} else {
		arguments = append(arguments, "-o", binary)
		for _, library := range c.program.Link {
			arguments = append(arguments, "-l"+library)
		}
	}
	command := exec.Command(compiler, arguments...)
	command.Dir = c.scratch
	output, err := command.CombinedOutput()
	if err == nil && v.quiet && len(output) > 0 {
		err = errors.New("warnings")
	}
	if err != nil {
		return fmt.Errorf("%v: %s", err, firstLines(output))
	}
	return nil
}

// compare runs the program once and holds it against the expectation.
func (c *checker) compare(binary, threads string, run programs.Run, update bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	absolute, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, absolute, run.Args...)
	command.Dir = c.scratch
	// Threads that spin while they wait are slow where processors are few.
	command.Env = append(os.Environ(), "OMP_NUM_THREADS="+threads, "OMP_WAIT_POLICY=passive")
	if run.Stdin != "" {
		input, err := os.Open(filepath.Join(c.root, run.Stdin))
		if err != nil {
			return err
		}
		defer input.Close()
		command.Stdin = input
	}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	status, ok := command.ProcessState.Sys().(syscall.WaitStatus)
	if !ok {
		return errors.New("no wait status on this system")
	}
	exit := status.ExitStatus()
	if status.Signaled() {
		exit = 128 + int(status.Signal())
	}
	if exit != run.Expect.Exit {
		return fmt.Errorf("exit status %d, expected %d: %s", exit, run.Expect.Exit, firstLines(stderr.Bytes()))
	}
	golden := filepath.Join(c.root, run.Expect.Stdout)
	if update {
		return os.WriteFile(golden, stdout.Bytes(), 0o644)
	}
	expected, err := os.ReadFile(golden)
	if err != nil {
		return err
	}
	if !bytes.Equal(stdout.Bytes(), expected) {
		return fmt.Errorf("output differs from %s: %s", golden, firstLines(stdout.Bytes()))
	}
	return nil
}

func firstLines(output []byte) string {
	lines := strings.SplitN(strings.TrimSpace(string(output)), "\n", 6)
	if len(lines) > 5 {
		lines = lines[:5]
	}
	return strings.Join(lines, " | ")
}
