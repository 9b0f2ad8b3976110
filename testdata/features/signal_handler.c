/*
 * This file runs code in a signal handler that interrupts a loop whose path is
 * half taken, and the handler calls the function it interrupted.
 */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t handled;
static volatile long sum;

__attribute__((noinline)) static void add(int x)
{
    for (int i = 0; i < 3; i++) {
        if (x & 1 << i)
            sum += i + 1;
        else
            sum -= 1;
        if (x == 100 && i == 1)
            raise(SIGUSR1);
    }
}

static void handler(int signal)
{
    (void)signal;
    handled = handled + 1;
    add(handled & 7);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 1010; i++)
        add(i % 101);
    printf("handled %d sum %ld\n", (int)handled, sum);
    return 0;
}
