/* Statements with arrays of their own on the stack, which the next one's lie upon; b is of a length that is known late. */
#include <stdio.h>
#include <string.h>
static int in[16], mid[16], out[16];
__attribute__((noinline)) static void first(int t) { int a[24]; for (int i = 0; i < 24; i++) a[i] = i * t; for (int i = 0; i < 16; i++) in[i] = a[i] + a[23 - i]; }
__attribute__((noinline)) static void second(int n) { int b[n]; memset(b, 0, sizeof b); for (int i = 0; i < 16; i++) b[i % n] += in[i]; for (int i = 0; i < 16; i++) mid[i] = b[i % n]; }
__attribute__((noinline)) static void third(void) { volatile int c[2]; c[0] = mid[0]; c[1] = mid[15]; out[c[0] & 15] += c[1]; }
__attribute__((noinline)) static int fourth(void) { int big[64]; for (int i = 0; i < 64; i++) big[i] = i; return big[out[1] & 63]; }
int main(void)
{
    int s = 0;
    for (int t = 0; t < 6; t++) {
        int vla[t + 1];
        first(t); second(9); third(); s += fourth();
        vla[t] = s; s = vla[t];
    }
    printf("%d\n", s);
    return 0;
}
