/* Tasks read what code outside of the region wrote, each the same table and a block of its own, and write a block; when all have ended, others
 * read two blocks each, and what made them a part of all. In the end code outside reads what they wrote. */
#include <stdio.h>
enum { BLOCKS = 16, N = 512, ROUNDS = 8 };
static double table[N], in[BLOCKS][N], mid[BLOCKS][N], out[BLOCKS][N];
int main(void)
{
    double sum = 0;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < N; i++) table[i] = i % 7 + r;
        for (int b = 0; b < BLOCKS; b++)
            for (int i = 0; i < N; i++) in[b][i] = sum + b + i % 13;
#pragma omp parallel
#pragma omp single
        {
            for (int b = 0; b < BLOCKS; b++) {
#pragma omp task firstprivate(b)
                for (int k = 0; k < 4; k++)
                    for (int i = 0; i < N; i++) mid[b][i] = mid[b][i] / 2 + in[b][i] * table[i];
            }
#pragma omp taskwait
            for (int b = 0; b < BLOCKS; b++) {
#pragma omp task firstprivate(b)
                for (int k = 0; k < 4; k++)
                    for (int i = 0; i < N; i++) out[b][i] = out[b][i] / 2 + mid[b][i] - mid[BLOCKS - 1 - b][i];
            }
        }
        for (int b = 0; b < BLOCKS; b++)
            for (int i = 0; i < N; i++) sum += out[b][i];
    }
    printf("%g\n", sum);
    return 0;
}
