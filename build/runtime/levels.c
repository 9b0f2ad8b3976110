/* Which iterations of which loops are under way, and in which of them something was accessed
 * before: moments are counted, so that a loop's iteration is all moments from where it began.
 * What was accessed between the begins of a loop and of its iteration under way, a dependence
 * on it is carried by that loop; of one loop at most is this so. lanes.c knows the same of
 * sections and tasks. */
#include "memory.h"

enum { MOST_CARRIED = FEW ? 1 << 18 : 1 << 22 };
static const u64 FAR = (u64)1 << 32; /* farther than any moment */

u32 __pathspan_now = 1, __pathspan_since = 1, __pathspan_span, __pathspan_level;
u32 __pathspan_quiet, __pathspan_quiet_length;
static u32 quiet_level; /* of the loop in whose iteration under way they are, 0 for none */
u32 __pathspan_quieter, __pathspan_quieter_length;
static u32 quieter_level; /* likewise */
static u32 quiet_below; /* the inner of both levels */
static u32 changed; /* the moment in which a lane began or went on last */

/* Loops under way, the outermost at 1. */
enum { MOST_LEVELS = 1 << 12 };
static struct level {
  u32 entered, length; /* of this execution: struct loop */
  struct loop *of;     /* the loop, and what it was when this execution began */
  struct loop outer;
  u32 loop;
} levels[MOST_LEVELS + 1];

/* Loops by number: what levels know of the innermost execution. Those beyond are looked for. */
enum { MOST_LOOPS = 1 << 20 };
static struct loop loops[MOST_LOOPS + 1], unknown; /* the last is never under way */

static struct loop *loop_of(u32 loop) { return loop < MOST_LOOPS ? &loops[loop] : &unknown; }

static u32 level_now(void) { return __pathspan_level < MOST_LEVELS ? __pathspan_level : MOST_LEVELS - 1; }

static u32 iteration(const struct level *l) { return l->entered + l->length; }

static ALWAYS void end_level(struct level *l) {
  l->length = 0;
  if (!l->of) return; /* it was left already, or not entered */
  *l->of = l->outer;
  l->of = 0;
}

/* The loop under way whose next iteration changes nothing else, and its level; NO_LEVEL for none. */
enum { NO_LEVEL = -1 };
static u32 plain_level = (u32)NO_LEVEL;
static struct level *innermost;

/* plain_next notes that the innermost loop, which has this level, goes round next, maybe. */
static void plain_next(u32 level) {
  innermost = &levels[level];
  plain_level = innermost->of && level > quiet_below ? level : (u32)NO_LEVEL;
}

/* go_to leaves loops, so that one of a level is the innermost. */
static ALWAYS void go_to(u32 level) {
  for (u32 l = level_now(); l > level; l--) end_level(&levels[l]);
  __pathspan_level = level;
  plain_level = (u32)NO_LEVEL;
}

/* look sets which moments are to be looked at: from the begin of the outermost loop or lane
 * under way up to the last one that began something. */
static ALWAYS void look(u32 to) {
  u32 from = __pathspan_level ? levels[1].entered : to;
  if (__pathspan_lanes && __pathspan_first_lane < from) from = __pathspan_first_lane;
  __pathspan_since = from;
  __pathspan_span = to - from;
}

static u32 last_begun(void) {
  u32 level = level_now();
  return level && iteration(&levels[level]) > changed ? iteration(&levels[level]) : changed;
}

u32 __pathspan_tick(void) {
  changed = ++__pathspan_now;
  __pathspan_quiet_length = __pathspan_quieter_length = 0;
  look(last_begun());
  return changed;
}

void __pathspan_loop_begin(u32 level, u32 loop) {
  go_to(level);
  u32 now = ++__pathspan_now;
  if (unlikely(level >= MOST_LEVELS)) {
    __pathspan_passed[PASSED_LANES]++;
    look(last_begun());
    return;
  }
  struct level *l = &levels[level];
  end_level(l); /* what was under way at the level is left by this */
  struct loop *o = loop_of(loop);
  *l = (struct level){now, 0, o, *o, loop};
  *o = (struct loop){now, 0};
  plain_next(level);
  look(now);
}

/* next_at_least lets an iteration begin where more may have to be done. */
static __attribute__((noinline)) void next_at_least(u32 level) {
  if (level != __pathspan_level) go_to(level);
  if (level <= quiet_below) {
    if (level <= quiet_level) __pathspan_quiet_length = 0;
    if (level <= quieter_level) __pathspan_quieter_length = 0;
    u32 quiet = __pathspan_quiet_length ? quiet_level : 0, quieter = __pathspan_quieter_length ? quieter_level : 0;
    quiet_below = quiet > quieter ? quiet : quieter;
  }
  u32 now = ++__pathspan_now;
  if (level < MOST_LEVELS) {
    struct level *l = &levels[level];
    l->length = now - l->entered;
    if (l->of) l->of->length = l->length;
    plain_next(level);
  }
  __pathspan_span = now - __pathspan_since;
}

/* The iteration of a worksharing loop. */
void __pathspan_turn_next(u32 level, u32 step) {
  __pathspan_loop_next(level);
  __pathspan_turns(step);
}

