package caches

// This file holds the model against traces of programs, simulated line by line, and the
// simulation against valgrind's cachegrind.

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// access is one that valgrind tells of: an address and how many bytes.
type access struct{ at, bytes uint64 }

// linesOf lists the lines that the accesses of a program touch, in order. As cachegrind, it
// counts what lies across two lines once, as a miss where one of the two misses: pairs share an
// index of whole.
func linesOf(all []access) (lines []uint64, whole []int) {
	for i, a := range all {
		for l := a.at / RecordedLine; l <= (a.at+a.bytes-1)/RecordedLine; l++ {
			lines, whole = append(lines, l), append(whole, i)
		}
	}
	return lines, whole
}

// simulate counts the misses of a cache line by line.
func simulate(c Cache, lines []uint64, whole []int) (misses int) {
	ways, sets := int(c.Ways), uint64(1)
	if c.Ways == 0 {
		ways = int(c.Size / c.Line)
	} else {
		sets = uint64(c.Size / (c.Line * c.Ways))
	}
	held := make([][]uint64, sets) // most recent first
	last := -1
	for i, l := range lines {
		set := held[l%sets]
		at := slices.Index(set, l)
		if at < 0 {
			if whole[i] != last {
				misses++
			}
			last = whole[i]
			if at = len(set); at < ways {
				set = append(set, 0)
			} else {
				at--
			}
		}
		copy(set[1:at+1], set[:at])
		set[0] = l
		held[l%sets] = set
	}
	return misses
}

// histogramOf says exactly how far apart lines are used, then forgets as much as a record does
// whose groups end behind 1, 2, 3, 4, 6, 8, 12, 16 lines and so on.
func histogramOf(lines []uint64) Histogram {
	tree := make([]int32, len(lines)+1) // Fenwick: the last uses of lines, by time
	add := func(i int, x int32) {
		for i++; i < len(tree); i += i & -i {
			tree[i] += x
		}
	}
	upTo := func(i int) (n int32) {
		for i++; i > 0; i -= i & -i {
			n += tree[i]
		}
		return n
	}
	last := map[uint64]int{}
	counts := map[int64]float64{}
	for i, l := range lines {
		if j, ok := last[l]; ok {
			n := int64(len(last)) - int64(upTo(j-1))
			group := int64(1)
			for step := int64(1); group < n; {
				if group += step; group&(group-1) == 0 && group >= 4 {
					step = group / 2
				}
			}
			counts[group]++
			add(j, -1)
		} else {
			counts[First]++
		}
		last[l] = i
		add(i, 1)
	}
	var h Histogram
	for n, times := range counts {
		h = append(h, Reuse{n, times})
	}
	slices.SortFunc(h, func(a, b Reuse) int { return int(a.Lines - b.Lines) })
	return h
}

// conflictsOf counts of one in so many uses, from 17 to 4096 lines apart, how many of the lines used since lie in the same set, for each
// number of sets.
func conflictsOf(lines []uint64, each int) []Conflict {
	last := map[uint64]int{}
	count := map[[2]int64]float64{}
	for i, line := range lines {
		before, again := last[line]
		last[line] = i
		if !again || i%each != 0 {
			continue
		}
		since := map[uint64]bool{}
		for _, other := range lines[before+1 : i] {
			since[other] = true
		}
		if len(since) < sampledAbove || len(since) >= sampledTo {
			continue
		}
		for log := range int64(13) {
			n := int64(1)
			for other := range since {
				if (other-line)%(1<<log) == 0 {
					n++
				}
			}
			count[[2]int64{log, n}]++
		}
	}
	var out []Conflict
	for at, times := range count { // groups of their own, which end behind the number
		out = append(out, Conflict{int(at[0]), groupOf(at[1]), times})
	}
	return out
}

// groupOf returns the end of the group that a number is in.
func groupOf(n int64) int64 {
	for end := int64(4); ; end *= 2 {
		switch {
		case n <= 4:
			return n
		case n <= end*3/2:
			return end * 3 / 2
		case n <= end*2:
			return end * 2
		}
	}
}

