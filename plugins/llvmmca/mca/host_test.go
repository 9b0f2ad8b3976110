package mca

// This file tests cpu=host on processors that some or all of the LLVMs do not know. What
// llc says of this machine is replaced; all else is asked of the real tools.

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/procmodels/sdk"
)

// saying returns the tools, whose llc calls this machine's processor what says has for
// their version.
func saying(t *testing.T, says map[int]string) []*tools {
	t.Helper()
	var all []*tools
	for _, tl := range installed() {
		name, ok := says[tl.version]
		if !ok {
			continue
		}
		said := *tl
		said.run = func(ctx context.Context, c toolchain.Cmd) (string, error) {
			if len(c.Args) == 1 && c.Args[0] == "--version" {
				_, err := fmt.Fprintf(c.Stdout, "  LLVM version %s\n  Default target: x86_64-pc-linux-gnu\n  Host CPU: %s\n", said.full, name)
				return "", err
			}
			return tl.run(ctx, c)
		}
		all = append(all, &said)
	}
	if len(all) != len(says) {
		t.Skipf("llc and llvm-mca of LLVM 14 and 19 are not both installed")
	}
	return all
}

func TestHostOfAnOlderLLVM(t *testing.T) {
	for _, c := range []struct {
		name   string
		says   map[int]string // by version
		want14 string         // what LLVM 14 works for
		want19 string
		note14 string
	}{
		{name: "known to both", says: map[int]string{14: "skylake", 19: "skylake"}, want14: "skylake", want19: "skylake"},
		{name: "named otherwise", says: map[int]string{14: "skylake-avx512", 19: "sapphirerapids"}, want14: "skylake-avx512", want19: "sapphirerapids"},
		{name: "unknown to the older", says: map[int]string{14: "(unknown)", 19: "znver4"}, want14: "znver3", want19: "znver4",
			note14: "no schedule for this machine's processor, znver4; znver3 stands in for it"},
		{name: "two steps", says: map[int]string{14: "generic", 19: "znver5"}, want14: "znver3", want19: "znver5",
			note14: "no schedule for this machine's processor, znver5; znver3 stands in for it"},
		{name: "without a predecessor", says: map[int]string{14: "generic", 19: "lunarlake"}, want14: leastOf("x86_64-pc-linux-gnu"), want19: "lunarlake",
			note14: "no schedule for this machine's processor, lunarlake; x86-64"},
		{name: "unknown to both", says: map[int]string{14: "generic", 19: "(unknown)"}, want14: leastOf("x86_64-pc-linux-gnu"), want19: leastOf("x86_64-pc-linux-gnu"),
			note14: "no LLVM that is installed knows this machine's processor; x86-64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := saying(t, c.says)
			o, err := readOptions(sdk.NewParameters(map[string]string{"cpu": "host"}))
			if err != nil {
				t.Fatal(err)
			}
			m, err := openWith(o, all)
			if err != nil {
				t.Fatal(err)
			}
			newer, older := all[0], all[1]
			for tl, want := range map[*tools]string{newer: c.want19, older: c.want14} {
				if got, err := m.cpuFor(tl); err != nil || got.name != want {
					t.Errorf("LLVM %s works for %s (%v), want %s", tl.full, got.name, err, want)
				}
			}
			if got := m.stands[older.version].note; !strings.Contains(got, c.note14) || (got == "") != (c.note14 == "") {
				t.Errorf("note %q, want one with %q", got, c.note14)
			}
			d := m.Describe()
			if !strings.HasSuffix(d.Name, " "+c.want19) || !strings.Contains(d.Notes, m.stands[older.version].note) {
				t.Errorf("described as %q, notes %q", d.Name, d.Notes)
			}
			if c.want14 != c.want19 && !strings.Contains(d.Version, older.full+" for "+c.want14) {
				t.Errorf("version %q lacks what LLVM %s works for", d.Version, older.full)
			}
			// A module of clang 14 is compiled by it, for what it knows, and that is said.
			s := costed(t, 14, "susan/susan.c")
			costs := price(t, m, s)
			if len(costs.Reasons) > 0 && strings.Contains(reasonsOf(costs), "no machine code") {
				t.Errorf("functions were refused:\n%s", reasonsOf(costs))
			}
			warned := strings.Contains(strings.Join(costs.Warnings, "\n"), "cpu=host: ")
			if warned != (c.note14 != "") {
				t.Errorf("warnings %q", costs.Warnings)
			}
		})
	}
}

// TestHostByNobody holds that an LLVM without anything that could stand in says so.
func TestHostByNobody(t *testing.T) {
	all := saying(t, map[int]string{14: "generic", 19: "generic"})
	o, err := readOptions(sdk.NewParameters(map[string]string{"cpu": "host", "triple": "riscv64-linux-gnu"}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = openWith(o, all)
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "cpu=host: no LLVM that is installed knows this machine's processor; name the nearest that it has one for (") {
		t.Errorf("got %v", err)
	}
}

func TestPredecessorsEnd(t *testing.T) {
	for name := range knownPredecessors {
		seen := map[string]bool{}
		for p := name; p != ""; p = knownPredecessors[p] {
			if seen[p] {
				t.Fatalf("%s comes before itself", p)
			}
			seen[p] = true
		}
	}
}
