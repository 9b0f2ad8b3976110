/* What accesses make of the cells of the program's memory: worked off as it was told (told.c), in that order. The cells of
 * a line are of one size, which memory.c chooses. */
#include "memory.h"

/* Nothing is returned by these: older compilers lose it. */
#define SELDOM __attribute__((noinline)) KEEPS

/* A line has smaller cells in place of those it had. */
static void split(const struct cell *old, struct cell *new, u32 before, u32 log) {
  u32 each = 1u << (before - log);
  for (u32 i = 0; i < (LINE >> before); i++)
    for (u32 j = 0; j < each; j++) new[i * each + j] = old[i];
}

/* A site that meets other states by turns finds their steps here. */
enum { RECENT = 1 << 12 };
static struct {
  u32 state, who;      /* who reads, or writes with WRITES; 0: none */
  struct step *step;
} recent[RECENT];

static SELDOM void meet_new(struct site *s, u32 state, u32 writes) {
  s->here = (u32)(__pathspan_met.here >> 32);
  s->who = __pathspan_who(s->here, s->place);
  s->spread = s->who * 67u;
  u32 who = s->who | writes, at = (state + s->spread) & (RECENT - 1);
  s->key = state | __pathspan_met.here | (u64)writes << 32;
  if (recent[at].who != who || recent[at].state != state) {
    recent[at].who = who;
    recent[at].state = state;
    recent[at].step = __pathspan_step(state, who);
  }
  s->step = recent[at].step;
}

/* met returns what becomes of a state, 0 where that must be looked up. */
static ALWAYS struct step *met(struct site *s, u32 state, u32 writes) {
  u64 key = state | __pathspan_met.here | (u64)writes << 32;
#if UINTPTR_MAX > 0xffffffff
  __asm__("" : "+r"(key)); /* so that it is all that is kept for what is seldom */
#endif
  if (likely(s->key == key)) {
    if (!s->step) __builtin_unreachable();
    return s->step;
  }
  AGAIN;
  if (unlikely(s->here != (u32)(__pathspan_met.here >> 32))) return 0;
  u32 at = (state + s->spread) & (RECENT - 1);
  if (unlikely(recent[at].state != state) || unlikely(recent[at].who != (s->who | writes))) return 0;
  s->key = key;
  s->step = recent[at].step;
  if (!s->step) __builtin_unreachable();
  return s->step;
}

static ALWAYS struct step *meet(struct site *s, u32 state, u32 writes) {
  struct step *step = met(s, state, writes);
  if (likely(step != 0)) return step;
  meet_new(s, state, writes);
  return s->step;
}

/* What is done to some cells at once is read and written by halves, whatever changes of them: a processor waits for
 * what was written last to come to its cache where it reads it by larger pieces. */
union halves {
  struct cell cell;
  u64 half[2];
};
typedef u64 half __attribute__((may_alias));

static ALWAYS union halves halves_of(const struct cell *c) {
  const half *from = (const half *)(const void *)c;
  return (union halves){.half = {from[0], from[1]}};
}

static ALWAYS int unlike(const struct cell *c, union halves to) {
  union halves is = halves_of(c);
  return ((is.half[0] ^ to.half[0]) | (is.half[1] ^ to.half[1])) != 0;
}

/* put makes so many cells, of few, for which wider steps do not pay, equal to one. */
static ALWAYS void put(struct cell *c, u32 n, union halves value) {
#pragma clang loop unroll(disable) vectorize(disable)
  for (struct cell *to = c + n; to-- > c;) {
    ((half *)(void *)to)[0] = value.half[0];
    ((half *)(void *)to)[1] = value.half[1];
  }
}

/* read_by makes of so many cells that are alike, each of some bytes, what a step says. */
static ALWAYS void read_by(struct step *step, struct cell *c, u32 n, u32 size) {
  u32 now = __pathspan_met.now;
  step->bytes += n * size;
  if (n > 1) {
    union halves to = halves_of(c);
    if (unlikely(step->next != to.cell.state)) {
      AGAIN;
      to.cell.state = step->next;
      if (step->alone) to.cell.first = now;
    }
    to.cell.last = now;
    put(c, n, to);
    return;
  }
  if (unlikely(step->next != c->state)) {
    AGAIN;
    c->state = step->next;
    if (step->alone) c->first = now;
  }
  c->last = now;
}

static ALWAYS void read_cells(struct site *s, struct cell *c, u32 n, u32 size) {
  struct step *step = meet(s, c->state, 0);
  read_by(step, c, n, size);
  if (__pathspan_old(c->written)) __pathspan_carried(step, c->written, FLOW, n, size);
}

static ALWAYS void written_by(struct step *step, struct cell *c, u32 n) {
  if (n > 1) {
    union halves to = halves_of(c);
    to.cell.state = step->next;
    to.cell.written = __pathspan_met.now;
    put(c, n, to);
    return;
  }
  c->state = step->next;
  c->written = __pathspan_met.now;
}

/* write_from does what a write depends on, but for the first so many of: what was written, was
 * read last, was read first. */
static ALWAYS void write_from(struct step *step, struct cell *c, u32 n, u32 size, u32 done) {
  if (done < 1 && __pathspan_old(c->written)) __pathspan_carried(step, c->written, OUTPUT, n, size);
  if (!step->alone) {
    if (done < 2 && __pathspan_old(c->last)) __pathspan_carried(step, c->last, ANTI, n, size);
    if (c->first != c->last && __pathspan_old(c->first)) __pathspan_carried(step, c->first, ANTI, n, size);
  }
  written_by(step, c, n);
}

