/*
 * This file calls one function from several sections with different sizes, so that its
 * average says little of any of them. The two callees weigh instructions differently, and
 * which section is long changes from one execution to the next.
 *
 *   sizes RUNS
 */
#include <stdlib.h>

static volatile unsigned sink;

__attribute__((noinline)) static void add(int n)
{
    for (int i = 0; i < n; i++)
        sink += i * 3u;
}

__attribute__((noinline)) static void divide(int n)
{
    for (int i = 1; i <= n; i++)
        sink += 1000000007u / i;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 1;
    for (int r = 0; r < runs; r++) {
        #pragma omp parallel sections
        {
            #pragma omp section
            add(4000 + 100 * (r % 4));
            #pragma omp section
            add(1000);
            #pragma omp section
            divide(r % 2 ? 900 : 100);
        }
    }
    return 0;
}
