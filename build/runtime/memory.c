/* What the program tells of its memory. Each line has granules of 1 to 8 bytes: as large as the accesses to it
 * allow, made smaller when one comes that does not cover whole granules. That lines are used is noted at once; what becomes of
 * their cells is told (told.c). */
#include "memory.h"

u32 __pathspan_now = 1, __pathspan_level;

static ALWAYS int told_other(u64 kind, u64 what, u64 more, const struct cell *c) {
  return is_told(what | more << MORE_AT, (uintptr_t)c | OTHER | kind << OTHER_AT);
}

/* Cells of lines whose granules became smaller, by log. What they were may not have been worked off yet: so they are listed apart. */
enum { MOST_SPARES = ROOM_FOR(1 << 28) };
static struct {
  struct cell **list;
  u32 count;
} spares[COARSEST + 1];

static struct cell *cells_of(u32 log) {
  return spares[log].count ? spares[log].list[--spares[log].count] : __pathspan_arena((LINE >> log) * sizeof(struct cell));
}

static void spare(struct cell *c, u32 log) {
  if (!spares[log].list) spares[log].list = __pathspan_reserve(MOST_SPARES * sizeof c);
  if (spares[log].count < MOST_SPARES) spares[log].list[spares[log].count++] = c;
}

/* split makes the granules of a line small enough for an access; at tells how it is aligned. */
static __attribute__((noinline)) void split(struct line *l, u64 address, u64 at) {
  u32 log = at & 7 ? (u32)__builtin_ctzll(at) : COARSEST, before = l->log;
  struct cell *new = cells_of(log);
  u64 from = l->cell ? (uintptr_t)l->cell : (address & ~(u64)(LINE - 1)) + 1;
  if (!told_other(SPLIT, from, before | log << 2, new)) __pathspan_split_cells(from, new, before, log);
  if (l->cell) spare(l->cell, before);
  struct line **near = &__pathspan_near.line[before][l->place];
  if (*near == l) {
    *near = 0;
    __pathspan_near.line[log][l->place] = l;
  }
  l->cell = new;
  l->granule = (u8)(1u << log);
  l->log = (u8)log;
}

/* cells_at returns the cells of what lies within a line. */
static ALWAYS struct cell *cells_at(struct line *l, u64 address, u64 size) {
  if (l->cell == 0 || ((address | size) & (l->granule - 1u))) split(l, address, address | size);
  return l->cell + ((address & (LINE - 1)) >> l->log);
}

/* Cells of a line: each so many, a power of two of which the exponent is given, have a site of their own. */
enum { ALL = 7 };
static ALWAYS void access_cells(struct site *s, struct cell *c, u32 n, u32 log, u32 site_log, int writes) {
  if (told_other(writes ? WRITE_CELLS : READ_CELLS, (uintptr_t)s, n | log << 7 | site_log << 9, c)) return;
  (writes ? __pathspan_write_cells : __pathspan_read_cells)(s, c, n, log, site_log);
}

static ALWAYS void use(struct line *l, int writes) {
  if (unlikely(!__pathspan_used_near(l, l->log, writes))) __pathspan_use_far(l, writes);
}

/* range goes line by line. */
static ALWAYS void range(struct site *s, u64 address, u64 size, int writes) {
  while (size) {
    u64 n = LINE - (address & (LINE - 1));
    if (n > size) n = size;
    struct line *l = touched(address);
    /* Whole granules of eight bytes but for the ends, so that lines are not split for them. */
    if ((address | n) & (l->granule - 1u)) {
      if (n > 8 && (address & 7)) n = 8 - (address & 7);
      else if (n > 8) n &= ~(u64)7;
    }
    use(l, writes);
    struct cell *c = cells_at(l, address, n);
    access_cells(s, c, (u32)n >> l->log, l->log, ALL, writes);
    address += n;
    size -= n;
  }
}

