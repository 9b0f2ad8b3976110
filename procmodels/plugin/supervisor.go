package plugin

// This file is the supervisor: a second process of this program, between pathspan and one
// plugin, that outlives pathspan for as long as it takes to end all that the plugin started.
//
// Nothing else is sure to do that. What pathspan does when it ends does not happen when it
// is killed. A signal for the parent's death reaches the plugin alone, which may be a
// script that waits for an interpreter; one for the process group misses what has left the
// group. So the supervisor adopts orphans: whatever a descendant does, it stays below the
// supervisor, which kills its children until it has none.
//
// It makes Linux leave orphans to the supervisor, and finds its children.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pathspan/workers"
)

const (
	// supervisorName, as the name under which this program was started, makes it a
	// supervisor; its arguments are the folder of the plugin's sockets and the plugin.
	supervisorName = "pathspan-plugin-supervisor"

	supervisorLifeline = 3 // at its end pathspan is gone, or has done with the plugin
	supervisorReport   = 4 // takes messages of a word and a number

	reportFormat = "%s %d\n"
	reportPid    = "pid"   // the plugin runs
	reportFault  = "fault" // it does not: an errno
	reportExit   = "exit"  // it has ended: the status as wait(2) gives it

	// giveUp bounds the wait for processes that cannot be killed: those of another user,
	// those that a dead file server holds.
	giveUp = 30 * time.Second
)

// Any program that holds this package can be its own supervisor, tests among them, and
// none needs to do something for that in main.
func init() {
	if len(os.Args) == 3 && os.Args[0] == supervisorName {
		// The plugin ends with the thread that starts it, see limitToParent.
		runtime.LockOSThread()
		s := supervisor{report: os.NewFile(supervisorReport, "report")}
		s.run(os.Args[1], os.Args[2])
		os.Exit(0)
	}
}

// supervisor runs one plugin.
type supervisor struct {
	report *os.File
	plugin int
	ended  bool // the plugin
	status syscall.WaitStatus
}

func (s *supervisor) run(socketDir, path string) {
	syscall.CloseOnExec(supervisorLifeline)
	syscall.CloseOnExec(supervisorReport)
	adoptOrphans()
	child := make(chan os.Signal, 1)
	signal.Notify(child, syscall.SIGCHLD)
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	abandon := workers.Start(func() {
		_, _ = io.Copy(io.Discard, os.NewFile(supervisorLifeline, "lifeline"))
	})

	attr := &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setpgid: true}}
	limitToParent(attr.Sys)
	pid, err := syscall.ForkExec(path, []string{path}, attr)
	if err != nil {
		errno, _ := err.(syscall.Errno)
		fmt.Fprintf(s.report, reportFormat, reportFault, uint32(errno))
		return
	}
	s.plugin = pid
	fmt.Fprintf(s.report, reportFormat, reportPid, pid)
	for abandoned := false; !s.ended && !abandoned; {
		select {
		case <-child:
			s.reap()
		case <-told:
			abandoned = true
		case <-abandon.Ended():
			abandoned = true
		}
	}
	s.endAll()
	fmt.Fprintf(s.report, reportFormat, reportExit, uint32(s.status))
	// pathspan removes them where it lives. They are sockets of the plugin, no more.
	sockets, _ := filepath.Glob(filepath.Join(socketDir, "plugin*"))
	for _, socket := range sockets {
		_ = os.Remove(socket)
	}
	_ = os.Remove(socketDir)
}

// reap takes the children that have ended and tells whether there are others.
func (s *supervisor) reap() (more bool) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return false
		case pid == 0:
			return true
		case pid == s.plugin:
			s.ended, s.status = true, status
		}
	}
}

// endAll kills children until there are none. A child that ends leaves its own to us before
// it can be reaped, so when there is none left to reap, nothing is left.
func (s *supervisor) endAll() {
	const longest = 20 * time.Millisecond
	pause := time.Millisecond
	for end := time.Now().Add(giveUp); time.Now().Before(end); {
		s.killChildren()
		if !s.reap() {
			return
		}
		time.Sleep(pause)
		pause = min(2*pause, longest)
	}
}

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
