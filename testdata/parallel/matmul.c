/*
 * This file multiplies matrices of fixed-point numbers block by block, as a network's
 * layers do: a layer is a product, a bias and a threshold.
 *
 *   matmul [SIDE [LAYERS [BATCH]]]     default: 72 3 56
 *
 * Constructs. Parallel loops over blocks with collapse(2) and collapse(3), for simd and
 * parallel for simd; regions with several loops, some with nowait; firstprivate and
 * private tiles; num_threads and if clauses that depend on the size of the layer.
 *
 * What is hard. Blocks are few, so they do not divide by the number of processors: five
 * blocks on four processors take as long as eight. The blocks at the edges are cut off
 * and cost less. Several nested loops are one loop to whoever schedules. The inner
 * loops are so cheap that counting them must not cost more than they do. The last layer
 * is so small that its loop stays sequential, in the same region.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 16, FRACTION = 8, LARGEST = 1024, SMALL_LAYER = 2 * BLOCK };

typedef struct {
    int rows, columns;
    int32_t *at;
} matrix;

static uint32_t random_state = 4711u;

static int random_below(int limit)
{
    random_state = random_state * 69069u + 12345u;
    return (int)((random_state >> 9) % (uint32_t)limit);
}

static matrix make_matrix(int rows, int columns)
{
    matrix m = {rows, columns, calloc((size_t)rows * (size_t)columns, sizeof(int32_t))};
    if (m.at == NULL) {
        fprintf(stderr, "matmul: no memory for %d by %d numbers\n", rows, columns);
        exit(1);
    }
    return m;
}

static void fill(matrix *m, int range)
{
    for (int i = 0; i < m->rows * m->columns; i++)
        m->at[i] = random_below(2 * range) - range;
}

static int blocks_of(int length)
{
    return (length + BLOCK - 1) / BLOCK;
}

static int end_of(int block, int length)
{
    int end = (block + 1) * BLOCK;
    return end < length ? end : length;
}

/* Adds the product of a block of a and one of b to the tile. */
static void multiply_block(const matrix *a, const matrix *b, int row, int middle, int column, int64_t tile[BLOCK][BLOCK])
{
    int last_row = end_of(row, a->rows), last_middle = end_of(middle, a->columns), last_column = end_of(column, b->columns);
    for (int i = row * BLOCK; i < last_row; i++)
        for (int k = middle * BLOCK; k < last_middle; k++) {
            int64_t factor = a->at[i * a->columns + k];
            for (int j = column * BLOCK; j < last_column; j++)
                tile[i - row * BLOCK][j - column * BLOCK] += factor * b->at[k * b->columns + j];
        }
}

/* One iteration a block of the result; the tile is each thread's own. */
static void multiply(const matrix *a, const matrix *b, matrix *c)
{
    int down = blocks_of(c->rows), across = blocks_of(c->columns), through = blocks_of(a->columns);
    #pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < down; row++)
        for (int column = 0; column < across; column++) {
            int64_t tile[BLOCK][BLOCK] = {{0}};
            for (int middle = 0; middle < through; middle++)
                multiply_block(a, b, row, middle, column, tile);
            for (int i = row * BLOCK; i < end_of(row, c->rows); i++)
                for (int j = column * BLOCK; j < end_of(column, c->columns); j++)
                    c->at[i * c->columns + j] = (int32_t)(tile[i - row * BLOCK][j - column * BLOCK] >> FRACTION);
        }
}

/* The same product again by all three indices; adds up what differs from c. */
static int64_t check(const matrix *a, const matrix *b, const matrix *c)
{
    int64_t whole = 0;
    int down = blocks_of(c->rows), across = blocks_of(c->columns), through = blocks_of(a->columns);
    #pragma omp parallel for collapse(3) schedule(dynamic) reduction(+ : whole)
    for (int row = 0; row < down; row++)
        for (int column = 0; column < across; column++)
            for (int middle = 0; middle < through; middle++) {
                int64_t tile[BLOCK][BLOCK] = {{0}};
                multiply_block(a, b, row, middle, column, tile);
                for (int i = 0; i < BLOCK; i++)
                    for (int j = 0; j < BLOCK; j++)
                        whole += tile[i][j];
            }
    const int32_t *at = c->at;
    int64_t rounded = 0, count = (int64_t)c->rows * c->columns;
    #pragma omp parallel for simd reduction(+ : rounded)
    for (int64_t i = 0; i < count; i++)
        rounded += at[i];
    /* Each number lost less than one when it was shifted down. */
    int64_t lost = (whole >> FRACTION) - rounded;
    return lost >= 0 && lost <= count ? 0 : lost;
}

/* Bias, threshold and scaling in one region; a small layer is left to one thread. */
static void activate(matrix *m, const int32_t *bias, int32_t *largest)
{
    int rows = m->rows, columns = m->columns;
    int32_t top = 1, *at = m->at;
    #pragma omp parallel if (rows > SMALL_LAYER) num_threads(4) firstprivate(rows, columns, at) shared(top)
    {
        #pragma omp for schedule(static)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                int32_t v = m->at[i * columns + j] + bias[i];
                m->at[i * columns + j] = v > 0 ? v : v / 8;
            }
        #pragma omp for schedule(static, 8) reduction(max : top)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                if (m->at[i * columns + j] > top)
                    top = m->at[i * columns + j];
        int32_t scale = (1 << (2 * FRACTION)) / top;
        #pragma omp for simd schedule(static) nowait
        for (int i = 0; i < rows * columns; i++)
            at[i] = (at[i] * scale) >> FRACTION;
    }
    *largest = top;
}

static void report(int layer, const matrix *m, int32_t largest, int64_t wrong)
{
    uint32_t mixed = 2166136261u;
    for (int i = 0; i < m->rows * m->columns; i++)
        mixed = (mixed ^ (uint32_t)m->at[i]) * 16777619u;
    printf("layer %d: %d by %d, largest %d, sum %08x, wrong %lld\n", layer, m->rows, m->columns, largest, mixed, (long long)wrong);
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 72;
    int layers = argc > 2 ? atoi(argv[2]) : 3;
    int batch = argc > 3 ? atoi(argv[3]) : 56;
    if (side < 4 || side > LARGEST || layers < 1 || batch < 1 || batch > LARGEST) {
        fprintf(stderr, "usage: matmul [SIDE (4 to %d) [LAYERS [BATCH (up to %d)]]]\n", LARGEST, LARGEST);
        return 2;
    }
    matrix signal = make_matrix(side, batch);
    fill(&signal, 1 << FRACTION);
    for (int layer = 0; layer < layers; layer++) {
        /* Each layer is somewhat smaller; the last has ten rows. */
        int rows = layer == layers - 1 ? 10 : signal.rows - signal.rows / 5;
        matrix weights = make_matrix(rows, signal.rows), result = make_matrix(rows, batch);
        int32_t *bias = make_matrix(rows, 1).at, largest;
        fill(&weights, 1 << FRACTION);
        for (int i = 0; i < rows; i++)
            bias[i] = random_below(512) - 256;
        multiply(&weights, &signal, &result);
        int64_t wrong = check(&weights, &signal, &result);
        activate(&result, bias, &largest);
        report(layer, &result, largest, wrong);
        free(weights.at);
        free(bias);
        free(signal.at);
        signal = result;
    }
    free(signal.at);
    return 0;
}
