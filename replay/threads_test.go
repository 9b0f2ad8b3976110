package replay

// This file holds the reference, and so the simulator, against the run-time library that
// measured programs are linked with: in which order do threads run nested sections? The
// program takes as long as it must for that to be the only order that the simulated times
// allow, so no clock decides anything: work ends when all has happened that the reference
// has before, and each thread that could go on has gone on until it sleeps. The second is
// what a thread does behind its work and that is no event: it hands the sections of a nested
// region to others, and who does so first is before the other in their queues.

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/measure"
)

// ordered reads a tree of regions, each event of which has its place in the order of the
// reference. Sections begin when the library says, and stop the program when it is not
// their turn. The program gives up after a minute in which nothing happens.
const ordered = `#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
enum { MOST = 1 << 16, THREADS = 16 };
static int data[MOST], at[MOST], happened, ended;
static int at_work[THREADS]; /* the thread of a processor, if it is in works() */
static _Thread_local int processor = -1, latest = -1;
static void stop(const char *what, int place)
{
    printf("%s at %d: %d events, %d pieces of work\n", what, place, happened, ended);
    fflush(stdout);
    _exit(1);
}
/* What this thread does comes in order, and it is always the same processor. */
static void turn(int place, int p)
{
    if (processor < 0) processor = p;
    if (processor != p) stop("another processor", place);
    if (place <= latest) stop("out of turn", place);
    latest = place;
}
static void begins(int place, int p, int before)
{
    turn(place, p);
    if (__atomic_load_n(&ended, __ATOMIC_SEQ_CST) != before) stop("a section begins too early or too late", place);
    __atomic_add_fetch(&happened, 1, __ATOMIC_SEQ_CST);
}
/* How often a thread gave up its processor so far; -1 if it does not sleep. */
static long rests(const char *thread)
{
    char name[64], line[128], state = 0;
    long n, sum = 0;
    snprintf(name, sizeof name, "/proc/self/task/%s/status", thread);
    FILE *f = fopen(name, "r");
    if (!f) stop("a thread is not to be seen", 0);
    while (fgets(line, sizeof line, f)) {
        sscanf(line, "State: %c", &state);
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &n) == 1 || sscanf(line, "nonvoluntary_ctxt_switches: %ld", &n) == 1) sum += n;
    }
    fclose(f);
    return state == 'S' ? sum : -1;
}
/* The rests of all threads that are not at work; -1 if one of them does not sleep. */
static long all_rest(void)
{
    DIR *d = opendir("/proc/self/task");
    long sum = 0;
    if (!d) stop("no thread is to be seen", 0);
    for (struct dirent *e; sum >= 0 && (e = readdir(d));) {
        int working = e->d_name[0] == '.';
        for (int i = 0; i < THREADS; i++) working |= __atomic_load_n(&at_work[i], __ATOMIC_SEQ_CST) == atoi(e->d_name);
        if (working) continue;
        long n = rests(e->d_name);
        sum = n < 0 ? -1 : sum + n;
    }
    closedir(d);
    return sum;
}
/* Waits until no thread can go on but those at work, and they wait for their place: all slept,
 * looked at twice, and none woke between. */
static void settle(int place)
{
    struct timespec pause = {0, 20000};
    for (int n = 0;; n++) {
        long seen = all_rest();
        if (seen >= 0 && all_rest() == seen) return;
        if (n > 1000000) stop("threads do not come to rest", place);
        nanosleep(&pause, 0);
    }
}
static void works(int place, int p)
{
    struct timespec pause = {0, 20000};
    turn(place, p);
    __atomic_store_n(&at_work[p], (int)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
    for (int n = 0, seen = -1, now; (now = __atomic_load_n(&happened, __ATOMIC_SEQ_CST)) != place; n++) {
        if (now != seen) { seen = now; n = 0; }
        if (n > 1000) nanosleep(&pause, 0);
        if (n > 1000000) stop("nothing happens", place);
    }
    settle(place);
    __atomic_store_n(&at_work[p], 0, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&ended, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&happened, 1, __ATOMIC_SEQ_CST);
}
static void region(int n);
/* section: place, processor, work before, parts; a part is 0 place or 1 region */
static void section(int n, int i)
{
    int *s = &data[data[at[n] + 1 + i]], *part = s + 4;
    begins(s[0], s[1], s[2]);
    for (int k = 0; k < s[3]; k++, part += 2)
        if (part[0] == 0) works(part[1], s[1]); else region(part[1]);
}
static __attribute__((noinline)) void r0(int n)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        section(n, 0);
        #pragma omp section
        section(n, 1);
    }
}
static __attribute__((noinline)) void r1(int n)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        section(n, 0);
        #pragma omp section
        section(n, 1);
        #pragma omp section
        section(n, 2);
    }
}
static __attribute__((noinline)) void r2(int n)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        section(n, 0);
    }
}
static __attribute__((noinline)) void r3(int n)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        section(n, 0);
        #pragma omp section
        section(n, 1);
        #pragma omp section
        section(n, 2);
        #pragma omp section
        section(n, 3);
    }
}
static void region(int n)
{
    switch (data[at[n]]) {
    case 0: r0(n); break;
    case 1: r1(n); break;
    case 2: r2(n); break;
    default: r3(n);
    }
}
int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "r") : 0;
    int regions = 0, words = 0, events;
    if (!f || fscanf(f, "%d %d %d", &events, &regions, &words) != 3 || regions > MOST || words > MOST) return 2;
    for (int i = 0; i < regions; i++) if (fscanf(f, "%d", &at[i]) != 1) return 2;
    for (int i = 0; i < words; i++) if (fscanf(f, "%d", &data[i]) != 1) return 2;
    fclose(f);
    region(0);
    if (happened != events) stop("not all happened", events);
    printf("all in order\n");
    return 0;
}
`

