/*
 * This file grows the stack at run time: arrays of variable length in loop
 * bodies, alloca in a branch, and a two-dimensional array parameter.
 */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static long triangle(int n)
{
    long sum = 0;
    for (int size = 1; size <= n; size++) {
        int row[size];
        row[0] = 1;
        for (int i = 1; i < size; i++)
            row[i] = row[i - 1] * (size - i) / i;
        for (int i = 0; i < size; i++)
            sum += row[i] % 97;
        if (sum % 5 == 0)
            continue; /* leaves the array's scope early */
        sum++;
    }
    return sum;
}

static long trace(int n, int m[n][n])
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += m[i][i];
    return sum;
}

static size_t reversed(const char *s, int copy)
{
    size_t n = strlen(s);
    if (!copy)
        return n;
    char *r = alloca(n + 1);
    for (size_t i = 0; i < n; i++)
        r[i] = s[n - 1 - i];
    r[n] = '\0';
    return strcmp(r, s) == 0 ? 100 + n : n;
}

int main(void)
{
    printf("triangle %ld\n", triangle(20));
    for (int n = 1; n < 6; n += 2) {
        int m[n][n];
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                m[i][k] = i * 10 + k;
        printf("trace %ld\n", trace(n, m));
    }
    printf("%zu %zu %zu\n", reversed("level", 1), reversed("levels", 1), reversed("level", 0));
    return 0;
}
