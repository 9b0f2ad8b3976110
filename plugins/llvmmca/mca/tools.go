package mca

// This file finds llc and llvm-mca, and asks them whether they know a processor.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"pathspan/build/toolchain"
)

// tools are the llc and llvm-mca of one LLVM.
type tools struct {
	version int
	full    string // "19.1.7"
	llc     string
	mca     string
	run     func(context.Context, toolchain.Cmd) (string, error)
}

var fullVersion = regexp.MustCompile(`\d+\.\d+\.\d+`)

// installed returns the tools of every supported LLVM that has both, newest first.
func installed() []*tools {
	var out []*tools
	for _, tc := range toolchain.All() {
		t := &tools{version: tc.Version, full: strconv.Itoa(tc.Version), run: tc.Run,
			llc: tc.Companion("llc"), mca: tc.Companion("llvm-mca")}
		if full := fullVersion.FindString(tc.Full); full != "" {
			t.full = full
		}
		if t.llc != "" && t.mca != "" {
			out = append(out, t)
		}
	}
	return out
}

// choose picks the tools for a module of a version (0 when it does not say): the same
// version, else the nearest newer one that still reads its pointers, else the newest.
func choose(all []*tools, version int, typedPointers bool) *tools {
	best := all[0]
	for _, t := range all { // newest first
		if t.version >= version && (!typedPointers || t.version <= lastTypedPointers) {
			best = t
			if version == 0 {
				break
			}
		}
	}
	return best
}

// lastTypedPointers is the last LLVM that reads i32* in text.
const lastTypedPointers = 16

// pick returns the tools of the version asked for.
func pick(all []*tools, version int) (*tools, error) {
	var have []string
	for _, t := range all {
		if t.version == version {
			return t, nil
		}
		have = append(have, strconv.Itoa(t.version))
	}
	return nil, fmt.Errorf("llvm=%d: llc and llvm-mca of this version are not installed; there are those of LLVM %s",
		version, strings.Join(have, ", "))
}

// check reports a processor or features that these tools do not know or have no
// schedule for.
func (t *tools) check(ctx context.Context, c cpu, dir string) error {
	probe := filepath.Join(dir, "probe.s")
	if err := os.WriteFile(probe, []byte("\tnop\n"), 0o600); err != nil {
		return err
	}
	stderr, err := t.run(ctx, toolchain.Cmd{Path: t.mca, Args: append(c.args(), "-iterations=1", probe)})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, line := range strings.Split(stderr, "\n") {
		switch {
		case strings.Contains(line, "is not a recognized processor"):
			return fmt.Errorf("cpu=%s: LLVM %s does not know it for triple %s; `llc -mtriple=%s -mcpu=help` lists those it knows",
				c.name, t.full, c.triple, c.triple)
		case strings.Contains(line, "is not a recognized feature"):
			return fmt.Errorf("features=%s: LLVM %s: %s", c.features, t.full, strings.TrimSpace(line))
		case strings.Contains(line, "unable to find instruction-level scheduling"):
			return fmt.Errorf("cpu=%s: LLVM %s has no schedule for it (triple %s); take the nearest processor that has one",
				c.name, t.full, c.triple)
		case strings.Contains(line, "unable to get target") || strings.Contains(line, "No available targets") || strings.Contains(line, "nvalid target"):
			return fmt.Errorf("triple=%s: LLVM %s does not know it", c.triple, t.full)
		}
	}
	if err != nil && !strings.Contains(stderr, "unsupported instruction") {
		return fmt.Errorf("cpu=%s, triple %s: %w", c.name, c.triple, err)
	}
	return nil
}

// args tells a tool what to work for.
func (c cpu) args() []string {
	args := []string{"-mtriple=" + c.triple, "-mcpu=" + c.name}
	if c.features != "" {
		args = append(args, "-mattr="+c.features)
	}
	return args
}
