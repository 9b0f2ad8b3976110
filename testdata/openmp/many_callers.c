/*
 * This file calls one function with a region from many places: from a loop, from a
 * branch, from another function's section, through a pointer, and before and after
 * other regions of its caller.
 */
#include <stdio.h>

__attribute__((noinline)) static long both(int n, int heavy)
{
    long up = 0, down = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        {
            if (heavy)
                for (int i = 0; i < 10 * n; i++)
                    up += i & 3;
            else
                up = n;
        }
        #pragma omp section
        for (int i = n; i > 0; i -= 2)
            down += i;
    }
    return up * 2 - down;
}

static long caller(int n)
{
    long a = both(n, 0), b = 0, c = 0;
    if (n % 5 == 0) {
        a += both(n + 1, 1);
    } else {
        #pragma omp parallel sections
        {
            #pragma omp section
            b = both(3, 1);
            #pragma omp section
            c = both(4, n & 1);
        }
    }
    return a + b + c;
}

int main(void)
{
    long (*volatile indirect)(int, int) = both;
    long sum = both(10, 1);
    for (int n = 0; n < 30; n++)
        sum = sum * 3 % 100003 + caller(n);
    sum += indirect(6, 0);
    printf("sum %ld\n", sum);
    return 0;
}
