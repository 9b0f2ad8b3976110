package toolchain

// This file examines the machine: which LLVM there is, whether it compiles and
// links C and C++, and what to install where it does not.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pathspan/scratch"
)

// Check is one finding of Doctor.
type Check struct {
	OK       bool
	Required bool     // pathspan profile fails without it
	Text     string   // what was found or is missing, one line
	Packages []string // of Debian, that bring it when it is missing; see InstallCommand
}

// Doctor examines the toolchain that Find(clang) would use. It compiles and
// links two tiny programs in a temporary directory.
func Doctor(ctx context.Context, clang string) []Check {
	checks := []Check{installedCheck()}
	t, err := Find(clang)
	if err != nil {
		return append(checks, Check{Required: true, Text: err.Error()})
	}
	used := "used: " + t.String()
	if t.Note != "" {
		used += "; " + t.Note
	}
	checks = append(checks,
		Check{OK: true, Required: true, Text: used},
		Check{OK: true, Required: true, Text: "opt: " + t.Opt},
		Check{OK: true, Required: true, Text: "llvm-link: " + t.Link},
		t.optional("llvm-dis", t.Dis),
		t.optional("llvm-profdata (only for pathspan's own tests)", t.Profdata),
		t.builds(ctx, "C", "hello.c", "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n", "libc6-dev"),
		t.builds(ctx, "C++", "hello.cpp", "#include <vector>\nint main(int n, char **) { std::vector<int> v(n); return v.size() == 0; }\n", "libstdc++-12-dev"),
	)
	runtime := Check{OK: true, Text: "clang's own profile runtime (only for pathspan's own tests): "}
	if path := t.ProfileRuntime(ctx); path != "" {
		runtime.Text += path
	} else {
		runtime.OK = false
		runtime.Text += "none"
		runtime.Packages = []string{fmt.Sprintf("libclang-rt-%d-dev", t.Version)}
	}
	return append(checks, runtime)
}

func installedCheck() Check {
	have := map[int]bool{}
	for _, t := range All() {
		have[t.Version] = true
	}
	var installed, absent []string
	for v := Newest; v >= Oldest; v-- {
		if have[v] {
			installed = append(installed, strconv.Itoa(v))
		} else {
			absent = append(absent, strconv.Itoa(v))
		}
	}
	if len(installed) == 0 {
		return Check{Text: fmt.Sprintf("no complete LLVM of version %d to %d", Oldest, Newest),
			Packages: []string{"clang-19", "llvm-19"}}
	}
	text := "LLVM " + strings.Join(installed, ", ")
	if len(absent) > 0 {
		text += " (supported but not installed: " + strings.Join(absent, ", ") + ")"
	}
	return Check{OK: true, Text: text}
}

func (t *Toolchain) optional(name, path string) Check {
	if path != "" {
		return Check{OK: true, Text: name + ": " + path}
	}
	return Check{Text: fmt.Sprintf("%s of version %d: none", name, t.Version),
		Packages: []string{fmt.Sprintf("llvm-%d", t.Version)}}
}

// builds compiles and links a program with the flags of a profiled build.
func (t *Toolchain) builds(ctx context.Context, language, name, program, headers string) Check {
	bad := func(err error) Check {
		return Check{Required: language == "C", Text: language + " does not compile: " + err.Error(), Packages: []string{headers}}
	}
	dir, err := scratch.Folder("pathspan-doctor-")
	if err != nil {
		return Check{Required: true, Text: err.Error()}
	}
	defer scratch.Remove(dir)
	source, module := filepath.Join(dir, name), filepath.Join(dir, "hello.ll")
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		return bad(err)
	}
	if _, err := t.Compile(ctx, Compile{Source: source, Output: module, Level: "2", OpenMP: true}); err != nil {
		return bad(err)
	}
	driver := t.Clang
	if language == "C++" {
		driver = t.ClangXX
	}
	if _, err := t.Run(ctx, Cmd{Path: driver, Args: []string{module, "-o", filepath.Join(dir, "hello")}}); err != nil {
		return bad(err)
	}
	return Check{OK: true, Required: true, Text: language + " compiles and links"}
}

// ProfileRuntime returns the path of the runtime that clang links for
// -fprofile-generate, or "" when it is not installed. Debian has it in
// libclang-rt-N-dev, which clang-N does not ask for.
func (t *Toolchain) ProfileRuntime(ctx context.Context) string {
	var out bytes.Buffer
	if _, err := t.Run(ctx, Cmd{Path: t.Clang, Args: []string{"-print-resource-dir"}, Stdout: &out}); err != nil {
		return ""
	}
	dir := strings.TrimSpace(out.String())
	found, err := filepath.Glob(filepath.Join(dir, "lib", "*", "libclang_rt.profile*"))
	if err != nil || len(found) == 0 {
		return ""
	}
	out.Reset()
	if _, err := t.Run(ctx, Cmd{Path: t.Clang, Args: []string{"-dumpmachine"}, Stdout: &out}); err != nil {
		return ""
	}
	machine, _, _ := strings.Cut(strings.TrimSpace(out.String()), "-")
	for _, path := range found { // one for each architecture the package carries
		if strings.Contains(strings.TrimPrefix(path, dir), machine) {
			return path
		}
	}
	return ""
}
