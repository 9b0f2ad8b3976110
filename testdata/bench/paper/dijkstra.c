/*
 * This file finds shortest paths between pairs of nodes of dense networks given as
 * matrices, by Dijkstra's method with a plain scan for the nearest node.
 *
 *   dijkstra tiny|small|large
 *
 * Structure (paper, Table 4: dijkstra, 1 region, 4 tasks). The parallelism is false,
 * as in the paper: there are four networks with a task each, and every question is
 * about one of them, so that exactly one of the four tasks works at a time.
 *
 * Correlation: complete mutual exclusion. A path through the region runs one task
 * and skips three: the path-based estimate is a speed-up just below 1, the
 * overheads. Average times give every task a quarter of the work at all times and
 * promise close to the number of processors.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORKS = 4, NODES = 100, FAR = INT_MAX / 2 };

typedef struct {
    int length[NODES][NODES];              /* of the edge; 0 where there is none */
    int distance[NODES], before[NODES];    /* the last answer */
    char done[NODES];
} network;

static network networks[NETWORKS];
static unsigned random_state = 0x85ebca6bu;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* The networks differ in how many of the edges they have: 20 to 80 in a hundred. */
static void make_network(network *n, unsigned density)
{
    for (int u = 0; u < NODES; u++)
        for (int v = 0; v < NODES; v++)
            n->length[u][v] = next_random() % 100 < density ? 1 + (int)(next_random() % 100) : 0;
}

/* Distance between two nodes, FAR without a way. */
static int shortest(network *n, int from, int to)
{
    for (int v = 0; v < NODES; v++) {
        n->distance[v] = FAR;
        n->before[v] = -1;
        n->done[v] = 0;
    }
    n->distance[from] = 0;
    for (;;) {
        int u = -1, nearest = FAR;
        for (int v = 0; v < NODES; v++)
            if (!n->done[v] && n->distance[v] < nearest) {
                nearest = n->distance[v];
                u = v;
            }
        if (u < 0)
            return FAR;
        if (u == to)
            return nearest;
        n->done[u] = 1;
        for (int v = 0; v < NODES; v++) {
            int length = n->length[u][v];
            if (length && nearest + length < n->distance[v]) {
                n->distance[v] = nearest + length;
                n->before[v] = u;
            }
        }
    }
}

/* Every task looks whether the question is its own. */
static int ask(int about, int from, int to)
{
    static int answer[NETWORKS];
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        if (about == 0)
            answer[0] = shortest(&networks[0], from, to);
        #pragma omp section
        if (about == 1)
            answer[1] = shortest(&networks[1], from, to);
        #pragma omp section
        if (about == 2)
            answer[2] = shortest(&networks[2], from, to);
        #pragma omp section
        if (about == 3)
            answer[3] = shortest(&networks[3], from, to);
    }
    return answer[about];
}

/* Walks the way back and adds it up again. */
static int hops(const network *n, int from, int to, int expected)
{
    int count = 0, length = 0;
    for (int v = to; v != from; v = n->before[v]) {
        length += n->length[n->before[v]][v];
        count++;
    }
    return length == expected ? count : -NODES;
}

static int questions(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 6000;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 60000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 240;
    fprintf(stderr, "usage: dijkstra tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = questions(argc, argv);
    long length = 0, edges = 0, asked[NETWORKS] = {0};
    for (int k = 0; k < NETWORKS; k++)
        make_network(&networks[k], 20 * (unsigned)(k + 1));
    for (int q = 0; q < count; q++) {
        int about = (int)(next_random() % NETWORKS);
        int from = (int)(next_random() % NODES), to = (int)(next_random() % NODES);
        int distance = ask(about, from, to);
        asked[about]++;
        if (distance < FAR) {
            length += distance;
            edges += hops(&networks[about], from, to, distance);
        }
    }
    printf("questions %ld %ld %ld %ld length %ld edges %ld\n", asked[0], asked[1], asked[2], asked[3], length,
           edges);
    return edges < 0;
}
