/*
 * This file has parallel regions without any sections: with single, with critical,
 * and with nothing but an idempotent store that all threads make.
 */
#include <stdio.h>

static int gcd(int a, int b)
{
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void)
{
    int once = 0, least = 1000, same[10] = {0};
    #pragma omp parallel num_threads(3)
    {
        #pragma omp single
        for (int i = 1; i < 100; i++)
            once += gcd(i, 60);
        int mine = gcd(84, 36);
        #pragma omp critical
        if (mine < least)
            least = mine;
    }
    #pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 10; i++) {
            #pragma omp atomic write
            same[i] = i * i;
        }
    }
    printf("once %d least %d same %d\n", once, least, same[9]);
    return 0;
}
