package mca

// This file finds llc and llvm-mca, asks them whether they know a processor, and finds the
// name under which each LLVM knows this machine's.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	machine "golang.org/x/sys/cpu"

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

// standIn is what the tools of one LLVM compile and time for where cpu=host was asked for.
type standIn struct {
	name string
	note string // says that it is not the processor itself and why, "" where it is
	err  error  // the tools know nothing that could stand in
}

// standIns finds one for each of the tools, by their version. A compiler knows no processor that is younger
// than itself, so each llc is asked for itself. Where its answer is none that llvm-mca has
// a schedule for, the first stands in that it has one for: what other LLVMs call the
// processor, newest first, and the predecessors of that; at last the least that the
// architecture promises.
func standIns(ctx context.Context, all []*tools, c cpu, dir string) (map[int]standIn, error) {
	names := map[*tools]string{}
	var others []string
	for _, t := range all { // newest first
		name, _, err := t.host(ctx)
		if err != nil {
			return nil, err
		}
		names[t] = name
		others = append(others, withPredecessors(name)...)
	}
	others = append(others, leastOf(c.triple))
	out := map[int]standIn{}
	for _, t := range all {
		out[t.version] = t.standIn(ctx, names[t], others, c, dir)
	}
	return out, nil
}

// standIn takes the first that the tools have a schedule for: their own name for the
// processor, its predecessors, the names that other LLVMs have for it.
func (t *tools) standIn(ctx context.Context, own string, others []string, c cpu, dir string) standIn {
	unknown := "no LLVM that is installed knows this machine's processor"
	if len(others) > 1 {
		unknown = fmt.Sprintf("LLVM %s has no schedule for this machine's processor, %s", t.full, others[0])
	}
	var failure error
	candidates := append(withPredecessors(own), others...)
	for i, name := range candidates {
		if slices.Contains(candidates[:i], name) {
			continue
		}
		c.name = name
		if err := t.check(ctx, c, dir); err != nil {
			failure = err
			continue
		}
		if name == own {
			return standIn{name: name}
		}
		return standIn{name: name, note: fmt.Sprintf("%s; %s stands in for it", unknown, name)}
	}
	return standIn{err: fmt.Errorf("cpu=host: %s; name the nearest that it has one for (%w)", unknown, failure)}
}

// withPredecessors lists a processor and those of the table that came before it.
func withPredecessors(name string) []string {
	var all []string
	for ; name != ""; name = knownPredecessors[name] {
		all = append(all, name)
	}
	return all
}

// leastOf is what any compiler knows of this machine's processor.
func leastOf(triple string) string {
	if !strings.HasPrefix(triple, "x86_64") {
		return "generic"
	}
	// The levels of the x86-64 psABI, as far as one feature of each tells them.
	switch x := machine.X86; {
	case x.HasAVX512BW && x.HasAVX512VL:
		return "x86-64-v4"
	case x.HasAVX2 && x.HasBMI2 && x.HasFMA:
		return "x86-64-v3"
	case x.HasSSE42 && x.HasPOPCNT:
		return "x86-64-v2"
	}
	return "x86-64"
}

// host asks llc for this machine's processor, "" when it does not know it.
func (t *tools) host(ctx context.Context) (name, triple string, err error) {
	var out bytes.Buffer
	if _, err := t.run(ctx, toolchain.Cmd{Path: t.llc, Args: []string{"--version"}, Stdout: &out}); err != nil {
		return "", "", err
	}
	for _, line := range strings.Split(out.String(), "\n") {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "Host CPU":
			name = value
		case "Default target":
			triple = value
		}
	}
	if triple == "" {
		return "", "", fmt.Errorf("cpu=host: llc %s does not say what it compiles for; name a processor and its triple", t.full)
	}
	if name == "generic" || name == "(unknown)" {
		name = ""
	}
	return name, triple, nil
}
