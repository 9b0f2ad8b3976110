package main

// This file holds the communication of testdata/canny to what its source says of its image's
// size: the tables and graphs of I. Ashraf et al., "Memory and Communication Profiling for
// Accelerator-Based Platforms", section 5.

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/memory/comm"
	"pathspan/report"
)

// canny is a run of the program on an image.
type canny struct {
	t               *testing.T
	bundle          string
	rows, columns   int
	strong, touched int // pixels on strong edges, and with what touches them
	source          []string
}

func runCanny(t *testing.T, level string, rows, columns int) *canny {
	t.Helper()
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	c := &canny{t: t, bundle: filepath.Join(t.TempDir(), "canny.pspan"), rows: rows, columns: columns}
	source := filepath.Join("..", "..", "testdata", "canny", "canny.c")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	c.source = strings.Split(string(text), "\n")
	printed := succeed(t, "profile", "-q", "--memory", "-O", level, "--cflags", "-lm", "-o", c.bundle, source, "--", strconv.Itoa(rows), strconv.Itoa(columns))
	if printed == "" { // the program's own output goes past this process's writers
		exe := filepath.Join(t.TempDir(), "canny")
		if out, err := exec.Command(toolchain.All()[0].Clang, "-O2", source, "-lm", "-o", exe).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := exec.Command(exe, strconv.Itoa(rows), strconv.Itoa(columns)).Output()
		if err != nil {
			t.Fatal(err)
		}
		printed = string(out)
	}
	if _, err := fmt.Sscanf(regexp.MustCompile(`(\d+) on strong edges, (\d+) with`).FindString(printed), "%d on strong edges, %d with", &c.strong, &c.touched); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	return c
}

// view asks comm.
func (c *canny) view(args ...string) *report.Communication {
	c.t.Helper()
	out := &report.Communication{}
	if err := json.Unmarshal([]byte(succeed(c.t, append([]string{"comm", c.bundle, "--json"}, args...)...)), out); err != nil {
		c.t.Fatal(err)
	}
	return out
}

// line is the number of the line that holds a text, the nth time.
func (c *canny) line(text string, nth int) int {
	c.t.Helper()
	for i, l := range c.source {
		if strings.Contains(l, text) {
			if nth--; nth == 0 {
				return i + 1
			}
		}
	}
	c.t.Fatalf("no line has %q", text)
	return 0
}

func row(t *testing.T, v *report.Communication, name string) *comm.Row {
	t.Helper()
	for i := range v.Rows {
		if v.Rows[i].Name == name {
			return &v.Rows[i]
		}
	}
	t.Fatalf("no row is called %s", name)
	return nil
}

// edge adds up what one row reads that another wrote.
func edge(t *testing.T, v *report.Communication, from, to string) (bytes, distinct uint64) {
	t.Helper()
	for _, e := range v.Edges {
		if v.Rows[e.From].Name == from && v.Rows[e.To].Name == to {
			bytes, distinct = bytes+e.Bytes, distinct+e.Distinct
		}
	}
	return bytes, distinct
}