// traced runs a program under valgrind's lackey.
func traced(t *testing.T, exe string, args ...string) []access {
	t.Helper()
	log := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command("valgrind", append([]string{"--tool=lackey", "--trace-mem=yes", "--log-file=" + log, exe}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []access
	for s := bufio.NewScanner(f); s.Scan(); {
		text := s.Text()
		if len(text) < 4 || text[0] != ' ' || !strings.ContainsAny(text[:3], "LSM") {
			continue
		}
		at, bytes, ok := strings.Cut(text[3:], ",")
		a, err := strconv.ParseUint(at, 16, 64)
		n, err2 := strconv.ParseUint(bytes, 10, 64)
		if !ok || err != nil || err2 != nil {
			t.Fatalf("%q", text)
		}
		all = append(all, access{a, n})
	}
	return all
}

var cachegrindSays = regexp.MustCompile(`D1  misses: +([0-9,]+)`)

// cachegrind counts the misses of a cache with valgrind.
func cachegrind(t *testing.T, c Cache, exe string, args ...string) int {
	t.Helper()
	ways := c.Ways
	if ways == 0 {
		ways = c.Size / c.Line
	}
	out, err := exec.Command("valgrind", append([]string{"--tool=cachegrind", "--cachegrind-out-file=/dev/null", fmt.Sprintf("--D1=%d,%d,%d", c.Size, ways, c.Line), exe}, args...)...).CombinedOutput()
	m := cachegrindSays.FindSubmatch(out)
	if err != nil || m == nil {
		t.Fatalf("%v\n%s", err, out)
	}
	n, err := strconv.Atoi(strings.ReplaceAll(string(m[1]), ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Misses of five sizes are within a hundredth of a point of all accesses where a line may lie
// anywhere, as sizes are ends of groups, and within 1.5 points on average where it may lie in
// sets of several. One of its own for each line is what chance tells least of.
func TestMissesOfPrograms(t *testing.T) {
	for _, tool := range []string{"valgrind", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	sizes := []int64{4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10}
	off := map[int64][]float64{}      // by ways: points of the miss rate
	relative := map[int64][]float64{} // of the misses
	sampled := map[int64][]float64{}  // as off, where it is known of some uses which lines share sets
	for _, p := range [][]string{
		{"dijkstra/dijkstra.c", "10"}, {"fft/fft.c", "20", "8"}, {"stencil/stencil.c", "32", "50"},
		{"parallel/matmul.c", "40", "2", "24"}, {"parallel/sparse.c", "300", "10"}, {"parallel/mergesort.c", "4000", "200"},
	} {
		exe := filepath.Join(t.TempDir(), "a")
		if out, err := exec.Command("gcc", "-O2", "-w", "-o", exe, "../../testdata/"+p[0], "-lm").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		all := traced(t, exe, p[1:]...)
		lines, whole := linesOf(all)
		h, sample := histogramOf(lines), conflictsOf(lines, 50)
		if c := (Cache{16 << 10, 64, 4}); simulate(c, lines, whole) != cachegrind(t, c, exe, p[1:]...) {
			t.Errorf("%s: %d misses, and %d by cachegrind", p[0], simulate(c, lines, whole), cachegrind(t, c, exe, p[1:]...))
		}
		for _, ways := range []int64{0, 1, 2, 4, 8} {
			for _, size := range sizes {
				c := Cache{size, 64, ways}
				want, got := float64(simulate(c, lines, whole)), c.Misses(h)
				off[ways] = append(off[ways], 100*math.Abs(got-want)/float64(len(all)))
				sampled[ways] = append(sampled[ways], 100*math.Abs(c.MissesOf(h, sample, 1)-want)/float64(len(all)))
				relative[ways] = append(relative[ways], 100*math.Abs(got-want)/want)
			}
		}
	}
	for ways, most := range map[int64]float64{0: 0.01, 1: 3, 2: 1.5, 4: 1.5, 8: 1.5} {
		mean := stat.Mean(off[ways], nil)
		t.Logf("%d ways: miss rates %.3f points off on average, at most %.3f; misses %.1f %% off", ways, mean, slices.Max(off[ways]), stat.Mean(relative[ways], nil))
		if !(mean <= most) {
			t.Errorf("%d ways: miss rates are %.3f points off on average, want %g at most", ways, mean, most)
		}
		known := stat.Mean(sampled[ways], nil)
		t.Logf("%d ways, with a sample: %.3f points off on average, at most %.3f", ways, known, slices.Max(sampled[ways]))
		if limit := map[int64]float64{0: 0.01, 1: 0.3, 2: 0.15, 4: 0.1, 8: 0.1}[ways]; !(known <= limit) {
			t.Errorf("%d ways: with a sample miss rates are %.3f points off on average, want %g at most", ways, known, limit)
		}
	}
}

// Lines spread by chance are what the model assumes.
func TestMissesOfChance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []Cache{{4096, 64, 1}, {4096, 64, 4}, {12 << 10, 64, 3}, {8192, 64, 0}, {5184, 64, 0}} {
		var lines []uint64
		var whole []int
		names := r.Perm(1 << 20)
		for i := range 200_000 {
			lines = append(lines, uint64(names[int(200*math.Abs(r.NormFloat64()))])) // near ones more often
			whole = append(whole, i)
		}
		got, want := c.Misses(histogramOf(lines)), float64(simulate(c, lines, whole))
		if math.Abs(got-want) > 0.01*float64(len(lines)) {
			t.Errorf("%+v: %.0f misses, want %.0f", c, got, want)
		}
	}
}

// Shorter lines miss once for each part of a recorded one in what passes through arrays.
func TestShorterLines(t *testing.T) {
	var lines []uint64
	var whole []int
	for range 3 {
		for l := range uint64(200) {
			lines, whole = append(lines, l), append(whole, len(whole))
		}
	}
	h := histogramOf(lines)
	for size, want := range map[int64]float64{8 << 10: 1200, 32 << 10: 400} {
		if got := (Cache{size, 32, 0}).Misses(h); got != want {
			t.Errorf("%d bytes in lines of 32: %v misses, want %v", size, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []Cache{{32768, 64, 4}, {32768, 32, 4}, {49152, 64, 12}, {640, 64, 0}} {
		if err := c.Check(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []Cache{{}, {32768, 48, 4}, {32768, 128, 4}, {32768, 64, 3}, {1000, 64, 1}, {32768, 64, -1}, {49152, 64, 4}} {
		if c.Check() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
