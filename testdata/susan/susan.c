/*
 * This file is an image filter in the manner of SUSAN: it smooths synthetic
 * frames and finds their edges or corners by counting, around every pixel, how
 * much of a 37-pixel disc is as bright as the pixel itself.
 *
 *   susan [FRAMES [alternate|edges|corners|both]]     default: 400 alternate
 *
 * Correlation. The frame's mode decides which of two heavy sections works:
 *   alternate  every frame wants either edges or corners: sections 2 and 3 of
 *              the analysis region exclude each other (negative correlation)
 *   both       both work on every frame (no variation)
 *   edges, corners   one of them is always idle
 * Section 1 (brightness statistics) is light and works on every frame.
 * Smoothing is a region in a branch: two equal halves, taken by noisy frames only.
 *
 * Expectation. In mode alternate, a mapping with sections 2 and 3 on two
 * processors gains next to nothing, because one of the two always idles. PB
 * sees that. AT believes that each does half the work every time and promises
 * almost a factor of two in that region; MT takes both at their heaviest and
 * overestimates the parallel time. In the other modes the three agree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 192, HEIGHT = 144, PIXELS = WIDTH * HEIGHT, BORDER = 3, DISC = 37 };
enum { EDGES = 1, CORNERS = 2, SMOOTH = 4 };
enum { EDGE_LIMIT = 2700, CORNER_LIMIT = 1850 };

typedef struct {
    unsigned char pixel[PIXELS];
    int noisy;
} image;

typedef struct {
    int response[PIXELS];
    int found;
    unsigned checksum;
} feature_map;

static int disc_offset[DISC], disc_dx[DISC], disc_dy[DISC];
static int likeness_table[511];
static const int *likeness = likeness_table + 255; /* by brightness difference, 0 to 100 */
static unsigned random_state = 2463534242u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void prepare_tables(int threshold)
{
    static const int half_width[7] = {1, 2, 3, 3, 3, 2, 1};
    int k = 0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -half_width[dy + 3]; dx <= half_width[dy + 3]; dx++) {
            disc_dx[k] = dx;
            disc_dy[k] = dy;
            disc_offset[k++] = dy * WIDTH + dx;
        }
    long long t3 = (long long)threshold * threshold * threshold;
    for (int d = -255; d <= 255; d++) {
        long long d3 = (long long)abs(d) * d * d;
        long long t6 = t3 * t3, d6 = d3 * d3;
        likeness_table[d + 255] = (int)(100 * t6 / (t6 + d6));
    }
}

/* A frame: a gradient with boxes and discs on it, and noise on one in four. */
static void make_frame(image *frame, int number)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            frame->pixel[y * WIDTH + x] = (unsigned char)(40 + (x + y + number) / 6);
    int shapes = 6 + (int)(next_random() % 8);
    for (int s = 0; s < shapes; s++) {
        int cx = (int)(next_random() % WIDTH), cy = (int)(next_random() % HEIGHT);
        int size = 5 + (int)(next_random() % 22), level = 60 + (int)(next_random() % 190);
        int is_round = next_random() & 1;
        for (int y = cy - size; y <= cy + size; y++) {
            if (y < 0 || y >= HEIGHT)
                continue;
            for (int x = cx - size; x <= cx + size; x++) {
                if (x < 0 || x >= WIDTH)
                    continue;
                if (is_round && (x - cx) * (x - cx) + (y - cy) * (y - cy) > size * size)
                    continue;
                frame->pixel[y * WIDTH + x] = (unsigned char)level;
            }
        }
    }
    frame->noisy = next_random() % 4 == 0;
    if (frame->noisy)
        for (int i = 0; i < PIXELS; i += 1 + (int)(next_random() % 8))
            frame->pixel[i] = (unsigned char)(frame->pixel[i] + next_random() % 9);
}

/* Brightness-weighted average of each pixel's disc, for rows first to last-1. */
static void smooth_rows(const image *in, image *out, int first, int last)
{
    for (int y = first; y < last; y++)
        for (int x = 0; x < WIDTH; x++) {
            int at = y * WIDTH + x;
            out->pixel[at] = in->pixel[at];
            if (y < BORDER || y >= HEIGHT - BORDER || x < BORDER || x >= WIDTH - BORDER)
                continue;
            int centre = in->pixel[at], weight = 0, total = 0;
            for (int k = 0; k < DISC; k++) {
                int value = in->pixel[at + disc_offset[k]];
                int like = likeness[value - centre];
                weight += like;
                total += like * value;
            }
            out->pixel[at] = (unsigned char)(total / weight);
        }
}

static void find_edges(const image *in, feature_map *out, int limit)
{
    memset(out->response, 0, sizeof out->response);
    for (int y = BORDER; y < HEIGHT - BORDER; y++)
        for (int x = BORDER; x < WIDTH - BORDER; x++) {
            int at = y * WIDTH + x, centre = in->pixel[at], area = 0;
            for (int k = 0; k < DISC; k++)
                area += likeness[in->pixel[at + disc_offset[k]] - centre];
            if (area < limit)
                out->response[at] = limit - area;
        }
    /* Thin: keep a response that is a maximum along its row or its column. */
    out->found = 0;
    for (int y = BORDER; y < HEIGHT - BORDER; y++)
        for (int x = BORDER; x < WIDTH - BORDER; x++) {
            int at = y * WIDTH + x, r = out->response[at];
            if (r == 0)
                continue;
            int row = r > out->response[at - 1] && r >= out->response[at + 1];
            int column = r > out->response[at - WIDTH] && r >= out->response[at + WIDTH];
            if (row || column) {
                out->found++;
                out->checksum = out->checksum * 16777619u ^ (unsigned)(at + r);
            }
        }
}

