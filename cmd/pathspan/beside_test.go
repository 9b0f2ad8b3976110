package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestStagesSideBySide: stages whose counters lie in one line lose it to each other, which replay tells and estimates name
// but leave out; with a line each they agree.
func TestStagesSideBySide(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	platform := writeText(t, dir, "soc.yaml", `name: two
processors:
  - {name: cpu, model: generic, clock_mhz: 100, count: 2}
memory:
  levels: [{name: L1D, size: 32768, line: 64, ways: 4}]
  main: {latency: 40}
`)
	m := writeText(t, dir, "m.yaml", "tasks: {fill: [cpu0], add: [cpu1]}\n")
	for _, x := range []struct {
		apart int
		told  bool
	}{{4, true}, {128, false}} {
		writeText(t, dir, "app.c", fmt.Sprintf(`static int ring[4][256];
static struct { volatile int fill __attribute__((aligned(64))), add __attribute__((aligned(%d))); } kept;
__attribute__((noinline)) static void fill(int *b) { for (int i = 0; i < 256; i++) b[i] = kept.fill += 3; }
__attribute__((noinline)) static void add(int *b) { for (int i = 0; i < 256; i++) kept.add += b[i]; }
int main(void) {
  for (int n = 0; n < 60; n++) {
    int *b = ring[n %% 4];
    fill(b);
    add(b);
  }
  return 0;
}
`, x.apart))
		succeed(t, "profile", "-q", "--flow", "--memory", "--plan", writeText(t, dir, "plan.yaml", "plan: [{pipeline: {function: main, calls: [fill, add]}}]\n"), "app.c")
		target := []string{"app.pspan", "--platform", platform, "--mapping", m}
		text := succeed(t, append([]string{"estimate", "--technique", "eb"}, target...)...)
		if told := strings.Contains(text, "app.c:8: stages fill and add keep variables side by side in one line of memory, which goes back and forth"); told != x.told {
			t.Errorf("%d bytes apart: told is %t:\n%s", x.apart, told, text)
		}
		played := succeed(t, append([]string{"replay", "-q"}, target...)...)
		if off := cyclesOf(t, text)/cyclesOf(t, played) - 1; x.told != (off < -0.1) || !x.told && (off < -0.03 || off > 0.03) {
			t.Errorf("%d bytes apart: estimates are %.1f %% off replay\n%s\n%s", x.apart, 100*off, text, played)
		}
	}
}

// cyclesOf reads the parallel cycles of the first row.
func cyclesOf(t *testing.T, text string) float64 {
	t.Helper()
	_, row, _ := strings.Cut(text, "parallel cycles")
	var cycles float64
	for _, line := range strings.Split(row, "\n")[1:] {
		if f := strings.Fields(line); len(f) > 3 {
			if _, err := fmt.Sscan(strings.ReplaceAll(f[len(f)-4], ",", ""), &cycles); err == nil {
				return cycles
			}
		}
	}
	t.Fatalf("no cycles in\n%s", text)
	return 0
}
