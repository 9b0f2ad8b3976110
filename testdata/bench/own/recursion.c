/*
 * This file integrates functions with a narrow peak by Simpson's rule, halving an
 * interval until two halves agree with the whole; and adds up trees, whose upper
 * nodes fork.
 *
 *   recursion tiny|small|large
 *
 * What is hard: recursion as deep as the data want it. The left and the right half of
 * an interval are integrated side by side; the peak is in one of them, which recurses
 * many times more often than the other, which changes from function to function. The
 * trees are searched by a recursive function with a region inside, so that a region
 * is nested in executions of itself.
 *
 * What averages miss: a recursive function has one cost for all its calls, the mean
 * over flat and peaked halves, so that the halves look equal and promise a speed-up
 * of 2. For the region in the recursion that mean must even be its own fixed point.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 1 << 12, FORKS = 3 };

typedef struct {
    int value, left, right; /* children, 0 for none */
} node;

static node tree[NODES];
static unsigned random_state = 0x68e31da4u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static double function(double x, double peak)
{
    double d = x - peak;
    return x + 1e-3 / (1e-5 + d * d);
}

/* Simpson over [a, b], of which the ends and the middle are known. */
static double integrate(double peak, double a, double b, double fa, double fm, double fb, double tolerance, int depth)
{
    double m = (a + b) / 2, h = b - a;
    double fl = function((a + m) / 2, peak), fr = function((m + b) / 2, peak);
    double whole = h / 6 * (fa + 4 * fm + fb), halves = h / 12 * (fa + 4 * fl + 2 * fm + 4 * fr + fb);
    if (depth == 0 || fabs(halves - whole) < 15 * tolerance)
        return halves + (halves - whole) / 15;
    return integrate(peak, a, m, fa, fl, fm, tolerance / 2, depth - 1) +
           integrate(peak, m, b, fm, fr, fb, tolerance / 2, depth - 1);
}

static double integral(double peak, double a, double b)
{
    return integrate(peak, a, b, function(a, peak), function((a + b) / 2, peak), function(b, peak), 1e-6, 24);
}

static double both_halves(double peak)
{
    double low = 0, high = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        low = integral(peak, 0, 0.5);
        #pragma omp section
        high = integral(peak, 0.5, 1);
    }
    return low + high;
}

/* A search tree of random numbers: as unbalanced as chance makes it. */
static void make_tree(int skew)
{
    memset(tree, 0, sizeof tree);
    for (int n = 1; n < NODES; n++) {
        int value = (int)(next_random() % 100000), at = 1;
        tree[n].value = n == 1 ? skew : value;
        while (n > 1) {
            int *next = value < tree[at].value ? &tree[at].left : &tree[at].right;
            if (*next == 0) {
                *next = n;
                break;
            }
            at = *next;
        }
    }
}

static long sum_below(int at)
{
    if (at == 0)
        return 0;
    return tree[at].value % 1000 + sum_below(tree[at].left) + sum_below(tree[at].right);
}

/* The upper nodes look at their children side by side, and those at theirs. */
static long sum_tree(int at, int forks)
{
    long left = 0, right = 0;
    if (at == 0)
        return 0;
    if (forks == 0)
        return sum_below(at);
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        left = sum_tree(tree[at].left, forks - 1);
        #pragma omp section
        right = sum_tree(tree[at].right, forks - 1);
    }
    return tree[at].value % 1000 + left + right;
}

static int rounds(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 6000;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 60000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 240;
    fprintf(stderr, "usage: recursion tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = rounds(argc, argv);
    double area = 0;
    long sum = 0;
    for (int n = 0; n < count; n++) {
        if (n % 256 == 0)
            make_tree(n / 256 % 2 ? 15000 : 85000);
        area += both_halves((double)(next_random() % 1000) / 1000);
        sum += sum_tree(1, FORKS);
    }
    printf("rounds %d area %.6f sum %ld\n", count, area, sum);
    return 0;
}
