/*
 * This file watches over the readings of a plant: sums, extremes, alarms and masks, with
 * a reduction for each operator that there is.
 *
 *   reductions [READINGS [ROUNDS]]     default: 20000 4
 *
 * Constructs. Reductions with +, -, *, &, |, ^, &&, ||, min and max, on int, unsigned, long,
 * unsigned char, float and double; several in one clause and several clauses in one loop;
 * of an array and of a part of one; declared by the program, with and without an
 * initialiser; on parallel, on for, on sections and with nowait.
 *
 * What is hard. A reduction is work of its own, after the loop and by each thread: for a
 * number next to nothing, for a table of 256 numbers more than the loop, where the loop
 * is short. It is done one thread after another, or by atomics, or in a tree, as the
 * runtime chooses. So a loop that scales can lose all of it to its reduction, and more
 * threads are slower. Numbers in floating point are chosen so that sums are exact in any
 * order.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SENSORS = 24, BINS = 256, LARGEST = 4000000 };

typedef struct {
    int level;
    uint16_t flags;
    uint8_t sensor, quality;
} reading;

typedef struct {
    int level, at;
} extreme;

typedef struct {
    long count, sum, squares;
} moments;

static extreme higher(extreme a, extreme b)
{
    if (a.level != b.level)
        return a.level > b.level ? a : b;
    return a.at < b.at ? a : b;
}

static void add_moments(moments *to, const moments *from)
{
    to->count += from->count;
    to->sum += from->sum;
    to->squares += from->squares;
}

#pragma omp declare reduction(highest : extreme : omp_out = higher(omp_out, omp_in)) initializer(omp_priv = (extreme){INT_MIN, INT_MAX})
#pragma omp declare reduction(moments : moments : add_moments(&omp_out, &omp_in)) initializer(omp_priv = (moments){0, 0, 0})

static uint32_t random_state = 8191u;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

static void read_plant(reading *r, int count, int round)
{
    for (int i = 0; i < count; i++) {
        r[i].level = (int)(random_bits() % 4001) - 2000 + round * 10;
        r[i].flags = (uint16_t)(0x8001u | (random_bits() & 0x3ffeu) | (random_bits() & 0x3ffeu));
        r[i].sensor = (uint8_t)(random_bits() % SENSORS);
        r[i].quality = (uint8_t)(1 + random_bits() % 3);
    }
}

/* Whole numbers: four operators in two clauses, and one that is counted down. */
static void count_whole(const reading *r, int count, int round)
{
    long sum = 100, budget = 1000000;
    unsigned parity = 0, product = 1;
    #pragma omp parallel for schedule(static) reduction(+ : sum) reduction(^ : parity) reduction(* : product) reduction(- : budget)
    for (int i = 0; i < count; i++) {
        sum += r[i].level;
        parity ^= r[i].flags * 2654435761u + (unsigned)i;
        product *= 2u * r[i].quality + 1u;
        budget -= r[i].quality;
    }
    printf("round %d: sum %ld parity %08x product %08x budget %ld\n", round, sum, parity, product, budget);
}

/* Masks and truths: a region's own reduction beside that of a loop in it. */
static void judge(const reading *r, int count)
{
    uint16_t always = 0xffff, ever = 0;
    int all_good = 1, any_bad = 0, all_small = 1, any_huge = 0;
    long seen = 0;
    #pragma omp parallel reduction(+ : seen) reduction(& : always)
    {
        #pragma omp for schedule(dynamic, 256) reduction(| : ever) reduction(&& : all_good, all_small) nowait
        for (int i = 0; i < count; i++) {
            ever |= r[i].flags;
            all_good = all_good && r[i].quality > 0;
            all_small = all_small && r[i].level < 1500;
            seen++;
        }
        #pragma omp for schedule(guided) reduction(|| : any_bad, any_huge)
        for (int i = 0; i < count; i++) {
            always &= r[i].flags;
            any_bad = any_bad || r[i].quality > 3;
            any_huge = any_huge || r[i].level > 1900;
        }
    }
    printf("  flags %04x %04x good %d bad %d small %d huge %d seen %ld\n", always, ever, all_good, any_bad, all_small, any_huge, seen);
}

