/* A section that can be cancelled, beside a construct that cannot, and in a region of its own. */
#include <stdio.h>

static int limit = 1000, total, other, third;

int main(void)
{
    #pragma omp parallel
    {
        #pragma omp sections
        {
            #pragma omp section
            for (int i = 0; i < 100; i++) {
                total += i;
                #pragma omp cancel sections if (total > limit)
            }
            #pragma omp section
            other = 7;
        }
        #pragma omp sections
        {
            #pragma omp section
            third = other + 1;
            #pragma omp section
            limit++;
        }
    }
    #pragma omp parallel sections
    {
        #pragma omp section
        {
            #pragma omp cancellation point sections
            limit += 2;
        }
        #pragma omp section
        other++;
    }
    printf("%d %d %d %d\n", total, other, third, limit);
    return 0;
}
