/*
 * This file updates memory atomically in the ways that programs do, one at a time: updates KIND.
 * What is done between updates is as long as chance has it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long count, other[64], bins[16 * 8];
static double sum;

static unsigned mix(unsigned x)
{
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    return x ^ x >> 12;
}

static unsigned work(unsigned seed, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        seed = seed * 1664525u + 1013904223u;
    return seed >> 30;
}

static void counter(void)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 6000; i++) {
        unsigned x = work((unsigned)i, mix((unsigned)i) % 21);
        #pragma omp atomic
        count += x;
    }
}

static void histogram(void)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 6000; i++) {
        unsigned x = mix((unsigned)i), y = work(x, x % 21);
        #pragma omp atomic
        bins[(x >> 8) % 16 * 8] += y;
    }
}

/* Two counters in one line, and one of fractions in another. */
static void several(void)
{
    #pragma omp parallel for schedule(dynamic, 8)
    for (int i = 0; i < 4000; i++) {
        unsigned x = mix((unsigned)i), y = work(x, x % 40);
        #pragma omp atomic
        other[x % 2] += y;
        if (x % 3 == 0) {
            #pragma omp atomic
            sum += 0.125 * y;
        }
    }
}

static void sections(void)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        for (unsigned i = 0; i < 300; i++) {
            unsigned x = work(i, i % 17);
            #pragma omp atomic
            count += x;
        }
        #pragma omp section
        for (unsigned i = 0; i < 150; i++) {
            unsigned x = work(i, i % 37);
            #pragma omp atomic
            count += x;
            if (i % 3 == 0) {
                #pragma omp atomic
                sum += x;
            }
        }
        #pragma omp section
        for (unsigned i = 0, x = work(1, 2000); i < 400; i++) {
            #pragma omp atomic
            count += x;
            #pragma omp atomic
            bins[8] += i;
        }
    }
}

static long tree(int depth, unsigned seed)
{
    long a = 0, b = 0;
    #pragma omp atomic
    count++;
    if (depth <= 0)
        return 1;
    volatile unsigned x = work(seed, 50 + seed % 400);
    (void)x;
    #pragma omp task shared(a)
    a = tree(depth - 1 - (int)(seed % 2), mix(seed));
    #pragma omp task shared(b)
    b = tree(depth - 1, mix(seed + 77u));
    #pragma omp taskwait
    return a + b;
}

static void tasks(void)
{
    long leaves = 0;
    #pragma omp parallel
    #pragma omp single
    leaves = tree(9, 12345u);
    printf("%ld leaves\n", leaves);
}

/* Who has the lock is alone with what it updates. */
static void locked(void)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 3000; i++) {
        unsigned x = work((unsigned)i, 20);
        #pragma omp critical
        {
            #pragma omp atomic
            count += x;
            sum += x;
        }
    }
}

/* Each thread has a line of its own, but where one ends. */
static void apart(void)
{
    static long cells[4096];
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 4096; i++) {
        unsigned x = work((unsigned)i, 20);
        #pragma omp atomic
        cells[i] += x;
    }
    count += cells[17];
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } kinds[] = {{"counter", counter}, {"histogram", histogram}, {"several", several}, {"sections", sections}, {"tasks", tasks}, {"locked", locked}, {"apart", apart}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0)
            kinds[i].run();
    printf("%ld %ld %ld %g\n", count, other[0] + other[1], bins[8], sum);
    return 0;
}
