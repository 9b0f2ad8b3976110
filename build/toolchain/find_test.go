package toolchain

// This file tests the search for a toolchain on made-up installations: shell
// scripts that answer --version as the real tools do.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// install writes a script that prints a banner, and returns its path.
func install(t *testing.T, path, banner string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\ncat <<'END'\n%s\nEND\n", banner)
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func clangSays(v int) string {
	return fmt.Sprintf("Debian clang version %d.0.6\nTarget: x86_64-pc-linux-gnu", v)
}

func optSays(v int) string {
	return fmt.Sprintf("LLVM (http://llvm.org/):\n  LLVM version %d.0.6\n  Optimized build.", v)
}

// llvm writes a complete llvm-N directory as Debian lays it out.
func llvm(t *testing.T, root string, v int) string {
	t.Helper()
	bin := filepath.Join(root, fmt.Sprintf("llvm-%d", v), "bin")
	install(t, filepath.Join(bin, "clang"), clangSays(v))
	install(t, filepath.Join(bin, "clang++"), clangSays(v))
	for _, tool := range []string{"opt", "llvm-link", "llvm-dis"} {
		install(t, filepath.Join(bin, tool), optSays(v))
	}
	return bin
}

// empty gives a machine without any LLVM; the shell that runs the scripts needs
// `cat`, which is linked into a directory of its own.
func empty(t *testing.T) (p place, path string) {
	t.Helper()
	root := t.TempDir()
	path = filepath.Join(root, "path")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/bin/cat", filepath.Join(path, "cat")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", path)
	t.Setenv(EnvClang, "")
	return place{llvmRoot: filepath.Join(root, "lib")}, path
}