// TestCannyFlat reproduces Table 3: what functions read and write, in bytes, at -O2, where
// nothing but the images, the kernel and the stack is in memory.
func TestCannyFlat(t *testing.T) {
	for _, size := range [][2]int{{48, 64}, {31, 20}} {
		c := runCanny(t, "2", size[0], size[1])
		rows, columns := uint64(c.rows), uint64(c.columns)
		n, inner, strong, touched := rows*columns, (rows-2)*(columns-2), uint64(c.strong), uint64(c.touched)
		// A pixel has 15 taps but at the rim: 7, 6, ... 1 less at each end.
		along, across := rows*(15*columns-7*8), columns*(15*rows-7*8)
		v := c.view()
		for name, want := range map[string]struct{ read, written, reads, writes uint64 }{
			"make_image":           {0, n, 0, n},
			"make_gaussian_kernel": {15 * 4, 2 * 15 * 4, 15, 2 * 15},
			"gaussian_smooth":      {along*(1+4) + across*(4+4), n*4 + n*2, 2*along + 2*across, 2 * n},
			"derivative_x_y":       {2 * n * 2 * 2, 2 * n * 2, 4 * n, 2 * n},
			"magnitude_x_y":        {n * 2 * 2, n * 2, 2 * n, n},
			"non_max_supp":         {inner * 5 * 2, n, 5 * inner, 0},
			// Each strong pixel is pushed, popped, and looked at with its neighbours; weak ones are written.
			"apply_hysteresis": {2*n + touched*(4+9), touched*4 + (touched - strong), 2*n + touched*10, 2*touched - strong},
		} {
			r := row(t, v, name)
			if r.Read != want.read || r.Written != want.written || r.Executions != 1 {
				t.Errorf("%v: %s reads %d bytes and writes %d in %d calls, want %d and %d in 1", size, name, r.Read, r.Written, r.Executions, want.read, want.written)
			}
			// Rims may be written by calls of memset: those of non_max_supp are not counted here.
			if r.Reads == nil || *r.Reads != want.reads || want.writes > 0 && *r.Writes != want.writes {
				t.Errorf("%v: %s reads %d times and writes %d times, want %d and %d", size, name, *r.Reads, *r.Writes, want.reads, want.writes)
			}
		}
		for _, e := range []struct {
			from, to        string
			bytes, distinct uint64
		}{
			{"make_image", "gaussian_smooth", along, n},
			{"make_gaussian_kernel", "gaussian_smooth", 4 * (along + across), 0},
			{"derivative_x_y", "magnitude_x_y", 2 * n * 2, 2 * n * 2},
			{"derivative_x_y", "non_max_supp", 2 * inner * 2, 2 * inner * 2},
			{"magnitude_x_y", "non_max_supp", 3 * inner * 2, 0},
			{"gaussian_smooth", "derivative_x_y", 2 * n * 2 * 2, 0},
			{"make_image", "derivative_x_y", 0, 0},
		} {
			if bytes, distinct := edge(t, v, e.from, e.to); bytes != e.bytes || e.distinct > 0 && distinct != e.distinct {
				t.Errorf("%v: %s reads %d bytes (%d distinct) of %s, want %d (%d)", size, e.to, bytes, distinct, e.from, e.bytes, e.distinct)
			}
		}
		if r := row(t, v, "gaussian_smooth"); r.Own != 4*across {
			t.Errorf("%v: gaussian_smooth reads %d bytes of its own, want %d", size, r.Own, 4*across)
		}
	}
}

// TestCannyLoops reproduces Fig. 5: functions split by their loops. The two of gaussian_smooth
// depend on each other, the two of derivative_x_y share what they read.
func TestCannyLoops(t *testing.T) {
	c := runCanny(t, "2", 40, 32)
	rows, columns := uint64(c.rows), uint64(c.columns)
	n, along, across := rows*columns, rows*(15*columns-7*8), columns*(15*rows-7*8)
	at := func(function string, line int) string { return fmt.Sprintf("%s:%d", function, line) }
	line := func(behind string, loop string) int {
		from := c.line(behind, 1)
		for i := from; i < len(c.source); i++ {
			if strings.HasPrefix(c.source[i], "  "+loop) {
				return i + 1
			}
		}
		t.Fatal(behind)
		return 0
	}
	smooth1 := at("gaussian_smooth", line("static short *gaussian_smooth", "for (int r"))
	smooth2 := at("gaussian_smooth", line("static short *gaussian_smooth", "for (int c"))
	derive1 := at("derivative_x_y", line("static void derivative_x_y", "for (int r"))
	derive2 := at("derivative_x_y", line("int left = c > 0", "for (int r"))
	image, magnitude := at("make_image", line("static byte *make_image", "for")), at("magnitude_x_y", line("static short *magnitude_x_y", "for"))
	v := c.view("--by", "loop")
	for _, e := range []struct {
		from, to        string
		bytes, distinct uint64
	}{
		{image, smooth1, along, n},
		{smooth1, smooth2, 4 * across, 4 * n},
		{"make_gaussian_kernel", smooth1, 4 * along, 60},
		{"make_gaussian_kernel", smooth2, 4 * across, 60},
		{smooth2, derive1, 2 * n * 2, 2 * n},
		{smooth2, derive2, 2 * n * 2, 2 * n},
		{derive1, derive2, 0, 0},
		{derive1, magnitude, 2 * n, 2 * n},
		{derive2, magnitude, 2 * n, 2 * n},
	} {
		if bytes, distinct := edge(t, v, e.from, e.to); bytes != e.bytes || distinct != e.distinct {
			t.Errorf("%s reads %d bytes (%d distinct) of %s, want %d (%d)", e.to, bytes, distinct, e.from, e.bytes, e.distinct)
		}
	}
	m := c.view("--by", "loop", "--matrix").Matrix
	sum := 0.0
	for _, line := range m.Bytes {
		for _, x := range line {
			sum += x
		}
	}
	if uint64(sum) != v.Read {
		t.Errorf("the matrix holds %.0f bytes, and %d are read", sum, v.Read)
	}
}

