/*
 * This file does the elementary mathematics that processors of embedded systems
 * do in software: roots of cubic polynomials, integer square roots, and angles
 * from degrees to radians and back.
 *
 *   basicmath tiny|small|large
 *
 * Structure (paper, Table 4: basicmath, 4 regions, 16 tasks): each of the four
 * kinds of mathematics is a region, its iterations cut into four sections.
 *
 * Correlation: none worth speaking of. A cubic has one or three real roots, which
 * cost differently, but each section meets many of both.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 2048, QUARTER = ITEMS / 4 };

static const double pi = 3.14159265358979323846;

static double coefficient[ITEMS][3], root_sum[ITEMS];
static int root_count[ITEMS];
static unsigned radicand[ITEMS], integer_root[ITEMS];
static double degrees[ITEMS], radians[ITEMS], degrees_again[ITEMS];
static unsigned random_state = 0x12345671u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void make_items(void)
{
    for (int i = 0; i < ITEMS; i++) {
        for (int k = 0; k < 3; k++)
            coefficient[i][k] = (double)(next_random() % 4000) / 100 - 20;
        radicand[i] = next_random();
        degrees[i] = (double)(next_random() % 72000) / 100;
    }
}

/* Real roots of x^3 + a x^2 + b x + c by Cardano; returns their number. */
static int solve_cubic(const double *abc, double *roots)
{
    double a = abc[0], b = abc[1], c = abc[2];
    double q = (a * a - 3 * b) / 9, r = (2 * a * a * a - 9 * a * b + 27 * c) / 54;
    double discriminant = r * r - q * q * q;
    if (discriminant < 0) {
        double angle = acos(r / sqrt(q * q * q));
        for (int k = 0; k < 3; k++)
            roots[k] = -2 * sqrt(q) * cos((angle + 2 * pi * k) / 3) - a / 3;
        return 3;
    }
    double s = cbrt(sqrt(discriminant) + fabs(r));
    double t = s == 0 ? 0 : q / s;
    roots[0] = (r < 0 ? s + t : -s - t) - a / 3;
    return 1;
}

static void solve_cubics(int from, int to)
{
    for (int i = from; i < to; i++) {
        double roots[3], sum = 0;
        root_count[i] = solve_cubic(coefficient[i], roots);
        for (int k = 0; k < root_count[i]; k++)
            sum += roots[k];
        root_sum[i] = sum;
    }
}

/* Bit by bit, as one does it on paper in base 2. */
static unsigned square_root(unsigned x)
{
    unsigned root = 0, rest = 0;
    for (int i = 0; i < 16; i++) {
        root <<= 1;
        rest = rest << 2 | x >> 30;
        x <<= 2;
        unsigned trial = 2 * root + 1;
        if (rest >= trial) {
            rest -= trial;
            root++;
        }
    }
    return root;
}

static void square_roots(int from, int to)
{
    for (int i = from; i < to; i++)
        integer_root[i] = square_root(radicand[i]);
}

static void to_radians(int from, int to)
{
    for (int i = from; i < to; i++)
        radians[i] = fmod(degrees[i], 360) * (pi / 180);
}

static void to_degrees(int from, int to)
{
    for (int i = from; i < to; i++)
        degrees_again[i] = fmod(radians[i] * (180 / pi) + 360, 360);
}

static void all_cubics(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        solve_cubics(0, QUARTER);
        #pragma omp section
        solve_cubics(QUARTER, 2 * QUARTER);
        #pragma omp section
        solve_cubics(2 * QUARTER, 3 * QUARTER);
        #pragma omp section
        solve_cubics(3 * QUARTER, ITEMS);
    }
}

static void all_square_roots(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        square_roots(0, QUARTER);
        #pragma omp section
        square_roots(QUARTER, 2 * QUARTER);
        #pragma omp section
        square_roots(2 * QUARTER, 3 * QUARTER);
        #pragma omp section
        square_roots(3 * QUARTER, ITEMS);
    }
}

static void all_to_radians(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        to_radians(0, QUARTER);
        #pragma omp section
        to_radians(QUARTER, 2 * QUARTER);
        #pragma omp section
        to_radians(2 * QUARTER, 3 * QUARTER);
        #pragma omp section
        to_radians(3 * QUARTER, ITEMS);
    }
}

static void all_to_degrees(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        to_degrees(0, QUARTER);
        #pragma omp section
        to_degrees(QUARTER, 2 * QUARTER);
        #pragma omp section
        to_degrees(2 * QUARTER, 3 * QUARTER);
        #pragma omp section
        to_degrees(3 * QUARTER, ITEMS);
    }
}

static int repetitions(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 200;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 2000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 8;
    fprintf(stderr, "usage: basicmath tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = repetitions(argc, argv);
    long three_roots = 0, wrong = 0;
    unsigned long long roots = 0;
    double sum = 0;
    for (int r = 0; r < count; r++) {
        make_items();
        all_cubics();
        all_square_roots();
        all_to_radians();
        all_to_degrees();
        for (int i = 0; i < ITEMS; i++) {
            three_roots += root_count[i] == 3;
            if (root_count[i] == 3) /* Vieta: three roots add up to -a */
                wrong += fabs(root_sum[i] + coefficient[i][0]) > 1e-6;
            sum += radians[i];
            roots += integer_root[i];
            double distance = fabs(degrees_again[i] - fmod(degrees[i], 360));
            wrong += distance > 1e-9 && distance < 360 - 1e-9;
        }
    }
    printf("repetitions %d three roots %ld integer roots %llu radians %.3f wrong %ld\n", count, three_roots,
           roots, sum, wrong);
    return wrong != 0;
}
