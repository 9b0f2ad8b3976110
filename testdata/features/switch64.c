/*
 * This file switches on 64-bit values: sparse, negative, above 2^32, ranges, and a
 * dense table; the switch sits in a loop together with a default that leaves it.
 */
#include <stdint.h>
#include <stdio.h>

static int sparse(int64_t x)
{
    switch (x) {
    case INT64_MIN: return 1;
    case -5000000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 1: return 5;
    case INT64_C(1) << 32: return 6;
    case (INT64_C(1) << 32) + 1: return 7;
    case INT64_C(1) << 62: return 8;
    case INT64_MAX: return 9;
    default: return 0;
    }
}

static int dense(uint64_t x)
{
    int score = 1;
    for (;;) {
        switch (x & 15) {
        case 0: score += 3; break;
        case 1: score *= 2; break;
        case 2: case 3: case 4: score -= 1; break;
        case 5: score ^= 21; break;
        case 6 ... 9: score += 5; break;
        case 10: score = -score; break;
        case 11: score += 11; break;
        default: return score;
        }
        x = x * 5 + 1;
        score %= 10007;
    }
}

int main(void)
{
    static const int64_t values[] = {INT64_MIN, INT64_MIN + 1, -5000000000, -1, 0, 1, 2,
                                     4294967296, 4294967297, 4294967298,
                                     INT64_C(1) << 62, INT64_MAX - 1, INT64_MAX};
    int sum = 0;
    for (int round = 0; round < 10; round++)
        for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
            sum = sum * 3 % 65521 + sparse(values[i]);
    printf("sparse %d\n", sum);
    for (uint64_t x = 0; x < 500; x++)
        sum = sum * 3 % 65521 + dense(x);
    printf("dense %d\n", sum);
    return 0;
}
