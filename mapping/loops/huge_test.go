package loops

// This file holds schedules of loops that are too long to execute to libomp, called as
// compiled programs call it.

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

const hugeRecord = "testdata/huge.txt"

const hugeHead = `# How long loops are split: a record of LLVM's OpenMP runtime.
#
# Each line has a loop as libomp was given it: type (4 or 8 bytes, u for unsigned), schedule as
# kmp.h numbers it, bounds, stride, chunk, threads; then what it gave, in iterations counted from
# 0. That is the first chunk of each thread and how far on its next one begins, or the number
# of chunks, a hash of all in order, and the first of them.
# Written by "go test ./mapping/loops -update", on x86-64.
`

// Schedules of kmp.h (enum sched_type).
const (
	kmpChunked      = 33
	kmpStatic       = 34
	kmpDynamic      = 35
	kmpGuided       = 36
	kmpAuto         = 38
	kmpMonotonic    = 1 << 29
	kmpNonmonotonic = 1 << 30
)

// huge is a loop as libomp is given it.
type huge struct {
	typ                  string
	kmp                  int
	lower, upper, stride int64
	chunk                int64
	threads              int
	schedule             Schedule
}

func (h huge) unsigned() bool { return strings.HasSuffix(h.typ, "u") }

// number spells a bound, which is unsigned where the type is.
func (h huge) number(v int64) string {
	if h.unsigned() {
		return strconv.FormatUint(uint64(v), 10)
	}
	return strconv.FormatInt(v, 10)
}

func (h huge) String() string {
	return fmt.Sprintf("%s %d %s %s %d %d %d", h.typ, h.kmp, h.number(h.lower), h.number(h.upper), h.stride, h.chunk, h.threads)
}

func (h huge) trips() int64 { return int64(trips(h.lower, h.upper, h.stride, h.unsigned())) }

// iteration returns which iteration has a value; it may be past the last.
func (h huge) iteration(value string) int64 {
	var v int64
	if h.unsigned() {
		u, _ := strconv.ParseUint(value, 10, 64)
		v = int64(u)
	} else {
		v, _ = strconv.ParseInt(value, 10, 64)
	}
	if h.stride < 0 {
		return int64(uint64(h.lower-v) / uint64(-h.stride))
	}
	return int64(uint64(v-h.lower) / uint64(h.stride))
}

// shares says what threads are given of a static loop.
func shares(of []Share) string {
	var words []string
	for _, s := range of {
		switch s.Chunks() {
		case 0:
			words = append(words, "none")
		case 1:
			c := s.Chunk(0)
			words = append(words, fmt.Sprintf("%d-%d", c.Begin, c.End-1))
		default:
			c := s.Chunk(0)
			words = append(words, fmt.Sprintf("%d-%d+%d", c.Begin, c.End-1, s.Step))
		}
	}
	return strings.Join(words, " ")
}

// digest says which chunks there are.
func digest(chunks []Chunk) string {
	h := fnv.New64a()
	for _, c := range chunks {
		fmt.Fprintf(h, "%d-%d\n", c.Begin, c.End-1)
	}
	s := fmt.Sprintf("%d chunks, %016x:", len(chunks), h.Sum64())
	for _, c := range chunks[:min(len(chunks), 4)] {
		s += fmt.Sprintf(" %d-%d", c.Begin, c.End-1)
	}
	return s
}

func (h huge) predicted() string {
	n := h.trips()
	if h.schedule.Kind == Static {
		var of []Share
		for t := range h.threads {
			of = append(of, h.schedule.Share(n, h.threads, t))
		}
		return shares(of)
	}
	return digest(dispensed(h.schedule, n, h.threads))
}

// did reads what libomp said of a loop.
func (h huge) did(lines []string) string {
	n := h.trips()
	if h.schedule.Kind != Static {
		var chunks []Chunk
		for _, line := range lines {
			words := strings.Fields(line)
			chunks = append(chunks, Chunk{h.iteration(words[0]), h.iteration(words[1]) + 1})
		}
		slices.SortFunc(chunks, func(a, b Chunk) int { return cmp.Compare(a.Begin, b.Begin) })
		return digest(chunks)
	}
	of := make([]Share, h.threads)
	for _, line := range lines {
		words := strings.Fields(line)
		thread, _ := strconv.Atoi(words[0])
		distance, _ := strconv.ParseInt(words[3], 10, 64)
		lower, upper := words[1], words[2]
		if n == 0 || passed(h, lower, upper) || passed(h, lower, h.number(h.upper)) {
			continue
		}
		begin, end := h.iteration(lower), h.iteration(upper)+1
		if passed(h, upper, h.number(h.upper)) {
			end = n // the compiler's to cut
		}
		s := Share{begin, end - begin, n, end}
		if h.kmp == kmpChunked && h.threads > 1 {
			s.Step, s.End = distance/h.stride, n
		}
		of[thread] = s
	}
	return shares(of)
}

