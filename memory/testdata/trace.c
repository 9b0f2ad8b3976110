/* Plays a trace of accesses, four words each, to the library that profiled programs are linked
 * with, and writes what it tells. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "memory.h"

enum { READ, WRITE, LOOP_BEGIN, LOOP_NEXT, LOOP_LEFT, RENEW, LANE_BEGIN, SECTION_BEGIN, LANE_END, LOCK_TAKEN, LOCK_GIVEN, READ_ROW, WRITE_ROW, LOOP_LANE, TURN_NEXT, VARIABLE };

extern const u64 __pathspan_globals_count, __pathspan_object_count;
const u64 __pathspan_globals_count = 0, __pathspan_object_count = 4;

u64 __pathspan_loop_iterations; /* 0: not known */
void __pathspan_variable(u64 address, u64 size, u32 object);

static void put(u64 v) {
  if (fwrite(&v, sizeof v, 1, stdout) != 1) exit(1);
}

/* As programs have it: functions by size. */
#define SIZES(what)                                                            \
  void __pathspan_##what##1(struct site *, u64), __pathspan_##what##2(struct site *, u64), __pathspan_##what##4(struct site *, u64), \
      __pathspan_##what##8(struct site *, u64), __pathspan_##what##16(struct site *, u64); \
  static void what(struct site *s, u64 at, u64 size) {                         \
    switch (size) {                                                            \
    case 1: __pathspan_##what##1(s, at); break;                                \
    case 2: __pathspan_##what##2(s, at); break;                                \
    case 4: __pathspan_##what##4(s, at); break;                                \
    case 8: __pathspan_##what##8(s, at); break;                                \
    case 16: __pathspan_##what##16(s, at); break;                              \
    default: __pathspan_##what##_range(s, at, size);                           \
    }                                                                          \
  }
SIZES(read)
SIZES(write)

int main(void) {
  static struct site sites[64], rows[4][16];
  u64 w[4];
  for (u32 i = 0; i < 64; i++) {
    sites[i].place = i + 1; /* which reads and writes, as an atomic access does */
    sites[i].here = ~(u32)0;
    rows[i / 16][i % 16] = (struct site){.place = i / 16 + 1, .here = ~(u32)0};
  }
  while (fread(w, sizeof w, 1, stdin) == 1) switch (w[0]) {
    case READ: read(&sites[w[1]], w[2], w[3]); break;
    case WRITE: write(&sites[w[1]], w[2], w[3]); break;
    case READ_ROW: __pathspan_read_row(rows[w[1]], w[2], (w[3] >> 8) * (w[3] & 255), w[3] & 255); break;
    case WRITE_ROW: __pathspan_write_row(rows[w[1]], w[2], (w[3] >> 8) * (w[3] & 255), w[3] & 255); break;
    case LOOP_BEGIN: __pathspan_loop_begin((u32)w[1], (u32)w[2]); break;
    case LOOP_NEXT: __pathspan_loop_next((u32)w[1]); break;
    case LOOP_LEFT: __pathspan_loop_left((u32)w[1]); break;
    case RENEW: __pathspan_renew(w[2], w[3], (u32)w[1]); break;
    case LANE_BEGIN: __pathspan_lane_begins((u32)w[1]); break;
    case SECTION_BEGIN: __pathspan_section_begins((u32)w[1], (u32)w[2]); break;
    case LOOP_LANE:
      __pathspan_loop_iterations = w[2];
      __pathspan_loop_lane_begins((u32)w[1]);
      break;
    case TURN_NEXT: __pathspan_turn_next((u32)w[1], 1); break;
    case VARIABLE: __pathspan_variable(w[2], w[3], (u32)w[1]); break;
    case LANE_END: __pathspan_lane_ends((u32)w[1]); break;
    case LOCK_TAKEN: __pathspan_lock_held((u32)w[1], 0); break;
    case LOCK_GIVEN: __pathspan_lock_given(); break;
    }
  __pathspan_put_memory(put);
  return 0;
}
