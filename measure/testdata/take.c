/*
 * This file lets threads take iterations in turn, one after another, and prints what they
 * get. A line of input is a loop: number of the kind, chunk, iterations, threads and a share
 * for each; a line of output has a thread and the begin and end of its iterations, and a line
 * "done" follows a loop.
 */
#include "loops.h"

#include <stdio.h>
#include <stdlib.h>

void __pathspan_lock(i32 *l) { *l = 1; }
void __pathspan_unlock(i32 *l) { *l = 0; }

int main(void)
{
    int kind, threads;
    long long chunk, n;
    while (scanf("%d %lld %lld %d", &kind, &chunk, &n, &threads) == 4) {
        double *share = calloc((size_t)threads, sizeof *share);
        for (int t = 0; t < threads; t++)
            if (scanf("%lf", &share[t]) != 1) return 1;
        struct schedule s = {.kind = (enum kind)kind, .chunk = chunk, .threads = threads, .share = share};
        struct taker *all = calloc((size_t)threads, sizeof *all);
        struct pool pool = {0};
        for (int t = 0; t < threads; t++) __pathspan_take_part(&all[t], &s, t, (u64)n, (u64)chunk);
        if (__pathspan_pooled(&all[0])) {
            if (!__pathspan_fill(&pool, &all[0])) return 1;
            for (int t = 0; t < threads; t++) all[t].pool = &pool;
        }
        u64 begin, end;
        for (int left = threads; left > 0;) {
            left = threads;
            for (int t = 0; t < threads; t++) {
                if (__pathspan_take(&all[t], &begin, &end)) printf("%d %llu %llu\n", t, (unsigned long long)begin, (unsigned long long)end);
                else left--;
            }
        }
        puts("done");
        __pathspan_empty(&pool);
        free(all);
        free(share);
    }
    return 0;
}
