/* Tasks one after the other, each of which changes what it was given: their blocks lie at one address
 * where each is executed when it is made. */
#include <stdio.h>

enum { TASKS = 200, WORDS = 32, ROUNDS = 40 };

typedef struct { volatile long word[WORDS]; } given;

int main(void)
{
    given g;
    for (int i = 0; i < WORDS; i++)
        g.word[i] = i;
    #pragma omp parallel
    #pragma omp single
    for (int t = 0; t < TASKS; t++) {
        #pragma omp task firstprivate(g)
        for (int r = 0; r < ROUNDS; r++)
            for (int i = 0; i < WORDS; i++)
                g.word[i] += r;
    }
    printf("%ld\n", g.word[1]);
    return 0;
}