// wantError checks that an error is one line holding all the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	if strings.ContainsRune(err.Error(), '\n') {
		t.Errorf("error has several lines: %q", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

func TestNoClang(t *testing.T) {
	p, _ := empty(t)
	_, err := p.find("")
	if !errors.Is(err, ErrNoClang) {
		t.Fatalf("got %v, want ErrNoClang", err)
	}
	wantError(t, err, "no clang found", InstallCommand("clang-19", "llvm-19"), "--clang")
	_, err = p.find("clang-17")
	wantError(t, err, "clang-17 is not installed", "apt-get install")
	_, err = p.find("/nowhere/clang")
	wantError(t, err, "/nowhere/clang cannot be run", "no such file")
}

func TestNewestWins(t *testing.T) {
	p, path := empty(t)
	llvm(t, p.llvmRoot, 14)
	llvm(t, p.llvmRoot, 19)
	install(t, filepath.Join(path, "clang"), clangSays(13))
	tc, err := p.find("")
	if err != nil {
		t.Fatal(err)
	}
	if tc.Version != 19 || tc.Full != "Debian clang version 19.0.6" || tc.Note != "" {
		t.Errorf("got %+v", tc)
	}
	if found, _ := p.all(Newest); len(found) != 2 || found[0].Version != 19 || found[1].Version != 14 {
		t.Errorf("all: %v", found)
	}
	if got, err := p.find("14"); err != nil || got.Version != 14 {
		t.Errorf("find 14: %v, %v", got, err)
	}
	_, err = p.find("clang-16")
	wantError(t, err, "clang-16 is not installed", "19, 14")
}

func TestEnvironmentNamesClang(t *testing.T) {
	p, _ := empty(t)
	llvm(t, p.llvmRoot, 19)
	t.Setenv(EnvClang, filepath.Join(llvm(t, p.llvmRoot, 15), "clang"))
	tc, err := p.find("")
	if err != nil || tc.Version != 15 {
		t.Fatalf("got %v, %v", tc, err)
	}
	// What is named on the command line goes before the environment.
	if tc, err = p.find("19"); err != nil || tc.Version != 19 {
		t.Fatalf("got %v, %v", tc, err)
	}
	t.Setenv(EnvClang, "/nowhere/clang")
	_, err = p.find("")
	wantError(t, err, "$PATHSPAN_CLANG", "/nowhere/clang")
}

func TestOldClang(t *testing.T) {
	p, path := empty(t)
	old := install(t, filepath.Join(path, "clang-13"), clangSays(13))
	install(t, filepath.Join(path, "opt-13"), optSays(13))
	for _, name := range []string{"", "clang-13", old} {
		_, err := p.find(name)
		wantError(t, err, "is clang 13, too old", "14 to 22", "apt-get install")
	}
}

func TestNewerClangIsNoted(t *testing.T) {
	p, path := empty(t)
	install(t, filepath.Join(path, "clang"), clangSays(27))
	install(t, filepath.Join(path, "opt"), optSays(27))
	install(t, filepath.Join(path, "llvm-link"), optSays(27))
	tc, err := p.find("")
	if err != nil {
		t.Fatal(err)
	}
	if tc.Version != 27 || !strings.Contains(tc.Note, "newer than any version") {
		t.Errorf("got %+v", tc)
	}
	// A supported version is preferred to it.
	llvm(t, p.llvmRoot, 14)
	if tc, err = p.find(""); err != nil || tc.Version != 14 {
		t.Errorf("got %v, %v", tc, err)
	}
}

func TestNotClang(t *testing.T) {
	p, path := empty(t)
	gcc := install(t, filepath.Join(path, "gcc"), "gcc (Debian 12.2.0-14) 12.2.0")
	_, err := p.find(gcc)
	wantError(t, err, "is not clang", "gcc (Debian")
	apple := install(t, filepath.Join(path, "clang"), "Apple clang version 15.0.0 (clang-1500.3.9.4)")
	_, err = p.find(apple)
	wantError(t, err, "Apple's clang")
	failing := filepath.Join(path, "failing")
	if err := os.WriteFile(failing, []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = p.find(failing)
	wantError(t, err, "--version failed", "exit status 3")
}

func TestNotExecutable(t *testing.T) {
	p, path := empty(t)
	clang := install(t, filepath.Join(path, "clang-19"), clangSays(19))
	if err := os.Chmod(clang, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := p.find(clang)
	wantError(t, err, clang+" cannot be run", "permission denied")
	if _, err = p.find(""); !errors.Is(err, ErrNoClang) {
		t.Errorf("got %v, want ErrNoClang", err)
	}
	if err := os.WriteFile(clang, []byte("#!/no/such/shell\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = p.find(clang)
	wantError(t, err, "cannot be run")
}

func TestMissingOpt(t *testing.T) {
	p, path := empty(t)
	clang := install(t, filepath.Join(path, "clang-19"), clangSays(19))
	for _, name := range []string{"", clang} {
		_, err := p.find(name)
		wantError(t, err, "no opt and no llvm-link of version 19", InstallCommand("llvm-19"))
	}
	// An older version that is complete beats a newer one that is not.
	llvm(t, p.llvmRoot, 16)
	if tc, err := p.find(""); err != nil || tc.Version != 16 {
		t.Errorf("got %v, %v", tc, err)
	}
}

func TestMismatchedCompanionIsNeverUsed(t *testing.T) {
	p, path := empty(t)
	clang := install(t, filepath.Join(path, "clang-19"), clangSays(19))
	install(t, filepath.Join(path, "clang++"), clangSays(14))
	install(t, filepath.Join(path, "opt"), optSays(14))
	install(t, filepath.Join(path, "opt-19"), optSays(14)) // a wrong alternative
	install(t, filepath.Join(path, "llvm-link"), optSays(19))
	_, err := p.find(clang)
	wantError(t, err, "no opt of version 19")
	bin := llvm(t, p.llvmRoot, 19)
	tc, err := p.find(clang)
	if err != nil {
		t.Fatal(err)
	}
	if tc.Opt != filepath.Join(bin, "opt") || tc.ClangXX != "" && filepath.Dir(tc.ClangXX) == path {
		t.Errorf("got %+v", tc)
	}
	if tc.Link != filepath.Join(path, "llvm-link") {
		t.Errorf("the nearest llvm-link of version 19 is %s, got %s", path, tc.Link)
	}
}

func TestSymbolicLinkLeadsToCompanions(t *testing.T) {
	p, path := empty(t)
	bin := llvm(t, filepath.Join(t.TempDir(), "elsewhere"), 18)
	link := filepath.Join(path, "cc")
	if err := os.Symlink(filepath.Join(bin, "clang"), link); err != nil {
		t.Fatal(err)
	}
	tc, err := p.find(link)
	if err != nil {
		t.Fatal(err)
	}
	if tc.Clang != link || tc.Opt != filepath.Join(bin, "opt") || tc.ClangXX != filepath.Join(bin, "clang++") {
		t.Errorf("got %+v", tc)
	}
}

func TestProfdataWithoutVersion(t *testing.T) {
	p, _ := empty(t)
	bin := llvm(t, p.llvmRoot, 14)
	profdata := install(t, filepath.Join(bin, "llvm-profdata"), "llvm-profdata: Unknown command!")
	tc, err := p.find("14")
	if err != nil || tc.Profdata != profdata {
		t.Errorf("got %v, %v", tc, err)
	}
}

func TestVersionIsAskedOnce(t *testing.T) {
	p, path := empty(t)
	log := filepath.Join(t.TempDir(), "log")
	clang := filepath.Join(path, "clang")
	script := fmt.Sprintf("#!/bin/sh\necho asked >> %s\necho clang version 19.1.0\n", log)
	if err := os.WriteFile(clang, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := p.find(""); err == nil {
			t.Fatal("a clang without opt was accepted")
		}
	}
	asked, err := os.ReadFile(log)
	if err != nil || string(asked) != "asked\n" {
		t.Errorf("log %q, %v", asked, err)
	}
}
