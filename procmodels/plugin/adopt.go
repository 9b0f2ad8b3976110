package plugin

// This file makes Linux leave orphans to the supervisor, and finds its children.

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// ourselves is this program, even where its file was replaced meanwhile.
const ourselves = "/proc/self/exe"

// adoptOrphans makes this process the parent of descendants whose own parent ends.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// limitToParent ends a process with the thread that starts it, should somebody kill the
// supervisor.
func limitToParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// killChildren kills the processes whose parent this one is. Their numbers cannot be
// somebody else's by then, since only reap gives them back.
func (s *supervisor) killChildren() {
	if !s.ended {
		_ = syscall.Kill(s.plugin, syscall.SIGKILL)
	}
	us := []byte(strconv.Itoa(os.Getpid()))
	proc, err := os.Open("/proc")
	if err != nil {
		return
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// The command, in parentheses, may hold any character; state and parent follow.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) > 1 && bytes.Equal(fields[1], us) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
