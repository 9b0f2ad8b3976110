/*
 * This file runs a warehouse: shelves are filled and emptied by orders, in one region
 * whose loops wait for each other in every way that there is.
 *
 *   waiting [ORDERS [DAYS]]     default: 3000 6
 *
 * Constructs. One region a day with eight loops in it: ordered, with clauses of static
 * and dynamic schedules; nowait; barrier; critical in a loop, unnamed and named, one inside
 * of another; a lock a shelf, a lock for all and a nestable lock that a function takes
 * again; test_lock in a loop until it is free; atomic; flush.
 *
 * What is hard. Who waits for whom depends on the order in which threads come, and that
 * on their speeds. The ordered part of a loop is a chain: with a chunk of one it allows
 * overlap of the work in front of it, with a large chunk next to none. Locks of shelves
 * are rarely contended, the one of the till always. Most orders go to few shelves. A
 * loop with nowait hands its imbalance to the next loop, which may take it up, or add
 * to it; the barrier at the end shows the sum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(_OPENMP) && defined(__has_include) && __has_include(<omp.h>)
#include <omp.h>
#elif defined(_OPENMP)
/* The layout of every known implementation fits in these. */
typedef union { void *p; unsigned char bytes[64]; } omp_lock_t;
typedef union { void *p; unsigned char bytes[64]; } omp_nest_lock_t;
void omp_init_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int omp_test_lock(omp_lock_t *);
void omp_init_nest_lock(omp_nest_lock_t *);
void omp_destroy_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);
#else
typedef int omp_lock_t, omp_nest_lock_t;
static void omp_init_lock(omp_lock_t *l) { *l = 0; }
static void omp_destroy_lock(omp_lock_t *l) { (void)l; }
static void omp_set_lock(omp_lock_t *l) { ++*l; }
static void omp_unset_lock(omp_lock_t *l) { --*l; }
static int omp_test_lock(omp_lock_t *l) { return *l ? 0 : ++*l; }
static void omp_init_nest_lock(omp_nest_lock_t *l) { *l = 0; }
static void omp_destroy_nest_lock(omp_nest_lock_t *l) { (void)l; }
static void omp_set_nest_lock(omp_nest_lock_t *l) { ++*l; }
static void omp_unset_nest_lock(omp_nest_lock_t *l) { --*l; }
#endif

enum { SHELVES = 32, LARGEST = 1000000, SLIPS = 64 };

typedef struct {
    omp_lock_t lock;
    long stock, moved, orders;
} shelf;

typedef struct {
    int shelf, to, amount, effort;
} order;

static shelf shelves[SHELVES];
static omp_nest_lock_t books;
static omp_lock_t till;
static long booked, cash, refused, deepest;
static uint32_t random_state = 60013u;

static int random_below(int limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 10) % (uint32_t)limit);
}

/* Half of all orders go to three shelves; efforts differ by a hundred. */
static void take_orders(order *list, int count)
{
    for (int i = 0; i < count; i++) {
        int popular = random_below(2);
        list[i].shelf = popular ? random_below(3) : random_below(SHELVES);
        list[i].to = random_below(SHELVES);
        list[i].amount = 1 + random_below(9);
        list[i].effort = random_below(8) == 0 ? 200 + random_below(400) : 4 + random_below(20);
    }
}

static uint32_t pack(const order *o)
{
    uint32_t seal = (uint32_t)o->amount * 2654435761u;
    for (int i = 0; i < o->effort; i++)
        seal = (seal ^ (seal >> 7)) * 33u + (uint32_t)o->shelf;
    return seal;
}

/* Takes the books, and books twice under them. */
static void book(long amount, int depth)
{
    omp_set_nest_lock(&books);
    booked += amount;
    if (depth > deepest)
        deepest = depth;
    if (depth < 2)
        book(amount / 2, depth + 1);
    omp_unset_nest_lock(&books);
}

/* Moves goods between two shelves; always the one with the lower number first. */
static void move(const order *o)
{
    int low = o->shelf < o->to ? o->shelf : o->to, high = o->shelf < o->to ? o->to : o->shelf;
    omp_set_lock(&shelves[low].lock);
    if (high != low)
        omp_set_lock(&shelves[high].lock);
    shelves[o->shelf].stock -= o->amount;
    shelves[o->to].stock += o->amount;
    shelves[o->shelf].moved += o->amount;
    if (high != low)
        omp_unset_lock(&shelves[high].lock);
    omp_unset_lock(&shelves[low].lock);
}

typedef struct {
    uint32_t *seal;
    uint32_t slip[SLIPS];   /* what the ordered parts chain */
    uint32_t chained, log;
    long heavy, light, heaviest;
} day;

