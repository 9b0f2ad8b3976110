package flow

// This file writes schedules as waveforms, in the format of IEEE 1364 that GTKWave reads.

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// VCD writes what each statement reads, executes and writes in each cycle, as numbers of
// executions; names are those of statements. A unit of time is a cycle.
func (s *Schedule) VCD(w io.Writer, names []string) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "$comment a unit of time is a cycle; values are executions $end\n$timescale 1 ns $end\n$scope module flow $end\n")
	stages := []string{Reading: "read", Executing: "execute", Writing: "write"}
	type change struct {
		at     int64
		signal int
		value  int
	}
	var changes []change
	signals := 0
	declare := func(name string, stage Stage, statement int) {
		fmt.Fprintf(b, "$var integer 32 %s %s $end\n", identifier(signals), name)
		for _, step := range s.Profile(stage, statement) {
			changes = append(changes, change{step.At, signals, step.Active})
		}
		signals++
	}
	declare("executing", Executing, -1)
	for i, name := range names {
		fmt.Fprintf(b, "$scope module %s $end\n", word(name))
		for stage, what := range stages {
			declare(what, Stage(stage), i)
		}
		fmt.Fprint(b, "$upscope $end\n")
	}
	fmt.Fprint(b, "$upscope $end\n$enddefinitions $end\n$dumpvars\n")
	for i := range signals {
		fmt.Fprintf(b, "b0 %s\n", identifier(i))
	}
	fmt.Fprint(b, "$end\n")
	slices.SortStableFunc(changes, func(a, b change) int {
		switch {
		case a.at != b.at && a.at < b.at:
			return -1
		case a.at != b.at:
			return 1
		}
		return a.signal - b.signal
	})
	for i, c := range changes {
		if i == 0 || changes[i-1].at != c.at {
			fmt.Fprintf(b, "#%d\n", c.at)
		}
		fmt.Fprintf(b, "b%b %s\n", c.value, identifier(c.signal))
	}
	fmt.Fprintf(b, "#%d\n", s.Finish)
	return b.Flush()
}

// identifier is the short name of a signal, of the characters that the format has for that.
func identifier(n int) string {
	var out []byte
	for {
		out = append(out, byte('!'+n%94))
		if n /= 94; n == 0 {
			return string(out)
		}
	}
}

// word is a name without what ends one in the format.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, name)
}
