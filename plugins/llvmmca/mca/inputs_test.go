package mca

// This file makes the modules that tests price, once for each LLVM.

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/procmodels"
	"pathspan/procmodels/sdk"
)

// shipped are the processors that the tests compile for.
var shipped = []string{"cortex-a53", "cortex-a72", "cortex-m4", "sifive-u74", "host"}

// open opens the model.
func open(t testing.TB, parameters map[string]string) *Model {
	t.Helper()
	if len(installed()) == 0 {
		t.Skip("no llc and llvm-mca installed")
	}
	m, err := Open(sdk.NewParameters(parameters))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// price prices a subject and holds the answer to the contract.
func price(t testing.TB, m *Model, s *procmodels.Subject) *procmodels.Costs {
	t.Helper()
	costs, err := m.Costs(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := costs.Check(s.Program); err != nil {
		t.Fatal(err)
	}
	return costs
}

// parsed is a subject of a module's text.
func parsed(t testing.TB, text string) *procmodels.Subject {
	t.Helper()
	m, err := asm.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Build(m)
	if err != nil {
		t.Fatal(err)
	}
	return &procmodels.Subject{Program: p, Module: []byte(text)}
}

type costedKey struct {
	version int
	source  string
}

var (
	costedMu sync.Mutex
	costedBy = map[costedKey]*procmodels.Subject{}
)

// costed is the costed module of a program of testdata.
func costed(t testing.TB, version int, source string) *procmodels.Subject {
	t.Helper()
	costedMu.Lock()
	defer costedMu.Unlock()
	key := costedKey{version, source}
	if s := costedBy[key]; s != nil {
		return s
	}
	for _, tc := range toolchain.All() {
		if tc.Version != version {
			continue
		}
		r := &record.Recorder{Toolchain: tc, Dir: t.TempDir()}
		b, err := r.Costed(context.Background(), record.Options{
			Sources: []string{filepath.Join("..", "..", "..", "testdata", source)}, Level: "2"})
		if err != nil {
			t.Fatal(err)
		}
		costedBy[key] = &procmodels.Subject{Program: b.Program, Module: b.Module}
		return costedBy[key]
	}
	t.Fatalf("no LLVM %d", version)
	return nil
}

// eachLLVM runs a test for the LLVMs that the project is tested with.
func eachLLVM(t *testing.T, test func(t *testing.T, tl *tools)) {
	have := map[int]*tools{}
	for _, tl := range installed() {
		have[tl.version] = tl
	}
	for _, v := range []int{14, 16, 19, 22} {
		t.Run("LLVM"+string(rune('0'+v/10))+string(rune('0'+v%10)), func(t *testing.T) {
			if have[v] == nil {
				t.Skipf("llc and llvm-mca of LLVM %d are not installed", v)
			}
			test(t, have[v])
		})
	}
}
