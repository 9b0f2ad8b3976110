// This file asks libomp to split loops too long to execute. Each line of its input is a loop
// as clang or another compiler would pass it: type, schedule (a number of libomp's), bounds,
// stride, chunk, threads. It prints what threads are given, in no order; of loops that
// are split beforehand, each thread's number, bounds and distance to its next chunk.
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct place {
    int32_t reserved, flags, reserved2, reserved3;
    const char *text;
};
static struct place place = {0, 2, 0, 0, ";huge.c;loop;1;1;;"};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int32_t __kmpc_global_thread_num(struct place *);
int omp_get_thread_num(void);

enum { chunked = 33, balanced = 34 };

#define LOOP(suffix, type, stride, print)                                                              \
    void __kmpc_dispatch_init_##suffix(struct place *, int32_t, int32_t, type, type, stride, stride);  \
    int __kmpc_dispatch_next_##suffix(struct place *, int32_t, int32_t *, type *, type *, stride *);   \
    void __kmpc_for_static_init_##suffix(struct place *, int32_t, int32_t, int32_t *, type *, type *,  \
                                         stride *, stride, stride);                                    \
    void __kmpc_for_static_fini(struct place *, int32_t);                                              \
    static void loop_##suffix(int schedule, const char *from, const char *to, const char *by,          \
                              const char *size, int threads)                                           \
    {                                                                                                  \
        type first, end;                                                                               \
        stride step, chunk;                                                                            \
        sscanf(from, "%" print, &first), sscanf(to, "%" print, &end);                                  \
        long long number;                                                                              \
        sscanf(by, "%lld", &number), step = (stride)number;                                            \
        sscanf(size, "%lld", &number), chunk = (stride)number;                                         \
        _Pragma("omp parallel num_threads(threads)")                                                   \
        {                                                                                              \
            int32_t id = __kmpc_global_thread_num(&place), last = 0;                                   \
            type lower = first, upper = end;                                                           \
            stride distance = 1;                                                                       \
            if (schedule == chunked || schedule == balanced) {                                         \
                __kmpc_for_static_init_##suffix(&place, id, schedule, &last, &lower, &upper,           \
                                                &distance, step, chunk);                               \
                pthread_mutex_lock(&mutex);                                                            \
                printf("%d %" print " %" print " %lld\n", omp_get_thread_num(), lower, upper,          \
                       (long long)distance);                                                           \
                pthread_mutex_unlock(&mutex);                                                          \
                __kmpc_for_static_fini(&place, id);                                                    \
            } else {                                                                                   \
                __kmpc_dispatch_init_##suffix(&place, id, schedule, lower, upper, step, chunk);        \
                while (__kmpc_dispatch_next_##suffix(&place, id, &last, &lower, &upper, &distance)) {  \
                    pthread_mutex_lock(&mutex);                                                        \
                    printf("%" print " %" print "\n", lower, upper);                                   \
                    pthread_mutex_unlock(&mutex);                                                      \
                }                                                                                      \
            }                                                                                          \
        }                                                                                              \
    }

LOOP(4, int32_t, int32_t, PRId32)
LOOP(4u, uint32_t, int32_t, PRIu32)
LOOP(8, int64_t, int64_t, PRId64)
LOOP(8u, uint64_t, int64_t, PRIu64)

int main(void)
{
    char type[3], from[32], to[32], by[32], size[32];
    int schedule, threads;
    while (scanf("%2s %d %31s %31s %31s %31s %d", type, &schedule, from, to, by, size, &threads) == 7) {
        if (!strcmp(type, "4"))
            loop_4(schedule, from, to, by, size, threads);
        else if (!strcmp(type, "4u"))
            loop_4u(schedule, from, to, by, size, threads);
        else if (!strcmp(type, "8"))
            loop_8(schedule, from, to, by, size, threads);
        else
            loop_8u(schedule, from, to, by, size, threads);
        puts("end");
    }
    return 0;
}
