/*
 * This file answers shortest-path queries on four kinds of graph, each with the
 * algorithm that fits it, and every algorithm has a section of its own.
 *
 *   dijkstra [QUERIES [one|all]]     default: 12000 one
 *
 * Correlation. In mode one the kind of the query's graph selects the one section
 * that works; the other three do nothing. The four tasks exclude each other
 * entirely, as those of MiBench's dijkstra do in the paper's evaluation. In mode
 * all every algorithm that can answer a query does (they must agree), so that the
 * general ones of sections 3 and 4 work together with the special ones.
 *
 * Expectation. In mode one no mapping gains anything: PB estimates a speed-up
 * just below 1 (the overheads) on any number of processors. AT spreads a quarter
 * of the work over each task and promises close to the number of processors; MT
 * takes all four at their heaviest and promises a slow-down on one processor.
 * The difference grows with the number of processors.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 700, DEGREE = 6, EDGES = NODES * DEGREE };
enum kind { UNIT, ACYCLIC, POSITIVE, NEGATIVE, KINDS };

static const char *const kind_name[KINDS] = {"unit", "acyclic", "positive", "negative"};
static const int unreached = INT_MAX / 2;

/* Edges of node u are target[first[u]] to target[first[u+1]-1]. */
typedef struct {
    enum kind kind;
    int first[NODES + 1];
    int target[EDGES];
    int weight[EDGES];
} graph;

typedef struct {
    int distance[NODES];
    int steps;
} answer;

static unsigned long long random_state = 88172645463325252ull;

static int random_below(int limit)
{
    random_state ^= random_state << 7;
    random_state ^= random_state >> 9;
    return (int)((random_state >> 11) % (unsigned)limit);
}

/* Negative weights come from potentials, so that no cycle can be negative. */
static void make_graph(graph *g, enum kind kind)
{
    static int potential[NODES];
    int e = 0;
    g->kind = kind;
    for (int u = 0; u < NODES; u++)
        potential[u] = random_below(60);
    for (int u = 0; u < NODES; u++) {
        g->first[u] = e;
        int degree = 1 + random_below(DEGREE);
        for (int k = 0; k < degree; k++) {
            int v = random_below(NODES);
            if (kind == ACYCLIC) {
                if (u == NODES - 1)
                    break;
                int reach = NODES - 1 - u < 40 ? NODES - 1 - u : 40;
                v = u + 1 + random_below(reach);
            }
            int w = kind == UNIT ? 1 : 1 + random_below(99);
            if (kind == NEGATIVE)
                w += potential[u] - potential[v];
            g->target[e] = v;
            g->weight[e] = w;
            e++;
        }
    }
    g->first[NODES] = e;
}

static void reset(answer *a, int source)
{
    for (int v = 0; v < NODES; v++)
        a->distance[v] = unreached;
    a->distance[source] = 0;
    a->steps = 0;
}

static void breadth_first(const graph *g, int source, answer *a)
{
    int queue[NODES], head = 0, tail = 0;
    reset(a, source);
    queue[tail++] = source;
    while (head < tail) {
        int u = queue[head++];
        for (int e = g->first[u]; e < g->first[u + 1]; e++) {
            int v = g->target[e];
            if (a->distance[v] != unreached)
                continue;
            a->distance[v] = a->distance[u] + 1;
            queue[tail++] = v;
            a->steps++;
        }
    }
}

/* Node numbers of an acyclic graph are a topological order already. */
static void relax_in_order(const graph *g, int source, answer *a)
{
    reset(a, source);
    for (int u = source; u < NODES; u++) {
        if (a->distance[u] == unreached)
            continue;
        for (int e = g->first[u]; e < g->first[u + 1]; e++) {
            int candidate = a->distance[u] + g->weight[e];
            if (candidate < a->distance[g->target[e]])
                a->distance[g->target[e]] = candidate;
            a->steps++;
        }
    }
}

typedef struct {
    int key, node;
} heap_entry;

static int heap_pop(heap_entry *heap, int *size, heap_entry *top)
{
    if (*size == 0)
        return 0;
    *top = heap[0];
    heap_entry last = heap[--*size];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= *size)
            break;
        if (child + 1 < *size && heap[child + 1].key < heap[child].key)
            child++;
        if (last.key <= heap[child].key)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return 1;
}

