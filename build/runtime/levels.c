/* Which iterations of which loops are under way, and in which of them something was accessed
 * before: moments are counted, so that a loop's iteration is all moments from where it began. */
#include "memory.h"

enum { MOST_LEVELS = 1 << 12, MOST_CARRIED = 1 << 22 };

u32 __pathspan_now = 1, __pathspan_fresh, __pathspan_level;
u64 __pathspan_here = (u64)1 << 32;

/* Loops under way, the outermost at 1. */
static struct level {
  u32 loop;
  u32 entered, iteration; /* since when */
} levels[MOST_LEVELS];

static void begin(u32 level) {
  __pathspan_level = level;
  __pathspan_fresh = __pathspan_now++;
  if (level < MOST_LEVELS) levels[level].iteration = __pathspan_now;
}

void __pathspan_loop_begin(u32 level, u32 loop) {
  begin(level);
  if (level < MOST_LEVELS) {
    levels[level].entered = __pathspan_now;
    levels[level].loop = loop;
  }
}

void __pathspan_loop_next(u32 level) { begin(level); }

/* A loop was left for one of a level, 0 for none. */
void __pathspan_loop_left(u32 level) {
  __pathspan_level = level;
  if (level < MOST_LEVELS) __pathspan_fresh = level ? levels[level].iteration - 1 : 0;
}

/* Dependences that iterations carry: by loop, kind, what was there and who came to it. */
struct carried {
  u32 loop, kind, state, who;
  u32 chain;
  u64 times;
};
static struct carried *carried;
static u32 count, *slots, mask;

static u64 mix(u64 a, u64 b) {
  a = (a ^ b * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
  return a ^ a >> 32;
}

static u64 hash(const struct carried *c) { return mix(mix(c->loop << 2 | c->kind, c->state), c->who); }

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

/* At s something is accessed whose state was last accessed then, before this iteration. */
__attribute__((preserve_most)) void __pathspan_carried(struct site *s, u32 then, u32 state, enum dependence kind) {
  u32 level = __pathspan_level < MOST_LEVELS ? __pathspan_level : MOST_LEVELS - 1;
  for (; level; level--) {
    if (then >= levels[level].iteration) return;
    if (then >= levels[level].entered) break;
  }
  if (!level) return;
  if (!carried) carried = __pathspan_reserve(MOST_CARRIED * sizeof *carried);
  if (count >= mask / 2) grow();
  struct carried c = {levels[level].loop, kind, state, s->who, 0, 1};
  u32 *slot = &slots[hash(&c) & mask];
  for (u32 i = *slot; i; i = carried[i].chain)
    if (carried[i].loop == c.loop && carried[i].kind == kind && carried[i].state == state && carried[i].who == c.who) {
      carried[i].times++;
      return;
    }
  c.chain = *slot;
  *slot = ++count;
  carried[count] = c;
}

void __pathspan_each_carried(void (*tell)(u32 loop, u32 kind, u32 state, u32 who, u64 times)) {
  for (u32 i = 1; i <= count; i++) tell(carried[i].loop, carried[i].kind, carried[i].state, carried[i].who, carried[i].times);
}
