/*
 * This file computes with every kind of number that costs differently: 8 to 128
 * bit integers, both floating-point types, complex numbers, vectors, division,
 * shifts and conversions, with branches between.
 */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned vec __attribute__((vector_size(16)));

static uint64_t product_high(uint64_t a, uint64_t b)
{
    unsigned __int128 p = (unsigned __int128)a * b;
    return (uint64_t)(p >> 64);
}

static unsigned narrow(unsigned n)
{
    uint8_t a = 1;
    int16_t b = 2;
    for (unsigned i = 0; i < n; i++) {
        a = (uint8_t)(a * 7 + i);
        b = (int16_t)(b + (a & 1 ? a : -3));
        if (b > 1000)
            b /= 3;
    }
    return (unsigned)a << 16 | (uint16_t)b;
}

static double newton(double x)
{
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 50 && (r * r - x > 1e-9 || x - r * r > 1e-9); i++)
        r = (r + x / r) / 2;
    return r;
}

static int escape(double complex c)
{
    double complex z = 0;
    int n = 0;
    while (n < 60 && creal(z) * creal(z) + cimag(z) * cimag(z) <= 4) {
        z = z * z + c;
        n++;
    }
    return n;
}

int main(void)
{
    uint64_t x = 0x123456789abcdef1u, sum = 0;
    for (int i = 0; i < 100; i++) {
        x = product_high(x, x * 0x9e3779b97f4a7c15u) ^ x << 7;
        sum += x % 1000 > 500 ? x / 977 : x >> 40;
    }
    printf("wide %llu narrow %u\n", (unsigned long long)sum, narrow(777));
    float f = 0;
    double d = 0;
    for (int i = 1; i < 200; i++) {
        f += 1.0f / (float)(i & 15 ? i : 4);
        d += newton(i);
    }
    printf("float %.3f double %.6f\n", (double)f, d);
    int picture = 0;
    for (int y = -10; y <= 10; y++)
        for (int re = -20; re <= 10; re++)
            picture += escape(re / 10.0 + y / 10.0 * I);
    vec v = {1, 2, 3, 4};
    for (int i = 0; i < 30; i++)
        v = v * 3 + (v & 7) - (vec){(unsigned)i, (unsigned)i, 1, 0};
    printf("picture %d vector %u %u %u %u\n", picture, v[0] & 1023, v[1] & 1023, v[2] & 1023,
           v[3] & 1023);
    return 0;
}
