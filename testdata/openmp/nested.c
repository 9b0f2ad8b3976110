/*
 * This file nests regions in its text: a section that holds a parallel region with
 * sections, which holds a third; inner regions in a loop and in a branch.
 */
#include <stdio.h>

static long scan(int from, int to)
{
    long sum = 0;
    for (int i = from; i < to; i++)
        sum += i % 7 == 0 ? 7 : i % 3;
    return sum;
}

int main(void)
{
    long left = 0, right[3] = {0}, inner[2] = {0}, deep[2] = {0};

    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        {
            left = scan(0, 1000);
            for (int round = 0; round < 4; round++) {
                #pragma omp parallel sections num_threads(2) shared(inner)
                {
                    #pragma omp section
                    inner[0] += scan(round, 100);
                    #pragma omp section
                    {
                        inner[1] += scan(100, 200 + round);
                        if (round % 2) {
                            #pragma omp parallel sections num_threads(2)
                            {
                                #pragma omp section
                                deep[0] += scan(0, round * 10);
                                #pragma omp section
                                deep[1] += scan(0, round * 20);
                            }
                        }
                    }
                }
            }
        }
        #pragma omp section
        {
            #pragma omp parallel sections
            {
                #pragma omp section
                right[0] = scan(1, 10);
                #pragma omp section
                right[1] = scan(10, 200);
                #pragma omp section
                right[2] = scan(200, 700);
            }
        }
    }
    printf("left %ld right %ld %ld %ld inner %ld %ld deep %ld %ld\n", left, right[0], right[1],
           right[2], inner[0], inner[1], deep[0], deep[1]);
    return 0;
}
