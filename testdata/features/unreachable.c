/*
 * This file holds code that cannot be reached: after a call that never returns,
 * behind __builtin_unreachable, in functions nobody calls, and after an endless
 * loop; and a switch without default whose other values are promised away.
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noreturn, noinline)) static void fail(const char *why)
{
    printf("failed: %s\n", why);
    exit(4);
}

static int weekday(int d)
{
    switch (d) {
    case 0: return 31;
    case 1: return 28;
    case 2: return 31;
    }
    __builtin_unreachable();
}

static int checked(int d)
{
    if (d < 3)
        return weekday(d);
    fail("no such day");
    return weekday(d); /* never */
}

/* Nobody calls this, and its loop has no exit. */
void nobody(volatile int *p)
{
    for (;;)
        ++*p;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 90; i++) {
        sum += checked(i % 3);
        if (sum < 0)
            __builtin_trap();
    }
    printf("sum %d\n", sum);
    for (int d = 0;; d++)
        sum += checked(d);
    printf("never %d\n", sum);
}
