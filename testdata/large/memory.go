package large

// This file watches how much memory a build takes.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// WatchMemory samples memory until stop is called, which returns the most in MB that this
// process has had, and that any one process has had that it started, directly or not.
// What the system tells of ended processes would count the memory of this one, which
// they start as copies of.
func WatchMemory() (stop func() (self, tools float64)) {
	self := fmt.Sprint(os.Getpid())
	own, _ := os.Executable() // a copy of this process that has not yet become another
	done, result := make(chan bool), make(chan float64)
	go func() {
		most := 0.0
		for {
			select {
			case <-done:
				result <- most
				return
			case <-time.After(20 * time.Millisecond):
			}
			pids, _ := filepath.Glob("/proc/[0-9]*")
			parents := map[string]string{}
			for _, p := range pids {
				parents[filepath.Base(p)] = parentOf(filepath.Base(p))
			}
			for pid := range parents {
				up := parents[pid]
				for up != "" && up != self {
					up = parents[up]
				}
				if exe, _ := os.Readlink("/proc/" + pid + "/exe"); up == self && exe != own {
					most = max(most, peakOf(pid))
				}
			}
		}
	}()
	return func() (float64, float64) {
		close(done)
		return peakOf(self), <-result
	}
}

// peakOf is the most memory in MB that a process has had, 0 once it has ended.
func peakOf(pid string) float64 {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kB float64
	fmt.Sscan(rest, &kB)
	return kB / 1000
}

// parentOf is the process that started one, "" once it has ended.
func parentOf(pid string) string {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return ""
	}
	end := strings.LastIndex(string(stat), ") ")
	if f := strings.Fields(string(stat[end+1:])); len(f) > 1 {
		return f[1]
	}
	return ""
}
