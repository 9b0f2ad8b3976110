/*
 * This file asks for numbers of threads: a constant below, at and above the number
 * of sections, one thread, and a variable known at run time only.
 */
#include <stdio.h>
#include <stdlib.h>

static long part(int which, int n)
{
    long sum = 0;
    for (int i = which; i < n; i += 3)
        sum += i % 2 ? i : -2 * i;
    return sum;
}

static long with_variable(int threads, int n)
{
    (void)threads; /* only the clause uses it */
    long a = 0, b = 0, c = 0;
    #pragma omp parallel sections num_threads(threads)
    {
        #pragma omp section
        a = part(0, n);
        #pragma omp section
        b = part(1, n);
        #pragma omp section
        c = part(2, n);
    }
    return a + 2 * b + 3 * c;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 999;
    long a = 0, b = 0, c = 0;

    #pragma omp parallel sections num_threads(1)
    {
        #pragma omp section
        a = part(0, n);
        #pragma omp section
        b = a + part(1, n); /* one thread runs the sections in order */
    }
    printf("one %ld %ld\n", a, b);
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        a = part(0, n);
        #pragma omp section
        b = part(1, n);
        #pragma omp section
        c = part(2, n);
    }
    printf("two %ld %ld %ld\n", a, b, c);
    #pragma omp parallel sections num_threads(8)
    {
        #pragma omp section
        a = part(1, n);
        #pragma omp section
        b = part(2, n);
    }
    printf("eight %ld %ld\n", a, b);
    for (int threads = 1; threads <= 5; threads++)
        printf("variable %ld\n", with_variable(threads, n + threads));
    return 0;
}
