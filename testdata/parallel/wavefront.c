/*
 * This file aligns signals block by block, and fills terrain with water: blocks that
 * wait for those above and to the left, in tasks with depend.
 *
 *   wavefront [LENGTH [BLOCK]]     default: 500 64
 *
 * Constructs. Tasks with depend in, out and inout on elements of an array; two
 * dependences from different blocks; depend on blocks of another table; taskwait with
 * and without depend; a task whose if clause runs it at once although it waits for others; priority; the
 * same wave once more as a loop over diagonals, and as one with a barrier a diagonal.
 *
 * What is hard. However many processors there are, the first and the last block are
 * alone; in between, the front grows by one a step. With B by B blocks, no more than
 * B at once, and never faster than 2 B - 1 blocks. Blocks off the diagonal are left out
 * early where nothing is alike, and cost a tenth: which ones depends on the signals, and
 * dear blocks lie along the path, which is just where the waiting is. As a loop over
 * diagonals the same work waits at each diagonal for its dearest block.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATCH = 5, MISMATCH = -3, GAP = -4, LARGEST = 6000, MOST_BLOCKS = 64 };

typedef struct {
    int length, block, blocks;
    const uint8_t *one, *other;
    int32_t *score;      /* (length + 1) squared, a border of zeros */
    int32_t best[MOST_BLOCKS * MOST_BLOCKS];
    char done[MOST_BLOCKS * MOST_BLOCKS];    /* what dependences name */
    long cells[MOST_BLOCKS * MOST_BLOCKS];
} alignment;

static uint32_t random_state = 1234567u;

static int random_below(int limit)
{
    random_state = random_state * 22695477u + 1u;
    return (int)((random_state >> 10) % (uint32_t)limit);
}

static void *reserve(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "wavefront: no memory for %zu cells\n", count);
        exit(1);
    }
    return memory;
}

/* The second signal repeats the first with gaps, and is something else in its middle. */
static void make_signals(uint8_t *one, uint8_t *other, int length)
{
    int from = 0;
    for (int i = 0; i < length; i++)
        one[i] = (uint8_t)random_below(i % 97 < 48 ? 4 : 9);
    for (int i = 0; i < length; i++) {
        int alike = i < length / 3 || i > length * 2 / 3;
        if (alike && random_below(20) != 0)
            other[i] = one[from % length];
        else
            other[i] = (uint8_t)(10 + random_below(6));
        from += random_below(30) == 0 ? 2 : 1;
    }
}

/* Nothing comes in from above or from the left, and no letter of one is in the other. */
static int nothing_here(const alignment *a, int top, int left, int bottom, int right)
{
    int width = a->length + 1, letters = 0;
    for (int j = left; j < right; j++)
        if (a->score[top * width + j + 1] > 0)
            return 0;
    for (int i = top; i < bottom; i++)
        if (a->score[(i + 1) * width + left] > 0)
            return 0;
    for (int i = top; i < bottom; i++)
        letters |= 1 << a->one[i];
    for (int j = left; j < right; j++)
        if (letters & 1 << a->other[j])
            return 0;
    return 1;
}

static void align_block(alignment *a, int row, int column)
{
    int width = a->length + 1, at = row * a->blocks + column;
    int top = row * a->block, left = column * a->block;
    int bottom = top + a->block < a->length ? top + a->block : a->length;
    int right = left + a->block < a->length ? left + a->block : a->length;
    int32_t best = 0;
    a->cells[at] = 0;
    if (!nothing_here(a, top, left, bottom, right))
        for (int i = top; i < bottom; i++)
            for (int j = left; j < right; j++) {
                int32_t *here = a->score + (i + 1) * width + j + 1;
                int32_t s = here[-width - 1] + (a->one[i] == a->other[j] ? MATCH : MISMATCH);
                if (s < here[-1] + GAP)
                    s = here[-1] + GAP;
                if (s < here[-width] + GAP)
                    s = here[-width] + GAP;
                *here = s > 0 ? s : 0;
                if (s > best)
                    best = s;
                a->cells[at]++;
            }
    a->best[at] = best;
}

