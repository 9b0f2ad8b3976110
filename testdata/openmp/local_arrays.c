/*
 * This file keeps storage of its own in sections: local arrays, arrays of variable
 * length in a loop, alloca, structures, statics, and heap blocks.
 */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long fill(int *a, int n, int seed)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        a[i] = (seed = seed * 31 % 1009);
        sum += a[i];
    }
    return sum;
}

int main(void)
{
    long fixed = 0, variable = 0, heap = 0;
    int n = 12;
    char text[2][16];

    for (int round = 1; round < 4; round++) {
        #pragma omp parallel sections firstprivate(n)
        {
            #pragma omp section
            {
                int a[64];
                static int called; /* this section's only */
                struct { int low; char tag[4]; } s = {round, "ab"};
                fixed += fill(a, 64, 7 + s.low) + s.tag[1] + called++;
            }
            #pragma omp section
            {
                for (int size = 1; size < n + round; size++) {
                    int a[size];
                    variable += fill(a, size, size);
                    if (size == 9)
                        continue;
                    char *copy = alloca((size_t)size);
                    memset(copy, 'x', (size_t)size);
                    variable += copy[size - 1] == 'x';
                }
            }
            #pragma omp section
            {
                int *a = malloc(100 * sizeof *a);
                if (a != NULL)
                    heap += fill(a, 100, round);
                free(a);
                snprintf(text[0], sizeof text[0], "round %d", round);
                memcpy(text[1], text[0], sizeof text[0]);
            }
        }
    }
    printf("fixed %ld variable %ld heap %ld %s\n", fixed, variable, heap, text[1]);
    return 0;
}
