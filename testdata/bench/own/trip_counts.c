/*
 * This file checks and packs messages whose header may end anywhere: one section sums
 * the header up, another the rest; two sections pack the halves of what is in use.
 *
 *   trip_counts tiny|small|large
 *
 * What is hard: trip counts correlated across sections. In the first region the two
 * loops always add up to the same number of iterations (when one is long, the other
 * is short); in the second they are proportional. No branch tells the cases apart:
 * every execution takes the same path through the region.
 *
 * What averages miss: each loop has a mean trip count, and with means alone the two
 * sections of the first region look equal and promise a speed-up of 2, where the
 * longer of two unequal ones is what counts. Paths do not see it either, since a
 * loop inside a section enters the path as its mean.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 4096, MODULUS = 65521 };

static uint8_t message[LENGTH], packed[2][2 * LENGTH];
static uint32_t crc_table[256];
static uint32_t random_state = 0x9e3779b1u;

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void prepare(void)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        crc_table[n] = c;
    }
}

static void make_message(void)
{
    for (int i = 0; i < LENGTH;) {
        int run = 1 + (int)(next_random() % 12);
        uint8_t value = (uint8_t)(next_random() >> 8);
        for (; run > 0 && i < LENGTH; run--)
            message[i++] = value;
    }
}

/* The division makes a step of this sum about as dear as one of the other. */
static uint32_t sum_header(int end)
{
    uint32_t a = 1, b = 0;
    for (int i = 0; i < end; i++) {
        a = (a + message[i]) % MODULUS;
        b = (b + a) % MODULUS;
    }
    return b << 16 | a;
}

static uint32_t sum_body(int from)
{
    uint32_t crc = 0xffffffffu;
    for (int i = from; i < LENGTH; i++) {
        crc = crc_table[(crc ^ message[i]) & 255] ^ crc >> 8;
        crc = crc_table[(crc ^ message[i] >> 4) & 255] ^ crc >> 8;
    }
    return ~crc;
}

/* Runs of message[from] to message[to-1] as pairs of length and value. */
static int pack(uint8_t *out, int from, int to)
{
    int size = 0;
    for (int i = from; i < to;) {
        int run = 1;
        while (i + run < to && run < 255 && message[i + run] == message[i])
            run++;
        out[size++] = (uint8_t)run;
        out[size++] = message[i];
        i += run;
    }
    return size;
}

/* Header and body: the longer the one, the shorter the other. */
static uint32_t check(int header)
{
    uint32_t first = 0, second = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        first = sum_header(header);
        #pragma omp section
        second = sum_body(header);
    }
    return first ^ second;
}

/* The first part and the second part of what is used: both grow with it. */
static int pack_used(int used)
{
    int low = 0, high = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        low = pack(packed[0], 0, used / 2);
        #pragma omp section
        high = pack(packed[1], used / 2, used);
    }
    return low + high;
}

static int messages(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 4000;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 40000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 160;
    fprintf(stderr, "usage: trip_counts tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = messages(argc, argv);
    uint32_t sums = 0;
    long size = 0;
    prepare();
    make_message();
    for (int n = 0; n < count; n++) {
        if (n % 32 == 0)
            make_message();
        sums = sums * 31 + check((int)(next_random() % LENGTH));
        size += pack_used((int)(next_random() % LENGTH));
    }
    printf("messages %d sums %08x packed %ld\n", count, sums, size);
    return 0;
}
