/*
 * This file ends by quick_exit(): handlers of at_quick_exit run, those of atexit
 * do not.
 */
#include <stdio.h>
#include <stdlib.h>

static int turns;

static void quick_handler(void)
{
    for (int i = 0; i < turns; i++)
        if (i % 4 == 0)
            printf("%d ", i);
    printf("quick\n");
    fflush(stdout);
}

static void slow_handler(void)
{
    printf("this handler must not run\n");
}

int main(void)
{
    atexit(slow_handler);
    at_quick_exit(quick_handler);
    while (turns < 20)
        turns += 3;
    quick_exit(5);
}
