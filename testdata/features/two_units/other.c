/*
 * This file is the second unit: its static step loops where the first's branches.
 */
#include "other.h"

int other_counter;

static int table[4] = {9, 7, 5, 3};

static int step(int x)
{
    int n = 0;
    while (x > 0) {
        x -= table[x & 3];
        n++;
    }
    return n;
}

int other_steps(int x)
{
    other_counter += minimum(x, 50);
    return step(x) + step(x / 2);
}
