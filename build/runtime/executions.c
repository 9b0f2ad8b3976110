/* Keeps how the work of the sections of constructs went together, execution by execution.
 * The program's meters (build/probe) count the work, in kinds of instructions; marks tell
 * where regions and sections begin and end.
 *
 * What runs in a section belongs to its lane, and so does what regions inside it do
 * outside of their own sections. A construct ends with its last section. It becomes an
 * entry of the forest then, and a part of the lane around it. Where the forest is full,
 * its grid is made coarser, and then regions that are nested deeply become work of the
 * lane around them. A construct that a jump, an exception or the program's end left before
 * its last section had ended is an entry of what was executed of it: sections that were not
 * reached have no parts.
 *
 * What is done under a lock inside a section is an entry too, of a construct of one lane
 * that stands for the lock, and a part of the lane around it. In the iterations of a loop
 * each block ends with one such part a lock: how often it was taken, what was done under
 * it, and before. What its iterations did behind their last lock is work of the block's end.
 * Where iterations make tasks, order counts, and each block executes one piece that holds all.
 *
 * An execution of a loop that is known in sum alone, and goes like the one before, goes by
 * without a call (inlined.c): marks of regions that hold nothing but loops are put off then, and
 * made up for as soon as something else is told of.
 *
 * Constructs from which threads go on to the next without waiting (nowait) are a streak: an
 * entry of one lane whose parts are the constructs in order, and no work. It ends where
 * threads wait; a construct by itself is none. */
#include "following.h"
#include "quiet.h"
#include "tasks.h"

/* watch.c */
extern void __pathspan_watch(u64 event);
extern void __pathspan_meter_rest(void) __attribute__((weak)); /* of the program: adds what the meters hold */

enum { REGION_BEGIN = 1, REGION_END, SECTION_BEGIN, SECTION_END, ITERATION = 7, LOCK_TAKEN = 16, LOCK_RELEASED = 17 };

/* Ends the construct that the innermost region has begun where that was left before its
 * end. */
static void cut(struct frame *f) {
  u32 number = (u32)(f - __pathspan_frames);
  if (f->open == NONE) return;
  if (is_streak(f)) {
    __pathspan_end_streak(f);
    return;
  }
  if (f->inside) {
    if (f->loop) __pathspan_cut_loop(f);
    else __pathspan_end_part(f, 0, 1);
    if (__pathspan_stopped || __pathspan_depth <= number) return;
    f->inside = 0;
    __pathspan_lane_parts[__pathspan_lane_count++] = __pathspan_parts_used - f->begun;
    f->ended++;
  }
  for (; f->ended < f->sections; f->ended++) __pathspan_lane_parts[__pathspan_lane_count++] = 0;
  __pathspan_join_construct(f);
}

/* Ends what a jump or an exception left: all but so many regions under way. Returns 0 where
 * those are not followed any more. */
int __pathspan_leave_to(u32 d) {
  while (!__pathspan_stopped && __pathspan_depth > d) {
    cut(&__pathspan_frames[__pathspan_depth - 1]);
    if (!__pathspan_stopped && __pathspan_depth > d) __pathspan_depth--;
  }
  if (__pathspan_stopped) return 0;
  __pathspan_deeper = d - __pathspan_depth; /* what there was no room for */
  if (__pathspan_deeper == 0) __pathspan_end_passed_over(0);
  return __pathspan_deeper == 0;
}

/* How many regions are under way up to the innermost of a number, 0 for none. */
static u32 up_to(u32 region) {
  u32 d = __pathspan_depth;
  while (d > 0 && __pathspan_frames[d - 1].region != region) d--;
  return d;
}

/* Ends what lies inside the innermost region of a number. Returns 0 where there is none. */
static int leave(u32 region) {
  u32 d = up_to(region);
  return d > 0 && (__pathspan_depth == d || __pathspan_leave_to(d));
}

/* An iteration begins that the countdown asked for, one of so many that go together. */
static void iteration(u32 region, u64 step) {
  struct frame *f = !__pathspan_deeper && leave(region) ? &__pathspan_frames[__pathspan_depth - 1] : 0;
  if (!f || !f->loop || !f->inside) {
    __pathspan_iterations_left = NEVER;
    return;
  }
  f->at += (u64)(f->period - (__pathspan_iterations_left + (i64)step));
  u64 over = __pathspan_blocks_by(f, f->at);
  if (over > f->told) {
    __pathspan_end_blocks(f, over - f->told);
    if (__pathspan_stopped || __pathspan_depth <= (u32)(f - __pathspan_frames)) return;
  } else if (f->locks) {
    for (u32 k = 0; k < __pathspan_forest->kinds; k++) f->behind[k] = __pathspan_plus(f->behind[k], f->work[k]);
    memset(f->work, 0, sizeof f->work);
  }
  __pathspan_count_down(f);
  __pathspan_iterations_left -= (i64)step;
}

