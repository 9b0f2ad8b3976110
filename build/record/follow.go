package record

// This file runs a program once while a reader follows its events.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"pathspan/build/probe"
	"pathspan/ir/asm"
	"pathspan/profile"
	"pathspan/workers"
)

// FromBundle returns the program of a bundle, for [Recorder.Metered]. Of the options it
// takes level and flags; Sources name the program.
func (r *Recorder) FromBundle(b *profile.Bundle, opt Options) *Built {
	built := &Built{Options: opt, Module: b.Module, Program: b.Program, Notes: b.Notes}
	built.cxx = bytes.Contains(b.Module, []byte("@__gxx_personality_v0")) || bytes.Contains(b.Module, []byte("@_ZSt")) ||
		bytes.Contains(b.Module, []byte("@_Zn")) || bytes.Contains(b.Module, []byte("@_Zd")) // new and delete
	return built
}

// Metered links the costed module of b with meters and returns the executable, which
// [Recorder.Follow] runs. With the option Memory it tells of accesses, too.
func (r *Recorder) Metered(ctx context.Context, b *Built, meters *probe.Meters) (string, error) {
	m, err := asm.Parse(b.Module)
	if err != nil {
		return "", err
	}
	sources := []string{"replay.c", "watch.c", "ends.c"}
	mem, err := r.memory(b, m)
	if err != nil {
		return "", err
	}
	metered, err := probe.Meter(m, b.Program, meters)
	if err != nil {
		return "", err
	}
	if err := metered.Finish(m); err != nil {
		return "", err
	}
	if mem != nil {
		if err := mem.WriteAccesses(); err != nil {
			return "", err
		}
		sources = append(sources, "accesses.c", "texts.c")
	}
	if err := r.write("7-meters.ll", m.Bytes()); err != nil {
		return "", err
	}
	if err := os.MkdirAll(r.path("replay"), 0o755); err != nil {
		return "", err
	}
	exe := filepath.Join(r.path("replay"), b.name())
	return exe, r.link(ctx, b, "7-meters.ll", exe, sources...)
}

// pipeSize is asked for as the size of the pipe that events travel through, so that
// the program seldom waits.
const pipeSize = 1 << 20

// afterEnd is how long the next events may take to arrive when the program has ended: a child
// that it left behind may keep the pipe open. Events that are there may be read at leisure.
const afterEnd = 2 * time.Second

// Follow executes a metered program of b and hands its events to follow, which reads until
// the stream ends. The program's status is returned beside follow's error.
func (r *Recorder) Follow(ctx context.Context, b *Built, exe string, args []string, streams Streams, follow func(io.Reader) error) (Status, error) {
	env, stop := r.watch(b.Program)
	defer stop()
	return r.follow(ctx, exe, args, streams, follow, append(env, "PATHSPAN_EVENTS=3"))
}

// follow executes a program that writes to descriptor 3, which env tells it.
func (r *Recorder) follow(ctx context.Context, exe string, args []string, streams Streams, follow func(io.Reader) error, env []string) (Status, error) {
	events, theirs, err := os.Pipe()
	if err != nil {
		return Status{Exit: -1}, err
	}
	defer events.Close()
	syscall.Syscall(syscall.SYS_FCNTL, theirs.Fd(), fSetPipeSize, pipeSize) // a wish: the default works too
	arriving := &arrivals{File: events}
	var followErr error
	following := workers.Start(func() {
		defer io.Copy(io.Discard, arriving) // what follows an error, so that the program is not stopped by it
		followErr = follow(arriving)
	})
	status, err := r.execute(ctx, exe, args, streams, env, theirs)
	theirs.Close()
	if err != nil {
		events.SetReadDeadline(time.Now())
		following.Wait()
		return status, err
	}
	arriving.ended.Store(true)
	events.SetReadDeadline(time.Now().Add(afterEnd))
	following.Wait()
	if err = followErr; errors.Is(err, os.ErrDeadlineExceeded) {
		err = fmt.Errorf("the program ended, but not its events: a process that it left behind still holds them open")
	}
	return status, err
}

// arrivals are events, for each of which a reader waits afterEnd at most once the program has ended.
type arrivals struct {
	*os.File
	ended atomic.Bool
}

func (a *arrivals) Read(p []byte) (int, error) {
	if a.ended.Load() {
		a.SetReadDeadline(time.Now().Add(afterEnd))
	}
	return a.File.Read(p)
}

// fSetPipeSize is F_SETPIPE_SZ of Linux.
const fSetPipeSize = 1031
