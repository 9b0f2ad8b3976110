package toolchain

// This file tests that a remembered toolchain is what a search would find.

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFindCached(t *testing.T) {
	p, _ := empty(t)
	folder := t.TempDir()
	if _, err := p.findCached("", folder); err == nil {
		t.Fatal("a toolchain is found where there is none")
	}
	old := llvm(t, p.llvmRoot, 16)
	find := func(clang string, version int) {
		t.Helper()
		found, err := p.findCached(clang, folder)
		if err != nil {
			t.Fatal(err)
		}
		answersMu.Lock()
		clear(answers) // as another process would ask
		answersMu.Unlock()
		again, err := p.findCached(clang, folder)
		if err != nil || *again != *found || found.Version != version {
			t.Errorf("found %+v, then %+v, %v; want version %d", found, again, err, version)
		}
	}
	find("", 16)
	files, err := filepath.Glob(filepath.Join(folder, "toolchain-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("remembered in %q, %v", files, err)
	}
	// A newer one that is installed goes before it; a damaged memory is no matter.
	llvm(t, p.llvmRoot, 19)
	find("", 19)
	find("16", 16)
	for _, f := range files {
		if err := os.WriteFile(f, []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(p.llvmRoot, "llvm-19")); err != nil {
		t.Fatal(err)
	}
	find("", 16)
	// A tool of it that is replaced or gone is noticed.
	if err := os.Remove(filepath.Join(old, "opt")); err != nil {
		t.Fatal(err)
	}
	if found, err := p.findCached("", folder); err == nil {
		t.Errorf("found %+v without opt", found)
	}
	// One that was not complete is completed, and goes before what was taken for it.
	bin := llvm(t, p.llvmRoot, 20)
	if err := os.Rename(filepath.Join(bin, "opt"), filepath.Join(bin, "aside")); err != nil {
		t.Fatal(err)
	}
	llvm(t, p.llvmRoot, 18)
	find("", 18)
	if err := os.Rename(filepath.Join(bin, "aside"), filepath.Join(bin, "opt")); err != nil {
		t.Fatal(err)
	}
	find("", 20)
	t.Setenv(EnvClang, "17")
	_, err = p.findCached("", folder)
	wantError(t, err, "$"+EnvClang, "17 is not installed")
	t.Setenv(EnvClang, "")
	// Nothing can be kept.
	llvm(t, p.llvmRoot, 22)
	if found, err := p.findCached("", filepath.Join(folder, "absent")); err != nil || found.Version != 22 {
		t.Errorf("%+v, %v", found, err)
	}
}
