/* This file is the right part; its twin has its regions on the same lines. */
#include "../parts.h"

static long process(int n)
{
    long a = 0, b = 0;
    #pragma omp parallel sections
    {
        #pragma omp section
        a = halves(n + 1);
        #pragma omp section
        for (int i = n; i > 0; i /= 2)
            b += i;
    }
    return a - b;
}

long right_part(int n)
{
    return n % 4 == 1 ? process(n) : 5;
}
