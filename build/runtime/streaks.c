/* Streaks: constructs from which threads go on to the next without waiting. */
#include "following.h"

/* Whether they go on from one of its constructs to another. */
int __pathspan_goes_on(u32 region, u32 from, u32 to) {
  const u32 *of = __pathspan_traits + __pathspan_constructs[region];
  if (!(of[from] & GOES_ON)) return 0;
  for (u32 c = from < to ? from : to; c < (from < to ? to : from); c++)
    if (!(of[c] & WITH_NEXT)) return 0;
  return 1;
}

void __pathspan_begin_streak(struct frame *f, u32 region) {
  __pathspan_renew_frame(f, STREAK_REGION, region);
  f->sections = 1;
  f->inside = 1;
}

/* Ends a streak, above which nothing is under way. */
void __pathspan_end_streak(struct frame *f) {
  u32 n = __pathspan_parts_used - f->begun;
  if (n == 1 && __pathspan_parts_under_way[f->begun].times == 1) { /* a construct by itself */
    u32 child = __pathspan_parts_under_way[f->begun].child;
    __pathspan_drop_construct(f);
    if (child && (f = __pathspan_section_around((u32)(f - __pathspan_frames)))) __pathspan_end_part(f, child, 1);
    return;
  }
  if (n == 0) {
    __pathspan_drop_construct(f);
    return;
  }
  f->inside = 0;
  __pathspan_lane_parts[__pathspan_lane_count++] = n;
  f->ended = 1;
  __pathspan_join_construct(f);
}
