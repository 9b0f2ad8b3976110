/*
 * This file has tasks beside sections: tasks made in a single construct, by
 * recursion, in a section, and waited for. They are to be run where they are made.
 */
#include <stdio.h>

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
    #pragma omp task shared(a) firstprivate(n) if (n > 8)
    a = fib(n - 1);
    #pragma omp task shared(b) firstprivate(n) if (n > 8)
    b = fib(n - 2);
    #pragma omp taskwait
    return a + b;
}

int main(void)
{
    int number = 0, squares[20] = {0}, sum = 0, other = 0;

    #pragma omp parallel num_threads(2)
    #pragma omp single
    number = fib(15);
    #pragma omp parallel num_threads(2)
    {
        #pragma omp single
        for (int i = 0; i < 20; i++) {
            #pragma omp task firstprivate(i) shared(squares)
            squares[i] = i * i;
        }
    }
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        {
            for (int i = 0; i < 20; i++)
                sum += squares[i];
            #pragma omp task shared(other)
            other = squares[19] + 1;
            #pragma omp taskwait
            sum += other;
        }
        #pragma omp section
        number++;
    }
    printf("number %d sum %d\n", number, sum);
    return 0;
}
