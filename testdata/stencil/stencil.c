/*
 * This file relaxes the temperature of a plate until it settles: a data-parallel
 * program whose sections each take a quarter of the rows.
 *
 *   stencil [SIDE [SWEEPS]]     default: 256 5000
 *
 * Correlation. None: the four sections of a sweep do equal work on every sweep,
 * apart from one or two rows; which branch a point takes (fixed or free) is the
 * same in every sweep. The sections are balanced and always run.
 *
 * Expectation. PB, AT and MT agree closely, on 1, 2 and 4 processors alike: the
 * speed-up approaches the number of processors, less the creation and
 * synchronisation of a region per sweep and the exchange of the grids. Three
 * processors are no better than two. This is the control experiment beside the
 * correlated programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUARTERS = 4, SMALL_SIDE = 16 };

typedef struct {
    int side;
    double *now, *next;
    unsigned char *fixed; /* 1 where a source keeps the temperature */
} plate;

typedef struct {
    long hot, cold;
    double highest;
} census;

static unsigned random_state = 20011u;

static int random_below(int limit)
{
    random_state = random_state * 69069u + 1u;
    return (int)((random_state >> 12) % (unsigned)limit);
}

static void *reserve(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "stencil: no memory for %zu points\n", count);
        exit(1);
    }
    return memory;
}

static void make_plate(plate *p, int side)
{
    size_t points = (size_t)side * (size_t)side;
    p->side = side;
    p->now = reserve(points, sizeof *p->now);
    p->next = reserve(points, sizeof *p->next);
    p->fixed = reserve(points, 1);
    for (int i = 0; i < side; i++) {
        p->now[i] = 100.0;
        p->fixed[i] = p->fixed[(side - 1) * side + i] = 1;
        p->fixed[i * side] = p->fixed[i * side + side - 1] = 1;
    }
    for (int s = 0; s < side / 8; s++) {
        int at = (1 + random_below(side - 2)) * side + 1 + random_below(side - 2);
        p->fixed[at] = 1;
        p->now[at] = (double)random_below(200);
    }
    memcpy(p->next, p->now, points * sizeof *p->next);
}

static int row_of_quarter(int side, int quarter)
{
    return 1 + (side - 2) * quarter / QUARTERS;
}

/* One sweep over rows first to last-1; returns the largest change. */
static double sweep_rows(const plate *p, int first, int last)
{
    double change = 0;
    for (int y = first; y < last; y++)
        for (int x = 1; x < p->side - 1; x++) {
            int at = y * p->side + x;
            if (p->fixed[at])
                continue;
            double around = p->now[at - 1] + p->now[at + 1] + p->now[at - p->side] +
                            p->now[at + p->side];
            double value = 0.5 * p->now[at] + 0.125 * around;
            double moved = value > p->now[at] ? value - p->now[at] : p->now[at] - value;
            if (moved > change)
                change = moved;
            p->next[at] = value;
        }
    return change;
}

static double sweep(plate *p)
{
    double change = 0;
    int first, last;

    #pragma omp parallel sections private(first) lastprivate(last) reduction(max : change) \
        if (p->side > SMALL_SIDE)
    {
        #pragma omp section
        {
            double moved;
            first = row_of_quarter(p->side, 0);
            last = row_of_quarter(p->side, 1);
            moved = sweep_rows(p, first, last);
            change = moved > change ? moved : change;
        }
        #pragma omp section
        {
            double moved;
            first = row_of_quarter(p->side, 1);
            last = row_of_quarter(p->side, 2);
            moved = sweep_rows(p, first, last);
            change = moved > change ? moved : change;
        }
        #pragma omp section
        {
            double moved;
            first = row_of_quarter(p->side, 2);
            last = row_of_quarter(p->side, 3);
            moved = sweep_rows(p, first, last);
            change = moved > change ? moved : change;
        }
        #pragma omp section
        {
            double moved;
            first = row_of_quarter(p->side, 3);
            last = row_of_quarter(p->side, 4);
            moved = sweep_rows(p, first, last);
            change = moved > change ? moved : change;
        }
    }
    if (last != p->side - 1) {
        fprintf(stderr, "stencil: the last section ended at row %d\n", last);
        exit(1);
    }
    double *swap = p->now;
    p->now = p->next;
    p->next = swap;
    return change;
}

static census count_half(const plate *p, int first, int last)
{
    census c = {0, 0, 0};
    for (int at = first * p->side; at < last * p->side; at++) {
        if (p->now[at] > 50)
            c.hot++;
        else if (p->now[at] < 10)
            c.cold++;
        if (p->now[at] > c.highest)
            c.highest = p->now[at];
    }
    return c;
}

/* Counts both halves of the plate: a second region, outside the loop. */
static census count_plate(const plate *p)
{
    long hot = 0, cold = 0;
    double highest = 0;
    int middle = p->side / 2;

    #pragma omp parallel num_threads(2) firstprivate(middle)
    {
        #pragma omp sections reduction(+ : hot, cold) reduction(max : highest)
        {
            #pragma omp section
            {
                census c = count_half(p, 0, middle);
                hot += c.hot;
                cold += c.cold;
                highest = c.highest > highest ? c.highest : highest;
            }
            #pragma omp section
            {
                census c = count_half(p, middle, p->side);
                hot += c.hot;
                cold += c.cold;
                highest = c.highest > highest ? c.highest : highest;
            }
        }
    }
    census total = {hot, cold, highest};
    return total;
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 256;
    int sweeps = argc > 2 ? atoi(argv[2]) : 5000;
    plate p;
    double change = 1e9;
    int done = 0;

    if (side < 8 || side > 4096) {
        fprintf(stderr, "stencil: the side must be 8 to 4096\n");
        return 2;
    }
    make_plate(&p, side);
    while (done < sweeps && change > 1e-4) {
        change = sweep(&p);
        done++;
        if (done % 1000 == 0)
            printf("sweep %d change %.6f\n", done, change);
    }
    census c = count_plate(&p);
    printf("sweeps %d hot %ld cold %ld highest %.3f\n", done, c.hot, c.cold, c.highest);
    free(p.now);
    free(p.next);
    free(p.fixed);
    return 0;
}
