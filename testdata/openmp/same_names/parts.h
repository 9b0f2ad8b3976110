/* This file has an inline function with a region, compiled into all units. */
#ifndef PARTS_H
#define PARTS_H

long left_part(int n);
long right_part(int n);

static inline long halves(int n)
{
    long low = 0, high = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < n / 2; i++)
            low += i * i;
        #pragma omp section
        for (int i = n / 2; i < n; i++)
            high += i;
    }
    return 2 * low + high;
}

#endif
