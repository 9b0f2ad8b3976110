package loops

// This file makes random loops of C and C++, and knows which values their variables have.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// loop is a worksharing loop of a program, and the clock that it is played on.
type loop struct {
	text     string // the loop or nest, up to its body
	value    string // an expression of what the body sees
	values   []int64
	hole     func(int64) bool // iterations that clang counts and the program does not have
	clause   string           // schedule, as the program spells it
	more     string           // other clauses
	ordered  bool
	simd     string   // " simd" where the construct is for simd
	schedule Schedule // that the loop follows
	env      string   // OMP_SCHEDULE
	threads  int
	seed     uint32
	start    []int64
	speed    []int64
}

// work is the work of an iteration, as testdata/recorder.c has it.
func (l *loop) work(k int64) float64 {
	return float64(1 + (uint64(k)*2654435761+uint64(l.seed))/8%50)
}

const dispatch = 3 // as in testdata/recorder.c

// curves are the threads' curves of a loop.
func (l *loop) curves() []Curve {
	out := make([]Curve, l.threads)
	for t := range out {
		at, work := []int64{0}, []float64{0}
		for k := range l.values {
			at = append(at, int64(k)+1)
			work = append(work, work[k]+l.work(int64(k))*float64(l.speed[t]))
		}
		out[t] = Curve{at, work}
	}
	return out
}

// String describes a loop in one line.
func (l *loop) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "for%s: %s", l.simd, l.text)
	if l.clause != "" {
		fmt.Fprintf(&b, " schedule(%s)", l.clause)
	}
	b.WriteString(l.more)
	if l.env != "" {
		fmt.Fprintf(&b, ", OMP_SCHEDULE=%s", l.env)
	}
	fmt.Fprintf(&b, ", %d threads, seed %d, start %v, speed %v", l.threads, l.seed, l.start, l.speed)
	return b.String()
}

// source is the C or C++ function that executes a loop.
func (l *loop) source(number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "static void loop%d(void)\n{\n    const long start[] = {%s}, speed[] = {%s};\n", number, list(l.start), list(l.speed))
	turns := 1
	if l.schedule.Kind == Static {
		turns = 0
	}
	fmt.Fprintf(&b, "    play(%d, %d, %du, start, speed, %d);\n    long long last = 0;\n    long long sum = 0;\n    (void)last, (void)sum;\n", number, l.threads, l.seed, turns)
	b.WriteString("#pragma omp parallel num_threads(team())\n    {\n#pragma omp for" + l.simd)
	if l.clause != "" {
		fmt.Fprintf(&b, " schedule(%s)", l.clause)
	}
	b.WriteString(l.more + "\n    " + l.text + "\n    {\n")
	fmt.Fprintf(&b, "        long long v = (long long)(%s);\n        saw(v);\n", l.value)
	if strings.Contains(l.more, "lastprivate") {
		b.WriteString("        last = v;\n")
	}
	if strings.Contains(l.more, "reduction") {
		b.WriteString("        sum += v;\n")
	}
	if l.ordered {
		b.WriteString("#pragma omp ordered\n        {\n        }\n")
	}
	b.WriteString("    }\n    }\n    played();\n}\n\n")
	return b.String()
}

