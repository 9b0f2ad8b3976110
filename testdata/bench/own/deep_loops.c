/*
 * This file estimates motion between two pictures by matching blocks: over rows and
 * columns of blocks, over displacements in two directions, over the pixels in two.
 *
 *   deep_loops tiny|small|large
 *
 * What is hard: a nest of seven loops, whose inner trip counts depend on the outer ones.
 * The upper and the lower half of a picture are sections; one half moves and is
 * searched far around, the other is at rest and is not, and they change places. A
 * comparison of two blocks stops at the row where it is worse than the best so far.
 *
 * What averages miss: at each level of the nest a loop's mean trip count stands for
 * all; the product of means is not the mean of products, and both halves have the
 * same means at every level. Paths are exact within one level only.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 96, EDGE = 12, BLOCK = 8, FARTHEST = 4 };

static unsigned char before[HEIGHT + 2 * EDGE][WIDTH + 2 * EDGE], now[HEIGHT + 2 * EDGE][WIDTH + 2 * EDGE];
static signed char motion[HEIGHT / BLOCK][WIDTH / BLOCK][2];
static unsigned random_state = 0x3ade68b1u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void make_picture(void)
{
    for (int y = 0; y < HEIGHT + 2 * EDGE; y++)
        for (int x = 0; x < WIDTH + 2 * EDGE; x++)
            before[y][x] = (unsigned char)((x * x / 16 + y * (x + 3) / 8 + (int)(next_random() % 24)) & 255);
}

/* One half moves by (dx, dy), the other stays; both get new grain. */
static void move(int upper, int dx, int dy)
{
    for (int y = EDGE; y < HEIGHT + EDGE; y++)
        for (int x = EDGE; x < WIDTH + EDGE; x++) {
            int moves = (y < EDGE + HEIGHT / 2) == upper;
            int grain = (int)(next_random() % 9) - 4, from = moves ? before[y + dy][x + dx] : before[y][x];
            now[y][x] = (unsigned char)(from + grain < 0 ? 0 : from + grain > 255 ? 255 : from + grain);
        }
}

/* Sum of absolute differences of two blocks; stops where it passes the limit. */
static int difference(int y, int x, int dy, int dx, int limit)
{
    int sum = 0;
    for (int i = 0; i < BLOCK && sum < limit; i++)
        for (int j = 0; j < BLOCK; j++)
            sum += abs(now[y + i][x + j] - before[y + dy + i][x + dx + j]);
    return sum;
}

/* Searches block rows from to to-1 around (0, 0), on rings of growing distance. */
static long search(int from, int to, int reach)
{
    long total = 0;
    for (int by = from; by < to; by++)
        for (int bx = 0; bx < WIDTH / BLOCK; bx++) {
            int y = EDGE + by * BLOCK, x = EDGE + bx * BLOCK, best = INT_MAX;
            for (int ring = 0; ring <= reach; ring++)
                for (int dy = -ring; dy <= ring; dy++)
                    for (int dx = -ring; dx <= ring; dx += abs(dy) == ring || ring == 0 ? 1 : 2 * ring) {
                        int d = difference(y, x, dy, dx, best);
                        if (d >= best)
                            continue;
                        best = d;
                        motion[by][bx][0] = (signed char)dy;
                        motion[by][bx][1] = (signed char)dx;
                    }
            total += best;
        }
    return total;
}

static long search_halves(int upper_reach, int lower_reach)
{
    long upper = 0, lower = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        upper = search(0, HEIGHT / BLOCK / 2, upper_reach);
        #pragma omp section
        lower = search(HEIGHT / BLOCK / 2, HEIGHT / BLOCK, lower_reach);
    }
    return upper + lower;
}

static int pictures(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 480;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 4800;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 20;
    fprintf(stderr, "usage: deep_loops tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = pictures(argc, argv);
    long left_over = 0, moved = 0, found = 0;
    for (int n = 0; n < count; n++) {
        int upper = n / 4 % 2, dx = (int)(next_random() % 9) - 4, dy = (int)(next_random() % 9) - 4;
        if (n % 8 == 0)
            make_picture();
        move(upper, dx, dy);
        left_over += search_halves(upper ? FARTHEST : 1, upper ? 1 : FARTHEST);
        for (int by = 0; by < HEIGHT / BLOCK; by++)
            for (int bx = 0; bx < WIDTH / BLOCK; bx++) {
                int moves = (by < HEIGHT / BLOCK / 2) == upper;
                moved += moves;
                found += motion[by][bx][0] == (moves ? dy : 0) && motion[by][bx][1] == (moves ? dx : 0);
            }
    }
    printf("pictures %d left over %ld blocks moved %ld found %ld\n", count, left_over, moved, found);
    return 0;
}
