/*
 * This file compresses colour pictures as baseline JPEG does: blocks of 8 by 8
 * through the discrete cosine transform, quantised, run lengths in zigzag order,
 * and a Huffman code made for the picture.
 *
 *   jpeg tiny|small|large
 *
 * Structure (paper, Table 4: jpeg, 1 region, 4 tasks): for every 16 by 16 square the
 * upper and the lower two blocks of brightness and the two blocks of colour are
 * sections. Making the picture, counting symbols and coding are serial.
 *
 * Correlation: a flat block skips the transform. Where a square is grey both colours
 * are flat (they go together); print, the squares with sharp brightness, is grey
 * (brightness excludes colour). Average times blend these squares into one that
 * never occurs, and promise too much.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 128, HEIGHT = 96, SQUARE = 16, BLOCK = 64, SYMBOLS = 256 };
enum { LONGEST_RUNS = 6 * BLOCK * WIDTH * HEIGHT / SQUARE / SQUARE };

static unsigned char luma[HEIGHT][WIDTH], blue[HEIGHT / 2][WIDTH / 2], red[HEIGHT / 2][WIDTH / 2];
static double cosine[8][8];
static int zigzag[BLOCK], quantiser[2][BLOCK];
static int coefficients[6][BLOCK]; /* four of brightness, two of colour */
static unsigned random_state = 0xc2b2ae35u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void prepare(void)
{
    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 8; x++)
            cosine[u][x] = (u ? 0.5 : 0.35355339059327379) * cos((2 * x + 1) * u * 3.14159265358979323846 / 16);
    int n = 0;
    for (int sum = 0; sum < 15; sum++)
        for (int i = 0; i <= sum; i++) {
            int y = sum % 2 ? i : sum - i, x = sum - y;
            if (x < 8 && y < 8)
                zigzag[n++] = 8 * y + x;
        }
    for (int i = 0; i < BLOCK; i++) {
        quantiser[0][i] = 12 + 5 * (i / 8 + i % 8);
        quantiser[1][i] = 17 + 9 * (i / 8 + i % 8);
    }
}

/* Squares are plain paper, print (sharp and grey), grey shading, or colour. */
static void make_picture(void)
{
    for (int y = 0; y < HEIGHT; y += SQUARE)
        for (int x = 0; x < WIDTH; x += SQUARE) {
            unsigned kind = next_random() % 8;
            int tone = (int)(next_random() % 160) + 40, step = (int)(next_random() % 5);
            for (int i = 0; i < SQUARE * SQUARE; i++) {
                int dx = i % SQUARE, dy = i / SQUARE, value = tone;
                if (kind >= 3 && kind < 6)
                    value = next_random() % 3 ? tone : tone - 40 + (int)(next_random() % 80);
                else if (kind == 6)
                    value = tone + step * (dx - dy) / 2;
                luma[y + dy][x + dx] = (unsigned char)value;
            }
            for (int i = 0; i < BLOCK; i++) {
                int dx = i % 8, dy = i / 8;
                int wave = kind == 7 ? (int)(next_random() % 60) - 30 + 3 * dx : 0;
                blue[y / 2 + dy][x / 2 + dx] = (unsigned char)(128 + wave);
                red[y / 2 + dy][x / 2 + dx] = (unsigned char)(128 - wave + (kind == 7 ? 4 * dy : 0));
            }
        }
}

static int is_flat(const unsigned char *pixels, int stride)
{
    for (int i = 1; i < BLOCK; i++)
        if (pixels[i / 8 * stride + i % 8] != pixels[0])
            return 0;
    return 1;
}

/* Rows, then columns, then rounding to the quantiser's steps. */
static void transform(const unsigned char *pixels, int stride, const int *steps, int *out)
{
    double rows[8][8];
    for (int y = 0; y < 8; y++)
        for (int u = 0; u < 8; u++) {
            double sum = 0;
            for (int x = 0; x < 8; x++)
                sum += cosine[u][x] * (pixels[y * stride + x] - 128);
            rows[y][u] = sum;
        }
    for (int v = 0; v < 8; v++)
        for (int u = 0; u < 8; u++) {
            double sum = 0;
            for (int y = 0; y < 8; y++)
                sum += cosine[v][y] * rows[y][u];
            out[8 * v + u] = (int)floor(sum / steps[8 * v + u] + 0.5);
        }
}

static void flat_block(const unsigned char *pixels, const int *steps, int *out)
{
    memset(out, 0, BLOCK * sizeof *out);
    out[0] = (int)floor(8.0 * (pixels[0] - 128) / steps[0] + 0.5);
}

