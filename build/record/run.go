package record

// This file runs an instrumented program once and makes the bundle.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"pathspan/bounded"
	"pathspan/profile"
	"pathspan/workers"
)

// Streams are the program's standard streams.
type Streams struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Status says how the program ended.
type Status struct {
	Exit   int            // -1 when a signal ended it
	Signal syscall.Signal // 0 when none did
}

// String says it in words.
func (s Status) String() string {
	if s.Signal != 0 {
		return fmt.Sprintf("was ended by signal %d (%s)", int(s.Signal), s.Signal)
	}
	return fmt.Sprintf("exited with status %d", s.Exit)
}

// ErrNoProfile is returned when the program ended without leaving counts, as when
// SIGKILL ends it.
var ErrNoProfile = errors.New("the program left no profile")

// Run executes the program and returns its bundle. A program that fails is no
// error: its status is returned beside the bundle.
func (r *Recorder) Run(ctx context.Context, b *Built, args []string, io Streams) (*profile.Bundle, Status, error) {
	raw, why := r.path("raw.prof"), r.path("why")
	os.Remove(raw)
	os.Remove(why)
	env, stop := []string(nil), func() {}
	if b.watched {
		env, stop = r.watch(b.Program)
	}
	if b.flow != nil {
		os.Remove(r.flowFile())
		env = append(env, "PATHSPAN_FLOW="+r.flowFile())
	}
	status, err := r.execute(ctx, b.Executable, args, io, append(env, "PATHSPAN_FILE="+strings.ReplaceAll(raw, "%", "%%"), "PATHSPAN_WHY="+why))
	stop()
	if err != nil {
		return nil, status, err
	}
	if told, err := bounded.ReadFile(why, bounded.Profile); err == nil {
		return nil, status, fmt.Errorf("%w: %s", ErrNoProfile, strings.TrimPrefix(strings.TrimSpace(string(told)), "pathspan: "))
	}
	bundle, err := r.collect(b, raw)
	if errors.Is(err, fs.ErrNotExist) {
		how := "it may have called exec or _exit through the system call"
		if status.Signal == syscall.SIGKILL {
			how = "SIGKILL leaves no chance to write one; end it with SIGTERM or SIGINT"
		}
		return nil, status, fmt.Errorf("%w: it %s; %s", ErrNoProfile, status, how)
	}
	if err != nil {
		return nil, status, err
	}
	run := &bundle.Provenance.Runs[0]
	run.Arguments, run.ExitStatus, run.Signal = args, status.Exit, int(status.Signal)
	return bundle, status, bundle.Check()
}

// collect makes the bundle of what a run wrote.
func (r *Recorder) collect(b *Built, file string) (*profile.Bundle, error) {
	if b.Options.SelfContained {
		data, err := bounded.ReadFile(file, bounded.Profile)
		if err != nil {
			return nil, err
		}
		return profile.Read(data)
	}
	counts, err := profile.Collect(b.Instr, file, b.Applied)
	if err != nil {
		return nil, err
	}
	bundle := r.bare(b)
	bundle.Funcs, bundle.Targets, bundle.Executions, bundle.Lost, bundle.Branches = counts.Funcs, counts.Targets, counts.Executions, counts.Lost, counts.Branches
	bundle.Notes = append(bundle.Notes, counts.Notes...)
	if b.memory != nil {
		if bundle.Memory, err = bundle.Memory.Told(counts.Memory); err != nil {
			return nil, err
		}
	}
	if b.flow != nil {
		if bundle.Flow, err = r.flowed(b); err != nil {
			return nil, err
		}
	}
	bundle.Provenance.Runs = []profile.Run{{Counted: counts.Counted, Inside: counts.Inside}}
	return bundle, nil
}

// bare is the bundle of a program before it has run.
func (r *Recorder) bare(b *Built) *profile.Bundle {
	var foreign []profile.Foreign
	if b.Options.Link != nil {
		foreign = b.Options.Link.Foreign
	}
	bundle := &profile.Bundle{
		Program: b.Program, Module: b.Module, Notes: append([]string(nil), b.Notes...),
		Provenance: profile.Provenance{
			Tool: b.Options.Tool, Clang: r.Toolchain.Full, OptLevel: "-O" + b.Options.Level, Flags: b.Options.CFlags,
			Sources: b.sources, ModuleHash: b.Instr.Hash, Foreign: foreign, Plan: b.plan,
		},
	}
	if b.memory != nil {
		bundle.Memory = b.memory.Data // before a run told of it
	}
	return bundle
}

// execute runs the program with its streams untouched. A terminal sends its signals
// to both of us: they are the program's to act on, so that it can leave its counts.
// Others are passed on.
func (r *Recorder) execute(ctx context.Context, exe string, args []string, streams Streams, env []string, files ...*os.File) (status Status, err error) {
	cmd := r.Toolchain.Command(ctx, exe, "./"+strings.TrimPrefix(filepath.Base(exe), "run-"), args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = streams.Stdin, streams.Stdout, streams.Stderr
	cmd.Env = environment(env, exe)
	cmd.ExtraFiles = files
	ours := make(chan os.Signal, 4)
	signal.Notify(ours, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(ours)
	if err = start(cmd); err != nil {
		return Status{Exit: -1}, err
	}
	for _, f := range files {
		f.Close() // the program's now
	}
	done := make(chan struct{})
	passing := workers.Start(func() {
		for {
			select {
			case s := <-ours:
				if s == syscall.SIGTERM || s == syscall.SIGHUP {
					cmd.Process.Signal(s)
				}
			case <-done:
				return
			}
		}
	})
	err = cmd.Wait()
	close(done)
	passing.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Status{Exit: -1}, err
	}
	ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && ws.Signaled() {
		return Status{Exit: -1, Signal: ws.Signal()}, nil
	}
	return Status{Exit: cmd.ProcessState.ExitCode()}, nil
}
