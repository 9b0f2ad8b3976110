/* Which iterations of which loops are under way, and in which of them something was accessed
 * before: moments are counted, so that a loop's iteration is all moments from where it began.
 * What was accessed between the begins of a loop and of its iteration under way, a dependence
 * on it is carried by that loop; of one loop at most is this so. lanes.c knows the same of
 * sections and tasks. */
#include "memory.h"

enum { MOST_LEVELS = 1 << 12, MOST_CARRIED = 1 << 22 };

u32 __pathspan_now = 1, __pathspan_since = 1, __pathspan_span, __pathspan_level;
static u32 changed; /* the moment in which a lane began or went on last */

/* Loops under way, the outermost at 1. */
static struct level {
  u32 loop;
  u32 entered, iteration; /* since when */
} levels[MOST_LEVELS];

static u32 level_now(void) { return __pathspan_level < MOST_LEVELS ? __pathspan_level : MOST_LEVELS - 1; }

/* look sets which moments are to be looked at: from the begin of the outermost loop or lane
 * under way up to the last one that began something. */
static void look(void) {
  u32 level = level_now(), to = level && levels[level].iteration > changed ? levels[level].iteration : changed;
  u32 from = level ? levels[1].entered : to;
  if (__pathspan_lanes && __pathspan_first_lane < from) from = __pathspan_first_lane;
  __pathspan_since = from;
  __pathspan_span = to - from;
}

u32 __pathspan_tick(void) {
  changed = ++__pathspan_now;
  look();
  return changed;
}

void __pathspan_loop_begin(u32 level, u32 loop) {
  __pathspan_level = level;
  u32 now = ++__pathspan_now;
  if (level < MOST_LEVELS) levels[level] = (struct level){loop, now, now};
  look();
}

void __pathspan_loop_next(u32 level) {
  __pathspan_level = level;
  u32 now = ++__pathspan_now;
  if (level < MOST_LEVELS) levels[level].iteration = now;
  __pathspan_span = now - __pathspan_since;
}

/* A loop was left for one of a level, 0 for none. */
void __pathspan_loop_left(u32 level) {
  __pathspan_level = level;
  look();
}

/* Dependences that iterations or lanes carry: by whom, kind, what was there and who came to it. */
struct carried {
  u32 loop, lane, kind, state, who;
  u32 chain;
  u64 times, bytes;
};
static struct carried *carried;
static u32 count, *slots, mask;

static u64 mix(u64 a, u64 b) {
  a = (a ^ b * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
  return a ^ a >> 32;
}

static u64 hash(const struct carried *c) { return mix(mix((u64)c->lane << 34 | (u64)c->loop << 2 | c->kind, c->state), c->who); }

static void grow(void) {
  u32 size = slots ? (mask + 1) * 2 : 1 << 12;
  slots = __pathspan_reserve((u64)size * sizeof *slots);
  mask = size - 1;
  for (u32 i = 1; i <= count; i++) {
    u32 *at = &slots[hash(&carried[i]) & mask];
    carried[i].chain = *at;
    *at = i;
  }
}

/* Where a dependence is counted that came often. */
enum { OFTEN = 1 << 12 };
static struct carried *often[OFTEN];

static struct carried **place_of(const struct carried *c) { return &often[(c->state + c->who * 67u + c->loop * 5u + c->lane * 3u + c->kind) & (OFTEN - 1)]; }

static int same(const struct carried *a, const struct carried *b) {
  return a->state == b->state && a->who == b->who && a->kind == b->kind && a->loop == b->loop && a->lane == b->lane;
}

/* These two keep all registers, so that what calls them need not; so they return nothing. */
static __attribute__((noinline, preserve_most)) void find(struct carried c) {
  if (!carried) carried = __pathspan_reserve(MOST_CARRIED * sizeof *carried);
  if (count >= mask / 2) grow();
  u32 *slot = &slots[hash(&c) & mask], i = *slot;
  while (i && !same(&carried[i], &c)) i = carried[i].chain;
  if (!i) {
    if (count + 1 >= MOST_CARRIED) return;
    c.chain = *slot;
    *slot = i = ++count;
    carried[i] = c;
  } else {
    carried[i].times++;
    carried[i].bytes += c.bytes;
  }
  *place_of(&c) = &carried[i];
}

static u32 lane_between;
static __attribute__((noinline, preserve_most)) void ask_lanes(u32 then) { lane_between = __pathspan_between(then); }

/* At s something is accessed whose state was last accessed then, before this iteration. */
__attribute__((preserve_most)) void __pathspan_carried(struct site *s, u32 then, u32 state, u32 kind_and_size) {
  u32 level = level_now(), lane = 0;
  for (; level && then < levels[level].entered; level--) {}
  if (!level || then >= levels[level].iteration) {
    if (!__pathspan_lanes) return;
    ask_lanes(then);
    lane = lane_between;
    if (!lane) return;
    level = 0;
  }
  struct carried c = {level ? levels[level].loop : 0, lane, kind_and_size >> 8, state, s->who, 0, 1, kind_and_size & 255}, *at = *place_of(&c);
  if (at && same(at, &c)) {
    at->times++;
    at->bytes += c.bytes;
  } else {
    find(c);
  }
}

void __pathspan_each_carried(void (*tell)(u32 loop, u32 lane, u32 kind, u32 state, u32 who, u64 times, u64 bytes)) {
  for (u32 i = 1; i <= count; i++) {
    const struct carried *c = &carried[i];
    if (c->times) tell(c->loop, c->lane, c->kind, c->state, c->who, c->times, c->bytes);
  }
}

void __pathspan_forget_carried(void) {
  for (u32 i = 1; i <= count; i++) carried[i].times = carried[i].bytes = 0;
}
