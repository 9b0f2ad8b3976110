/* Who can have written and read a byte: few combinations of a run ever come to pass, so a
 * byte's is a number. Where they are many, since bytes of a table are read here and there by
 * chance, they are bytes of a crowd. */
#include "memory.h"

#include <string.h>

enum {
  MOST_STATES = FEW ? 1 << 20 : 1 << 24, MOST_STEPS = FEW ? 1 << 20 : 1 << 25, MOST_SETS = FEW ? 1 << 18 : 1 << 22,
  MOST_MEMBERS = FEW ? 1 << 23 : 1 << 26, MOST_WHO = FEW ? 1 << 18 : 1 << 22
};

static u64 mix(u64 a, u64 b) {
  a = (a ^ b * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
  return a ^ a >> 32;
}

/* A table of numbers by hash: chains go through the numbered things themselves. */
struct table {
  u32 *slot;
  u32 mask, n;
};

static struct table of_states, of_steps, of_sets, of_who;
struct state *__pathspan_states;
static struct step *steps;

/* Sets of readers: numbers of who, ascending. */
static struct set {
  u32 at, n, chain;
} *sets;
static u32 *members, members_used;
static struct {
  u32 here, place, chain;
} *whos;

static void grow(struct table *t, u64 (*hash)(u32), u32 *(*chain)(u32)) {
  u32 size = t->slot ? (t->mask + 1) * 2 : 1 << 10;
  u32 *slot = __pathspan_reserve((u64)size * sizeof *slot);
  for (u32 i = 1; i <= t->n; i++) {
    u32 *at = &slot[hash(i) & (size - 1)];
    *chain(i) = *at;
    *at = i;
  }
  t->slot = slot; /* the old one stays: in all it is as much again */
  t->mask = size - 1;
}

/* one_more is the number of the next, of which there may be so many. */
static u32 one_more(struct table *t, u32 most) {
  if (t->n + 1 >= most) __pathspan_out_of_room();
  return ++t->n;
}

static u64 hash_state(u32 i) { return mix(mix(__pathspan_states[i].object, __pathspan_states[i].writer), __pathspan_states[i].readers); }
static u32 *chain_state(u32 i) { return &__pathspan_states[i].chain; }
static u64 hash_step(u32 i) { return mix(steps[i].state, steps[i].who); }
static u32 *chain_step(u32 i) { return &steps[i].chain; }
static u64 hash_set(u32 i) {
  u64 h = 0;
  for (u32 j = 0; j < sets[i].n; j++) h = mix(h, members[sets[i].at + j]);
  return h;
}
static u32 *chain_set(u32 i) { return &sets[i].chain; }
static u64 hash_who(u32 i) { return mix(whos[i].here, whos[i].place); }
static u32 *chain_who(u32 i) { return &whos[i].chain; }

static void start(void) {
  if (steps) return;
  __pathspan_states = __pathspan_reserve(MOST_STATES * sizeof *__pathspan_states);
  steps = __pathspan_reserve(MOST_STEPS * sizeof *steps);
  sets = __pathspan_reserve(MOST_SETS * sizeof *sets);
  members = __pathspan_reserve(MOST_MEMBERS * sizeof *members);
  whos = __pathspan_reserve(MOST_WHO * sizeof *whos);
}

#define FIND(table, kind, equal)                                               \
  start();                                                                     \
  if (table.n >= table.mask / 2) grow(&table, hash_##kind, chain_##kind)

u32 __pathspan_who(u32 here, u32 place) {
  FIND(of_who, who, 0);
  u32 *slot = &of_who.slot[mix(here, place) & of_who.mask];
  for (u32 i = *slot; i; i = whos[i].chain)
    if (whos[i].here == here && whos[i].place == place) return i;
  u32 i = one_more(&of_who, MOST_WHO);
  whos[i].here = here;
  whos[i].place = place;
  whos[i].chain = *slot;
  *slot = i;
  return i;
}

u32 __pathspan_state(u32 object, u32 writer, u32 readers) {
  FIND(of_states, state, 0);
  u32 *slot = &of_states.slot[mix(mix(object, writer), readers) & of_states.mask];
  for (u32 i = *slot; i; i = __pathspan_states[i].chain) {
    struct state *s = &__pathspan_states[i];
    if (s->object == object && s->writer == writer && s->readers == readers) return i;
  }
  u32 i = one_more(&of_states, MOST_STATES);
  __pathspan_states[i] = (struct state){object, writer, readers, *slot, 0, 0};
  *slot = i;
  return i;
}

/* with returns the set that has one member more. */
static u32 with(u32 set, u32 who) {
  start();
  struct set *s = &sets[set];
  if (s->n + 1 > MOST_MEMBERS - members_used) __pathspan_out_of_room();
  u32 *to = members + members_used, n = 0, i = 0;
  while (i < s->n && members[s->at + i] < who) to[n++] = members[s->at + i++];
  if (i < s->n && members[s->at + i] == who) return set;
  to[n++] = who;
  while (i < s->n) to[n++] = members[s->at + i++];
  FIND(of_sets, set, 0);
  u64 h = 0;
  for (u32 j = 0; j < n; j++) h = mix(h, to[j]);
  u32 *slot = &of_sets.slot[h & of_sets.mask];
  for (u32 j = *slot; j; j = sets[j].chain)
    if (sets[j].n == n && memcmp(members + sets[j].at, to, n * sizeof *to) == 0) return j;
  u32 j = one_more(&of_sets, MOST_SETS);
  sets[j] = (struct set){members_used, n, *slot};
  members_used += n;
  *slot = j;
  return j;
}

u32 __pathspan_unread(u32 state) { return __pathspan_state(__pathspan_states[state].object, __pathspan_states[state].writer, 0); }

/* How many words steps of one object and writer may take, and a state and set for each; and so many more for each byte of its crowd. */
#ifndef PATHSPAN_FEW_STATES /* but in a test */
#define PATHSPAN_FEW_STATES (1 << 15)
#endif
enum { FOR_EACH_OF_CROWD = PATHSPAN_FEW_STATES / (1 << 13) };

static int pays(const struct state *s) {
  struct state *of = &__pathspan_states[__pathspan_state(s->object, s->writer, 0)];
  u32 words = (sizeof(struct step) + sizeof(struct state) + sizeof(struct set)) / sizeof(u32) + sets[s->readers].n;
  u64 room = PATHSPAN_FEW_STATES + (of->crowd ? (u64)__pathspan_crowd_grew(of->crowd) * FOR_EACH_OF_CROWD : 0);
  if (of->taken + words > room) return 0;
  of->taken += words;
  return 1;
}

struct step *__pathspan_step(u32 state, u32 who) {
  FIND(of_steps, step, 0);
  u32 *slot = &of_steps.slot[mix(state, who) & of_steps.mask];
  for (u32 i = *slot; i; i = steps[i].chain)
    if (steps[i].state == state && steps[i].who == who) return &steps[i];
  struct state s = __pathspan_states[state];
  u32 next;
  if (who & WRITES) next = __pathspan_state(s.object, who & ~WRITES, 0);
  else if (s.readers & CROWD) next = CROWD | __pathspan_reader(s.readers & ~CROWD, who);
  else if (pays(&s)) next = __pathspan_state(s.object, s.writer, with(s.readers, who));
  else return 0;
  u32 i = one_more(&of_steps, MOST_STEPS);
  i64 alone = s.readers == 0;
  if (s.readers & CROWD) alone = who & WRITES ? 1 : -1; /* crowds.c tells what such a write depends on */
  steps[i] = (struct step){state, who, next, *slot, 0, {{&__pathspan_no_carried, &__pathspan_no_carried}, {&__pathspan_no_carried, &__pathspan_no_carried}}, alone};
  *slot = i;
  return &steps[i];
}

u32 __pathspan_readers(u32 state, const u32 **list, u32 *among) {
  const struct state *s = &__pathspan_states[state];
  if (s->readers & AMONG) {
    *list = &s->writer;
    *among = s->readers & ~AMONG;
    return 1;
  }
  *list = members + sets[s->readers].at;
  return *among = sets[s->readers].n;
}

/* each_step tells what was accessed: of which object, written by whom (0: nobody that is
 * known), by whom it was read or, with WRITES, written, and how many bytes. */
void __pathspan_each_step(void (*tell)(u32 object, u32 writer, u32 who, u64 bytes, u64 first)) {
  for (u32 i = 1; i <= of_steps.n; i++) {
    const struct state *s = &__pathspan_states[steps[i].state];
    u64 first = steps[i].next != steps[i].state ? steps[i].bytes : 0;
    if (steps[i].next & CROWD) first = *__pathspan_read_first(s->readers & ~CROWD, steps[i].next & ~CROWD);
    if (steps[i].bytes) tell(s->object, s->writer, steps[i].who, steps[i].bytes, first);
  }
}

/* where tells lane and place of a number of __pathspan_who, the lane in the upper half. */
u64 __pathspan_where_is(u32 who) { return who ? (u64)whos[who].here << 32 | whos[who].place : 0; }

/* forget lets what was accessed so far count for nothing, in a child of fork. */
void __pathspan_forget_steps(void) {
  for (u32 i = 1; i <= of_steps.n; i++) {
    steps[i].bytes = 0;
    if (steps[i].next & CROWD) *__pathspan_read_first(__pathspan_states[steps[i].state].readers & ~CROWD, steps[i].next & ~CROWD) = 0;
  }
}
