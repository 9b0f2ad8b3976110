package mca

// This file finds the name under which each LLVM knows this machine's processor.

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	machine "golang.org/x/sys/cpu"

	"pathspan/build/toolchain"
)

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
