/*
 * This file has what the programs with many ifs in a row share: ifs of which each calls and changes sum.
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

#define IF(word, k, change)    \
    if (word >> ((k) & 63) & 1) \
        record(&sum, k), change;

/* Five, from number k on. */
#define FIVE(word, k)                                           \
    IF(word, k, sum += 7 * (k) + 3)                             \
    IF(word, (k) + 1, sum ^= 1009ul * ((k) + 1) + 1)            \
    IF(word, (k) + 2, sum = sum * (2 * ((k) + 2) + 3) + 1)      \
    IF(word, (k) + 3, sum -= sum >> (((k) + 3) % 13 + 1))       \
    IF(word, (k) + 4, sum = ~sum)

#define TWENTY(word, k) FIVE(word, k) FIVE(word, (k) + 5) FIVE(word, (k) + 10) FIVE(word, (k) + 15)
