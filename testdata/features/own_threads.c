/*
 * This file starts threads of its own (pthreads) that all run the same functions,
 * so that counters shared between threads must not lose counts. One thread ends
 * by returning, one by pthread_exit from within a loop.
 */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 20000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total;

__attribute__((noinline)) static unsigned long shared_step(unsigned long x)
{
    if (x & 1)
        return x * 3 + 1;
    unsigned long y = x / 2;
    while (y % 5 == 0 && y != 0)
        y /= 5;
    return y;
}

static void *worker(void *argument)
{
    unsigned long id = (unsigned long)(size_t)argument, x = id + 7, sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        x = shared_step(x + (unsigned long)i % 11) & 0xffffff;
        sum += x;
        if (i == ROUNDS - 1 && id == 2) {
            pthread_mutex_lock(&lock);
            total += sum;
            pthread_mutex_unlock(&lock);
            pthread_exit(NULL);
        }
    }
    pthread_mutex_lock(&lock);
    total += sum;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (size_t t = 0; t < THREADS; t++)
        if (pthread_create(&thread[t], NULL, worker, (void *)t) != 0)
            return 1;
    worker((void *)(size_t)THREADS);
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    printf("total %lu\n", total);
    return 0;
}
