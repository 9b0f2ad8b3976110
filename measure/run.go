package measure

// This file runs the programs in turn and compares what they print.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"pathspan/build/record"
)

// Plan says what to run.
type Plan struct {
	Recorder        *record.Recorder
	Plain, Parallel string // executables of Recorder.Plain and Recorder.Parallel
	Args            []string
	Input           []byte // standard input of every run
	Repeat          int    // runs of each
	Mappings        []Mapping
	// Stdout and Stderr get what the first sequential run prints; nil drops it.
	Stdout, Stderr io.Writer
	// Progress, when given, is called before each run with what was done and what there
	// is to do.
	Progress func(done, all int)
}

// Result holds the times of all runs.
type Result struct {
	// OneThread says that the sequential runs are those of the parallel program on one
	// thread, since clauses such as private make it compute something else than the
	// plain build.
	OneThread  bool
	Sequential Times
	Parallel   []Times // by mapping
}

// ErrDiffers is returned when a run prints something else than the first.
var ErrDiffers = errors.New("the program does not do the same")

// outcome is what a run showed.
type outcome struct {
	sum    [sha256.Size]byte
	size   int64
	status record.Status
}

// counter hashes and counts what passes.
type counter struct {
	hash.Hash
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.Hash.Write(p)
}

// Run times the program. One round that is not counted comes first: it warms the
// machine up and shows whether all runs print the same.
func (p *Plan) Run(ctx context.Context) (*Result, error) {
	var files []string
	for i := range p.Mappings {
		if p.Mappings[i].Threads > 0 {
			files = append(files, "")
			continue
		}
		path := filepath.Join(p.Recorder.Dir, fmt.Sprintf("mapping-%d", i))
		if err := os.WriteFile(path, []byte(p.Mappings[i].Text()), 0o644); err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	res := &Result{Parallel: make([]Times, len(files))}
	all := (p.Repeat + 1) * (len(files) + 1)
	done := 0
	step := func() {
		if p.Progress != nil {
			p.Progress(done, all)
		}
		done++
	}
	sequential, env, err := p.reference(ctx, res, files)
	if err != nil {
		return nil, err
	}
	var want outcome
	for round := range p.Repeat + 1 {
		step()
		first := round == 0
		t, got, err := p.once(ctx, sequential, first, env...)
		if err != nil {
			return nil, fmt.Errorf("sequential run: %w", err)
		}
		if first {
			want = got
		} else {
			res.Sequential = append(res.Sequential, t)
		}
		if err := same(want, got, "a second sequential run"); err != nil {
			return nil, err
		}
		for i, file := range files {
			step()
			t, got, err := p.once(ctx, p.Parallel, false, p.Mappings[i].environment(file)...)
			if err != nil {
				return nil, fmt.Errorf("parallel run under %s: %w", p.Mappings[i].Name, err)
			}
			if err := same(want, got, "the parallel run under "+p.Mappings[i].Name); err != nil {
				return nil, err
			}
			if !first {
				res.Parallel[i] = append(res.Parallel[i], t)
			}
		}
	}
	return res, nil
}

// reference chooses the sequential program: the plain build, unless the parallel one
// computes something else, and that on one thread too.
func (p *Plan) reference(ctx context.Context, res *Result, files []string) (exe string, env []string, err error) {
	if len(files) == 0 {
		return p.Plain, nil, nil
	}
	_, plain, err := p.once(ctx, p.Plain, false)
	if err != nil {
		return "", nil, fmt.Errorf("sequential run: %w", err)
	}
	// Without a mapping all sections run on one thread, in the order of the source.
	if p.Mappings[0].Threads > 0 {
		env = (&Mapping{Threads: 1}).environment("")
	}
	_, alone, err := p.once(ctx, p.Parallel, false, env...)
	if err != nil {
		return "", nil, fmt.Errorf("parallel program on one thread: %w", err)
	}
	if plain == alone {
		return p.Plain, nil, nil
	}
	_, again, err := p.once(ctx, p.Plain, false)
	if err != nil {
		return "", nil, fmt.Errorf("sequential run: %w", err)
	}
	if err := same(plain, again, "a second sequential run"); err != nil {
		return "", nil, err
	}
	res.OneThread = true
	return p.Parallel, env, nil
}

// once runs an executable; shown passes on what it prints.
func (p *Plan) once(ctx context.Context, exe string, shown bool, env ...string) (record.Time, outcome, error) {
	sum := &counter{Hash: sha256.New()}
	streams := record.Streams{Stdin: bytes.NewReader(p.Input), Stdout: io.Writer(sum), Stderr: io.Discard}
	if shown && p.Stdout != nil {
		streams.Stdout = io.MultiWriter(sum, p.Stdout)
	}
	if shown && p.Stderr != nil {
		streams.Stderr = p.Stderr
	}
	t, status, err := p.Recorder.Timed(ctx, exe, p.Args, streams, env...)
	out := outcome{size: sum.n, status: status}
	sum.Sum(out.sum[:0])
	return t, out, err
}

// same compares a run with the first sequential one.
func same(want, got outcome, what string) error {
	switch {
	case want.status != got.status:
		return fmt.Errorf("%w: the sequential run %s, %s %s", ErrDiffers, want.status, what, got.status)
	case want.sum != got.sum:
		return fmt.Errorf("%w: %s prints something else than the first sequential run (%d bytes, %d there); are its sections and iterations independent of each other, and of time and addresses?", ErrDiffers, what, got.size, want.size)
	}
	return nil
}
