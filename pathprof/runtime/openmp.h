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

/* ---- serial.c, team.c ---- */

i32 __kmpc_global_thread_num(ident_t *l);

#endif
