/*
 * This file ends main by pthread_exit while another thread goes on: main never
 * returns, and the process ends when the last thread does.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_t main_thread;

static void *finish(void *argument)
{
    long sum = 0;
    pthread_join(main_thread, NULL);
    for (long i = 0; i < 1000; i++)
        sum += i % 3 ? i : -i;
    printf("last thread: %ld %s\n", sum, (const char *)argument);
    return NULL;
}

int main(void)
{
    static char word[] = "done";
    pthread_t thread;
    main_thread = pthread_self();
    if (pthread_create(&thread, NULL, finish, word) != 0)
        return 1;
    pthread_detach(thread);
    printf("main leaves\n");
    pthread_exit(NULL);
}
