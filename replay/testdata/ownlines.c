/* A loop whose iterations each fill an array of their own, of 128 lines. */
#include <stdio.h>
enum { N = 2048, TIMES = 64 };
static int sums[TIMES * 16] __attribute__((aligned(64))); /* a line each */
int main(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < TIMES; k++) {
        volatile int own[N] __attribute__((aligned(64)));
        int sum = 0;
        for (int i = 0; i < N; i++) own[i] = i * k;
        for (int i = 0; i < N; i++) sum += own[i];
        if (sum == 1) sums[k * 16] = sum; /* which it never is */
    }
    printf("%d\n", sums[16]);
    return 0;
}