// spell writes a tree as the program reads it; the log is that of the reference.
func spell(x *regionRun, log []occurrence) string {
	begins, works := map[int]int{}, map[int][]int{}
	before := make([]int, len(log)+1) // pieces of work that have ended
	for place, o := range log {
		before[place+1] = before[place]
		if o.start {
			begins[o.section] = place
		} else {
			works[o.section] = append(works[o.section], place)
			before[place+1]++
		}
	}
	var at, data []int
	var tell func(x *regionRun) int
	tell = func(x *regionRun) int {
		n := len(at)
		at = append(at, 0)
		head := []int{x.region}
		for _, s := range x.parts[0].sections {
			place := begins[s.id]
			words := []int{place, log[place].processor, before[place], len(s.parts)}
			for _, p := range s.parts {
				if p.nested != nil {
					words = append(words, 1, tell(p.nested))
				} else {
					words = append(words, 0, works[s.id][0])
					works[s.id] = works[s.id][1:]
				}
			}
			head = append(head, len(data))
			data = append(data, words...)
		}
		at[n] = len(data)
		data = append(data, head...)
		return n
	}
	tell(x)
	return strings.Trim(fmt.Sprint(len(log), len(at), len(data), at, data), "[]")
}

func TestThreadsRunSectionsInTheSimulatedOrder(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "ordered.c")
	if err := os.WriteFile(source, []byte(ordered), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &record.Recorder{Toolchain: tc, Dir: dir}
	b, err := r.Costed(t.Context(), record.Options{Sources: []string{source}, Level: "2"})
	if err != nil {
		t.Fatal(err)
	}
	exe, err := r.Parallel(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	shape := [][]int{{2}, {3}, {1}, {4}}
	for i := range shape {
		if !strings.Contains(b.Program.Regions[i].Name, fmt.Sprintf("r%d", i)) {
			t.Fatalf("region %d is %s", i, b.Program.Regions[i].Name)
		}
	}
	waited := 0
	for seed := range uint64(40) {
		f := &forest{Rand: rand.New(rand.NewPCG(seed, 3)), meters: 1, depth: 2 + int(seed%3), sparse: 2, shape: shape, plain: true}
		m := f.mapping(2 + f.IntN(3))
		_, sims, _ := f.simulators(t, m)
		sim := sims[0]
		for p := range sim.create { // the library's take no simulated time
			sim.create[p], sim.sync[p] = 0, 0
		}
		x := f.region(1)
		ref := &reference{s: sim}
		length := ref.run(x)
		if length > ref.longest(x, m.Serial, 0) {
			waited++
		}
		order, mapped := filepath.Join(dir, "order"), filepath.Join(dir, "mapping")
		cpus := make([]int, len(m.Platform.Processors))
		for p := range cpus {
			cpus[p] = -1
		}
		text := (&measure.Mapping{Resolved: m, CPUs: cpus, Spin: 10}).Text()
		for name, content := range map[string]string{order: spell(x, ref.log), mapped: text} {
			content = strings.NewReplacer("[", "", "]", "").Replace(content)
			if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		_, status, err := r.Timed(t.Context(), exe, []string{order}, record.Streams{Stdout: &out, Stderr: &out}, "PATHSPAN_MAPPING="+mapped)
		if err != nil || out.String() != "all in order\n" {
			t.Errorf("seed %d: %v, %v: %s", seed, err, status, out.String())
		}
	}
	if waited < 10 {
		t.Errorf("in only %d programs a share waited", waited)
	}
}
