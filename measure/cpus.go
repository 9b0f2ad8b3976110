package measure

// This file chooses this machine's processors for the threads.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Waiting threads spin this often before they sleep, when each has a processor of its
// own and when they have to share.
const (
	spinAlone  = 20000
	spinShared = 200
)

// Host describes where threads can run.
type Host struct {
	CPUs []int // that this process may use, one thread of each core first
	// Cores is how many cores they are on; hardware threads of one core slow each
	// other down.
	Cores int
}

// ThisHost asks the operating system.
func ThisHost() (*Host, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("this machine's processors cannot be listed: %w", err)
	}
	var all []int
	for c := range len(set) * 64 {
		if set.IsSet(c) {
			all = append(all, c)
		}
	}
	return newHost(all, siblings), nil
}

// newHost orders processors so that the first of each core come first. siblings tells
// the first processor of the core that one belongs to.
func newHost(cpus []int, siblings func(int) int) *Host {
	h := &Host{}
	var rest []int
	var cores []int
	for _, c := range cpus {
		if core := siblings(c); slices.Contains(cores, core) {
			rest = append(rest, c)
		} else {
			cores = append(cores, core)
			h.CPUs = append(h.CPUs, c)
		}
	}
	h.Cores = len(cores)
	h.CPUs = append(h.CPUs, rest...)
	return h
}

// siblings reads the first hardware thread of the core of a processor from Linux's
// topology; a processor that it does not describe is a core of its own.
func siblings(cpu int) int {
	data, err := os.ReadFile(filepath.Join("/sys/devices/system/cpu", fmt.Sprintf("cpu%d", cpu), "topology/thread_siblings_list"))
	if err != nil {
		return cpu
	}
	first := strings.FieldsFunc(string(data), func(r rune) bool { return r < '0' || r > '9' })
	if len(first) == 0 {
		return cpu
	}
	n, err := strconv.Atoi(first[0])
	if err != nil {
		return cpu
	}
	return n
}

// Place chooses a processor of the host for each of n threads and how long waiting
// threads spin. With fewer processors than threads they are left to the operating
// system; enough says whether each has a core of its own.
func (h *Host) Place(n int) (cpus []int, spin int, enough bool) {
	if n > len(h.CPUs) {
		return slices.Repeat([]int{-1}, n), spinShared, false
	}
	return slices.Clone(h.CPUs[:n]), spinAlone, n <= h.Cores
}
