/*
 * This file has a function with 40 ifs in a row: 2^40 paths, past 32 bits but
 * within 64, of which few run. Counters must be hashed, not arrayed.
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

static uint64_t wide(uint64_t low)
{
    uint64_t sum = 1;
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
    return sum;
}

int main(void)
{
    uint64_t total = 0;
    for (uint64_t i = 0; i < 20000; i++)
        total = total * 31 + wide(mix(i % 700 + 1));
    printf("%016llx %016llx\n", (unsigned long long)total, (unsigned long long)events);
    return 0;
}
