// Package bench holds the benchmarks that estimates are validated on: fourteen
// entries after the paper's Table 4 and eight of our own whose sections are
// correlated in ways that are hard to estimate. They are part of the binary.
//
//	list, err := bench.Load()
//	for _, p := range list {
//		sources, err := p.Unpack(dir)  // to compile with p.CFlags and p.Libs
//		args := p.Args(bench.Small)    // of a run
//		want, err := p.Expected(bench.Small)
//	}
//
// The package builds and runs nothing, and estimates nothing; README.md describes the
// programs.
package bench

// This file declares the programs and hands out their files.

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pathspan/build/plan"
)

//go:embed bench.yaml paper own
var embedded embed.FS

// Group says where a benchmark comes from.
type Group string

// The groups.
const (
	Paper Group = "paper" // an entry of the paper's Table 4
	Own   Group = "own"   // one of ours, with a correlation that is hard
	Given Group = "given" // a program that is in no index
)

// Half says what figures of a simulator or board about a program may be used for. Which
// program is in which was fixed before anything was measured, and programs that share code
// are in the same one.
type Half string

// The halves.
const (
	Making  Half = "making"  // models may be made with them
	Judging Half = "judging" // models are judged by them, and by nothing else
)

// Size is one of the inputs of every program.
type Size string

// The sizes. A large run does about ten times the work of a small one, which takes a
// few hundredths of a second to three tenths at -O2 on a machine of today. A tiny one
// executes 10 to 60 million instructions at -O2: as much as a simulator of the machine takes.
const (
	Tiny  Size = "tiny"
	Small Size = "small"
	Large Size = "large"
)

// Sizes lists them, ascending.
func Sizes() []Size { return []Size{Tiny, Small, Large} }

// Program is one entry of the index.
type Program struct {
	Name   string // unique; letters, digits and underscores
	Title  string
	Group  Group
	Half   Half       // "" where the index says nothing
	Files  []string   // sources, relative to the index
	CFlags []string   // for the compiler, beside the level and -fopenmp
	Libs   []string   // libraries to link, without -l
	Plan   *plan.Plan // of a program of the user's; nil for none
	// Regions holds the number of sections of each parallel region, in the order of the
	// source.
	Regions []int
	// Correlated says that the times of sections that run side by side depend on each
	// other from execution to execution.
	Correlated bool
	// Lost names the approximations of the path-based technique that lose a part of the
	// correlation (seeds of error in section 5.3 of the paper): Loops, Callees.
	Lost   []string
	Table4 *Table4 // the paper's figures; nil for our own programs
	Notes  string

	args     map[Size][]string
	expected map[Size]string // files
	files    fs.FS           // nil where Files are paths
}

// Of returns a program that is in no index: its sources, flags and arguments. What its runs
// must print is not known.
func Of(sources, cflags, arguments []string) *Program {
	name := strings.TrimSuffix(filepath.Base(sources[0]), filepath.Ext(sources[0]))
	return &Program{Name: name, Title: name, Group: Given, Files: sources, CFlags: cflags, args: map[Size][]string{Small: arguments, Large: arguments}}
}

// The approximations that Program.Lost names.
const (
	Loops   = "loops"   // a nested loop costs its mean trip count times its mean iteration
	Callees = "callees" // a called function costs its mean over all calls
)

// Table4 is a row of Table 4 of the paper: facts about the program that was used
// there, which is not ours.
type Table4 struct {
	Name                               string
	Lines, Functions, Loops, Depth, If int
	Regions, Tasks                     int
}

// Has reports whether there is an input of that size; tiny is not asked of every index.
func (p *Program) Has(size Size) bool { _, ok := p.args[size]; return ok }

// Args returns the arguments of a run.
func (p *Program) Args(size Size) []string { return p.args[size] }

// Expected returns what a run must print, nil where that is not known. Its exit status must
// be 0.
func (p *Program) Expected(size Size) ([]byte, error) {
	if p.files == nil {
		return nil, nil
	}
	return fs.ReadFile(p.files, p.expected[size])
}

// Unpack writes the sources into a folder, which must exist, and returns their paths
// in the order of Files. Programs that share a source write the same file. Sources of a
// program in no index stay where they are.
func (p *Program) Unpack(dir string) ([]string, error) {
	if p.files == nil {
		return p.Files, nil
	}
	var paths []string
	for _, name := range p.Files {
		data, err := fs.ReadFile(p.files, name)
		if err != nil {
			return nil, err
		}
		target := filepath.Join(dir, path.Base(name))
		if err := os.WriteFile(target, data, 0o644); err != nil {
			return nil, err
		}
		paths = append(paths, target)
	}
	return paths, nil
}

// Load returns the programs that are part of this binary, in the order of the index.
func Load() ([]*Program, error) { return Read(embedded) }
