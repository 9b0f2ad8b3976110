package main

// This file holds what races finds to small programs, of which testdata/races says what races.
// All were run under clang's ThreadSanitizer with OpenMP's Archer: docs/races.md has its answers.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/report"
)

// falseAlarms are clean programs in which races finds some, and why.
var falseAlarms = map[string]string{}

// missed are racy programs in which it finds none.
var missed = map[string]string{}

var declaredRace = regexp.MustCompile(`// race: (\w+)`)

func TestRaces(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	sources, err := filepath.Glob(filepath.Join("testdata", "races", "*.c*"))
	if err != nil || len(sources) < 75 {
		t.Fatal(err, len(sources))
	}
	dir := t.TempDir()
	for _, source := range sources {
		name, _, _ := strings.Cut(filepath.Base(source), ".")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			bundle := filepath.Join(dir, name+".pspan")
			profiled := pathspan("", "profile", "-q", "--memory", "-o", bundle, source)
			if profiled.status != 0 {
				t.Fatal(profiled.stderr)
			}
			var found report.Races
			if err := json.Unmarshal([]byte(succeed(t, "races", "--json", bundle)), &found); err != nil {
				t.Fatal(err)
			}
			race := declaredRace.FindSubmatch(text)
			switch {
			case race == nil && falseAlarms[name] == "" && len(found.Races) > 0:
				t.Errorf("it is clean, and these are found: %+v", found.Races)
			case race == nil && falseAlarms[name] != "" && len(found.Races) == 0:
				t.Error("it is listed as a false alarm, and nothing is found")
			case race != nil && (len(found.Races) == 0) != (missed[name] != ""):
				t.Errorf("it races in %s, and found is %+v", race[1], found.Races)
			}
			for _, r := range found.Races {
				if race != nil && !strings.Contains(r.Object, string(race[1])) && r.Object != "(a variable in a register)" {
					t.Errorf("it races in %s alone, and found is %+v", race[1], r)
				}
				if r.From.Line == 0 || r.To.Line == 0 || r.From.Line > strings.Count(string(text), "\n") {
					t.Errorf("lines are not the source's: %+v", r)
				}
			}
		})
	}
}

// TestRacesCountAccesses has a pointer that each iteration reads and writes once for the next, in a line whose cells are smaller.
func TestRacesCountAccesses(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	bundle := filepath.Join(t.TempDir(), "pointer.pspan")
	succeed(t, "profile", "-q", "--memory", "-o", bundle, filepath.Join("testdata", "races", "racy-pointer.c"))
	var found report.Races
	if err := json.Unmarshal([]byte(succeed(t, "races", "--json", bundle)), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Races) != 2 {
		t.Errorf("want one that is read and one that is written: %+v", found.Races)
	}
	for _, r := range found.Races {
		if r.Times != 39 || r.Bytes != 39*8 {
			t.Errorf("%s: %d times, %d bytes; want one of 8 bytes in each iteration but the first", r.Depends, r.Times, r.Bytes)
		}
	}
}

// TestRacesOfReductions has two sums that each thread has for itself by a clause, which at -O1 begin in memory, and the same without it.
func TestRacesOfReductions(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	for clause, races := range map[string]bool{"reduction(+ : energy, peak)": false, "": true} {
		source := writeText(t, dir, "sums.c", `#include <stdio.h>
float in[4][256];
int main(void)
{
    double energy = 0, peak = 0;
    for (int i = 0; i < 1024; i++) in[i / 256][i % 256] = (float)i;
#pragma omp parallel for `+clause+`
    for (int i = 0; i < 1024; i++) {
        energy += (double)in[i / 256][i % 256];
        peak += (double)in[i / 256][i % 256] * 0.5;
    }
    printf("%g %g\n", energy, peak);
    return 0;
}
`)
		for _, level := range []string{"0", "1", "2"} {
			bundle := filepath.Join(dir, "sums"+level+".pspan")
			succeed(t, "profile", "-q", "--memory", "-O", level, "-o", bundle, source)
			if text := succeed(t, "races", bundle); strings.Contains(text, "no race was found") == races {
				t.Errorf("%q at -O%s: %s", clause, level, text)
			}
		}
	}
}
