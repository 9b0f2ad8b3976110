/*
 * This file looks for words in a generated text with three methods at once: an
 * exact automaton, a skipping search and a search that forgives one error.
 *
 *   strsearch [PATTERNS [TEXT_KILOBYTES]]     default: 3000 48
 *
 * Correlation. The pattern's length decides over sections 1 and 3 together:
 *   8 letters and more   section 1 builds and runs Knuth-Morris-Pratt over the
 *                        whole text and section 3 searches with one error: both
 *                        are heavy
 *   shorter              section 1 looks the first letters up in an index and
 *                        section 3 only counts the last letter's neighbours in
 *                        the index: both are light
 * Section 2 (Horspool) always runs; its cost falls with the pattern's length but
 * stays between the two. The region sits in a function with three call sites:
 * words drawn from the text, words made up, and a closing check.
 *
 * Expectation. Sections 1 and 3 are heavy together (positive correlation, the
 * paper's condition (a)). A mapping that keeps them on one processor and section
 * 2 on another is limited by max(1+3, 2) per call, which for short patterns is
 * section 2 and for long ones 1+3: PB sees the mixture, AT takes the maximum of
 * averages and is too optimistic, MT is too pessimistic.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 24, LONG_PATTERN = 8, BUCKETS = 26 * 26 };

typedef struct {
    long exact;   /* occurrences by the method of section 1 */
    long skipped; /* occurrences by Horspool */
    long near;    /* occurrences with at most one wrong letter, or neighbours */
    int last;     /* last exact position, -1 when there is none */
} findings;

static char *text;
static int text_length;
static int *bucket_start, *bucket_position; /* positions of each letter pair */
static unsigned random_state = 12345u;

static unsigned next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* Syllables rather than letters, so that words repeat and prefixes overlap. */
static int append_syllable(char *to)
{
    static const char consonants[] = "bdklmnrst", vowels[] = "aeiou";
    int n = 0;
    to[n++] = consonants[next_random() % 9];
    to[n++] = vowels[next_random() % 5];
    if (next_random() % 3 == 0)
        to[n++] = "lnrs"[next_random() % 4];
    return n;
}

static void make_text(int length)
{
    text = malloc((size_t)length + 4);
    if (text == NULL) {
        fprintf(stderr, "strsearch: no memory for %d bytes of text\n", length);
        exit(1);
    }
    for (text_length = 0; text_length < length;)
        text_length += append_syllable(text + text_length);
    text_length = length;
    text[length] = '\0';
}

static int pair_of(const char *at)
{
    return (at[0] - 'a') * 26 + (at[1] - 'a');
}

static void make_index(void)
{
    bucket_start = calloc(BUCKETS + 1, sizeof *bucket_start);
    bucket_position = malloc((size_t)text_length * sizeof *bucket_position);
    int *next = calloc(BUCKETS, sizeof *next);
    if (bucket_start == NULL || bucket_position == NULL || next == NULL) {
        fprintf(stderr, "strsearch: no memory for the index\n");
        exit(1);
    }
    for (int i = 0; i + 1 < text_length; i++)
        bucket_start[pair_of(text + i) + 1]++;
    for (int b = 0; b < BUCKETS; b++) {
        bucket_start[b + 1] += bucket_start[b];
        next[b] = bucket_start[b];
    }
    for (int i = 0; i + 1 < text_length; i++)
        bucket_position[next[pair_of(text + i)]++] = i;
    free(next);
}

static long by_automaton(const char *pattern, int m, int *last)
{
    int fallback[LONGEST + 1], k = -1;
    long count = 0;
    fallback[0] = -1;
    for (int i = 0; i < m; i++) {
        while (k >= 0 && pattern[k] != pattern[i])
            k = fallback[k];
        fallback[i + 1] = ++k;
    }
    k = 0;
    for (int i = 0; i < text_length; i++) {
        while (k >= 0 && (k == m || pattern[k] != text[i]))
            k = fallback[k];
        if (++k == m) {
            count++;
            *last = i - m + 1;
        }
    }
    return count;
}

static long by_index(const char *pattern, int m, int *last)
{
    long count = 0;
    int bucket = pair_of(pattern);
    for (int i = bucket_start[bucket]; i < bucket_start[bucket + 1]; i++) {
        int at = bucket_position[i];
        if (at + m <= text_length && memcmp(text + at, pattern, (size_t)m) == 0) {
            count++;
            *last = at;
        }
    }
    return count;
}

