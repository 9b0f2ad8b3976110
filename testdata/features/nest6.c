/*
 * This file nests loops six deep, with branches on every level and trip counts
 * that depend on the outer levels, zero included.
 */
#include <stdio.h>

static unsigned long nest(int n)
{
    unsigned long sum = 1;
    for (int a = 0; a < n; a++) {
        if (a & 1)
            sum += 3;
        for (int b = a; b < n; b++) {
            sum ^= (unsigned long)b << 2;
            for (int c = 0; c < b; c++) {
                if ((sum & 3) == 0)
                    sum += 7;
                int d = c;
                while (d < n) {
                    d += 1 + (int)(sum & 1);
                    for (int e = d; e > 0; e -= 2) {
                        if (e == c)
                            break;
                        int f = 0;
                        do {
                            sum = sum * 5 + (unsigned long)(a + f);
                            if ((sum >> 7) % 3 == 1)
                                sum++;
                        } while (++f < e % 3);
                    }
                }
            }
        }
    }
    return sum;
}

int main(void)
{
    for (int n = 0; n < 9; n++)
        printf("%d %lu\n", n, nest(n));
    return 0;
}
