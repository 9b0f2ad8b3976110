/*
 * This file holds tail calls: to itself, around a cycle of states, and through a
 * pointer; where the compiler knows musttail, calls that must stay tail calls, in
 * front of whose return nothing may be inserted.
 */
#include <stdio.h>

#if defined(__clang__)
#define TAIL __attribute__((musttail))
#else
#define TAIL
#endif

static long accumulate(long n, long sum)
{
    if (n == 0)
        return sum;
    TAIL return accumulate(n - 1, n % 3 ? sum + n : sum - n);
}

static long digit(const char *s, long sum);
static long other(const char *s, long sum);

static long start(const char *s, long sum)
{
    if (*s == '\0')
        return sum;
    if (*s >= '0' && *s <= '9')
        TAIL return digit(s, sum);
    TAIL return other(s, sum);
}

__attribute__((noinline)) static long digit(const char *s, long sum)
{
    sum = sum * 10 + (*s - '0');
    TAIL return start(s + 1, sum % 100003);
}

__attribute__((noinline)) static long other(const char *s, long sum)
{
    for (int i = 0; i < 3; i++)
        sum += *s;
    TAIL return start(s + 1, sum % 100003);
}

typedef long step(const char *, long);
static step *volatile next = start;

static long indirect(const char *s, long sum)
{
    step *f = next;
    TAIL return f(s, sum + 1);
}

int main(void)
{
    long sum = 0;
    for (long n = 0; n < 2000; n += 37)
        sum += accumulate(n, 0);
    printf("accumulated %ld\n", sum);
    printf("states %ld\n", start("a1b22 c333,d4444;e55555", 0));
    printf("indirect %ld\n", indirect("12x7", 0));
    return 0;
}
