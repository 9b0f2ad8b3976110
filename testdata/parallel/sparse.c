/*
 * This file finds the pressures in a network of pipes by relaxation and by conjugate
 * gradients, with a sparse matrix in rows: many short loops in one region.
 *
 *   sparse [NODES [ROUNDS]]     default: 1500 40
 *
 * Constructs. One region around the rounds, with worksharing loops of schedule(static),
 * schedule(static, 16) and schedule(guided, 8) in it, nowait where it is allowed,
 * reductions, single, barrier; loops in functions that are called from the region, so
 * that no region is to be seen around them; threadprivate counts.
 *
 * What is hard. Rows have from two to some hundred entries, and those with many stand at
 * the beginning: an even split of rows is no even split of entries. The same row is dear
 * in each round and in each loop, so what is lost in one loop is not made good in the
 * next. A round has six loops and as many barriers: with few nodes, waiting is most
 * of the time. Between them a single thread decides whether to go on, which all others
 * wait for. All numbers are integers, so that no order of adding changes them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRACTION = 16, LARGEST = 200000, HUBS = 12 };

typedef int64_t fixed;

typedef struct {
    int nodes, entries;
    int *start;       /* of each row in the two below; nodes + 1 of them */
    int *column;
    int32_t *value;
    int32_t *diagonal;
} sparse;

static uint32_t random_state = 31337u;
static long rows_done;
#pragma omp threadprivate(rows_done)

static int random_below(int limit)
{
    random_state = random_state * 1103515245u + 12345u;
    return (int)((random_state >> 8) % (uint32_t)limit);
}

static void *reserve(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "sparse: no memory for %zu numbers\n", count);
        exit(1);
    }
    return memory;
}

/* The first nodes are hubs with many pipes; all others have a few to nodes nearby. */
static void make_network(sparse *m, int nodes)
{
    m->nodes = nodes;
    m->start = reserve((size_t)nodes + 1, sizeof *m->start);
    m->diagonal = reserve((size_t)nodes, sizeof *m->diagonal);
    for (int i = 0; i < nodes; i++)
        m->start[i + 1] = m->start[i] + (i < HUBS ? nodes / (8 + i) : 2 + random_below(5));
    m->entries = m->start[nodes];
    m->column = reserve((size_t)m->entries, sizeof *m->column);
    m->value = reserve((size_t)m->entries, sizeof *m->value);
    for (int i = 0; i < nodes; i++) {
        int64_t sum = 0;
        for (int e = m->start[i]; e < m->start[i + 1]; e++) {
            int near = i + random_below(41) - 20;
            m->column[e] = i < HUBS || near < 0 || near >= nodes ? random_below(nodes) : near;
            m->value[e] = 1 + random_below(255);
            sum += m->value[e];
        }
        m->diagonal[i] = (int32_t)(sum + 64 + random_below(64));
    }
}

/* y = D x - A x. Called by all threads of a region, each of which does its rows. */
static void multiply(const sparse *m, const fixed *x, fixed *y)
{
    #pragma omp for schedule(guided, 8)
    for (int i = 0; i < m->nodes; i++) {
        fixed sum = x[i] * m->diagonal[i];
        for (int e = m->start[i]; e < m->start[i + 1]; e++)
            sum -= x[m->column[e]] * m->value[e];
        y[i] = sum >> 8;
        rows_done++;
    }
}

/* A sweep of relaxation, from one array to the other; an even split of uneven rows. */
static void relax(const sparse *m, const fixed *load, const fixed *from, fixed *to)
{
    #pragma omp for schedule(static)
    for (int i = 0; i < m->nodes; i++) {
        fixed sum = load[i];
        for (int e = m->start[i]; e < m->start[i + 1]; e++)
            sum += from[m->column[e]] * m->value[e];
        to[i] = sum / m->diagonal[i];
        rows_done++;
    }
}

