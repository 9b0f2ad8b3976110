/*
 * This file finds edges in pictures by SUSAN's principle: along an edge about half of
 * the disc around a pixel is as bright as the pixel.
 *
 *   susan_edges small-image|large-image tiny|small|large
 *
 * Structure (paper, Table 4: small and large edge detection, 4 regions, 14 tasks):
 * the response, by one of four detectors; the directions in four strips; thinning in
 * four strips; and the result, drawn or counted.
 *
 * Correlation: the four detectors exclude each other, the picture's light and noise
 * decide which one works, and that one has most of the picture's work. Drawing and
 * counting exclude each other too. Average times promise a speed-up that the strips,
 * which are light, cannot give.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 384, HIGHEST = 288, BORDER = 4, DISC = 37 };
enum detector { FULL_DISC, INNER_DISC, SQUARE, GRADIENT, DETECTORS };
enum direction { NOWHERE, ACROSS, UPRIGHT, RISING, FALLING };

static int width, height;
static unsigned char picture[WIDEST * HIGHEST], direction[WIDEST * HIGHEST], edge[WIDEST * HIGHEST];
static int response[WIDEST * HIGHEST];
static int disc_dx[DISC], disc_dy[DISC], like[511];
static unsigned random_state = 0x165667b1u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* The disc from the inside out, so that its first 9 and 21 are smaller discs. */
static void prepare(void)
{
    int k = 0;
    for (int radius = 0; radius <= 11; radius++)
        for (int dy = -3; dy <= 3; dy++)
            for (int dx = -3; dx <= 3; dx++)
                if (dx * dx + dy * dy == radius && k < DISC) {
                    disc_dx[k] = dx;
                    disc_dy[k++] = dy;
                }
    for (int d = -255; d <= 255; d++)
        like[d + 255] = abs(d) <= 12 ? 100 : abs(d) <= 20 ? 50 : abs(d) <= 32 ? 8 : 0;
}

/* Discs on a gradient, by day or by night, with noise or without. */
static void make_picture(int light, int noise)
{
    int contrast = light ? 120 : 60;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            picture[y * width + x] = (unsigned char)(40 + (x + y) / 8);
    int discs = 3 + (int)(next_random() % 6);
    for (int d = 0; d < discs; d++) {
        int cx = (int)(next_random() % (unsigned)width), cy = (int)(next_random() % (unsigned)height);
        int r = 5 + (int)(next_random() % (unsigned)(height / 5));
        for (int y = cy - r < 0 ? 0 : cy - r; y < height && y <= cy + r; y++)
            for (int x = cx - r < 0 ? 0 : cx - r; x < width && x <= cx + r; x++)
                if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r)
                    picture[y * width + x] = (unsigned char)(40 + contrast - d);
    }
    for (int i = 0; noise && i < width * height; i += 3)
        picture[i] = (unsigned char)(picture[i] + next_random() % 8);
}

static void disc_response(int *out, int points)
{
    int limit = 100 * points * 3 / 4;
    for (int y = BORDER; y < height - BORDER; y++)
        for (int x = BORDER; x < width - BORDER; x++) {
            int at = y * width + x, area = 0;
            for (int k = 0; k < points; k++)
                area += like[picture[at + disc_dy[k] * width + disc_dx[k]] - picture[at] + 255];
            out[at] = area < limit ? limit - area : 0;
        }
}

static void gradient_response(int *out)
{
    for (int y = BORDER; y < height - BORDER; y++)
        for (int x = BORDER; x < width - BORDER; x++) {
            const unsigned char *p = &picture[y * width + x];
            int across = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[-1 + width];
            int down = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[1 - width];
            int strength = abs(across) + abs(down);
            out[y * width + x] = strength > 90 ? strength : 0;
        }
}

/* Every detector has a section and a result of its own; one works. */
static void find_response(enum detector detector)
{
    static int by_detector[DETECTORS][WIDEST * HIGHEST];
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        if (detector == FULL_DISC)
            disc_response(by_detector[FULL_DISC], DISC);
        #pragma omp section
        if (detector == INNER_DISC)
            disc_response(by_detector[INNER_DISC], 21);
        #pragma omp section
        if (detector == SQUARE)
            disc_response(by_detector[SQUARE], 9);
        #pragma omp section
        if (detector == GRADIENT)
            gradient_response(by_detector[GRADIENT]);
    }
    memcpy(response, by_detector[detector], (size_t)(width * height) * sizeof *response);
}

