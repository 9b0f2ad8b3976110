/*
 * Variables of the region that live on from one execution of a construct to the next: one thread
 * that runs all sections sees what it wrote before.
 */
#include <stdio.h>

static void note(int *p, int by) { *p += by; }

static int run(int n, int start)
{
    int out = 0, step = start;
    double mean = 0.5;
    #pragma omp parallel firstprivate(start) reduction(+ : out)
    {
        int seen[4] = {0}, calls = 0;
        volatile int loud = 1;
        struct { int low, high; } range = {start, start + n};
        for (int round = 0; round < n; round++) {
            int *where = &calls;
            #pragma omp sections firstprivate(step) lastprivate(mean)
            {
                #pragma omp section
                {
                    seen[round % 4] += round + step;
                    step += 3;
                    loud++;
                    range.low++;
                }
                #pragma omp section
                {
                    note(where, seen[0]);
                    calls += step;
                    for (int i = 0; i < range.low; i++)
                        range.high += i ^ calls;
                    mean = calls / 2.0;
                }
            }
            #pragma omp sections nowait
            {
                #pragma omp section
                out += calls + loud;
                #pragma omp section
                {
                    start = start * 5 % 97;
                    out += start + (int)mean + range.high % 31;
                }
            }
        }
        out += seen[1] + seen[3] + range.low;
    }
    return out;
}

int main(void)
{
    for (int n = 0; n < 12; n++)
        printf("%d %d\n", run(n, 3), run(2 * n, n));
    return 0;
}
