/*
 * This file runs delay loops over arrays: each task works through delays of one
 * length on an array of its own, or on its quarter of a shared one.
 *
 *   array_delay tiny|small|large
 *
 * Structure (paper, Table 4: array delay, 2 regions, 8 tasks): the iterations of
 * one loop are cut into four sections, twice. Seven tenths of the work stay
 * outside: the reference delay and the copying of arrays.
 *
 * Correlation: none; the four tasks of a region are equal at every execution.
 * What decides the speed-up is the share of the serial part alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 512, QUARTER = LENGTH / 4, TASKS = 4, DELAY = 20, REFERENCES = 4 };

static double reference[LENGTH], shared_array[LENGTH], own[TASKS][LENGTH];
static unsigned random_state = 0x2545f491u;

static double random_unit(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state / 4294967296.0;
}

/* Each step depends on the last one, so that the loop takes its time. */
static double delay(double start)
{
    double a = start;
    for (int i = 0; i < DELAY; i++)
        a = a + 0.125 / (1.0 + a * a);
    return a;
}

static void delay_quarter(double *array, int quarter)
{
    for (int i = quarter * QUARTER; i < (quarter + 1) * QUARTER; i++)
        array[i] = delay(array[i]);
}

static double sum_of(const double *array)
{
    double sum = 0;
    for (int i = 0; i < LENGTH; i++)
        sum += array[i];
    return sum;
}

/* What one thread needs for the whole array, to compare with. */
static double reference_delay(void)
{
    for (int i = 0; i < LENGTH; i++)
        reference[i] = random_unit();
    for (int i = 0; i < TASKS * REFERENCES; i++)
        delay_quarter(reference, i % TASKS);
    return sum_of(reference);
}

/* As with firstprivate: every task gets a copy and works on a part of it. */
static void private_copies(void)
{
    for (int t = 0; t < TASKS; t++)
        memcpy(own[t], reference, sizeof own[t]);
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        delay_quarter(own[0], 0);
        #pragma omp section
        delay_quarter(own[1], 1);
        #pragma omp section
        delay_quarter(own[2], 2);
        #pragma omp section
        delay_quarter(own[3], 3);
    }
}

/* As with copyprivate: one array, every task a quarter of it. */
static void shared_quarters(void)
{
    memcpy(shared_array, reference, sizeof shared_array);
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        delay_quarter(shared_array, 0);
        #pragma omp section
        delay_quarter(shared_array, 1);
        #pragma omp section
        delay_quarter(shared_array, 2);
        #pragma omp section
        delay_quarter(shared_array, 3);
    }
}

static int repetitions(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 600;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 6000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 24;
    fprintf(stderr, "usage: array_delay tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = repetitions(argc, argv), different = 0;
    double total = 0, copies = 0;
    for (int r = 0; r < count; r++) {
        total += reference_delay();
        private_copies();
        shared_quarters();
        for (int t = 0; t < TASKS; t++)
            copies += own[t][t * QUARTER + r % QUARTER];
        for (int i = 0; i < LENGTH; i++)
            different += shared_array[i] != delay(reference[i]);
    }
    printf("repetitions %d reference %.4f copies %.4f shared %.4f different %d\n", count, total, copies,
           sum_of(shared_array), different);
    return different != 0;
}
