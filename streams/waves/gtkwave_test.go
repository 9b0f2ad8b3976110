package waves_test

// This file has GTKWave's own reader read what is written.

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pathspan/streams/waves"
)

// TestGTKWave turns waveforms into GTKWave's format and back, and asks what each signal is in each cycle.
func TestGTKWave(t *testing.T) {
	for _, tool := range []string{"vcd2fst", "fst2vcd"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s is installed (gtkwave)", tool)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	const cycles = 300
	names := []string{"stage", "app.c:25:157", "q[3]", "a b", "λ", "$end", "#1"}
	var out bytes.Buffer
	w, want := waves.New(&out, "values"), map[string][]int64{}
	var signals []int
	for i, name := range names {
		w.Scope(fmt.Sprint(i, name))
		signals = append(signals, w.Number("level", 32), w.Wire("on"))
		w.Up()
	}
	for at := range int64(cycles) {
		for i, s := range signals {
			name, value := fmt.Sprint(i/2, i%2), rng.Int64N(1<<(1+30*(1-i%2)))
			if before := want[name]; at > 0 && rng.IntN(4) > 0 {
				value = before[at-1]
			} else {
				w.Set(at, s, value)
			}
			want[name] = append(want[name], value)
		}
	}
	if err := w.End(cycles); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	vcd, fst := filepath.Join(dir, "w.vcd"), filepath.Join(dir, "w.fst")
	if err := os.WriteFile(vcd, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("vcd2fst", vcd, fst).CombinedOutput(); err != nil {
		t.Fatal(err, string(text))
	}
	back, err := exec.Command("fst2vcd", fst).Output()
	if err != nil {
		t.Fatal(err)
	}
	var scope, number string
	is, now, got := map[string]string{}, map[string]int64{}, map[string][]int64{}
	until := func(at int64) {
		for _, name := range is {
			for int64(len(got[name])) < at {
				got[name] = append(got[name], now[name])
			}
		}
	}
	for line := range strings.Lines(string(back)) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case f[0] == "$scope":
			scope = f[2][:1]
		case f[0] == "$var":
			if number = "0"; f[4] == "on" {
				number = "1"
			}
			is[f[3]] = scope + " " + number
		case f[0][0] == '#':
			at, err := strconv.ParseInt(f[0][1:], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			until(at)
		case f[0][0] == 'b':
			if now[is[f[1]]], err = strconv.ParseInt(f[0][1:], 2, 64); err != nil {
				t.Fatal(err)
			}
		case f[0][0] == '0' || f[0][0] == '1':
			now[is[f[0][1:]]] = int64(f[0][0] - '0')
		}
	}
	for i := range signals {
		name := fmt.Sprint(i/2, i%2)
		if fmt.Sprint(got[name]) != fmt.Sprint(want[name]) {
			t.Errorf("%s of %s: %v, want %v", name, names[i/2], got[name], want[name])
		}
	}
}
