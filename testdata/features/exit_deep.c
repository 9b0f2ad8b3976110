/*
 * This file ends by exit() deep in a chain of calls, each of them inside a loop:
 * main and every function on the way have a path in flight.
 */
#include <stdio.h>
#include <stdlib.h>

static int level_count[8];

static void descend(int level, int width)
{
    for (int i = 0; i < width; i++) {
        level_count[level]++;
        if (level == 7) {
            if (level_count[7] == 777) {
                for (int k = 0; k < 8; k++)
                    printf("%d%c", level_count[k], k < 7 ? ' ' : '\n');
                exit(10 + level_count[0]);
            }
        } else {
            descend(level + 1, width);
        }
    }
}

int main(void)
{
    for (;;)
        descend(0, 3);
}