static int is_local_maximum(const feature_map *map, int at)
{
    int r = map->response[at];
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int other = map->response[at + dy * WIDTH + dx];
            if (other > r || (other == r && dy * WIDTH + dx < 0))
                return 0;
        }
    return 1;
}

static void find_corners(const image *in, feature_map *out, int limit)
{
    memset(out->response, 0, sizeof out->response);
    for (int y = BORDER; y < HEIGHT - BORDER; y++)
        for (int x = BORDER; x < WIDTH - BORDER; x++) {
            int at = y * WIDTH + x, centre = in->pixel[at], area = 0, mx = 0, my = 0, k;
            for (k = 0; k < DISC; k++) {
                int like = likeness[in->pixel[at + disc_offset[k]] - centre];
                area += like;
                if (area >= limit + 100)
                    break; /* too much of the disc is alike: no corner */
                mx += like * disc_dx[k];
                my += like * disc_dy[k];
            }
            if (k < DISC || area >= limit)
                continue;
            /* The disc's like part must lie well to one side of its centre. */
            if ((long long)mx * mx + (long long)my * my > (long long)area * area / 4)
                out->response[at] = limit - area;
        }
    out->found = 0;
    for (int y = BORDER; y < HEIGHT - BORDER; y++)
        for (int x = BORDER; x < WIDTH - BORDER; x++) {
            int at = y * WIDTH + x;
            if (out->response[at] > 0 && is_local_maximum(out, at)) {
                out->found++;
                out->checksum = out->checksum * 16777619u ^ (unsigned)at;
            }
        }
}

static int mean_brightness(const image *in, unsigned *histogram)
{
    memset(histogram, 0, 256 * sizeof *histogram);
    for (int i = 0; i < PIXELS; i++)
        histogram[in->pixel[i]]++;
    unsigned long sum = 0;
    for (int level = 0; level < 256; level++)
        sum += (unsigned long)level * histogram[level];
    return (int)(sum / PIXELS);
}

static image smoothed;
static feature_map edges, corners;
static unsigned histogram[256];

/* Analyses one frame; returns its mean brightness. */
static int process_frame(const image *frame, int mode)
{
    const image *source = frame;
    int mean = 0, edge_limit = EDGE_LIMIT, corner_limit = CORNER_LIMIT;

    if ((mode & SMOOTH) != 0 && frame->noisy) {
        #pragma omp parallel sections num_threads(2) default(none) shared(frame, smoothed)
        {
            #pragma omp section
            smooth_rows(frame, &smoothed, 0, HEIGHT / 2);
            #pragma omp section
            smooth_rows(frame, &smoothed, HEIGHT / 2, HEIGHT);
        }
        source = &smoothed;
    }

    #pragma omp parallel sections num_threads(3) shared(mean) firstprivate(edge_limit, corner_limit)
    {
        #pragma omp section
        {
            mean = mean_brightness(source, histogram);
        }
        #pragma omp section
        {
            edges.found = 0;
            if (mode & EDGES) {
                edge_limit -= 50 * (mode & CORNERS);
                find_edges(source, &edges, edge_limit);
            }
        }
        #pragma omp section
        {
            corners.found = 0;
            if (mode & CORNERS)
                find_corners(source, &corners, corner_limit);
        }
    }
    return mean;
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 400;
    const char *wanted = argc > 2 ? argv[2] : "alternate";
    int fixed_mode = 0;
    if (strcmp(wanted, "edges") == 0)
        fixed_mode = EDGES;
    else if (strcmp(wanted, "corners") == 0)
        fixed_mode = CORNERS;
    else if (strcmp(wanted, "both") == 0)
        fixed_mode = EDGES | CORNERS;
    else if (strcmp(wanted, "alternate") != 0) {
        fprintf(stderr, "susan: unknown mode %s; use alternate, edges, corners or both\n", wanted);
        return 2;
    }

    static image frame;
    long total_edges = 0, total_corners = 0, total_mean = 0;
    prepare_tables(20);
    for (int n = 0; n < frames; n++) {
        make_frame(&frame, n);
        int mode = fixed_mode;
        if (mode == 0)
            mode = next_random() % 2 ? EDGES : CORNERS;
        total_mean += process_frame(&frame, mode | SMOOTH);
        total_edges += edges.found;
        total_corners += corners.found;
        if (n % 100 == 99)
            printf("frame %d edges %ld corners %ld\n", n + 1, total_edges, total_corners);
    }
    printf("mode %s frames %d brightness %ld edges %ld (%08x) corners %ld (%08x)\n", wanted, frames,
           total_mean, total_edges, edges.checksum, total_corners, corners.checksum);
    return 0;
}
