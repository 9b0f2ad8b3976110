/* Who has read each byte of a crowd: the bytes of one object that one writer left, where readers
 * come to them in so many ways that a state for each would take more than a list of the readers of each. */
#include "memory.h"

#include <string.h>
#include <sys/mman.h>

static struct crowd {
  u32 state;        /* that of its bytes */
  u32 grew;         /* cells that came to it */
  u32 readers, room;
  struct reader {
    u64 first;      /* bytes that it read for the first time since they were written */
    u32 who;
  } *reader;
} *crowds;
static u32 count, crowds_room;

u32 __pathspan_crowd_grew(u32 crowd) { return crowds[crowd].grew; }

/* larger returns a list of at least so many, with what was in it. What it was in is left, in all as much again. */
static void *larger(void *old, u32 *room, size_t each) {
  u32 size = *room ? 2 * *room : 8;
  void *to = __pathspan_arena(size * each);
  if (old) memcpy(to, old, *room * each);
  *room = size;
  return to;
}

static u32 crowd_of(u32 state) {
  u32 unread = __pathspan_unread(state), i = __pathspan_states[unread].crowd;
  if (i) return i;
  i = ++count;
  if (i >= crowds_room) crowds = larger(crowds, &crowds_room, sizeof *crowds);
  __pathspan_states[unread].crowd = i;
  crowds[i].state = __pathspan_state(__pathspan_states[unread].object, __pathspan_states[unread].writer, CROWD | i);
  return i;
}

u32 __pathspan_reader(u32 crowd, u32 who) {
  struct crowd *c = &crowds[crowd];
  if (c->readers == c->room) c->reader = larger(c->reader, &c->room, sizeof *c->reader);
  c->reader[c->readers] = (struct reader){0, who};
  return c->readers++;
}

u64 *__pathspan_read_first(u32 crowd, u32 reader) { return &crowds[crowd].reader[reader].first; }

/* What is known of a cell: a bit for each reader of its crowd, in so many words, of 64. What is
 * in no crowd any more stays, and counts for nothing. */
struct known {
  const struct cell *cell; /* 0: none */
  u32 log : 5, crowd : 27; /* of how many words; which it is in, or was last */
  union {
    u64 one, *many;
  };
};
static struct known *known;
static u32 used, mask;

static struct known *slot_of(const struct cell *c) {
  u32 i = (u32)((uintptr_t)c / sizeof *c * 0x9e3779b9u);
  i ^= i >> 15;
  for (i &= mask; known[i].cell && known[i].cell != c; i = (i + 1) & mask) {}
  return &known[i];
}

static void grow(void) {
  struct known *old = known;
  u32 size = old ? mask + 1 : 0;
  mask = size ? 2 * size - 1 : (1 << 8) - 1;
  known = __pathspan_reserve(((u64)mask + 1) * sizeof *known);
  for (u32 i = 0; i < size; i++)
    if (old[i].cell) *slot_of(old[i].cell) = old[i];
  if (old) munmap(old, size * sizeof *old);
}

static u64 *words(struct known *k) { return k->log ? k->many : &k->one; }

/* Words that are not used any more, by the logarithm of how many. */
static struct spare {
  struct spare *more;
} *spares[27];

static void widen(struct known *k, u32 log) {
  u64 *to = (u64 *)(void *)spares[log];
  if (to) spares[log] = spares[log]->more;
  else to = __pathspan_arena(sizeof *to << log);
  memcpy(to, words(k), sizeof *to << k->log);
  memset(to + (1u << k->log), 0, (sizeof *to << log) - (sizeof *to << k->log));
  if (k->log) {
    struct spare *s = (struct spare *)(void *)k->many;
    s->more = spares[k->log];
    spares[k->log] = s;
  }
  k->many = to;
  k->log = log & 31;
}

/* add notes a reader, and says whether it is new. */
static int add(struct known *k, u32 reader) {
  u32 log = k->log;
  while (reader >> 6 >> log) log++;
  if (log != k->log) widen(k, log);
  u64 *w = &words(k)[reader >> 6], bit = (u64)1 << (reader & 63);
  int new = !(*w & bit);
  *w |= bit;
  return new;
}

