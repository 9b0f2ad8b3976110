/*
 * This file holds loops with several exits: break, return, goto past two levels,
 * a loop whose only exits lie in its middle, and exits that share a target.
 */
#include <stdio.h>

static int search(const int *a, int n, int wanted)
{
    for (int i = 0; i < n; i++) {
        if (a[i] == wanted)
            return i;
        if (a[i] > wanted + 50)
            break;
        if (a[i] < 0)
            return -2;
    }
    return -1;
}

static int leave_two_levels(int rows, int columns, int limit)
{
    int sum = 0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            sum += r * c % 7;
            if (sum > limit)
                goto out;
            if (sum % 13 == 12)
                break;
            if (sum % 17 == 16)
                goto next_row;
        }
        sum++;
    next_row:;
    }
    sum = -sum;
out:
    return sum;
}

static int middle_exits(unsigned x)
{
    int steps = 0;
    for (;;) {
        x = x * 69069u + 1u;
        if ((x >> 24) == 7)
            break;
        steps++;
        if ((x >> 20) % 100 == 3)
            break;
        do {
            x ^= x >> 3;
            if (x % 5 == 0)
                return -steps;
            steps += 2;
        } while (x & 8);
    }
    return steps;
}

int main(void)
{
    int a[100];
    long sum = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i == 90 ? -1 : i * 3 % 101;
    for (int wanted = -60; wanted < 110; wanted++)
        sum = sum * 3 % 65521 + search(a, 100, wanted);
    printf("search %ld\n", sum);
    for (int limit = 0; limit < 400; limit += 7)
        sum = sum * 3 % 65521 + leave_two_levels(9, 11, limit);
    printf("levels %ld\n", sum);
    for (unsigned seed = 0; seed < 300; seed++)
        sum = sum * 3 % 65521 + middle_exits(seed);
    printf("middle %ld\n", sum);
    return 0;
}
