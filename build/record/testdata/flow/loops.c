#include <stdio.h>
#define N 64
static double a[N], b[N], c[N], d[N];
int main(void)
{
    double s = 0;
    for (int t = 0; t < 5; t++) {
        for (int i = 0; i < N; i++)
            a[i] = i + t;
        for (int i = 0; i < N; i++)
            b[i] = a[i] * 2;
        for (int i = 0; i < N; i++)
            c[i] = a[i] / 3;
        for (int i = 0; i < N; i++)
            d[i] = b[i] + c[i] + (t ? d[i] : 0);
    }
    for (int i = 0; i < N; i++)
        s += d[i];
    printf("%f\n", s);
    return 0;
}
