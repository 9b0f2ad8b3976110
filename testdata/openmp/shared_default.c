/*
 * This file names its sharing: default(none) with everything listed,
 * default(shared), and shared arrays, structures and statics written by one section
 * each.
 */
#include <stdio.h>
#include <string.h>

static int histogram[2][8];

struct totals {
    long even, odd;
};

static void count(int *bins, const int *values, int n, int which)
{
    for (int i = 0; i < n; i++)
        if ((values[i] & 1) == which)
            bins[values[i] & 7]++;
}

int main(void)
{
    int values[600];
    int n = 600;
    struct totals t = {0, 0};
    char word[2][8];

    for (int i = 0; i < n; i++)
        values[i] = i * i % 83;
    #pragma omp parallel sections default(none) shared(values, t, histogram) firstprivate(n)
    {
        #pragma omp section
        {
            count(histogram[0], values, n, 0);
            for (int i = 0; i < n; i += 2)
                t.even += values[i];
        }
        #pragma omp section
        {
            count(histogram[1], values, n, 1);
            for (int i = 1; i < n; i += 2)
                t.odd += values[i];
        }
    }
    #pragma omp parallel sections default(shared)
    {
        #pragma omp section
        strcpy(word[0], t.even > t.odd ? "even" : "odd");
        #pragma omp section
        strcpy(word[1], histogram[0][2] > histogram[1][3] ? "two" : "three");
    }
    printf("even %ld odd %ld %s %s\n", t.even, t.odd, word[0], word[1]);
    for (int k = 0; k < 8; k++)
        printf("%d%c", histogram[k & 1][k], k < 7 ? ' ' : '\n');
    return 0;
}
