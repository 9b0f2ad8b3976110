package toolchain

// This file chooses the clang to use: the one that was named, the one in
// $PATHSPAN_CLANG, or the newest supported one that is installed.

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// EnvClang names the environment variable that stands in for --clang.
const EnvClang = "PATHSPAN_CLANG"

// ErrNoClang is returned by Find when no clang of any version is installed, so
// that tests and callers can skip what needs one.
var ErrNoClang = errors.New("no clang found: install clang-19 and llvm-19 (" +
	InstallCommand("clang-19", "llvm-19") + "), or name one with --clang")

// place is where a search looks: the directories of $PATH and the directory
// that holds llvm-14, llvm-15... as Debian lays them out.
type place struct {
	llvmRoot string
}

var machine = place{llvmRoot: "/usr/lib"}

// Find returns the toolchain of a clang. An empty name stands for
// $PATHSPAN_CLANG and, where that is unset, for the newest of the versions
// Oldest to Newest that is installed completely. A name is a path
// ("/usr/lib/llvm-19/bin/clang"), a command ("clang-16") or a version ("16").
// An error is one line that says what to install or to name.
func Find(clang string) (*Toolchain, error) {
	return machine.find(clang)
}

// All returns every complete toolchain of a supported version, newest first,
// one for each major version.
func All() []*Toolchain {
	found, _ := machine.all(Newest)
	return found
}

func (p place) find(clang string) (*Toolchain, error) {
	if clang == "" {
		if named := os.Getenv(EnvClang); named != "" {
			t, err := p.named(named)
			if err != nil {
				return nil, fmt.Errorf("$%s: %w", EnvClang, err)
			}
			return t, nil
		}
		return p.newest()
	}
	return p.named(clang)
}

// named resolves what the user asked for.
func (p place) named(clang string) (*Toolchain, error) {
	path, err := p.locate(clang)
	if err != nil {
		return nil, err
	}
	return p.complete(path)
}

var versionedName = regexp.MustCompile(`^(?:clang-)?(\d+)$`)

// locate turns a path, a command or a version into the path of a program.
func (p place) locate(clang string) (string, error) {
	name := clang
	m := versionedName.FindStringSubmatch(clang)
	if m != nil {
		name = "clang-" + m[1]
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	} else if strings.ContainsRune(name, filepath.Separator) {
		return "", fmt.Errorf("%s cannot be run: %w; name a clang with --clang", clang, unwrapPath(err))
	}
	if m != nil {
		path := filepath.Join(p.llvmRoot, "llvm-"+m[1], "bin", "clang")
		if executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed; %s", clang, p.installedOrInstall())
}

// installedOrInstall ends a message: what could be used instead.
func (p place) installedOrInstall() string {
	found, _ := p.all(Newest)
	if len(found) == 0 {
		return "install clang-19 and llvm-19 (" + InstallCommand("clang-19", "llvm-19") + ")"
	}
	versions := make([]string, len(found))
	for i, t := range found {
		versions[i] = strconv.Itoa(t.Version)
	}
	return "name one of the installed versions " + strings.Join(versions, ", ")
}

// newest returns the best installed toolchain.
func (p place) newest() (*Toolchain, error) {
	found, firstErr := p.all(1)
	if len(found) > 0 {
		return found[0], nil
	}
	// A plain clang newer than Newest is better than nothing; an older one, or
	// one without its companions, says so in its own error.
	if path, err := exec.LookPath("clang"); err == nil {
		t, err := p.complete(path)
		if err == nil {
			return t, nil
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	if firstErr != nil {
		return nil, firstErr
	}
	if path := p.older(); path != "" {
		_, err := p.complete(path)
		return nil, err
	}
	return nil, ErrNoClang
}

// older returns a clang below Oldest, so that the error names it instead of
// claiming that there is none.
func (p place) older() string {
	for v := Oldest - 1; v >= 3; v-- {
		if path, err := exec.LookPath("clang-" + strconv.Itoa(v)); err == nil {
			return path
		}
	}
	return ""
}

// all returns at most so many complete supported toolchains, newest first, and the first
// reason for which a version was left out. To ask one for its versions takes six processes.
func (p place) all(most int) ([]*Toolchain, error) {
	var found []*Toolchain
	var firstErr error
	for v := Newest; v >= Oldest && len(found) < most; v-- {
		for _, path := range p.candidates(v) {
			if major, _, err := clangVersion(path); err != nil || major != v {
				continue
			}
			t, err := p.complete(path)
			if err == nil {
				found = append(found, t)
				break
			}
			if firstErr == nil {
				firstErr = err
			}
		}
	}
	return found, firstErr
}

// candidates lists the programs that may be clang of one version, best first.
func (p place) candidates(version int) []string {
	var paths []string
	for _, name := range []string{"clang-" + strconv.Itoa(version), "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			paths = append(paths, path)
		}
	}
	path := filepath.Join(p.llvmRoot, "llvm-"+strconv.Itoa(version), "bin", "clang")
	if executable(path) {
		paths = append(paths, path)
	}
	return paths
}

// complete checks a clang and finds the tools of its version.
func (p place) complete(clang string) (*Toolchain, error) {
	major, full, err := clangVersion(clang)
	if err != nil {
		return nil, err
	}
	if major < Oldest {
		return nil, fmt.Errorf("%s is clang %d, too old: pathspan needs %d to %d; install clang-19 and llvm-19 (%s)",
			clang, major, Oldest, Newest, InstallCommand("clang-19", "llvm-19"))
	}
	t := &Toolchain{Version: major, Full: full, Clang: clang}
	if major > Newest {
		t.Note = fmt.Sprintf("clang %d is newer than any version pathspan was tested with (%d to %d)", major, Oldest, Newest)
	}
	c := p.companionsOf(clang, major)
	t.ClangXX = c.find("clang++")
	t.Opt = c.find("opt")
	t.Link = c.find("llvm-link")
	t.Dis = c.find("llvm-dis")
	t.Profdata = c.find("llvm-profdata")
	var missing []string
	if t.Opt == "" {
		missing = append(missing, "opt")
	}
	if t.Link == "" {
		missing = append(missing, "llvm-link")
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s is clang %d, but there is no %s of version %d; install llvm-%d (%s)",
			clang, major, strings.Join(missing, " and no "), major, major, InstallCommand(fmt.Sprintf("llvm-%d", major)))
	}
	return t, nil
}
