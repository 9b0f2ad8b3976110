/*
 * This file reduces integers over sections with every operator: + * max min & | ^
 * && ||, several in one region, starting from values other than the neutral ones.
 */
#include <limits.h>
#include <stdio.h>

static int value(int i)
{
    return (i * 7919 + 13) % 257;
}

int main(void)
{
    long sum = 1000, product = 3;
    int largest = 12, smallest = INT_MAX, all_bits = -1, any_bits = 0, parity = 5;
    int all = 1, any = 0;

    #pragma omp parallel sections reduction(+ : sum) reduction(* : product)
    {
        #pragma omp section
        for (int i = 0; i < 100; i++) {
            sum += value(i);
            if (i % 40 == 3)
                product *= i;
        }
        #pragma omp section
        for (int i = 100; i < 300; i++)
            sum += value(i);
        #pragma omp section
        product *= 11;
    }
    #pragma omp parallel sections reduction(max : largest) reduction(min : smallest)
    {
        #pragma omp section
        for (int i = 0; i < 50; i++)
            largest = value(i) > largest ? value(i) : largest;
        #pragma omp section
        for (int i = 50; i < 99; i++) {
            int v = value(i);
            if (v > largest)
                largest = v;
            if (v < smallest)
                smallest = v;
        }
    }
    #pragma omp parallel sections reduction(& : all_bits) reduction(| : any_bits) reduction(^ : parity)
    {
        #pragma omp section
        {
            all_bits &= 0x7ff;
            any_bits |= value(3);
            parity ^= value(4);
        }
        #pragma omp section
        for (int i = 5; i < 9; i++) {
            all_bits &= ~(1 << i % 3);
            any_bits |= value(i) << 8;
            parity ^= value(i);
        }
    }
    for (int limit = 200; limit < 300; limit += 60) {
        all = 1;
        any = 0;
        #pragma omp parallel sections reduction(&& : all) reduction(|| : any)
        {
            #pragma omp section
            for (int i = 0; i < 60; i++) {
                all = all && value(i) < limit;
                any = any || value(i) == 255;
            }
            #pragma omp section
            {
                all = all && value(70) < limit;
                any = any || limit > 250;
            }
        }
        printf("limit %d all %d any %d\n", limit, all, any);
    }
    printf("sum %ld product %ld\n", sum, product);
    printf("largest %d smallest %d bits %x %x parity %d\n", largest, smallest, (unsigned)all_bits,
           (unsigned)any_bits, parity);
    return 0;
}
