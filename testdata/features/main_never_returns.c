/*
 * This file has a main without a way to return: an event loop whose handler ends
 * the program.
 */
#include <stdio.h>
#include <stdlib.h>

enum event { TICK, KEY, QUIT };

static int ticks, keys;

static enum event next_event(void)
{
    static unsigned x = 5;
    x = x * 69069u + 1;
    if (ticks > 300 && x >> 28 == 3)
        return QUIT;
    return x >> 31 ? KEY : TICK;
}

static void handle(enum event e)
{
    switch (e) {
    case TICK:
        ticks++;
        break;
    case KEY:
        for (int i = 0; i < 3; i++)
            keys++;
        break;
    case QUIT:
        printf("ticks %d keys %d\n", ticks, keys);
        exit(0);
    }
}

int main(void)
{
    while (1)
        handle(next_event());
}
