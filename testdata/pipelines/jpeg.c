/*
 * An encoder of pictures after the manner of JPEG: strips of eight rows are made into brightness
 * and colour, transformed in blocks, quantised, coded with runs of zeros, and stored.
 * jpeg.plan.yaml makes a pipeline of it whose items are strips.
 *
 * What is hard on an estimate: the transform takes the same on each strip, coding as much as there
 * is in it; a picture is smooth above and rough below, so that which of the two is slowest
 * changes on the way. The pipeline is filled and drained once a picture. Coding keeps what the last
 * block was, storing the bits that fill no byte; the stages between keep nothing.
 *
 * Usage: jpeg [PICTURES [ROWS]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 128, BLOCKS = WIDTH / 8, PLACES = 4, MOST = BLOCKS * 64 * 3 };

typedef struct { unsigned char rgb[8][WIDTH][3]; } raw;
typedef struct { short at[BLOCKS][64]; } plane;
typedef struct { int count; unsigned short code[MOST]; unsigned char bits[MOST]; } codes;

static raw scanned[PLACES];
static plane light[PLACES], waves[PLACES], levels[PLACES];
static codes coded[PLACES];

/* ---- reading and colours ---- */

static unsigned seed;

/* load makes a strip: a slope above, more and more texture below. */
static void load(raw *to, int picture, int strip, int strips)
{
    int rough = 200 * strip / strips;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < WIDTH; j++) {
            seed = seed * 1103515245u + 12345u;
            int v = 30 + (strip * 8 + i + j + picture * 5) % 160 + (int)(seed >> 16) % (rough + 1) / 3;
            to->rgb[i][j][0] = (unsigned char)v;
            to->rgb[i][j][1] = (unsigned char)(255 - v);
            to->rgb[i][j][2] = (unsigned char)(v ^ (j & 63));
        }
}

static void brighten(plane *to, const raw *from)
{
    for (int b = 0; b < BLOCKS; b++)
        for (int k = 0; k < 64; k++) {
            const unsigned char *p = from->rgb[k / 8][b * 8 + k % 8];
            to->at[b][k] = (short)((77 * p[0] + 150 * p[1] + 29 * p[2]) / 256 - 128);
        }
}

/* ---- transform and levels ---- */

/* Cosines of the discrete transform, times 1024. */
static const short cosine[8][8] = {
    {724, 724, 724, 724, 724, 724, 724, 724}, {1004, 851, 569, 200, -200, -569, -851, -1004},
    {946, 392, -392, -946, -946, -392, 392, 946}, {851, -200, -1004, -569, 569, 1004, 200, -851},
    {724, -724, -724, 724, 724, -724, -724, 724}, {569, -1004, 200, 851, -851, -200, 1004, -569},
    {392, -946, 946, -392, -392, 946, -946, 392}, {200, -569, 851, -1004, 1004, -851, 569, -200}};

static void transform(plane *to, const plane *from)
{
    for (int b = 0; b < BLOCKS; b++) {
        int rows[64];
        for (int i = 0; i < 8; i++)
            for (int u = 0; u < 8; u++) {
                int sum = 0;
                for (int j = 0; j < 8; j++)
                    sum += cosine[u][j] * from->at[b][i * 8 + j];
                rows[i * 8 + u] = sum / 256;
            }
        for (int u = 0; u < 8; u++)
            for (int v = 0; v < 8; v++) {
                int sum = 0;
                for (int i = 0; i < 8; i++)
                    sum += cosine[v][i] * rows[i * 8 + u];
                to->at[b][v * 8 + u] = (short)(sum / 16384);
            }
    }
}

static const unsigned char order[64] = {
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

static void quantise(plane *to, const plane *from)
{
    for (int b = 0; b < BLOCKS; b++)
        for (int k = 0; k < 64; k++) {
            int step = 6 + 2 * k, v = from->at[b][order[k]];
            to->at[b][k] = (short)(v < 0 ? -((-v + step / 2) / step) : (v + step / 2) / step);
        }
}

/* ---- codes ---- */

static int last;

static void put(codes *to, int zeros, int value)
{
    int size = 0, v = value < 0 ? -value : value;
    while (v >> size)
        size++;
    unsigned code = (unsigned)(zeros * 11 + size + 2), length = 3;
    while (code >> length)
        length++;
    to->code[to->count] = (unsigned short)code;
    to->bits[to->count++] = (unsigned char)(2 * length - 1);
    to->code[to->count] = (unsigned short)(value < 0 ? value + (1 << size) - 1 : value);
    to->bits[to->count++] = (unsigned char)size;
}

/* encode codes the first level of each block as what it is more than that before, and the others
 * behind their zeros. */
static void encode(codes *to, const plane *from)
{
    to->count = 0;
    for (int b = 0; b < BLOCKS; b++) {
        put(to, 0, from->at[b][0] - last);
        last = from->at[b][0];
        int zeros = 0;
        for (int k = 1; k < 64; k++) {
            if (!from->at[b][k]) {
                zeros++;
                continue;
            }
            put(to, zeros, from->at[b][k]);
            zeros = 0;
        }
        if (zeros)
            put(to, 63, 0);
    }
}

/* ---- storing ---- */

static unsigned long long pending;
static int filled;
static long bytes;
static unsigned sum;

static void store(const codes *from)
{
    for (int k = 0; k < from->count; k++) {
        pending = pending << from->bits[k] | from->code[k];
        for (filled += from->bits[k]; filled >= 8; filled -= 8) {
            sum = (sum << 1 | sum >> 31) ^ (unsigned)(pending >> (filled - 8) & 255);
            bytes++;
        }
    }
}

static void picture(int number, int strips)
{
    for (int s = 0; s < strips; s++) {
        load(&scanned[s % PLACES], number, s, strips);
        brighten(&light[s % PLACES], &scanned[s % PLACES]);
        transform(&waves[s % PLACES], &light[s % PLACES]);
        quantise(&levels[s % PLACES], &waves[s % PLACES]);
        encode(&coded[s % PLACES], &levels[s % PLACES]);
        store(&coded[s % PLACES]);
    }
}

int main(int argc, char **argv)
{
    int pictures = argc > 1 ? atoi(argv[1]) : 4, rows = argc > 2 ? atoi(argv[2]) : 320;
    for (int n = 0; n < pictures; n++) {
        last = 0;
        picture(n, rows / 8);
    }
    printf("%d pictures, %ld bytes, %08x\n", pictures, bytes, sum);
    return 0;
}
