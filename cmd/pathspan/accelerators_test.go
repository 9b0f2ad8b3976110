package main

// This file holds the time of loops on an accelerator to published figures: Y. Choi, Performance
// Debugging Frameworks for FPGA High-Level Synthesis, UCLA 2019.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// luProgram is loop 2 of LU: 130,816 divisions in 511 entries, and one that is empty.
const luProgram = `#define N 512
float A[N][N], p[N];
int main(void)
{
  for (int k = 0; k < N; k++)
#pragma clang loop unroll(disable)
    for (int j = k + 1; j < N; j++)
      A[k][j] = A[k][j] / p[k];
  return 0;
}
`

// choleskyProgram has loop 4 of Cholesky: 22,238,720 sums in 130,305 entries that are not empty.
const choleskyProgram = `#define N 512
float A[N][N], p[N];
int main(void)
{
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) {
      float x = A[i][j];
#pragma clang loop unroll(disable)
      for (int k = 0; k < i; k++)
        x = x - A[j][k] * A[i][k];
      A[j][i] = x * p[i];
    }
  return 0;
}
`

// prefixProgram is a prefix sum of every length up to 511.
const prefixProgram = `#define N 512
float data[N], psum[N];
int main(void)
{
  for (int a = 0; a < N; a++) {
    float sum = 0;
#pragma clang loop unroll(disable)
    for (int k = 1; k < N - a; k++)
      psum[k] = sum = sum + data[k];
  }
  return 0;
}
`

// onePrefixProgram is one of a length.
const onePrefixProgram = `float data[512], psum[512];
__attribute__((noinline)) void prefix(int n)
{
  float sum = 0;
#pragma clang loop unroll(disable)
  for (int k = 0; k < n; k++)
    psum[k] = sum = sum + data[k];
}
int main(int argc, char **argv)
{
  prefix(LENGTH + argc - 1);
  return 0;
}
`

// quicksortProgram sorts in rounds without recursion. That both conditions are computed makes
// one test of each inner loop.
const quicksortProgram = `#define M 64
#define N 1000
float lmem[N];
__attribute__((noinline)) void qsort_comp(int n)
{
  int beg[M], end[M], i = 0, L, R;
  float piv;
  beg[0] = 0;
  end[0] = n;
  while (i >= 0) {
    L = beg[i];
    R = end[i] - 1;
    if (L < R) {
      piv = lmem[L];
      while (L < R) {
#pragma clang loop unroll(disable)
        while ((lmem[R] >= piv) & (L < R))
          R--;
        if (L < R)
          lmem[L++] = lmem[R];
#pragma clang loop unroll(disable)
        while ((lmem[L] <= piv) & (L < R))
          L++;
        if (L < R)
          lmem[R--] = lmem[L];
      }
      lmem[L] = piv;
      beg[i + 1] = L + 1;
      end[i + 1] = end[i];
      end[i++] = L;
    } else {
      i--;
    }
  }
}
int main(void)
{
  unsigned seed = 1;
  for (int i = 0; i < N; i++) {
    seed = seed * 1103515245u + 12345u;
    lmem[i] = seed >> 16 & 0x7fff;
  }
  qsort_comp(N);
  for (int i = 1; i < N; i++)
    if (lmem[i - 1] > lmem[i])
      return 1;
  return 0;
}
`

// quicksortRounds counts on its own what quicksortProgram does.
func quicksortRounds() (inner, swaps, rounds, empty int) {
	const n = 1000
	var lmem [n]float32
	seed := uint32(1)
	for i := range lmem {
		seed = seed*1103515245 + 12345
		lmem[i] = float32(seed >> 16 & 0x7fff)
	}
	beg, end := make([]int, 64), make([]int, 64)
	end[0] = n
	for i := 0; i >= 0; {
		l, r := beg[i], end[i]-1
		if l >= r {
			empty++
			i--
			continue
		}
		rounds++
		piv := lmem[l]
		for l < r {
			swaps++
			for ; lmem[r] >= piv && l < r; r-- {
				inner++
			}
			if l < r {
				lmem[l] = lmem[r]
				l++
			}
			for ; lmem[l] <= piv && l < r; l++ {
				inner++
			}
			if l < r {
				lmem[r] = lmem[l]
				r--
			}
		}
		lmem[l] = piv
		beg[i+1], end[i+1], end[i] = l+1, end[i], l
		i++
	}
	return inner, swaps, rounds, empty
}