/* unknown returns what is known of a cell, which nobody has read. */
static struct known *unknown(const struct cell *c, u32 crowd) {
  if (used >= mask / 2) grow();
  struct known *k = slot_of(c);
  used += !k->cell;
  k->cell = c;
  if (k->crowd != crowd) crowds[crowd].grew++;
  k->crowd = crowd & ((1u << 27) - 1);
  memset(words(k), 0, sizeof(u64) << k->log);
  return k;
}

void __pathspan_join_crowd(struct cell *c, u32 n) {
  u32 state = c->state, crowd = crowd_of(state), among;
  const u32 *readers;
  u32 count = __pathspan_readers(state, &readers, &among);
  for (u32 i = 0; i < n; i++) {
    struct known *k = unknown(&c[i], crowd);
    for (u32 r = 0; r < count; r++) add(k, __pathspan_step(crowds[crowd].state, readers[r])->next & ~CROWD);
    if (!count) c[i].first = __pathspan_now;
    c[i].state = crowds[crowd].state;
  }
}

void __pathspan_copy_readers(struct cell *to, const struct cell *from) {
  struct known *k = unknown(to, slot_of(from)->crowd), *of = slot_of(from);
  if (of->log > k->log) widen(k, of->log);
  memcpy(words(k), words(of), sizeof(u64) << of->log);
}

static int same(struct known *a, struct known *b) {
  struct known *longer = a->log > b->log ? a : b, *other = longer == a ? b : a;
  u64 *l = words(longer), *o = words(other);
  for (u32 i = 0; i < 1u << longer->log; i++)
    if (l[i] != (i < 1u << other->log ? o[i] : 0)) return 0;
  return 1;
}

/* So many cells, from the first on, have the same readers: they are what one access has in common. */
static u32 alike(const struct cell *c, u32 n) {
  u32 to = 1;
  if (n > 1)
    for (struct known *k = slot_of(c); to < n && same(k, slot_of(c + to));) to++;
  return to;
}

void __pathspan_read_in_crowd(struct step *s, struct cell *c, u32 n, u32 size) {
  u32 reader = s->next & ~CROWD;
  u64 *first = __pathspan_read_first(__pathspan_states[s->state].readers & ~CROWD, reader);
  for (u32 some; n; c += some, n -= some) {
    some = alike(c, n);
    for (u32 i = 0; i < some; i++) {
      if (add(slot_of(&c[i]), reader)) *first += size;
      c[i].last = __pathspan_now;
    }
    if (__pathspan_old(c->written)) __pathspan_carried(s, c->written, FLOW, some, size);
  }
}

/* depend tells that so many cells with the same readers are written, which were read then. */
static void depend(const struct step *s, const struct cell *c, u32 then, u32 n, u32 size) {
  struct known *k = slot_of(c);
  const u64 *w = words(k);
  u32 readers = 0, object = __pathspan_states[s->state].object;
  for (u32 i = 0; i < 1u << k->log; i++) readers += (u32)__builtin_popcountll(w[i]);
  for (u32 i = 0; i < 1u << k->log; i++)
    for (u64 left = w[i]; left; left &= left - 1) {
      u32 who = crowds[k->crowd].reader[i << 6 | (u32)__builtin_ctzll(left)].who;
      __pathspan_carried(__pathspan_step(__pathspan_state(object, who, AMONG | readers), s->who), then, ANTI, n, size);
    }
}

void __pathspan_leave_crowd(struct step *s, struct cell *c, u32 n, u32 size) {
  if (!__pathspan_old(c->written) && !__pathspan_old(c->first) && !__pathspan_old(c->last)) return;
  for (u32 some; n; c += some, n -= some) {
    some = alike(c, n);
    if (__pathspan_old(c->written)) __pathspan_carried(s, c->written, OUTPUT, some, size);
    if (__pathspan_old(c->last)) depend(s, c, c->last, some, size);
    if (c->first != c->last && __pathspan_old(c->first)) depend(s, c, c->first, some, size);
    for (u32 i = 0; i < some; i++) c[i].written = 0; /* nothing is left to be told of it */
  }
}
