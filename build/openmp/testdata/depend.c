/* A loop whose iterations wait for each other, beside one whose iterations do not. */
#include <stdio.h>

static int a[64][64];

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            a[i][j] = i * j % 7;
    #pragma omp parallel
    {
        #pragma omp for ordered(2)
        for (int i = 1; i < 64; i++)
            for (int j = 1; j < 64; j++) {
                #pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j]) % 1000;
                #pragma omp ordered depend(source)
            }
        #pragma omp for schedule(static) reduction(+ : sum)
        for (int i = 0; i < 64; i++)
            sum += a[i][i];
    }
    printf("%d\n", sum);
    return 0;
}
