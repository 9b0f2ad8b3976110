/*
 * This file guards shared data with critical constructs, unnamed and named, inside
 * loops of sections; what they do does not depend on the order.
 */
#include <stdio.h>

static long total, largest, bins[10];

static void note(long x)
{
    #pragma omp critical
    {
        total += x;
        if (x > largest)
            largest = x;
    }
}

int main(void)
{
    #pragma omp parallel sections num_threads(3)
    {
        #pragma omp section
        for (int i = 0; i < 200; i++)
            note(i * 3 % 101);
        #pragma omp section
        for (int i = 0; i < 300; i++) {
            if (i % 4 == 0)
                note(i);
            #pragma omp critical(bins)
            bins[i % 10]++;
        }
        #pragma omp section
        for (int i = 0; i < 100; i++) {
            #pragma omp critical(bins)
            bins[i * i % 10] += 2;
        }
    }
    printf("total %ld largest %ld\n", total, largest);
    for (int k = 0; k < 10; k++)
        printf("%ld%c", bins[k], k < 9 ? ' ' : '\n');
    return 0;
}
