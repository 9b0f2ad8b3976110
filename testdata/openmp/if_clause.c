/*
 * This file makes regions parallel on condition: true and false at run time, at
 * compile time, with the parallel: modifier, and on a parallel construct that
 * holds sections.
 */
#include <stdio.h>

static long cube_sum(int from, int to)
{
    long sum = 0;
    for (int i = from; i < to; i++)
        sum += (long)i * i * i % 1013;
    return sum;
}

static long halves(int n)
{
    long low = 0, high = 0;
    #pragma omp parallel sections if (n > 100)
    {
        #pragma omp section
        low = cube_sum(0, n / 2);
        #pragma omp section
        high = cube_sum(n / 2, n);
    }
    return low - high;
}

int main(void)
{
    long a = 0, b = 0;
    for (int n = 10; n < 1000; n *= 3)
        printf("n %d: %ld\n", n, halves(n));
    #pragma omp parallel sections if (0)
    {
        #pragma omp section
        a = cube_sum(0, 30);
        #pragma omp section
        b = a + cube_sum(0, 31); /* never parallel, so in order */
    }
    printf("never %ld %ld\n", a, b);
    #pragma omp parallel if (parallel : a > 0) num_threads(2)
    {
        #pragma omp sections
        {
            #pragma omp section
            a = cube_sum(5, 50);
            #pragma omp section
            b = cube_sum(50, 500);
        }
    }
    printf("modifier %ld %ld\n", a, b);
    return 0;
}
