/*
 * This file uses the runtime's locks, simple and nestable, from sections.
 */
#include <stdio.h>

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

static omp_lock_t lock;
static omp_nest_lock_t nested;
static long total, depth_sum;

static void add(int depth)
{
    omp_set_nest_lock(&nested);
    depth_sum += depth;
    if (depth > 0)
        add(depth - 1);
    omp_unset_nest_lock(&nested);
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        for (int i = 0; i < 100; i++) {
            omp_set_lock(&lock);
            total += i;
            omp_unset_lock(&lock);
            add(i % 4);
        }
        #pragma omp section
        for (int i = 0; i < 200; i++) {
            while (!omp_test_lock(&lock))
                continue;
            total += i % 2 ? 3 : 1;
            omp_unset_lock(&lock);
            if (i % 50 == 0)
                add(5);
        }
    }
    omp_destroy_nest_lock(&nested);
    omp_destroy_lock(&lock);
    printf("total %ld depth %ld\n", total, depth_sum);
    return 0;
}
