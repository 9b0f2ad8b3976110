/*
 * This file has a function with 40 ifs in a row: 2^40 paths, past 32 bits but
 * within 64, of which few run. Counters must be hashed, not arrayed.
 */
#include "manyifs.h"

static uint64_t wide(uint64_t low)
{
    uint64_t sum = 1;
    TWENTY(low, 0)
    TWENTY(low, 20)
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
