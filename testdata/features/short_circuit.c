/*
 * This file holds conditions of many parts: && and || chains, nested ?:, statement
 * expressions, comma conditions in loops, and an else-if ladder.
 */
#include <stdio.h>

static int calls;

__attribute__((noinline)) static int probe(int x, int m)
{
    calls++;
    return x % m == 0;
}

static int mixed(int x)
{
    if ((probe(x, 2) && probe(x, 3)) || (probe(x, 5) && !probe(x, 7)) || x == 1)
        return 1;
    return probe(x, 11) ? probe(x, 13) ? 4 : 3 : probe(x, 17) || probe(x, 19) ? 2 : 0;
}

static const char *ladder(int x)
{
    if (x < 0)
        return "negative";
    else if (x == 0)
        return "zero";
    else if (x < 10 && probe(x, 3))
        return "small third";
    else if (x < 10)
        return "small";
    else if (probe(x, 10) || probe(x, 25))
        return "round";
    return "large";
}

int main(void)
{
    int sum = 0, i, k;
    for (i = 0, k = 300; i < k && (probe(i, 4) || k > 0); i++, k -= probe(i, 3))
        sum = sum * 2 % 100003 + mixed(i);
    printf("mixed %d calls %d\n", sum, calls);
    for (int x = -1; x < 60; x += 7)
        printf("%d %s\n", x, ladder(x));
    int best = 0;
    for (int x = 0; x < 50; x++)
        best = __extension__({ int y = x * 37 % 53; y > best && !probe(y, 2) ? y : best; });
    printf("best %d\n", best);
    return 0;
}
