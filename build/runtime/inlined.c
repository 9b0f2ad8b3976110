/* What a profiled program is to have in its own code: where the bounds of a loop come from,
 * so that the optimiser knows them, and what lets an execution of a loop go by that goes like
 * one before (executions.c). It is compiled to bitcode and linked to the program's module,
 * which inlines it. */
#include "quiet.h"
#include "serial.h"

#define INLINED __attribute__((always_inline))

STATIC_INITS(INLINED)
DISPATCHES(INLINED)
INLINED void __kmpc_for_static_fini(ident_t *l, i32 g) {}

/* One thread combines nothing and waits for nobody. */
INLINED i32 __kmpc_global_thread_num(ident_t *l) { return 0; }
INLINED i32 __kmpc_reduce(ident_t *l, i32 g, i32 n, size_t size, void *data, void (*f)(void *, void *), lock_t *c) { return 1; }
INLINED i32 __kmpc_reduce_nowait(ident_t *l, i32 g, i32 n, size_t size, void *data, void (*f)(void *, void *), lock_t *c) { return 1; }
INLINED void __kmpc_end_reduce(ident_t *l, i32 g, lock_t *c) {}
INLINED void __kmpc_end_reduce_nowait(ident_t *l, i32 g, lock_t *c) {}

#define LIKELY(X) __builtin_expect(X, 1)

/* A mark of a region is put off where the last one was from. Returns 0 where it is to be told. */
INLINED i32 __pathspan_put_off(u64 from, u64 to) {
  if (!LIKELY(__pathspan_shown.put_off == from)) return 0;
  __pathspan_shown.put_off = to;
  return 1;
}

/* Likewise for the begin of a loop, where an execution may go by. */
INLINED i32 __pathspan_loop_begins(u64 from, u64 to, u64 construct) {
  const struct expected *e = &__pathspan_expected[construct];
  if (!LIKELY(__pathspan_shown.put_off == from && e->left != 0 && e->iterations == __pathspan_loop_iterations && e->chunk == __pathspan_loop_chunk)) return 0;
  __pathspan_shown.put_off = to;
  __pathspan_shown.moves++;
  return 1;
}

/* And for its end, where the work is what was expected, of the kinds that are a bit of ask: of
 * others it is then. */
INLINED i32 __pathspan_loop_ends(u64 from, u64 to, u64 construct, u32 ask, u64 w0, u64 w1, u64 w2, u64 w3, u64 w4, u64 w5, u64 w6, u64 w7) {
  struct expected *e = &__pathspan_expected[construct];
#define SAME(K) (!(ask >> K & 1) || e->work[K] == w##K)
  if (!LIKELY(__pathspan_shown.put_off == from && SAME(0) && SAME(1) && SAME(2) && SAME(3) && SAME(4) && SAME(5) && SAME(6) && SAME(7))) return 0;
  e->left--;
  __pathspan_shown.put_off = to;
  return 1;
}
