/*
 * This file ends by a signal in the middle of a section.
 */
#include <stdlib.h>

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
        {
            add(100);
            if (r == 50)
                abort();
        }
    }
}

int main(void)
{
    for (int r = 0;; r++)
        step(r);
}
