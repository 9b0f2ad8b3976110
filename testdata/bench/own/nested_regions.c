/*
 * This file sorts batches of numbers by merging: the halves of a batch are sorted in
 * two sections, and the quarters within each half in two sections of their own.
 *
 *   nested_regions tiny|small|large
 *
 * What is hard: nested regions whose inner correlation decides the outer one. A
 * quarter is sorted in one of two ways, cheap where it is nearly in order and dear
 * where it is not; in one half of every batch the quarters are both dear or both
 * cheap, in the other just one is dear, and which half is which changes.
 *
 * What averages miss: averages of quarters lose that an inner region takes as long as
 * its dear one. Paths see that, but the inner region stands in a function of its own,
 * which has one cost for both halves: the outer region has two equal sections for
 * them, whereas it lasts as long as the longer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024, HALF = BATCH / 2, QUARTER = BATCH / 4 };

static int numbers[BATCH], merged[BATCH], sorted[BATCH];
static unsigned random_state = 0x2c1b3c6du;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void make_quarter(int *q, int disorder)
{
    for (int i = 0; i < QUARTER; i++)
        q[i] = disorder ? (int)(next_random() % 100000) : i * 300 + (int)(next_random() % 500);
}

static int disorder_of(const int *q)
{
    int count = 0;
    for (int i = 1; i < QUARTER; i++)
        count += q[i] < q[i - 1];
    return count;
}

static void insertion_sort(int *a, int length)
{
    for (int i = 1; i < length; i++) {
        int value = a[i], j = i;
        for (; j > 0 && a[j - 1] > value; j--)
            a[j] = a[j - 1];
        a[j] = value;
    }
}

static void heap_sort(int *a, int length)
{
    for (int start = length / 2, end = length; end > 1;) {
        int value;
        if (start > 0)
            value = a[--start];
        else {
            value = a[--end];
            a[end] = a[0];
        }
        int hole = start, child;
        while ((child = 2 * hole + 1) < end) {
            if (child + 1 < end && a[child + 1] > a[child])
                child++;
            if (a[child] <= value)
                break;
            a[hole] = a[child];
            hole = child;
        }
        a[hole] = value;
    }
}

static void merge(const int *a, const int *b, int length, int *out)
{
    int i = 0, j = 0;
    for (int k = 0; k < 2 * length; k++)
        out[k] = j == length || (i < length && a[i] <= b[j]) ? a[i++] : b[j++];
}

/* Sorts the two quarters of a half, each as it needs. */
static void sort_half(int *half, int *out)
{
    int first = disorder_of(half), second = disorder_of(half + QUARTER);
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        if (first > QUARTER / 3)
            heap_sort(half, QUARTER);
        else
            insertion_sort(half, QUARTER);
        #pragma omp section
        if (second > QUARTER / 3)
            heap_sort(half + QUARTER, QUARTER);
        else
            insertion_sort(half + QUARTER, QUARTER);
    }
    merge(half, half + QUARTER, QUARTER, out);
}

static void sort_batch(void)
{
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        sort_half(numbers, merged);
        #pragma omp section
        sort_half(numbers + HALF, merged + HALF);
    }
    merge(merged, merged + HALF, HALF, sorted);
}

static int batches(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 2500;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 25000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 100;
    fprintf(stderr, "usage: nested_regions tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = batches(argc, argv), wrong = 0;
    long long before = 0, after = 0, middles = 0;
    for (int n = 0; n < count; n++) {
        int both = (int)(next_random() % 2), one = (int)(next_random() % 2);
        int *alike = n % 3 ? numbers : numbers + HALF, *unlike = n % 3 ? numbers + HALF : numbers;
        make_quarter(alike, both);
        make_quarter(alike + QUARTER, both);
        make_quarter(unlike, one);
        make_quarter(unlike + QUARTER, !one);
        for (int i = 0; i < BATCH; i++)
            before += numbers[i];
        sort_batch();
        for (int i = 0; i < BATCH; i++) {
            after += sorted[i];
            wrong += i > 0 && sorted[i] < sorted[i - 1];
        }
        middles += sorted[HALF];
    }
    printf("batches %d sum %lld middles %lld wrong %d\n", count, after, middles, wrong + (before != after));
    return wrong != 0 || before != after;
}
