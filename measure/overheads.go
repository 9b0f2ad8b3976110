package measure

// This file measures what our run-time library needs to start sections and to join
// them, as a platform's overheads say it.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pathspan/build/record"
	"pathspan/mapping"
)

// Overheads are what regions, loops and locks cost beside their work.
type Overheads struct {
	Processors int
	Executions int
	// Create is from the fork to the start of the last section to start, Sync from the
	// end of the last section to end to the end of the region.
	Create, Sync Quartiles
	// Fork is the part of Create before the first section starts, and Join the part of Sync
	// that is left where the thread that forks is the last to end.
	Fork, Join Quartiles
	// Dispatch is of a chunk of a dynamic loop, for the thread that takes it; Lock of a lock
	// that is free; TeamOfOne of a region whose sections one thread executes.
	Dispatch, Lock, TeamOfOne Quartiles
	// Atomic is what an atomic update takes longer where another thread updates the same line,
	// each with work between its updates.
	Atomic Quartiles
	// ReadLines and WriteLines are what 100 lines take longer that another thread wrote, to be read, and that
	// another read, to be written.
	ReadLines, WriteLines Quartiles
	// Task is of one that does nothing, made and executed by one thread, Undeferred of one
	// whose if clause is false; Steal from when a task
	// is made until another thread begins it. NoTasks says why there are none.
	Task, Undeferred, Steal Quartiles
	NoTasks                 error
	// Construct is what one more loop in a region takes: its tasks and a barrier.
	Construct Quartiles
	// Reduction is what combining a sum behind a loop takes more.
	Reduction Quartiles
}

// Elsewhere is what a line takes longer, in ns, that is at another processor: to read it and to write it.
func (o *Overheads) Elsewhere() [2]float64 {
	return [2]float64{float64(o.ReadLines.Median) / 100, float64(o.WriteLines.Median) / 100}
}

// ByKind returns medians as platforms have them: what each processor takes to create and to synchronise, and the others by their keys
// (mapping.OverheadKinds). What fork and join take of a region is not in what its processors do.
func (o *Overheads) ByKind() (create, sync time.Duration, of map[string]time.Duration) {
	fork, join := min(o.Fork.Median, o.Create.Median), min(o.Join.Median, o.Sync.Median)
	create, sync = o.Create.Median-fork, o.Sync.Median-join
	return create, sync, map[string]time.Duration{"fork": fork, "join": join, "dispatch": o.Dispatch.Median, "lock": o.Lock.Median, "atomic": o.Atomic.Median,
		"reduction": o.Reduction.Median, "barrier": max(0, o.Construct.Median-create-sync), "team_of_one": o.TeamOfOne.Median,
		"task": o.Task.Median, "undeferred": o.Undeferred.Median, "steal": o.Steal.Median}
}

// Quartiles of measured times.
type Quartiles struct{ Low, Median, High time.Duration }

