//go:build unix

package plugin

// This file ends a plugin together with the processes that it started.

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"pathspan/workers"
)

// isolate gives the command a process group of its own: it ends as one, and Ctrl-C in a
// terminal reaches pathspan alone, which ends it.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

// killGroup ends a process and the rest of its group.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// killedBySignal tells whether a process ended as killGroup ends it.
func killedBySignal(exit error) bool {
	var e *exec.ExitError
	if !errors.As(exit, &e) {
		return false
	}
	status, ok := e.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// guard ends a group when pathspan has gone without doing so, killed itself. What Linux
// does for that reaches the plugin, but not what the plugin started.
type guard struct{ pipe io.WriteCloser }

// The guard waits at a pipe that closes when pathspan ends, however it ends.
const guardScript = `read -r word && exit 0
kill -s KILL -- "-$1" 2>/dev/null
rm -f "$2"/plugin*
rmdir "$2"`

// newGuard starts a guard of a group, whose sockets are in socketDir. Without a shell
// there is none.
func newGuard(group int, socketDir string) *guard {
	cmd := exec.Command("/bin/sh", "-c", guardScript, "pathspan-plugin-guard", strconv.Itoa(group), socketDir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Dir = "/"
	pipe, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	workers.Start(func() { _ = cmd.Wait() })
	return &guard{pipe}
}

// release dismisses the guard.
func (g *guard) release() {
	if g != nil {
		_, _ = io.WriteString(g.pipe, "done\n")
		_ = g.pipe.Close()
	}
}