func list(numbers []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// pick returns one of several.
func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// integers are the types of loop variables.
var integers = []struct {
	name     string
	low      int64
	high     uint64
	unsigned bool
}{
	{"int", math.MinInt32, math.MaxInt32, false},
	{"unsigned", 0, math.MaxUint32, true},
	{"long", math.MinInt64, math.MaxInt64, false},
	{"unsigned long", 0, math.MaxUint64, true},
	{"short", math.MinInt16, math.MaxInt16, false},
	{"unsigned char", 0, math.MaxUint8, true},
}

// simple gives a loop over integers of any type, direction and stride.
func (l *loop) simple(r *rand.Rand) {
	typ := integers[r.IntN(len(integers))]
	if r.IntN(2) == 0 {
		typ = integers[r.IntN(4)]
	}
	span := typ.high - uint64(typ.low) // as a distance, without sign
	count := r.Uint64N(min(260, span-14))
	if r.IntN(12) == 0 {
		count = 0
	}
	step := uint64(1)
	if r.IntN(2) == 0 {
		step = 1 + r.Uint64N(min(9, span/(count+2)))
		if r.IntN(3) == 0 {
			step = 1 + r.Uint64N(min(span/(count+2), math.MaxInt32-1))
		}
		if r.IntN(6) == 0 && span > math.MaxUint32 {
			step = 1 + r.Uint64N(min(span/(count+2), math.MaxInt64))
		}
	}
	count = min(count, span/step-1)
	// The first and the last value, with room for a bound past the last.
	reach := count * step
	from := uint64(typ.low) + 1 + r.Uint64N(span-reach-1)
	switch r.IntN(4) {
	case 0: // at one end of the type
		from = uint64(typ.low) + 1
	case 1:
		from = typ.high - reach
	}
	op, end := "<", from+reach
	if count > 0 {
		end -= r.Uint64N(step) // bounds need not be met
	}
	lower, upper, stride := int64(from), int64(end-1), int64(step)
	down := r.IntN(2) == 0
	if down {
		// From the last value down to one above a bound that is below the first.
		op, end = ">", from
		if count == 0 {
			end = from + reach
		}
		lower, upper, stride = int64(from+reach), int64(end+1), -int64(step)
	}
	switch {
	case step == 1 && r.IntN(4) == 0:
		op = "!="
	case count > 0 && r.IntN(3) == 0:
		op += "="
		end = uint64(upper)
	}
	literal := func(v uint64) string {
		if typ.unsigned {
			return fmt.Sprintf("(%s)%dull", typ.name, v)
		}
		if int64(v) == math.MinInt64 {
			return "(-9223372036854775807l - 1)"
		}
		return fmt.Sprintf("(%s)%dl", typ.name, int64(v))
	}
	change := fmt.Sprintf("i += %s", literal(step))
	switch {
	case step == 1 && down:
		change = pick(r, "i--", "--i", "i -= 1")
	case step == 1:
		change = pick(r, "i++", "++i", "i = 1 + i")
	case down:
		change = fmt.Sprintf("i -= %s", literal(step))
	}
	l.text = fmt.Sprintf("for (%s i = %s; i %s %s; %s)", typ.name, literal(uint64(lower)), op, literal(end), change)
	l.value = "i"
	for k := range int64(trips(lower, upper, stride, typ.unsigned)) {
		l.values = append(l.values, lower+k*stride)
	}
}

// pointers gives a loop over pointers or iterators.
func (l *loop) pointers(r *rand.Rand) {
	n, step := 1+r.Int64N(250), 1+r.Int64N(5)
	if r.IntN(2) == 0 {
		l.text = fmt.Sprintf("for (std::vector<int>::iterator i = numbers.begin() + 3; i < numbers.begin() + %d; i += %d)", 3+n, step)
		l.value = "i - numbers.begin()"
		for v := int64(3); v < 3+n; v += step {
			l.values = append(l.values, v)
		}
		return
	}
	l.text = fmt.Sprintf("for (char *i = letters + %d; i >= letters; i -= %d)", n, step)
	l.value = "i - letters"
	for v := n; v >= 0; v -= step {
		l.values = append(l.values, v)
	}
}

// nest gives two or three loops under collapse.
func (l *loop) nest(r *rand.Rand) {
	a, b, c := 1+r.Int64N(12), 1+r.Int64N(12), 1+r.Int64N(4)
	if r.IntN(3) == 0 {
		l.more = " collapse(3)"
		l.text = fmt.Sprintf("for (int i = 0; i < %d; i++) for (long j = %d; j > 0; j--) for (unsigned k = 0; k < %d; k += 2)", a, b, c)
		l.value = "i * 1000000 + j * 1000 + k"
		for i := range a {
			for j := b; j > 0; j-- {
				for k := int64(0); k < c; k += 2 {
					l.values = append(l.values, i*1000000+j*1000+k)
				}
			}
		}
		return
	}
	l.more = " collapse(2)"
	l.text = fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++)", a, b)
	l.value = "i * 1000 + j"
	for i := range a {
		for j := range b {
			l.values = append(l.values, i*1000+j)
		}
	}
}

