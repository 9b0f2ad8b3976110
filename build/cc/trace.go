package cc

// This file asks the linker which files and archive members it takes.

import (
	"os"
	"path/filepath"
	"strings"
)

// taken is one file that the linker took.
type taken struct {
	path   string // of the file or the archive
	member string // of an archive, else ""
}

// traceFlags make GNU ld, gold, lld and mold print what they take, each on a line. GNU
// ld names members of archives only when asked twice.
var traceFlags = []string{"-Xlinker", "--trace", "-Xlinker", "--trace"}

// readTrace reads what the linker printed. Lines that name no file are something else
// that it was asked to print.
func readTrace(text string) []taken {
	var out []taken
	seen := make(map[taken]int)
	for _, line := range strings.Split(text, "\n") {
		t, ok := traceLine(strings.TrimSpace(line))
		if !ok {
			continue
		}
		// A shared object is named each time that another asks for it.
		if t.member == "" {
			if seen[t] > 0 {
				continue
			}
			seen[t]++
		}
		out = append(out, t)
	}
	return out
}

// traceLine reads one line: FILE, ARCHIVE(MEMBER) or, of GNU ld, (ARCHIVE)MEMBER.
func traceLine(line string) (taken, bool) {
	if line == "" {
		return taken{}, false
	}
	if isFile(line) {
		return taken{path: line}, true
	}
	if strings.HasSuffix(line, ")") {
		for at := len(line) - 1; at > 0; at-- {
			if line[at] == '(' && isFile(line[:at]) {
				return taken{path: line[:at], member: line[at+1 : len(line)-1]}, true
			}
		}
	}
	if line[0] == '(' {
		for at := 1; at < len(line); at++ {
			if line[at] == ')' && isFile(line[1:at]) {
				return taken{path: line[1:at], member: line[at+1:]}, true
			}
		}
	}
	return taken{}, false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// systemFolders hold what belongs to the machine rather than to the project.
var systemFolders = []string{"/lib/", "/lib32/", "/lib64/", "/libx32/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/", "/usr/libx32/", "/nix/store/", "/opt/rh/"}

// isSystem reports whether a file is of the system or of the compiler.
func (d *Driver) isSystem(path string) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	if hasPrefix(abs, systemFolders...) || d.tc.Target != nil && hasPrefix(abs, d.tc.Target.Library()+"/") {
		return true
	}
	if real, err := filepath.EvalSymlinks(d.tc.Clang); err == nil {
		return strings.HasPrefix(abs, filepath.Dir(filepath.Dir(real))+"/lib/")
	}
	return false
}
