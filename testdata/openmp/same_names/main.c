/*
 * This file is one of three units: two others have the same file name, each with a
 * static function of one name and a region on one line, and all three use an inline
 * function with a region from a header.
 */
#include <stdio.h>

#include "parts.h"

int main(void)
{
    long sum = 0;
    for (int n = 0; n < 20; n++)
        sum = sum * 3 % 1000003 + left_part(n) + right_part(n) + halves(n);
    printf("sum %ld\n", sum);
    return 0;
}
