package fifo_test

// This file holds networks to what the same do in hardware: registers and flags, as Verilator runs
// them.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/streams/fifo"
)

func TestVerilog(t *testing.T) {
	for tool, from := range map[string]string{"verilator": "verilator", "g++": "g++", "make": "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %s is not installed; apt-get install %s", tool, from)
		}
	}
	folder, err := filepath.Abs(filepath.Join("testdata", "verilog"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args := []string{"--cc", "--exe", "--build", "--top-module", "top", "-CFLAGS", "-O0", "--Mdir", dir, "-o", "networks"}
	for _, name := range []string{"fifo.v", "processes.v", "networks.v", "main.cpp"} {
		args = append(args, filepath.Join(folder, name))
	}
	if out, err := exec.Command("verilator", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "networks")).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	theirs, sums := map[string][]string{}, map[string]string{}
	for line := range strings.Lines(string(out)) {
		w := strings.Fields(line)
		switch {
		case w[1] == "sum":
			sums[w[0]] = w[2]
		case w[0] != "-": // where it is told to end
			theirs[w[0]] = append(theirs[w[0]], strings.Join(w[1:], " "))
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) != 6 || len(theirs) != 6 {
		t.Fatalf("%d files and %d networks: %v", len(files), len(theirs), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n, err := fifo.Read(file, text)
		if err != nil {
			t.Fatal(err)
		}
		r := simulate(t, n)
		dead := 0
		if r.Deadlock != nil {
			dead = 1
		}
		ours := []string{fmt.Sprintf("cycles %d deadlock %d", r.Cycles, dead)}
		for f, q := range n.FIFOs {
			g := r.FIFOs[f]
			ours = append(ours, fmt.Sprintf("fifo %s most %d full %d empty %d", q.Name, g.Most, g.Full, g.Empty))
		}
		for i, m := range n.Modules {
			ours = append(ours, fmt.Sprintf("module %s finish %d waits %d", m.Name, r.Modules[i].Finish, r.Modules[i].Waited()))
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if got, want := strings.Join(ours, "\n"), strings.Join(theirs[name], "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	// What arrives is what was sent, so the hardware itself is right: 711*i + 3*(i+10) of 500.
	if want := fmt.Sprint(714*(499*500/2) + 30*500); sums["bubbles"] != want || sums["deep"] != want {
		t.Errorf("sums %v, want %s", sums, want)
	}
}
