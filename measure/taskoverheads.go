package measure

// This file measures what LLVM's OpenMP library needs to make a task and to take one from
// another thread.

import (
	"context"
	"errors"
	"fmt"
	"io"

	"pathspan/build/record"
	"pathspan/build/toolchain"
)

// taskProgram times tasks that do nothing, made and executed by one thread while the others do
// something else, less as many calls; and, from when a task is made until it begins, tasks that
// the others take who have nothing else to do. %d is the number of threads.
const taskProgram = `#include <stdio.h>
#include <time.h>
enum { THREADS = %d, LOOPS = 200, TIMES = 100 };
int omp_get_thread_num(void);
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
static volatile int sink, done, began;
static volatile double at;
__attribute__((noinline)) static void nothing(void) { sink = sink + 1; }
static void make(void)
{
    for (int k = 0; k < LOOPS; k++) {
        double from = now();
        for (int i = 0; i < TIMES; i++) nothing();
        double alone = now() - from;
        from = now();
        for (int i = 0; i < TIMES; i++) {
            #pragma omp task
            nothing();
        }
        #pragma omp taskwait
        printf("task %%.1f\n", (now() - from - alone) / TIMES);
        from = now();
        for (int i = 0; i < TIMES; i++) {
            #pragma omp task if(sink < 0)
            nothing();
        }
        printf("undeferred %%.1f\n", (now() - from - alone) / TIMES);
    }
    done = 1;
}
int main(void)
{
    #pragma omp parallel num_threads(THREADS)
    {
        if (omp_get_thread_num() == 0) make();
        else while (!done) ;
    }
    #pragma omp parallel num_threads(THREADS)
    {
        #pragma omp master
        for (int k = 0; k < LOOPS; k++) {
            began = 0;
            #pragma omp task
            {
                at = now();
                began = 1;
            }
            double made = now();
            while (!began) ;
            printf("steal %%.1f\n", at - made);
            for (double end = now() + 2000; now() < end;) ;
        }
    }
    return 0;
}
`

// tasks runs the program on threads that are pinned to processors of the host; what it prints
// is added to out. Where it cannot be linked, missing says why.
func tasks(ctx context.Context, r *record.Recorder, host *Host, n int, out io.Writer) (missing, err error) {
	exe, _, err := build(ctx, r, "taskoverheads.c", fmt.Sprintf(taskProgram, n))
	if link := (*toolchain.Error)(nil); errors.As(err, &link) && link.Cause == nil {
		return err, nil
	} else if err != nil {
		return nil, err
	}
	m := Mapping{Threads: n}
	m.CPUs, _, _ = host.Place(n)
	return nil, timed(ctx, r, exe, out, m.environment("")...)
}
