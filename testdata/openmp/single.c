/*
 * This file puts single constructs between sections: one that waits, one that does
 * not (nowait), one that hands its value to all threads (copyprivate), and one
 * that prints.
 */
#include <stdio.h>

static int triangle(int n)
{
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    return sum;
}

int main(void)
{
    int a = 0, b = 0, total = 0, singles = 0, copied = 0, seen[2] = {0, 0};

    #pragma omp parallel num_threads(3) firstprivate(copied)
    {
        #pragma omp sections
        {
            #pragma omp section
            a = triangle(100);
            #pragma omp section
            b = triangle(200);
        }
        #pragma omp single
        {
            total = a + b;
            singles++;
        }
        #pragma omp single copyprivate(copied)
        {
            copied = total / 10;
        }
        #pragma omp sections
        {
            #pragma omp section
            seen[0] = copied + total;
            #pragma omp section
            seen[1] = copied * 2;
        }
        #pragma omp single nowait
        printf("in the region: %d %d\n", seen[0], seen[1]);
    }
    printf("total %d singles %d\n", total, singles);
    return 0;
}
