/*
 * This file finds corners in pictures by SUSAN's principle: a corner is where little
 * of the disc around a pixel is as bright as the pixel, and that little lies to one
 * side.
 *
 *   susan_corners small-image|large-image tiny|small|large
 *
 * Structure (paper, Table 4: small and large corner detection, 4 regions, 14 tasks):
 * smoothing in four strips, where the picture is noisy; the response in four strips;
 * choosing the corners, by one of three rules; reporting them, in one of three ways.
 *
 * Correlation: the strips share their work evenly. The three rules exclude each
 * other, and so do the three ways of reporting: of these six tasks two work on a
 * picture. Average times see three light tasks side by side instead of one heavy one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 384, HIGHEST = 288, BORDER = 5, DISC = 37, LIMIT = 1850, CORNERS = 1 << 14 };
enum rule { CROWDED, SPARSE, STRICT, RULES };
enum report { LIST, OVERLAY, DENSITY, REPORTS };

static int width, height, noisy;
static unsigned char picture[WIDEST * HIGHEST], smooth[WIDEST * HIGHEST], overlay[WIDEST * HIGHEST];
static int response[WIDEST * HIGHEST];
static int corner[CORNERS], corners;
static unsigned density[64], report_sum;
static int disc_dx[DISC], disc_dy[DISC], like[511];
static unsigned random_state = 0x27d4eb2fu;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void prepare(void)
{
    static const int half_width[7] = {1, 2, 3, 3, 3, 2, 1};
    int k = 0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -half_width[dy + 3]; dx <= half_width[dy + 3]; dx++) {
            disc_dx[k] = dx;
            disc_dy[k++] = dy;
        }
    for (int d = -255; d <= 255; d++)
        like[d + 255] = abs(d) <= 12 ? 100 : abs(d) <= 20 ? 50 : abs(d) <= 32 ? 8 : 0;
}

/* A gradient with boxes, dealt to the four strips in turn; two pictures in three have
   noise on them. */
static void make_picture(int number)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            picture[y * width + x] = (unsigned char)(50 + (2 * x + 3 * y + number) / 12);
    int boxes = width * height / 2400 * (1 + (int)(next_random() % 3));
    for (int b = 0; b < boxes; b++) {
        int x0 = (int)(next_random() % (unsigned)width), y0 = (b % 4 * height + (int)(next_random() % (unsigned)height)) / 4;
        int w = 8 + (int)(next_random() % 24);
        int h = 8 + (int)(next_random() % 24);
        unsigned char tone = (unsigned char)(next_random() % 2 ? 30 : 220);
        for (int y = y0; y < y0 + h && y < height; y++)
            for (int x = x0; x < x0 + w && x < width; x++)
                picture[y * width + x] = tone;
    }
    noisy = number % 3 != 0;
    for (int i = 0; noisy && i < width * height; i += 7)
        picture[i] = (unsigned char)(picture[i] + next_random() % 9);
}

/* Binomial weights over 5 by 5. */
static void smooth_rows(int from, int to)
{
    static const int weight[5] = {1, 4, 6, 4, 1};
    for (int y = from; y < to; y++)
        for (int x = 0; x < width; x++) {
            int at = y * width + x, sum = 0;
            smooth[at] = picture[at];
            if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
                continue;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++)
                    sum += weight[dy + 2] * weight[dx + 2] * picture[at + dy * width + dx];
            smooth[at] = (unsigned char)(sum / 256);
        }
}

static void smooth_picture(void)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        smooth_rows(0, height / 4);
        #pragma omp section
        smooth_rows(height / 4, height / 2);
        #pragma omp section
        smooth_rows(height / 2, 3 * height / 4);
        #pragma omp section
        smooth_rows(3 * height / 4, height);
    }
}

static void response_rows(const unsigned char *in, int from, int to)
{
    for (int y = from; y < to; y++)
        for (int x = 0; x < width; x++) {
            int at = y * width + x, area = 0, mx = 0, my = 0, k;
            response[at] = 0;
            if (x < BORDER || y < BORDER || x >= width - BORDER || y >= height - BORDER)
                continue;
            for (k = 0; k < DISC && area < LIMIT; k++) {
                int l = like[in[at + disc_dy[k] * width + disc_dx[k]] - in[at] + 255];
                area += l;
                mx += l * disc_dx[k];
                my += l * disc_dy[k];
            }
            if (area < LIMIT && 4 * ((long long)mx * mx + (long long)my * my) > (long long)area * area)
                response[at] = LIMIT - area;
        }
}

static void find_response(const unsigned char *in)
{
    #pragma omp parallel sections num_threads(4)
    {
        #pragma omp section
        response_rows(in, 0, height / 4);
        #pragma omp section
        response_rows(in, height / 4, height / 2);
        #pragma omp section
        response_rows(in, height / 2, 3 * height / 4);
        #pragma omp section
        response_rows(in, 3 * height / 4, height);
    }
}

/* Whether no pixel within the distance has a larger response. */
static int is_largest(int at, int distance)
{
    for (int dy = -distance; dy <= distance; dy++)
        for (int dx = -distance; dx <= distance; dx++) {
            int other = at + dy * width + dx;
            if (response[other] > response[at] || (response[other] == response[at] && other < at))
                return 0;
        }
    return 1;
}

