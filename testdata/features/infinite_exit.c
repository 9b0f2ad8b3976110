/*
 * This file holds a function whose endless loop is left by exit() only, so that
 * no path of it ever returns.
 */
#include <stdio.h>
#include <stdlib.h>

static void count_forever(int step)
{
    unsigned long turns = 0, value = 1;
    for (;;) {
        value = (value * 48271u + (unsigned)step) % 2147483647u;
        turns++;
        if (value % 3 == 0)
            turns += 2;
        if (turns > 5000) {
            printf("turns %lu value %lu\n", turns, value);
            exit(7);
        }
    }
}

int main(void)
{
    printf("start\n");
    count_forever(11);
    printf("never\n");
    return 0;
}