static long by_skipping(const char *pattern, int m)
{
    int shift[256];
    long count = 0;
    for (int c = 0; c < 256; c++)
        shift[c] = m;
    for (int i = 0; i < m - 1; i++)
        shift[(unsigned char)pattern[i]] = m - 1 - i;
    for (int at = 0; at + m <= text_length;) {
        int i = m - 1;
        while (i >= 0 && text[at + i] == pattern[i])
            i--;
        if (i < 0)
            count++;
        at += shift[(unsigned char)text[at + m - 1]];
    }
    return count;
}

/* Bit-parallel search: bit j of exact (of one) says that the pattern's first j+1
 * letters end here with no (at most one) letter wrong. */
static long with_one_error(const char *pattern, int m)
{
    unsigned mask[256] = {0}, exact = 0, one = 0, goal = 1u << (m - 1);
    long count = 0;
    for (int i = 0; i < m; i++)
        mask[(unsigned char)pattern[i]] |= 1u << i;
    for (int i = 0; i < text_length; i++) {
        unsigned here = mask[(unsigned char)text[i]];
        unsigned wrong = (exact << 1) | 1u;
        exact = ((exact << 1) | 1u) & here;
        one = (((one << 1) | 1u) & here) | wrong;
        if (one & goal)
            count++;
    }
    return count;
}

static long count_neighbours(const char *pattern, int m)
{
    int first = (pattern[m - 1] - 'a') * 26;
    return bucket_start[first + 26] - bucket_start[first];
}

/* Runs the three methods on one pattern and adds to the findings; returns the
 * number of occurrences on which the exact methods agree, or -1. */
static long search(const char *pattern, findings *f)
{
    int m = (int)strlen(pattern), last = -1;
    long exact = 0, skipped = 0, near = 0, work = 0;

    #pragma omp parallel sections reduction(+ : work) lastprivate(near)
    {
        #pragma omp section
        {
            near = 0;
            if (m >= LONG_PATTERN)
                exact = by_automaton(pattern, m, &last);
            else
                exact = by_index(pattern, m, &last);
            work += exact;
        }
        #pragma omp section
        {
            near = 0;
            skipped = by_skipping(pattern, m);
            work += skipped;
        }
        #pragma omp section
        {
            if (m >= LONG_PATTERN)
                near = with_one_error(pattern, m);
            else
                near = count_neighbours(pattern, m);
            work += near;
        }
    }
    f->exact += exact;
    f->skipped += skipped;
    f->near += near;
    if (last > f->last)
        f->last = last;
    return exact == skipped && work == exact + skipped + near ? exact : -1;
}

static void report(const char *what, int patterns, const findings *f)
{
    printf("%s patterns %d exact %ld skipped %ld near %ld last %d\n", what, patterns, f->exact,
           f->skipped, f->near, f->last);
}

int main(int argc, char **argv)
{
    int patterns = argc > 1 ? atoi(argv[1]) : 3000;
    int kilobytes = argc > 2 ? atoi(argv[2]) : 48;
    findings drawn = {0, 0, 0, -1}, made_up = {0, 0, 0, -1}, closing = {0, 0, 0, -1};
    char pattern[LONGEST + 4];
    int drawn_count = 0, made_up_count = 0, wrong = 0;

    if (kilobytes < 1) {
        fprintf(stderr, "strsearch: the text needs at least 1 kilobyte\n");
        return 2;
    }
    make_text(kilobytes * 1024);
    make_index();
    for (int p = 0; p < patterns; p++) {
        if (next_random() % 4 != 0) {
            int m = next_random() % 2 ? 3 + (int)(next_random() % 4) : 8 + (int)(next_random() % 9);
            memcpy(pattern, text + next_random() % (unsigned)(text_length - m), (size_t)m);
            pattern[m] = '\0';
            wrong += search(pattern, &drawn) < 1;
            drawn_count++;
        } else {
            int m = 0, goal = 4 + (int)(next_random() % 16);
            while (m < goal)
                m += append_syllable(pattern + m);
            pattern[m] = '\0';
            wrong += search(pattern, &made_up) < 0;
            made_up_count++;
        }
    }
    memcpy(pattern, text + text_length - 12, 12);
    pattern[12] = '\0';
    wrong += search(pattern, &closing) < 1 || closing.last != text_length - 12;
    report("drawn", drawn_count, &drawn);
    report("made up", made_up_count, &made_up);
    report("closing", 1, &closing);
    printf("wrong %d\n", wrong);
    free(bucket_position);
    free(bucket_start);
    free(text);
    return wrong != 0;
}
