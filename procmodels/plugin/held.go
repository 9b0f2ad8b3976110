package plugin

// This file is pathspan's end of a plugin's supervisor: it starts one, ends it, and hears
// from it how the plugin ended.

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// held is a plugin's process, its supervisor between it and us.
type held struct {
	pid        int // the plugin's
	supervisor *exec.Cmd
	lifeline   *os.File // the plugin and all that it started end when this closes, whoever closes it
	release    sync.Once
	reportEnd  *os.File
	report     *bufio.Reader
}

// hold starts the command's program under a supervisor. Sockets of the plugin are in
// socketDir.
func hold(cmd *exec.Cmd, socketDir string) (*held, error) {
	lifelineEnd, lifeline, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer lifelineEnd.Close()
	reportEnd, report, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, lifeline.Close())
	}
	defer report.Close()
	h := &held{lifeline: lifeline, reportEnd: reportEnd, report: bufio.NewReader(reportEnd)}
	h.supervisor = &exec.Cmd{
		Path: ourselves, Args: []string{supervisorName, socketDir, cmd.Path},
		Env: cmd.Env, Dir: cmd.Dir, Stdout: cmd.Stdout, Stderr: cmd.Stderr,
		ExtraFiles: []*os.File{lifelineEnd, report}, // supervisorLifeline, supervisorReport
		// Ctrl-C in a terminal, and what ends our process group, must not reach it.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if err := h.supervisor.Start(); err != nil {
		errors.Join(lifeline.Close(), reportEnd.Close())
		return nil, fmt.Errorf("no supervisor for it: %v; it takes a /proc file system", err) // the error is not the plugin's
	}
	report.Close()
	var fault syscall.Errno
	switch kind, value := h.next(); kind {
	case reportPid:
		h.pid = int(value)
		return h, nil
	case reportFault:
		fault = syscall.Errno(value)
	}
	err = h.wait()
	if fault != 0 {
		err = &fs.PathError{Op: "fork/exec", Path: cmd.Path, Err: fault}
	}
	return nil, err
}

// next is the supervisor's next message, "" when it has ended.
func (h *held) next() (kind string, value uint32) {
	line, _ := h.report.ReadString('\n')
	if n, err := fmt.Sscanf(line, reportFormat, &kind, &value); n != 2 || err != nil {
		return "", 0
	}
	return kind, value
}

// end ends the plugin and all that it started.
func (h *held) end() { h.release.Do(func() { h.lifeline.Close() }) }

// wait waits until the plugin and all that it started have ended, and tells how the plugin
// did: nil stands for status 0.
func (h *held) wait() error {
	kind, value := h.next()
	err := h.supervisor.Wait()
	h.end()
	h.reportEnd.Close()
	if kind == reportExit {
		if value == 0 {
			return nil
		}
		return ending(value)
	}
	if err == nil {
		err = errors.New("nothing said")
	}
	return fmt.Errorf("its supervisor was ended (%w)", err)
}

// ending is how a process ended that did not succeed.
type ending syscall.WaitStatus

// Error is in the words of os/exec: "exit status 3", "signal: segmentation fault".
func (e ending) Error() string {
	status := syscall.WaitStatus(e)
	if status.Signaled() {
		return "signal: " + status.Signal().String()
	}
	return fmt.Sprintf("exit status %d", status.ExitStatus())
}

// killed tells whether a process ended as the supervisor ends it.
func killed(exit error) bool {
	var e ending
	if !errors.As(exit, &e) {
		return false
	}
	status := syscall.WaitStatus(e)
	return status.Signaled() && status.Signal() == syscall.SIGKILL
}