// overheadProgram times constructs on n processors, as EPCC's OpenMP microbenchmarks do (J. M.
// Bull, "Measuring synchronisation and scheduling overheads in OpenMP", 1999): what a program
// takes with the construct, less what it takes without. Sections work a while each, so that
// all have started before the first ends; in every other region the first of them works for
// longer, in the others the last.
func overheadProgram(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { THREADS = %d, RUNS = %d, LOOPS = 200, CHUNKS = 200 * THREADS, TIMES = 100, UPDATES = 200, LINES = 256, MORE = %d };
`, n, overheadRuns, moreLoops)
	b.WriteString(`typedef struct { void *p[8]; } lock_t; /* as large as any library's */
void omp_init_lock(void *);
void omp_set_lock(void *);
void omp_unset_lock(void *);
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
static double first[64], last[64];
static void busy(double ns)
{
    double from = now();
    while (now() - from < ns)
        ;
}
static void section(int i, int longest)
{
    first[i] = now();
    busy(i == longest ? 30000 : 20000);
    last[i] = now();
}
static volatile int sink;
static void nothing(void) { sink = sink + 1; }
static int generation;
static __thread int here; /* the loop that this thread was in last */
static __thread double left; /* when its last iteration ended */
static double gaps[CHUNKS];
static void iteration(int i)
{
    double at = now();
    gaps[i] = here == generation ? at - left : -1;
    here = generation;
    busy(100);
    left = now();
}
static int order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
/* gap is the median time between iterations of a thread: others may hold up both. */
static double gap(void)
{
    int n = 0;
    for (int i = 0; i < CHUNKS; i++)
        if (gaps[i] >= 0) gaps[n++] = gaps[i];
    qsort(gaps, (size_t)n, sizeof *gaps, order);
    return n ? gaps[n / 2] : 0;
}
static double loop_static(void)
{
    generation++;
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < CHUNKS; i++) iteration(i);
    return gap();
}
static double loop_dynamic(void)
{
    generation++;
    #pragma omp parallel for schedule(monotonic: dynamic, 1)
    for (int i = 0; i < CHUNKS; i++) iteration(i);
    return gap();
}
static struct { long x; char rest[120]; } lines[2] __attribute__((aligned(128)));
static int here_now;
/* updates is what an update takes two threads that make them at one time, of one line or two. */
static double updates(int together)
{
    static double took[2];
    __atomic_store_n(&here_now, 0, __ATOMIC_SEQ_CST);
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 2; i++) {
        long *x = &lines[together ? 0 : i].x;
        double limit = now() + 1e6;
        __atomic_fetch_add(&here_now, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&here_now, __ATOMIC_SEQ_CST) < 2 && now() < limit)
            ;
        double from = now();
        for (int k = 0; k < UPDATES; k++) {
            volatile int work = 0;
            while (work < 48) work = work + 1;
            #pragma omp atomic
            *x += 1;
        }
        took[i] = now() - from;
    }
    return (took[0] + took[1]) / 2 / UPDATES;
}
static double one_loop(void)
{
    double from = now();
    #pragma omp parallel
    {
        #pragma omp for schedule(static)
        for (int i = 0; i < THREADS; i++) busy((MORE + 1) * 1000);
    }
    return now() - from;
}
`)
	for _, f := range [][2]string{{"more_loops", "firstprivate(sum)"}, {"more_sums", "reduction(+: sum)"}} {
		fmt.Fprintf(&b, `static double %s(void)
{
    long sum = 0;
    double from = now();
    #pragma omp parallel
    {
`, f[0])
		b.WriteString(strings.Repeat(fmt.Sprintf(`        #pragma omp for schedule(static) %s
        for (int i = 0; i < THREADS; i++) {
            busy(1000);
            sum += i;
        }
`, f[1]), moreLoops+1))
		b.WriteString(`    }
    sink += (int)sum;
    return now() - from;
}
`)
	}
	b.WriteString(`static volatile long cells[8 * LINES] __attribute__((aligned(128)));
