/* A task writes an array of 256 lines, and another reads it. */
#include <stdio.h>
enum { N = 4096 };
static int a[N] __attribute__((aligned(64)));
int main(void)
{
    int x = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a)
        for (int i = 0; i < N; i++) a[i] = i * 3;
#pragma omp task depend(in : a) shared(x)
        for (int i = 0; i < N; i++) x += a[i];
    }
    printf("%d\n", x);
    return 0;
}