// passed reports whether a value lies behind a bound.
func passed(h huge, value, bound string) bool {
	if h.unsigned() {
		a, _ := strconv.ParseUint(value, 10, 64)
		b, _ := strconv.ParseUint(bound, 10, 64)
		return h.stride > 0 && a > b || h.stride < 0 && a < b
	}
	a, _ := strconv.ParseInt(value, 10, 64)
	b, _ := strconv.ParseInt(bound, 10, 64)
	return h.stride > 0 && a > b || h.stride < 0 && a < b
}

// hugeLoops returns loops that are the same each time. Counts stay below what the signed type
// of the same size holds, and chunks so small that no sum of libomp's leaves the type.
func hugeLoops() []huge {
	r := rand.New(rand.NewPCG(64, 32))
	var out []huge
	for len(out) < 300 {
		h := huge{typ: pick(r, "4", "4u", "8", "8u"), threads: 1 + r.IntN(most), stride: 1}
		low, high, size := int64(math.MinInt64), uint64(math.MaxUint64), 63
		switch h.typ {
		case "4":
			low, high, size = math.MinInt32, math.MaxUint32, 31
		case "4u":
			low, high, size = 0, math.MaxUint32, 31
		case "8u":
			low = 0
		}
		// high is now the distance from the lowest to the highest value.
		n := r.Uint64N(1<<size) >> r.IntN(size)
		if r.IntN(5) == 0 {
			n = 1<<size - 1 - r.Uint64N(3)
		}
		n = max(n, 1)
		step := uint64(1)
		if r.IntN(2) == 0 {
			step += r.Uint64N(min(high/4/n+1, 1<<(size-1)))
		}
		reach := (n - 1) * step
		from := uint64(low) + r.Uint64N(high-reach)
		h.lower, h.upper, h.stride = int64(from), int64(from+reach+r.Uint64N(min(step, high-(from-uint64(low))-reach))), int64(step)
		if r.IntN(2) == 0 {
			h.lower, h.upper, h.stride = int64(from+reach), int64(from), -int64(step)
		}
		if r.IntN(20) == 0 && n > 1 {
			h.lower, h.upper = h.upper, h.lower // nothing to do
		}
		// Where sums with a chunk could leave the type, clang's own numbering is left.
		room := min(n, (1<<size-1)/uint64(h.threads+1)/step/2)
		chunk := int64(max(1, r.Uint64N(max(room, 1))>>r.IntN(size)))
		switch r.IntN(5) {
		case 0:
			h.kmp = kmpStatic
		case 1:
			h.kmp, h.chunk = kmpChunked, chunk
			if h.lower != 0 && size == 31 || step > 1 {
				h.lower, h.upper, h.stride = 0, int64(n/2), 1
				h.chunk = max(1, min(chunk, int64(n/32)))
			}
		case 2:
			h.kmp, h.chunk = kmpDynamic+pick(r, kmpMonotonic, kmpNonmonotonic), max(chunk, int64(n/400))
			h.schedule.Kind = Dynamic
		case 3:
			h.kmp, h.chunk = kmpGuided+kmpNonmonotonic, min(chunk, int64(n/uint64(3*h.threads))+1)
			h.schedule.Kind = Guided
		case 4:
			h.kmp, h.chunk = kmpAuto+kmpNonmonotonic, 1
			h.schedule.Kind = Auto
		}
		h.schedule.Chunk = h.chunk
		out = append(out, h)
	}
	return out
}

func TestRecordOfHugeLoops(t *testing.T) {
	data, err := os.ReadFile(hugeRecord)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(string(data), hugeHead)), "\n")
	loops := hugeLoops()
	if len(lines) != len(loops) {
		t.Fatalf("%s has %d loops, want %d", hugeRecord, len(lines), len(loops))
	}
	for i, h := range loops {
		if got := fmt.Sprintf("%v: %s", h, h.predicted()); got != lines[i] {
			t.Errorf("predicted: %s\nlibomp did: %s", got, lines[i])
		}
	}
}

func TestHugeLoopsOfLibomp(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("no compiler to run libomp with: %v", err)
	}
	program := filepath.Join(t.TempDir(), "huge")
	link(t, tc, tc.Clang, "-Wall", "-Wextra", "-Werror", "-O1", "-fopenmp=libomp", "testdata/huge.c", "-o", program)
	loops := hugeLoops()
	var in strings.Builder
	for _, h := range loops {
		fmt.Fprintln(&in, h)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin = strings.NewReader(in.String())
	cmd.Env = environment("")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(out, []byte("end\n"))
	if len(answers) != len(loops)+1 {
		t.Fatalf("libomp answered for %d loops of %d", len(answers)-1, len(loops))
	}
	var b strings.Builder
	b.WriteString(hugeHead)
	for i, h := range loops {
		lines := strings.FieldsFunc(string(answers[i]), func(r rune) bool { return r == '\n' })
		fmt.Fprintf(&b, "%v: %s\n", h, h.did(lines))
	}
	compare(t, hugeRecord, b.String())
}
