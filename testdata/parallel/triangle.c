/*
 * This file compares the traces of sensors pair by pair, and solves for the weights
 * that explain one of them: loops over triangles.
 *
 *   triangle [SENSORS [SAMPLES]]     default: 96 220
 *
 * Constructs. Parallel loops whose inner loops run to or from the outer index:
 * schedule(static), schedule(static, 1), schedule(static, 4) and schedule(dynamic, 2);
 * a loop over a triangle that is collapsed; signed and unsigned indices, upwards and
 * downwards; a loop inside a sequential loop, which grows shorter by one every time.
 *
 * What is hard. Iteration i works i times as long as iteration 1, on the same path:
 * only trip counts tell the iterations apart, so whoever knows the average iteration
 * sees a balanced loop. Split in halves, the second half has three quarters of the
 * work, and which thread that is decides on unequal processors. Dealt out one by one,
 * the same loop is even. The factorisation makes SENSORS regions, the last of which
 * have less work than it takes to start them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 400, SHIFT = 10 };

typedef struct {
    int sensors, samples;
    int32_t *trace;     /* a row a sensor */
    int64_t *alike;     /* sums of products, the lower triangle */
    double *factor;     /* Cholesky factor of them */
    double *weights;
} array;

static uint32_t random_state = 7919u;

static int random_below(int limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (uint32_t)limit);
}

static void *reserve(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "triangle: no memory for %zu numbers\n", count);
        exit(1);
    }
    return memory;
}

/* Neighbours see nearly the same signal; every sensor adds noise of its own. */
static void make_traces(array *a)
{
    int phase = 0;
    for (int t = 0; t < a->samples; t++) {
        phase += random_below(400) - 190;
        for (int s = 0; s < a->sensors; s++)
            a->trace[s * a->samples + t] = phase * (s + 8) / 64 + random_below(2000) - 1000;
    }
}

static void remove_means(array *a)
{
    #pragma omp parallel for schedule(static)
    for (int s = 0; s < a->sensors; s++) {
        int32_t *row = a->trace + s * a->samples;
        int64_t sum = 0;
        for (int t = 0; t < a->samples; t++)
            sum += row[t];
        for (int t = 0; t < a->samples; t++)
            row[t] -= (int32_t)(sum / a->samples);
    }
}

static int64_t product(const array *a, int one, int other)
{
    const int32_t *x = a->trace + one * a->samples, *y = a->trace + other * a->samples;
    int64_t sum = 0;
    for (int t = 0; t < a->samples; t++)
        sum += (int64_t)x[t] * y[t];
    return sum >> SHIFT;
}

/* The lower triangle, in halves: the second thread has three times the work. */
static void compare_in_halves(array *a)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < a->sensors; i++)
        for (int j = 0; j <= i; j++)
            a->alike[i * a->sensors + j] = product(a, i, j);
}

/* The same, dealt out one by one. Every sum that was there must be met again. */
static int64_t compare_dealt_out(array *a)
{
    int64_t differing = 0;
    #pragma omp parallel for schedule(static, 1) reduction(+ : differing)
    for (int i = a->sensors - 1; i >= 0; i--)
        for (int j = 0; j <= i; j++)
            differing += a->alike[i * a->sensors + j] != product(a, i, j);
    return differing;
}

/* Mirrors the triangle: one loop of all pairs, whose number is n (n - 1) / 2. */
static void mirror(array *a)
{
    int n = a->sensors;
    #pragma omp parallel for collapse(2)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            a->alike[j * n + i] = a->alike[i * n + j];
}

/* Pairs that are more alike than a share of what each has by itself. */
static long count_alike(const array *a, int percent)
{
    unsigned n = (unsigned)a->sensors;
    long pairs = 0;
    #pragma omp parallel for schedule(dynamic, 2) reduction(+ : pairs)
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = n - 1; j > i; j--) {
            int64_t self = a->alike[i * n + i] < a->alike[j * n + j] ? a->alike[i * n + i] : a->alike[j * n + j];
            pairs += a->alike[i * n + j] * 100 > self * percent;
        }
    return pairs;
}

/* Column by column; the loop over the rows below shrinks from all to none. */
static void factorise(array *a)
{
    int n = a->sensors;
    double *f = a->factor;
    for (int i = 0; i < n * n; i++)
        f[i] = (double)a->alike[i];
    for (int i = 0; i < n; i++)
        f[i * n + i] += 65536.0 * n;
    for (int k = 0; k < n; k++) {
        double pivot = f[k * n + k];
        #pragma omp parallel for schedule(static, 4)
        for (int i = k + 1; i < n; i++) {
            double share = f[i * n + k] / pivot;
            for (int j = k + 1; j <= i; j++)
                f[i * n + j] -= share * f[j * n + k];
        }
        for (int i = k + 1; i < n; i++)
            f[i * n + k] /= pivot;
    }
}

/* Solves with the factor for the products with the last sensor: sequential rows of parallel sums. */
static void solve(array *a)
{
    int n = a->sensors;
    for (int i = 0; i < n; i++)
        a->weights[i] = (double)a->alike[i * n + n - 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a->weights[i] -= a->factor[i * n + j] * a->weights[j];
    for (int i = 0; i < n; i++)
        a->weights[i] /= a->factor[i * n + i];
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++)
            a->weights[i] -= a->factor[j * n + i] * a->weights[j];
}

int main(int argc, char **argv)
{
    array a = {.sensors = argc > 1 ? atoi(argv[1]) : 96, .samples = argc > 2 ? atoi(argv[2]) : 220};
    if (a.sensors < 4 || a.sensors > LARGEST || a.samples < 8) {
        fprintf(stderr, "usage: triangle [SENSORS (4 to %d) [SAMPLES (8 or more)]]\n", LARGEST);
        return 2;
    }
    size_t pairs = (size_t)a.sensors * (size_t)a.sensors;
    a.trace = reserve((size_t)a.sensors * (size_t)a.samples, sizeof *a.trace);
    a.alike = reserve(pairs, sizeof *a.alike);
    a.factor = reserve(pairs, sizeof *a.factor);
    a.weights = reserve((size_t)a.sensors, sizeof *a.weights);
    make_traces(&a);
    remove_means(&a);
    compare_in_halves(&a);
    int64_t differing = compare_dealt_out(&a);
    mirror(&a);
    factorise(&a);
    solve(&a);

    int64_t trace = 0;
    for (int i = 0; i < a.sensors; i++)
        trace += a.alike[i * a.sensors + i];
    printf("sensors %d samples %d\n", a.sensors, a.samples);
    printf("power %lld differing %lld\n", (long long)trace, (long long)differing);
    for (int percent = 40; percent <= 100; percent += 20)
        printf("pairs alike to %d %%: %ld\n", percent, count_alike(&a, percent));
    for (int i = 0; i < a.sensors; i += a.sensors / 4)
        printf("weight %d: %.6f\n", i, a.weights[i]);
    free(a.trace);
    free(a.alike);
    free(a.factor);
    free(a.weights);
    return 0;
}
