/*
 * This file converts angles between degrees, radians and gradians, table by table.
 *
 *   grad tiny|small|large
 *
 * Structure (paper, Table 4: grad, 2 regions, 8 tasks): degrees to radians in four
 * sections, radians to gradians and back to degrees in four sections. The tables
 * are made and summed by one thread.
 *
 * Correlation: none; equal quarters of equal work.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANGLES = 4096, QUARTER = ANGLES / 4 };

static const double pi = 3.14159265358979323846;

static double degrees[ANGLES], radians[ANGLES], gradians[ANGLES], degrees_again[ANGLES];

/* Steps of a thousandth of a degree, over both signs and several turns. */
static void make_angles(int repetition)
{
    for (int i = 0; i < ANGLES; i++)
        degrees[i] = (double)((repetition * 7919 + i * 613) % 2160000 - 1080000) / 1000;
}

/* An angle within one turn: at least 0, less than the turn. */
static double within(double angle, double turn)
{
    double rest = angle - turn * floor(angle / turn);
    return rest < turn ? rest : 0;
}

static void to_radians(int from, int to)
{
    for (int i = from; i < to; i++)
        radians[i] = within(degrees[i], 360) * pi / 180;
}

static void from_radians(int from, int to)
{
    for (int i = from; i < to; i++) {
        gradians[i] = within(radians[i] * 200 / pi, 400);
        degrees_again[i] = within(radians[i] * 180 / pi, 360);
    }
}

static void convert_to_radians(void)
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
        to_radians(3 * QUARTER, ANGLES);
    }
}

static void convert_back(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        from_radians(0, QUARTER);
        #pragma omp section
        from_radians(QUARTER, 2 * QUARTER);
        #pragma omp section
        from_radians(2 * QUARTER, 3 * QUARTER);
        #pragma omp section
        from_radians(3 * QUARTER, ANGLES);
    }
}

static int repetitions(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 1500;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 15000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 60;
    fprintf(stderr, "usage: grad tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = repetitions(argc, argv);
    double radian_sum = 0, gradian_sum = 0;
    long wrong = 0;
    for (int r = 0; r < count; r++) {
        make_angles(r);
        convert_to_radians();
        convert_back();
        for (int i = 0; i < ANGLES; i++) {
            radian_sum += radians[i];
            gradian_sum += gradians[i];
            double distance = fabs(degrees_again[i] - within(degrees[i], 360));
            wrong += distance > 1e-9 && distance < 360 - 1e-9;
        }
    }
    printf("repetitions %d radians %.3f gradians %.3f wrong %ld\n", count, radian_sum, gradian_sum, wrong);
    return wrong != 0;
}