// triangle gives two loops under collapse, the inner one bounded by the outer one's variable:
// clang takes it for a rectangle as wide as the widest row and leaves out what is not there.
func (l *loop) triangle(r *rand.Rand) {
	n, by := 2+r.Int64N(14), 1+r.Int64N(3)
	upper := r.IntN(2) == 0
	l.more = " collapse(2)"
	l.value = "i * 1000 + j"
	first := func(i int64) int64 { return 0 }
	last := func(i int64) int64 { return i + 1 }
	if upper {
		l.text = fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = i; j < %d; j += %d)", n, n, by)
		first = func(i int64) int64 { return i }
		last = func(int64) int64 { return n }
	} else {
		l.text = fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j <= i; j += %d)", n, by)
	}
	width := (n + by - 1) / by
	var holes []bool
	for i := range n {
		for k := range width {
			j := first(i) + k*by
			l.values = append(l.values, i*1000+j)
			holes = append(holes, j >= last(i))
		}
	}
	l.hole = func(k int64) bool { return holes[k] }
}

// environments are values of OMP_SCHEDULE; "" stands for none.
var environments = []string{"", "static", "static,5", "dynamic", "dynamic,4", "monotonic:dynamic,3", "nonmonotonic:dynamic,2", "guided", "guided,3", "auto"}

// randomLoops returns loops that are the same each time.
func randomLoops(n int) []*loop {
	r := rand.New(rand.NewPCG(20, 26))
	var out []*loop
	for i := range n {
		l := &loop{threads: 1 + r.IntN(most), seed: r.Uint32()}
		switch {
		case i%10 == 7:
			l.pointers(r)
		case i%10 == 8:
			l.nest(r)
		case i%20 == 9:
			l.triangle(r)
		default:
			l.simple(r)
		}
		kind := pick(r, "", "static", "static", "dynamic", "dynamic", "guided", "auto", "runtime")
		l.clause = kind
		if kind != "" && kind != "auto" && kind != "runtime" && r.IntN(3) > 0 {
			l.clause += fmt.Sprintf(",%d", pick(r, 1, 2, 1+r.IntN(20), 1+r.IntN(400)))
		}
		if kind == "dynamic" || kind == "guided" {
			l.clause = pick(r, "", "", "monotonic:", "nonmonotonic:", "simd:") + l.clause
		}
		l.more += pick(r, "", "", " nowait", " lastprivate(last)", " reduction(+ : sum)")
		if r.IntN(5) == 0 && !strings.Contains(l.clause, "nonmonotonic") && !strings.Contains(l.clause, "simd") && l.hole == nil {
			l.ordered = true
			l.more += " ordered"
		}
		if !l.ordered && r.IntN(8) == 0 {
			l.simd = " simd"
		}
		if l.clause != "" {
			l.schedule = must(Parse(l.clause))
		}
		if l.schedule.Kind == Runtime {
			l.env = pick(r, environments...)
			l.schedule = Schedule{}
			if l.env != "" {
				l.schedule = must(Parse(l.env))
			}
			l.schedule = inEnvironment(l.schedule, l.ordered)
		} else {
			l.schedule = l.schedule.Clause(l.ordered)
		}
		for range l.threads {
			l.start = append(l.start, pick(r, 0, 0, r.Int64N(300), r.Int64N(9000)))
			l.speed = append(l.speed, 1+r.Int64N(4))
		}
		out = append(out, l)
	}
	return out
}

func must(s Schedule, err error) Schedule {
	if err != nil {
		panic(err)
	}
	return s
}

// maxRuntimeChunk is the largest chunk that libomp takes from OMP_SCHEDULE (KMP_MAX_CHUNK).
const maxRuntimeChunk = 1<<31 - 2

// inEnvironment returns what the value of OMP_SCHEDULE (or of omp_set_schedule) means to a
// loop with schedule(runtime). There an unstated order is monotonic: libomp takes it for
// that when the compiler wrote no OpenMP version of 5.0 or later into the loop's location
// (kmp_dispatch.cpp, __kmp_get_monotonicity), and clang 14 to 22 write none. The chunk is
// an int, and larger ones are cut (kmp_settings.cpp, __kmp_parse_single_omp_schedule).
// Without OMP_SCHEDULE, such a loop has the zero Schedule.
func inEnvironment(s Schedule, ordered bool) Schedule {
	s.Chunk = min(s.Chunk, maxRuntimeChunk)
	if ordered || s.Order == Unstated {
		s.Order = Monotonic
	}
	return s
}

// Iterations returns how many iterations a thread executes.
func (s Share) Iterations() int64 {
	k := s.Chunks()
	if k == 0 {
		return 0
	}
	return (k-1)*s.Length + s.Chunk(k-1).Len()
}