void __pathspan_loop_next(u32 level) {
  if (unlikely(level != plain_level)) {
    next_at_least(level);
    return;
  }
  struct level *l = innermost;
  u32 now = ++__pathspan_now, length = now - l->entered;
  l->length = length;
  l->of->length = length;
  __pathspan_span = now - __pathspan_since;
}

/* A loop was left for one of a level, 0 for none. */
void __pathspan_loop_left(u32 level) {
  go_to(level);
  look(last_begun());
}

struct carried __pathspan_no_carried = {&loops[MOST_LOOPS], 0, {0}, ~(u32)0, 0, 0, 0, 0, 0};
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
static struct carried *recent[OFTEN];

static struct carried **place_of(const struct carried *c) { return &recent[(c->state + c->who * 67u + c->loop * 5u + c->lane * 3u + c->kind) & (OFTEN - 1)]; }

static int same(const struct carried *a, const struct carried *b) {
  return a->state == b->state && a->who == b->who && a->kind == b->kind && a->loop == b->loop && a->lane == b->lane;
}

static struct carried *find(struct carried c) {
  if (!carried) carried = __pathspan_reserve(MOST_CARRIED * sizeof *carried);
  if (count >= mask / 2) grow();
  u32 *slot = &slots[hash(&c) & mask], i = *slot;
  while (i && !same(&carried[i], &c)) i = carried[i].chain;
  if (i) return &carried[i];
  if (count + 1 >= MOST_CARRIED) __pathspan_out_of_room();
  c.chain = *slot;
  *slot = ++count;
  carried[count] = c;
  return &carried[count];
}

/* note counts what a loop of a level carries, or else lanes of a lane do. Where tasks are out, the next may have another reason. */
static struct carried *note(const struct step *s, u32 level, u32 lane, u32 so_many, int out) {
  u32 kind = so_many >> 16, state = kind == FLOW && !(s->next & CROWD) ? s->next : s->state;
  u32 loop = level ? levels[level].loop : 0;
  struct carried c = {level && loop < MOST_LOOPS && !out ? &loops[loop] : &loops[MOST_LOOPS], FAR, {0}, loop, lane, kind, state, s->who & ~WRITES, 0}, **often = place_of(&c), *at = *often;
  if (!at || !same(at, &c)) *often = at = find(c);
  at->times[so_many & 255] += so_many >> 8 & 255;
  return at;
}

/* These keep all registers, so that what calls them need not; so they return nothing. */
static __attribute__((noinline)) KEEPS void search(struct step *s, u32 then, u32 so_many) {
  u32 level = level_now(), lane = 0;
  while (level && then < levels[level].entered) level--;
  int by_loop = level && then < iteration(&levels[level]), out = 0;
  u32 from = level ? iteration(&levels[level]) : 0, to = level < level_now() ? levels[level + 1].entered : __pathspan_now + 1;
  if (__pathspan_lanes && then >= changed) from = from > changed ? from : changed;
  else if (__pathspan_lanes && (!by_loop || (out = __pathspan_tasks_are_out()))) lane = __pathspan_between(then, &from, &to);
  if (!by_loop && !lane) {
    __pathspan_quieter = __pathspan_quiet;
    __pathspan_quieter_length = __pathspan_quiet_length;
    quieter_level = quiet_level;
    __pathspan_quiet = from;
    __pathspan_quiet_length = to - from;
    quiet_level = level;
    quiet_below = quiet_level > quieter_level ? quiet_level : quieter_level;
    if (plain_level <= quiet_below) plain_level = (u32)NO_LEVEL;
    return;
  }
  if (lane) note(s, 0, lane, so_many, 0);
  if (!by_loop) return;
  struct carried *at = note(s, level, 0, so_many, out);
  u32 nearer = iteration(&levels[level]) - then - 1;
  if (nearer < at->nearer) at->nearer = nearer;
  u32 anti = so_many >> 16 == ANTI;
  s->kind[anti].other = s->kind[anti].last;
  s->kind[anti].last = at;
}

/* An inner loop and the one around it carry by turns. */
KEEPS void __pathspan_find_carried(struct step *s, u32 then, u32 so_many) {
  u32 anti = so_many >> 16 == ANTI;
  struct carried *c = s->kind[anti].other;
  if (__pathspan_carries(c, then)) {
    c->times[so_many & 255] += so_many >> 8 & 255;
    s->kind[anti].other = s->kind[anti].last;
    s->kind[anti].last = c;
  } else {
    search(s, then, so_many);
  }
}

void __pathspan_each_carried(void (*tell)(u32 loop, u32 lane, u32 kind, u32 state, u32 who, u64 least, u64 times, u64 bytes)) {
  for (u32 i = 1; i <= count; i++) {
    const struct carried *c = &carried[i];
    u64 times = 0, bytes = 0;
    for (u32 log = 0; log < SIZES; log++) {
      times += c->times[log];
      bytes += c->times[log] << log;
    }
    if (times) tell(c->loop, c->lane, c->kind, c->state, c->who, c->nearer < FAR ? c->nearer + 1 : 0, times, bytes);
  }
}

void __pathspan_forget_carried(void) {
  for (u32 i = 1; i <= count; i++) {
    __builtin_memset(carried[i].times, 0, sizeof carried[i].times);
    carried[i].nearer = FAR;
  }
}
