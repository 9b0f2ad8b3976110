/*
 * This file does a little of everything in elementary mathematics, on few items at
 * a time: cubics, integer square roots, angles.
 *
 *   short_math tiny|small|large
 *
 * Structure (paper, Table 4: short math, 1 region, 4 tasks): the items of a batch
 * are cut into four sections; each does all kinds of mathematics on its quarter.
 *
 * Correlation: none. The items of a batch are of all kinds in every quarter.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64, QUARTER = ITEMS / 4 };

static const double pi = 3.14159265358979323846;

typedef struct {
    double a, b, c;         /* x^3 + a x^2 + b x + c */
    double root;            /* its largest real root */
    unsigned square, side; /* side: integer square root of square */
    double degrees, radians;
} item;

static item items[ITEMS];
static unsigned random_state = 0x51ed270bu;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static double value_at(const item *it, double x)
{
    return ((x + it->a) * x + it->b) * x + it->c;
}

/* Newton from above the largest root; the bound is Cauchy's. */
static double largest_root(const item *it)
{
    double x = 1 + fmax(fabs(it->a), fmax(fabs(it->b), fabs(it->c)));
    for (int step = 0; step < 12; step++) {
        double slope = (3 * x + 2 * it->a) * x + it->b;
        if (slope == 0)
            break;
        x -= value_at(it, x) / slope;
    }
    return x;
}

static unsigned square_root(unsigned x)
{
    unsigned root = 0;
    for (unsigned bit = 1u << 15; bit; bit >>= 1) {
        unsigned trial = root | bit;
        if ((unsigned long long)trial * trial <= x)
            root = trial;
    }
    return root;
}

static void work(int from, int to)
{
    for (int i = from; i < to; i++) {
        item *it = &items[i];
        it->root = largest_root(it);
        it->side = square_root(it->square);
        it->radians = it->degrees * pi / 180;
    }
}

static void batch(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        work(0, QUARTER);
        #pragma omp section
        work(QUARTER, 2 * QUARTER);
        #pragma omp section
        work(2 * QUARTER, 3 * QUARTER);
        #pragma omp section
        work(3 * QUARTER, ITEMS);
    }
}

/* The roots are real: a cubic with the root that was drawn, and two others. */
static void make_items(void)
{
    for (int i = 0; i < ITEMS; i++) {
        double r = (int)(next_random() % 19) - 9, s = r - 1 - (int)(next_random() % 9);
        double t = s - 1 - (int)(next_random() % 9);
        items[i].a = -(r + s + t);
        items[i].b = r * s + r * t + s * t;
        items[i].c = -r * s * t;
        items[i].square = next_random();
        items[i].degrees = next_random() % 360;
    }
}

static int batches(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 10000;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 100000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 400;
    fprintf(stderr, "usage: short_math tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = batches(argc, argv);
    double roots = 0, angles = 0;
    unsigned long long sides = 0;
    for (int n = 0; n < count; n++) {
        make_items();
        batch();
        for (int i = 0; i < ITEMS; i++) {
            roots += items[i].root;
            angles += items[i].radians;
            sides += items[i].side;
        }
    }
    printf("batches %d roots %.2f sides %llu radians %.2f\n", count, roots, sides, angles);
    return 0;
}
