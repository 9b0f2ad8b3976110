/*
 * This file takes square roots in two ways: of integers bit by bit, and of reals by
 * Newton's iteration until it stands still.
 *
 *   square_root tiny|small|large
 *
 * Structure (paper, Table 4: square root, 2 regions, 6 tasks): integer roots of
 * 32-bit numbers in four sections, real roots in two. Making the numbers and
 * checking the roots is serial.
 *
 * Correlation: none. The iterations that a real root needs vary from number to
 * number; over a block of numbers they even out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 1024, QUARTER = NUMBERS / 4, HALF = NUMBERS / 2 };

static unsigned whole[NUMBERS], whole_root[NUMBERS];
static double real[NUMBERS], real_root[NUMBERS];
static int steps[NUMBERS];
static unsigned random_state = 0x7f4a7c15u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Numbers of all magnitudes. */
static void make_numbers(void)
{
    for (int i = 0; i < NUMBERS; i++) {
        whole[i] = next_random() >> next_random() % 24;
        real[i] = (double)(1 + next_random() % 1000000) / (double)(1 << next_random() % 20);
    }
}

static void integer_roots(int from, int to)
{
    for (int i = from; i < to; i++) {
        unsigned x = whole[i], root = 0, bit = 1u << 30;
        while (bit > x)
            bit >>= 2;
        for (; bit; bit >>= 2) {
            if (x >= root + bit) {
                x -= root + bit;
                root = (root >> 1) + bit;
            } else
                root >>= 1;
        }
        whole_root[i] = root;
    }
}

static void newton_roots(int from, int to)
{
    for (int i = from; i < to; i++) {
        double x = real[i], root = x < 1 ? 1 : x, next = 0.5 * (root + x / root);
        int n = 1;
        while (next < root) {
            root = next;
            next = 0.5 * (root + x / root);
            n++;
        }
        real_root[i] = root;
        steps[i] = n;
    }
}

static void all_integer_roots(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        integer_roots(0, QUARTER);
        #pragma omp section
        integer_roots(QUARTER, 2 * QUARTER);
        #pragma omp section
        integer_roots(2 * QUARTER, 3 * QUARTER);
        #pragma omp section
        integer_roots(3 * QUARTER, NUMBERS);
    }
}

static void all_newton_roots(void)
{
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        newton_roots(0, HALF);
        #pragma omp section
        newton_roots(HALF, NUMBERS);
    }
}

static int repetitions(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 500;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 5000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 40;
    fprintf(stderr, "usage: square_root tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = repetitions(argc, argv);
    unsigned long long whole_sum = 0;
    double real_sum = 0;
    long iterations = 0, wrong = 0;
    for (int r = 0; r < count; r++) {
        make_numbers();
        all_integer_roots();
        all_newton_roots();
        for (int i = 0; i < NUMBERS; i++) {
            unsigned long long s = whole_root[i];
            wrong += s * s > whole[i] || (s + 1) * (s + 1) <= whole[i];
            wrong += fabs(real_root[i] * real_root[i] - real[i]) > 1e-12 * real[i];
            whole_sum += s;
            real_sum += real_root[i];
            iterations += steps[i];
        }
    }
    printf("repetitions %d integer %llu real %.3f iterations %ld wrong %ld\n", count, whole_sum, real_sum,
           iterations, wrong);
    return wrong != 0;
}
