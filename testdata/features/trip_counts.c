/*
 * This file holds loops of one path that run zero times, once, and very often:
 * their counters are hot, and their averages have entries without iterations.
 */
#include <stdio.h>

static volatile int no_turns;

__attribute__((noinline)) static unsigned spin(unsigned long turns, unsigned x)
{
    for (unsigned long i = 0; i < turns; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

__attribute__((noinline)) static unsigned spin_once_at_least(unsigned long turns, unsigned x)
{
    do
        x ^= x << 5 ^ (unsigned)turns;
    while (turns-- > 1);
    return x;
}

__attribute__((noinline)) static unsigned never(unsigned x)
{
    while (no_turns > 0)
        x++;
    for (int i = 5; i < no_turns + 5; i++)
        x += 100;
    return x;
}

int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 1000; i++) {
        x = spin(0, x);
        x = spin(1, x);
        x = spin_once_at_least(0, x);
        x = spin_once_at_least(1, x);
        x = never(x);
    }
    printf("short %u\n", x);
    x = spin(30000000, x);
    x = spin_once_at_least(30000000, x);
    printf("long %u\n", x);
    return 0;
}
