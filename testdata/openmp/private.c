/*
 * This file gives each section private variables: scalars, an array and a pointer,
 * all set before they are used.
 */
#include <stdio.h>

static int digits(int x, int *buffer)
{
    int n = 0;
    do
        buffer[n++] = x % 10;
    while ((x /= 10) > 0);
    return n;
}

int main(void)
{
    int i, n, buffer[12];
    const int *p;
    long first = 0, second = 0;

    #pragma omp parallel sections private(i, n, buffer, p)
    {
        #pragma omp section
        {
            for (i = 0; i < 1000; i += 7) {
                n = digits(i * i, buffer);
                for (p = buffer; p < buffer + n; p++)
                    first += *p;
            }
        }
        #pragma omp section
        {
            for (i = 1; i < 500; i++) {
                n = digits(i, buffer);
                p = buffer + n - 1;
                second += *p * i;
            }
        }
    }
    printf("first %ld second %ld\n", first, second);
    return 0;
}
