/* Shadow memory. Each page that the program touches has cells, one for each granule of 1 to
 * 8 bytes: as large as the accesses to the page allow, made smaller when one comes that
 * does not cover whole granules. */
#define _GNU_SOURCE
#include "memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Nothing is returned by these: older compilers lose it. */
#define SELDOM __attribute__((noinline)) KEEPS

/* Who waits for the profile is told in a file why there is none, others on standard error. */
void __pathspan_out_of_room(void) {
  static const char m[] = "pathspan: what the program uses is more than a profile of memory has room for on this machine; give it less to do, or leave out --memory\n";
  const char *file = getenv("PATHSPAN_WHY");
  int to = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : 2;
  if (write(to < 0 ? 2 : to, m, sizeof m - 1) < 0) abort();
  for (;;) syscall(SYS_exit_group, 1); /* at once: half a profile is none */
}

void *__pathspan_reserve(u64 bytes) {
  void *p = MAP_FAILED;
  if (bytes == (size_t)bytes) p = mmap(0, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) __pathspan_out_of_room();
  return p;
}

#if defined __x86_64__ && !defined PATHSPAN_LINES_IN_TABLE /* but in a test */
/* Lines lie where their addresses say, in so much of the address space as all lines of the
 * lower half would take; the system gives memory to what is touched. */
enum { ADDRESS_LOG = 47, LINES_LOG = 45 }; /* of 16 bytes each: so sums need not carry */
static char *const lines = (char *)((u64)1 << LINES_LOG);

