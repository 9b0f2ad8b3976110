/* What openmp.c, serial.c and team.c share: the types of LLVM's OpenMP run-time interface,
 * and calls of a region's function. */
#ifndef PATHSPAN_OPENMP_H
#define PATHSPAN_OPENMP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef struct ident ident_t; /* where in the source */
typedef i32 lock_t[8];
typedef void (*micro)(i32 *, i32 *, ...); /* the function of a region */

typedef struct {
  void *held;
} omp_lock_t;
typedef omp_lock_t omp_nest_lock_t;

/* A region passes at most so many variables. */
enum { MOST_VARIABLES = 64 };

/* ---- openmp.c ---- */

/* Takes a region's variables, which are arguments of the call that forks. */
void __pathspan_variables(i32 n, va_list ap, void **a);

/* Calls the function for a thread. It leaves arguments alone that it does not have. */
void __pathspan_call_region(micro f, i32 number, i32 n, void **a);

/* Of the worksharing loop that began last; a chunk of 0 where none is given. */
extern u64 __pathspan_loop_iterations, __pathspan_loop_chunk;

/* Whether a loop of a schedule has chunks, rather than a number that says nothing (kmp.h). */
static inline int __pathspan_chunked(i32 schedule) {
  i32 s = (schedule & ~(3 << 29)) % 32;
  return s == 1 || s == 3 || s == 4;
}

/* Whether parts of its iterations run in their order. */
static inline int __pathspan_ordered(i32 schedule) { return (schedule & ~(3 << 29)) > 64; }

/* How many iterations a loop has whose variable runs from lower to upper, both included. */
#define TRIPS(LOWER, UPPER, STEP)                                                            \
  ((STEP) > 0 ? ((LOWER) > (UPPER) ? 0 : ((u64)(UPPER) - (u64)(LOWER)) / (u64)(STEP) + 1)    \
              : ((LOWER) < (UPPER) || !(STEP) ? 0 : ((u64)(LOWER) - (u64)(UPPER)) / (0 - (u64)(STEP)) + 1))

/* ---- serial.c, team.c ---- */

i32 __kmpc_global_thread_num(ident_t *l);

#endif
