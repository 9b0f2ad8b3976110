package main

// This file tests what libraries take: against the emulator in another mode, one instruction at a
// time, which tells of all that runs without calls, blocks or relocations.

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// callsLibraries does the same each eight rounds. It compares by a callback, whose instructions are its own.
const callsLibraries = `#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int order(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(int argc, char **argv)
{
    int rounds = atoi(argv[argc - 1]);
    double sum = 0;
    static char text[64], copy[64];
    for (int i = 0; i < rounds; i++) {
        int k, v[8];
        for (k = 0; k < 8; k++)
            v[k] = (k * 5 + i) & 7;
        qsort(v, 8, sizeof *v, order);
        memset(text, 'a', 5 * (i & 7));
        text[5 * (i & 7)] = 0;
        strcpy(copy, text);
        sum += cos(v[i & 7]) + fmod(1000.0 + (i & 7), 0.7) + strlen(copy);
    }
    printf("%f\n", sum);
    return 0;
}
`

var callLine = regexp.MustCompile(`(?m)^  "(\S+)": (\S+) # (\d+) calls? of (\S+) instructions$`)

func TestLibraryCalls(t *testing.T) {
	for target, costs := range map[string]func(name, operands string) float64{
		"aarch64-linux-gnu": func(name, _ string) float64 {
			switch {
			case strings.HasPrefix(name, "ldp"):
				return 5
			case strings.HasPrefix(name, "stp"):
				return 6
			case strings.HasPrefix(name, "ld"), strings.HasPrefix(name, "st"), name == "prfm":
				return 4
			}
			return 2
		},
		"riscv64-linux-gnu": func(name, _ string) float64 {
			if strings.Contains(" lb lbu lh lhu lw lwu ld flw fld sb sh sw sd fsw fsd ", " "+name+" ") || regexp.MustCompile(`^(lr|sc|amo.*)\.`).MatchString(name) {
				return 4
			}
			return 2
		},
		// Two registers at a time, and a branch where one of them is pc; vmrs is with what compares.
		"arm-linux-gnueabihf": func(name, operands string) float64 {
			load, store := regexp.MustCompile(`^v?(ld|pop)|^pld`).MatchString(name), regexp.MustCompile(`^v?(st|push)`).MatchString(name)
			values, _, _ := strings.Cut(operands, "[")
			if _, list, ok := strings.Cut(operands, "{"); ok {
				values, _, _ = strings.Cut(list, "}")
			}
			n := float64(len(regexp.MustCompile(`\w+`).FindAllString(values, -1)))
			if strings.HasPrefix(name, "strex") {
				n--
			}
			n = max(n, 1)
			c := 2.0
			switch {
			case load:
				c = 5*math.Floor(n/2) + 4*math.Mod(n, 2)
			case store:
				c = 6*math.Floor(n/2) + 4*math.Mod(n, 2)
			case name == "vmrs":
				c = 0
			case name == "tbb" || name == "tbh":
				c = 6
			}
			if load && strings.Contains(values, "pc") {
				c += 2
			}
			return c
		},
	} {
		t.Run(target, func(t *testing.T) { libraryCalls(t, target, costs) })
	}
}

// bytesOfCode stand between an address and its instruction: f8df 2444.
var bytesOfCode = regexp.MustCompile(`^ *[0-9a-f]{4,8}( [0-9a-f]{4})?  `)