static void begin_section(u32 region, u32 construct, u32 index, int whole) {
  if (!leave(region)) return;
  struct frame *f = &__pathspan_frames[__pathspan_depth - 1];
  if (f->open != construct || f->inside || f->ended != index) {
    cut(f);
    if (__pathspan_stopped || __pathspan_depth <= (u32)(f - __pathspan_frames)) return;
    if (index != 0 || region >= __pathspan_region_count) return;
    u32 first = __pathspan_constructs[region];
    if (construct >= __pathspan_constructs[region + 1] - first) return;
    f->sections = __pathspan_sections[first + construct];
    if (f->sections > MOST_SECTIONS || __pathspan_lane_count + f->sections > MOST_LANES) return;
    if (f > __pathspan_frames && is_streak(f - 1) && __pathspan_parts_used > f[-1].begun && !__pathspan_goes_on(region, f[-1].last, construct)) {
      __pathspan_end_streak(f - 1);
      if (__pathspan_stopped || __pathspan_depth <= (u32)(f - __pathspan_frames)) return;
      __pathspan_begin_streak(f - 1, region);
    }
    f->open = construct;
    f->loop = is_loop(region, construct);
    f->ended = 0;
    f->first_part = __pathspan_parts_used;
    f->first_lane = __pathspan_lane_count;
  }
  __pathspan_begin_lane(f);
  if (f->loop) __pathspan_begin_loop(f, whole);
}

static void end_section(u32 region, u32 construct, u32 index) {
  if (!leave(region)) return;
  struct frame *f = &__pathspan_frames[__pathspan_depth - 1];
  if (f->open != construct || !f->inside || f->ended != index) {
    __pathspan_drop_construct(f);
    return;
  }
  if (f->loop && f->whole && __pathspan_parts_used == f->begun && f->locks == 0 && __pathspan_end_whole(f)) return;
  int idle = __pathspan_parts_used > f->begun && is_nothing(f->work);
  if (f->loop) __pathspan_end_loop(f);
  else if (!idle) __pathspan_end_part(f, 0, 1);
  if (__pathspan_stopped || __pathspan_depth <= (u32)(f - __pathspan_frames)) return;
  f->inside = 0;
  __pathspan_lane_parts[__pathspan_lane_count++] = __pathspan_parts_used - f->begun;
  if (++f->ended == f->sections) __pathspan_join_construct(f);
}

/* ---- marks that are put off ---- */

#define KIND(WORD) ((u32)((WORD) >> 56))
#define REGION(WORD) ((u32)((WORD) >> 32) & 0xffffff)
#define CONSTRUCT(WORD) ((u32)((WORD) >> 16) & 0xffff)
#define EVENT(OF, REGION) ((u64)(OF) << 56 | (u64)(REGION) << 32)

/* Makes up for marks that were put off, before a mark is told, or 0 where it is no mark. */
void __pathspan_make_up(u64 word) {
  u64 last = __pathspan_shown.put_off;
  u64 work[MOST_KINDS];
  if (last == 0) return;
  __pathspan_shown.put_off = 0;
  memcpy(work, __pathspan_metered, sizeof work);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  if (__pathspan_depth && (last == NONE_YET || __pathspan_frames[0].region != REGION(last))) __pathspan_watch(EVENT(REGION_END, __pathspan_frames[--__pathspan_depth].region));
  if (last == NONE_YET) return; /* work outside of all sections is nobody's */
  if (__pathspan_depth == 0) {
    __pathspan_renew_frame(&__pathspan_frames[__pathspan_depth++], REGION(last), NONE);
    __pathspan_watch(EVENT(REGION_BEGIN, REGION(last)));
  }
  if (KIND(last) != SECTION_BEGIN) return;
  const struct expected *e = &__pathspan_expected[__pathspan_constructs[REGION(last)] + CONSTRUCT(last)];
  __pathspan_loop_iterations = e->iterations;
  __pathspan_loop_chunk = e->chunk;
  __pathspan_watch(last);
  /* Amid a loop that keeps all its work meters hold what was done before it. */
  if (word != last + EVENT(1, 0) && __pathspan_traits[__pathspan_constructs[REGION(last)] + CONSTRUCT(last)] & KEEPS_ALL) memset(work, 0, sizeof work);
  begin_section(REGION(last), CONSTRUCT(last), 0, 1);
  memcpy(__pathspan_metered, work, sizeof __pathspan_metered);
}

/* Lets marks be put off from here on, if nothing is around them that they would be a part of;
 * no more than a region is. */
static void put_off(void) {
  if (__pathspan_stopped || __pathspan_deeper) return;
  if (__pathspan_depth == 0) __pathspan_shown.put_off = NONE_YET;
  else if (__pathspan_frames[0].open == NONE && __pathspan_frames[0].region < __pathspan_region_count && !has_streaks(__pathspan_frames[0].region)) __pathspan_shown.put_off = EVENT(REGION_BEGIN, __pathspan_frames[0].region);
}

