// Package toolchain finds the LLVM command-line tools that the left half of
// pathspan needs (clang, clang++, opt, llvm-link, and when they are there
// llvm-dis and llvm-profdata), all of one major version between 14 and 22, and
// runs them.
//
//	tc, err := toolchain.Find("")         // $PATHSPAN_CLANG, or the newest installed
//	if err != nil { ... }                 // one line: what is missing and how to install it
//	_, err = tc.Compile(ctx, toolchain.Compile{
//		Source: "susan.c", Output: "susan.ll",
//		Level: "2", OpenMP: true, IncludeAfter: dirWithOmpH,
//	})
//	_, err = tc.Run(ctx, toolchain.Cmd{Path: tc.Opt, Args: []string{"-S", "susan.ll", "-o", "o.ll"}})
//	var failed *toolchain.Error
//	if errors.As(err, &failed) { fmt.Fprint(os.Stderr, failed.Stderr) }
//
// Modules travel between the tools as files, never through pipes, so that a
// failure leaves something to look at.
//
// The package does not read or write LLVM assembly (see ir/asm), does not know
// which passes an analysis needs, installs nothing, and never mixes tools of
// two LLVM versions: a module that one version wrote is not promised to be
// readable by an older one.
package toolchain

// This file declares the set of tools that belong together, and says how to install what
// is missing.

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Oldest and Newest bound the LLVM major versions that pathspan is tested with.
// Before 14 the textual IR and the pass names differ; after 22 nothing is known.
const (
	Oldest = 14
	Newest = 22
)

// Toolchain is one installed LLVM: every path names a program of the same major
// version.
type Toolchain struct {
	Version  int    // LLVM major version
	Full     string // what clang says of itself, such as "Debian clang version 14.0.6"
	Note     string // a caveat worth showing, "" when there is none
	Clang    string
	ClangXX  string // "" when there is no clang++ of this version
	Opt      string
	Link     string // llvm-link
	Dis      string // llvm-dis, or ""
	Profdata string // llvm-profdata, or ""; only tests and `measure` want it
	// Target is the machine that is built for, nil for this one; [Toolchain.For] sets it.
	Target *Target `json:"-"`
}

// String gives the version and place in one line.
func (t *Toolchain) String() string {
	return fmt.Sprintf("%s (%s)", t.Full, t.Clang)
}

// InstallCommand is a line of shell that installs packages of Debian as it stands: with
// lists of packages that are current, and with the rights that it takes. scripts/deps.sh
// says the same.
func InstallCommand(packages ...string) string { return installCommand(os.Geteuid(), packages) }

func installCommand(user int, packages []string) string {
	const update = "apt-get update"
	install := "apt-get install -y --no-install-recommends " + strings.Join(packages, " ")
	if user == 0 {
		return update + " && " + install
	}
	if _, err := exec.LookPath("sudo"); err == nil {
		return "sudo " + update + " && sudo " + install
	}
	return "su -c '" + update + " && " + install + "'"
}
