package toolchain

// This file finds the tools that belong to a clang: same major version, nearest
// first.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// companions is the search for the other tools of one clang.
type companions struct {
	version int
	dirs    []string // beside clang, beside what clang links to, Debian's own directory
	last    string   // Debian's directory, tried after $PATH
}

func (p place) companionsOf(clang string, version int) companions {
	c := companions{
		version: version,
		dirs:    []string{filepath.Dir(clang)},
		last:    filepath.Join(p.llvmRoot, "llvm-"+strconv.Itoa(version), "bin"),
	}
	if real, err := filepath.EvalSymlinks(clang); err == nil && filepath.Dir(real) != c.dirs[0] {
		c.dirs = append(c.dirs, filepath.Dir(real))
	}
	return c
}

// Companion returns the path of another tool of the same LLVM, such as "llc", or ""
// when there is none.
func (t *Toolchain) Companion(tool string) string {
	return machine.companionsOf(t.Clang, t.Version).find(tool)
}

// find returns the path of a tool of the right version, or "".
func (c companions) find(tool string) string {
	for _, path := range c.paths(tool) {
		if executable(path) && c.matches(tool, path) {
			return path
		}
	}
	return ""
}

// paths are where a tool may be, best first.
func (c companions) paths(tool string) []string {
	names := []string{tool + "-" + strconv.Itoa(c.version), tool}
	var paths []string
	for _, dir := range c.dirs {
		for _, name := range names {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			paths = append(paths, path)
		}
	}
	return append(paths, filepath.Join(c.last, tool))
}

// matches reports whether the program is of the wanted version.
func (c companions) matches(tool, path string) bool {
	if tool == "clang++" {
		major, _, err := clangVersion(path)
		return err == nil && major == c.version
	}
	if major, ok := llvmVersion(path); ok {
		return major == c.version
	}
	// llvm-profdata before 17 knows no --version; it is trusted where the opt
	// of the same directory is of the right version.
	if tool != "llvm-profdata" {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	major, ok := llvmVersion(filepath.Join(filepath.Dir(real), "opt"))
	return ok && major == c.version
}

// executable reports whether the path is a file that someone may run.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
