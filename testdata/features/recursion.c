/*
 * This file recurses: directly (fib, quicksort), mutually (even and odd, a
 * three-function cycle), doubly nested (Ackermann) and inside loops.
 */
#include <stdio.h>

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(int n);
static int is_even(int n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1);
}
static int is_odd(int n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

static long cycle_c(int n, long sum);
static long cycle_b(int n, long sum)
{
    if (n % 3 == 0)
        sum += 5;
    return cycle_c(n - 1, sum * 3 % 10007);
}
static long cycle_a(int n, long sum)
{
    return n <= 0 ? sum : cycle_b(n, sum + 1);
}
static long cycle_c(int n, long sum)
{
    return n & 1 ? cycle_a(n - 1, sum) : cycle_a(n - 2, sum + 7);
}

static void quicksort(int *a, int first, int last)
{
    if (first >= last)
        return;
    int pivot = a[(first + last) / 2], i = first, j = last;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quicksort(a, first, j);
    quicksort(a, i, last);
}

static int permutations(int *a, int n, int at)
{
    if (at == n)
        return a[0] < a[n - 1];
    int count = 0;
    for (int i = at; i < n; i++) {
        int t = a[at];
        a[at] = a[i];
        a[i] = t;
        count += permutations(a, n, at + 1);
        a[i] = a[at];
        a[at] = t;
    }
    return count;
}

int main(void)
{
    static int a[2000];
    unsigned x = 1;
    printf("fib %d ackermann %u\n", fib(20), ackermann(2, 9));
    printf("even %d odd %d cycle %ld\n", is_even(300), is_odd(300), cycle_a(500, 1));
    for (int i = 0; i < 2000; i++)
        a[i] = (int)((x = x * 1664525u + 1013904223u) >> 16);
    quicksort(a, 0, 1999);
    for (int i = 1; i < 2000; i++)
        if (a[i - 1] > a[i])
            printf("unsorted at %d\n", i);
    int p[7] = {1, 2, 3, 4, 5, 6, 7};
    printf("sorted %d %d permutations %d\n", a[0], a[1999], permutations(p, 7, 0));
    return 0;
}
