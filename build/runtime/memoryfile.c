/* What is written of memory: records of six words (raw.def). */
#include "memory.h"

enum { FLOWS = 1, WRITTEN, CARRIED, REUSE };

static void (*put)(u64);

static void record(u64 kind, u64 a, u64 b, u64 c, u64 x, u64 y) {
  put(kind);
  put(a);
  put(b);
  put(c);
  put(x);
  put(y);
}

static void flow(u32 object, u32 writer, u32 who, u64 bytes, u64 first) {
  if (!(who & WRITES)) record(FLOWS, object, __pathspan_where_is(writer), __pathspan_where_is(who), bytes, first);
}

static void written(u32 object, u32 writer, u32 who, u64 bytes, u64 first) {
  (void)writer;
  (void)first;
  if (who & WRITES) record(WRITTEN, object, __pathspan_where_is(who & ~WRITES), 0, bytes, 0);
}

static void carried(u32 loop, u32 kind, u32 state, u32 who, u64 times) {
  const struct state *s = &__pathspan_states[state];
  record(CARRIED, (u64)kind << 32 | loop, __pathspan_where_is(s->writer), __pathspan_where_is(who), times, 0);
}

static void reuse(i64 lines, u64 times) { record(REUSE, 0, (u64)lines, 0, times, 0); }

__attribute__((visibility("default"))) void __pathspan_put_memory(void (*to)(u64)) {
  put = to;
  __pathspan_each_step(flow);
  __pathspan_each_step(written);
  __pathspan_each_carried(carried);
  __pathspan_each_use(reuse);
}
