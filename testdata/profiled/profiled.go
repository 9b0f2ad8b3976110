// Package profiled builds and runs programs for tests of what reads bundles, each once for all tests of a package.
//
//	b := profiled.Program{Source: "../testdata/openmp/nested.c"}.Bundle(t)
package profiled

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pathspan/build/plan"
	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/profile"
)

// Program is a program of one source, at -O2 unless Level says otherwise.
type Program struct {
	Source, Level string
	Flags, Args   []string
	Memory        bool   // --memory
	Plan          string // file of --plan, "" for none
}

var done = struct {
	sync.Mutex
	bundles map[string]func() (*profile.Bundle, error) // by what they are made of
}{bundles: map[string]func() (*profile.Bundle, error){}}

// Bundle is the program's profile, which no test may change. Without a compiler the test is skipped. The exit status is the program's own.
func (p Program) Bundle(t testing.TB) *profile.Bundle {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile %s with: %v", p.Source, err)
	}
	text, err := os.ReadFile(p.Source)
	if err != nil {
		t.Fatal(err)
	}
	if p.Level == "" {
		p.Level = "2"
	}
	var marks *plan.Plan
	if p.Plan != "" {
		text, err := os.ReadFile(p.Plan)
		if err != nil {
			t.Fatal(err)
		}
		if marks, err = plan.Parse(p.Plan, text); err != nil {
			t.Fatal(err)
		}
	}
	key := fmt.Sprintf("%q %t %q %s", []any{filepath.Base(p.Source), p.Level, p.Flags, p.Args}, p.Memory, p.Plan, text)
	done.Lock()
	bundle := done.bundles[key]
	if bundle == nil {
		dir := t.TempDir()
		bundle = sync.OnceValues(func() (*profile.Bundle, error) {
			r := &record.Recorder{Toolchain: tc, Dir: dir}
			built, err := r.Build(t.Context(), record.Options{Sources: []string{p.Source}, Level: p.Level, CFlags: p.Flags, Memory: p.Memory, Plan: marks})
			if err != nil {
				return nil, err
			}
			b, _, err := r.Run(t.Context(), built, p.Args, record.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
			return b, err
		})
		done.bundles[key] = bundle
	}
	done.Unlock()
	b, err := bundle()
	if err != nil {
		t.Fatalf("%s: %v", p.Source, err)
	}
	return b
}

// Text is the profile of a program whose text is given, in a file of that name.
func Text(t testing.TB, name, text string) *profile.Bundle {
	t.Helper()
	source := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Program{Source: source}.Bundle(t)
}
