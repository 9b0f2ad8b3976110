package plugin

// This file says in one line why a plugin failed and what to do.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"pathspan/procmodels/wire"
)

// protocol is where authors read what a plugin must do.
const protocol = "procmodels/pluginpb/model.proto"

// errSilent is why an exchange is given up when no message came for too long.
var errSilent = errors.New("silent")

// settling bounds the wait for what must come once a process is about to end: its status,
// the end of what it writes. Only a busy machine takes noticeable time for that.
const settling = 10 * time.Second

// errEndless is why an exchange is given up that goes on for too long.
var errEndless = errors.New("endless")

// startFault explains why a plugin did not start. What it printed tells more than
// go-plugin's error.
func (i *instance) startFault(err error) error {
	line := i.process.line.text()
	parts := strings.Split(strings.TrimSpace(line), "|")
	switch {
	case errors.Is(err, fs.ErrNotExist): // although the file exists
		return i.ref.errorf("the interpreter in its first line is missing")
	case errors.Is(err, fs.ErrPermission):
		return i.ref.errorf("may not be executed: permission denied")
	case errors.Is(err, syscall.ENOEXEC):
		return i.ref.errorf("is no program for this machine; a script needs a first line such as #!/usr/bin/env python3")
	}
	var started *exec.Error
	if errors.As(err, &started) || i.process.ID() == "" {
		return i.ref.errorf("cannot be started: %s", wire.Line(err.Error()))
	}
	if strings.TrimSpace(line) == "" {
		if i.process.ended(settling) { // go-plugin has ended it, if it had not
			return i.ref.errorf("%s before it said where it listens%s; a plugin serves until it is ended, see %s", i.exited(), i.lastWords(), protocol)
		}
		return i.ref.errorf("did not say where it listens in %v%s; %s sets the limit", i.limits.start, i.lastWords(), TimeoutVariable)
	}
	if len(parts) < 4 {
		return i.ref.errorf("is no plugin of pathspan: it printed %q, where a plugin says where it listens, see %s", clip(line), protocol)
	}
	const fix = "rebuild it with pathspan's SDK, or update pathspan"
	switch {
	case parts[0] != "1":
		return i.ref.errorf("speaks version %s of go-plugin's handshake, pathspan speaks 1; %s", clip(parts[0]), fix)
	case !spoken(parts[1]):
		return i.ref.errorf("speaks version %s of the protocol, pathspan speaks %s; %s", clip(parts[1]), strings.Trim(strings.Join(strings.Fields(fmt.Sprint(wire.Versions)), " and "), "[]"), fix)
	case len(parts) < 5 || parts[4] != "grpc":
		return i.ref.errorf("does not speak gRPC: it printed %q; see %s", clip(line), protocol)
	case !printedCertificate(line):
		return i.ref.errorf("printed no certificate, and pathspan speaks to plugins with mutual TLS alone; see %s", protocol)
	case i.process.ended(200 * time.Millisecond):
		return i.ref.errorf("%s after the handshake%s", i.exited(), i.lastWords())
	}
	return i.ref.errorf("no connection to %s: %s", clip(parts[3]), wire.Line(err.Error()))
}

// spoken reports whether a version that a plugin printed is one of pathspan's.
func spoken(version string) bool {
	return slices.ContainsFunc(wire.Versions, func(v int) bool { return version == fmt.Sprint(v) })
}

// errNoCertificate is why a connection is not used.
var errNoCertificate = errors.New("no certificate")

// printedCertificate tells whether a handshake holds a certificate. What is shorter
// go-plugin ignores.
func printedCertificate(line string) bool {
	parts := strings.Split(line, "|")
	return len(parts) >= 6 && len(parts[5]) > 50
}

// callFault explains why a call failed. Progress says how far an exchange came, "" when
// there is none; most is how many bytes a message of the plugin may have.
func (i *instance) callFault(ctx context.Context, err error, call, progress string, most int) error {
	if progress != "" {
		progress = " " + progress
	}
	if errors.Is(context.Cause(ctx), errSilent) {
		return i.ref.errorf("%s: no message for %v%s; if it is not stuck but slow, %s sets the limit", call, i.limits.silence, progress, TimeoutVariable)
	}
	if errors.Is(context.Cause(ctx), errEndless) {
		return i.ref.errorf("%s: no end after %v%s; if it is not stuck but slow, %s sets the limit", call, i.limits.speech, progress, TimeoutVariable)
	}
	if ctx.Err() != nil {
		return i.ref.errorf("%s: interrupted%s: %w", call, progress, context.Cause(ctx))
	}
	s := status.Convert(err)
	if s.Code() == codes.Unavailable || s.Code() == codes.Canceled || s.Code() == codes.Internal {
		// The connection may have ended because the process did, a moment before that shows.
		wait := settling
		if s.Code() == codes.Internal {
			wait = 50 * time.Millisecond
		}
		if i.process.ended(wait) {
			return i.ref.errorf("%s: it crashed: %s%s%s", call, i.exited(), progress, i.lastWords())
		}
	}
	message := wire.Line(s.Message())
	switch s.Code() {
	case codes.Unimplemented:
		return i.ref.errorf("%s: it does not serve this call (%s); see %s", call, message, protocol)
	case codes.ResourceExhausted:
		if strings.Contains(message, fmt.Sprintf(" vs. %d)", most)) {
			return i.ref.errorf("%s: it sent a message of more than %d bytes%s; a plugin must send what it knows, in batches", call, most, progress)
		}
		return i.ref.errorf("%s: %s; a server of plugins must lift gRPC's limit of message sizes", call, message)
	case codes.Unavailable:
		if strings.Contains(message, "authentication handshake") || strings.Contains(message, "tls:") {
			return i.ref.errorf("%s: no TLS connection (%s); a plugin must use the certificate that it printed and ask for the one in PLUGIN_CLIENT_CERT", call, message)
		}
		return i.ref.errorf("%s: the connection is lost%s: %s", call, progress, message)
	case codes.InvalidArgument:
		return i.ref.errorf("%s", message)
	}
	return i.ref.errorf("%s: %s", call, message)
}

// exited says how the process ended.
func (i *instance) exited() string {
	if i.process.exit != nil {
		return wire.Line(i.process.exit.Error()) // "exit status 3", "signal: segmentation fault"
	}
	return "exit status 0"
}

// lastWords is what the plugin wrote to standard error, for the end of a message.
func (i *instance) lastWords() string {
	select {
	case <-i.process.stderr.read:
	case <-time.After(settling):
	}
	if last := i.process.words.last(); last != "" {
		return fmt.Sprintf("; its last words: %q", last)
	}
	return ""
}

// clip shortens what a plugin printed.
func clip(s string) string {
	const most = 80
	s = wire.Line(s)
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