__attribute__((constructor(101))) static void make_lines(void) {
  u64 size = ((u64)sizeof(struct line)) << (ADDRESS_LOG - LINE_LOG);
  if (mmap(lines, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != lines) abort();
}

static ALWAYS struct line *line_at(u64 address) {
  u64 l = (address >> LINE_LOG) * sizeof(struct line);
  __asm__("btsq %1, %0" : "+r"(l) : "i"(LINES_LOG) : "cc"); /* the sum, by one instruction */
  return (struct line *)l;
}
static ALWAYS struct line *touched(u64 address) { return line_at(address); }
#define touched_if(touches, address) line_at(address)
#else
/* Neither emulators nor all systems of other processors have so many addresses to give, so
 * lines lie in chunks there, which a table of two levels finds by addresses of 48 bits. The table
 * says how far behind zeros its parts lie: what was not touched is there, a line without
 * granules, so that who finds one that has some need not ask. */
enum { CHUNK_LOG = 12, LEVEL_LOG = 15, LEVEL = 1 << LEVEL_LOG };
static struct line untouched[1 << CHUNK_LOG];
static uintptr_t nowhere[LEVEL];
static uintptr_t levels[LEVEL];

static ALWAYS uintptr_t *level_of(u64 address) { return &levels[address >> (LINE_LOG + CHUNK_LOG + LEVEL_LOG) & (LEVEL - 1)]; }
static ALWAYS uintptr_t *chunk_of(u64 address, uintptr_t level) {
  return (uintptr_t *)((uintptr_t)nowhere + level) + (address >> (LINE_LOG + CHUNK_LOG) & (LEVEL - 1));
}

static ALWAYS struct line *line_at(u64 address) {
  uintptr_t chunk = *chunk_of(address, *level_of(address));
  return (struct line *)((uintptr_t)untouched + chunk) + (address >> LINE_LOG & ((1 << CHUNK_LOG) - 1));
}

/* Chunks lie at multiples of their size, so that lines differ as their addresses do, up to so many (reuse.c). */
static uintptr_t new_chunk(void) {
  enum { CHUNKS = 16 };
  static uintptr_t at, end;
  if (at == end) {
    uintptr_t room = (uintptr_t)__pathspan_reserve((CHUNKS + 1) * sizeof untouched);
    at = (room + sizeof untouched - 1) / sizeof untouched * sizeof untouched;
    end = at + CHUNKS * sizeof untouched;
  }
  at += sizeof untouched;
  return at - sizeof untouched;
}

/* touched returns a line that may be changed. */
static struct line *touched(u64 address) {
  uintptr_t *level = level_of(address);
  if (!*level) *level = (uintptr_t)__pathspan_reserve(LEVEL * sizeof *nowhere) - (uintptr_t)nowhere;
  uintptr_t *chunk = chunk_of(address, *level);
  if (!*chunk) *chunk = new_chunk() - (uintptr_t)untouched;
  return line_at(address);
}
#define touched_if(touches, address) ((touches) ? touched(address) : line_at(address))
#endif

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
  struct cell *old = l->cell;
  if (!old) log = __pathspan_granules(address & ~(u64)(LINE - 1), log);
  struct cell *new = cells_of(log);
  if (!old) __pathspan_fill(address & ~(u64)(LINE - 1), new, log);
  else {
    u32 before = l->log, each = 1u << (before - log);
    for (u32 i = 0; i < (LINE >> before); i++)
      for (u32 j = 0; j < each; j++) {
        new[i * each + j] = old[i];
        if (__pathspan_in_crowd(old[i].state)) __pathspan_copy_readers(&new[i * each + j], &old[i]);
      }
    struct spare *s = (struct spare *)(void *)old;
    s->more = spares[before];
    spares[before] = s;
  }
  struct line **near = &__pathspan_near.line[l->log][l->place];
  if (*near == l) {
    *near = 0;
    __pathspan_near.line[log][l->place] = l;
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
  u32 state, who;      /* who reads, or writes with WRITES; 0: none */
  struct step *step;
} recent[RECENT];

static SELDOM void meet_new(struct site *s, struct cell *c, u32 n, u32 size, u32 writes) {
  s->here = (u32)(__pathspan_here >> 32);
  s->who = __pathspan_who(s->here, s->place);
  s->spread = s->who * 67u;
  u32 state = c->state, who = s->who | writes;
  if (writes && __pathspan_in_crowd(state)) { /* not remembered: who has read it is asked each time */
    s->key = 0;
    s->step = __pathspan_step(state, who);
    __pathspan_leave_crowd(s->step, c, n, size);
    return;
  }
  u32 at = (state + s->spread) & (RECENT - 1);
  if (recent[at].who != who || recent[at].state != state) {
    struct step *step = __pathspan_step(state, who);
    if (!step) {
      __pathspan_join_crowd(c, n);
      state = c->state;
      step = __pathspan_step(state, who);
      at = (state + s->spread) & (RECENT - 1);
    }
    recent[at].who = who;
    recent[at].state = state;
    recent[at].step = step;
  }
  s->key = state | __pathspan_here | (u64)writes << 32;
  s->step = recent[at].step;
}

/* met returns what becomes of a state, 0 where that must be looked up. */
static ALWAYS struct step *met(struct site *s, u32 state, u32 writes) {
  u64 key = state | __pathspan_here | (u64)writes << 32;
#if UINTPTR_MAX > 0xffffffff
  __asm__("" : "+r"(key)); /* so that it is all that is kept for what is seldom */
#endif
  if (likely(s->key == key)) {
    if (!s->step) __builtin_unreachable();
    return s->step;
  }
  AGAIN;
  if (unlikely(s->here != (u32)(__pathspan_here >> 32))) return 0;
  u32 at = (state + s->spread) & (RECENT - 1);
  if (unlikely(recent[at].state != state) || unlikely(recent[at].who != (s->who | writes))) return 0;
  s->key = key;
  s->step = recent[at].step;
  if (!s->step) __builtin_unreachable();
  return s->step;
}

static ALWAYS struct step *meet(struct site *s, struct cell *c, u32 n, u32 size, u32 writes) {
  struct step *step = met(s, c->state, writes);
  if (likely(step != 0)) return step;
  meet_new(s, c, n, size, writes);
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

/* read_by makes of so many cells that are alike, each of some bytes, what a step says; of those of a crowd it does not, and returns 0. */
static ALWAYS int read_by(struct step *step, struct cell *c, u32 n, u32 size) {
  u32 now = __pathspan_now;
  step->bytes += n * size;
  if (n > 1) {
    union halves to = halves_of(c);
    if (unlikely(step->next != to.cell.state)) {
      AGAIN;
      if (step->alone) {
        if (step->alone < 0) return 0;
        to.cell.first = now;
      }
      to.cell.state = step->next;
    }
    to.cell.last = now;
    put(c, n, to);
    return 1;
  }
  if (unlikely(step->next != c->state)) {
    AGAIN;
    if (step->alone) {
      if (step->alone < 0) return 0;
      c->first = now;
    }
    c->state = step->next;
  }
  c->last = now;
  return 1;
}

static ALWAYS void read_cells(struct site *s, struct cell *c, u32 n, u32 size) {
  struct step *step = meet(s, c, n, size, 0);
  if (!read_by(step, c, n, size)) __pathspan_read_in_crowd(step, c, n, size);
  else if (__pathspan_old(c->written)) __pathspan_carried(step, c->written, FLOW, n, size);
}

static ALWAYS void written_by(struct step *step, struct cell *c, u32 n) {
  if (n > 1) {
    union halves to = halves_of(c);
    to.cell.state = step->next;
    to.cell.written = __pathspan_now;
    put(c, n, to);
    return;
  }
  c->state = step->next;
  c->written = __pathspan_now;
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
  struct step *step = meet(s, c, n, size, WRITES);
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

static ALWAYS void use(struct line *l, u64 address, int writes) {
  if (unlikely(!__pathspan_used_near(l, l->log, writes))) __pathspan_use_far(l, address, writes);
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
    use(l, address, writes);
    struct cell *end, *c = cells_at(l, address, n, &end);
    if (writes) write_all(s, c, end, l->granule, ALL);
    else read_all(s, c, end, l->granule, ALL);
    address += n;
    size -= n;
  }
}

/* What keeps nothing while others run is quicker: so what is left to do in seldom cases is done
 * by functions of their own, by tail calls. */
#define SELDOM_CALLED static __attribute__((noinline)) void
SELDOM_CALLED read_range(struct site *s, u64 address, u64 size) { range(s, address, size, 0); }
SELDOM_CALLED write_range(struct site *s, u64 address, u64 size) { range(s, address, size, 1); }
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
  if (!read_by(step, c, n, size)) {
    __pathspan_read_in_crowd(step, c, n, size);
    return;
  }
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
PAIR(read, 1)
PAIR(read, 2)
PAIR(read, 4)
PAIR(read, 8)
PAIR(write, 1)
PAIR(write, 2)
PAIR(write, 4)
PAIR(write, 8)

/* An access is of one granule, or of two: of half its size, or of eight bytes. */
#define CELLS(what, each, n)                                                   \
  struct cell *c = (struct cell *)((char *)l->cell + ((address * (sizeof *c / (each))) & (LINE / (each) - 1) * sizeof *c)); \
  if (n == 1) what##_now(s, c, 1, each);                                       \
  else if (likely(alike(c, c + 2) == 2)) what##_now(s, c, 2, each);            \
  else what##_pair##each(s, c)
#define GRANULES(what, each, n, name, other, writes)                           \
  SELDOM_CALLED far_##name(struct site *s, u64 address, struct line *l) {      \
    if (unlikely(l->granule != each)) {                                        \
      other;                                                                   \
      return;                                                                  \
    }                                                                          \
    __pathspan_use_far(l, address, writes);                                    \
    CELLS(what, each, n);                                                      \
  }                                                                            \
  static ALWAYS void near_##name(struct site *s, u64 address, struct line *l) { \
    if (unlikely(!__pathspan_used_near(l, __builtin_ctz(each), writes))) {     \
      far_##name(s, address, l);                                               \
      return;                                                                  \
    }                                                                          \
    CELLS(what, each, n);                                                      \
  }
