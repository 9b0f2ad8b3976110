package main

// This file holds every command to saying what a profile leaves out.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/profile"
)

func testOmissions(t *testing.T, dir string, at func(string) string) {
	data, err := os.ReadFile(at("sizes"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := profile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	none := func(fn, block, index int) (accesses, atomic bool) { return false, false }
	b.Memory, _ = memory.Of(b.Program, flow.Graphs(b.Program), none)
	b.Memory.Objects = make([]memory.Object, 1)
	b.Memory.Objects[0].Func, b.Memory.Objects[0].Place = -1, -1
	b.Lost = []profile.Lost{{Func: b.Program.Func("main").Index, Activations: 4321}}
	b.Provenance.Foreign = []profile.Foreign{{Name: "libforeign.a", Bytes: 5, Of: 50, Why: "it is no bitcode"}}
	for line := 3; line < 9; line++ {
		b.Notes = append(b.Notes, ir.Unmodelled{Place: fmt.Sprintf("sizes.c:%d", line), Construct: "parallel for", Done: "run sequentially, " + ir.CountedAround}.String())
	}
	b.Notes = append(b.Notes, "nobody knows the weather")
	incomplete := filepath.Join(dir, "omissions.pspan")
	if err := writeBundle(b, incomplete); err != nil {
		t.Fatal(err)
	}
	from := func(string) string { return incomplete }
	c := newCell(t, dir, from, "sizes", "more", "pipeline:sifive-u74", 0, 2, false, "pb")
	known, err := c.ask(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range bundleCommands {
		if strings.HasPrefix(name, "explain") || name == "estimate verify" {
			continue // beside what estimate prints
		}
		o, err := c.run(from, name, known)
		if err != nil || o.status != 0 {
			t.Errorf("%s: %v: %s", name, err, o.stderr)
			continue
		}
		notes := []string{"4,321 activations of main", "not profiled: libforeign.a", "parallel for at sizes.c:3, ", "nobody knows the weather"}
		if !slices.Contains([]string{"graph", "inspect", "comm", "races"}, name) { // these have no times
			notes = append(notes, "model sifive-u74 is of programs of riscv64; this is one of "+b.Program.Machine())
		}
		for _, want := range notes {
			said := scripts.ReplaceAllString(o.stdout, "") + o.stderr
			if name == "inspect" {
				want = strings.Replace(want, "parallel for at sizes.c:3, ", "sizes.c:3: parallel for: ", 1) // it lists all places
			}
			// Diff is given the bundle twice, and graph is run for each kind and format.
			n, several := strings.Count(said, want), strings.HasPrefix(name, "diff") || name == "graph"
			if n == 0 || n > 1 && !several {
				t.Errorf("%s says %q %d times:\n%s", name, want, n, firstBytes(said, 1000))
			}
		}
	}
	if data, err = os.ReadFile(filepath.Join("testdata", "flow.pspan")); err != nil {
		t.Fatal(err)
	}
	flows, err := profile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	flows.Provenance.Foreign, flows.Notes = b.Provenance.Foreign, b.Notes
	file := filepath.Join(dir, "omissions-flow.pspan")
	if err := writeBundle(flows, file); err != nil {
		t.Fatal(err)
	}
	said := succeed(t, "flow", file, "--model", "pipeline:sifive-u74")
	for _, want := range []string{"not profiled: libforeign.a", "parallel for at sizes.c:3, ", "nobody knows the weather", "model sifive-u74 is of programs of riscv64"} {
		if strings.Count(said, want) != 1 {
			t.Errorf("flow says %q %d times:\n%s", want, strings.Count(said, want), said)
		}
	}
	b.Memory = nil // what it is merged with has none
	if err := writeBundle(b, incomplete); err != nil {
		t.Fatal(err)
	}
	merged := filepath.Join(dir, "omissions2.pspan")
	if o := pathspan("", "merge", incomplete, at("more"), "-o", merged); !strings.Contains(o.stderr, "4,321 activations of main") {
		t.Errorf("merge: %s", o.stderr)
	}
}

func firstBytes(s string, n int) string { return s[:min(n, len(s))] }