func TestPublishedLoops(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"lu": luProgram, "chol": choleskyProgram, "psum": prefixProgram, "qsort": quicksortProgram,
		"psum1": strings.ReplaceAll(onePrefixProgram, "LENGTH", "1"), "psum512": strings.ReplaceAll(onePrefixProgram, "LENGTH", "512")} {
		writeText(t, dir, name+".c", text)
		succeed(t, "profile", "-q", "-O", "1", "-o", name+".pspan", name+".c", "--")
	}
	const head = "schema: pathspan.accelerator/1\nname: mine\nextends: ku060\n"
	const prefixAdder = "classes: {chained: {latency: 0}, load: {latency: 2}, fadd: {latency: 7}}\nopcodes: {default: chained, load: load, fadd: fadd}\n"
	// The loads of p before each entry of LU and Cholesky take 2 cycles.
	const loads = 2 * 511
	inner, swaps, rounds, empty := quicksortRounds()
	if inner == 0 || empty == 0 {
		t.Fatal("the sort does nothing")
	}
	for _, c := range []struct {
		about, program, function, file string
		want                           float64
	}{
		// "Loop 2 of LU, pipelined: 130,831 cycles", both loops being one pipeline.
		{"O4 LU flattened", "lu", "main", "loops:\n  lu.c:5: {flatten: yes}\n", 130_831},
		// Table 6.1: 81,792, 49,088 and 32,736 cycles with factors of 2, 4 and 8, which is 130,816
		// over the factor and 32 for each of 512 entries, one of which is empty and takes nothing here.
		{"O4 LU by 2", "lu", "main", "loops:\n  lu.c:7: {unroll: 2, latency: 32.5}\n", 81_792 - 32 + loads},
		{"O4 LU by 4", "lu", "main", "loops:\n  lu.c:7: {unroll: 4, latency: 32.25}\n", 49_088 - 32 + loads},
		{"O4 LU by 8", "lu", "main", "loops:\n  lu.c:7: {unroll: 8, latency: 32.125}\n", 32_736 - 32 + loads},
		// Table 6.2: 179M, as 8(TC-1)+15 is 178.82M; outside of the loop a load and a product.
		{"O5 Cholesky", "chol", "main", "", 178_821_895 + loads + 130_816*(2+5)},
		// Table 6.3: 917K, as 7(TC-1)+9 of 1 to 511 is 916,734.
		{"O6 prefix sums of 1 to 511", "psum", "main", prefixAdder, 916_734},
		// 7(TC-1)+9 of one and of 512.
		{"O6 prefix sum of 1", "psum1", "prefix", prefixAdder, 9},
		{"O6 prefix sum of 512", "psum512", "prefix", prefixAdder, 3586},
		// Table 3.4: 4 cycles for each iteration of the inner loops, of which compilers make the test that
		// fails the last; what is left of the others is 11, 14 or 4, and 1.
		{"O1 quicksort", "qsort", "qsort_comp", `trips: 100
loops:
  qsort.c:10: {latency: [4, 81114]}
  qsort.c:15: {latency: 811}
  qsort.c:17: {latency: 4, ii: 4}
  qsort.c:22: {latency: 4, ii: 4}
functions:
  qsort_comp: {latency: [401, 8111401]}
`, float64(4*(inner+2*swaps) + 11*swaps + 14*rounds + 4*empty + 1)},
	} {
		t.Run(c.about, func(t *testing.T) {
			model := writeText(t, dir, strings.ReplaceAll(c.about, " ", "-")+".yaml", head+c.file)
			var got struct {
				Estimates []struct {
					Sequential float64 `json:"sequential_cycles"`
				} `json:"estimates"`
			}
			text := succeed(t, "estimate", "--json", "--verify", "-p", "1", "--function", c.function, "--model", model, c.program+".pspan")
			if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Estimates) == 0 || got.Estimates[0].Sequential != c.want {
				t.Errorf("%s: %v, %+v, want %.1f cycles\n%.300s", c.about, err, got, c.want, text)
			}
			if c.function == "main" && c.program != "chol" { // which takes replay long
				text := succeed(t, "replay", "-p", "1", "--model", model, c.program+".pspan")
				if want := withCommas(int(c.want)); !strings.Contains(text, " "+want+" ") {
					t.Errorf("%s: replay has not %s cycles:\n%s", c.about, want, text)
				}
			}
		})
	}
	// Designs with partial sums, tables 6.2 and 6.3, held to what the work's own estimates are off on
	// average. Table 6.2 counts half the code's factor, by its 570 cycles for 512 numbers with 4.
	for _, c := range []struct {
		program, file string
		published     float64
	}{
		{"chol", "chol.c:9: {sum: tree, unroll: 8}", 30e6},
		{"chol", "chol.c:9: {sum: tree, unroll: 16}", 20e6},
		{"chol", "chol.c:9: {sum: tree, unroll: 32}", 16e6},
		{"chol", "chol.c:9: {sum: tree, unroll: 256}", 13e6},
		{"psum", "psum.c:8: {scan: 256, unroll: 4}", 331e3},
		{"psum", "psum.c:8: {scan: 256, unroll: 8}", 198e3},
		{"psum", "psum.c:8: {scan: 256, unroll: 16}", 134e3},
	} {
		model := writeText(t, dir, "sums.yaml", head+"loops:\n  "+c.file+"\n")
		text := succeed(t, "estimate", "--json", "--verify", "-p", "1", "--technique", "eb", "--model", model, c.program+".pspan")
		_, text, _ = strings.Cut(text, `"sequential_cycles": `)
		var got float64
		if _, err := fmt.Sscanf(text, "%g", &got); err != nil {
			t.Fatal(err)
		}
		off := got/c.published - 1
		t.Logf("%s: %.0f cycles, published %.0f: %+.1f %%", c.file, got, c.published, 100*off)
		if off < -0.12 || off > 0.12 {
			t.Errorf("%s: %.0f cycles, published %.0f", c.file, got, c.published)
		}
	}
	for _, bad := range []struct{ program, file, want string }{
		{"lu", "loops:\n  lu.c:7: {sum: tree, unroll: 4}\n", `bad.yaml:5: the loop at lu.c:7 is no sum over its iterations: nothing goes from one to the next`},
		{"chol", "loops:\n  chol.c:9: {ii: 7}\n", `bad.yaml:5: ii 7 of the loop at chol.c:9: an iteration waits 8 cycles for what the one before computes (llvm.fmuladd.f32 at chol.c:10 8): give 8 or more`},
		{"lu", "loops:\n  lu.c:70: {ii: 1}\n", `bad.yaml:5: the program has no loop at lu.c:70: its loops are at lu.c:5, lu.c:7`},
		{"lu", "loops:\n  lu.c:7: {flatten: yes}\n", `bad.yaml:5: flatten of the loop at lu.c:7: no loop is inside of it`},
		{"chol", "loops:\n  chol.c:5: {unroll: 2}\n", `bad.yaml:5: the loop at chol.c:5 is around others and no pipeline`},
		{"lu", "loops:\n  lu.c:5: {latency: 200}\n", `bad.yaml:5: latency of the loop at lu.c:5, which is around others: say of how many iterations`},
		{"lu", "trips: 100\nloops:\n  lu.c:5: {latency: 114}\n", `bad.yaml:6: latency of the loop at lu.c:5: the loops in it take 1 cycles more, with 100 iterations each`},
		{"qsort", "loops:\n  qsort.c:10: {flatten: yes}\n", ""},
		{"lu", "trips: 100\nfunctions: {nosuch: {latency: 3}}\n", `bad.yaml:5: the program has no function nosuch`},
		{"chol", "trips: 100\nloops:\n  chol.c:5: {latency: 99999}\n", `bad.yaml:6: latency of the loop at chol.c:5: that of the loop at chol.c:6 in it is not given`},
	} {
		model := writeText(t, dir, "bad.yaml", head+bad.file)
		if bad.want == "" {
			succeed(t, "estimate", "-p", "1", "--model", model, bad.program+".pspan")
			continue
		}
		if got := fail(t, "estimate", "-p", "1", "--model", model, bad.program+".pspan"); !strings.Contains(got, bad.want) {
			t.Errorf("%s\nsays %s\nwant %s", bad.file, got, bad.want)
		}
	}
}

