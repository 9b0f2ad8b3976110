package loops

// This file holds schedules of loops, and reads and writes them as schedule clauses and
// OMP_SCHEDULE spell them.

import (
	"fmt"
	"strconv"
	"strings"

	"pathspan/ir"
)

// Kind is the kind of a loop's schedule: what programs say of their loops.
type Kind = ir.Schedule

// The kinds.
const (
	Static  = ir.Static
	Dynamic = ir.Dynamic
	Guided  = ir.Guided
	Auto    = ir.Auto
	Runtime = ir.Runtime
)

// Order says whether a thread must execute its chunks in the order of the loop.
type Order int

// Unstated is what a program has that names neither modifier. What it means depends on
// where the schedule was written: Clause and Environment say.
const (
	Unstated Order = iota
	Monotonic
	Nonmonotonic
)

var orders = [...]string{Monotonic: "monotonic", Nonmonotonic: "nonmonotonic"}

// Schedule is how the iterations of a loop are given to threads. The zero Schedule is
// static without a chunk: what a loop without a schedule clause has.
type Schedule struct {
	Kind  Kind
	Chunk int64 // iterations; 0 where none is given
	Order Order
}

// String spells a schedule as Parse reads it.
func (s Schedule) String() string {
	var b strings.Builder
	if s.Order != Unstated {
		b.WriteString(orders[s.Order] + ":")
	}
	b.WriteString(s.Kind.String())
	if s.Chunk > 0 {
		fmt.Fprintf(&b, ",%d", s.Chunk)
	}
	return b.String()
}

// Parse reads a schedule as a schedule clause or OMP_SCHEDULE spells it: the kind, a chunk
// behind a comma, modifiers before a colon, in any case and with spaces around each word.
// "static_steal" is libomp's own word for nonmonotonic:dynamic.
//
// The modifier simd changes nothing, but for static schedules with a chunk, which are an
// error: clang 14 to 22 pass them to libomp as kmp_sch_static_balanced_chunked, for which
// __kmp_for_static_init sets no stride, and then go on by the stride of 1 that was there
// before, so that on two or more threads iterations run again and again.
func Parse(text string) (Schedule, error) {
	var s Schedule
	simd := false
	fail := func(format string, args ...any) (Schedule, error) {
		return Schedule{}, fmt.Errorf("schedule %q: "+format, append([]any{text}, args...)...)
	}
	rest := strings.ToLower(text)
	if before, after, found := strings.Cut(rest, ":"); found {
		for _, word := range strings.Split(before, ",") {
			word = strings.TrimSpace(word)
			order := Unstated
			switch word {
			case "monotonic":
				order = Monotonic
			case "nonmonotonic":
				order = Nonmonotonic
			case "simd":
				simd = true
				continue
			default:
				return fail("unknown modifier %q (want monotonic, nonmonotonic or simd)", word)
			}
			if s.Order != Unstated {
				return fail("has two of monotonic and nonmonotonic (give one)")
			}
			s.Order = order
		}
		rest = after
	}
	word, chunk, hasChunk := strings.Cut(rest, ",")
	word = strings.TrimSpace(word)
	switch word {
	case "static":
	case "dynamic":
		s.Kind = Dynamic
	case "static_steal":
		if s.Order == Monotonic {
			return fail("static_steal is nonmonotonic (write monotonic:dynamic)")
		}
		s.Kind, s.Order = Dynamic, Nonmonotonic
	case "guided":
		s.Kind = Guided
	case "auto":
		s.Kind = Auto
	case "runtime":
		s.Kind = Runtime
	case "trapezoidal":
		return fail("trapezoidal is an extension of libomp that is not modelled (want static, dynamic, guided or auto)")
	default:
		return fail("unknown kind %q (want static, dynamic, guided, auto or runtime)", word)
	}
	if s.Order == Nonmonotonic && s.Kind == Static {
		return fail("nonmonotonic is for dynamic and guided (leave it out)")
	}
	if !hasChunk {
		return s, nil
	}
	if s.Kind == Auto || s.Kind == Runtime {
		return fail("%s takes no chunk (leave out the comma and what follows)", word)
	}
	chunk = strings.TrimSpace(chunk)
	n, err := strconv.ParseInt(chunk, 10, 64)
	if err != nil || n < 1 || strings.HasPrefix(chunk, "+") {
		return fail("chunk %q (want a whole number from 1 to %d)", chunk, int64(1<<63-1))
	}
	if s.Chunk = n; simd && s.Kind == Static {
		return fail("parallel programs made by clang execute iterations more than once under it (leave out simd)")
	}
	return s, nil
}

// Clause returns what a schedule clause means to a program built by clang 14 to 22. They
// follow OpenMP 5.0 or later unless -fopenmp-version says otherwise, where an unstated
// order is nonmonotonic but for static schedules and ordered loops: clang sets that bit in
// what it passes to __kmpc_dispatch_init (CGOpenMPRuntime.cpp, addMonoNonMonoModifier).
// An ordered loop is monotonic whatever it says (kmp_dispatch.cpp,
// __kmp_dispatch_init_algorithm).
func (s Schedule) Clause(ordered bool) Schedule {
	switch {
	case ordered || s.Kind == Static:
		s.Order = Monotonic
	case s.Order == Unstated:
		s.Order = Nonmonotonic
	}
	return s
}

// Steals reports whether libomp plays a loop of n iterations on threads by giving each
// thread its share of the chunks in advance and letting those who are done steal
// (kmp_sch_static_steal), in place of handing out chunks one after another. The chunks are
// the same; who executes them differs. It is so for nonmonotonic dynamic loops with a chunk
// or more for each thread: in what a program's clauses say, for dynamic without a modifier.
func (s Schedule) Steals(n int64, threads int) bool {
	return s.Kind == Dynamic && s.Order == Nonmonotonic && threads > 1 && chunksOf(n, max(s.Chunk, 1)) >= int64(threads)
}

// chunksOf returns how many chunks n iterations are.
func chunksOf(n, chunk int64) int64 {
	whole := n / chunk
	if n%chunk != 0 {
		whole++
	}
	return whole
}
