package doctor

// This file profiles a small program from its source to an estimate.

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/scratch"
)

// selfTestProgram has two sections of equal work and prints what they computed.
//
//go:embed selftest/selftest.c
var selfTestProgram string

const selfTestPrints = "1997000 1997000\n"

// selfTest holds that the whole way works: compiler, probes, linker, a run, the bundle,
// and an estimate close to the ideal of two processors.
func (r *Report) selfTest(ctx context.Context, clang string) {
	begin := time.Now()
	speedup, err := profileSelf(ctx, clang)
	if err != nil {
		text := err.Error()
		if first, _, more := strings.Cut(text, "\n"); more {
			text = first
		}
		r.add(Finding{Group: "self test", State: Missing, Text: "a small program cannot be profiled: " + text})
		return
	}
	r.add(Finding{Group: "self test", State: OK, Text: fmt.Sprintf("a small program was compiled, run and estimated in %.1f s: speed-up %.2f on 2 processors", time.Since(begin).Seconds(), speedup)})
}

func profileSelf(ctx context.Context, clang string) (speedup float64, err error) {
	tc, err := toolchain.Find(clang)
	if err != nil {
		return 0, err
	}
	dir, err := scratch.Folder("pathspan-doctor-")
	if err != nil {
		return 0, err
	}
	defer scratch.Remove(dir)
	source := filepath.Join(dir, "selftest.c")
	if err := os.WriteFile(source, []byte(selfTestProgram), 0o600); err != nil {
		return 0, err
	}
	rec := &record.Recorder{Toolchain: tc, Dir: dir}
	built, err := rec.Build(ctx, record.Options{Sources: []string{source}, Level: "2"})
	if err != nil {
		return 0, err
	}
	var out, errors bytes.Buffer
	bundle, status, err := rec.Run(ctx, built, nil, record.Streams{Stdout: &out, Stderr: &errors})
	switch {
	case err != nil:
		return 0, err
	case status != record.Status{} || out.String() != selfTestPrints:
		return 0, fmt.Errorf("it %s and printed %q, %q", status, out.String(), errors.String())
	}
	pl := mapping.Homogeneous(2, "")
	e, err := estimate.OpenOn(bundle, pl, "")
	if err != nil {
		return 0, err
	}
	res, err := e.Estimate(mapping.Default(pl, bundle.Program), estimate.PathBased)
	if err != nil {
		return 0, err
	}
	if math.Abs(res.Speedup-2) > 0.2 {
		return 0, fmt.Errorf("its speed-up on 2 processors is %.2f, want about 2", res.Speedup)
	}
	return res.Speedup, nil
}