static double took;
static __attribute__((noinline)) void use(int write)
{
    long sum = 0;
    for (int i = 0; i < 8 * LINES; i++)
        if (write) cells[i] = i;
        else sum += cells[i];
    sink = (int)sum;
}
/* theirs is what lines take longer that are at another thread: they are used twice. */
static void theirs(int write)
{
    double from = now();
    use(write);
    double between = now();
    use(write);
    took = between - from - (now() - between);
}
static double passed(int write)
{
    use(!write);
    #pragma omp parallel sections
    {
`)
	for i := range n {
		what := "nothing();"
		if i == n-1 {
			what = "theirs(write);"
		}
		fmt.Fprintf(&b, "        #pragma omp section\n        %s\n", what)
	}
	b.WriteString(`    }
    return took * 100 / LINES;
}
int main(void)
{
    for (int k = 0; k < RUNS; k++) {
        int longest = k % 2 ? 0 : THREADS - 1;
        double fork = now();
        #pragma omp parallel sections
        {
`)
	for i := range n {
		fmt.Fprintf(&b, "            #pragma omp section\n            section(%d, longest);\n", i)
	}
	b.WriteString(`        }
        double join = now(), soonest = first[0], started = 0, ended = 0;
        for (int i = 0; i < THREADS; i++) {
            soonest = first[i] < soonest ? first[i] : soonest;
            started = first[i] > started ? first[i] : started;
            ended = last[i] > ended ? last[i] : ended;
        }
        printf("create %.1f\n%s %.1f\nfork %.1f\n", started - fork, longest ? "sync" : "join", join - ended, soonest - fork);
    }
    lock_t lock;
    omp_init_lock(&lock);
    for (int k = 0; k < LOOPS; k++) {
        double from = now();
        for (int i = 0; i < TIMES; i++) nothing();
        double alone = now() - from;
        from = now();
        for (int i = 0; i < TIMES; i++) {
            omp_set_lock(&lock);
            nothing();
            omp_unset_lock(&lock);
        }
        printf("lock %.1f\n", (now() - from - alone) / TIMES);
        from = now();
        for (int i = 0; i < TIMES; i++) {
            #pragma omp parallel sections
            {
                nothing();
            }
        }
        printf("team_of_one %.1f\n", (now() - from - alone) / TIMES);
        double decided = loop_static();
        printf("dispatch %.1f\n", loop_dynamic() - decided);
        double apart = updates(0);
        printf("atomic %.1f\n", updates(1) - apart);
        printf("read_lines %.1f\n", passed(0));
        printf("write_lines %.1f\n", passed(1));
        double one = one_loop();
        double more = more_loops();
        printf("construct %.1f\n", (more - one) / MORE);
        printf("reduction %.1f\n", (more_sums() - more) / (MORE + 1));
    }
    return 0;
}
`)
	return b.String()
}

const (
	overheadRuns = 2000
	mostSections = 64
	moreLoops    = 10
)

// MeasureOverheads builds and runs a program of n sections on n processors.
func MeasureOverheads(ctx context.Context, r *record.Recorder, n int) (*Overheads, error) {
	if n < 2 || n > mostSections {
		return nil, fmt.Errorf("overheads are measured on 2 to %d processors, not %d", mostSections, n)
	}
	exe, b, err := build(ctx, r, "overheads.c", overheadProgram(n))
	if err != nil {
		return nil, err
	}
	host, err := ThisHost()
	if err != nil {
		return nil, err
	}
	pl := mapping.Homogeneous(n, "")
	m := Mapping{Resolved: mapping.Default(pl, b.Program.WithTeams(n))}
	m.CPUs, m.Spin, _ = host.Place(n)
	path := filepath.Join(r.Dir, "overheads.mapping")
	if err := os.WriteFile(path, []byte(m.Text()), 0o644); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := timed(ctx, r, exe, &out, "PATHSPAN_MAPPING="+path); err != nil {
		return nil, err
	}
	missing, err := tasks(ctx, r, host, n, &out)
	if err != nil {
		return nil, err
	}
	o, err := readOverheads(&out, n, missing == nil)
	if err == nil {
		o.NoTasks = missing
	}
	return o, err
}

// build makes the parallel program of a source.
func build(ctx context.Context, r *record.Recorder, name, text string) (exe string, b *record.Built, err error) {
	source := filepath.Join(r.Dir, name)
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		return "", nil, err
	}
	if b, err = r.Costed(ctx, record.Options{Sources: []string{source}, Level: "2"}); err != nil {
		return "", nil, err
	}
	exe, err = r.Parallel(ctx, b)
	return exe, b, err
}

// timed runs a program that prints times.
func timed(ctx context.Context, r *record.Recorder, exe string, out io.Writer, env ...string) error {
	_, status, err := r.Timed(ctx, exe, nil, record.Streams{Stdout: out, Stderr: io.Discard}, env...)
	if err == nil && status != (record.Status{}) {
		err = fmt.Errorf("the program that measures overheads %s", status)
	}
	return err
}

func readOverheads(r io.Reader, n int, tasks bool) (*Overheads, error) {
	times := map[string][]time.Duration{}
	in := bufio.NewScanner(r)
	for in.Scan() {
		var kind string
		var x float64
		if _, err := fmt.Sscan(in.Text(), &kind, &x); err != nil {
			return nil, fmt.Errorf("the program that measures overheads printed %.40q", in.Text())
		}
		times[kind] = append(times[kind], time.Duration(max(x, 0)))
	}
	o := &Overheads{Processors: n, Executions: len(times["create"])}
	for kind, to := range map[string]*Quartiles{
		"create": &o.Create, "sync": &o.Sync, "fork": &o.Fork, "join": &o.Join, "dispatch": &o.Dispatch, "lock": &o.Lock, "atomic": &o.Atomic,
		"team_of_one": &o.TeamOfOne, "read_lines": &o.ReadLines, "write_lines": &o.WriteLines, "construct": &o.Construct, "reduction": &o.Reduction, "task": &o.Task, "undeferred": &o.Undeferred, "steal": &o.Steal,
	} {
		if len(times[kind]) == 0 && !tasks && (kind == "task" || kind == "undeferred" || kind == "steal") {
			continue
		}
		if len(times[kind]) == 0 {
			return nil, fmt.Errorf("the program that measures overheads printed nothing of %s", kind)
		}
		*to = quartiles(times[kind])
	}
	return o, in.Err()
}

func quartiles(t []time.Duration) Quartiles {
	slices.Sort(t)
	return Quartiles{quantile(t, 0.25), quantile(t, 0.5), quantile(t, 0.75)}
}