/* What keeps nothing while others run is quicker: so what is left to do in seldom cases is done
 * by functions of their own, by tail calls. */
#define SELDOM_CALLED static __attribute__((noinline)) void
SELDOM_CALLED read_range(struct site *s, u64 address, u64 size) { range(s, address, size, 0); }
SELDOM_CALLED write_range(struct site *s, u64 address, u64 size) { range(s, address, size, 1); }

/* An access is of one granule, or of two: of half its size, or of eight bytes. */
#define one(what, each, writes) AT_ONCE(what##_one##each, (writes) * WRITE | __builtin_ctz(each) * 2 | ONE_CELL)
#define two(what, each, writes) AT_ONCE(what##_two##each, (writes) * WRITE | __builtin_ctz(each) * 2 | TWO_CELLS)
#define bytes(what, each, writes) access_cells(s, c, 2, 0, ALL, writes)
#define AT_ONCE(name, kind)                                                    \
  u64 where = (uintptr_t)c + (kind);                                           \
  if (!is_told((uintptr_t)s, where)) __pathspan_##name((uintptr_t)s, where)
#define CELLS(what, each, many, writes)                                        \
  struct cell *c = (struct cell *)((char *)l->cell + ((address * (sizeof *c / (each))) & (LINE / (each) - 1) * sizeof *c)); \
  many(what, each, writes)
#define GRANULES(what, each, many, name, other, writes)                           \
  SELDOM_CALLED far_##name(struct site *s, u64 address, struct line *l) {      \
    if (unlikely(l->granule != each)) {                                        \
      other;                                                                   \
      return;                                                                  \
    }                                                                          \
    __pathspan_use_far(l, writes);                                             \
    CELLS(what, each, many, writes);                                              \
  }                                                                            \
  static ALWAYS void near_##name(struct site *s, u64 address, struct line *l) { \
    if (unlikely(!__pathspan_used_near(l, __builtin_ctz(each), writes))) {     \
      far_##name(s, address, l);                                               \
      return;                                                                  \
    }                                                                          \
    CELLS(what, each, many, writes);                                              \
  }
#define ONE(what, size, writes)                                                \
  GRANULES(what, size, one, what##size, __pathspan_##what##_range(s, address, size), writes) \
  void __pathspan_##what##size(struct site *s, u64 address) { near_##what##size(s, address, line_at(address)); }
#define TWO(what, size, half, writes)                                          \
  GRANULES(what, half, two, what##size##_two, __pathspan_##what##_range(s, address, size), writes) \
  void __pathspan_##what##size(struct site *s, u64 address) {                  \
    if (unlikely((address & (size - 1)) != 0)) __pathspan_##what##_range(s, address, size); \
    else near_##what##size##_two(s, address, line_at(address));                \
  }
#define ONE_OR_TWO(what, size, half, many, writes)                             \
  GRANULES(what, half, many, what##size##_two, __pathspan_##what##_range(s, address, size), writes) \
  SELDOM_CALLED what##size##_other(struct site *s, u64 address, struct line *l) { near_##what##size##_two(s, address, l); } \
  GRANULES(what, size, one, what##size, what##size##_other(s, address, l), writes) \
  void __pathspan_##what##size(struct site *s, u64 address) {                  \
    if (unlikely((address & (size - 1)) != 0)) __pathspan_##what##_range(s, address, size); \
    else near_##what##size(s, address, line_at(address));                      \
  }
/* Whole granules within a line are done at once; a row as its pieces, of which
 * each has a site, would be in the order of addresses. */
#define WITHIN(writes) access_cells(s, l->cell + ((address & (LINE - 1)) >> l->log), (u32)size >> l->log, l->log, log, writes)
#define RANGE(what, writes)                                                    \
  SELDOM_CALLED far_##what(struct site *s, u64 address, u64 size, struct line *l, u32 log) { \
    __pathspan_use_far(l, writes);                                             \
    WITHIN(writes);                                                            \
  }                                                                            \
  static ALWAYS void what##_within(struct site *s, u64 address, u64 size, struct line *l, u32 log) { \
    if (unlikely(!__pathspan_used_near(l, l->log, writes))) {                 \
      far_##what(s, address, size, l, log);                                    \
      return;                                                                  \
    }                                                                          \
    WITHIN(writes);                                                            \
  }                                                                            \
  void __pathspan_##what##_range(struct site *s, u64 address, u64 size) {      \
    struct line *l = line_at(address);                                         \
    if (likely(size - 1 < LINE - (address & (LINE - 1))) && likely(!((address | size) & (l->granule - 1u)))) what##_within(s, address, size, l, ALL); \
    else what##_range(s, address, size);                                       \
  }                                                                            \
  SELDOM_CALLED what##_pieces(struct site *s, u64 address, u64 size, u64 each) { \
    for (u64 end = address + size; address != end; address += each) __pathspan_##what##_range(s++, address, each); \
  }                                                                            \
  void __pathspan_##what##_row(struct site *s, u64 address, u64 size, u64 each) { \
    struct line *l = line_at(address);                                         \
    if (likely(size <= LINE - (address & (LINE - 1))) && likely(!((address | each) & (l->granule - 1u)))) what##_within(s, address, size, l, (u32)__builtin_ctzll(each) - l->log); \
    else what##_pieces(s, address, size, each);                                \
  }
