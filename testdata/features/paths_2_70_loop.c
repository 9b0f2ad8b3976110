/*
 * This file has 70 ifs in a row inside a loop body, and a loop inside that body
 * between them, so that the level of the outer loop has more than 2^64 paths.
 */
#include <stdint.h>
#include <stdio.h>

static uint64_t events;

/* A call, so that no branch can be turned into a select. */
__attribute__((noinline)) static void record(uint64_t *sum, int bit)
{
    events = events * 33 + (uint64_t)bit;
    *sum ^= events >> 5;
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185u;
    return x ^ x >> 29;
}

static uint64_t wide(uint64_t low, uint64_t high, int rounds)
{
    uint64_t sum = 1;
    for (int r = 0; r < rounds; r++) {
        if (low >> 0 & 1)
            record(&sum, 0), sum += 3;
        if (low >> 1 & 1)
            record(&sum, 1), sum ^= 1010ul;
        if (low >> 2 & 1)
            record(&sum, 2), sum = sum * 7 + 1;
        if (low >> 3 & 1)
            record(&sum, 3), sum -= sum >> 4;
        if (low >> 4 & 1)
            record(&sum, 4), sum = ~sum;
        if (low >> 5 & 1)
            record(&sum, 5), sum += 38;
        if (low >> 6 & 1)
            record(&sum, 6), sum ^= 6055ul;
        if (low >> 7 & 1)
            record(&sum, 7), sum = sum * 17 + 1;
        if (low >> 8 & 1)
            record(&sum, 8), sum -= sum >> 9;
        if (low >> 9 & 1)
            record(&sum, 9), sum = ~sum;
        if (low >> 10 & 1)
            record(&sum, 10), sum += 73;
        if (low >> 11 & 1)
            record(&sum, 11), sum ^= 11100ul;
        if (low >> 12 & 1)
            record(&sum, 12), sum = sum * 27 + 1;
        if (low >> 13 & 1)
            record(&sum, 13), sum -= sum >> 1;
        if (low >> 14 & 1)
            record(&sum, 14), sum = ~sum;
        if (low >> 15 & 1)
            record(&sum, 15), sum += 108;
        if (low >> 16 & 1)
            record(&sum, 16), sum ^= 16145ul;
        if (low >> 17 & 1)
            record(&sum, 17), sum = sum * 37 + 1;
        if (low >> 18 & 1)
            record(&sum, 18), sum -= sum >> 6;
        if (low >> 19 & 1)
            record(&sum, 19), sum = ~sum;
        if (low >> 20 & 1)
            record(&sum, 20), sum += 143;
        if (low >> 21 & 1)
            record(&sum, 21), sum ^= 21190ul;
        if (low >> 22 & 1)
            record(&sum, 22), sum = sum * 47 + 1;
        if (low >> 23 & 1)
            record(&sum, 23), sum -= sum >> 11;
        if (low >> 24 & 1)
            record(&sum, 24), sum = ~sum;
        if (low >> 25 & 1)
            record(&sum, 25), sum += 178;
        if (low >> 26 & 1)
            record(&sum, 26), sum ^= 26235ul;
        if (low >> 27 & 1)
            record(&sum, 27), sum = sum * 57 + 1;
        if (low >> 28 & 1)
            record(&sum, 28), sum -= sum >> 3;
        if (low >> 29 & 1)
            record(&sum, 29), sum = ~sum;
        if (low >> 30 & 1)
            record(&sum, 30), sum += 213;
        if (low >> 31 & 1)
            record(&sum, 31), sum ^= 31280ul;
        if (low >> 32 & 1)
            record(&sum, 32), sum = sum * 67 + 1;
        if (low >> 33 & 1)
            record(&sum, 33), sum -= sum >> 8;
        if (low >> 34 & 1)
            record(&sum, 34), sum = ~sum;
        for (uint64_t k = low & 3; k > 0; k--)
            if (high >> k & 1)
                record(&sum, 100);
        if (low >> 35 & 1)
            record(&sum, 35), sum += 248;
        if (low >> 36 & 1)
            record(&sum, 36), sum ^= 36325ul;
        if (low >> 37 & 1)
            record(&sum, 37), sum = sum * 77 + 1;
        if (low >> 38 & 1)
            record(&sum, 38), sum -= sum >> 13;
        if (low >> 39 & 1)
            record(&sum, 39), sum = ~sum;
        if (low >> 40 & 1)
            record(&sum, 40), sum += 283;
        if (low >> 41 & 1)
            record(&sum, 41), sum ^= 41370ul;
        if (low >> 42 & 1)
            record(&sum, 42), sum = sum * 87 + 1;
        if (low >> 43 & 1)
            record(&sum, 43), sum -= sum >> 5;
        if (low >> 44 & 1)
            record(&sum, 44), sum = ~sum;
        if (low >> 45 & 1)
            record(&sum, 45), sum += 318;
        if (low >> 46 & 1)
            record(&sum, 46), sum ^= 46415ul;
        if (low >> 47 & 1)
            record(&sum, 47), sum = sum * 97 + 1;
        if (low >> 48 & 1)
            record(&sum, 48), sum -= sum >> 10;
        if (low >> 49 & 1)
            record(&sum, 49), sum = ~sum;
        if (low >> 50 & 1)
            record(&sum, 50), sum += 353;
        if (low >> 51 & 1)
            record(&sum, 51), sum ^= 51460ul;
        if (low >> 52 & 1)
            record(&sum, 52), sum = sum * 107 + 1;
        if (low >> 53 & 1)
            record(&sum, 53), sum -= sum >> 2;
        if (low >> 54 & 1)
            record(&sum, 54), sum = ~sum;
        if (low >> 55 & 1)
            record(&sum, 55), sum += 388;
        if (low >> 56 & 1)
            record(&sum, 56), sum ^= 56505ul;
        if (low >> 57 & 1)
            record(&sum, 57), sum = sum * 117 + 1;
        if (low >> 58 & 1)
            record(&sum, 58), sum -= sum >> 7;
        if (low >> 59 & 1)
            record(&sum, 59), sum = ~sum;
        if (low >> 60 & 1)
            record(&sum, 60), sum += 423;
        if (low >> 61 & 1)
            record(&sum, 61), sum ^= 61550ul;
        if (low >> 62 & 1)
            record(&sum, 62), sum = sum * 127 + 1;
        if (low >> 63 & 1)
            record(&sum, 63), sum -= sum >> 12;
        if (high >> 0 & 1)
            record(&sum, 64), sum = ~sum;
        if (high >> 1 & 1)
            record(&sum, 65), sum += 458;
        if (high >> 2 & 1)
            record(&sum, 66), sum ^= 66595ul;
        if (high >> 3 & 1)
            record(&sum, 67), sum = sum * 137 + 1;
        if (high >> 4 & 1)
            record(&sum, 68), sum -= sum >> 4;
        if (high >> 5 & 1)
            record(&sum, 69), sum = ~sum;
        if (sum % 97 == 5)
            break;
        low = mix(low + (uint64_t)r % 3);
    }
    return sum;
}

int main(void)
{
    uint64_t total = 0;
    for (uint64_t i = 0; i < 200; i++)
        total = total * 31 + wide(mix(i + 1), mix(i + 1000), (int)(i % 9));
    printf("%016llx %016llx\n", (unsigned long long)total, (unsigned long long)events);
    return 0;
}
