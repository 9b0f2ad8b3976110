/* Threads come from sections to a loop, and from a loop to sections, without waiting. */
#include <stdio.h>
static volatile unsigned sink;
static unsigned out[64];
__attribute__((noinline)) static unsigned work(unsigned n)
{
    unsigned s = n;
    for (unsigned i = 0; i < n; i++)
        s = s * 5u + (i ^ (s >> 3));
    sink += s & 1u;
    return s;
}
int main(void)
{
    unsigned x = 0;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
#pragma omp sections nowait
            {
#pragma omp section
                out[0] ^= work(400u * (unsigned)(round + 1));
#pragma omp section
                out[1] ^= work(3000u - 500u * (unsigned)round);
#pragma omp section
                out[2] ^= work(150);
            }
#pragma omp for schedule(dynamic, 1) nowait
            for (int i = 3; i < 40; i++)
                out[i] ^= work(20u + 11u * (unsigned)i);
#pragma omp sections
            {
#pragma omp section
                out[40] ^= work(900);
#pragma omp section
                out[41] ^= work(1700);
            }
        }
#pragma omp parallel
        {
#pragma omp for nowait
            for (int i = 3; i < 40; i++)
                out[i] ^= work(10u * (unsigned)(40 - i));
#pragma omp sections
            {
#pragma omp section
                out[50] ^= work(100);
#pragma omp section
                out[51] ^= work(200);
#pragma omp section
                out[52] ^= work(2200);
            }
        }
    }
    for (int i = 0; i < 64; i++)
        x ^= out[i];
    printf("%u\n", x);
    return 0;
}