// scatteredProgram changes elements by a table.
const scatteredProgram = `#define N 256
float a[N];
int at[N];
int main(void)
{
  for (int i = 0; i < N; i++)
    at[i] = INDEX;
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < N; i++)
    a[at[i]] = a[at[i]] * 1.5f;
  return 0;
}
`

// By hand: load 2, product 5, and the store is read a cycle later: 8 from one iteration to the next
// where the same element is met. A run that tells of its memory knows whether it is; then loads of
// an index, of an element and the product are what one iteration takes, and ports allow one a cycle.
func TestRunsTellWhatIterationsMeet(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const index = 256 * 3 // of the loop before
	const pipelined, waiting = index + 255*1 + 9, index + 255*8 + 9
	head := "schema: pathspan.accelerator/1\nname: mine\nextends: ku060\nloops:\n  at.c:6: {pipeline: no, latency: 3}\n"
	model := writeText(t, dir, "found.yaml", head)
	given := writeText(t, dir, "given.yaml", head+"  at.c:9: {ii: 1}\n")
	const once, twice, apart = "i * 37 % N", "i / 2 * 2", "i / (2 * D) * D + i % D" // D iterations
	for _, c := range []struct {
		twice, memory string
		want          int
		says, ofGiven string
	}{
		{once, "--memory=false", waiting, "are taken to meet", ""},
		{once, "--memory", pipelined, "are taken to meet in no other iteration, as they did in the profiled run", ""},
		{twice, "--memory", waiting, "are taken to meet", "ii 1 is given, and where iterations of the profiled run read what others wrote is 8 ("},
		{strings.ReplaceAll(apart, "D", "3"), "--memory", index + 255*3 + 9, "no nearer than they did in the profiled run, which proves nothing of others", "ii 1 is given, and where iterations of the profiled run read what others wrote is 3 ("},
		{strings.ReplaceAll(apart, "D", "4"), "--memory", index + 255*2 + 9, "no nearer than they did in the profiled run", "is 2 ("},
		{strings.ReplaceAll(apart, "D", "8"), "--memory", pipelined, "no nearer than they did in the profiled run", ""},
	} {
		writeText(t, dir, "at.c", strings.ReplaceAll(scatteredProgram, "INDEX", c.twice))
		succeed(t, "profile", "-q", "-O", "1", c.memory, "-o", "at.pspan", "at.c")
		if text := succeed(t, "estimate", "--json", "--verify", "-p", "1", "--model", model, "at.pspan"); !strings.Contains(text, fmt.Sprintf(`"sequential_cycles": %d,`, c.want)) || !strings.Contains(text, c.says) {
			t.Errorf("%s, each %s times: want %d cycles and %q:\n%s", c.memory, c.twice, c.want, c.says, text)
		}
		if text := succeed(t, "replay", "-p", "1", "--model", model, "at.pspan"); !strings.Contains(text, " "+withCommas(c.want)+" ") {
			t.Errorf("%s, each %s times: replay has not %d cycles:\n%s", c.memory, c.twice, c.want, text)
		}
		text := succeed(t, "estimate", "--json", "-p", "1", "--model", given, "at.pspan")
		if strings.Contains(text, "ii 1 is given") != (c.ofGiven != "") || !strings.Contains(text, c.ofGiven) || !strings.Contains(text, fmt.Sprintf(`"sequential_cycles": %d,`, pipelined)) {
			t.Errorf("%s, each %s times: want %d cycles and %q:\n%s", c.memory, c.twice, pipelined, c.ofGiven, text)
		}
	}
}

