/*
 * This file forks: the child works on, sends its result through a pipe and ends by
 * _exit, the parent does its own work and waits. Each has counts of its own.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static long collatz(long n)
{
    long steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

int main(void)
{
    int ends[2];
    long mine = 0, other = 0;
    for (long n = 1; n < 100; n++)
        mine += collatz(n);
    if (pipe(ends) != 0)
        return 1;
    pid_t child = fork();
    if (child < 0)
        return 1;
    if (child == 0) {
        for (long n = 100; n < 200; n++)
            mine += collatz(n);
        _exit(write(ends[1], &mine, sizeof mine) == sizeof mine ? 6 : 1);
    }
    for (long n = 1000; n < 1050; n++)
        mine += collatz(n);
    int status = 0;
    if (read(ends[0], &other, sizeof other) != sizeof other || waitpid(child, &status, 0) != child)
        return 1;
    printf("parent %ld child %ld status %d\n", mine, other, WEXITSTATUS(status));
    return 0;
}