static void align_in_tasks(alignment *a)
{
    int n = a->blocks;
    char *done = a->done;
    (void)done; /* named by dependences alone */
    #pragma omp parallel
    #pragma omp single
    {
        for (int row = 0; row < n; row++)
            for (int column = 0; column < n; column++) {
                int up = row > 0 ? (row - 1) * n + column : row * n + column;
                int back = column > 0 ? row * n + column - 1 : row * n + column;
                (void)up, (void)back;
                #pragma omp task depend(in : done[up], done[back]) depend(out : done[row * n + column]) priority(n - abs(row - column)) \
                    firstprivate(row, column)
                align_block(a, row, column);
            }
        /* The last block alone is waited for, then the rest. */
        #pragma omp task if (0) depend(in : done[n * n - 1])
        a->best[n * n - 1] += 0;
        #pragma omp taskwait
    }
}

/* The same by diagonals: a loop each, with a barrier behind it. */
static void align_by_diagonals(alignment *a)
{
    #pragma omp parallel
    for (int diagonal = 0; diagonal < 2 * a->blocks - 1; diagonal++) {
        int first = diagonal < a->blocks ? 0 : diagonal - a->blocks + 1;
        int last = diagonal < a->blocks ? diagonal : a->blocks - 1;
        #pragma omp for schedule(dynamic)
        for (int row = first; row <= last; row++)
            align_block(a, row, diagonal - row);
    }
}

static void report(const char *how, const alignment *a)
{
    int32_t best = 0;
    long cells = 0, dear = 0;
    uint32_t mixed = 2166136261u;
    for (int i = 0; i < a->blocks * a->blocks; i++) {
        best = a->best[i] > best ? a->best[i] : best;
        cells += a->cells[i];
        dear += a->cells[i] > 0;
    }
    for (int i = 0; i < (a->length + 1) * (a->length + 1); i++)
        mixed = (mixed ^ (uint32_t)a->score[i]) * 16777619u;
    printf("%s: best %d, %ld cells, %ld of %d blocks, scores %08x\n", how, best, cells, dear, a->blocks * a->blocks, mixed);
}

/* A chain of filters over rows: each row's three steps in order, and rows in order at each step. */
static int32_t filter_rows(alignment *a)
{
    int32_t level[3] = {0, 0, 0}, sum[MOST_BLOCKS][3];
    int n = a->blocks, width = a->length + 1;
    #pragma omp parallel
    #pragma omp single
    for (int row = 0; row < n; row++) {
        int32_t *mine = sum[row];
        for (int step = 0; step < 3; step++) {
            int32_t *before = step > 0 ? &mine[step - 1] : &mine[0], *state = &level[step];
            (void)before;
            #pragma omp task depend(inout : *state) depend(in : *before) depend(out : mine[step]) firstprivate(row, step, mine, state)
            {
                int32_t v = step > 0 ? mine[step - 1] : a->score[(row * a->block + 1) * width + width / 2];
                for (int i = step; i < width; i += 3)
                    v = (v * 31 + a->score[(row * a->block + 1) * width + i]) & 0xffff;
                *state = (*state + v) & 0xffffff;
                mine[step] = v;
            }
        }
    }
    return level[0] ^ level[1] << 3 ^ level[2] << 6;
}

int main(int argc, char **argv)
{
    int length = argc > 1 ? atoi(argv[1]) : 500, block = argc > 2 ? atoi(argv[2]) : 64;
    int blocks = block > 0 ? (length + block - 1) / block : 0;
    if (length < 16 || length > LARGEST || block < 4 || blocks > MOST_BLOCKS) {
        fprintf(stderr, "usage: wavefront [LENGTH (16 to %d) [BLOCK (at least LENGTH / %d)]]\n", LARGEST, MOST_BLOCKS);
        return 2;
    }
    uint8_t *one = reserve((size_t)length, 1), *other = reserve((size_t)length, 1);
    alignment *a = reserve(1, sizeof *a);
    make_signals(one, other, length);
    size_t cells = (size_t)(length + 1) * (size_t)(length + 1);
    *a = (alignment){.length = length, .block = block, .blocks = blocks, .one = one, .other = other, .score = reserve(cells, sizeof *a->score)};
    align_in_tasks(a);
    report("tasks", a);
    memset(a->score, 0, cells * sizeof *a->score);
    align_by_diagonals(a);
    report("diagonals", a);
    printf("filtered %x\n", (unsigned)filter_rows(a));
    free(a->score);
    free(a);
    free(one);
    free(other);
    return 0;
}
