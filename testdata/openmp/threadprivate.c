/*
 * This file has threadprivate globals: set anew at the start of each section, and
 * handed to all threads by copyin.
 */
#include <stdio.h>

static int scratch;
static long cache[4];
static int base = 3;
#pragma omp threadprivate(scratch, cache, base)

static long spend(int n)
{
    for (int i = 0; i < n; i++) {
        scratch = (scratch * 7 + i) % 101;
        cache[i & 3] += scratch;
    }
    return cache[0] + 2 * cache[1] + 3 * cache[2] + 4 * cache[3];
}

static void begin(int seed)
{
    scratch = seed;
    cache[0] = cache[1] = cache[2] = cache[3] = seed;
}

int main(void)
{
    long a = 0, b = 0, c = 0, d = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        {
            begin(1);
            a = spend(100);
        }
        #pragma omp section
        {
            begin(2);
            b = spend(57);
        }
    }
    base = 40;
    #pragma omp parallel sections num_threads(2) copyin(base)
    {
        #pragma omp section
        c = base + 1;
        #pragma omp section
        d = base + 2;
    }
    printf("a %ld b %ld c %ld d %ld\n", a, b, c, d);
    return 0;
}
