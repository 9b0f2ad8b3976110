package toolchain

// This file spells the compilation of one source file to LLVM assembly, so that
// all of clang 14 to 22 take it and give comparable modules.

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Compile is the translation of one C or C++ file to unoptimised LLVM assembly, or
// bitcode where Output ends in .bc, that is ready for the passes of an optimisation level.
type Compile struct {
	Source, Output string
	// Level is the optimisation level the module is meant for: 0, 1, 2, 3, s
	// or z. clang runs no passes; the level decides the attributes and
	// lifetime markers it emits.
	Level  string
	OpenMP bool
	// IncludeAfter is a directory searched after all others, for an omp.h
	// where the system has none. May be "".
	IncludeAfter string
	// Overlay is a file that lays files over those of the file system (-ivfsoverlay). May
	// be "".
	Overlay string
	// Extra holds the user's own flags. They come first, so that they cannot
	// undo the flags pathspan relies on.
	Extra []string
}

// levels are the levels that clang's -O and opt's default<O> have in common.
var levels = []string{"0", "1", "2", "3", "s", "z"}

// CheckLevel reports a level that clang and opt do not share.
func CheckLevel(level string) error {
	if slices.Contains(levels, level) {
		return nil
	}
	hint := ""
	if level == "fast" {
		hint = "; use -O3 with --cflags -ffast-math"
	}
	return fmt.Errorf("-O%s: not an optimisation level; use -O0, -O1, -O2, -O3, -Os or -Oz%s", level, hint)
}

// IsCXX reports whether a file is C++ by its name.
func IsCXX(source string) bool {
	switch filepath.Ext(source) {
	case ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".ii":
		return true
	}
	return false
}

// refused are flags that make clang write something else than one module, with
// what to do about them.
var refused = map[string]string{
	"-c": "leave it out", "-S": "leave it out", "-E": "leave it out",
	"-M": "leave it out", "-MM": "leave it out",
	"-fsyntax-only": "leave it out", "-###": "leave it out",
	"-o": "use pathspan's own -o", "-x": "rename the source",
	"--analyze": "leave it out",
}

// CheckExtra reports a flag of the user's that pathspan cannot honour.
func CheckExtra(extra []string) error {
	skip := false
	for _, flag := range extra {
		if skip {
			skip = false
			continue
		}
		if what, ok := refused[flag]; ok {
			return fmt.Errorf("--cflags %s: does not fit, because pathspan compiles to LLVM assembly itself; %s", flag, what)
		}
		if strings.HasPrefix(flag, "-O") {
			return fmt.Errorf("--cflags %s: give the optimisation level to pathspan itself (-O0 to -O3, -Os)", flag)
		}
		skip = takesValue[flag]
	}
	return nil
}

// takesValue holds the flags whose next word is theirs.
var takesValue = map[string]bool{
	"-D": true, "-U": true, "-I": true, "-L": true, "-l": true, "-include": true,
	"-imacros": true, "-isystem": true, "-iquote": true, "-idirafter": true,
	"-Xclang": true, "-Xlinker": true, "-mllvm": true, "-target": true,
	"-isysroot": true, "-MF": true, "-MT": true, "-MQ": true,
}

// ModuleFlags returns clang's flags, to stand behind the user's own, that make the module of
// a compilation at a level what [Compile] describes.
func (t *Toolchain) ModuleFlags(level string, openmp bool, includeAfter string) []string {
	var args []string
	if t.Target != nil && t.Target.Name == "riscv64-linux-gnu" {
		// Relocations of lists of ranges, which DWARF 5 has, crash linkers of Debian 12.
		args = append(args, "-fdebug-default-version=4")
	}
	if openmp {
		// Plain -fopenmp emits nothing where a distribution made libgomp the default.
		args = append(args, "-fopenmp=libomp")
	}
	args = append(args, "-Xclang", "-disable-llvm-passes")
	if level == "0" {
		// Otherwise every function is optnone, and opt skips it even for
		// the passes that only canonicalise.
		args = append(args, "-Xclang", "-disable-O0-optnone")
	}
	// The last -g wins: full debug information from a user's -g would change
	// how OpenMP regions are outlined and triple the module.
	args = append(args, "-gline-tables-only", "-gcolumn-info")
	if includeAfter != "" {
		args = append(args, "-idirafter", includeAfter)
	}
	return args
}