/* The direction of an edge from the second moments of what is alike. */
static void direct_rows(int from, int to)
{
    for (int y = from; y < to; y++)
        for (int x = 0; x < width; x++) {
            int at = y * width + x, xx = 0, yy = 0, xy = 0;
            direction[at] = NOWHERE;
            if (x < BORDER || y < BORDER || x >= width - BORDER || y >= height - BORDER || response[at] == 0)
                continue;
            for (int k = 0; k < DISC; k++) {
                int l = like[picture[at + disc_dy[k] * width + disc_dx[k]] - picture[at] + 255];
                xx += l * disc_dx[k] * disc_dx[k];
                yy += l * disc_dy[k] * disc_dy[k];
                xy += l * disc_dx[k] * disc_dy[k];
            }
            if (2 * yy < xx)
                direction[at] = ACROSS;
            else if (2 * xx < yy)
                direction[at] = UPRIGHT;
            else
                direction[at] = xy > 0 ? FALLING : RISING;
        }
}

static void find_directions(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        direct_rows(0, height / 4);
        #pragma omp section
        direct_rows(height / 4, height / 2);
        #pragma omp section
        direct_rows(height / 2, 3 * height / 4);
        #pragma omp section
        direct_rows(3 * height / 4, height);
    }
}

/* A pixel stays where its response is the largest across the edge. */
static void thin_rows(int from, int to)
{
    int across[5] = {0, width, 1, width + 1, width - 1};
    for (int y = from; y < to; y++)
        for (int x = 0; x < width; x++) {
            int at = y * width + x, step = across[direction[at]];
            edge[at] = step && response[at] > response[at - step] && response[at] >= response[at + step];
        }
}

static void thin(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        thin_rows(0, height / 4);
        #pragma omp section
        thin_rows(height / 4, height / 2);
        #pragma omp section
        thin_rows(height / 2, 3 * height / 4);
        #pragma omp section
        thin_rows(3 * height / 4, height);
    }
}

static unsigned draw(void)
{
    unsigned sum = 2166136261u;
    for (int i = 0; i < width * height; i++)
        sum = (sum ^ (edge[i] ? 255u : picture[i])) * 16777619u;
    return sum;
}

static unsigned count(void)
{
    unsigned by_direction[5] = {0}, sum = 0;
    for (int i = 0; i < width * height; i++)
        if (edge[i])
            by_direction[direction[i]]++;
    for (int d = 0; d < 5; d++)
        sum = sum * 65599 + by_direction[d];
    return sum;
}

static unsigned result(int drawn)
{
    unsigned drawing = 0, counts = 0;
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        if (drawn)
            drawing = draw();
        #pragma omp section
        if (!drawn)
            counts = count();
    }
    return drawing ^ counts;
}

/* The number of pictures; sets width and height. */
static int pictures(int argc, char **argv)
{
    int large_image = argc == 3 && strcmp(argv[1], "large-image") == 0;
    int large = argc == 3 && strcmp(argv[2], "large") == 0;
    if (argc != 3 || (!large_image && strcmp(argv[1], "small-image")) || (!large && strcmp(argv[2], "small") && strcmp(argv[2], "tiny"))) {
        fprintf(stderr, "usage: susan_edges small-image|large-image tiny|small|large\n");
        exit(2);
    }
    width = large_image ? WIDEST : 76;
    height = large_image ? HIGHEST : 95;
    if (strcmp(argv[2], "tiny") == 0)
        return large_image ? 1 : 20;
    return (large_image ? 30 : 480) * (large ? 10 : 1);
}

int main(int argc, char **argv)
{
    int pictures_left = pictures(argc, argv), used[DETECTORS] = {0};
    unsigned sum = 0;
    long edges = 0;
    prepare();
    for (; pictures_left > 0; pictures_left--) {
        int light = next_random() % 4 != 0, noise = next_random() % 3 == 0;
        enum detector detector = light ? (noise ? FULL_DISC : INNER_DISC) : (noise ? SQUARE : GRADIENT);
        make_picture(light, noise);
        find_response(detector);
        find_directions();
        thin();
        sum = sum * 31 + result(pictures_left % 2);
        used[detector]++;
        for (int i = 0; i < width * height; i++)
            edges += edge[i];
    }
    printf("detectors %d %d %d %d edges %ld results %08x\n", used[FULL_DISC], used[INNER_DISC], used[SQUARE],
           used[GRADIENT], edges, sum);
    return 0;
}
