package mca

// This file makes a figure of a machine block out of its timing: what is added to
// llvm-mca's cycles, and what is corrected where they cannot be.

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// figure is what a machine block costs, without the functions that it calls: blocks that
// differ in those share a figure.
type figure struct {
	best, typical, worst float64
	notes                []note // in the order of the code
	clamped              bool   // the typical cycles were beyond what the instructions add up to
	pieces               int
}

// note is a part of the cycles that rests on an assumption.
type note struct {
	reason string
	cycles float64
	count  int // instructions
}

const (
	unmodelled    = 2   // cycles assumed for an instruction that llvm-mca does not take
	placeholder   = 10  // cycles assumed for one whose schedule says "very long"
	absurd        = 1.5 // times the cycles of the instructions one after the other
	leastDivision = 4   // cycles of the fastest divisions and roots that there are
)

// Schedules give microcoded and system instructions a latency of 100 or more and a single
// micro-operation where the vendor says nothing.
func isPlaceholder(r row) bool {
	return r.latency >= 100 && r.uops <= 1 && !division.MatchString(r.text)
}

var (
	division  = regexp.MustCompile(`^v?f?[usi]?(div|sqrt|rem)`)
	registers = regexp.MustCompile(`^(push|pop|v?ldm|v?stm|vpush|vpop)[a-z]*(\.w)?\s.*\{(.*)\}`)
)

// figureOf prices a block whose code was timed in pieces; dropped are the units that
// llvm-mca did not take.
func figureOf(pieces []*piece, dropped []drop, o options) figure {
	f := figure{pieces: len(pieces)}
	serial := 0.0 // cycles if nothing overlapped
	loads := 0
	for _, p := range pieces {
		f.typical += p.t.steady
		f.worst += p.t.single
		f.best += p.t.bound
		for _, r := range p.t.rows {
			serial += math.Max(math.Max(r.latency, r.rthroughput), 1)
			if r.load {
				loads++
			}
		}
	}
	if f.typical > absurd*serial {
		f.typical, f.clamped = serial, true
	}
	f.worst = math.Max(f.worst, f.typical)
	f.best = math.Min(f.best, f.typical)
	for _, p := range pieces {
		for _, r := range p.t.rows {
			f.correct(r)
		}
	}
	for _, d := range dropped {
		why, each := "not modelled by llvm-mca", float64(unmodelled)
		if d.placeholder {
			why, each = "the schedule has no figure", placeholder
		}
		f.add(fmt.Sprintf("instruction %s: %s, %g cycles assumed", mnemonics(d.unit), why, each*float64(d.count)), each*float64(d.count), d.count)
	}
	if m := o.memory(); m > 0 && loads > 0 {
		f.add(fmt.Sprintf("memory: %g cycles a load beyond first-level hits, as parameters say", m), m*float64(loads), loads)
	}
	return f
}

// correct adds what a schedule leaves out that cannot be left out.
func (f *figure) correct(r row) {
	name, _, _ := strings.Cut(r.text, "\t")
	if m := registers.FindStringSubmatch(r.text); m != nil {
		// Schedules of the Cortex-M class take these for one access.
		n := float64(countRegisters(m[3]))
		if modelled := math.Max(float64(r.uops), r.rthroughput); n > modelled {
			f.add(fmt.Sprintf("%s of several registers: the schedule has one access, a cycle each assumed", m[1]), n-modelled, 1)
		}
		return
	}
	if division.MatchString(name) && r.latency < leastDivision && !strings.Contains(r.text, "mm") {
		f.add(fmt.Sprintf("%s: the schedule says %g cycles, %d assumed", name, r.latency, leastDivision), leastDivision-r.latency, 1)
	}
}

// add charges cycles that rest on an assumption.
func (f *figure) add(reason string, cycles float64, count int) {
	f.best += cycles
	f.typical += cycles
	f.worst += cycles
	f.notes = append(f.notes, note{reason, cycles, count})
}

// countRegisters counts the registers of a list such as "r4, r6-r8, lr".
func countRegisters(list string) int {
	n := 0
	for _, part := range strings.Split(list, ",") {
		from, to, ranged := strings.Cut(strings.TrimSpace(part), "-")
		n++
		if ranged {
			var a, b int
			if _, err := fmt.Sscanf(strings.TrimLeft(from, "rsdq"), "%d", &a); err != nil {
				continue
			}
			if _, err := fmt.Sscanf(strings.TrimLeft(to, "rsdq"), "%d", &b); err != nil {
				continue
			}
			n += max(0, b-a)
		}
	}
	return n
}

// mnemonics names a unit's instructions.
func mnemonics(u unit) string {
	var names []string
	for _, line := range strings.Split(u.text, "\n") {
		if f := strings.Fields(line); len(f) > 0 {
			names = append(names, f[0])
		}
	}
	return strings.Join(names, " ")
}
