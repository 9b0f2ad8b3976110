/*
 * This file holds loops with two entries, which have no header that dominates
 * them: a jump into a while loop, two loops that jump into each other, and an
 * irreducible loop inside a reducible one.
 */
#include <stdio.h>

static int jump_into_loop(int start_inside, int n)
{
    int i = 0, sum = 0;
    if (start_inside)
        goto inside;
    while (i < n) {
        sum += i;
    inside:
        sum = sum * 3 % 1009;
        i++;
    }
    return sum;
}

static int two_entries(int n)
{
    int x = n, steps = 0;
    if (n & 1)
        goto odd;
even:
    steps++;
    x /= 2;
    if (x <= 1)
        return steps;
    if (x & 1)
        goto odd;
    goto even;
odd:
    steps += 10;
    x = 3 * x + 1;
    if (steps > 5000)
        return -1;
    goto even;
}

static int nested(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int k = i % 5;
        if (i % 3 == 0)
            goto middle;
    top:
        sum += k;
        if (sum % 11 == 0)
            continue;
    middle:
        sum += 2;
        if (--k > 0)
            goto top;
        if (sum > 4000)
            goto done; /* leaves both loops */
    }
done:
    return sum;
}

int main(void)
{
    int total = 0;
    for (int n = 0; n < 40; n++)
        total = (total + jump_into_loop(n & 1, n)) * 7 % 10007;
    printf("jump %d\n", total);
    for (int n = 1; n < 200; n++)
        total = (total * 5 + two_entries(n)) % 100003;
    printf("two %d\n", total);
    printf("nested %d %d\n", nested(100), nested(2000));
    return 0;
}
