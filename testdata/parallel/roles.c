/*
 * This file codes the frames of a camera in one region that lives as long as the film:
 * one thread reads, all work, one writes, the first keeps the books.
 *
 *   roles [SIDE [FRAMES]]     default: 64 16
 *
 * Constructs. single with and without nowait, with copyprivate; master; masked where
 * the compiler knows it; sections inside of the same region; barriers by hand; for with
 * nowait; firstprivate on single; a single inside of a function; critical beside them.
 *
 * What is hard. The region is entered once, so its loops and singles are all in one
 * execution of it, again and again. Who comes first does the single, which need not
 * be the same thread twice; the master is always the same one, who is late at the next
 * loop then, unless the loop gives it less. Reading the next frame stands beside the
 * work on this one, in sections, and is longer than that where a scene changes. With
 * many threads the singles and barriers bound the speed-up, whatever the loops do.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8, LARGEST = 1024, BUFFER = 4 };

#if defined(_OPENMP) && _OPENMP >= 202011
#define BOOKKEEPER omp masked filter(0)
#else
#define BOOKKEEPER omp master
#endif
#define PRAGMA_OF(text) _Pragma(#text)
#define PRAGMA(name) PRAGMA_OF(name)

typedef struct {
    int side, frames;
    uint8_t *frame[2];      /* of now and before */
    uint8_t *coming;        /* what is read ahead */
    int16_t *coded;
    uint32_t *length;       /* of each row of blocks, when coded */
} film;

typedef struct {
    long read, changes, bits, kept, dropped, late;
    uint32_t stream;
} books;

static uint32_t random_state = 424243u;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void *reserve(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "roles: no memory for %zu points\n", count);
        exit(1);
    }
    return memory;
}

/* Every fifth frame begins a new scene, which takes longer to read. Returns whether. */
static int read_frame(film *f, int number)
{
    static uint32_t scene;
    int changed = number % 5 == 0;
    if (changed)
        scene = random_bits();
    for (int y = 0; y < f->side; y++)
        for (int x = 0; x < f->side; x++) {
            uint32_t v = (uint32_t)((x + number) * (int)(scene & 7) + y * (int)(scene >> 3 & 7));
            for (int k = 0; changed && k < 6; k++)
                v = (v * 5u + (scene >> k)) & 0xfffu;
            f->coming[y * f->side + x] = (uint8_t)(v + (random_bits() & 3));
        }
    return changed;
}

/* Differences to the frame before, quantised; blocks without any cost next to nothing. */
static uint32_t code_row(film *f, int row)
{
    uint32_t bits = 0;
    for (int block = 0; block < f->side / BLOCK; block++) {
        int changed = 0;
        for (int i = 0; i < BLOCK * BLOCK; i++) {
            int at = (row * BLOCK + i / BLOCK) * f->side + block * BLOCK + i % BLOCK;
            int difference = f->frame[0][at] - f->frame[1][at];
            f->coded[at] = (int16_t)(difference / 4);
            changed += f->coded[at] != 0;
        }
        bits += 2;
        if (changed == 0)
            continue;
        for (int i = 0; i < BLOCK * BLOCK; i++) {
            int at = (row * BLOCK + i / BLOCK) * f->side + block * BLOCK + i % BLOCK;
            int value = abs(f->coded[at]);
            bits += 1;
            while (value > 0) {
                bits += 2;
                value >>= 1;
            }
        }
    }
    return bits;
}

static void write_frame(const film *f, books *b)
{
    for (int row = 0; row < f->side / BLOCK; row++) {
        b->bits += f->length[row];
        b->stream = (b->stream ^ f->length[row]) * 16777619u;
    }
    for (int i = 0; i < f->side * f->side; i += 3)
        b->stream = (b->stream ^ (uint32_t)f->coded[i]) * 16777619u;
}

/* Called by all; one of them decides how coarse, and all must know. */
static int choose_step(const books *b, int frame)
{
    int step;
    #pragma omp single copyprivate(step)
    step = b->bits > 4000L * (frame + 1) ? 2 : 1;
    return step;
}

static void turn(film *f)
{
    uint8_t *oldest = f->frame[1];
    f->frame[1] = f->frame[0];
    f->frame[0] = f->coming;
    f->coming = oldest;
}

static void run(film *f, books *b)
{
    int changed = 0, limit = f->side * f->side / 2;
    #pragma omp parallel shared(changed, limit)
    {
        #pragma omp single
        changed = read_frame(f, 0);
        for (int n = 0; n < f->frames; n++) {
            #pragma omp master
            {
                turn(f);
                b->read++;
                b->changes += changed;
            }
            #pragma omp barrier
            int step = choose_step(b, n);
            /* The next frame is read while the noise of this one is taken away. */
            #pragma omp sections
            {
                #pragma omp section
                changed = n + 1 < f->frames ? read_frame(f, n + 1) : 0;
                #pragma omp section
                for (int i = f->side; i < f->side * f->side; i++)
                    if (abs(f->frame[0][i] - f->frame[1][i]) <= step)
                        f->frame[0][i] = f->frame[1][i];
            }
            #pragma omp for schedule(dynamic)
            for (int row = 0; row < f->side / BLOCK; row++)
                f->length[row] = code_row(f, row);
            #pragma omp single nowait
            write_frame(f, b);
            /* Beside the writing: who does not write counts, and the first one keeps the books. */
            long zeros = 0;
            #pragma omp for schedule(static) nowait
            for (int i = 0; i < f->side * f->side; i++)
                zeros += f->coded[i] == 0;
            #pragma omp critical
            b->kept += zeros;
            PRAGMA(BOOKKEEPER)
            b->late += n % BUFFER == BUFFER - 1;
            #pragma omp barrier
            #pragma omp single firstprivate(limit)
            {
                limit += step;
                b->dropped += b->kept > (long)limit * (n + 1);
            }
        }
    }
}

int main(int argc, char **argv)
{
    film f = {.side = argc > 1 ? atoi(argv[1]) : 64, .frames = argc > 2 ? atoi(argv[2]) : 16};
    if (f.side < BLOCK || f.side > LARGEST || f.side % BLOCK != 0 || f.frames < 1) {
        fprintf(stderr, "usage: roles [SIDE (%d to %d, a multiple of %d) [FRAMES]]\n", BLOCK, LARGEST, BLOCK);
        return 2;
    }
    size_t points = (size_t)f.side * (size_t)f.side;
    f.frame[0] = reserve(points, 1);
    f.frame[1] = reserve(points, 1);
    f.coming = reserve(points, 1);
    f.coded = reserve(points, sizeof *f.coded);
    f.length = reserve((size_t)(f.side / BLOCK), sizeof *f.length);
    books b = {.stream = 2166136261u};
    run(&f, &b);
    printf("%ld frames, %ld scenes, %ld bits, stream %08x\n", b.read, b.changes, b.bits, b.stream);
    printf("%ld points kept, %ld frames dropped, %ld times late\n", b.kept, b.dropped, b.late);
    free(f.frame[0]);
    free(f.frame[1]);
    free(f.coming);
    free(f.coded);
    free(f.length);
    return 0;
}
