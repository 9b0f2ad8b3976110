/*
 * This file draws the Mandelbrot set in fixed point, and zooms to where its border
 * is: loops whose iterations differ a hundredfold, handed out while they run.
 *
 *   mandelbrot [SIDE [PICTURES]]     default: 64 2
 *
 * Constructs. Parallel loops with schedule(monotonic : dynamic), schedule(dynamic, 4),
 * schedule(guided), schedule(guided, 3) and schedule(runtime); lastprivate; reductions;
 * two loops over 64-bit indices; a region that holds two loops, the second without a
 * barrier of its own.
 *
 * What is hard. A row costs as many steps as its points take to escape, from one to
 * LIMIT each: rows through the set cost most, and they stand together. A static split
 * is as slow as its worst block; a dynamic one is even but pays for each chunk, and who
 * gets which chunk depends on the times themselves. At the end a single dear row keeps
 * all others waiting. Each picture shifts the dear rows. Points that repeat are cut
 * short, which makes some of the dearest rows cheap again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRACTION = 28, LIMIT = 400, LARGEST = 2000, SHADES = 8 };

typedef int64_t fixed; /* FRACTION bits behind the point */

typedef struct {
    fixed left, top, step;
} view;

typedef struct {
    int side;
    uint16_t *steps;      /* of each point until it escapes; LIMIT in the set */
    uint8_t *shade;
    uint32_t *row_work;   /* steps made for each row */
} picture;

static fixed multiply(fixed a, fixed b)
{
    return (a * b) >> FRACTION;
}

static void *reserve(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "mandelbrot: no memory for %zu points\n", count);
        exit(1);
    }
    return memory;
}

/* Steps until the point escapes; work grows by the steps that were made. */
static int escape(fixed cx, fixed cy, uint32_t *work)
{
    fixed x = 0, y = 0, old_x = 0, old_y = 0;
    int check = 8;
    for (int n = 0; n < LIMIT; n++) {
        fixed xx = multiply(x, x), yy = multiply(y, y);
        if (xx + yy > (fixed)4 << FRACTION) {
            *work += (uint32_t)n;
            return n;
        }
        y = 2 * multiply(x, y) + cy;
        x = xx - yy + cx;
        if (x == old_x && y == old_y) { /* a cycle: the point never escapes */
            *work += (uint32_t)n;
            return LIMIT;
        }
        if (n == check) {
            old_x = x;
            old_y = y;
            check *= 2;
        }
    }
    *work += LIMIT;
    return LIMIT;
}

static void draw_row(picture *p, const view *v, int row)
{
    uint32_t work = 0;
    fixed y = v->top + v->step * row;
    for (int column = 0; column < p->side; column++)
        p->steps[row * p->side + column] = (uint16_t)escape(v->left + v->step * column, y, &work);
    p->row_work[row] = work;
}

/*
 * A row at a time. Returns the last row, as the last iteration leaves it. Monotonic, for
 * where chunks are stolen, LLVM's runtime (seen with 14, 16 and 19) may leave no thread the last.
 */
static int draw_rows(picture *p, const view *v)
{
    int last = -1;
    #pragma omp parallel for schedule(monotonic : dynamic) lastprivate(last)
    for (int row = 0; row < p->side; row++) {
        draw_row(p, v, row);
        last = row;
    }
    return last;
}

/* Four rows at a time: fewer chunks, coarser ends. */
static long recount(const picture *p)
{
    long inside = 0;
    #pragma omp parallel for schedule(dynamic, 4) reduction(+ : inside)
    for (int row = 0; row < p->side; row++)
        for (int column = 0; column < p->side; column++)
            inside += p->steps[row * p->side + column] == LIMIT;
    return inside;
}

/* The point with the most steps below LIMIT, in chunks that shrink; ties go to the first. */
static long dearest(const picture *p)
{
    long points = (long)p->side * p->side, best = 0;
    #pragma omp parallel for schedule(guided) reduction(max : best)
    for (long i = 0; i < points; i++)
        if (p->steps[i] < LIMIT) {
            long rank = (long)p->steps[i] * points + (points - 1 - i);
            if (rank > best)
                best = rank;
        }
    return points - 1 - best % points;
}

/* Shades by steps, in one region: first the bounds, eight short iterations, then the points. */
static void shade(picture *p)
{
    uint16_t bound[SHADES];
    #pragma omp parallel
    {
        #pragma omp for schedule(static, 1)
        for (int s = 0; s < SHADES; s++)
            bound[s] = (uint16_t)(LIMIT >> (SHADES - 1 - s));
        #pragma omp for schedule(guided, 3) nowait
        for (int row = 0; row < p->side; row++)
            for (int column = 0; column < p->side; column++) {
                int s = 0;
                while (s < SHADES - 1 && p->steps[row * p->side + column] >= bound[s])
                    s++;
                p->shade[row * p->side + column] = (uint8_t)s;
            }
    }
}

static void count_shades(const picture *p, long *count)
{
    unsigned long points = (unsigned long)p->side * (unsigned long)p->side;
    long of[SHADES] = {0};
    #pragma omp parallel for schedule(runtime) reduction(+ : of)
    for (unsigned long i = 0; i < points; i++)
        of[p->shade[i]]++;
    for (int s = 0; s < SHADES; s++)
        count[s] = of[s];
}

int main(int argc, char **argv)
{
    picture p = {.side = argc > 1 ? atoi(argv[1]) : 64};
    int pictures = argc > 2 ? atoi(argv[2]) : 2;
    if (p.side < 4 || p.side > LARGEST || pictures < 1) {
        fprintf(stderr, "usage: mandelbrot [SIDE (4 to %d) [PICTURES]]\n", LARGEST);
        return 2;
    }
    size_t points = (size_t)p.side * (size_t)p.side;
    p.steps = reserve(points, sizeof *p.steps);
    p.shade = reserve(points, sizeof *p.shade);
    p.row_work = reserve((size_t)p.side, sizeof *p.row_work);

    fixed width = (fixed)3 << FRACTION;
    view v = {.left = -((fixed)9 << (FRACTION - 2)), .top = -((fixed)3 << (FRACTION - 1)), .step = width / p.side};
    for (int n = 0; n < pictures; n++) {
        long count[SHADES];
        int last = draw_rows(&p, &v);
        long inside = recount(&p), target = dearest(&p);
        shade(&p);
        count_shades(&p, count);

        uint32_t most = 0, total = 0;
        for (int row = 0; row < p.side; row++) {
            total += p.row_work[row];
            if (p.row_work[row] > most)
                most = p.row_work[row];
        }
        printf("picture %d: last row %d, %ld points inside, %u steps, %u in the dearest row\n", n, last, inside, total, most);
        for (int s = 0; s < SHADES; s++)
            printf("%s%ld", s ? " " : "  shades ", count[s]);
        printf("\n");

        fixed x = v.left + v.step * (target % p.side), y = v.top + v.step * (target / p.side);
        width = width * 3 / 5;
        v = (view){.left = x - width / 2, .top = y - width / 2, .step = width / p.side};
    }
    free(p.steps);
    free(p.shade);
    free(p.row_work);
    return 0;
}
