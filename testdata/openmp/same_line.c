/*
 * This file has several regions on one source line, through a macro that expands to
 * two of them and is used twice in a function and once in another.
 */
#include <stdio.h>

#define PRAGMA(text) _Pragma(#text)
#define PAIR(x, y, f, g) \
    PRAGMA(omp parallel sections) { PRAGMA(omp section) x = f; PRAGMA(omp section) y = g; }
#define TWO_PAIRS(p, q, r, s, n) PAIR(p, q, count(n, 2), count(n, 3)) PAIR(r, s, count(n, 5), count(n, 7))

static int count(int n, int m)
{
    int c = 0;
    for (int i = 1; i <= n; i++)
        c += i % m == 0;
    return c;
}

static int twice(int n)
{
    int p = 0, q = 0, r = 0, s = 0;
    TWO_PAIRS(p, q, r, s, n)
    int sum = p + 2 * q + 3 * r + 4 * s;
    TWO_PAIRS(p, r, q, s, n + sum % 10)
    return sum * 100 + p + q + r + s;
}

int main(void)
{
    int p = 0, q = 0, r = 0, s = 0, sum = 0;
    TWO_PAIRS(p, q, r, s, 50)
    for (int n = 0; n < 20; n++)
        sum = (sum * 3 + twice(n)) % 1000003;
    printf("%d %d %d %d sum %d\n", p, q, r, s, sum);
    return 0;
}
