package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
)

// Of each round the second section reads 128 lines that the program wrote before, and writes 64 that the program reads behind. So
// on two processors it waits 128 times for what another wrote; and 64 times, but in the first round, for what another read.
const handedOver = `
static volatile long in[8 * 128] __attribute__((aligned(64))), out[8 * 64] __attribute__((aligned(64))), own;
int main(void)
{
    long sum = 0;
    for (int r = 0; r < 50; r++) {
        for (int i = 0; i < 8 * 128; i++) in[i] = i;
        #pragma omp parallel sections num_threads(2)
        {
            #pragma omp section
            own = r;
            #pragma omp section
            {
                long s = 0;
                for (int i = 0; i < 8 * 128; i++) s += in[i];
                for (int i = 0; i < 8 * 64; i++) out[i] = s;
            }
        }
        for (int i = 0; i < 8 * 64; i++) sum += out[i];
    }
    return sum == 7;
}
`

// What lines take that are at another processor is waited for once for each, by estimates and by replay, and by nobody on one processor.
func TestLinesElsewhere(t *testing.T) {
	if _, err := toolchain.Find(""); err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	dir := t.TempDir()
	source, bundle := filepath.Join(dir, "lines.c"), filepath.Join(dir, "lines.pspan")
	if err := os.WriteFile(source, []byte(handedOver), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "profile", "-q", "--memory", "-o", bundle, source)
	cycles := func(command string, read, write int) (parallel, sequential float64) {
		t.Helper()
		file := filepath.Join(dir, "p.yaml")
		text := fmt.Sprintf("processors: [{name: a, clock_mhz: 100}, {name: b, clock_mhz: 100}]\nmemory:\n  stores: buffered\n  levels: [{name: L1, size: 65536, line: 64}, {name: L2, size: 1048576, line: 64, latency: 1, shared: true}]\n  main: {latency: 1}\n"+
			"  elsewhere: {read: %d, write: %d}\noverheads: {create: 0, sync: 0}\n", read, write)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{command, "--json", bundle, "--platform", file}
		if command == "estimate" {
			args = append(args, "--samples", "0")
		}
		var got struct {
			Estimates []struct {
				Technique  string
				Parallel   float64 `json:"parallel_cycles"`
				Sequential float64 `json:"sequential_cycles"`
			} `json:"estimates"`
		}
		if err := json.Unmarshal([]byte(succeed(t, args...)), &got); err != nil {
			t.Fatal(err)
		}
		for _, e := range got.Estimates {
			if e.Technique == "eb" || command == "replay" {
				parallel, sequential = e.Parallel, e.Sequential
			}
		}
		return parallel, sequential
	}
	for _, command := range []string{"estimate", "replay"} {
		plain, alone := cycles(command, 1, 1)
		for _, c := range []struct {
			read, write int
			want        float64
		}{
			// The program reads 64 lines behind each round, and writes 128 again before.
			{1001, 1, 50 * (128 + 64) * 1000}, {1, 1001, (49*64 + 49*128) * 1000}, {501, 1001, 50*(128+64)*500 + 49*(64+128)*1000},
		} {
			got, sequential := cycles(command, c.read, c.write)
			if more := got - plain; math.Abs(more-c.want) > 0.03*c.want || plain == 0 || sequential != alone {
				t.Errorf("%s: with %d to read and %d to write it takes %.0f cycles longer, want %.0f; alone %.0f and %.0f", command, c.read, c.write, more, c.want, sequential, alone)
			}
		}
	}
}