#define ONE(what, size, writes)                                                \
  GRANULES(what, size, 1, what##size, __pathspan_##what##_range(s, address, size), writes) \
  void __pathspan_##what##size(struct site *s, u64 address) { near_##what##size(s, address, line_at(address)); }
#define TWO(what, size, half, writes)                                          \
  GRANULES(what, half, 2, what##size##_two, __pathspan_##what##_range(s, address, size), writes) \
  void __pathspan_##what##size(struct site *s, u64 address) {                  \
    if (unlikely((address & (size - 1)) != 0)) __pathspan_##what##_range(s, address, size); \
    else near_##what##size##_two(s, address, line_at(address));                \
  }
#define ONE_OR_TWO(what, size, half, writes)                                   \
  GRANULES(what, half, 2, what##size##_two, __pathspan_##what##_range(s, address, size), writes) \
  SELDOM_CALLED what##size##_other(struct site *s, u64 address, struct line *l) { near_##what##size##_two(s, address, l); } \
  GRANULES(what, size, 1, what##size, what##size##_other(s, address, l), writes) \
  void __pathspan_##what##size(struct site *s, u64 address) {                  \
    if (unlikely((address & (size - 1)) != 0)) __pathspan_##what##_range(s, address, size); \
    else near_##what##size(s, address, line_at(address));                      \
  }
/* Whole granules within a line are done at once; a row as its pieces, of which
 * each has a site, would be in the order of addresses. */
#define WITHIN(what)                                                           \
  struct cell *c = l->cell + ((address & (LINE - 1)) >> l->log);               \
  what##_all(s, c, c + (size >> l->log), l->granule, log)
#define RANGE(what, writes)                                                    \
  SELDOM_CALLED far_##what(struct site *s, u64 address, u64 size, struct line *l, u32 log) { \
    __pathspan_use_far(l, address, writes);                                    \
    WITHIN(what);                                                              \
  }                                                                            \
  static ALWAYS void what##_within(struct site *s, u64 address, u64 size, struct line *l, u32 log) { \
    if (unlikely(!__pathspan_used_near(l, l->log, writes))) {                 \
      far_##what(s, address, size, l, log);                                    \
      return;                                                                  \
    }                                                                          \
    WITHIN(what);                                                              \
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
ONE_OR_TWO(read, 2, 1, 0)
ONE_OR_TWO(read, 4, 2, 0)
ONE_OR_TWO(read, 8, 4, 0)
TWO(read, 16, 8, 0)
ONE(write, 1, 1)
ONE_OR_TWO(write, 2, 1, 1)
ONE_OR_TWO(write, 4, 2, 1)
ONE_OR_TWO(write, 8, 4, 1)
TWO(write, 16, 8, 1)

/* renew makes memory that of an object that nobody wrote yet. */
void __pathspan_renew(u64 address, u64 size, u32 object) {
  u32 state = __pathspan_state(object, 0, 0);
  while (size) {
    u64 n = LINE - (address & (LINE - 1));
    if (n > size) n = size;
    struct line *l = touched_if(object, address);
    if (l->cell || object) {
      struct cell *end, *c = cells_at(l, address, n, &end);
      for (; c < end; c++) *c = (struct cell){state, 0, 0, 0};
    }
    if (l->number && __pathspan_lanes) __pathspan_line_made(l->number, 0);
    address += n;
    size -= n;
  }
}

void __pathspan_on_stack(u64 address, u64 size) {
  for (u64 end = address + size, next; address < end; address = next) {
    next = (address | (LINE - 1)) + 1;
    u32 first = address % LINE / WORD, last = ((end < next ? end : next) - 1) % LINE / WORD;
    __pathspan_line_made(__pathspan_number(touched(address)), (2u << last) - (1u << first));
  }
}