static int choose(int *chosen, int distance, int least)
{
    int count = 0;
    for (int y = BORDER; y < height - BORDER; y++)
        for (int x = BORDER; x < width - BORDER; x++) {
            int at = y * width + x;
            if (response[at] > least && count < CORNERS && is_largest(at, distance))
                chosen[count++] = at;
        }
    return count;
}

/* A line of like pixels leads from a true corner towards its centre of gravity. */
static int keep_connected(const unsigned char *in, int *chosen, int count)
{
    int kept = 0;
    for (int c = 0; c < count; c++) {
        int at = chosen[c], mx = 0, my = 0, likes = 0;
        for (int k = 0; k < DISC; k++) {
            int l = like[in[at + disc_dy[k] * width + disc_dx[k]] - in[at] + 255];
            mx += l * disc_dx[k];
            my += l * disc_dy[k];
        }
        int far = abs(mx) > abs(my) ? abs(mx) : abs(my);
        for (int step = 1; step <= 3 && far; step++)
            likes += like[in[at + step * my / far * width + step * mx / far] - in[at] + 255] >= 50;
        if (likes == 3)
            chosen[kept++] = at;
    }
    return kept;
}

/* One of three rules, by how many candidates the picture has. */
static void choose_corners(const unsigned char *in, enum rule rule)
{
    static int by_rule[RULES][CORNERS];
    int count[RULES] = {0};
    #pragma omp parallel sections num_threads(3)
    {
        #pragma omp section
        if (rule == CROWDED)
            count[CROWDED] = choose(by_rule[CROWDED], 5, 0);
        #pragma omp section
        if (rule == SPARSE)
            count[SPARSE] = choose(by_rule[SPARSE], 2, 0);
        #pragma omp section
        if (rule == STRICT)
            count[STRICT] = keep_connected(in, by_rule[STRICT], choose(by_rule[STRICT], 3, 200));
    }
    corners = count[rule];
    memcpy(corner, by_rule[rule], (size_t)corners * sizeof *corner);
}

static unsigned list_corners(void)
{
    unsigned sum = 2166136261u;
    for (int c = 1; c < corners; c++) { /* by response, by insertion */
        int one = corner[c], i = c;
        for (; i > 0 && response[corner[i - 1]] < response[one]; i--)
            corner[i] = corner[i - 1];
        corner[i] = one;
    }
    for (int c = 0; c < corners; c++)
        sum = (sum ^ (unsigned)corner[c]) * 16777619u;
    return sum;
}

static unsigned draw_corners(void)
{
    unsigned sum = 0;
    memcpy(overlay, picture, (size_t)(width * height));
    for (int c = 0; c < corners; c++)
        for (int d = -3; d <= 3; d++)
            overlay[corner[c] + d] = overlay[corner[c] + d * width] = 255;
    for (int i = 0; i < width * height; i++)
        sum = (sum ^ overlay[i]) * 16777619u;
    return sum;
}

static unsigned count_by_place(void)
{
    unsigned sum = 0;
    memset(density, 0, sizeof density);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            density[y * 8 / height * 8 + x * 8 / width] += response[y * width + x] > 0;
    for (int i = 0; i < 64; i++)
        sum = (sum ^ density[i]) * 16777619u;
    return sum;
}

/* One of three ways, as the picture's reader wants it. */
static void report_corners(enum report wanted)
{
    unsigned sum[REPORTS] = {0};
    #pragma omp parallel sections num_threads(3)
    {
        #pragma omp section
        if (wanted == LIST)
            sum[LIST] = list_corners();
        #pragma omp section
        if (wanted == OVERLAY)
            sum[OVERLAY] = draw_corners();
        #pragma omp section
        if (wanted == DENSITY)
            sum[DENSITY] = count_by_place();
    }
    report_sum = report_sum * 31 + sum[wanted];
}

static int candidates(void)
{
    int count = 0;
    for (int i = 0; i < width * height; i++)
        count += response[i] > 0;
    return count;
}

/* The number of pictures; sets width and height. */
static int pictures(int argc, char **argv)
{
    int large_image = argc == 3 && strcmp(argv[1], "large-image") == 0;
    int large = argc == 3 && strcmp(argv[2], "large") == 0;
    if (argc != 3 || (!large_image && strcmp(argv[1], "small-image")) || (!large && strcmp(argv[2], "small") && strcmp(argv[2], "tiny"))) {
        fprintf(stderr, "usage: susan_corners small-image|large-image tiny|small|large\n");
        exit(2);
    }
    width = large_image ? WIDEST : 76;
    height = large_image ? HIGHEST : 95;
    if (strcmp(argv[2], "tiny") == 0)
        return large_image ? 1 : 10;
    return (large_image ? 15 : 240) * (large ? 10 : 1);
}

int main(int argc, char **argv)
{
    int count = pictures(argc, argv), used[RULES] = {0};
    long total = 0;
    prepare();
    for (int n = 0; n < count; n++) {
        make_picture(n);
        if (noisy)
            smooth_picture();
        const unsigned char *in = noisy ? smooth : picture;
        find_response(in);
        int found = candidates();
        enum rule rule = found > width * height / 80 ? CROWDED : noisy ? STRICT : SPARSE;
        choose_corners(in, rule);
        report_corners((enum report)(n / 2 % REPORTS));
        used[rule]++;
        total += corners;
    }
    printf("pictures %d rules %d %d %d corners %ld reports %08x\n", count, used[CROWDED], used[SPARSE],
           used[STRICT], total, report_sum);
    return 0;
}
