/*
 * This file does work in exit handlers, in reverse order of registration, one of
 * them registering another: functions still run after main has returned.
 */
#include <stdio.h>
#include <stdlib.h>

static long sum;

static void spin(int turns)
{
    for (int i = 0; i < turns; i++)
        sum += i % 3 == 0 ? i : 1;
}

static void late(void)
{
    spin(10);
    printf("late %ld\n", sum);
}

static void second(void)
{
    spin(100);
    printf("second %ld\n", sum);
    atexit(late);
}

static void first(void)
{
    spin(1000);
    printf("first %ld\n", sum);
}

__attribute__((destructor)) static void destroy(void)
{
    spin(5);
    printf("destructor %ld\n", sum);
}

int main(void)
{
    atexit(first);
    atexit(second);
    spin(7);
    printf("main %ld\n", sum);
    return 0;
}