// TestCannyObjects reproduces Table 4: objects by where they are made, with their sizes. What is
// on the heap is written as often at -O0 as at -O2, and read as often as the source says.
func TestCannyObjects(t *testing.T) {
	for _, level := range []string{"2", "0"} {
		c := runCanny(t, level, 40, 32)
		rows, columns := uint64(c.rows), uint64(c.columns)
		n, inner, along, across := rows*columns, (rows-2)*(columns-2), rows*(15*columns-7*8), columns*(15*rows-7*8)
		v := c.view("--by", "object")
		weights := 60 + 4*(along+across)
		if level == "0" {
			weights *= 2 // each is read for the product, or to be divided, and for the sum
		}
		for text, want := range map[string][3]uint64{
			"byte *image = allocate":       {along, n, n},
			"float *kernel = allocate":     {weights, 120, 60},
			"float *tempim = allocate":     {4 * across, 4 * n, 4 * n},
			"short *smoothedim = allocate": {8 * n, 2 * n, 2 * n},
			"short *magnitude = allocate":  {6 * inner, 2 * n, 2 * n},
		} {
			line := "canny.c:" + strconv.Itoa(c.line(text, 1))
			found := false
			for i := range v.Rows {
				r := &v.Rows[i]
				if len(r.Made) < 2 || r.Made[1] != line {
					continue
				}
				found = true
				if got := [3]uint64{r.Read, r.Written, uint64(r.Size)}; got != want || r.Executions != 1 {
					t.Errorf("-O%s: %s is read, written and large %d bytes, want %d; made %d times by %v", level, text, got, want, r.Executions, r.Made)
				}
			}
			if !found {
				t.Errorf("-O%s: no object is made at %s", level, line)
			}
		}
	}
}

