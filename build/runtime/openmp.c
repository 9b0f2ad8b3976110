/* This file is what an OpenMP program calls that does not depend on how many threads
 * there are. The rest is in serial.c (one thread: the program is profiled as it runs
 * sequentially, and pathspan schedules the sections afterwards) or in team.c (the threads
 * of a mapping). The entry points and the layouts of what they receive are those of
 * LLVM's OpenMP run-time interface (openmp/runtime/src/kmp.h). */
#include "openmp.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

i32 __kmpc_ok_to_fork(ident_t *l) { return 1; }
void __kmpc_begin(ident_t *l, i32 f) {}
void __kmpc_end(ident_t *l) {}
void __kmpc_push_num_threads(ident_t *l, i32 g, i32 n) {}
void __kmpc_push_num_teams(ident_t *l, i32 g, i32 n, i32 m) {}
void __kmpc_push_num_teams_51(ident_t *l, i32 g, i32 a, i32 b, i32 m) {}
void __kmpc_push_proc_bind(ident_t *l, i32 g, int b) {}

/* ---- calls of a region's function, for serial.c and team.c ---- */

void __pathspan_variables(i32 n, va_list ap, void **a) {
  if (n > MOST_VARIABLES) {
    static const char m[] = "pathspan: a parallel region has more than 64 variables\n";
    if (write(2, m, sizeof m - 1)) {}
    abort();
  }
  for (i32 i = 0; i < n; i++) a[i] = va_arg(ap, void *);
}

void __pathspan_call_region(micro f, i32 number, i32 n, void **given) {
  i32 tid = number, bound = number;
  void *a[MOST_VARIABLES];
  for (i32 i = 0; i < MOST_VARIABLES; i++) a[i] = i < n ? given[i] : 0;
#define A4(i) a[i], a[i + 1], a[i + 2], a[i + 3]
#define A16(i) A4(i), A4(i + 4), A4(i + 8), A4(i + 12)
  if (n <= 4) f(&tid, &bound, A4(0));
  else if (n <= 16) f(&tid, &bound, A16(0));
  else f(&tid, &bound, A16(0), A16(16), A16(32), A16(48));
}

/* ---- work sharing and synchronisation that ask nothing of the threads ---- */

void __kmpc_for_static_fini(ident_t *l, i32 g) {}
void __kmpc_distribute_static_fini(ident_t *l, i32 g) {}
void __kmpc_end_barrier_master(ident_t *l, i32 g) {}
i32 __kmpc_cancel(ident_t *l, i32 g, i32 k) { return 0; }
i32 __kmpc_cancellationpoint(ident_t *l, i32 g, i32 k) { return 0; }
void __kmpc_end_master(ident_t *l, i32 g) {}
void __kmpc_end_masked(ident_t *l, i32 g) {}
void __kmpc_end_single(ident_t *l, i32 g) {}
void __kmpc_scope(ident_t *l, i32 g, void *r) {}
void __kmpc_end_scope(ident_t *l, i32 g, void *r) {}
void __kmpc_dispatch_deinit(ident_t *l, i32 g) {}

#define DIST_INIT(NAME, T, S)                                                                \
  void NAME(ident_t *l, i32 g, i32 schedule, i32 *last, T *lower, T *upper, T *dist_upper, S *stride, S incr, S chunk) { \
    if (last) *last = 1;                                                                     \
    *dist_upper = *upper;                                                                    \
    *stride = (S)(*upper - *lower + (T)incr);                                                \
  }
DIST_INIT(__kmpc_dist_for_static_init_4, i32, i32)
DIST_INIT(__kmpc_dist_for_static_init_4u, u32, i32)
DIST_INIT(__kmpc_dist_for_static_init_8, i64, i64)
DIST_INIT(__kmpc_dist_for_static_init_8u, u64, i64)

void __kmpc_flush(ident_t *l, ...) {}
void __kmpc_doacross_init(ident_t *l, i32 g, i32 n, void *d) {}
void __kmpc_doacross_wait(ident_t *l, i32 g, i64 *v) {}
void __kmpc_doacross_post(ident_t *l, i32 g, i64 *v) {}
void __kmpc_doacross_fini(ident_t *l, i32 g) {}
void __kmpc_error(ident_t *l, i32 severity, const char *m) { if (severity == 2) abort(); }

void *__kmpc_alloc(i32 g, size_t n, void *a) { return malloc(n); }
void *__kmpc_aligned_alloc(i32 g, size_t al, size_t n, void *a) {
  void *p = 0;
  if (al < sizeof(void *)) al = sizeof(void *);
  return posix_memalign(&p, al, n) == 0 ? p : 0;
}
void __kmpc_free(i32 g, void *p, void *a) { free(p); }

/* ---- offloading: there is no device, so the program takes its host version ---- */

i32 __tgt_target_mapper(ident_t *l, i64 d, void *h, i32 n, void **b, void **a, i64 *s, i64 *t, void **nm, void **m) {
  return -1;
}
i32 __tgt_target_teams_mapper(ident_t *l, i64 d, void *h, i32 n, void **b, void **a, i64 *s, i64 *t, void **nm, void **m, i32 x, i32 y) {
  return -1;
}
i32 __tgt_target_kernel(ident_t *l, i64 d, i32 n, i32 t, void *h, void *args) {
  return -1;
}
#define DATA_MAPPER(NAME)                                                                    \
  void NAME(ident_t *l, i64 d, i32 n, void **b, void **a, i64 *s, i64 *t, void **nm, void **m) { \
  }
DATA_MAPPER(__tgt_target_data_begin_mapper)
DATA_MAPPER(__tgt_target_data_end_mapper)
DATA_MAPPER(__tgt_target_data_update_mapper)
void __tgt_register_requires(i64 f) {}
void __tgt_register_lib(void *d) {}
void __tgt_unregister_lib(void *d) {}
void __kmpc_push_target_tripcount_mapper(ident_t *l, i64 d, u64 n) {}

/* ---- the user's interface (omp.h) ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static int wanted_threads = 1, dynamic_, nested_, levels = 1;
int omp_get_max_threads(void) { return wanted_threads; }
void omp_set_num_threads(int n) {}
int omp_get_num_procs(void) { return 1; }
int omp_get_dynamic(void) { return dynamic_; }
void omp_set_dynamic(int v) { dynamic_ = v; }
int omp_get_nested(void) { return nested_; }
void omp_set_nested(int v) { nested_ = v; }
int omp_get_thread_limit(void) { return 1; }
int omp_get_max_active_levels(void) { return levels; }
void omp_set_max_active_levels(int n) { levels = n; }
int omp_get_supported_active_levels(void) { return 1; }
int omp_get_cancellation(void) { return 0; }
int omp_get_proc_bind(void) { return 0; }
int omp_get_default_device(void) { return 0; }
void omp_set_default_device(int d) {}
int omp_get_num_devices(void) { return 0; }
int omp_get_num_teams(void) { return 1; }
int omp_get_team_num(void) { return 0; }
int omp_is_initial_device(void) { return 1; }
int omp_get_initial_device(void) { return 0; }
int omp_get_max_task_priority(void) { return 0; }
void omp_get_schedule(int *k, int *c) {
  *k = 1;
  *c = 0;
}
void omp_set_schedule(int k, int c) {}
double omp_get_wtime(void) { return now(); }
double omp_get_wtick(void) { return 1e-9; }
