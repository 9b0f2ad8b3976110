/* This file is the left part; its twin has its regions on the same lines. */
#include "../parts.h"

static long process(int n)
{
    long a = 0, b = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < n; i++)
            a += i % 3;
        #pragma omp section
        b = halves(n);
    }
    return a + b;
}

long left_part(int n)
{
    return process(n) + process(2);
}
