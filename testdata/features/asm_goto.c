/*
 * This file branches out of inline assembly (asm goto, LLVM's callbr) to labels
 * inside and outside a loop. On processors other than x86-64 the assembly is
 * replaced by plain branches.
 */
#include <stdio.h>

static int sign(long x)
{
#ifdef __x86_64__
    __asm__ goto("testq %0, %0\n\tjs %l[negative]\n\tjz %l[zero]" : : "r"(x) : "cc" : negative, zero);
#else
    if (x < 0)
        goto negative;
    if (x == 0)
        goto zero;
#endif
    return 1;
negative:
    return -1;
zero:
    return 0;
}

static int first_set(unsigned long x, int limit)
{
    int n = 0;
    while (n < limit) {
#ifdef __x86_64__
        __asm__ goto("testb $1, %b0\n\tjnz %l[found]" : : "q"(x) : "cc" : found);
#else
        if (x & 1)
            goto found;
#endif
        x >>= 1;
        n++;
    }
    return -1;
found:
    return n;
}

int main(void)
{
    int sum = 0;
    for (long x = -50; x < 60; x++)
        sum = sum * 2 % 1009 + sign(x % 7);
    printf("signs %d\n", sum);
    for (unsigned long x = 0; x < 300; x++)
        sum = (sum * 3 + first_set(x << 3, 10)) % 10007;
    printf("bits %d\n", sum);
    return 0;
}
