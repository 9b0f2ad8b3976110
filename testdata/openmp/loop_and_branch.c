/*
 * This file has regions in a loop, in both arms of a branch, in a switch case, in a
 * do-while condition's loop, and behind an early return.
 */
#include <stdio.h>

static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i * i % 11;
    return sum;
}

static int choose(int kind, int n)
{
    int a = 0, b = 0;
    if (n == 0)
        return -1;
    if (kind == 0) {
        #pragma omp parallel sections
        {
            #pragma omp section
            a = work(n);
            #pragma omp section
            b = work(2 * n);
        }
        return a + b;
    } else {
        do {
            #pragma omp parallel sections
            {
                #pragma omp section
                a += work(n);
                #pragma omp section
                b += n;
            }
            switch (n % 3) {
            case 1: {
                #pragma omp parallel sections
                {
                    #pragma omp section
                    a ^= work(5);
                    #pragma omp section
                    b ^= work(7);
                }
                break;
            }
            case 2:
                b++;
            }
        } while (--n > 0 && a + b < 500);
    }
    return a - b;
}

int main(void)
{
    int sum = 0;
    for (int n = 0; n < 40; n++)
        sum = (sum * 5 + choose(n % 4, n)) % 1000003;
    printf("sum %d\n", sum);
    return 0;
}
