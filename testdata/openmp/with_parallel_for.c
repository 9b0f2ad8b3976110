/*
 * This file has worksharing loops beside and inside regions with sections: parallel
 * for (static, dynamic, with a reduction), a for inside a parallel region that has
 * sections too, and simd. The loops are to be run sequentially.
 */
#include <stdio.h>

static int f(int i)
{
    return i % 3 ? i * 2 : -i;
}

int main(void)
{
    int a[200];
    long sum = 0, low = 0, high = 0, dot = 0;

    #pragma omp parallel for
    for (int i = 0; i < 200; i++)
        a[i] = f(i);
    #pragma omp parallel for reduction(+ : sum) schedule(dynamic, 7)
    for (int i = 0; i < 200; i++)
        if (a[i] > 0)
            sum += a[i];
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < 100; i++)
            low += a[i];
        #pragma omp section
        for (int i = 100; i < 200; i++)
            high += a[i];
    }
    #pragma omp parallel num_threads(2)
    {
        #pragma omp for schedule(static)
        for (int i = 0; i < 200; i++)
            a[i] += i;
        #pragma omp sections
        {
            #pragma omp section
            low += a[5];
            #pragma omp section
            high += a[150];
        }
    }
    #pragma omp simd reduction(+ : dot)
    for (int i = 0; i < 200; i++)
        dot += a[i] * i;
    printf("sum %ld low %ld high %ld dot %ld\n", sum, low, high, dot);
    return 0;
}
