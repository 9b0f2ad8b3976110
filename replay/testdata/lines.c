/* Two arrays of 256 lines each are written by one section each, read by one section each, and
 * then copied by a loop. */
#include <stdio.h>
enum { N = 4096 };
static int a[N] __attribute__((aligned(64))), b[N] __attribute__((aligned(64))), c[N] __attribute__((aligned(64)));
int main(void)
{
    int x = 0, y = 0;
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < N; i++) a[i] = i * 3;
#pragma omp section
        for (int i = 0; i < N; i++) b[i] = i ^ 5;
    }
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < N; i++) x += a[i];
#pragma omp section
        for (int i = 0; i < N; i++) y += b[i];
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++) c[i] = a[i] + 1;
    printf("%d %d %d\n", x, y, c[N - 1]);
    return 0;
}
