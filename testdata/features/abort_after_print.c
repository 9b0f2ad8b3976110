/*
 * This file ends by abort(), that is by SIGABRT, inside a loop of a callee, after
 * flushing what it printed.
 */
#include <stdio.h>
#include <stdlib.h>

static int check(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        if (a[i] == 42) {
            printf("bad value at %d, sum %d\n", i, sum);
            fflush(stdout);
            abort();
        }
    }
    return sum;
}

int main(void)
{
    int a[200];
    for (int i = 0; i < 200; i++)
        a[i] = i % 50 == 41 ? 43 : i % 40;
    printf("good %d\n", check(a, 200));
    a[150] = 42;
    printf("good %d\n", check(a, 200));
    return 0;
}