// Each element once in a round, and again in the next: as one pipeline with the rounds, iterations of the
// next begin before those of the last have ended.
func TestRunsTellOfLoopsAround(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "at.c", `#define N 256
float a[N];
int at[N];
int main(void)
{
  for (int i = 0; i < N; i++)
    at[i] = i * 37 % N;
  for (int round = 0; round < 5; round++)
#pragma clang loop unroll(disable) vectorize(disable)
    for (int i = 0; i < N; i++)
      a[at[i]] = a[at[i]] * 1.5f;
  return 0;
}
`)
	succeed(t, "profile", "-q", "-O", "1", "--memory", "-o", "at.pspan", "at.c")
	const head = "schema: pathspan.accelerator/1\nname: mine\nextends: ku060\nloops:\n  at.c:6: {pipeline: no}\n"
	for file, want := range map[string]int{"": 256*3 + 5*(255*1+9), "  at.c:8: {flatten: yes}\n": 256*3 + 1279*8 + 9} {
		model := writeText(t, dir, "m.yaml", head+file)
		if text := succeed(t, "estimate", "--json", "-p", "1", "--model", model, "at.pspan"); !strings.Contains(text, fmt.Sprintf(`"sequential_cycles": %d,`, want)) {
			t.Errorf("%q: want %d cycles:\n%s", file, want, text)
		}
	}
}