static void heap_push(heap_entry *heap, int *size, int key, int node)
{
    int i = (*size)++;
    while (i > 0 && heap[(i - 1) / 2].key > key) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i].key = key;
    heap[i].node = node;
}

static void dijkstra(const graph *g, int source, answer *a)
{
    heap_entry heap[EDGES + 1], top;
    int size = 0;
    reset(a, source);
    heap_push(heap, &size, 0, source);
    while (heap_pop(heap, &size, &top)) {
        int u = top.node;
        if (top.key > a->distance[u])
            continue; /* a shorter way was found since it was pushed */
        for (int e = g->first[u]; e < g->first[u + 1]; e++) {
            int v = g->target[e], candidate = top.key + g->weight[e];
            if (candidate >= a->distance[v])
                continue;
            a->distance[v] = candidate;
            heap_push(heap, &size, candidate, v);
            a->steps++;
        }
    }
}

static void bellman_ford(const graph *g, int source, answer *a)
{
    reset(a, source);
    for (int round = 0; round < NODES; round++) {
        int changed = 0;
        for (int u = 0; u < NODES; u++) {
            if (a->distance[u] == unreached)
                continue;
            for (int e = g->first[u]; e < g->first[u + 1]; e++) {
                int candidate = a->distance[u] + g->weight[e];
                if (candidate < a->distance[g->target[e]]) {
                    a->distance[g->target[e]] = candidate;
                    changed = 1;
                    a->steps++;
                }
            }
        }
        if (!changed)
            break;
    }
}

static unsigned digest(const answer *a, unsigned sum)
{
    for (int v = 0; v < NODES; v++)
        if (a->distance[v] != unreached)
            sum = (sum ^ (unsigned)a->distance[v]) * 16777619u;
    return sum;
}

/* Answers one query into result; returns how many algorithms disagree. */
static int answer_query(const graph *g, int source, int every, answer *result)
{
    static answer found[KINDS];
    int kind = g->kind, used[KINDS] = {0}, wrong = 0;
    const graph *local;

    #pragma omp parallel sections num_threads(4) private(local) shared(found, used)
    {
        #pragma omp section
        {
            local = g;
            if (kind == UNIT) {
                breadth_first(local, source, &found[UNIT]);
                used[UNIT] = 1;
            }
        }
        #pragma omp section
        {
            local = g;
            if (kind == ACYCLIC) {
                relax_in_order(local, source, &found[ACYCLIC]);
                used[ACYCLIC] = 1;
            }
        }
        #pragma omp section
        {
            local = g;
            if (kind == POSITIVE || (every && kind != NEGATIVE)) {
                dijkstra(local, source, &found[POSITIVE]);
                used[POSITIVE] = 1;
            }
        }
        #pragma omp section
        {
            local = g;
            if (kind == NEGATIVE || every) {
                bellman_ford(local, source, &found[NEGATIVE]);
                used[NEGATIVE] = 1;
            }
        }
    }
    for (int k = 0; k < KINDS; k++)
        if (used[k] && memcmp(found[k].distance, found[kind].distance, sizeof found[k].distance))
            wrong++;
    *result = found[kind];
    return wrong;
}

int main(int argc, char **argv)
{
    int queries = argc > 1 ? atoi(argv[1]) : 12000;
    int every = argc > 2 && strcmp(argv[2], "all") == 0;
    static graph graphs[KINDS];
    static answer result;
    unsigned sum[KINDS] = {0};
    long steps[KINDS] = {0};
    int wrong = 0, asked[KINDS] = {0};

    for (int k = 0; k < KINDS; k++)
        make_graph(&graphs[k], (enum kind)k);
    for (int q = 0; q < queries; q++) {
        int kind = random_below(KINDS);
        int source = random_below(kind == ACYCLIC ? NODES / 4 : NODES);
        wrong += answer_query(&graphs[kind], source, every, &result);
        sum[kind] = digest(&result, sum[kind]);
        steps[kind] += result.steps;
        asked[kind]++;
    }
    for (int k = 0; k < KINDS; k++)
        printf("%-8s queries %d steps %ld sum %08x\n", kind_name[k], asked[k], steps[k], sum[k]);
    printf("disagreements %d\n", wrong);
    return wrong != 0;
}
