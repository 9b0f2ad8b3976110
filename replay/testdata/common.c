/* Threads of a loop read the same table again and again, which fits into a second level and into none that is a part of it. */
#include <stdio.h>
enum { N = 12288, ROWS = 64 };
static double table[N], out[ROWS];
int main(void)
{
    for (int i = 0; i < N; i++) table[i] = i % 17;
#pragma omp parallel for
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int i = 0; i < N; i++) sum += table[i] * (i ^ r);
        out[r] = sum;
    }
    printf("%g\n", out[0] + out[ROWS - 1]);
    return 0;
}