// By hand: load 2, product 5, and the store is read a cycle later, three iterations on: 8 cycles over
// 3 iterations. No II below 3 holds, whatever a file says.
func TestGivenIntervalsThroughMemory(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "far.c", `#define N 300
float a[N];
int main(void)
{
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 3; i < N; i++)
    a[i] = a[i - 3] * 1.5f;
  return 0;
}
`)
	succeed(t, "profile", "-q", "-O", "1", "-o", "far.pspan", "far.c")
	const head = "schema: pathspan.accelerator/1\nname: mine\nextends: ku060\n"
	for _, c := range []struct{ file, want string }{
		{"", fmt.Sprintf(`"sequential_cycles": %d,`, 296*3+7)},
		{"loops:\n  far.c:6: {ii: 3}\n", fmt.Sprintf(`"sequential_cycles": %d,`, 296*3+7)},
		{"loops:\n  far.c:6: {ii: 2}\n", "bad.yaml:5: ii 2 of the loop at far.c:6: an iteration waits 3 cycles for what the one before computes (load at far.c:7 2, fmul at far.c:7 5): give 3 or more"},
	} {
		model := writeText(t, dir, "bad.yaml", head+c.file)
		args := []string{"estimate", "--json", "-p", "1", "--model", model, "far.pspan"}
		if o := pathspan("", args...); !strings.Contains(o.stdout+o.stderr, c.want) || (o.status != 0) != strings.Contains(c.want, "bad.yaml") {
			t.Errorf("%s\nsays %s%s\nwant %s", c.file, o.stdout, o.stderr, c.want)
		}
	}
}

// withCommas writes a number as replay does.
func withCommas(n int) string {
	s := fmt.Sprint(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
