/*
 * This file puts three sections constructs into one parallel region, with nowait
 * between independent ones, serial code of every thread between, and a construct
 * in a branch that all threads take together.
 */
#include <stdio.h>

static int steps(int n)
{
    int s = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        s++;
    }
    return s;
}

static int run(int n)
{
    int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
    #pragma omp parallel num_threads(2) shared(a, b, c, d, e, f)
    {
        int local = n + 1; /* every thread computes it */
        #pragma omp sections nowait
        {
            #pragma omp section
            a = steps(local);
            #pragma omp section
            b = steps(local + 2);
        }
        local += 4;
        #pragma omp sections
        {
            #pragma omp section
            c = steps(local);
            #pragma omp section
            d = steps(local * 2);
        }
        if (n % 2 == 0) {
            #pragma omp sections
            {
                #pragma omp section
                e = a + c;
                #pragma omp section
                f = b * d;
            }
        }
    }
    return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f;
}

int main(void)
{
    int sum = 0;
    for (int n = 5; n < 60; n++)
        sum = (sum * 3 + run(n)) % 1000003;
    printf("sum %d\n", sum);
    return 0;
}