/* An execution of a loop ends whose begin was put off. Returns 0 where it is to be made up for. */
static int went_by(u64 word) {
  u64 begin = word - EVENT(1, 0);
  if (KIND(word) != SECTION_END || __pathspan_shown.put_off != begin) return 0;
  u32 number = __pathspan_constructs[REGION(word)] + CONSTRUCT(word);
  const struct expected *e = &__pathspan_expected[number];
  if (__pathspan_went_like(REGION(word), number, e->iterations, e->chunk, __pathspan_metered) == FULL) return 0;
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  __pathspan_shown.put_off = EVENT(REGION_BEGIN, REGION(word));
  return 1;
}

/* ---- the program's calls ---- */

static void mark(u64 word) {
  u32 kind = KIND(word);
  u32 region = REGION(word);
  u32 construct = CONSTRUCT(word);
  u32 index = (u32)word & 0xffff;
  if (!__pathspan_forest->entry && !__pathspan_executions_ready()) __pathspan_out_of_memory();
  __pathspan_add_work(__pathspan_section_around(__pathspan_depth), __pathspan_metered);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  if (kind == LOCK_RELEASED) {
    __pathspan_release_lock();
  } else if (kind == REGION_BEGIN) {
    if (__pathspan_deeper == 0 && __pathspan_depth && !__pathspan_frames[__pathspan_depth - 1].inside) cut(&__pathspan_frames[__pathspan_depth - 1]);
    if (__pathspan_stopped) return;
    int streak = region < __pathspan_region_count && has_streaks(region);
    if (__pathspan_deeper || __pathspan_depth + (u32)streak >= __pathspan_most_depth()) {
      __pathspan_deeper++;
      __pathspan_forest->depth = __pathspan_most_depth();
      return;
    }
    if (streak) __pathspan_begin_streak(&__pathspan_frames[__pathspan_depth++], region);
    __pathspan_renew_frame(&__pathspan_frames[__pathspan_depth++], region, NONE);
  } else if (kind == REGION_END) {
    if (__pathspan_deeper) {
      if (--__pathspan_deeper == 0) __pathspan_end_passed_over(0);
      return;
    }
    u32 d = up_to(region);
    if (d) __pathspan_leave_to(d > 1 && is_streak(&__pathspan_frames[d - 2]) ? d - 2 : d - 1);
    else while (__pathspan_depth) __pathspan_drop_construct(&__pathspan_frames[--__pathspan_depth]); /* left by a jump: what is known is stale */
  } else if (kind == ITERATION) {
    iteration(region, index);
  } else if (kind == TASK_BEGIN) {
    __pathspan_begin_task(construct);
  } else if (kind == TASK_END) {
    __pathspan_end_task(construct);
  } else if (kind >= TASK_WAIT && kind <= GROUP_END) {
    __pathspan_wait_for_tasks(kind);
  } else if (__pathspan_deeper && is_loop(region, construct)) {
    if (kind == SECTION_BEGIN) __pathspan_pass_over(__pathspan_passed_over ? __pathspan_before_passed_over : __pathspan_iterations_left);
    else __pathspan_end_passed_over(__pathspan_passed_over - 1);
  } else if (__pathspan_deeper == 0 && kind == SECTION_BEGIN) {
    begin_section(region, construct, index, 0);
  } else if (__pathspan_deeper == 0 && kind == SECTION_END) {
    end_section(region, construct, index);
  }
}

void __pathspan_meter_mark(u64 word) {
  if (kinds() == 0 || __pathspan_stopped) {
    __pathspan_watch(word);
    return;
  }
  __pathspan_changing = 1;
  if (!__pathspan_shown.put_off || !went_by(word)) {
    if (__pathspan_shown.put_off) __pathspan_make_up(word);
    if (KIND(word) <= SECTION_END) __pathspan_watch(word); /* of others it shows nothing */
    mark(word);
    if (__pathspan_depth <= 1) put_off();
  }
  __pathspan_changing = 0;
}

/* ---- the profile ---- */

/* Ends what is under way, since the program has come to its end. */
void __pathspan_end_executions(void) {
  if (__pathspan_changing || __pathspan_stopped || !__pathspan_forest->entry) return;
  if (&__pathspan_meter_rest) __pathspan_meter_rest();
  __pathspan_make_up(0);
  __pathspan_add_work(__pathspan_section_around(__pathspan_depth), __pathspan_metered);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  __pathspan_deeper = 0;
  __pathspan_leave_to(0);
}

/* Starts anew in a child of fork, but for what executions hold that are under way. */
void __pathspan_forget_executions(void) {
  __pathspan_make_up(0);
  if (__pathspan_forest->entry && !__pathspan_replant(0, __pathspan_forest->grid, __pathspan_forest->depth, 0)) __pathspan_stopped = 1;
}
