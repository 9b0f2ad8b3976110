/*
 * This file has 70 ifs in a row inside a loop body, and a loop inside that body
 * between them, so that the level of the outer loop has more than 2^64 paths.
 */
#include "manyifs.h"

static uint64_t wide(uint64_t low, uint64_t high, int rounds)
{
    uint64_t sum = 1;
    for (int r = 0; r < rounds; r++) {
        TWENTY(low, 0)
        FIVE(low, 20)
        FIVE(low, 25)
        FIVE(low, 30)
        for (uint64_t k = low & 3; k > 0; k--)
            if (high >> k & 1)
                record(&sum, 100);
        TWENTY(low, 35)
        FIVE(low, 55)
        IF(low, 60, sum += 7 * 60 + 3)
        IF(low, 61, sum ^= 1009ul * 61 + 1)
        IF(low, 62, sum = sum * 127 + 1)
        IF(low, 63, sum -= sum >> 12)
        IF(high, 64, sum = ~sum)
        FIVE(high, 65)
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
