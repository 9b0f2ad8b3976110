package record

// This file builds a program of modules that a drop-in compiler collected, and links it
// as the command line of the build says.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pathspan/build"
	"pathspan/build/plan"
	"pathspan/build/toolchain"
	"pathspan/profile"
	"pathspan/scratch"
)

// Link is a link that a build asked for. Its program is linked of Modules, and the
// driver gets Args behind the program's object.
type Link struct {
	Modules []string         // bitcode, by name in [Recorder.Dir], in the order of the link
	Sources []profile.Source // that the modules were made of
	Notes   []string         // for the bundle
	Foreign []profile.Foreign
	Plan    *profile.Plan // that the sources were marked by; nil for none
	Marked  []plan.Marked
	LTO     bool     // the modules are optimised as one
	CXX     bool     // the driver is clang++
	Args    []string // all of the link but the output
	Output  string
}

// takeModules takes the modules of the link as those of the program.
func (r *Recorder) takeModules(b *Built) {
	l := b.Options.Link
	b.sources, b.cxx, b.plan, b.marked = l.Sources, l.CXX, l.Plan, l.Marked
	for i, m := range l.Modules {
		b.modules = append(b.modules, module{file: m, brought: !isSource(l.Sources[i].Name)})
	}
	b.Notes = append(b.Notes, l.Notes...)
}

// codeArgs are clang's arguments for making code of a module that is optimised.
func codeArgs(level string) []string {
	return append([]string{"-O" + level, "-Wno-override-module", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-llvm-verifier", "-ffunction-sections", "-fdata-sections"},
		toolchain.RotateLoops...)
}

// code makes an object of an optimised module.
func (r *Recorder) code(ctx context.Context, args []string, module, object string) error {
	return r.tool(ctx, r.Toolchain.Clang, append(args, "-c", "-x", "ir", module, "-o", object), object, module)
}

// linkAsAsked links the program's objects by the link's arguments, which bring OpenMP's
// run-time library along.
func (r *Recorder) linkAsAsked(ctx context.Context, b *Built, objects, runtime []string) error {
	l := b.Options.Link
	args := append(slices.Clone(objects), runtime...)
	args = append(append(args, b.objects...), l.Args...)
	args = append(args, "-o", l.Output, "-lm", "-lpthread", "-ldl", "-Qunused-arguments")
	driver := r.Toolchain.Clang
	if l.CXX {
		driver = r.Toolchain.ClangXX
	}
	_, err := r.Toolchain.Run(ctx, toolchain.Cmd{Path: driver, Args: args})
	return err
}

// Headers returns a folder with the headers of the run-time libraries that stays: build
// systems remember the headers that a source includes.
func (r *Recorder) Headers() (string, error) {
	text, err := build.Library.ReadFile("runtime/include/omp.h")
	if err != nil {
		return "", err
	}
	dir, err := cacheFolder("include", text)
	if err != nil {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("pathspan-include-%d", os.Getuid()))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", err
		}
	}
	header := filepath.Join(dir, "omp.h")
	if have, err := os.ReadFile(header); err == nil && string(have) == string(text) {
		return dir, nil
	}
	return dir, scratch.PlaceBytes(header, 0o600, text)
}
