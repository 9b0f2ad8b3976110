/*
 * This file sorts the records of a data logger by merging, in tasks, and finds what
 * repeats in them.
 *
 *   mergesort [RECORDS [CUTOFF]]     default: 30000 500
 *
 * Constructs. Tasks that make tasks: task with firstprivate and shared, if and final
 * clauses, taskwait; a merge that splits itself in tasks; a taskgroup around tasks that
 * nobody waits for one by one; parallel with single, and a loop in the same program.
 *
 * What is hard. The tree of tasks is as deep as the data are long; above the cut-off
 * each level waits for the one below. The two merges at the top touch every record,
 * and they bound the speed-up unless they are split too, which depends on where the
 * middle of one half stands in the other. Below the cut-off, runs that are sorted
 * already are seen and cost next to nothing, so equal halves have unequal work: the
 * logger's clock went backwards in some places, and those are together.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSERTION = 12, LARGEST = 4000000 };

typedef struct {
    uint32_t time;
    uint16_t source, value;
} record;

static uint32_t random_state = 99991u;
static long cutoff;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static int before(const record *a, const record *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->source < b->source || (a->source == b->source && a->value < b->value);
}

/* The first half of the log is nearly in order; behind it sources report late. */
static void make_log(record *log, long length)
{
    uint32_t now = 1000;
    for (long i = 0; i < length; i++) {
        now += random_bits() % 3;
        uint32_t late = 0;
        if (i > length / 2 || random_bits() % 64 == 0)
            late = random_bits() % 5000;
        log[i] = (record){.time = now > late ? now - late : 0, .source = (uint16_t)(random_bits() % 12), .value = (uint16_t)(random_bits() % 4)};
    }
}

static void sort_by_insertion(record *r, long length)
{
    for (long i = 1; i < length; i++) {
        record moved = r[i];
        long j = i;
        for (; j > 0 && before(&moved, &r[j - 1]); j--)
            r[j] = r[j - 1];
        r[j] = moved;
    }
}

static void merge(const record *a, long na, const record *b, long nb, record *to)
{
    while (na > 0 && nb > 0)
        if (before(b, a)) {
            *to++ = *b++;
            nb--;
        } else {
            *to++ = *a++;
            na--;
        }
    memcpy(to, a, (size_t)na * sizeof *a);
    memcpy(to + na, b, (size_t)nb * sizeof *b);
}

/* The number of records in front of which what stands. */
static long rank(const record *r, long length, const record *what)
{
    long low = 0, high = length;
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (before(&r[middle], what))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int in_order(const record *r, long length)
{
    for (long i = 1; i < length; i++)
        if (before(&r[i], &r[i - 1]))
            return 0;
    return 1;
}

static void merge_in_tasks(const record *a, long na, const record *b, long nb, record *to)
{
    if (na < nb) {
        merge_in_tasks(b, nb, a, na, to);
        return;
    }
    if (na + nb <= 2 * cutoff || nb == 0) {
        merge(a, na, b, nb, to);
        return;
    }
    long half = na / 2, split = rank(b, nb, &a[half]);
    #pragma omp task firstprivate(a, b, half, split, to)
    merge_in_tasks(a, half, b, split, to);
    merge_in_tasks(a + half, na - half, b + split, nb - split, to + half + split);
    #pragma omp taskwait
}

static void sort_sequentially(record *r, record *spare, long length)
{
    if (length <= INSERTION) {
        sort_by_insertion(r, length);
        return;
    }
    if (in_order(r, length))
        return;
    long half = length / 2;
    sort_sequentially(r, spare, half);
    sort_sequentially(r + half, spare + half, length - half);
    merge(r, half, r + half, length - half, spare);
    memcpy(r, spare, (size_t)length * sizeof *r);
}

/* Sorts r; where into is set, the result goes to spare. */
static void sort_in_tasks(record *r, record *spare, long length, int into)
{
    if (length <= cutoff) {
        sort_sequentially(r, spare, length);
        if (into)
            memcpy(spare, r, (size_t)length * sizeof *r);
        return;
    }
    long half = length / 2;
    #pragma omp task if (length > 2 * cutoff) final(length <= 4 * cutoff) firstprivate(r, spare, half, into)
    sort_in_tasks(r, spare, half, !into);
    #pragma omp task firstprivate(r, spare, half, length, into)
    sort_in_tasks(r + half, spare + half, length - half, !into);
    #pragma omp taskwait
    if (into)
        merge_in_tasks(r, half, r + half, length - half, spare);
    else
        merge_in_tasks(spare, half, spare + half, length - half, r);
}

/* Repeated records in each part of the log; parts of unequal length, a task each. */
static long count_repeats(const record *r, long length, int parts)
{
    long repeats[16] = {0}, total = 0;
    #pragma omp parallel
    #pragma omp single
    #pragma omp taskgroup
    for (int p = 0; p < parts; p++) {
        long first = length * p * p / ((long)parts * parts), last = length * (p + 1) * (p + 1) / ((long)parts * parts);
        #pragma omp task shared(repeats) firstprivate(first, last, p)
        for (long i = first > 0 ? first : 1; i < last; i++)
            repeats[p] += !before(&r[i - 1], &r[i]);
    }
    for (int p = 0; p < parts; p++)
        total += repeats[p];
    return total;
}

int main(int argc, char **argv)
{
    long length = argc > 1 ? atol(argv[1]) : 30000;
    cutoff = argc > 2 ? atol(argv[2]) : 500;
    if (length < 2 || length > LARGEST || cutoff < 16) {
        fprintf(stderr, "usage: mergesort [RECORDS (2 to %d) [CUTOFF (16 or more)]]\n", LARGEST);
        return 2;
    }
    record *log = calloc((size_t)length, sizeof *log), *spare = calloc((size_t)length, sizeof *spare);
    if (log == NULL || spare == NULL) {
        fprintf(stderr, "mergesort: no memory for %ld records\n", length);
        return 1;
    }
    make_log(log, length);
    uint32_t sum = 0, sorted_sum = 0, order = 0;
    for (long i = 0; i < length; i++)
        sum += log[i].time * 31u + log[i].source * 7u + log[i].value;

    #pragma omp parallel
    #pragma omp single
    sort_in_tasks(log, spare, length, 0);

    #pragma omp parallel for reduction(+ : sorted_sum, order)
    for (long i = 0; i < length; i++) {
        sorted_sum += log[i].time * 31u + log[i].source * 7u + log[i].value;
        order += (uint32_t)(i % 97) * log[i].time;
    }
    printf("%ld records, %s, sum %s\n", length, in_order(log, length) ? "in order" : "NOT in order", sum == sorted_sum ? "kept" : "LOST");
    printf("order %08x, first %u, last %u, repeated %ld\n", order, log[0].time, log[length - 1].time, count_repeats(log, length, 7));
    free(log);
    free(spare);
    return 0;
}