/* Relaxes until nothing moves by more than tolerance; returns the sweeps made. */
static int settle(const sparse *m, const fixed *load, fixed *x, fixed *spare, int rounds, fixed tolerance)
{
    int sweeps = 0, done = 0;
    fixed moved = 0;
    #pragma omp parallel shared(sweeps, done, moved)
    {
        fixed *from = x, *to = spare;
        while (!done) {
            relax(m, load, from, to);
            #pragma omp for schedule(static) reduction(max : moved)
            for (int i = 0; i < m->nodes; i++) {
                fixed step = to[i] > from[i] ? to[i] - from[i] : from[i] - to[i];
                if (step > moved)
                    moved = step;
            }
            #pragma omp single
            {
                sweeps++;
                done = moved <= tolerance || sweeps == rounds;
                moved = 0;
            }
            fixed *swap = from;
            from = to;
            to = swap;
            #pragma omp barrier
        }
        if (from != x) {
            #pragma omp for schedule(static, 16) nowait
            for (int i = 0; i < m->nodes; i++)
                x[i] = from[i];
        }
    }
    return sweeps;
}

/* Steepest descent with sums in integers: three sums a round, each over all nodes. */
static fixed descend(const sparse *m, const fixed *load, fixed *x, fixed *slope, fixed *image, int rounds)
{
    fixed left = 0;
    for (int round = 0; round < rounds; round++) {
        int64_t above = 0, below = 0;
        fixed sum = 0;
        #pragma omp parallel
        {
            multiply(m, x, image);
            #pragma omp for schedule(static, 16) reduction(+ : sum)
            for (int i = 0; i < m->nodes; i++) {
                slope[i] = (load[i] >> 8) - image[i];
                sum += slope[i] < 0 ? -slope[i] : slope[i];
            }
            multiply(m, slope, image);
            #pragma omp for schedule(static) reduction(+ : above) nowait
            for (int i = 0; i < m->nodes; i++)
                above += (slope[i] >> 4) * (slope[i] >> 4);
            #pragma omp for schedule(static) reduction(+ : below)
            for (int i = 0; i < m->nodes; i++)
                below += (slope[i] >> 4) * (image[i] >> 4);
            #pragma omp for schedule(static)
            for (int i = 0; i < m->nodes; i++)
                if (below > 0)
                    x[i] += slope[i] * (above >> 12) / ((below >> 12) + 1);
        }
        left = sum;
    }
    return left;
}

int main(int argc, char **argv)
{
    int nodes = argc > 1 ? atoi(argv[1]) : 1500, rounds = argc > 2 ? atoi(argv[2]) : 40;
    if (nodes < 64 || nodes > LARGEST || rounds < 1) {
        fprintf(stderr, "usage: sparse [NODES (64 to %d) [ROUNDS]]\n", LARGEST);
        return 2;
    }
    sparse m;
    make_network(&m, nodes);
    fixed *load = reserve((size_t)nodes, sizeof *load), *x = reserve((size_t)nodes, sizeof *x);
    fixed *spare = reserve((size_t)nodes, sizeof *spare), *slope = reserve((size_t)nodes, sizeof *slope);
    for (int i = 0; i < nodes; i++)
        load[i] = (fixed)(random_below(2000) - 900) * (1 << FRACTION);
    int sweeps = settle(&m, load, x, spare, rounds, 1 << 9);
    fixed left = descend(&m, load, x, slope, spare, rounds / 4 + 1);

    uint64_t mixed = 14695981039346656037u;
    for (int i = 0; i < nodes; i++)
        mixed = (mixed ^ (uint64_t)x[i]) * 1099511628211u;
    long rows = 0;
    #pragma omp parallel reduction(+ : rows)
    rows += rows_done;
    printf("%d nodes, %d entries, %d in the first row, %d in the last\n", nodes, m.entries, m.start[1], m.entries - m.start[nodes - 1]);
    printf("%d sweeps, %lld left, %ld rows, pressures %016llx\n", sweeps, (long long)(left >> FRACTION), rows, (unsigned long long)mixed);
    free(m.start);
    free(m.diagonal);
    free(m.column);
    free(m.value);
    free(load);
    free(x);
    free(spare);
    free(slope);
    return 0;
}