RANGE(read, 0)
RANGE(write, 1)
ONE(read, 1, 0)
ONE_OR_TWO(read, 2, 1, bytes, 0)
ONE_OR_TWO(read, 4, 2, two, 0)
ONE_OR_TWO(read, 8, 4, two, 0)
TWO(read, 16, 8, 0)
ONE(write, 1, 1)
ONE_OR_TWO(write, 2, 1, bytes, 1)
ONE_OR_TWO(write, 4, 2, two, 1)
ONE_OR_TWO(write, 8, 4, two, 1)
TWO(write, 16, 8, 1)

/* renew makes memory that of an object that nobody wrote yet. */
void __pathspan_renew(u64 address, u64 size, u32 object) {
  while (size) {
    u64 n = LINE - (address & (LINE - 1));
    if (n > size) n = size;
    struct line *l = touched_if(object, address);
    if (l->cell || object) {
      struct cell *c = cells_at(l, address, n);
      if (!told_other(RENEW, object, n >> l->log, c)) __pathspan_renew_cells(object, c, (u32)n >> l->log);
    }
    if (l->number && __pathspan_lanes) __pathspan_line_made(l->number, 0);
    address += n;
    size -= n;
  }
}

void __pathspan_on_stack(u64 address, u64 size) {
  for (u64 end = address + size; address < end; address = (address | (LINE - 1)) + 1) __pathspan_line_made(__pathspan_number(touched(address)), 1);
}

/* ---- loops ---- */

void __pathspan_loop_begin(u32 level, u32 loop) {
  __pathspan_now++;
  __pathspan_level = level;
  if (!told_other(LOOP_BEGIN, level | (u64)loop << 32, 0, 0)) __pathspan_met_begin(level, loop);
}

void __pathspan_loop_next(u32 level) {
  __pathspan_now++;
  __pathspan_level = level;
  if (!is_told(level, NEXT)) __pathspan_met_next(level);
}

/* The iteration of a worksharing loop. */
void __pathspan_turn_next(u32 level) {
  __pathspan_loop_next(level);
  __pathspan_turns();
}

/* A loop was left for one of a level, 0 for none. */
void __pathspan_loop_left(u32 level) {
  __pathspan_level = level;
  if (!told_other(LOOP_LEFT, level, 0, 0)) __pathspan_met_left(level);
}

/* The lane under way holds other locks. */
void __pathspan_holds(void) {
  if (!told_other(HOLDS, __pathspan_here >> 32, 0, 0)) __pathspan_met.here = __pathspan_here;
}
