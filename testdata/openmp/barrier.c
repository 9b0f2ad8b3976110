/*
 * This file separates phases of one parallel region with explicit barriers between
 * sections constructs that do not wait themselves, in a loop that every thread
 * runs.
 */
#include <stdio.h>

enum { N = 64 };
static int left[N], right[N];

static void blur(const int *from, int *to, int first, int last)
{
    for (int i = first; i < last; i++) {
        int below = i > 0 ? from[i - 1] : from[i], above = i < N - 1 ? from[i + 1] : from[i];
        to[i] = (below + 2 * from[i] + above) / 4;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        left[i] = i * i * 31 % 1000;
    #pragma omp parallel num_threads(2)
    {
        for (int phase = 0; phase < 6; phase++) {
            const int *from = phase % 2 ? right : left;
            int *to = phase % 2 ? left : right;
            #pragma omp sections nowait
            {
                #pragma omp section
                blur(from, to, 0, N / 2);
                #pragma omp section
                blur(from, to, N / 2, N);
            }
            #pragma omp barrier
        }
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 3 % 1000003 + left[i];
    printf("sum %ld first %d last %d\n", sum, left[0], left[N - 1]);
    return 0;
}
