/*
 * A chain of filters on pictures of a camera: each picture is taken, cleaned of noise, compared
 * with the one before, sharpened where it moved, and shown. video.plan.yaml makes a pipeline of
 * the five steps.
 *
 * What is hard on an estimate: noise comes in gusts, so that cleaning takes from picture to
 * picture a fourth or four times as long; the search for movement ends early where nothing moves;
 * both are dear on the same pictures. Sharpening reads what two stages before it wrote, one of
 * them not its neighbour. Comparing keeps a picture for the next, cleaning and sharpening keep
 * nothing.
 *
 * Usage: video [PICTURES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 48, BLOCK = 8, ACROSS = WIDTH / BLOCK, DOWN = HEIGHT / BLOCK, PLACES = 8, REACH = 2 };

typedef struct { unsigned char at[HEIGHT][WIDTH]; } picture;
typedef struct { signed char x[DOWN][ACROSS], y[DOWN][ACROSS]; } movement;

static picture taken[PLACES], clean[PLACES], sharp[PLACES];
static movement moved[PLACES];

/* ---- the camera ---- */

static unsigned seed = 7;

static unsigned noise(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 24;
}

/* take makes a picture of a bright square that moves over stripes, with noise now and then. */
static void take(picture *p, int number)
{
    int x = number * 3 % (WIDTH - 12), y = number * number % (HEIGHT - 10);
    int gust = number / 5 % 3 == 1 ? 60 : 4; /* of 256 pixels */
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < WIDTH; j++) {
            int light = 40 + (i * 2 + j / 4 * 8) % 90;
            if (i >= y && i < y + 10 && j >= x && j < x + 12)
                light = 220;
            if ((int)noise() < gust)
                light = noise() & 1 ? 255 : 0;
            p->at[i][j] = (unsigned char)light;
        }
}

/* ---- cleaning ---- */

static int pixel(const picture *p, int i, int j)
{
    i = i < 0 ? 0 : i >= HEIGHT ? HEIGHT - 1 : i;
    j = j < 0 ? 0 : j >= WIDTH ? WIDTH - 1 : j;
    return p->at[i][j];
}

static int median(const picture *p, int i, int j)
{
    int all[9], n = 0;
    for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++) {
            int v = pixel(p, i + a, j + b), k = n++;
            for (; k > 0 && all[k - 1] > v; k--)
                all[k] = all[k - 1];
            all[k] = v;
        }
    return all[4];
}

/* denoise puts the median in place of pixels that are unlike their neighbours. */
static void denoise(picture *to, const picture *from)
{
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < WIDTH; j++) {
            int around = (pixel(from, i, j - 1) + pixel(from, i, j + 1) + pixel(from, i - 1, j) + pixel(from, i + 1, j)) / 4;
            int here = from->at[i][j], off = here > around ? here - around : around - here;
            to->at[i][j] = (unsigned char)(off > 48 ? median(from, i, j) : here);
        }
}

/* ---- comparing ---- */

static picture before;

static int unlike(const picture *p, int i, int j, int y, int x, int enough)
{
    int sum = 0;
    for (int a = 0; a < BLOCK && sum < enough; a++)
        for (int b = 0; b < BLOCK; b++) {
            int d = p->at[i + a][j + b] - pixel(&before, i + a + y, j + b + x);
            sum += d < 0 ? -d : d;
        }
    return sum;
}

/* compare finds from where in the picture before each block came. */
static void compare(movement *to, const picture *p)
{
    for (int r = 0; r < DOWN; r++)
        for (int c = 0; c < ACROSS; c++) {
            int best = unlike(p, r * BLOCK, c * BLOCK, 0, 0, 1 << 20);
            to->x[r][c] = to->y[r][c] = 0;
            for (int y = -REACH; y <= REACH && best > BLOCK * BLOCK * 4; y++)
                for (int x = -REACH; x <= REACH; x++) {
                    int u = unlike(p, r * BLOCK, c * BLOCK, y, x, best);
                    if (u < best) {
                        best = u;
                        to->y[r][c] = (signed char)y;
                        to->x[r][c] = (signed char)x;
                    }
                }
            if (best > BLOCK * BLOCK * 16)
                to->x[r][c] = 100; /* it is new */
        }
    before = *p;
}

/* ---- sharpening and showing ---- */

static void sharpen(picture *to, const picture *from, const movement *m)
{
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < WIDTH; j++) {
            int v = from->at[i][j];
            if (m->x[i / BLOCK][j / BLOCK] || m->y[i / BLOCK][j / BLOCK]) {
                int around = pixel(from, i, j - 1) + pixel(from, i, j + 1) + pixel(from, i - 1, j) + pixel(from, i + 1, j);
                v = (8 * v - around) / 4;
                v = v < 0 ? 0 : v > 255 ? 255 : v;
            }
            to->at[i][j] = (unsigned char)v;
        }
}

static unsigned shown;

static void show(const picture *p, int number)
{
    unsigned rows[4] = {0, 0, 0, 0};
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < WIDTH; j += 2)
            rows[i & 3] = rows[i & 3] * 31u + p->at[i][j];
    shown = shown * 17u + (rows[0] ^ rows[1] ^ rows[2] ^ rows[3]) + (unsigned)number;
}

int main(int argc, char **argv)
{
    int pictures = argc > 1 ? atoi(argv[1]) : 120;
    memset(&before, 0, sizeof before);
    for (int n = 0; n < pictures; n++) {
        take(&taken[n % PLACES], n);
        denoise(&clean[n % PLACES], &taken[n % PLACES]);
        compare(&moved[n % PLACES], &clean[n % PLACES]);
        sharpen(&sharp[n % PLACES], &clean[n % PLACES], &moved[n % PLACES]);
        show(&sharp[n % PLACES], n);
    }
    printf("%d pictures, %08x\n", pictures, shown);
    return 0;
}
