/*
 * This file is called back by the C library: qsort and bsearch with comparison
 * functions that branch and loop.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char name[8];
    int rank;
} entry;

static int calls;

static int by_rank(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    calls++;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    for (int i = 0; i < 8; i++)
        if (x->name[i] != y->name[i])
            return x->name[i] < y->name[i] ? -1 : 1;
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

int main(void)
{
    static entry table[500];
    unsigned x = 99;
    for (int i = 0; i < 500; i++) {
        x = x * 1664525u + 1013904223u;
        snprintf(table[i].name, sizeof table[i].name, "n%05u", (x >> 8) % 100000);
        table[i].rank = (int)(x >> 24) % 20;
    }
    qsort(table, 500, sizeof *table, by_rank);
    printf("first %s %d last %s %d called %s\n", table[0].name, table[0].rank, table[499].name,
           table[499].rank, calls > 500 ? "often" : "seldom");
    int (*compare)(const void *, const void *) = by_name;
    qsort(table, 500, sizeof *table, compare);
    int found = 0;
    for (int i = 0; i < 1000; i++) {
        entry key = {"", 0};
        snprintf(key.name, sizeof key.name, "n%05d", i * 100);
        found += bsearch(&key, table, 500, sizeof *table, compare) != NULL;
    }
    printf("found %d\n", found);
    return 0;
}
