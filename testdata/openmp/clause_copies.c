/*
 * This file looks at originals after the region: private and firstprivate copies
 * must not write through to them. A build without OpenMP has no copies, so that
 * its output differs; with OpenMP any number of threads gives the same.
 */
#include <stdio.h>

int main(void)
{
    int p = 11, f = 22, array[3] = {1, 2, 3}, l = 33, results[4] = {0};
    #pragma omp parallel sections private(p) firstprivate(f, array) lastprivate(l) num_threads(2)
    {
        #pragma omp section
        {
            p = 100;
            array[1] = 50;
            results[0] = p + array[0] + array[1];
            l = 1;
        }
        #pragma omp section
        {
            p = 200;
            array[2] = 70;
            results[1] = p + array[0] + array[2];
            l = 2;
        }
    }
    printf("p %d f %d l %d array %d %d %d\n", p, f, l, array[0], array[1], array[2]);
    #pragma omp parallel num_threads(2) private(p)
    {
        p = 5;
        #pragma omp sections firstprivate(f)
        {
            #pragma omp section
            {
                results[2] = p + f;
                f = 0;
            }
        }
        #pragma omp single
        results[3] = p + f;
    }
    printf("p %d f %d results %d %d %d %d\n", p, f, results[0], results[1], results[2], results[3]);
    return 0;
}
