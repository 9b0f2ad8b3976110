package plugin

// This file starts processes below a plugin, as one does that compiles, keeps a server or
// is a script.

import (
	"fmt"
	"os/exec"
	"syscall"
)

// othersStarted are the processes that startOthers notes.
const othersStarted = 4

// startOthers starts a child, one that leaves the process group and the session, and
// below a parent that has gone a child and one that has left as well.
func startOthers() {
	for _, attr := range []*syscall.SysProcAttr{{}, {Setsid: true}} {
		child := exec.Command("sleep", "1000")
		child.SysProcAttr = attr
		if err := child.Start(); err == nil {
			note("processes", fmt.Sprint(child.Process.Pid))
		}
		parent := exec.Command("/bin/sh", "-c", "sleep 1000 </dev/null >/dev/null 2>&1 & echo $!")
		parent.SysProcAttr = attr
		if out, err := parent.Output(); err == nil {
			note("processes", string(out))
		}
	}
}
