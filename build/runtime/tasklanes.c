/* Tasks as lanes of their own: where they begin and end, and what is waited for. tasks.c knows
 * how each was made. */
#include "following.h"
#include "tasks.h"

void __pathspan_begin_lane(struct frame *f) {
  f->inside = 1;
  f->begun = f->ordered = __pathspan_parts_used;
  f->pieces = 0;
  f->tasks = 0;
  f->grain = 0;
  memset(f->work, 0, sizeof f->work);
}

/* Begins a task, or what tells how it was created, as a lane of its own. */
static struct frame *push_task(u32 construct, u32 sections) {
  struct frame *f = &__pathspan_frames[__pathspan_depth++];
  __pathspan_renew_frame(f, __pathspan_region_count, construct);
  f->sections = sections;
  __pathspan_begin_lane(f);
  f->tasks = construct >= form(0);
  return f;
}

/* Ends the lane of the innermost frame, which is the last of its construct. Returns 0 where
 * it is followed no more. */
static int end_task_lane(struct frame *f) {
  int idle = __pathspan_parts_used > f->begun && is_nothing(f->work);
  u32 number = (u32)(f - __pathspan_frames);
  if (!idle) __pathspan_end_part(f, 0, 1);
  if (__pathspan_stopped || __pathspan_depth <= number) return 0;
  f->inside = 0;
  __pathspan_lane_parts[__pathspan_lane_count++] = __pathspan_parts_used - f->begun;
  f->ended++;
  __pathspan_join_construct(f);
  if (__pathspan_stopped || __pathspan_depth <= number) return 0;
  __pathspan_depth = number;
  return 1;
}

/* Ends frames that tell how a task was created that has ended. */
static void end_wrapping(void) {
  while (__pathspan_depth && wraps(&__pathspan_frames[__pathspan_depth - 1]))
    if (!end_task_lane(&__pathspan_frames[__pathspan_depth - 1])) return;
}

/* Puts a part that executes so often what has no lanes. Returns 0 where the frame is
 * followed no more. */
static int put_without_lanes(struct frame *f, u32 what, u64 times) {
  static u32 known[TASK_FORMS + 1], of[TASK_FORMS + 1]; /* entries, in the forest of a generation */
  u32 number = (u32)(f - __pathspan_frames);
  if (of[what] == __pathspan_generation) {
    u64 *count = &__pathspan_forest->entry[known[what]].count;
    *count = __pathspan_plus(*count, times);
  } else {
    u32 id = __pathspan_without_lanes(f, __pathspan_region_count, form(what), times);
    if (id == FULL) return 0;
    known[what] = id;
    of[what] = __pathspan_generation;
  }
  __pathspan_end_part(f, known[what] + 1, times);
  return !__pathspan_stopped && __pathspan_depth > number;
}

/* Begins a frame of two lanes: for which elder siblings a task waits, and what waits. The
 * first has, for each of them, as many executions of nothing as it is created before the one
 * told before it, and one of a wait. */
static struct frame *push_dependent(const struct spawn *s) {
  struct frame *f = push_task(form(DEPENDENT), 2);
  for (u32 i = 0, before = 0; i < s->waits; before = s->distance[i++])
    if (!put_without_lanes(f, TASK_FORMS, s->distance[i] - before) || !put_without_lanes(f, WAITED, 1)) return 0;
  __pathspan_lane_parts[__pathspan_lane_count++] = __pathspan_parts_used - f->begun;
  f->ended = 1;
  __pathspan_begin_lane(f);
  f->tasks = 1;
  return f;
}

/* Notes that a lane holds tasks, so that order counts from now on: what was done under locks in
 * the block of a loop comes first. Returns 0 where the frame is followed no more. */
static int begin_order(struct frame *f) {
  f->tasks = 1;
  return __pathspan_end_held(f);
}

static int has_room(u32 levels) { return !__pathspan_deeper && __pathspan_depth + levels <= __pathspan_most_depth() && __pathspan_lane_count + 2 * levels <= MOST_LANES; }

void __pathspan_begin_task(u32 construct) {
  const struct spawn *s = __pathspan_task_begins();
  if (!s) return;
  if (!has_room(1 + (s->undeferred != 0) + (s->waits > 0))) {
    __pathspan_deeper++;
    __pathspan_forest->depth = __pathspan_most_depth();
    return;
  }
  struct frame *f = __pathspan_depth ? &__pathspan_frames[__pathspan_depth - 1] : 0;
  if (!f || !f->inside || f->region == LOCK_REGION) { /* nothing around it is followed, or it is work under a lock */
    __pathspan_renew_frame(&__pathspan_frames[__pathspan_depth++], __pathspan_region_count, NONE);
    return;
  }
  if (!begin_order(f)) return;
  if (s->undeferred) push_task(form(UNDEFERRED), 1);
  else if (s->waits && !push_dependent(s)) return;
  push_task(construct, 1);
}

void __pathspan_end_task(u32 construct) {
  if (!__pathspan_task_ends()) return;
  if (__pathspan_deeper) {
    if (--__pathspan_deeper == 0) {
      __pathspan_end_passed_over(0);
      end_wrapping();
    }
    return;
  }
  u32 d = __pathspan_depth; /* a jump left what is above the innermost task */
  while (d > 0 && (__pathspan_frames[d - 1].region != __pathspan_region_count || (__pathspan_frames[d - 1].open != construct && __pathspan_frames[d - 1].open != NONE))) d--;
  if (d == 0) return;
  if (__pathspan_depth > d && !__pathspan_leave_to(d)) return;
  if (__pathspan_frames[d - 1].open == NONE) __pathspan_depth--;
  else if (end_task_lane(&__pathspan_frames[d - 1])) end_wrapping();
}

/* A taskwait, or the begin or end of a taskgroup. */
void __pathspan_wait_for_tasks(u32 kind) {
  const struct spawn *s = __pathspan_task_waits();
  struct frame *f = __pathspan_depth ? &__pathspan_frames[__pathspan_depth - 1] : 0;
  if (!s || __pathspan_deeper || !f || !f->inside || f->region == LOCK_REGION) return;
  if (!begin_order(f)) return;
  if (kind != TASK_WAIT || !s->undeferred) {
    put_without_lanes(f, kind == TASK_WAIT ? WAITED : kind == GROUP_BEGIN ? BEGUN : ENDED, 1);
  } else if (s->waits && has_room(1) && (f = push_dependent(s)) && put_without_lanes(f, DEPENDED, 1)) {
    end_wrapping();
  }
}