/* Extremes of three types, and the place of one. */
static void find_extremes(const reading *r, int count)
{
    int lowest = INT_MAX;
    float warmest = -1000.0f;
    double coldest = 1000.0;
    unsigned char best = 0, worst = 255;
    extreme top = {INT_MIN, INT_MAX};
    #pragma omp parallel for reduction(min : lowest, coldest, worst) reduction(max : warmest, best) reduction(highest : top)
    for (int i = 0; i < count; i++) {
        float warmth = (float)r[i].level * 0.125f;
        lowest = r[i].level < lowest ? r[i].level : lowest;
        warmest = warmth > warmest ? warmth : warmest;
        coldest = (double)warmth - r[i].quality < coldest ? (double)warmth - r[i].quality : coldest;
        best = r[i].quality > best ? r[i].quality : best;
        worst = r[i].quality < worst ? r[i].quality : worst;
        top = higher(top, (extreme){r[i].level, i});
    }
    printf("  lowest %d warmest %.3f coldest %.3f quality %d to %d, highest %d at %d\n", lowest, (double)warmest, coldest, worst, best, top.level, top.at);
}

/* A table for each thread, added up behind the loop; the first short, the second long. */
static void fill_tables(const reading *r, int count, long *bins, int used)
{
    long by_sensor[SENSORS] = {0};
    double energy = 0;
    #pragma omp parallel for reduction(+ : by_sensor, energy)
    for (int i = 0; i < count; i++) {
        by_sensor[r[i].sensor] += r[i].level;
        energy += (double)r[i].level * r[i].level * 0.5;
    }
    /* Few readings, a large table. */
    #pragma omp parallel for schedule(static, 8) reduction(+ : bins[ : used])
    for (int i = 0; i < count / 64; i++)
        bins[(r[i].level + 2048) % used]++;
    unsigned long mixed = 0;
    for (int i = 0; i < SENSORS; i++)
        mixed = mixed * 31u + (unsigned long)by_sensor[i];
    printf("  sensors %016lx energy %.1f\n", mixed, energy);
}

/* Sections that add to one number, and moments that the program declares how to add. */
static void summarise(const reading *r, int count)
{
    moments all = {0, 0, 0}, good = {0, 0, 0};
    long flagged = 0;
    #pragma omp parallel sections reduction(+ : flagged)
    {
        #pragma omp section
        for (int i = 0; i < count / 3; i++)
            flagged += r[i].flags >> 8 & 1;
        #pragma omp section
        for (int i = count / 3; i < count; i++)
            flagged += r[i].flags >> 9 & 1;
    }
    #pragma omp parallel
    {
        #pragma omp for reduction(moments : all, good)
        for (int i = 0; i < count; i++) {
            moments one = {1, r[i].level, (long)r[i].level * r[i].level};
            add_moments(&all, &one);
            if (r[i].quality > 1)
                add_moments(&good, &one);
        }
    }
    printf("  flagged %ld, %ld readings %ld %ld, good %ld %ld %ld\n", flagged, all.count, all.sum, all.squares, good.count, good.sum, good.squares);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 20000, rounds = argc > 2 ? atoi(argv[2]) : 4;
    if (count < 64 || count > LARGEST || rounds < 1) {
        fprintf(stderr, "usage: reductions [READINGS (64 to %d) [ROUNDS]]\n", LARGEST);
        return 2;
    }
    reading *r = calloc((size_t)count, sizeof *r);
    if (r == NULL) {
        fprintf(stderr, "reductions: no memory for %d readings\n", count);
        return 1;
    }
    long bins[BINS] = {0}, mixed = 0;
    for (int round = 0; round < rounds; round++) {
        read_plant(r, count, round);
        count_whole(r, count, round);
        judge(r, count);
        find_extremes(r, count);
        fill_tables(r, count, bins, round % 2 == 0 ? BINS : BINS / 2);
        summarise(r, count);
    }
    for (int i = 0; i < BINS; i++)
        mixed = (mixed * 31 + bins[i]) % 1000003;
    printf("bins %ld\n", mixed);
    free(r);
    return 0;
}
