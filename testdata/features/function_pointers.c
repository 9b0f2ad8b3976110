/*
 * This file calls through pointers: a table of operations, a callback with
 * context, a function that returns a function, and a pointer that changes in the
 * loop that calls through it.
 */
#include <stdio.h>

typedef long operation(long, long);

static long add(long a, long b) { return a + b; }
static long subtract(long a, long b) { return a - b; }
static long scaled(long a, long b)
{
    long r = 0;
    while (b-- > 0)
        r = (r + a) % 9973;
    return r;
}
static long smaller(long a, long b) { return a < b ? a : b; }

static operation *const table[] = {add, subtract, scaled, smaller};

static operation *choose(long x)
{
    if (x < 0)
        return add;
    return x % 2 ? scaled : table[x % 4];
}

static long fold(const long *a, int n, operation *f, long start)
{
    for (int i = 0; i < n; i++)
        start = f(start, a[i]);
    return start;
}

struct visitor {
    void (*visit)(struct visitor *, long);
    long seen, sum;
};

static void sum_visit(struct visitor *v, long x)
{
    v->seen++;
    v->sum += x;
}

static void odd_visit(struct visitor *v, long x)
{
    if (x & 1)
        v->sum ^= x;
    if (++v->seen % 5 == 0)
        v->visit = sum_visit; /* the next call goes elsewhere */
}

int main(void)
{
    long a[30];
    for (int i = 0; i < 30; i++)
        a[i] = i * 17 % 13;
    for (int k = 0; k < 4; k++)
        printf("fold %d: %ld\n", k, fold(a, 30, table[k], 40));
    long x = 3;
    for (int i = 0; i < 200; i++)
        x = choose(x)(x, i % 7);
    printf("chosen %ld\n", x);
    struct visitor v = {odd_visit, 0, 0};
    for (int i = 0; i < 30; i++)
        v.visit(&v, a[i]);
    printf("visited %ld sum %ld\n", v.seen, v.sum);
    return 0;
}
