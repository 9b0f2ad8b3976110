package measure

// This file writes a mapping as the run-time library of parallel runs reads it
// (build/runtime/team.c).

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/mapping"
	"pathspan/mapping/loops"
)

// Mapping is a mapping to measure.
type Mapping struct {
	Name     string
	Resolved *mapping.Resolved
	// CPUs is the processor of this machine for each of the platform's, -1 to leave its
	// thread to the operating system.
	CPUs []int
	Spin int // how often a waiting thread looks before it sleeps
	// Threads, where it is not 0, is how many threads LLVM's OpenMP library has. It takes no
	// more of a mapping.
	Threads int
}

// environment returns the variables that tell a run of the mapping, which lies in a file.
func (m *Mapping) environment(file string) []string {
	if m.Threads == 0 {
		return []string{"PATHSPAN_MAPPING=" + file}
	}
	env := []string{fmt.Sprintf("OMP_NUM_THREADS=%d", m.Threads), "OMP_DYNAMIC=false"}
	if m.CPUs == nil || m.CPUs[0] < 0 {
		return env
	}
	var places []string
	for _, c := range m.CPUs {
		places = append(places, fmt.Sprintf("{%d}", c))
	}
	return append(env, "OMP_PROC_BIND=close", "OMP_PLACES="+strings.Join(places, ","))
}

// Text spells the mapping for the variable PATHSPAN_MAPPING, which names a file of it.
func (m *Mapping) Text() string {
	var b strings.Builder
	r := m.Resolved
	fmt.Fprintf(&b, "processors %d serial %d spin %d regions %d\n", len(r.Platform.Processors), r.Serial, m.Spin, len(r.Regions))
	for _, c := range m.CPUs {
		fmt.Fprintf(&b, "cpu %d\n", c)
	}
	for i := range r.Regions {
		g := &r.Regions[i]
		named := 0
		if g.Explicit {
			named = 1
		}
		fmt.Fprintf(&b, "region explicit %d constructs %d\n", named, len(g.Proc))
		for c, proc := range g.Proc {
			if g.Loops != nil && g.Loops[c] != nil {
				fmt.Fprintln(&b, loopText(g.Loops[c], proc))
				continue
			}
			fmt.Fprintf(&b, "construct %d", len(proc))
			for _, s := range g.Order[c] {
				fmt.Fprintf(&b, " %d %d", s, proc[s])
			}
			fmt.Fprintln(&b)
		}
	}
	return b.String()
}

// loopText spells how a loop shares its iterations. Threads of one processor are one thread
// of the team: it would run their iterations one after another.
func loopText(l *mapping.LoopMap, proc []int) string {
	var team []int
	var shares []float64
	for t, p := range proc[:l.Threads] {
		i := slices.Index(team, p)
		if i < 0 {
			i = len(team)
			team, shares = append(team, p), append(shares, 0)
		}
		if l.Shares != nil {
			shares[i] += l.Shares[t]
		}
	}
	kind, chunk := l.Schedule.Kind.String(), l.Schedule.Chunk
	switch {
	case l.Shares != nil:
		kind = "weighted"
	case l.Schedule.Kind == loops.Dynamic && l.Schedule.Order == loops.Nonmonotonic:
		kind = "stealing"
	}
	if l.Computed {
		chunk = -1
	}
	words := []string{"loop", kind, strconv.FormatInt(chunk, 10), strconv.Itoa(len(team))}
	for i, p := range team {
		words = append(words, strconv.Itoa(p))
		if l.Shares != nil {
			words = append(words, strconv.FormatFloat(shares[i], 'g', -1, 64))
		}
	}
	return strings.Join(words, " ")
}
