package toolchain

// This file knows the targets beside this machine: what names one, what clang takes to
// build for it, what runs its programs here, and what to install for all that.

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Target is a kind of machine that programs are built for which this machine does not run.
type Target struct {
	Name string // as Debian and GNU tools name it: "aarch64-linux-gnu"
	// Flags are clang's for all that is built for it: the triple, and which processors and
	// interfaces of the kind are meant.
	Flags []string

	debian, emulator string // its names among Debian's packages, and QEMU's
	brought          string // folder of a C library that the flags name, "" for Debian's
}

// targets are the kinds of machines there are, that of this machine among them.
var targets = []Target{
	{Name: "x86_64-linux-gnu", debian: "amd64", emulator: "x86_64"},
	{Name: "aarch64-linux-gnu", debian: "arm64", emulator: "aarch64"},
	{Name: "arm-linux-gnueabihf", debian: "armhf", emulator: "arm"},
	{Name: "riscv64-linux-gnu", debian: "riscv64", emulator: "riscv64"},
}

// Targets returns those that this machine is not.
func Targets() []Target {
	return slices.DeleteFunc(slices.Clone(targets), func(t Target) bool { return t.Name == hostTarget() })
}

// hostTarget is the name of this machine's own.
func hostTarget() string {
	switch runtime.GOARCH {
	case "amd64":
		return "x86_64-linux-gnu"
	case "arm64":
		return "aarch64-linux-gnu"
	case "arm":
		return "arm-linux-gnueabihf"
	}
	return runtime.GOARCH + "-linux-gnu"
}

// TargetName returns the name of a target by a triple as someone may write it
// ("aarch64-unknown-linux-gnu", "armv7-linux-gnueabihf"), and "" for one that is not known.
func TargetName(triple string) string {
	words := strings.Split(triple, "-")
	arch := archOf(triple)
	at := slices.Index(words, "linux")
	if at < 1 || at > 2 || len(words) != at+2 {
		return ""
	}
	name := arch + "-linux-" + words[at+1]
	if !slices.ContainsFunc(targets, func(t Target) bool { return t.Name == name }) {
		return ""
	}
	return name
}

// archOf returns the kind of processor that a triple means.
func archOf(triple string) string {
	arch, _, _ := strings.Cut(triple, "-")
	switch {
	case arch == "amd64":
		return "x86_64"
	case arch == "arm64":
		return "aarch64"
	case strings.HasPrefix(arch, "armv"), strings.HasPrefix(arch, "thumbv"):
		return "arm"
	}
	return arch
}

// TripleOf returns the last target among clang's flags, and "" where they name none.
func TripleOf(flags []string) string {
	triple := ""
	for i := 0; i < len(flags); i++ {
		if value, ok := strings.CutPrefix(flags[i], "--target="); ok {
			triple = value
		} else if (flags[i] == "-target" || flags[i] == "--target") && i+1 < len(flags) {
			i++
			triple = flags[i]
		} else if takesValue[flags[i]] {
			i++
		}
	}
	return triple
}

// machineFlags are the beginnings of clang's flags that say for which machine of a kind,
// and where its libraries are.
var machineFlags = []string{"-march=", "-mcpu=", "-mtune=", "-mabi=", "-mfpu=", "-mfloat-abi=", "-mthumb", "-marm", "-mno-thumb", "-mcmodel=", "--sysroot=", "--gcc-toolchain=", "--gcc-install-dir="}

// For returns the toolchain for the target that flags of the user's name, which is itself
// where they name none but this machine.
func (t *Toolchain) For(flags []string) (*Toolchain, error) {
	triple := TripleOf(flags)
	name := TargetName(triple)
	switch {
	case triple == "" || archOf(triple) == archOf(hostTarget()) && strings.Contains(triple, "linux"):
		return t, nil
	case name == "":
		var names []string
		for _, other := range Targets() {
			names = append(names, other.Name)
		}
		return nil, fmt.Errorf("--target=%s: programs are profiled for this machine (%s), and for %s", triple, hostTarget(), strings.Join(names, ", "))
	}
	if word, _, _ := strings.Cut(triple, "-"); strings.HasPrefix(word, "armv") || strings.HasPrefix(word, "thumbv") {
		return nil, fmt.Errorf("--target=%s: name the machine %s, and its processor with -mcpu= or -march=", triple, name)
	}
	target := targets[slices.IndexFunc(targets, func(t Target) bool { return t.Name == name })]
	target.Flags = []string{"--target=" + name} // clang before 17 finds no linker by another name
	for _, f := range flags {
		if !slices.ContainsFunc(machineFlags, func(prefix string) bool { return strings.HasPrefix(f, prefix) }) {
			continue
		}
		target.Flags = append(target.Flags, f)
		if folder, ok := strings.CutPrefix(f, "--sysroot="); ok {
			target.brought = folder
		}
	}
	out := *t
	out.Target = &target
	return &out, nil
}

// Library is the folder that Debian's C library of the target lies in, or that the flags name.
func (t *Target) Library() string {
	if t.brought != "" {
		return t.brought
	}
	return "/usr/" + t.Name
}

// Lacks lists Debian's packages that are missing here for building C programs, or those in
// C++ as well, and for running them. Whoever names a C library of his own has the rest.
func (t *Target) Lacks(cxx, run bool) []string {
	var packages []string
	want := func(there bool, name string) {
		if !there {
			packages = append(packages, name)
		}
	}
	if t.brought == "" {
		want(some("/usr/"+t.Name+"/include/stdio.h"), "libc6-dev-"+t.debian+"-cross")
		want(some("/usr/lib/gcc-cross/"+t.Name+"/*/libgcc.a"), "libgcc-12-dev-"+t.debian+"-cross")
		if cxx {
			want(some("/usr/"+t.Name+"/include/c++/*/vector"), "libstdc++-12-dev-"+t.debian+"-cross")
		}
		_, err := exec.LookPath(t.Name + "-ld")
		want(err == nil, "binutils-"+t.Name)
	}
	if run {
		want(t.Emulator() != "", "qemu-user")
	}
	return packages
}

func some(pattern string) bool {
	found, err := filepath.Glob(pattern)
	return err == nil && len(found) > 0
}

// Emulator is the program that runs those of the target here, "" where there is none.
func (t *Target) Emulator() string {
	for _, name := range []string{"qemu-" + t.emulator, "qemu-" + t.emulator + "-static"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Ready reports in one line what is missing for building programs, in C++ too, and for
// running them.
func (t *Toolchain) Ready(cxx, run bool) error {
	if t.Target == nil {
		return nil
	}
	if lacks := t.Target.Lacks(cxx, run); len(lacks) > 0 {
		return fmt.Errorf("--target=%s: %s not installed (%s)", t.Target.Name, isOrAre(lacks), InstallCommand(lacks...))
	}
	return nil
}

func isOrAre(names []string) string {
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " are"
}

// Makes reports whether what is built is of the kind of processor that a module's triple
// names, and which that is.
func (t *Toolchain) Makes(triple string) (name string, same bool) {
	own := hostTarget()
	if t.Target != nil {
		own = t.Target.Name
	}
	if name = TargetName(triple); name == "" {
		name = triple
	}
	return name, triple == "" || archOf(triple) == archOf(own)
}

// Command is how a program that was built is run here, where it is to see itself started
// as name.
func (t *Toolchain) Command(ctx context.Context, program, name string, args []string) *exec.Cmd {
	if t.Target != nil {
		return exec.CommandContext(ctx, t.Target.Emulator(), append([]string{"-L", t.Target.Library(), "-0", name, program}, args...)...)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Args[0] = name
	return cmd
}
