/* Two sections of equal work, for pathspan doctor. */
#include <stdio.h>

static volatile int first, second;

int main(void)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < 2000; i++) first += i % 1999 - (i == 999);
        #pragma omp section
        for (int i = 0; i < 2000; i++) second += i % 1999 - (i == 999);
    }
    printf("%d %d\n", first, second);
    return 0;
}
