package record

// This file starts programs so that everything has the same address in each run: what a profile
// tells of lines and of sets of caches hangs on where things lie.

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// noRandomize is ADDR_NO_RANDOMIZE of personality(2).
const noRandomize = 0x0040000

// personality sets how the calling thread's children see the system, and returns what it was before;
// as ^0 it changes nothing.
var personality = func(to uintptr) (uintptr, syscall.Errno) {
	was, _, err := syscall.RawSyscall(syscall.SYS_PERSONALITY, to, 0, 0)
	return was, err
}

// start starts a command whose stack, heap and mappings lie where they lay the last time, but where
// the system refuses that, as its memory then tells.
func start(cmd *exec.Cmd) error {
	runtime.LockOSThread() // it is the thread's, and what it forks has it
	defer runtime.UnlockOSThread()
	if was, errno := personality(^uintptr(0)); errno == 0 && was&noRandomize == 0 {
		if _, errno = personality(was | noRandomize); errno == 0 {
			defer personality(was)
		}
	}
	return cmd.Start()
}

// evenly adds variables to an environment so that with a program's name it has as many words and
// bytes as others: both lie on the program's stack, above all that it puts there.
func evenly(env []string, program string) []string {
	const words, bytes = 256, 1 << 16
	total := len(program) + 1
	for _, e := range env {
		total += len(e) + 1
	}
	name := func(n int) string { return fmt.Sprintf("PATHSPAN_EVEN_%03d=", n%words) }
	each := len(name(0)) + 1
	more := words - len(env)%words
	rest := bytes - (total+more*each)%bytes
	for n := range more {
		env = append(env, name(n))
	}
	env[len(env)-1] += strings.Repeat("-", rest%bytes)
	return env
}

// environment is ours with more variables, as a program of that name is to have it.
func environment(more []string, program string) []string {
	cmd := exec.Cmd{Env: append(os.Environ(), more...)}
	return evenly(cmd.Environ(), program) // the last of a name is the one that holds
}
