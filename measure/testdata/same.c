/*
 * This file has loops whose threads have to do with each other: ordered output, a histogram
 * under critical, atomics, a dispatched loop in a nested region, loops beside sections, single
 * and master, a region that comes back to itself. It prints the same on any team.
 */
#include <stdio.h>

enum { N = 500 };
static int grid[N], bins[8], hits;

static unsigned mix(unsigned x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

static long tree(int depth)
{
    long sum = 1;
    if (depth == 0) return 1;
    #pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 3; i++) sum += tree(depth - 1);
    return sum;
}

int main(void)
{
    #pragma omp parallel for ordered schedule(dynamic, 3)
    for (int i = 0; i < 40; i++) {
        unsigned x = (unsigned)i + 1;
        for (int k = 0; k < (i % 5) * 100; k++) x = mix(x);
        if (i % 7 == 3) continue;
        #pragma omp ordered
        printf("%d %u\n", i, x);
    }
    #pragma omp parallel for ordered
    for (unsigned long i = 30; i > 0; i -= 3) {
        #pragma omp ordered
        printf("down %lu\n", i);
    }
    #pragma omp parallel
    {
        #pragma omp for schedule(guided)
        for (int i = 0; i < N; i++) grid[i] = (int)(mix((unsigned)i + 7) % 1000);
        #pragma omp for nowait
        for (int i = 0; i < N; i++) {
            #pragma omp critical
            bins[grid[i] % 8]++;
        }
        #pragma omp single
        for (int b = 0; b < 8; b++) hits += b;
        #pragma omp for schedule(static, 1)
        for (int i = 0; i < N; i++)
            if (grid[i] < 100) {
                #pragma omp atomic
                hits++;
            }
        #pragma omp sections
        {
            #pragma omp section
            grid[0] += 1;
            #pragma omp section
            grid[1] += 2;
        }
        #pragma omp master
        printf("hits %d, %d %d\n", hits, grid[0], grid[1]);
        #pragma omp barrier
        #pragma omp for collapse(2) schedule(dynamic, 7)
        for (int i = 0; i < 10; i++)
            for (int j = i; j < 20; j++) {
                #pragma omp atomic
                grid[i] += j;
            }
    }
    for (int b = 0; b < 8; b++) printf("bin %d: %d\n", b, bins[b]);
    long deep = 0;
    #pragma omp parallel for reduction(+ : deep) schedule(dynamic)
    for (int i = 0; i < 6; i++) {
        long inner = 0;
        #pragma omp parallel for reduction(+ : inner) schedule(guided)
        for (int j = 0; j < 50 * (i + 1); j++) inner += grid[j] * (j % 3);
        deep += inner * i;
    }
    int last = -1, unsure = 1;
    #pragma omp parallel for lastprivate(last) if(unsure > 1)
    for (int i = 0; i < N; i++) last = grid[i];
    printf("deep %ld, last %d, tree %ld\n", deep, last, tree(4));
    return 0;
}
