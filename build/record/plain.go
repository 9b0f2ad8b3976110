package record

// This file builds the programs that are timed: the plain sequential one, and the
// parallel one whose sections and loops run where a mapping says.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pathspan/build/openmp"
	"pathspan/build/toolchain"
)

// Plain builds the sequential program as a compiler that knows no OpenMP builds it, at
// the level of b, without vectors unless b has them. Sources that are LLVM assembly or
// bitcode hold OpenMP's calls already: then the costed module without probes is built
// instead.
func (r *Recorder) Plain(ctx context.Context, b *Built) (string, error) {
	exe, err := r.timed("plain", b)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(b.Options.Sources, func(s string) bool { return !isSource(s) }) {
		return exe, r.Baseline(ctx, b, exe)
	}
	include, err := r.include()
	if err != nil {
		return "", err
	}
	args := []string{"-S", "-o", r.path("8-plain.ll")}
	for i, src := range b.Options.Sources {
		out := r.path(fmt.Sprintf("8-%d-plain.ll", i))
		if _, err := r.Toolchain.Compile(ctx, toolchain.Compile{Source: src, Output: out, Level: b.Options.Level,
			IncludeAfter: include, Extra: append([]string{"-Wno-unknown-pragmas", "-Wno-source-uses-openmp"}, b.Options.CFlags...)}); err != nil {
			return "", err
		}
		args = append(args, out)
	}
	if _, err := r.Toolchain.Run(ctx, toolchain.Cmd{Path: r.Toolchain.Link, Args: args}); err != nil {
		return "", err
	}
	return exe, r.linkAt(ctx, b.unrecorded(), b.Options.Level, "default<O"+b.Options.Level+">", nil, "8-plain.ll", exe, "openmp.c", "tasks.c", "serial.c", "clock.c", "ends.c")
}

// Parallel builds the program as OpenMP builds it, with the run-time library that
// takes the mapping from the file that PATHSPAN_MAPPING names. Its regions are those
// of b. A program that makes tasks is linked with LLVM's OpenMP library instead.
func (r *Recorder) Parallel(ctx context.Context, b *Built) (string, error) {
	exe, err := r.timed("parallel", b)
	if err != nil {
		return "", err
	}
	m, err := r.named(ctx, b)
	if err != nil {
		return "", err
	}
	if b.Program.HasTasks() {
		if err := r.linkAt(ctx, b.unrecorded(), b.Options.Level, "default<O"+b.Options.Level+">", []string{"-fopenmp"}, "1-linked.ll", exe, "libomp.c", "clock.c", "ends.c"); err != nil {
			return "", fmt.Errorf("tasks run in LLVM's OpenMP library, which is libomp-%d-dev of Debian: %w", r.Toolchain.Version, err)
		}
		return exe, nil
	}
	regions, err := openmp.Parallel(m)
	if err != nil {
		return "", err
	}
	if len(regions) != len(b.Program.Regions) {
		return "", fmt.Errorf("the parallel program has %d regions with sections, the profiled one %d", len(regions), len(b.Program.Regions))
	}
	if err := r.write("9-parallel.ll", m.Bytes()); err != nil {
		return "", err
	}
	return exe, r.linkAt(ctx, b.unrecorded(), b.Options.Level, "default<O"+b.Options.Level+">", nil, "9-parallel.ll", exe, "openmp.c", "tasks.c", "team.c", "loops.c", "clock.c", "ends.c")
}

func isSource(path string) bool {
	ext := filepath.Ext(path)
	return ext != ".ll" && ext != ".bc"
}

// unrecorded is a program as it is linked to be timed: what records memory lies at fixed addresses.
func (b *Built) unrecorded() *Built {
	to := *b
	to.Options.Memory = false
	return &to
}

// timed returns the path of an executable of its own folder, under the program's name.
func (r *Recorder) timed(folder string, b *Built) (string, error) {
	return filepath.Join(r.path(folder), b.name()), os.MkdirAll(r.path(folder), 0o755)
}

// Time is how long a run took.
type Time struct {
	Elapsed time.Duration // from the program's start to its end, without loading it
	Used    time.Duration // of all processors together
}

// ErrNoTime is returned when a program ended without telling how long it ran.
var ErrNoTime = errors.New("the program did not tell how long it ran")

// Timed runs an executable of Plain or Parallel; env, of the form NAME=value, may name
// its mapping.
func (r *Recorder) Timed(ctx context.Context, exe string, args []string, streams Streams, env ...string) (Time, Status, error) {
	var t Time
	status, err := r.follow(ctx, exe, args, streams, func(clock io.Reader) error {
		var v [2]uint64
		if err := binary.Read(clock, binary.LittleEndian, &v); err != nil {
			return ErrNoTime
		}
		t = Time{time.Duration(v[0]), time.Duration(v[1])}
		return nil
	}, append([]string{"PATHSPAN_CLOCK=3"}, env...))
	if errors.Is(err, ErrNoTime) {
		err = fmt.Errorf("%w: %s %s", ErrNoTime, strings.TrimPrefix(filepath.Base(exe), "run-"), status)
	}
	return t, status, err
}
