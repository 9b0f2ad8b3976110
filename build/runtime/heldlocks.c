/* What is done under locks: a section of its own, or a sum a lock in the blocks of a loop. */
#include "following.h"

/* Begins what is done under a lock in a section. It is followed as a section of its own. */
static void take(u32 lock) {
  if (!__pathspan_deeper && (__pathspan_depth == 0 || !__pathspan_frames[__pathspan_depth - 1].inside)) return;
  if (__pathspan_deeper || __pathspan_depth >= __pathspan_most_depth() || __pathspan_lane_count + 1 > MOST_LANES) {
    __pathspan_deeper++; /* whose end is waited for */
    __pathspan_forest->depth = __pathspan_most_depth();
    return;
  }
  struct frame *f = &__pathspan_frames[__pathspan_depth - 1];
  if (f->loop && !f->tasks && !(__pathspan_often[__pathspan_constructs[f->region] + f->open].locks & TAKES_LOCKS)) {
    u32 number = __pathspan_depth;
    __pathspan_take_turns(f, TAKES_LOCKS);
    if (__pathspan_stopped || __pathspan_depth < number) return;
  }
  f = &__pathspan_frames[__pathspan_depth++];
  __pathspan_renew_frame(f, LOCK_REGION, lock);
  f->sections = 1;
  f->inside = 1;
}

/* What was held of a lock in the block under way, 0 where there is no room. Of an array one that
 * was held stands for others then. */
struct held *__pathspan_held_of(struct frame *f, u32 lock) {
  for (u32 i = 0; i < f->locks; i++)
    if (f->held[i].lock == lock) return &f->held[i];
  if (f->locks < MOST_LOCKS) {
    if (f->locks == 0) memset(f->behind, 0, sizeof f->behind);
    f->held[f->locks] = (struct held){.lock = lock};
    return &f->held[f->locks++];
  }
  for (u32 i = 0; i < MOST_LOCKS; i++) {
    struct held *h = &f->held[(lock + i) % MOST_LOCKS];
    if (h->lock / LOCKS_OF_ONE == lock / LOCKS_OF_ONE) return h;
  }
  return 0;
}

/* Ends what was done under the lock that was taken last. */
void __pathspan_release_lock(void) {
  if (__pathspan_deeper) {
    if (--__pathspan_deeper == 0) __pathspan_end_passed_over(0);
    return;
  }
  if (__pathspan_depth < 2 || __pathspan_frames[__pathspan_depth - 1].region != LOCK_REGION) return;
  struct frame *f = &__pathspan_frames[__pathspan_depth - 1];
  struct frame *to = f - 1;
  if (to->loop && !to->tasks && __pathspan_parts_used == f->begun) {
    struct held *h = __pathspan_held_of(to, f->open);
    if (h) {
      h->times++;
      add(h->work, f->work);
      add(h->before, to->work);
      memset(to->work, 0, sizeof to->work);
      /* Where this iteration ends is asked for, which blocks of one tell of themselves. */
      if (to->block > 1) {
        to->period -= __pathspan_iterations_left;
        __pathspan_iterations_left = 0;
      }
    } else __pathspan_add_work(to, f->work);
    __pathspan_drop_construct(f);
    __pathspan_depth--;
    return;
  }
  if (to->region == LOCK_REGION && to[-1].loop && !to[-1].tasks && __pathspan_parts_used == f->begun) {
    __pathspan_add_work(to, f->work); /* locks within locks are told in lanes alone whose order counts */
    __pathspan_drop_construct(f);
    __pathspan_depth--;
    return;
  }
  int idle = __pathspan_parts_used > f->begun && is_nothing(f->work);
  u32 number = __pathspan_depth - 1;
  if (!idle) __pathspan_end_part(f, 0, 1);
  if (__pathspan_stopped || __pathspan_depth <= number) return;
  f->inside = 0;
  __pathspan_lane_parts[__pathspan_lane_count++] = __pathspan_parts_used - f->begun;
  f->ended = 1;
  __pathspan_join_construct(f);
  if (__pathspan_stopped || __pathspan_depth <= number) return;
  __pathspan_depth = number;
}

void __pathspan_lock_taken(u64 word, u64 address) {
  __pathspan_changing = 1;
  __pathspan_make_up(0);
  if (kinds() == 0 || __pathspan_stopped || __pathspan_depth == 0) {
    memset(__pathspan_metered, 0, sizeof __pathspan_metered);
    __pathspan_changing = 0;
    return;
  }
  __pathspan_add_work(__pathspan_section_around(__pathspan_depth), __pathspan_metered);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  take(__pathspan_lock_at((u32)(word >> 32) & 0xffffff, address));
  __pathspan_changing = 0;
}
