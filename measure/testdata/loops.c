/*
 * This file has a worksharing loop of each form that clang writes. It prints for each loop
 * which thread of the team executed each iteration, or that one was executed never or twice,
 * and what lastprivate and a reduction leave behind.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };
static int who[MOST], times[MOST];

static void here(long i)
{
    who[i] = omp_get_thread_num();
    __atomic_add_fetch(&times[i], 1, __ATOMIC_RELAXED);
}

static void tell(const char *loop, long n, long last, long sum)
{
    printf("%s:", loop);
    for (long i = 0; i < n; i++) {
        if (times[i] != 1) printf(" %d times", times[i]);
        else printf(" %d", who[i]);
        times[i] = 0;
    }
    printf("\n");
    if ((n > 0 && last != n - 1) || sum != n * (n - 1) / 2) printf("%s: last %ld, sum %ld\n", loop, last, sum);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, chunk = argc > 2 ? atoi(argv[2]) : 3;
    long last = n - 1, sum = 0;

#define REDUCED lastprivate(last) reduction(+ : sum)
    #pragma omp parallel for REDUCED
    for (int i = 0; i < n; i++) { here(i); sum += i; last = i; }
    tell("plain", n, last, sum);

    sum = 0;
    #pragma omp parallel for schedule(static, 5) REDUCED
    for (unsigned i = 0; i < (unsigned)n; i++) { here(i); sum += i; last = i; }
    tell("static,5", n, last, sum);

    sum = 0;
    #pragma omp parallel for schedule(static, chunk) REDUCED
    for (long i = n; i > 0; i--) { here(n - i); sum += n - i; last = n - i; }
    tell("static,chunk", n, last, sum);

    sum = 0;
    #pragma omp parallel for schedule(dynamic, 2) REDUCED
    for (unsigned long i = 7; i < 7 + 3ul * (unsigned long)n; i += 3) { long k = (long)(i - 7) / 3; here(k); sum += k; last = k; }
    tell("dynamic,2", n, last, sum);

    sum = 0;
    #pragma omp parallel for schedule(monotonic : dynamic, chunk) REDUCED
    for (int i = 2 * n; i > 0; i -= 2) { int k = n - i / 2; here(k); sum += k; last = k; }
    tell("monotonic:dynamic,chunk", n, last, sum);

    sum = 0;
    #pragma omp parallel for schedule(guided) REDUCED
    for (unsigned i = (unsigned)n; i > 0; i--) { here(n - (long)i); sum += n - (long)i; last = n - (long)i; }
    tell("guided", n, last, sum);

    sum = 0;
    #pragma omp parallel for schedule(auto) REDUCED
    for (long i = -5; i < n - 5; i++) { here(i + 5); sum += i + 5; last = i + 5; }
    tell("auto", n, last, sum);

    sum = 0;
    #pragma omp parallel for schedule(runtime) REDUCED
    for (int i = 0; i < n; i++) { here(i); sum += i; last = i; }
    tell("runtime", n, last, sum);

    sum = 0;
    #pragma omp parallel for collapse(2) REDUCED
    for (int i = 0; i < n / 4; i++)
        for (int j = 0; j < 4; j++) { here(4 * i + j); sum += 4 * i + j; last = 4 * i + j; }
    tell("collapse", n / 4 * 4, last, sum);

    /* Several in one region, whose threads do not wait for each other. */
    long order = 0, wrong = 0;
    sum = 0;
    #pragma omp parallel
    {
        #pragma omp for simd nowait
        for (int i = 0; i < n; i++) here(i);
        #pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < n; i++) here(n + i);
        #pragma omp for schedule(guided, 2)
        for (int i = 0; i < n; i++) here(2 * n + i);
        #pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < n; i++) {
            here(3 * n + i);
            if (i % 3 != 1) {
                #pragma omp ordered
                { wrong += order > i; order = i; }
            }
        }
        #pragma omp sections
        {
            #pragma omp section
            sum += n;
        }
    }
    for (long i = 0; i < 4 * n; i++) {
        if (times[i] != 1) printf("several: iteration %ld of loop %ld %d times\n", i % n, i / n, times[i]);
        times[i] = 0;
    }
    if (wrong || sum != n) printf("ordered: %ld out of order, sum %ld\n", wrong, sum);
    return 0;
}