static ALWAYS void write_cells(struct site *s, struct cell *c, u32 n, u32 size) {
  struct step *step = meet(s, c->state, WRITES);
  step->bytes += n * size;
  write_from(step, c, n, size, 0);
}

/* alike returns how many cells from one on are equal. */
static ALWAYS u32 alike(const struct cell *c, const struct cell *end) {
  union halves first = halves_of(c);
  const struct cell *to = c + 1;
  while (to < end && !unlike(to, first)) to++;
  return (u32)(to - c);
}

/* Cells of a line: what one access has in common is mostly alike, and done at once. Each so many,
 * a power of two of which the exponent is given, have a site of their own. */
enum { ALL = 31 };
#define ALL_CELLS(what)                                                        \
  static __attribute__((noinline)) void what##_all(struct site *s, struct cell *c, struct cell *end, u32 size, u32 log) { \
    const struct cell *from = c;                                               \
    do {                                                                       \
      u32 n = alike(c, end);                                                   \
      what##_cells(s + ((u32)(c - from) >> log), c, n, size);                  \
      c += n;                                                                  \
    } while (c < end);                                                         \
  }
ALL_CELLS(read)
ALL_CELLS(write)

/* What keeps nothing while others run is quicker: so what is left to do in seldom cases is done
 * by functions of their own, by tail calls. */
#define SELDOM_CALLED static __attribute__((noinline)) void
SELDOM_CALLED read_seldom(struct site *s, struct cell *c, u32 n, u32 size) { read_cells(s, c, n, size); }
SELDOM_CALLED write_seldom(struct site *s, struct cell *c, u32 n, u32 size) { write_cells(s, c, n, size); }
SELDOM_CALLED read_carried(struct step *step, u32 then, u32 what) { __pathspan_find_carried(step, then, what); }
SELDOM_CALLED write_carried(struct step *step, struct cell *c, u32 n, u32 size, u32 done) { write_from(step, c, n, size, done); }

static ALWAYS void read_now(struct site *s, struct cell *c, u32 n, u32 size) {
  struct step *step = met(s, c->state, 0);
  if (unlikely(!step)) {
    read_seldom(s, c, n, size);
    return;
  }
  read_by(step, c, n, size);
  if (!__pathspan_old(c->written)) return;
  AGAIN;
  u32 then = c->written;
  if (!__pathspan_counted(step, then, FLOW, n, size)) read_carried(step, then, __pathspan_so_many(FLOW, n, size));
}

static ALWAYS void write_now(struct site *s, struct cell *c, u32 n, u32 size) {
  struct step *step = met(s, c->state, WRITES);
  if (unlikely(!step)) {
    write_seldom(s, c, n, size);
    return;
  }
  step->bytes += n * size;
  if (__pathspan_old(c->written) && unlikely(!__pathspan_counted(step, c->written, OUTPUT, n, size))) {
    write_carried(step, c, n, size, 0);
    return;
  }
  if (!step->alone) {
    if (__pathspan_old(c->last) && unlikely(!__pathspan_counted(step, c->last, ANTI, n, size))) {
      write_carried(step, c, n, size, 1);
      return;
    }
    if (unlikely(c->first != c->last) && __pathspan_old(c->first) && !__pathspan_counted(step, c->first, ANTI, n, size)) {
      write_carried(step, c, n, size, 2);
      return;
    }
  }
  written_by(step, c, n);
}

/* Two that differ, of so many bytes each, are done one after the other. */
#define PAIR(what, each)                                                       \
  SELDOM_CALLED what##_pair##each(struct site *s, struct cell *c) {            \
    what##_now(s, c, 1, each);                                                 \
    what##_now(s, c + 1, 1, each);                                             \
  }
PAIR(read, 2)
PAIR(read, 4)
PAIR(read, 8)
PAIR(write, 2)
PAIR(write, 4)
PAIR(write, 8)

/* An access is of one cell, or of two, which says how it is told. */
#define CELL(WHAT, many, log) ((struct cell *)(uintptr_t)(where - ACCESS(WHAT, many, log)))
#define SITE ((struct site *)(uintptr_t)site)
#define one(what, WHAT, each, log) what##_now(SITE, CELL(WHAT, ONE_CELL, log), 1, each)
#define two(what, WHAT, each, log)                                             \
  struct cell *c = CELL(WHAT, TWO_CELLS, log);                                 \
  if (likely(alike(c, c + 2) == 2)) what##_now(SITE, c, 2, each);              \
  else what##_pair##each(SITE, c)
#define DEFINE(what, WHAT, many, each, log) \
  void __pathspan_##what##_##many##each(u64 site, u64 where) { many(what, WHAT, each, log); }
EACH_ACCESS(DEFINE, read, READ)
EACH_ACCESS(DEFINE, write, WRITE)

void __pathspan_read_cells(struct site *s, struct cell *c, u32 n, u32 log, u32 site_log) { read_all(s, c, c + n, 1u << log, site_log); }
void __pathspan_write_cells(struct site *s, struct cell *c, u32 n, u32 log, u32 site_log) { write_all(s, c, c + n, 1u << log, site_log); }

void __pathspan_split_cells(u64 what, struct cell *new, u32 before, u32 log) {
  if (what & 1) __pathspan_fill(what - 1, new, log);
  else split((const struct cell *)(uintptr_t)what, new, before, log);
}

/* Nobody wrote yet what is of an object now. */
void __pathspan_renew_cells(u32 object, struct cell *c, u32 n) {
  u32 state = __pathspan_state(object, 0, 0);
  for (struct cell *end = c + n; c < end; c++) *c = (struct cell){state, 0, 0, 0};
}
