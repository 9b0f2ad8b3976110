/*
 * This file has a function with 70 ifs in a row: 2^70 paths, more than 64 bits can
 * number.
 */
#include "manyifs.h"

static uint64_t wide(uint64_t low, uint64_t high)
{
    uint64_t sum = 1;
    TWENTY(low, 0)
    TWENTY(low, 20)
    TWENTY(low, 40)
    IF(low, 60, sum += 7 * 60 + 3)
    IF(low, 61, sum ^= 1009ul * 61 + 1)
    IF(low, 62, sum = sum * 127 + 1)
    IF(low, 63, sum -= sum >> 12)
    IF(high, 64, sum = ~sum)
    FIVE(high, 65)
    return sum;
}

int main(void)
{
    uint64_t total = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t seed = i % 50; /* some paths repeat */
        total = total * 31 + wide(mix(seed + 1), mix(seed + 1000));
    }
    total += wide(0, 0) + wide(~UINT64_C(0), ~UINT64_C(0));
    printf("%016llx %016llx\n", (unsigned long long)total, (unsigned long long)events);
    return 0;
}
