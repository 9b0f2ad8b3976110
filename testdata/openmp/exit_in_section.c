/*
 * This file ends by exit() inside a section, from a function called in its loop.
 */
#include <stdio.h>
#include <stdlib.h>

static void check(int i, long sum)
{
    if (sum > 5000) {
        printf("limit passed at %d\n", i);
        exit(9);
    }
}

int main(void)
{
    long sum = 0, quiet = 0;
    for (int round = 0; round < 10; round++) {
        #pragma omp parallel sections num_threads(2)
        {
            #pragma omp section
            for (int i = 0; i < 60; i++) {
                sum += i;
                check(i, sum);
            }
            #pragma omp section
            quiet += round;
        }
    }
    printf("never %ld %ld\n", sum, quiet);
    return 0;
}