// CompileArgs returns clang's arguments for one compilation, seen to work alike
// on clang 14, 16, 19 and 22.
func (t *Toolchain) CompileArgs(c Compile) ([]string, error) {
	if err := CheckLevel(c.Level); err != nil {
		return nil, err
	}
	if err := CheckExtra(c.Extra); err != nil {
		return nil, err
	}
	form := "-S"
	if filepath.Ext(c.Output) == ".bc" {
		form = "-c"
	}
	// Files are named as they were given, wherever that is; whoever wants a folder says so.
	args := append([]string{"-fdebug-compilation-dir=."}, c.Extra...)
	args = append(args, "-O"+c.Level)
	args = append(args, t.ModuleFlags(c.Level, c.OpenMP, c.IncludeAfter)...)
	if c.Overlay != "" {
		args = append(args, "-ivfsoverlay", c.Overlay)
	}
	args = append(args, "-Qunused-arguments", "-fno-color-diagnostics",
		form, "-emit-llvm", "-o", c.Output, c.Source)
	return args, nil
}

// Compile compiles one file and returns clang's warnings.
func (t *Toolchain) Compile(ctx context.Context, c Compile) (warnings string, err error) {
	args, err := t.CompileArgs(c)
	if err != nil {
		return "", err
	}
	driver, err := t.driver(c.Source)
	if err != nil {
		return "", err
	}
	return t.Run(ctx, Cmd{Path: driver, Args: args})
}

// driver is the clang for a source's language.
func (t *Toolchain) driver(source string) (string, error) {
	if !IsCXX(source) {
		return t.Clang, nil
	}
	if t.ClangXX == "" {
		return "", fmt.Errorf("%s: C++ needs clang++ of version %d beside %s", source, t.Version, t.Clang)
	}
	return t.ClangXX, nil
}

// Syntax writes clang's dump of the syntax tree of what Compile would compile, as JSON, and
// warns of nothing. c.Output plays no part.
func (t *Toolchain) Syntax(ctx context.Context, c Compile, dump io.Writer) error {
	if err := CheckExtra(c.Extra); err != nil {
		return err
	}
	driver, err := t.driver(c.Source)
	if err != nil {
		return err
	}
	args := append(slices.Clone(c.Extra), "-O"+c.Level)
	args = append(args, t.ModuleFlags(c.Level, c.OpenMP, c.IncludeAfter)...)
	args = append(args, "-Qunused-arguments", "-fno-color-diagnostics", "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", c.Source)
	_, err = t.Run(ctx, Cmd{Path: driver, Args: args, Stdout: dump})
	return err
}

// LinkFlags picks from the user's flags those that a link needs as well. Of the target the
// toolchain knows.
func LinkFlags(extra []string) []string {
	var flags []string
	for i := 0; i < len(extra); i++ {
		flag := extra[i]
		value := takesValue[flag] && i+1 < len(extra)
		if forLinker(flag) {
			flags = append(flags, flag)
			if value {
				flags = append(flags, extra[i+1])
			}
		}
		if value {
			i++
		}
	}
	return flags
}

func forLinker(flag string) bool {
	switch flag {
	case "-pthread", "-static", "-rdynamic", "-m32", "-m64", "-nostdlib", "-nodefaultlibs", "-Xlinker":
		return true
	}
	prefixes := []string{"-l", "-L", "-Wl,", "-fuse-ld=", "-stdlib=", "--sysroot=", "-static-", "--gcc-"}
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(flag, prefix) })
}