static void work_a_day(const order *list, int count, day *d)
{
    uint32_t chained = 1, log = 1;
    long heavy = 0, light = 0, heaviest = 0;
    int open = 0;
    #pragma omp parallel shared(chained, log, heavy, light, heaviest, open)
    {
        /* Packing is parallel, numbering is a chain. */
        #pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < count / 4; i++) {
            uint32_t seal = pack(&list[i]);
            d->seal[i] = seal;
            #pragma omp ordered
            chained = chained * 31u + seal;
        }
        /* The rest without a chain; what is uneven here goes on into the next loop. */
        #pragma omp for schedule(static) nowait
        for (int i = count / 4; i < count; i++)
            d->seal[i] = pack(&list[i]);
        #pragma omp for schedule(dynamic, 16) nowait
        for (int i = 0; i < count; i++)
            move(&list[i]);
        /* One till for all, which is asked for until it is free. */
        #pragma omp for schedule(static, 8)
        for (int i = 0; i < count / 8; i++) {
            while (!omp_test_lock(&till)) {
                #pragma omp flush
            }
            cash += list[i].amount * 3;
            omp_unset_lock(&till);
        }
        #pragma omp for schedule(guided) nowait
        for (int i = 0; i < count / 8; i++)
            book(list[i].amount, 1);
        #pragma omp barrier
        /* Every other order has nothing to put in order. */
        #pragma omp for ordered schedule(dynamic, 4)
        for (int i = 0; i < SLIPS; i++) {
            uint32_t sum = 0;
            for (int k = i; k < count; k += SLIPS)
                sum += d->seal[k];
            d->slip[i] = sum;
            if (i % 2 == 0) {
                #pragma omp ordered
                log = (log ^ sum) * 16777619u;
            }
        }
        /* A critical for many, and one more inside of it for few. */
        #pragma omp for schedule(dynamic)
        for (int k = 0; k < SHELVES; k++) {
            long mine = 0, most = 0;
            for (int i = 0; i < count; i++)
                if (list[i].shelf == k) {
                    mine += list[i].effort;
                    most = list[i].effort > most ? list[i].effort : most;
                }
            #pragma omp critical
            {
                heavy += mine;
                if (mine > 0) {
                    #pragma omp critical(heaviest)
                    heaviest = most > heaviest ? most : heaviest;
                }
            }
            #pragma omp critical(heaviest)
            light += mine == 0;
        }
        #pragma omp for schedule(static)
        for (int i = 0; i < count; i++)
            if (list[i].amount == 9) {
                #pragma omp atomic
                open++;
            }
    }
    d->chained = chained;
    d->log = log;
    d->heavy = heavy;
    d->light = light;
    d->heaviest = heaviest;
    refused += open;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 3000, days = argc > 2 ? atoi(argv[2]) : 6;
    if (count < SLIPS || count > LARGEST || days < 1) {
        fprintf(stderr, "usage: waiting [ORDERS (%d to %d) [DAYS]]\n", SLIPS, LARGEST);
        return 2;
    }
    order *list = calloc((size_t)count, sizeof *list);
    day d = {.seal = calloc((size_t)count, sizeof *d.seal)};
    if (list == NULL || d.seal == NULL) {
        fprintf(stderr, "waiting: no memory for %d orders\n", count);
        return 1;
    }
    for (int i = 0; i < SHELVES; i++)
        omp_init_lock(&shelves[i].lock);
    omp_init_lock(&till);
    omp_init_nest_lock(&books);
    for (int n = 0; n < days; n++) {
        take_orders(list, count);
        work_a_day(list, count, &d);
        uint32_t slips = 0;
        for (int i = 0; i < SLIPS; i++)
            slips = slips * 31u + d.slip[i];
        printf("day %d: chained %08x, log %08x, slips %08x, effort %ld, heaviest %ld, idle shelves %ld\n", n, d.chained, d.log, slips, d.heavy, d.heaviest, d.light);
    }
    long stock = 0, mixed = 0;
    for (int i = 0; i < SHELVES; i++) {
        stock += shelves[i].stock;
        mixed = (mixed * 31 + shelves[i].stock + 7 * shelves[i].moved) % 1000003;
        omp_destroy_lock(&shelves[i].lock);
    }
    omp_destroy_lock(&till);
    omp_destroy_nest_lock(&books);
    printf("stock %ld, shelves %ld, booked %ld to depth %ld, cash %ld, nines %ld\n", stock, mixed, booked, deepest, cash, refused);
    free(list);
    free(d.seal);
    return 0;
}
