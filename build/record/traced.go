package record

// This file runs a program under the emulator, which tells of each block of machine code.

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
)

// Static links the costed module of b without probes, with its libraries in it and its relocations
// kept, for [Recorder.Traced].
func (r *Recorder) Static(ctx context.Context, b *Built) (string, error) {
	exe, err := r.timed("static", b)
	if err != nil {
		return "", err
	}
	whole := *b
	whole.Options.CFlags = append(slices.Clone(b.Options.CFlags), "-static", "-Wl,--emit-relocs")
	if err := r.Baseline(ctx, &whole, exe); err != nil {
		return "", fmt.Errorf("%s with its libraries in it: %w", filepath.Base(exe), err)
	}
	return exe, nil
}

// Traced runs an executable for another machine while follow reads what the emulator logs: what
// code there is, and which of it runs.
func (r *Recorder) Traced(ctx context.Context, exe string, args []string, streams Streams, follow func(log io.Reader) error) (Status, error) {
	return r.follow(ctx, exe, args, streams, follow, []string{"QEMU_LOG=in_asm,exec,nochain", "QEMU_LOG_FILENAME=/proc/self/fd/3"})
}
