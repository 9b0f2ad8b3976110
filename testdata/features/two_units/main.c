/*
 * This file is the first of two units that are linked into one program: both have
 * static functions named step and table, which must stay apart.
 */
#include <stdio.h>

#include "other.h"

static int table[4] = {1, 2, 3, 4};

static int step(int x)
{
    return x & 1 ? x + table[x & 3] : x / 2;
}

int main(void)
{
    int x = 27, sum = 0;
    for (int i = 0; i < 500; i++) {
        x = step(x) + 3;
        sum += minimum(x, 20);
        if (i % 10 == 0)
            sum += other_steps(i);
    }
    printf("sum %d shared %d\n", sum, other_counter);
    return sum == other_counter;
}