// TestReallocMakes has realloc let a block grow where it lies, and move one behind which another lies: it makes an object in either case.
func TestReallocMakes(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	source, bundle := filepath.Join(t.TempDir(), "grows.c"), filepath.Join(t.TempDir(), "grows.pspan")
	if err := os.WriteFile(source, []byte("#include <stdlib.h>\nint main(void) {\nchar *a = malloc(16);\na = realloc(a, 4000);\nchar *b = malloc(16);\na = realloc(a, 9000);\nb[1] = a[8999] = 1;\nreturn 0;\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "profile", "-q", "--memory", "-O0", "-o", bundle, source)
	var v comm.View
	if err := json.Unmarshal([]byte(succeed(t, "comm", bundle, "--by", "object", "--json")), &v); err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int64{"grows.c:3": 16, "grows.c:4": 4000, "grows.c:5": 16, "grows.c:6": 9000}
	for _, r := range v.Rows {
		if len(r.Made) == 1 && r.Executions == 1 && int64(r.Size) == sizes[r.Made[0]] {
			delete(sizes, r.Made[0])
		}
	}
	if len(sizes) > 0 {
		t.Errorf("not made once with their sizes: %v, of %+v", sizes, v.Rows)
	}
}

// TestPorts counts by hand what testdata/figures/ports.c says: main calls B 5 times, which calls C 6
// times, as in Fig. 7 of Cai and Gajski's report; C reads cx1, which is x, twice, and y once as cx2
// and once by name.
func TestPorts(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	bundle := filepath.Join(t.TempDir(), "ports.pspan")
	succeed(t, "profile", "-q", "--memory", "-o", bundle, filepath.Join("testdata", "figures", "ports.c"))
	var found report.Communication
	if err := json.Unmarshal([]byte(succeed(t, "comm", bundle, "--ports", "--json")), &found); err != nil {
		t.Fatal(err)
	}
	by := map[string]*comm.Behaviour{}
	for i := range found.Ports {
		by[found.Ports[i].Name] = &found.Ports[i]
	}
	c := by["C"]
	if c == nil || c.Executions != 5*6 || len(c.Ports) != 2 {
		t.Fatalf("C is %+v", c)
	}
	for _, p := range c.Ports {
		reads, writes := 2.0, map[string]float64{"x": 1, "y": 0}[p.Object]
		if p.Width != 4 || *p.Reads != reads || *p.Writes != writes || p.Read != 4*reads || p.Written != 4*writes {
			t.Errorf("port %s: %+v", p.Object, p)
		}
	}
	// C_S = 2 (4 + 4), C_D_R = 4 (2 + 2), C_D_W = 4, and 30 of each.
	if *c.Width != 8 || *c.Static != 16 || *c.StaticTotal != 30*16 || c.DynamicRead != 16 || c.DynamicWritten != 4 || c.DynamicTotal != 30*20 {
		t.Errorf("C: %+v", c)
	}
	for name, want := range map[string]comm.Storage{
		"C":      {Static: 4 + 4, Stack: new(int64), Sub: new(int64)},
		"F0":     {Stack: bytes64(16), Sub: new(int64)},
		"F1":     {Stack: bytes64(24 + 40 + 16), Sub: new(int64)},
		"F2":     {Stack: bytes64(60), Sub: new(int64)},
		"parent": {Heap: 100, Stack: bytes64(8 + max(24+40+16, 60)), Sub: new(int64)},
		"split":  {Stack: bytes64(3*4 + max(32, 48)), Sub: bytes64(32)}, // its sections share three variables, and run at the same time
		"deep":   {},
	} {
		if want.Stack != nil {
			want.Total = bytes64(want.Static + want.Heap + *want.Stack + *want.Sub)
		}
		b := by[name]
		if b == nil || !reflect.DeepEqual(*b.Storage, want) {
			got, _ := json.Marshal(b)
			t.Errorf("%s: %s", name, got)
		}
	}
}

func bytes64(n int64) *int64 { return &n }

// TestCommCrossed holds views of every program that other tests profile to each other: each has all
// bytes, a matrix has what rows and edges have, and accesses are as many as instructions that ran.
func TestCommCrossed(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	for _, source := range []string{"sizes.c", "nested.c", "tasks.c", "loops.c", "recursion.c"} {
		bundle := filepath.Join(t.TempDir(), source+".pspan")
		succeed(t, "profile", "-q", "--memory", "-o", bundle, filepath.Join("testdata", "figures", source))
		for _, by := range comm.Ways {
			var v report.Communication
			if err := json.Unmarshal([]byte(succeed(t, "comm", bundle, "--json", "--matrix", "--by", string(by))), &v); err != nil {
				t.Fatal(err)
			}
			var read, written, share, cells uint64
			for _, r := range v.Rows {
				if r.Kind == string(by) {
					read, written = read+r.Read, written+r.Written
				}
			}
			for _, e := range v.Edges {
				share += e.Bytes
			}
			for i := range v.Rows {
				share += v.Rows[i].Own
			}
			for _, line := range v.Matrix.Bytes {
				for _, x := range line {
					cells += uint64(x)
				}
			}
			if read != v.Read || written != v.Written || cells != share || by != comm.Object && cells != read {
				t.Errorf("%s by %s: rows read %d of %d and write %d of %d; edges have %d, the matrix %d", source, by, read, v.Read, written, v.Written, share, cells)
			}
		}
	}
}
