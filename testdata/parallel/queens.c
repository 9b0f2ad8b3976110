/*
 * This file counts the ways to set queens, and routes with turns forbidden, by search
 * in tasks: a tree that is as ragged as searches are.
 *
 *   queens [SIDE [DEPTH]]     default: 9 3
 *
 * Constructs. Tasks made in a loop and by recursion down to a depth, with final, if,
 * mergeable and untied; taskwait; taskgroup; taskyield; results through a shared array,
 * through atomic and through critical; parallel master beside parallel single.
 *
 * What is hard. Tasks of one construct differ a thousandfold: some end at once, for no
 * row is free. Tasks below DEPTH would be a few dozen instructions long, far below what
 * it takes to make one: the depth decides between few long tasks and very many short
 * ones, and it is the argument. Nobody knows the work of a task before it has run. The
 * best route is kept in a shared variable: how much is searched must not depend on when
 * it was found, so it is only compared, never used to cut.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 13, GRID = 6 };

typedef struct {
    int side;
    uint32_t columns, left, right; /* taken, seen from the row */
    int row;
} board;

typedef struct {
    int x, y, turns, length, heading;
    uint64_t visited;
} route;

static int depth;
static long nodes, dead_ends;
static int fewest_turns, longest;
static unsigned char blocked[GRID][GRID];

static long search(const board *b)
{
    if (b->row == b->side)
        return 1;
    long ways = 0;
    uint32_t open = ~(b->columns | b->left | b->right) & ((1u << b->side) - 1);
    while (open != 0) {
        uint32_t queen = open & -open;
        open ^= queen;
        board next = {b->side, b->columns | queen, (b->left | queen) << 1, (b->right | queen) >> 1, b->row + 1};
        ways += search(&next);
    }
    return ways;
}

/* Above the depth a task a queen, below plain calls. */
static long search_in_tasks(const board *b)
{
    if (b->row >= depth || b->row == b->side)
        return search(b);
    long ways[LARGEST] = {0}, total = 0;
    int count = 0;
    uint32_t open = ~(b->columns | b->left | b->right) & ((1u << b->side) - 1);
    while (open != 0) {
        uint32_t queen = open & -open;
        board next = {b->side, b->columns | queen, (b->left | queen) << 1, (b->right | queen) >> 1, b->row + 1};
        open ^= queen;
        #pragma omp task shared(ways) firstprivate(next, count) final(next.row >= depth) mergeable
        ways[count] = search_in_tasks(&next);
        count++;
    }
    #pragma omp atomic
    nodes++;
    if (count == 0) {
        #pragma omp atomic
        dead_ends++;
    }
    #pragma omp taskwait
    for (int i = 0; i < count; i++)
        total += ways[i];
    return total;
}

/* The first queen is set by a loop; the tasks of a half board, for the other half mirrors it. */
static long count_queens(int side)
{
    long ways[LARGEST] = {0}, total = 0;
    #pragma omp parallel
    #pragma omp single
    #pragma omp taskgroup
    for (int column = 0; column < (side + 1) / 2; column++) {
        uint32_t queen = 1u << column;
        board first = {side, queen, queen << 1, queen >> 1, 1};
        #pragma omp task untied shared(ways) firstprivate(first, column)
        ways[column] = search_in_tasks(&first);
    }
    for (int column = 0; column < side / 2; column++)
        total += 2 * ways[column];
    if (side % 2 != 0)
        total += ways[side / 2];
    return total;
}

static void make_grid(void)
{
    uint32_t state = 77u;
    memset(blocked, 0, sizeof blocked);
    for (int i = 0; i < 5; i++) {
        state = state * 69069u + 1u;
        blocked[(state >> 12) % GRID][(state >> 24) % GRID] = 1;
    }
    blocked[0][0] = blocked[GRID - 1][GRID - 1] = 0;
}

static void arrive(const route *r)
{
    #pragma omp critical(best)
    {
        if (r->turns < fewest_turns)
            fewest_turns = r->turns;
        if (r->length > longest)
            longest = r->length;
    }
}

/* Routes from corner to corner with few turns; tasks as long as they are young. */
static void walk(route r, long *arrived)
{
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    long found[4] = {0};
    if (r.x == GRID - 1 && r.y == GRID - 1) {
        arrive(&r);
        *arrived = 1;
        return;
    }
    for (int way = 0; way < 4; way++) {
        route next = r;
        next.x += dx[way];
        next.y += dy[way];
        if (next.x < 0 || next.y < 0 || next.x >= GRID || next.y >= GRID || blocked[next.y][next.x])
            continue;
        uint64_t field = (uint64_t)1 << (next.y * GRID + next.x);
        if (r.visited & field)
            continue;
        next.visited |= field;
        next.turns += r.heading != way;
        next.heading = way;
        next.length++;
        if (next.turns > 9)
            continue;
        #pragma omp task if (next.length < 2 * depth) shared(found) firstprivate(next, way)
        walk(next, &found[way]);
    }
    if (r.length == depth) {
        #pragma omp taskyield
    }
    #pragma omp taskwait
    *arrived = found[0] + found[1] + found[2] + found[3];
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 9;
    depth = argc > 2 ? atoi(argv[2]) : 3;
    if (side < 4 || side > LARGEST || depth < 1) {
        fprintf(stderr, "usage: queens [SIDE (4 to %d) [DEPTH (1 or more)]]\n", LARGEST);
        return 2;
    }
    for (int n = 4; n <= side; n++)
        printf("%d queens: %ld ways\n", n, count_queens(n));
    printf("%ld nodes in tasks, %ld of them dead ends\n", nodes, dead_ends);

    long arrived = 0;
    fewest_turns = GRID * GRID;
    make_grid();
    route start = {.heading = 1, .visited = 1};
    #pragma omp parallel
    {
        #pragma omp master
        walk(start, &arrived);
    }
    printf("%ld routes, fewest turns %d, longest %d\n", arrived, fewest_turns, longest);
    return 0;
}
