/*
 * This file ends by _exit(), past all exit handlers, with a loop still running.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void)
{
    printf("this handler must not run\n");
    fflush(stdout);
}

int main(void)
{
    long sum = 0;
    atexit(handler);
    for (long i = 0;; i++) {
        sum += i % 7 == 3 ? i : 1;
        if (sum > 100000) {
            printf("sum %ld after %ld\n", sum, i);
            fflush(stdout);
            _exit(3);
        }
    }
}
