/*
 * This file reduces floating-point numbers over sections. The terms are multiples
 * of 1/64, so that the sum is exact in whatever order it is formed; max and min
 * need no such care. A reduction on a sections construct inside a parallel region
 * is here too, and one over float.
 */
#include <stdio.h>

static double term(int i)
{
    return (i * 37 % 1000) / 64.0;
}

int main(void)
{
    double sum = 0.25, highest = -1, lowest = 1e9;
    float scale = 1;

    #pragma omp parallel sections reduction(+ : sum)
    {
        #pragma omp section
        for (int i = 0; i < 300; i++)
            sum += term(i);
        #pragma omp section
        for (int i = 300; i < 1000; i++)
            if (i % 3)
                sum -= term(i);
    }
    printf("sum %.6f\n", sum);
    #pragma omp parallel shared(highest, lowest)
    {
        #pragma omp sections reduction(max : highest) reduction(min : lowest)
        {
            #pragma omp section
            for (int i = 0; i < 100; i++)
                if (term(i) > highest)
                    highest = term(i);
            #pragma omp section
            for (int i = 1; i < 100; i++)
                if (term(i) < lowest)
                    lowest = term(i);
        }
    }
    printf("highest %.6f lowest %.6f\n", highest, lowest);
    #pragma omp parallel sections reduction(* : scale)
    {
        #pragma omp section
        scale *= 0.5f;
        #pragma omp section
        scale *= 8;
        #pragma omp section
        for (int i = 0; i < 4; i++)
            scale *= 2;
    }
    printf("scale %.3f\n", (double)scale);
    return 0;
}
