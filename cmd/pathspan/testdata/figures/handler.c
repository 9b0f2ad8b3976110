/*
 * This file runs a region in a handler as well, which is outside of main: most executions
 * of the region have nothing to do with main.
 */
#include <stdlib.h>

static volatile unsigned sink;

__attribute__((noinline)) static void add(int n)
{
    for (int i = 0; i < n; i++)
        sink += i * 3u;
}

__attribute__((noinline)) static void step(int r)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        add(400 + r);
        #pragma omp section
        add(300);
    }
}

static void last(void)
{
    for (int r = 0; r < 90; r++)
        step(r % 10);
}

int main(void)
{
    atexit(last);
    for (int r = 0; r < 10; r++)
        step(r);
    return 0;
}
