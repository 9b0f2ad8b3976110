/*
 * This file has sections constructs without a parallel region around them in the
 * text: in a function called from a parallel region, and the same function called
 * from serial code, where one thread runs all sections.
 */
#include <stdio.h>

static long result[3];

static void orphan(int n)
{
    #pragma omp sections
    {
        #pragma omp section
        for (int i = 0; i < n; i++)
            result[0] += i;
        #pragma omp section
        for (int i = 0; i < n; i += 2)
            result[1] += i % 5;
        #pragma omp section
        if (n > 50)
            result[2]++;
    }
}

int main(void)
{
    #pragma omp parallel num_threads(3)
    {
        orphan(100);
        orphan(10);
    }
    printf("inside %ld %ld %ld\n", result[0], result[1], result[2]);
    for (int n = 0; n < 80; n += 20)
        orphan(n);
    printf("outside %ld %ld %ld\n", result[0], result[1], result[2]);
    return 0;
}
