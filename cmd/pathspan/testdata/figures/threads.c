/*
 * This file starts a thread of its own beside its sections: the profile keeps no
 * executions, and a part of the work has no caller.
 */
#include <pthread.h>

static volatile unsigned sink;

__attribute__((noinline)) static void add(int n)
{
    for (int i = 0; i < n; i++)
        sink += i * 3u;
}

__attribute__((noinline)) static void step(int r)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        add(400 + r);
        #pragma omp section
        add(100);
    }
}

static void *thread(void *arg)
{
    for (int r = 0; r < 20; r++)
        step(r);
    return arg;
}

int main(void)
{
    pthread_t other;
    if (pthread_create(&other, 0, thread, 0) != 0)
        return 1;
    for (int r = 0; r < 10; r++)
        step(2 * r);
    return pthread_join(other, 0);
}
