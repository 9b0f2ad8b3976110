/* Worksharing loops on one thread, for serial.c and inlined.c: what they define begins with
 * what the macros are given. Where a dynamic schedule goes is kept in a place that programs
 * give (build/probe), or else by serial.c. */
#ifndef PATHSPAN_SERIAL_H
#define PATHSPAN_SERIAL_H

#include "openmp.h"

/* Every schedule gets the whole range at once. */
#define STATIC_INIT(HOW, NAME, T, S)                                                         \
  HOW void NAME(ident_t *l, i32 g, i32 schedule, i32 *last, T *lower, T *upper, S *stride, S incr, S chunk) { \
    if (last) *last = 1;                                                                     \
    *stride = (S)(*upper - *lower + (T)incr);                                                \
    __pathspan_loop_chunk = __pathspan_chunked(schedule) ? (u64)chunk : 0;                   \
    __pathspan_loop_iterations = TRIPS(*lower, *upper, incr);                                \
  }

/* Dynamic schedules: one chunk, the whole range. */
struct dispatch {
  u64 lower, upper;
  i64 stride;
  int left;
};
#define DISPATCH(HOW, SUFFIX, T, S)                                                          \
  HOW void __pathspan_dispatch_init_##SUFFIX(struct dispatch *d, ident_t *l, i32 g, i32 s, T lb, T ub, S st, S chunk) { \
    __pathspan_loop_chunk = __pathspan_chunked(s) ? (u64)chunk : 0;                          \
    __pathspan_loop_iterations = TRIPS(lb, ub, st);                                          \
    d->lower = (u64)lb;                                                                      \
    d->upper = (u64)ub;                                                                      \
    d->stride = st;                                                                          \
    d->left = __pathspan_loop_iterations > 0;                                                \
  }                                                                                          \
  HOW i32 __pathspan_dispatch_next_##SUFFIX(struct dispatch *d, ident_t *l, i32 g, i32 *last, T *lb, T *ub, S *st) { \
    if (!d->left) return 0;                                                                  \
    d->left = 0;                                                                             \
    if (last) *last = 1;                                                                     \
    *lb = (T)d->lower;                                                                       \
    *ub = (T)d->upper;                                                                       \
    if (st) *st = (S)d->stride;                                                              \
    return 1;                                                                                \
  }

#define STATIC_INITS(HOW)                                                                    \
  STATIC_INIT(HOW, __kmpc_for_static_init_4, i32, i32)                                       \
  STATIC_INIT(HOW, __kmpc_for_static_init_4u, u32, i32)                                      \
  STATIC_INIT(HOW, __kmpc_for_static_init_8, i64, i64)                                       \
  STATIC_INIT(HOW, __kmpc_for_static_init_8u, u64, i64)

#define DISPATCHES(HOW)                                                                      \
  DISPATCH(HOW, 4, i32, i32)                                                                 \
  DISPATCH(HOW, 4u, u32, i32)                                                                \
  DISPATCH(HOW, 8, i64, i64)                                                                 \
  DISPATCH(HOW, 8u, u64, i64)

#endif
