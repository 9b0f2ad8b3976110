package cc

// This file decides who does a command line: clang alone, or we with clang's help.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"pathspan/bounded"
	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/scratch"
)

// Driver is one run of the drop-in compiler.
type Driver struct {
	Settings       Settings
	CXX            bool // c++ rather than cc
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	tc   *toolchain.Toolchain
	work string // folder for temporary files
	cmd  *Command
}

// Run does one command line and returns the exit status, which is clang's where clang
// did not succeed. An error is ours and one line.
func (d *Driver) Run(ctx context.Context, args []string) (status int, err error) {
	if d.tc, err = record.Toolchain(""); err != nil {
		return 1, err
	}
	if d.CXX && d.tc.ClangXX == "" {
		return 1, fmt.Errorf("there is no clang++ of LLVM %d beside %s; install it (%s), or name another with $%s",
			d.tc.Version, d.tc.Clang, toolchain.InstallCommand(fmt.Sprintf("clang-%d", d.tc.Version)), toolchain.EnvClang)
	}
	if d.cmd, err = ParseCommand(args, d.CXX); err != nil {
		return 1, err
	}
	if d.Settings.Plain {
		return d.clang(ctx, args)
	}
	if tc, err := d.tc.For(d.cmd.flags()); err == nil {
		d.tc = tc
	} else if d.cmd.Action != PassOn {
		return 1, fmt.Errorf("%w; build without profiling: %s=plain", err, EnvMode)
	}
	switch {
	case d.cmd.Action == PassOn:
		flags, err := d.preprocessing()
		if err != nil {
			return 1, err
		}
		return d.clang(ctx, append(flags, args...))
	case d.cmd.refused != "":
		return 1, refusal(d.cmd.refused)
	}
	if err := d.tc.Ready(d.CXX, false); err != nil {
		return 1, err
	}
	if d.cmd.Action == Link {
		scratch.Sweep()
	}
	if d.work, err = scratch.Folder("pathspan-cc-"); err != nil {
		return 1, err
	}
	defer scratch.Remove(d.work)
	switch {
	case d.cmd.isTest():
		return d.test(ctx)
	case d.cmd.Action == Compile:
		return d.compileAll(ctx)
	}
	return d.link(ctx)
}

func refusal(flag string) error {
	what := "its checks and counters would be counted as the program's own"
	if flag == "-m32" || flag == "-mx32" {
		what = "of 32-bit programs those of --target=arm-linux-gnueabihf are profiled"
	}
	return fmt.Errorf("%s does not go together with profiling: %s; leave it out, or build without profiling: %s=plain", flag, what, EnvMode)
}

// preprocessing returns the flags that clang needs where it only preprocesses or
// checks, so that it sees what a compilation sees.
func (d *Driver) preprocessing() ([]string, error) {
	source, reads := false, false
	for _, it := range d.cmd.items {
		switch {
		case it.kind == inputItem && carriesIR(strings.TrimSuffix(it.lang, "-header")) && it.lang != "ir":
			source = true
			reads = reads || hasSuffix(it.lang, "-header")
		case it.kind == inputItem:
			return nil, nil
		case it.kind == flagItem:
			switch it.words[0] {
			case "-E", "-M", "-MM", "-fsyntax-only":
				reads = true
			}
		}
	}
	if !source || !reads || !d.cmd.openmp {
		return nil, nil
	}
	include, err := (&record.Recorder{}).Headers()
	return []string{"-fopenmp=libomp", "-idirafter", include}, err
}

// clang runs the compiler on our streams.
func (d *Driver) clang(ctx context.Context, args []string) (int, error) {
	return d.tool(ctx, args, d.Stdin, d.Stdout, d.Stderr)
}

// tool runs the compiler and returns its exit status.
func (d *Driver) tool(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	path := d.tc.Clang
	if d.CXX {
		path = d.tc.ClangXX
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	toolchain.EndGently(cmd)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 1, errors.New("stopped by a signal")
	case errors.As(err, &exit):
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			return 128 + int(ws.Signal()), nil
		}
		return exit.ExitCode(), nil
	case err != nil:
		return 1, fmt.Errorf("%s cannot be run: %w", path, bounded.Reason(err))
	}
	return 0, nil
}

func (d *Driver) warn(format string, args ...any) {
	if !d.Settings.Quiet {
		fmt.Fprintf(d.Stderr, "pathspan: "+format+"\n", args...)
	}
}

func (d *Driver) path(name string) string { return filepath.Join(d.work, name) }

// place writes a file where the build wants it: beside its place and renamed, unless
// there is a device or a pipe. The file gets the permissions that a new file gets.
func place(path string, data []byte, mode os.FileMode) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", path, bounded.Reason(err))
		}
		defer f.Close()
		_, err = io.Copy(f, bytes.NewReader(data))
		return err
	}
	if err := scratch.PlaceBytes(path, mode&^umask(), data); err != nil {
		return fmt.Errorf("%s: %w", path, bounded.Reason(err))
	}
	return nil
}

// umask returns the permissions that new files do not get.
func umask() os.FileMode {
	m := syscall.Umask(0)
	syscall.Umask(m)
	return os.FileMode(m)
}
