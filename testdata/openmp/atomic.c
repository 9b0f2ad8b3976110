/*
 * This file updates shared counters atomically from several sections: update,
 * read, write and capture, on integers and on exact fractions, with a flush.
 */
#include <stdio.h>

int main(void)
{
    long hits = 0, tickets = 0, taken[3] = {0};
    double weight = 0;
    int flag = 0, seen = -1;

    #pragma omp parallel sections num_threads(3) shared(hits, tickets, weight, flag)
    {
        #pragma omp section
        for (int i = 0; i < 500; i++) {
            #pragma omp atomic
            hits++;
            long mine;
            #pragma omp atomic capture
            mine = tickets++;
            taken[0] += mine >= 0;
        }
        #pragma omp section
        for (int i = 0; i < 300; i++) {
            if (i % 3 == 0) {
                #pragma omp atomic update
                hits += 2;
            }
            #pragma omp atomic
            weight += 0.125;
        }
        #pragma omp section
        {
            #pragma omp atomic write
            flag = 7;
            #pragma omp flush
            #pragma omp atomic read
            seen = flag;
            for (int i = 0; i < 100; i++) {
                long mine;
                #pragma omp atomic capture
                {
                    tickets += 3;
                    mine = tickets;
                }
                taken[2] += mine > 2;
            }
        }
    }
    printf("hits %ld tickets %ld taken %ld %ld weight %.3f seen %d\n", hits, tickets, taken[0],
           taken[2], weight, seen);
    return 0;
}
