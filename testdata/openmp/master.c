/*
 * This file uses master: work of the first thread only, without a barrier of its
 * own, before and after sections.
 */
#include <stdio.h>

static long power(long x, int n)
{
    long r = 1;
    while (n-- > 0)
        r = r * x % 1000003;
    return r;
}

int main(void)
{
    long base = 0, a = 0, b = 0, c = 0;
    int notes = 0;

    for (int round = 1; round <= 3; round++) {
        #pragma omp parallel num_threads(2)
        {
            #pragma omp master
            {
                base = 10 + round;
                notes++;
            }
            #pragma omp barrier
            #pragma omp sections
            {
                #pragma omp section
                a = power(base, 100);
                #pragma omp section
                b = power(base + 1, 50);
            }
            #pragma omp master
            c += a ^ b;
        }
    }
    printf("a %ld b %ld c %ld notes %d\n", a, b, c, notes);
    return 0;
}
