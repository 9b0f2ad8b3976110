/* Shadow memory. Each page that the program touches has cells, one for each granule of 1 to
 * 8 bytes: as large as the accesses to the page allow, made smaller when one comes that
 * does not cover whole granules. */
#define _GNU_SOURCE
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE_LOG = 6, LINE = 1 << LINE_LOG, COARSEST = 3 };

/* Nothing is returned by these: older compilers lose it. */
#define SELDOM __attribute__((noinline, preserve_most))

/* Lines lie where their addresses say, in so much of the address space as all lines of the
 * lower half would take; the system gives memory to what is touched. */
enum { ADDRESS_LOG = 47 };
static char *const lines = (char *)0x100000000000;

__attribute__((constructor(101))) static void make_lines(void) {
  u64 size = ((u64)sizeof(struct line)) << (ADDRESS_LOG - LINE_LOG);
  if (mmap(lines, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != lines) abort();
}

static ALWAYS struct line *line_at(u64 address) {
  struct line *l = (struct line *)(void *)(lines + (address >> LINE_LOG) * sizeof(struct line));
  __asm__("" : "+r"(l)); /* so that it is one register, and its fields are near to that */
  return l;
}

void *__pathspan_reserve(u64 bytes) {
  void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    static const char m[] = "pathspan: out of memory for the profile of memory\n";
    if (write(2, m, sizeof m - 1) < 0) abort();
    abort();
  }
  return p;
}

void *__pathspan_arena(u64 bytes) {
  static char *at, *end;
  if (at + bytes > end || !at) {
    u64 n = bytes > (1 << 20) ? bytes : 1 << 20;
    at = __pathspan_reserve(n);
    end = at + n;
  }
  void *p = at;
  at += (bytes + 15) & ~(u64)15;
  return p;
}

static struct spare {
  struct spare *more;
} *spares[COARSEST + 1]; /* cells of lines whose granules became smaller, by log */

static struct cell *cells_of(u32 log) {
  struct spare *s = spares[log];
  if (!s) return __pathspan_arena((LINE >> log) * sizeof(struct cell));
  spares[log] = s->more;
  return (struct cell *)(void *)s;
}

/* split makes the granules of a line small enough for an access; at tells how it is aligned. */
static SELDOM void split(struct line *l, u64 address, u64 at) {
  u32 log = at & 7 ? (u32)__builtin_ctzll(at) : COARSEST;
  struct cell *old = l->cell, *new = cells_of(log);
  if (!old) __pathspan_fill(address & ~(u64)(LINE - 1), new, log);
  else {
    u32 before = l->log, each = 1u << (before - log);
    for (u32 i = 0; i < (LINE >> before); i++)
      for (u32 j = 0; j < each; j++) new[i * each + j] = old[i];
    struct spare *s = (struct spare *)(void *)old;
    s->more = spares[before];
    spares[before] = s;
  }
  l->cell = new;
  l->granule = (u8)(1u << log);
  l->log = (u8)log;
}

/* cells_at returns the cells of what lies within a line. */
static struct cell *cells_at(struct line *l, u64 address, u64 size, struct cell **end) {
  if (l->cell == 0 || ((address | size) & (l->granule - 1u))) split(l, address, address | size);
  struct cell *c = l->cell + ((address & (LINE - 1)) >> l->log);
  *end = c + (size >> l->log);
  return c;
}

/* A site that meets other states by turns finds their steps here. */
enum { RECENT = 1 << 12 };
static struct {
  u64 key;
  struct step *step;
} recent[RECENT];

static SELDOM void come(struct site *s) {
  s->here = (u32)(__pathspan_here >> 32);
  s->who = __pathspan_who(s->here, s->place);
}

static SELDOM void meet_new(u64 at, u64 full) {
  recent[at].key = full;
  recent[at].step = __pathspan_step((u32)full, (u32)(full >> 32));
}

static ALWAYS struct step *meet(struct site *s, u32 state, u32 writes) {
  u64 key = state | __pathspan_here | (u64)writes << 32;
  if (likely(s->key == key)) return s->step;
  if (unlikely(s->here != __pathspan_here >> 32)) come(s);
  u64 full = (u64)(s->who | writes) << 32 | state, at = (state + s->who * 67u) & (RECENT - 1);
  s->key = key;
  if (unlikely(recent[at].key != full)) meet_new(at, full);
  return s->step = recent[at].step;
}

static ALWAYS void read_cell(struct site *s, struct cell *c, u32 size) {
  u32 now = __pathspan_now, state = c->state;
  struct step *step = meet(s, state, 0);
  step->bytes += size;
  if (unlikely(step->next != state)) {
    step->first += size;
    c->state = step->next;
    if (step->kind[0].alone) c->first = now;
  }
  if (__pathspan_old(c->written)) __pathspan_carried(step, c->written, FLOW, size);
  c->last = now;
}

