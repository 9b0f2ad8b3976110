/*
 * Loops in functions that regions call, directly and through others, from several places and
 * from serial code too; one of a function that comes back to itself, one behind a pointer.
 */
#include <stdio.h>

static int u[1000], v[1000], calls;

static int norm(int n)
{
    static int s;
    #pragma omp single
    s = 0;
    #pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += u[i] * i;
    return s;
}

void smooth(int n)
{
    #pragma omp for
    for (int i = 1; i < n - 1; i++)
        v[i] = (u[i - 1] + u[i] + u[i + 1]) % 1000;
    #pragma omp for schedule(dynamic, 8)
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i] * 2;
}

static void step(int n)
{
    smooth(n);
    if (n > 500)
        smooth(n / 2);
}

static void again(int n)
{
    #pragma omp for
    for (int i = 0; i < n; i++)
        u[i] += 1;
    if (n > 10)
        again(n / 2);
}

static void pointed(int n)
{
    #pragma omp for
    for (int i = 0; i < n; i++)
        u[i] -= 3;
    #pragma omp single
    calls++;
}

int main(void)
{
    void (*volatile f)(int) = pointed;
    int result = 0;
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < 1000; i++)
            u[i] = i % 13;
        for (int k = 0; k < 5; k++)
            step(200 * (k + 1));
        again(100);
        f(300);
        int d = norm(1000);
        #pragma omp master
        result = d;
    }
    #pragma omp parallel
    smooth(400);
    smooth(1000);
    printf("%d %d %d\n", result, u[17], calls);
    return 0;
}
