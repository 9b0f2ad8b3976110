/* Worksharing loops on one thread, for serial.c and inlined.c: what they define begins with
 * what WORKSHARING is given. */
#ifndef PATHSPAN_SERIAL_H
#define PATHSPAN_SERIAL_H

#include "openmp.h"

#include <stdlib.h>

/* Every schedule gets the whole range at once. */
#define STATIC_INIT(HOW, NAME, T, S)                                                         \
  HOW void NAME(ident_t *l, i32 g, i32 schedule, i32 *last, T *lower, T *upper, S *stride, S incr, S chunk) { \
    if (last) *last = 1;                                                                     \
    *stride = (S)(*upper - *lower + (T)incr);                                                \
    __pathspan_loop_chunk = __pathspan_chunked(schedule) ? (u64)chunk : 0;                   \
    __pathspan_loop_iterations = TRIPS(*lower, *upper, incr);                                \
  }

/* Dynamic schedules: one chunk, the whole range. They nest, so a
 * small stack. */
enum { MOST_DISPATCHED = 64 };
struct dispatch {
  u64 lower, upper;
  i64 stride;
  int left;
};
extern __thread struct dispatch __pathspan_dispatched[MOST_DISPATCHED];
extern __thread i32 __pathspan_dispatch_depth;
#define DISPATCH(HOW, SUFFIX, T, S)                                                          \
  HOW void __kmpc_dispatch_init_##SUFFIX(ident_t *l, i32 g, i32 s, T lb, T ub, S st, S chunk) { \
    if (__pathspan_dispatch_depth == MOST_DISPATCHED) abort();                               \
    struct dispatch *d = &__pathspan_dispatched[__pathspan_dispatch_depth++];                \
    __pathspan_loop_chunk = __pathspan_chunked(s) ? (u64)chunk : 0;                          \
    __pathspan_loop_iterations = TRIPS(lb, ub, st);                                          \
    d->lower = (u64)lb;                                                                      \
    d->upper = (u64)ub;                                                                      \
    d->stride = st;                                                                          \
    d->left = __pathspan_loop_iterations > 0;                                                \
  }                                                                                          \
  HOW i32 __kmpc_dispatch_next_##SUFFIX(ident_t *l, i32 g, i32 *last, T *lb, T *ub, S *st) { \
    struct dispatch *d = &__pathspan_dispatched[__pathspan_dispatch_depth - 1];              \
    if (!d->left) {                                                                          \
      __pathspan_dispatch_depth--;                                                           \
      return 0;                                                                              \
    }                                                                                        \
    d->left = 0;                                                                             \
    if (last) *last = 1;                                                                     \
    *lb = (T)d->lower;                                                                       \
    *ub = (T)d->upper;                                                                       \
    if (st) *st = (S)d->stride;                                                              \
    return 1;                                                                                \
  }                                                                                          \
  HOW void __kmpc_dispatch_fini_##SUFFIX(ident_t *l, i32 g) {}

#define WORKSHARING(HOW)                                                                     \
  STATIC_INIT(HOW, __kmpc_for_static_init_4, i32, i32)                                       \
  STATIC_INIT(HOW, __kmpc_for_static_init_4u, u32, i32)                                      \
  STATIC_INIT(HOW, __kmpc_for_static_init_8, i64, i64)                                       \
  STATIC_INIT(HOW, __kmpc_for_static_init_8u, u64, i64)                                      \
  DISPATCH(HOW, 4, i32, i32)                                                                 \
  DISPATCH(HOW, 4u, u32, i32)                                                                \
  DISPATCH(HOW, 8, i64, i64)                                                                 \
  DISPATCH(HOW, 8u, u64, i64)

#endif
