/*
 * This file has sections constructs of unusual size: one section, a first section
 * without its pragma, an empty section, and twenty sections.
 */
#include <stdio.h>

static int turn(int k)
{
    int x = k;
    for (int i = 0; i <= k; i++)
        x = (x * 5 + i) % 97;
    return x;
}

int main(void)
{
    int v[20] = {0}, one = 0, a = 0, b = 0;
    #pragma omp parallel sections
    {
        one = turn(50);
    }
    #pragma omp parallel sections
    {
        a = turn(3); /* the first section needs no pragma */
        #pragma omp section
        {
        }
        #pragma omp section
        b = turn(4);
    }
    #pragma omp parallel sections
    {
        #pragma omp section
        v[0] = turn(0);
        #pragma omp section
        v[1] = turn(1);
        #pragma omp section
        v[2] = turn(2);
        #pragma omp section
        v[3] = turn(3);
        #pragma omp section
        v[4] = turn(4);
        #pragma omp section
        v[5] = turn(5);
        #pragma omp section
        v[6] = turn(6);
        #pragma omp section
        v[7] = turn(7);
        #pragma omp section
        v[8] = turn(8);
        #pragma omp section
        v[9] = turn(9);
        #pragma omp section
        v[10] = turn(10);
        #pragma omp section
        v[11] = turn(11);
        #pragma omp section
        v[12] = turn(12);
        #pragma omp section
        v[13] = turn(13);
        #pragma omp section
        v[14] = turn(14);
        #pragma omp section
        v[15] = turn(15);
        #pragma omp section
        v[16] = turn(16);
        #pragma omp section
        v[17] = turn(17);
        #pragma omp section
        v[18] = turn(18);
        #pragma omp section
        v[19] = turn(19);
    }
    int sum = 0;
    for (int k = 0; k < 20; k++)
        sum = sum * 3 % 10007 + v[k];
    printf("one %d a %d b %d sum %d\n", one, a, b, sum);
    return 0;
}
