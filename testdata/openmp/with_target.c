/*
 * This file has a target region beside sections; without a device it runs on the
 * host, as it is to be run here.
 */
#include <stdio.h>

int main(void)
{
    int a[64], sum = 0, even = 0, odd = 0;
    for (int i = 0; i < 64; i++)
        a[i] = i;
    #pragma omp target map(tofrom : a, sum)
    {
        for (int i = 0; i < 64; i++) {
            a[i] = a[i] % 5 == 2 ? 100 : a[i] * 3;
            sum += a[i];
        }
    }
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < 64; i += 2)
            even += a[i];
        #pragma omp section
        for (int i = 1; i < 64; i += 2)
            odd += a[i];
    }
    printf("sum %d even %d odd %d\n", sum, even, odd);
    return 0;
}