// libraryCalls is given what an instruction costs, by gem5-timing.yaml's [R].
func libraryCalls(t *testing.T, target string, costs func(name, operands string) float64) {
	tc := emulated(t, target)
	dir := t.TempDir()
	source, bundle := filepath.Join(dir, "calls.c"), filepath.Join(dir, "calls.pspan")
	if err := os.WriteFile(source, []byte(callsLibraries), 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, "profile", "--target", target, "--cflags", "-fno-builtin", "-o", bundle, source, "--", "160")
	// What is outside, of so many rounds: instructions and cycles, as the model has them.
	outside := func(rounds string) (instructions, cycles float64, file string) {
		file = filepath.Join(dir, "calls"+rounds+".yaml")
		o := pathspan("", "model", "calls", bundle, "--model", "pipeline:gem5-timing", "-o", file, "--", rounds)
		if other := strings.Contains(o.stderr, "note: model gem5-timing is of programs of aarch64"); o.status != 0 || other == strings.HasPrefix(target, "aarch64") {
			t.Errorf("status %d: %s", o.status, o.stderr)
		}
		said, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, m := range callLine.FindAllStringSubmatch(string(said), -1) {
			calls, each, n := number(t, m[3]), number(t, m[2]), number(t, m[4])
			names[m[1]] = true
			instructions, cycles = instructions+calls*n, cycles+calls*each
		}
		for _, name := range []string{"cos", "fmod", "qsort", "strlen", "strcpy", "printf"} {
			if !names[name] {
				t.Errorf("%s is not priced:\n%s", name, said)
			}
		}
		return instructions, cycles, file
	}
	fewer, less, _ := outside("40")
	more, longer, file := outside("120")

	exe := filepath.Join(dir, "static")
	if out, err := exec.Command(tc.Clang, "--target="+target, "-O2", "-fno-builtin", "-static", source, "-o", exe, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	stepped := func(rounds string) (instructions, cycles float64) {
		cmd := exec.Command(tc.Target.Emulator(), exe, rounds)
		cmd.Env = append(os.Environ(), "QEMU_LOG=in_asm,exec,nochain", "QEMU_SINGLESTEP=1", "QEMU_LOG_FILENAME="+filepath.Join(dir, "log"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return outsideOf(t, filepath.Join(dir, "log"), costs)
	}
	stepFewer, stepLess := stepped("40")
	stepMore, stepLonger := stepped("120")
	got, want := more-fewer, stepMore-stepFewer
	t.Logf("80 rounds: %.0f instructions, step by step %.0f; %.0f cycles, by instruction %.0f", got, want, longer-less, stepLonger-stepLess)
	if want < 80*100 || math.Abs(got/want-1) > 0.005 {
		t.Errorf("80 rounds: %.0f instructions of libraries, step by step %.0f", got, want)
	}
	// A call begins with nothing pending, which is a cycle less.
	if got, want := longer-less, stepLonger-stepLess; math.Abs(got/want-1) > 0.02 {
		t.Errorf("80 rounds: %.0f cycles, by instruction %.0f", got, want)
	}
	// The model has them, and is the same each time.
	if with, without := sequential(t, bundle, file), sequential(t, bundle, "pipeline:gem5-timing"); with < without+1000 {
		t.Errorf("%.0f cycles with libraries measured, %.0f without", with, without)
	}
	if target != "aarch64-linux-gnu" {
		return // once is enough
	}
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	outside("120")
	if again, err := os.ReadFile(file); err != nil || !bytes.Equal(first, again) {
		t.Errorf("once %s\nand then %s", first, again)
	}
}

// outsideOf counts what ran of other functions than the program's, and its cycles.
func outsideOf(t *testing.T, log string, costs func(name, operands string) float64) (instructions, cycles float64) {
	t.Helper()
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cost := map[string]float64{} // by address
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if at, rest, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(line, "0x") {
			words := strings.Fields(bytesOfCode.ReplaceAllString(rest, ""))
			c := costs(words[0], strings.Join(words[1:], " "))
			cost[strings.TrimLeft(at[2:], "0")] = c
		}
		// Trace 0: HOST [FLAGS/ADDRESS/...] FUNCTION, which linkage stubs have none of.
		if words := strings.Fields(line); strings.HasPrefix(line, "Trace") && !strings.HasSuffix(line, " main") && !strings.HasSuffix(line, " order") {
			instructions++
			cycles += cost[strings.TrimLeft(strings.Split(words[3], "/")[1], "0")]
		}
	}
	return instructions, cycles
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var oneProcessor = regexp.MustCompile(`(?m)^ +1 +([\d,]+) `)

func sequential(t *testing.T, bundle, model string) float64 {
	t.Helper()
	said := oneProcessor.FindStringSubmatch(succeed(t, "estimate", bundle, "-p", "1", "--model", model))
	if said == nil {
		t.Fatal("estimate says no sequential cycles")
	}
	return number(t, strings.ReplaceAll(said[1], ",", ""))
}

func TestLibraryCallsAreRefused(t *testing.T) {
	dir := t.TempDir()
	here := filepath.Join(dir, "here.pspan")
	source := filepath.Join(dir, "here.c")
	if err := os.WriteFile(source, []byte("int main(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, "profile", "-o", here, source)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{here}, "--model is missing"},
		{[]string{here, "--model", "generic"}, "it is no pipeline"},
		{[]string{here, "--model", "pipeline:cortex-a54"}, "no pipeline is named"},
		{[]string{source, "--model", "pipeline:cortex-a53"}, "give one bundle"},
		{[]string{filepath.Join(dir, "none.pspan"), "--model", "pipeline:cortex-a53"}, "no such file"},
		{[]string{here, "--model", "pipeline:cortex-a53", "-o", dir}, "it is a directory"},
		{[]string{here, "--model", "pipeline:cortex-a53", "-o", filepath.Join(dir, "out.yaml")}, "profile it with --target aarch64-linux-gnu"},
	} {
		o := pathspan("", append([]string{"model", "calls"}, c.args...)...)
		if o.status == 0 || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, c.want) || o.stdout != "" {
			t.Errorf("model calls %q: status %d, %q, want one line with %q", c.args, o.status, o.stderr, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "out.yaml")); err == nil {
		t.Error("a model was written")
	}
}
