// This file makes libomp hand out chunks in an order that does not depend on how fast the
// machine is, and records which thread got what. It stands between the program and libomp:
// a thread that asks for a chunk waits until its clock, which counts the work of its
// chunks so far, is the lowest of all threads (the lowest number among equals).
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int omp_get_thread_num(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

static struct {
    long clock, speed;
    int done, values, chunks;
    long long value[most_values], lower[most_values], upper[most_values];
} thread[most_threads];

static int loop, threads, ordering;
static unsigned seed;

int team(void)
{
    return threads;
}

static long work(unsigned long long iteration)
{
    return 1 + (long)((iteration * 2654435761ull + seed) / 8 % 50);
}

void play(int number, int size, unsigned s, const long *start, const long *speed, int turns)
{
    loop = number;
    threads = size;
    ordering = turns;
    seed = s;
    for (int t = 0; t < threads; t++) {
        thread[t].clock = start[t];
        thread[t].speed = speed[t];
        thread[t].done = thread[t].values = thread[t].chunks = 0;
    }
}

void saw(long long value)
{
    int t = omp_get_thread_num();
    if (thread[t].values == most_values)
        abort();
    thread[t].value[thread[t].values++] = value;
}

void played(void)
{
    printf("loop %d\n", loop);
    for (int t = 0; t < threads; t++) {
        for (int i = 0; i < thread[t].chunks; i++)
            printf("c %lld %lld\n", thread[t].lower[i], thread[t].upper[i]);
        for (int i = 0; i < thread[t].values; i++)
            printf("v %lld\n", thread[t].value[i]);
        printf("t %ld\n", thread[t].clock);
    }
}

// turn waits, and returns with the lock held, until no other thread goes first.
static void turn(int me)
{
    pthread_mutex_lock(&mutex);
    for (;;) {
        int first = 1;
        for (int t = 0; t < threads; t++)
            if (ordering && t != me && !thread[t].done &&
                (thread[t].clock < thread[me].clock || (thread[t].clock == thread[me].clock && t < me)))
                first = 0;
        if (first)
            return;
        pthread_cond_wait(&moved, &mutex);
    }
}

static void over(void)
{
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&mutex);
}

enum { dispatch = 3 }; // what a chunk costs on the clock, beside its work

static void took(int t, long long lower, long long upper)
{
    if (thread[t].chunks == most_values)
        abort();
    thread[t].lower[thread[t].chunks] = lower;
    thread[t].upper[thread[t].chunks++] = upper;
    thread[t].clock += dispatch;
    for (long long i = lower; i <= upper; i++)
        thread[t].clock += work(i) * thread[t].speed;
}

#define STAND_BETWEEN(suffix, type, stride)                                                           \
    void __kmpc_dispatch_init_##suffix(void *where, int32_t id, int32_t schedule, type lower,         \
                                       type upper, stride by, stride chunk)                           \
    {                                                                                                 \
        void (*libomp)(void *, int32_t, int32_t, type, type, stride, stride);                         \
        *(void **)&libomp = dlsym(RTLD_NEXT, "__kmpc_dispatch_init_" #suffix);                        \
        turn(omp_get_thread_num());                                                                   \
        libomp(where, id, schedule, lower, upper, by, chunk);                                         \
        over();                                                                                       \
    }                                                                                                 \
    int __kmpc_dispatch_next_##suffix(void *where, int32_t id, int32_t *last, type *lower,            \
                                      type *upper, stride *by)                                        \
    {                                                                                                 \
        int (*libomp)(void *, int32_t, int32_t *, type *, type *, stride *);                          \
        *(void **)&libomp = dlsym(RTLD_NEXT, "__kmpc_dispatch_next_" #suffix);                        \
        int t = omp_get_thread_num();                                                                 \
        turn(t);                                                                                      \
        int more = libomp(where, id, last, lower, upper, by);                                         \
        if (more)                                                                                     \
            took(t, (long long)*lower, (long long)*upper);                                            \
        else                                                                                          \
            thread[t].done = 1;                                                                       \
        over();                                                                                       \
        return more;                                                                                  \
    }

STAND_BETWEEN(4, int32_t, int32_t)
STAND_BETWEEN(4u, uint32_t, int32_t)
STAND_BETWEEN(8, int64_t, int64_t)
STAND_BETWEEN(8u, uint64_t, int64_t)
