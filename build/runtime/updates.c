/* Atomic updates in lanes: each line of memory that is updated is a lock that nothing is done
 * under. Of iterations of loops that go together it is known how many there are, and of what
 * else where they lie. Updates under locks are not told of, as who has the lock is alone. */
#include "following.h"
#include "quiet.h"

extern void *__libc_stack_end __attribute__((weak));

/* What stands for a line. Where the stack begins in a line differs from run to run: what lies there
 * is told apart by itself. Addresses of locks are even. */
static u64 line_of(u64 address) {
  u64 here = (u64)(uintptr_t)__builtin_frame_address(0);
  int stack = &__libc_stack_end && address > here && address < (u64)(uintptr_t)__libc_stack_end;
  return (address & ~(u64)(stack ? 7 : 63)) | 1;
}

static u32 update; /* the lock that stands for the one under way */

/* An update is about to happen. Returns whether what was done before is to be handed over, and
 * it is to be told of. */
int __pathspan_atomic_met(u64 word, u64 address) {
  static struct {
    u64 word, address;
    u32 lock;
  } near[64], *last;
  if (__pathspan_depth == 0 || __pathspan_deeper || __pathspan_stopped || __pathspan_shown.put_off) return 0;
  struct frame *f = &__pathspan_frames[__pathspan_depth - 1];
  if (!f->inside || f->whole || f->region == LOCK_REGION || is_streak(f)) return 0;
  last = &near[(address >> 3 ^ address >> 9) & 63];
  if (word != last->word || address != last->address) {
    last->lock = __pathspan_lock_at((u32)(word >> 32) & 0xffffff, line_of(address));
    last->word = word;
    last->address = address;
  }
  if (f->loop && !f->tasks && f->block > 1 && __pathspan_often[__pathspan_constructs[f->region] + f->open].locks) {
    struct held *h = __pathspan_held_of(f, last->lock);
    if (h) h->times++;
    return 0;
  }
  update = last->lock;
  return 1;
}

/* Adds an update to the block of a loop, with what was done before the first. */
static void in_block(struct frame *f) {
  u32 number = __pathspan_depth;
  if (!__pathspan_often[__pathspan_constructs[f->region] + f->open].locks) {
    __pathspan_take_turns(f, UPDATES);
    if (__pathspan_stopped || __pathspan_depth < number) return;
  }
  struct held *h = __pathspan_held_of(f, update);
  if (!h) return;
  if (h->times++ == 0) {
    add(h->before, f->work);
    memset(f->work, 0, sizeof f->work);
  }
}

/* Adds an update to a lane, as a part of it. */
static void in_lane(struct frame *f) {
  static u32 known, id, of; /* the entry of the last, in the forest of a generation */
  const struct part nothing = {.times = 1};
  u32 number = __pathspan_depth, one = 1;
  if (of == __pathspan_generation && known == update) {
    __pathspan_forest->entry[id].count = __pathspan_plus(__pathspan_forest->entry[id].count, 1);
  } else {
    while ((id = __pathspan_forest_put(__pathspan_forest, LOCK_REGION, update, 1, &one, &nothing)) == FULL) {
      __pathspan_make_room();
      if (__pathspan_stopped || __pathspan_depth < number) return;
    }
    known = update;
    of = __pathspan_generation;
  }
  __pathspan_end_part(f, id + 1, 1);
  if (!__pathspan_stopped && __pathspan_depth == number) __pathspan_grow_stretch(f);
}

void __pathspan_atomic_told(void) {
  struct frame *f = &__pathspan_frames[__pathspan_depth - 1];
  __pathspan_changing = 1;
  __pathspan_add_work(f, __pathspan_metered);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  if (f->loop && !f->tasks) in_block(f);
  else in_lane(f);
  __pathspan_changing = 0;
}