static ALWAYS void write_cell(struct site *s, struct cell *c, u32 size) {
  struct step *step = meet(s, c->state, WRITES);
  step->bytes += size;
  if (__pathspan_old(c->written)) __pathspan_carried(step, c->written, OUTPUT, size);
  if (!step->kind[0].alone) {
    if (__pathspan_old(c->last)) __pathspan_carried(step, c->last, ANTI, size);
    if (c->first != c->last && __pathspan_old(c->first)) __pathspan_carried(step, c->first, ANTI, size);
  }
  c->state = step->next;
  c->written = __pathspan_now;
}

static ALWAYS void use(struct line *l, int writes) {
  if (l->number != __pathspan_front) {
    if (likely(__pathspan_is_near(l))) __pathspan_use_near(l, writes);
    else __pathspan_use_far(l, writes);
  }
  if (writes) __pathspan_written(l);
}

/* within is an access within a line. */
static ALWAYS void within(struct site *s, struct line *l, u64 address, u64 size, int writes) {
  use(l, writes);
  struct cell *end, *c = cells_at(l, address, size, &end);
  for (; c < end; c++)
    if (writes) write_cell(s, c, l->granule);
    else read_cell(s, c, l->granule);
}

/* range goes line by line. */
static ALWAYS void range(struct site *s, u64 address, u64 size, int writes) {
  while (size) {
    u64 n = LINE - (address & (LINE - 1));
    if (n > size) n = size;
    struct line *l = line_at(address);
    /* Whole granules of eight bytes but for the ends, so that lines are not split for them. */
    if ((address | n) & (l->granule - 1u)) {
      if (n > 8 && (address & 7)) n = 8 - (address & 7);
      else if (n > 8) n &= ~(u64)7;
    }
    within(s, l, address, n, writes);
    address += n;
    size -= n;
  }
}

__attribute__((noinline)) void __pathspan_read_range(struct site *s, u64 address, u64 size) { range(s, address, size, 0); }
__attribute__((noinline)) void __pathspan_write_range(struct site *s, u64 address, u64 size) { range(s, address, size, 1); }

/* An access of one granule, or of two of eight bytes, is done at once; that of a line that is
 * not near elsewhere, so that nothing need be kept meanwhile where there is no such. */
#define CELLS(n, writes)                                                       \
  if (writes) __pathspan_written(l);                                           \
  struct cell *c = l->cell + (address & (LINE - 1)) / each;                    \
  for (u32 i = 0; i < n / each; i++)                                           \
    if (writes) write_cell(s, c + i, each);                                    \
    else read_cell(s, c + i, each)
#define ACCESS(what, n, writes)                                                \
  static __attribute__((noinline)) void far_##what##n(struct site *s, u64 address, struct line *l) { \
    enum { each = n < 8 ? n : 8 };                                             \
    __pathspan_use_far(l, writes);                                             \
    CELLS(n, writes);                                                          \
  }                                                                            \
  void __pathspan_##what##n(struct site *s, u64 address) {                     \
    struct line *l = line_at(address);                                         \
    enum { each = n < 8 ? n : 8 };                                             \
    if (unlikely((address & (n - 1)) != 0) || unlikely(l->granule != each)) {  \
      __pathspan_##what##_range(s, address, n);                                \
      return;                                                                  \
    }                                                                          \
    if (l->number != __pathspan_front) {                                       \
      if (unlikely(!__pathspan_is_near(l))) {                                  \
        far_##what##n(s, address, l);                                          \
        return;                                                                \
      }                                                                        \
      __pathspan_use_near(l, writes);                                          \
    }                                                                          \
    CELLS(n, writes);                                                          \
  }
ACCESS(read, 1, 0)
ACCESS(read, 2, 0)
ACCESS(read, 4, 0)
ACCESS(read, 8, 0)
ACCESS(read, 16, 0)
ACCESS(write, 1, 1)
ACCESS(write, 2, 1)
ACCESS(write, 4, 1)
ACCESS(write, 8, 1)
ACCESS(write, 16, 1)
/* renew makes memory that of an object that nobody wrote yet. */
void __pathspan_renew(u64 address, u64 size, u32 object) {
  u32 state = __pathspan_state(object, 0, 0);
  while (size) {
    u64 n = LINE - (address & (LINE - 1));
    if (n > size) n = size;
    struct line *l = line_at(address);
    if (l->cell || object) {
      struct cell *end, *c = cells_at(l, address, n, &end);
      for (; c < end; c++) *c = (struct cell){state, 0, 0, 0};
    }
    address += n;
    size -= n;
  }
}
