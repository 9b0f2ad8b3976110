/* What is written of memory: records of six words (raw.def, and memory/told.go). Behind those
 * of earlier runs come a run's own. */
#include "memory.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <unistd.h>

enum { RUN = 1, PATH, GUARD, OBJECT, LANE, FOREIGN, FLOWS, WRITTEN, CARRIED, LEVEL, REUSE, BACK, SPAN, MOST, SHARED, SETS, BETWEEN, FRESH, TAKEN = FRESH + 2 /* branches.c */, KEPT, TURNS };

u64 __pathspan_passed[PASSED];

static void (*put)(u64);

static void record(u64 kind, u64 a, u64 b, u64 c, u64 x, u64 y) {
  put(kind);
  put(a);
  put(b);
  put(c);
  put(x);
  put(y);
}

static void path(u32 number, u32 outer, u32 call) { record(PATH, number, outer, call, 0, 0); }
static void guard(u32 number, u32 outer, u32 lock) { record(GUARD, number, outer, lock, 0, 0); }
static void object(u32 number, u32 of, u32 path, u64 made, u64 most) { record(OBJECT, number, of, path, made, most); }
static void lane_of(u32 number, u32 lane) { record(LANE, number, lane, 0, 0, 0); }

static void flow(u32 object, u32 writer, u32 who, u64 bytes, u64 first) {
  if (!(who & WRITES)) record(FLOWS, object, __pathspan_where_is(writer), __pathspan_where_is(who), bytes, first);
}

static void written(u32 object, u32 writer, u32 who, u64 bytes, u64 first) {
  (void)writer;
  (void)first;
  if (who & WRITES) record(WRITTEN, object, __pathspan_where_is(who & ~WRITES), 0, bytes, 0);
}

/* Of what was read and is written then, whoever read it since it was written may be meant. */
static void carried(u32 loop, u32 lane, u32 kind, u32 state, u32 who, u64 least, u64 times, u64 bytes) {
  const struct state *s = &__pathspan_states[state];
  const u32 *from = &s->writer;
  u32 among = 1, n = kind == ANTI ? __pathspan_readers(state, &from, &among) : 1;
  record(LEVEL, loop, lane, kind, among, least);
  for (u32 i = 0; i < n; i++) record(CARRIED, s->object, __pathspan_where_is(from[i]), __pathspan_where_is(who & ~WRITES), times, bytes);
}

static void reuse(u32 lane, u32 from, int first, i64 lines, u64 reads, u64 writes, i64 back) {
  if (reads || writes) record(REUSE, lane | (u64)from << 32, (u64)lines, (u64)first, reads, writes);
  if (back) record(BACK, lane | (u64)from << 32, (u64)lines, (u64)first, (u64)back, 0);
}

static void span(u32 lane, u64 times, u64 lines, u64 most) {
  record(SPAN, lane, 0, 0, times, lines);
  record(MOST, lane, 0, 0, most, 0);
}

static void shared(u32 lane, u32 with, u32 apart, u64 fresh, u64 again) { record(SHARED, lane, with, apart, fresh, again); }

static void sets(u32 lane, u32 log, i64 lines, u64 times, u64 reads) { record(SETS, lane, log, (u64)lines, times, reads); }

static void between(u32 lane, u32 last, u32 by, i64 lines, u64 times) { record(BETWEEN, lane | (u64)last << 32, by, (u64)lines, times, 0); }

static void fresh(u32 lane, u32 from, u32 last, u64 reads, u64 fresh_reads, u64 writes, u64 fresh_writes) {
  record(FRESH, lane | (u64)(last + 1) << 16 | (u64)from << 32, reads, fresh_reads, writes, fresh_writes);
}

static void taken(u32 lane, u32 way, u32 threads, u32 chunk, i64 lines, const struct came *c) {
  u64 who = lane | (u64)way << 16 | (u64)threads << 32, far = (u64)lines | (u64)(way & BY_CHUNKS ? chunk : 0) << 32;
  record(TAKEN, who, far, c->outer, c->reads, c->writes);
  record(KEPT, who, far, 0, c->known, c->kept);
}

static void turns(u32 lane, u32 threads, u32 chunk, u64 first, u64 again) { record(TURNS, lane, threads, chunk, first, again); }

/* Calls of functions of which nothing is known, by function. */
extern const u64 __pathspan_foreign_calls[] __attribute__((weak));
extern const u64 __pathspan_foreign_count __attribute__((weak));

/* Whether the system chose where things of this process lie, as it does not twice alike. */
static u64 is_at_random(void) {
  char c = '2';
  int p = personality(0xffffffff);
  int f = open("/proc/sys/kernel/randomize_va_space", O_RDONLY | O_CLOEXEC);
  if (f >= 0) {
    if (read(f, &c, 1) < 0) c = '2';
    close(f);
  }
  return c != '0' && (p < 0 || !(p & ADDR_NO_RANDOMIZE));
}

/* What a child of fork tells begins there. */
void __pathspan_forget_memory(void) {
  __pathspan_forget_steps();
  __pathspan_forget_carried();
  __pathspan_forget_uses();
  __pathspan_forget_shared();
  __pathspan_forget_turns();
}

void __pathspan_put_memory(void (*to)(u64)) {
  put = to;
  const u64 *passed = __pathspan_passed;
  record(RUN, is_at_random(), passed[PASSED_LANES], passed[PASSED_LOCKS], passed[PASSED_LINES], passed[PASSED_OBJECTS]);
  __pathspan_each_path(path);
  __pathspan_each_guard(guard);
  __pathspan_each_object(object, lane_of);
  for (u64 i = 0; &__pathspan_foreign_count && i < __pathspan_foreign_count; i++)
    if (__pathspan_foreign_calls[i]) record(FOREIGN, i, 0, 0, __pathspan_foreign_calls[i], 0);
  __pathspan_each_step(flow);
  __pathspan_each_step(written);
  __pathspan_each_carried(carried);
  __pathspan_each_use(reuse);
  __pathspan_each_span(span);
  __pathspan_each_shared(shared);
  __pathspan_each_between(between);
  __pathspan_each_fresh(fresh);
  __pathspan_each_taken(taken);
  __pathspan_each_turn(turns);
#ifndef PATHSPAN_WITHOUT_SETS /* but in a test */
  __pathspan_each_set(sets);
#endif
}