/* Looks at all blocks first, as an encoder does that picks the way of each. */
static void do_square(int y, int x)
{
    const unsigned char *upper = &luma[y][x], *lower = &luma[y + 8][x];
    const unsigned char *first = &blue[y / 2][x / 2], *second = &red[y / 2][x / 2];
    int flat[6] = {is_flat(upper, WIDTH), is_flat(upper + 8, WIDTH), is_flat(lower, WIDTH),
                   is_flat(lower + 8, WIDTH), is_flat(first, WIDTH / 2), is_flat(second, WIDTH / 2)};
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        {
            if (flat[0])
                flat_block(upper, quantiser[0], coefficients[0]);
            else
                transform(upper, WIDTH, quantiser[0], coefficients[0]);
            if (flat[1])
                flat_block(upper + 8, quantiser[0], coefficients[1]);
            else
                transform(upper + 8, WIDTH, quantiser[0], coefficients[1]);
        }
        #pragma omp section
        {
            if (flat[2])
                flat_block(lower, quantiser[0], coefficients[2]);
            else
                transform(lower, WIDTH, quantiser[0], coefficients[2]);
            if (flat[3])
                flat_block(lower + 8, quantiser[0], coefficients[3]);
            else
                transform(lower + 8, WIDTH, quantiser[0], coefficients[3]);
        }
        #pragma omp section
        if (flat[4])
            flat_block(first, quantiser[1], coefficients[4]);
        else
            transform(first, WIDTH / 2, quantiser[1], coefficients[4]);
        #pragma omp section
        if (flat[5])
            flat_block(second, quantiser[1], coefficients[5]);
        else
            transform(second, WIDTH / 2, quantiser[1], coefficients[5]);
    }
}

typedef struct {
    unsigned char symbol; /* zeros before the value, and the bits that it needs */
    unsigned short bits;
} run;

static run runs[LONGEST_RUNS];
static int run_count, last_direct[3];

static void add_run(int zeros, int value)
{
    int magnitude = abs(value), size = 0;
    while (magnitude >> size)
        size++;
    runs[run_count].symbol = (unsigned char)(zeros << 4 | size);
    runs[run_count++].bits = (unsigned short)((value < 0 ? value - 1 : value) & ((1 << size) - 1));
}

static void run_lengths(const int *block, int component)
{
    add_run(0, block[0] - last_direct[component]);
    last_direct[component] = block[0];
    int zeros = 0;
    for (int i = 1; i < BLOCK; i++) {
        int value = block[zigzag[i]];
        if (value == 0) {
            zeros++;
            continue;
        }
        for (; zeros > 15; zeros -= 16)
            add_run(15, 0);
        add_run(zeros, value);
        zeros = 0;
    }
    if (zeros)
        add_run(0, 0);
}

static int code_length[SYMBOLS];
static unsigned code[SYMBOLS];

/* Huffman: join the two rarest until one is left; then number codes by length. */
static void make_code(const long *frequency)
{
    long weight[2 * SYMBOLS];
    int parent[2 * SYMBOLS], nodes = SYMBOLS;
    for (int s = 0; s < SYMBOLS; s++)
        weight[s] = frequency[s];
    memset(parent, 0, sizeof parent);
    for (;;) {
        int least = -1, next = -1;
        for (int n = 0; n < nodes; n++) {
            if (weight[n] == 0 || parent[n])
                continue;
            if (least < 0 || weight[n] < weight[least]) {
                next = least;
                least = n;
            } else if (next < 0 || weight[n] < weight[next])
                next = n;
        }
        if (next < 0)
            break;
        weight[nodes] = weight[least] + weight[next];
        parent[nodes] = 0;
        parent[least] = parent[next] = nodes++;
    }
    for (int s = 0; s < SYMBOLS; s++) {
        code_length[s] = 0;
        for (int n = s; parent[n]; n = parent[n])
            code_length[s]++;
    }
    unsigned value = 0;
    for (int length = 1; length < 32; length++, value <<= 1)
        for (int s = 0; s < SYMBOLS; s++)
            if (code_length[s] == length)
                code[s] = value++;
}

/* Writes the bits of all runs; returns their number and mixes them into *sum. */
static long write_bits(unsigned *sum)
{
    long written = 0;
    unsigned byte = 0;
    for (int r = 0; r < run_count; r++) {
        int symbol = runs[r].symbol, size = symbol & 15;
        unsigned long long bits = (unsigned long long)code[symbol] << size | runs[r].bits;
        for (int b = code_length[symbol] + size - 1; b >= 0; b--) {
            byte = byte << 1 | (unsigned)(bits >> b & 1);
            if (++written % 8 == 0) {
                *sum = (*sum ^ (byte & 255)) * 16777619u;
                byte = 0;
            }
        }
    }
    return written;
}

static int pictures(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return 400;
    if (argc == 2 && strcmp(argv[1], "large") == 0)
        return 4000;
    if (argc == 2 && strcmp(argv[1], "tiny") == 0)
        return 16;
    fprintf(stderr, "usage: jpeg tiny|small|large\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int count = pictures(argc, argv);
    long bits = 0, symbols = 0;
    unsigned sum = 2166136261u;
    prepare();
    for (int n = 0; n < count; n++) {
        long frequency[SYMBOLS] = {0};
        make_picture();
        run_count = 0;
        memset(last_direct, 0, sizeof last_direct);
        for (int y = 0; y < HEIGHT; y += SQUARE)
            for (int x = 0; x < WIDTH; x += SQUARE) {
                do_square(y, x);
                for (int b = 0; b < 6; b++)
                    run_lengths(coefficients[b], b < 4 ? 0 : b - 3);
            }
        for (int r = 0; r < run_count; r++)
            frequency[runs[r].symbol]++;
        make_code(frequency);
        bits += write_bits(&sum);
        symbols += run_count;
    }
    printf("pictures %d symbols %ld bits %ld sum %08x\n", count, symbols, bits, sum);
    return 0;
}
