/* What is under way of a program: regions, and the parts of their lanes (executions.c tells
 * of what comes). */
#include "following.h"

#include <stdlib.h>
#include <unistd.h>

struct forest __pathspan_forests[2];
struct forest *__pathspan_forest = __pathspan_forests;
struct frame __pathspan_frames[MOST_DEPTH];
u32 __pathspan_depth;
u64 __pathspan_deeper;
struct part *__pathspan_parts_under_way;
u32 __pathspan_lane_parts[MOST_LANES];
u32 __pathspan_parts_used, __pathspan_lane_count;
u16 *__pathspan_finer_blocks;
struct often *__pathspan_often;
struct sample *__pathspan_samples;
u32 __pathspan_generation = 1;
int __pathspan_stopped;
u32 __pathspan_passed_over;
i64 __pathspan_before_passed_over;
volatile int __pathspan_changing;
u64 __pathspan_metered[MOST_KINDS] __attribute__((aligned(16)));

/* What is left of a loop's iterations until its program tells of one, which it lowers. */
i64 __pathspan_iterations_left = NEVER;

static int has_locks(void) { return __pathspan_constructs[STREAK_REGION] > __pathspan_constructs[LOCK_REGION]; }
static u32 finest(void) { return form(0) || has_locks() ? FINER_GRID : FINEST_GRID; }

void __pathspan_out_of_memory(void) {
  static const char m[] = "pathspan: out of memory for executions\n";
  if (write(2, m, sizeof m - 1) < 0) abort();
  abort();
}

u32 __pathspan_grid(const struct forest *f, u32 region) {
  return region == LOCK_REGION || form(0) || f->grid < FINEST_GRID ? f->grid : FINEST_GRID;
}

int __pathspan_executions_ready(void) {
  if (__pathspan_forest->entry) return 1;
  if (!__pathspan_parts_under_way) __pathspan_parts_under_way = __pathspan_pages(MOST_PARTS * sizeof *__pathspan_parts_under_way);
  size_t n = __pathspan_constructs[__pathspan_region_count] + 1;
  if (!__pathspan_finer_blocks) __pathspan_finer_blocks = __pathspan_pages(n * sizeof *__pathspan_finer_blocks);
  if (!__pathspan_often) __pathspan_often = __pathspan_pages(n * sizeof *__pathspan_often);
  if (!__pathspan_samples) __pathspan_samples = __pathspan_pages(n * SAMPLES * sizeof *__pathspan_samples);
  return __pathspan_parts_under_way && __pathspan_finer_blocks && __pathspan_often && __pathspan_samples && __pathspan_forest_new(__pathspan_forest, kinds(), finest(), 0);
}

void __pathspan_renew_frame(struct frame *f, u32 region, u32 open) {
  memset(f, 0, offsetof(struct frame, all));
  f->region = region;
  f->open = open;
  f->first_part = f->begun = f->ordered = __pathspan_parts_used;
  f->first_lane = __pathspan_lane_count;
}

/* The innermost of the first n regions under way that runs a section, or 0. */
struct frame *__pathspan_section_around(u32 n) {
  while (n > 0)
    if (__pathspan_frames[--n].inside && !is_streak(&__pathspan_frames[n])) return &__pathspan_frames[n];
  return 0;
}

/* What the constructs of the nth region under way are parts of: its streak, or else the
 * section around it; 0 for none. */
struct frame *__pathspan_holder_of(u32 n) { return n > 0 && is_streak(&__pathspan_frames[n - 1]) ? &__pathspan_frames[n - 1] : __pathspan_section_around(n); }

void __pathspan_add_work(struct frame *f, const u64 *work) {
  if (f) add(f->work, work);
}

/* Lets a loop go unfollowed; the countdown around it is kept. */
void __pathspan_pass_over(i64 around) {
  __pathspan_passed_over++;
  __pathspan_before_passed_over = around;
  __pathspan_iterations_left = NEVER;
}

void __pathspan_end_passed_over(u32 left) {
  if (__pathspan_passed_over == 0) return;
  __pathspan_passed_over = left;
  if (left == 0) __pathspan_iterations_left = __pathspan_before_passed_over;
}

/* How many regions and tasks under way are followed. */
u32 __pathspan_most_depth(void) { return __pathspan_forest->depth ? __pathspan_forest->depth : MOST_DEPTH; }
