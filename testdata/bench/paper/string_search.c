/*
 * This file looks for words in a text by Boyer and Moore's method as Horspool
 * simplified it: a table per word says how far to move on.
 *
 *   string_search tiny|small|large
 *
 * Structure (paper, Table 4: string search, 1 region, 4 tasks): the text is cut
 * into four, with an overlap of a word's length less one; each section searches
 * its quarter. Next to nothing is serial.
 *
 * Correlation: none in kind; the four quarters are alike, so that all techniques
 * should find close to the number of processors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 64 * 1024, QUARTER = TEXT / 4, WORDS = 64, LONGEST = 14 };

static unsigned char text[TEXT];
static unsigned char word[WORDS][LONGEST + 1];
static int word_length[WORDS], skip[256];
static unsigned random_state = 0x6c078965u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Letters about as frequent as in English. */
static unsigned char letter(void)
{
    static const char letters[] = "eeeeeeeeeeeetttttttttaaaaaaaaoooooooiiiiiiinnnnnnnsssssshhhhhh"
                                  "rrrrrrddddllllcccuuummmwwffggyyppbbvk";
    return (unsigned char)letters[next_random() % (sizeof letters - 1)];
}

static void make_text(void)
{
    for (int i = 0; i < TEXT; i++)
        text[i] = next_random() % 6 == 0 ? ' ' : letter();
    for (int w = 0; w < WORDS; w++) {
        int length = 3 + (int)(next_random() % (LONGEST - 2));
        int from = (int)(next_random() % (TEXT - LONGEST));
        word_length[w] = length;
        for (int i = 0; i < length; i++) /* every third word need not occur */
            word[w][i] = w % 3 ? text[from + i] : letter();
    }
}

static void prepare(const unsigned char *pattern, int length)
{
    for (int c = 0; c < 256; c++)
        skip[c] = length;
    for (int i = 0; i < length - 1; i++)
        skip[pattern[i]] = length - 1 - i;
}

/* Occurrences that begin in text[from] to text[to-1]; *last is set to the last. */
static int search(const unsigned char *pattern, int length, int from, int to, int *last)
{
    int found = 0, end = to + length - 1 < TEXT ? to + length - 1 : TEXT;
    int at = from;
    while (at + length <= end) {
        int i = length - 1;
        while (i >= 0 && text[at + i] == pattern[i])
            i--;
        if (i < 0) {
            found++;
            *last = at;
            at++;
        } else
            at += skip[text[at + length - 1]];
    }
    return found;
}

static int search_everywhere(const unsigned char *pattern, int length, int *last)
{
    int found[4] = {0}, place[4] = {-1, -1, -1, -1};
    prepare(pattern, length);
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        found[0] = search(pattern, length, 0, QUARTER, &place[0]);
        #pragma omp section
        found[1] = search(pattern, length, QUARTER, 2 * QUARTER, &place[1]);
        #pragma omp section
        found[2] = search(pattern, length, 2 * QUARTER, 3 * QUARTER, &place[2]);
        #pragma omp section
        found[3] = search(pattern, length, 3 * QUARTER, TEXT, &place[3]);
    }
    int sum = 0;
    for (int q = 0; q < 4; q++) {
        sum += found[q];
        if (found[q])
            *last = place[q];
    }
    return sum;
}

static int rounds(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 30;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 300;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 1;
    fprintf(stderr, "usage: string_search tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = rounds(argc, argv);
    long found = 0, absent = 0;
    unsigned checksum = 0;
    make_text();
    for (int n = 0; n < count; n++)
        for (int w = 0; w < WORDS; w++) {
            int last = -1;
            word[w][n % word_length[w]] = letter();
            int times = search_everywhere(word[w], word_length[w], &last);
            found += times;
            absent += times == 0;
            checksum = (checksum ^ (unsigned)last) * 16777619u;
        }
    printf("rounds %d words %d found %ld absent %ld places %08x\n", count, WORDS, found, absent, checksum);
    return 0;
}
