package foreign

import (
	"context"
	"debug/elf"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pathspan/procmodels"
	"pathspan/procmodels/pipeline"
)

// logged is an emulator's log made by hand: blocks of code, then the addresses in the order in which they run.
func logged(code map[uint64]string, order ...uint64) string {
	var log strings.Builder
	for pc, text := range code {
		fmt.Fprintf(&log, "----------------\nIN: f\n")
		for i, line := range strings.Split(text, "; ") {
			fmt.Fprintf(&log, "0x%08x:  00000000  %s\n", pc+uint64(4*i), line)
		}
	}
	for _, pc := range order {
		fmt.Fprintf(&log, "Trace 0: 0x7f0000000000 [0000000001009331/%016x/00000001/00000200] f\n", pc)
	}
	return log.String()
}

// The program is at 0x1000, what it calls at 0x2000: one function that calls back and another that
// it ends with a jump to.
func TestCallsAreTold(t *testing.T) {
	im := &Image{machine: machines[elf.EM_AARCH64], own: []span{{0x1000, 0x1100}}, sites: map[uint64]string{0x1004: "walk", 0x1044: "jump"}, names: map[uint64]string{0x2000: "walk", 0x2080: "other"}}
	code := map[uint64]string{
		0x1000: "mov x0, x1; bl #0x2000",
		0x1008: "mov x0, x2; blr x3",
		0x1010: "nop; ret",
		0x1040: "nop; b #0x2080",
		0x1080: "add x0, x0, #1; ret", // the callback
		0x2000: "nop; blr x4",
		0x2008: "nop; nop; bl #0x2040",
		0x2014: "ret",
		0x2040: "nop; ret",
		0x2080: "nop; nop; nop; ret",
	}
	log := logged(code,
		0x2014, 0x1000, // before the program
		0x2000, 0x1080, 0x2008, 0x2040, 0x2014, // walk: 2 + 3 + 2 + 1, the callback apart
		0x1008, 0x2080, // by a pointer
		0x1010, 0x2014, // the program's function returns to who called it
		0x1040, 0x2080, 0x1010) // by a jump
	run, err := ReadLog(strings.NewReader(log), im)
	if err != nil {
		t.Fatal(err)
	}
	m, err := procmodels.Open("pipeline:gem5-timing", "")
	if err != nil {
		t.Fatal(err)
	}
	m, _ = pipeline.MachineCode(m)
	all, _, err := run.Price(context.Background(), "aarch64-linux-gnu", m)
	if err != nil {
		t.Fatal(err)
	}
	// Two cycles an instruction, one where nothing is pending: at the begin, and behind the callback.
	want := []Function{{"jump", 1, 4, 7}, {"other", 1, 4, 7}, {"walk", 1, 8, 14}}
	if !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
}

func TestLogsAreRefused(t *testing.T) {
	im := &Image{machine: machines[elf.EM_AARCH64], own: []span{{0x1000, 0x1100}}}
	for log, want := range map[string]string{
		"": "logged no code that ran",
		"Trace 0: 0x7f [1/0000000000001000/1/2] f\n": "runs and was not listed",
		"Trace 0: what\n":                 "not a block that ran",
		"IN: f\nOBJD-T: d503201f\n":       "without a disassembler",
		"IN: f\n0x10z0:  00  nop\n":       "not an instruction",
		strings.Repeat("x", 2<<20) + "\n": "log",
	} {
		if _, err := ReadLog(strings.NewReader(log), im); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", log, err, want)
		}
	}
}

// What runs behind what it waits for costs what it waits, in the block behind as well: a division of
// gem5-minor takes 9 cycles, and 7 to an addition; where the branch between them was foretold wrongly, one time in twenty,
// that is over by then.
func TestWaitsReachOverBlocks(t *testing.T) {
	m, err := procmodels.Open("pipeline:gem5-minor", "")
	if err != nil {
		t.Fatal(err)
	}
	m, _ = pipeline.MachineCode(m)
	im := &Image{machine: machines[elf.EM_AARCH64], own: []span{{0x1000, 0x1100}}, sites: map[uint64]string{0x1000: "f"}}
	price := func(user string) float64 {
		run, err := ReadLog(strings.NewReader(logged(map[uint64]string{
			0x1000: "bl #0x2000", 0x1004: "ret", 0x2000: "sdiv x0, x1, x2; cbz x3, #0x2100", 0x2008: user + "; ret",
		}, 0x1000, 0x2000, 0x2008, 0x1004)), im)
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := run.Price(context.Background(), "aarch64-linux-gnu", m)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0].Cycles
	}
	if waits, free := price("add x5, x0, #1"), price("add x5, x6, #1"); math.Abs(waits-free-0.95*6) > 1e-9 {
		t.Errorf("%g cycles behind a division, %g without; want 5.7 more", waits, free)
	}
}
