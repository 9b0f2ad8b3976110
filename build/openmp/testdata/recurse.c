/* Small recursive functions with regions: after inlining, sections call their own region. */
#include <stdio.h>

static long fib(int n)
{
    long a = 0, b = 0;
    if (n < 2)
        return n;
    #pragma omp parallel sections if (n > 4)
    {
        #pragma omp section
        a = fib(n - 1);
        #pragma omp section
        b = fib(n - 2);
    }
    return a + b;
}

static long odd(int n);

static long even(int n)
{
    long a = 1, b = 0;
    if (n > 0) {
        #pragma omp parallel sections
        {
            #pragma omp section
            a = odd(n - 1);
            #pragma omp section
            b = n;
        }
    }
    return a + b;
}

static long odd(int n)
{
    long a = 0, b = 0;
    if (n > 0) {
        #pragma omp parallel sections
        {
            #pragma omp section
            a = even(n - 1);
            #pragma omp section
            b = a * n % 7;
        }
    }
    return a * 2 + b;
}

int main(void)
{
    for (int n = 0; n < 15; n++)
        printf("%ld %ld %ld\n", fib(n), even(n), odd(n));
    return 0;
}
