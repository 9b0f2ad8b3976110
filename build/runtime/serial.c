/* This file is OpenMP on one thread: every construct in program order. openmp.c holds
 * what does not depend on the number of threads. */
#include "serial.h"

#include <stdlib.h>

void __kmpc_serialized_parallel(ident_t *l, i32 g) {}
void __kmpc_end_serialized_parallel(ident_t *l, i32 g) {}
i32 __kmpc_global_thread_num(ident_t *l) { return 0; }
i32 __kmpc_global_num_threads(ident_t *l) { return 1; }
i32 __kmpc_bound_thread_num(ident_t *l) { return 0; }
i32 __kmpc_bound_num_threads(ident_t *l) { return 1; }
i32 __kmpc_in_parallel(ident_t *l) { return 0; }
/* Regions whose function is known are called directly by the instrumented program;
 * what is left is a function reached through a pointer. */
static void run_micro(micro f, i32 n, va_list ap) {
  void *a[MOST_VARIABLES];
  __pathspan_variables(n, ap, a);
  __pathspan_call_region(f, 0, n, a);
}
void __kmpc_fork_call(ident_t *l, i32 n, micro f, ...) {
  va_list ap;
  va_start(ap, f);
  run_micro(f, n, ap);
  va_end(ap);
}
void __kmpc_fork_teams(ident_t *l, i32 n, micro f, ...) {
  va_list ap;
  va_start(ap, f);
  run_micro(f, n, ap);
  va_end(ap);
}

/* ---- work sharing ---- */

u64 __pathspan_loop_iterations, __pathspan_loop_chunk;
#define EXPORTED
STATIC_INITS(EXPORTED)
DISPATCHES(static)

/* Dynamic schedules nest, so a small stack. */
static __thread struct dispatch stack_[64];
static __thread int depth;
#define STACKED(SUFFIX, T, S)                                                                \
  void __kmpc_dispatch_init_##SUFFIX(ident_t *l, i32 g, i32 s, T lb, T ub, S st, S chunk) {  \
    if (depth == 64) abort();                                                                \
    __pathspan_dispatch_init_##SUFFIX(&stack_[depth++], l, g, s, lb, ub, st, chunk);         \
  }                                                                                          \
  i32 __kmpc_dispatch_next_##SUFFIX(ident_t *l, i32 g, i32 *last, T *lb, T *ub, S *st) {     \
    if (__pathspan_dispatch_next_##SUFFIX(&stack_[depth - 1], l, g, last, lb, ub, st)) return 1; \
    depth--;                                                                                 \
    return 0;                                                                                \
  }                                                                                          \
  void __kmpc_dispatch_fini_##SUFFIX(ident_t *l, i32 g) {}
STACKED(4, i32, i32)
STACKED(4u, u32, i32)
STACKED(8, i64, i64)
STACKED(8u, u64, i64)

/* ---- synchronisation ---- */

/* lanes.c */
void __pathspan_threads_wait(void) __attribute__((weak));

void __kmpc_barrier(ident_t *l, i32 g) {
  if (__pathspan_threads_wait) __pathspan_threads_wait();
}
i32 __kmpc_barrier_master(ident_t *l, i32 g) { return 1; }
i32 __kmpc_barrier_master_nowait(ident_t *l, i32 g) { return 1; }
i32 __kmpc_cancel_barrier(ident_t *l, i32 g) { return 0; }
i32 __kmpc_master(ident_t *l, i32 g) { return 1; }
i32 __kmpc_masked(ident_t *l, i32 g, i32 filter) { return filter == 0; }
void __kmpc_ordered(ident_t *l, i32 g) {}
void __kmpc_end_ordered(ident_t *l, i32 g) {}
i32 __kmpc_single(ident_t *l, i32 g) { return 1; }
void __kmpc_critical(ident_t *l, i32 g, lock_t *c) {}
void __kmpc_critical_with_hint(ident_t *l, i32 g, lock_t *c, u32 h) {}
void __kmpc_end_critical(ident_t *l, i32 g, lock_t *c) {}
void __kmpc_copyprivate(ident_t *l, i32 g, size_t n, void *data, void (*copy)(void *, void *), i32 did) {
}
void *__kmpc_copyprivate_light(ident_t *l, i32 g, void *data) { return data; }
i32 __kmpc_reduce(ident_t *l, i32 g, i32 n, size_t size, void *data, void (*f)(void *, void *), lock_t *c) {
  return 1;
}
i32 __kmpc_reduce_nowait(ident_t *l, i32 g, i32 n, size_t size, void *data, void (*f)(void *, void *), lock_t *c) {
  return 1;
}
void __kmpc_end_reduce(ident_t *l, i32 g, lock_t *c) {}
void __kmpc_end_reduce_nowait(ident_t *l, i32 g, lock_t *c) {}
/* Atomic constructs too wide for the processor fall back on these. */
void __kmpc_atomic_start(void) {}
void __kmpc_atomic_end(void) {}

/* ---- thread-private data: there is one thread, so the original is its copy ---- */

void *__kmpc_threadprivate_cached(ident_t *l, i32 g, void *data, size_t n, void ***cache) {
  return data;
}
void *__kmpc_threadprivate(ident_t *l, i32 g, void *data, size_t n) { return data; }
void __kmpc_threadprivate_register(ident_t *l, void *d, void *c, void *cc, void *dt) {
}
int omp_get_thread_num(void) { return 0; }
int omp_get_num_threads(void) { return 1; }
int omp_in_parallel(void) { return 0; }
int omp_get_level(void) { return 0; }
int omp_get_active_level(void) { return 0; }
int omp_get_ancestor_thread_num(int l) { return l == 0 ? 0 : -1; }
int omp_get_team_size(int l) { return l == 0 ? 1 : -1; }
/* Locks: nobody else can hold one. */
void omp_init_lock(omp_lock_t *l) { l->held = 0; }
void omp_init_lock_with_hint(omp_lock_t *l, int h) { l->held = 0; }
void omp_destroy_lock(omp_lock_t *l) {}
void omp_set_lock(omp_lock_t *l) { l->held = l; }
void omp_unset_lock(omp_lock_t *l) { l->held = 0; }
int omp_test_lock(omp_lock_t *l) {
  int free_ = !l->held;
  l->held = l;
  return free_;
}
void omp_init_nest_lock(omp_nest_lock_t *l) { l->held = 0; }
void omp_init_nest_lock_with_hint(omp_nest_lock_t *l, int h) { l->held = 0; }
void omp_destroy_nest_lock(omp_nest_lock_t *l) {}
void omp_set_nest_lock(omp_nest_lock_t *l) { l->held = (char *)l->held + 1; }
void omp_unset_nest_lock(omp_nest_lock_t *l) { l->held = (char *)l->held - 1; }
int omp_test_nest_lock(omp_nest_lock_t *l) {
  l->held = (char *)l->held + 1;
  return (int)(intptr_t)l->held;
}
