/*
 * This file looks for the difference between a record and its mirror copy, once from
 * the front and once from the back, and for patterns of letters that it forbids.
 *
 *   early_exits tiny|small|large
 *
 * What is hard: early exits. Both scans stop at the first difference that they meet.
 * Where the record has one difference, near the front, the scan from the front ends
 * soon and that from the back goes through everything; and the other way round. In
 * the second region three searches leave their loops by break, goto and return.
 *
 * What averages miss: the mean length of either scan is half the record, and two
 * halves side by side promise a speed-up of 2. How long a loop runs before it exits
 * is no part of the path around it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 4096, PATTERNS = 3 };

static unsigned char record[RECORD], mirror[RECORD];
static unsigned random_state = 0x1b873593u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void make_record(void)
{
    for (int i = 0; i < RECORD; i++)
        record[i] = mirror[RECORD - 1 - i] = (unsigned char)('a' + next_random() % 26);
}

static int from_front(void)
{
    int weight = 0;
    for (int i = 0; i < RECORD; i++) {
        if (record[i] != mirror[RECORD - 1 - i])
            return i;
        weight = (weight * 5 + record[i]) & 0xffff;
    }
    return -1 - weight;
}

static int from_back(void)
{
    int weight = 0;
    for (int i = RECORD - 1; i >= 0; i--) {
        if (record[i] != mirror[RECORD - 1 - i])
            return i;
        weight = (weight * 5 + record[i]) & 0xffff;
    }
    return -1 - weight;
}

/* Ends at the first vowel that two others follow. */
static int three_vowels(int from)
{
    int in_a_row = 0, at;
    for (at = from; at < RECORD; at++) {
        unsigned char c = record[at];
        in_a_row = c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' ? in_a_row + 1 : 0;
        if (in_a_row == 3)
            break;
    }
    return at;
}

/* Ends at the first letter that comes back at a distance that its value says. */
static int repeats(int from)
{
    int at = from, distance;
    for (at = from; at < RECORD - 32; at++)
        for (distance = 8; distance < 12; distance++) {
            if (record[at + distance] != record[at])
                goto next;
            if (distance == 9)
                goto found;
        next:;
        }
found:
    return at;
}

/* Ends at the first place where letters rise five times. */
static int rises(int from)
{
    for (int at = from; at + 5 < RECORD; at++) {
        int i = 0;
        while (i < 5 && record[at + i] < record[at + i + 1])
            i++;
        if (i == 5)
            return at;
    }
    return RECORD;
}

static unsigned compare(void)
{
    int front = 0, back = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        front = from_front();
        #pragma omp section
        back = from_back();
    }
    return (unsigned)front * 1021u + (unsigned)back;
}

static unsigned forbidden(int from)
{
    int place[PATTERNS] = {0};
    #pragma omp parallel sections num_threads(3)
    {
        #pragma omp section
        place[0] = three_vowels(from);
        #pragma omp section
        place[1] = repeats(from);
        #pragma omp section
        place[2] = rises(from);
    }
    return (unsigned)(place[0] + 3 * place[1] + 5 * place[2]);
}

static int records(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 8000;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 80000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 320;
    fprintf(stderr, "usage: early_exits tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = records(argc, argv);
    unsigned differences = 0, places = 0;
    for (int n = 0; n < count; n++) {
        if (n % 64 == 0)
            make_record();
        int at = (int)(next_random() % RECORD);
        unsigned char kept = mirror[at];
        mirror[at] = '?';
        differences = differences * 31 + compare();
        mirror[at] = kept;
        places = places * 31 + forbidden((int)(next_random() % (RECORD / 2)));
    }
    printf("records %d differences %08x places %08x\n", count, differences, places);
    return 0;
}
