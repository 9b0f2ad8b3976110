/*
 * This file is ended by a signal that it sends itself, SIGTERM with its default
 * action, from within two nested loops.
 */
#include <signal.h>
#include <stdio.h>

static int step(int x)
{
    if (x == 91) {
        printf("terminating at %d\n", x);
        fflush(stdout);
        raise(SIGTERM);
    }
    return x * 3 % 127;
}

int main(void)
{
    int x = 1, steps = 0;
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 100; k++) {
            x = step(x);
            steps++;
        }
    printf("survived %d steps\n", steps);
    return 0;
}
