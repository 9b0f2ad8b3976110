/*
 * This file counts what a camera sees: brightness, pairs of neighbours, and the places
 * of bright spots, into tables that all threads share.
 *
 *   histogram [SIDE [FRAMES]]     default: 128 6
 *
 * Constructs. Loops with critical, unnamed and named; with atomic update, capture and
 * read; with private tables that are merged in a critical behind a loop with nowait; a
 * critical in a function that a loop calls; two locks' worth of waiting in one region.
 *
 * What is hard. What stands in a critical is sequential, whoever does it: a frame with
 * few bright spots enters it ten times, one with glare ten thousand times, and then four
 * processors are no faster than one. The time is lost by waiting, which no path shows,
 * for the paths are the same with one thread. Where tables are merged at the end, all
 * threads come at once, and the last waits for all others: that loss grows with the
 * number of processors. Glare lies in the upper part of a frame: whoever has these
 * rows enters, the others never do.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 64, CODES = 16, LARGEST = 2048, KEPT = 12, BRIGHT = 245 };

typedef struct {
    int side;
    uint8_t *at;
} frame;

typedef struct {
    int row, column, level;
} spot;

typedef struct {
    long level[LEVELS];
    long pair[CODES][CODES];
    spot kept[KEPT];    /* the first in the order of the picture */
    int spots, entered;
} census;

static uint32_t random_state = 20240u;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Every third frame has glare in its upper part. */
static void take_frame(frame *f, int number)
{
    int glare = number % 3 == 2;
    for (int row = 0; row < f->side; row++)
        for (int column = 0; column < f->side; column++) {
            int level = (row * 3 + column * 2 + number * 17) * 200 / (5 * f->side);
            level += (int)(random_bits() % 32);
            if (glare && row < f->side / 4 && random_bits() % 4 != 0)
                level = BRIGHT + (int)(random_bits() % 10);
            else if (random_bits() % 2000 == 0)
                level = BRIGHT + 5;
            f->at[row * f->side + column] = (uint8_t)(level > 255 ? 244 : level);
        }
}

static int comes_before(const spot *a, const spot *b)
{
    return a->row != b->row ? a->row < b->row : a->column < b->column;
}

/* Keeps the first spots of the picture, in order, whatever order they come in. */
static void keep(census *c, spot s)
{
    #pragma omp critical(spots)
    {
        int at = c->spots < KEPT ? c->spots : KEPT;
        while (at > 0 && comes_before(&s, &c->kept[at - 1])) {
            if (at < KEPT)
                c->kept[at] = c->kept[at - 1];
            at--;
        }
        if (at < KEPT)
            c->kept[at] = s;
        c->spots++;
    }
}

/* A critical for each bright point, and an atomic for each level. */
static void count_in_shared(const frame *f, census *c)
{
    #pragma omp parallel for schedule(static)
    for (int row = 0; row < f->side; row++)
        for (int column = 0; column < f->side; column++) {
            int level = f->at[row * f->side + column];
            #pragma omp atomic
            c->level[level * LEVELS / 256]++;
            if (level >= BRIGHT)
                keep(c, (spot){row, column, level});
        }
}

/* Each thread counts for itself, and adds what it has when its rows are done. */
static void count_pairs(const frame *f, census *c)
{
    #pragma omp parallel
    {
        long mine[CODES][CODES];
        memset(mine, 0, sizeof mine);
        #pragma omp for schedule(dynamic, 4) nowait
        for (int row = 0; row < f->side - 1; row++)
            for (int column = 0; column < f->side - 1; column++) {
                const uint8_t *p = f->at + row * f->side + column;
                mine[p[0] * CODES / 256][p[1] * CODES / 256]++;
                mine[p[0] * CODES / 256][p[f->side] * CODES / 256]++;
            }
        #pragma omp critical
        for (int i = 0; i < CODES; i++)
            for (int j = 0; j < CODES; j++)
                c->pair[i][j] += mine[i][j];
    }
}

/* Brightest and darkest row; each row enters twice, but holds the lock for a moment only. */
static void find_rows(const frame *f, int *brightest, int *darkest)
{
    long most = -1, least = 256L * f->side;
    int high = 0, low = 0;
    #pragma omp parallel for schedule(static, 2) shared(most, least, high, low)
    for (int row = 0; row < f->side; row++) {
        long sum = 0;
        for (int column = 0; column < f->side; column++)
            sum += f->at[row * f->side + column];
        #pragma omp critical(brightest)
        if (sum > most || (sum == most && row < high)) {
            most = sum;
            high = row;
        }
        #pragma omp critical(darkest)
        if (sum < least || (sum == least && row < low)) {
            least = sum;
            low = row;
        }
    }
    *brightest = high;
    *darkest = low;
}

/* Numbers are given out by a counter; the sum of numbers is the same in any order. */
static long number_spots(const frame *f, census *c)
{
    long sum = 0;
    int next = 0;
    #pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (int i = 0; i < f->side * f->side; i++)
        if (f->at[i] >= BRIGHT) {
            int number;
            #pragma omp atomic capture
            number = next++;
            sum += number;
        }
    #pragma omp atomic read
    c->entered = next;
    return sum;
}

int main(int argc, char **argv)
{
    frame f = {.side = argc > 1 ? atoi(argv[1]) : 128};
    int frames = argc > 2 ? atoi(argv[2]) : 6;
    if (f.side < 8 || f.side > LARGEST || frames < 1) {
        fprintf(stderr, "usage: histogram [SIDE (8 to %d) [FRAMES]]\n", LARGEST);
        return 2;
    }
    f.at = calloc((size_t)f.side * (size_t)f.side, 1);
    if (f.at == NULL) {
        fprintf(stderr, "histogram: no memory for %d by %d points\n", f.side, f.side);
        return 1;
    }
    for (int n = 0; n < frames; n++) {
        census c = {.spots = 0};
        int brightest, darkest;
        take_frame(&f, n);
        count_in_shared(&f, &c);
        count_pairs(&f, &c);
        find_rows(&f, &brightest, &darkest);
        long numbers = number_spots(&f, &c);

        long mixed = 0;
        for (int i = 0; i < LEVELS; i++)
            mixed = (mixed * 31 + c.level[i]) % 1000003;
        for (int i = 0; i < CODES * CODES; i++)
            mixed = (mixed * 31 + c.pair[i / CODES][i % CODES]) % 1000003;
        printf("frame %d: tables %ld, rows %d and %d, %d spots, %d numbered, sum %ld\n", n, mixed, brightest, darkest, c.spots, c.entered, numbers);
        for (int i = 0; i < c.spots && i < 3; i++)
            printf("  spot at %d %d, level %d\n", c.kept[i].row, c.kept[i].column, c.kept[i].level);
    }
    free(f.at);
    return 0;
}
