/* What files share that follow executions: what is under way, and who does what with it.
 * executions.c is told of the program's marks; executions.h has what they become. */
#ifndef PATHSPAN_FOLLOWING_H
#define PATHSPAN_FOLLOWING_H

#include "executions.h"
#include "library.h"

#include <string.h>

#define NONE (~(u32)0)
#define LOCK_REGION (__pathspan_region_count + 1) /* behind that of tasks */
#define STREAK_REGION (__pathspan_region_count + 2) /* and of streaks, a construct for each region */

/* A worksharing loop has two lanes: its iterations, in blocks of as many, a power of two,
 * the last of what is left; each ends with an execution of nothing (the region's construct behind its last); and
 * how many iterations there are, as work of the first kind, with as many executions of
 * nothing as a chunk has iterations. Once many were told of, a block is at least so much
 * work, as the kinds weigh, in the mean, so that telling of it costs little beside it. */
enum { MOST_BLOCKS = 512, MOST_TURNS = 8192 /* of a loop with locks */, TURNS = 32768 /* of all of them, but for the least of each */, LEAST_BLOCKS = 64, BLOCK_WORK = 100000, MOST_LOCKS = 8 /* of a block; others of an array count as these, and else are work */ };

/* A loop is told of in blocks whenever it is executed, up to FREE blocks in all; telling of
 * so many takes some hundredths of a second. From then on it is told of now and then: as soon
 * as it has executed BLOCK_PRICE instructions for each block of the last time, which takes a
 * few hundred. What it does in between is known in sum, and it is taken to have gone like
 * the time that was told of whose sum is nearest, with as many iterations. Where that is more
 * than NEAR cells of the grid away, the next time is told of. So works are exact, and only
 * how they lie within a loop is a sample. Each that was told of and went like a sample makes
 * the next come half as soon, up to SURE times in a row; where there are so many in a row, few
 * need be told of first. An execution costs as much as BESIDE blocks beside its own. */
enum { SAMPLES = 64, FREE = 1 << 16, FREE_IF_SURE = 1 << 10, SURE = 5, BLOCK_PRICE = 8000, BESIDE = 4, NEAR = 4 };
struct sample {
  u32 id, generation;     /* its entry, in the forest of a generation */
  u64 iterations, chunk;
  u32 cell;
  u64 count;              /* executions that went like it and are not in the entry yet */
  u64 sum[MOST_KINDS];    /* of their work */
};
enum { TAKES_LOCKS = 1, UPDATES = 2 };
struct often {            /* by construct */
  u64 told;               /* blocks */
  u32 samples;
  struct { u32 cell, sample; } found[SAMPLES]; /* which was nearest to a cell, since there is a new one */
  int always;             /* something is executed in its iterations */
  int locks;              /* they take locks, or update atomically */
  int wanted;             /* there was no sample for the last one */
  u32 sure;               /* how often in a row one that was told of went like a sample */
  u64 price;              /* instructions before the next is told of */
  u64 done;               /* since the last was */
  struct sample *granted; /* how executions go that may go by */
  u64 grant;              /* so many, of which __pathspan_expected says how many are left */
};

/* What was done under a lock in a block of iterations, and before it was taken. */
struct held {
  u32 lock;
  u64 times, work[MOST_KINDS], before[MOST_KINDS];
};

/* A region under way. */
struct frame {
  u32 region;
  u32 open;               /* the construct that has begun, or NONE */
  u32 last;               /* of a streak: the construct that it came to last */
  u32 sections, ended;    /* of it: how many, how many came to their end */
  u32 first_part, first_lane;
  int inside;             /* a section of it runs */
  int loop;               /* its only section is the iterations of a loop */
  int whole;              /* which are not told of in blocks */
  u32 nothing, of;        /* the entry that ends blocks, in the forest of a generation */
  u64 iterations, chunk, block; /* of the loop */
  u64 at, told;           /* iterations that are over, blocks that were told of */
  i64 period, around;     /* what the countdown began with, and what it was before */
  u32 begun;              /* the first part of that section's lane */
  u32 ordered;            /* the first part of those that pieces are made of: of that lane, or of a loop's block */
  u32 pieces;             /* how many of them are pieces */
  int tasks;              /* it holds tasks, whose order counts */
  u64 grain, grown;       /* of a lane with many parts: how many atomic updates are joined in a stretch, and are in the last */
  u32 stretch;            /* the first part of that */
  u32 locks;              /* of a loop: how many were taken in the block under way */
  u64 work[MOST_KINDS];   /* that it did since its last part */
  /* A new frame holds nothing up to here, and anything from here on. */
  u64 all[MOST_KINDS];    /* that a loop did */
  u64 alike[MOST_KINDS];  /* work that lies in the cells of its last part */
  u64 behind[MOST_KINDS]; /* the last lock, in the iterations of a block that took some */
  struct held held[MOST_LOCKS]; /* of those locks */
};

extern u64 __pathspan_metered[MOST_KINDS]; /* what was handed over and is not in a frame yet */
extern i64 __pathspan_iterations_left;
#define NEVER ((i64)1 << 62) /* more iterations than a loop has */

/* Constructs of tasks, behind one for each task of the program (profile/tasks.go). */
enum { UNDEFERRED, DEPENDENT, PIECE, WAITED, DEPENDED, BEGUN, ENDED, TASK_FORMS };

/* ---- following.c ---- */

extern struct forest __pathspan_forests[2];
extern struct forest *__pathspan_forest; /* always whole, since a signal may have it written */
extern struct frame __pathspan_frames[MOST_DEPTH];
extern u32 __pathspan_depth; /* of regions under way that are followed */
extern u64 __pathspan_deeper; /* regions under way inside those, which are not */
extern struct part *__pathspan_parts_under_way; /* of lanes under way, region by region */
extern u32 __pathspan_lane_parts[MOST_LANES]; /* how many parts each of those has that ended */
extern u32 __pathspan_parts_used, __pathspan_lane_count;
extern u16 *__pathspan_finer_blocks; /* by construct: blocks of its next loop, 0: not known */
extern struct often *__pathspan_often; /* by construct */
extern struct sample *__pathspan_samples; /* SAMPLES of each construct */
extern u32 __pathspan_generation; /* of the forest: entries have other numbers in another */
extern int __pathspan_stopped; /* for want of room: nothing more is kept */
extern u32 __pathspan_passed_over; /* loops under way that are not followed */
extern i64 __pathspan_before_passed_over;
extern volatile int __pathspan_changing; /* amid a change, in which a signal must change nothing */

static inline u32 form(u32 what) {
  const u32 *first = __pathspan_constructs + __pathspan_region_count;
  return first[1] - first[0] - 1 - TASK_FORMS + what;
}

static inline u32 kinds(void) { return &__pathspan_meter_count ? (u32)__pathspan_meter_count : 0; }

static inline int is_streak(const struct frame *f) { return f->region == STREAK_REGION; }

/* Sums of what is under way in a run are below 2^63, and 0 for kinds that there are not. */
static inline void add(u64 *to, const u64 *work) {
  for (u32 k = 0; k < MOST_KINDS; k++) to[k] += work[k];
}

static inline int is_nothing(const u64 *work) {
  u64 any = 0;
  for (u32 k = 0; k < MOST_KINDS; k++) any |= work[k];
  return any == 0;
}

/* Whether a frame tells how a task was created that it holds, and nothing else. */
static inline int wraps(const struct frame *f) {
  return f->region == __pathspan_region_count && f->open != NONE && f->open >= form(0);
}

/* Whether threads go on without waiting behind a construct of a region. */
static inline int has_streaks(u32 region) { return (__pathspan_traits[__pathspan_constructs[region + 1] - 1] & GOES_ON) != 0; }

static inline int is_loop(u32 region, u32 construct) {
  return region < __pathspan_region_count && construct < __pathspan_constructs[region + 1] - __pathspan_constructs[region] &&
         __pathspan_traits[__pathspan_constructs[region] + construct] & IS_LOOP;
}

void __pathspan_out_of_memory(void);
int __pathspan_executions_ready(void);
void __pathspan_renew_frame(struct frame *f, u32 region, u32 open);
struct frame *__pathspan_section_around(u32 n);
struct frame *__pathspan_holder_of(u32 n);
void __pathspan_add_work(struct frame *f, const u64 *work);
void __pathspan_pass_over(i64 around);
void __pathspan_end_passed_over(u32 left);
u32 __pathspan_most_depth(void);

/* ---- samples.c ---- */

void __pathspan_take_grant(u32 number);
void __pathspan_take_in_all(void);
u64 __pathspan_weigh(const u64 *work);
enum { ANY = ~0u }; /* of cells */
struct sample *__pathspan_nearest_sample(u32 number, u64 iterations, u64 chunk, u32 cell);
void __pathspan_remember_sample(const struct frame *f, u32 id);
u32 __pathspan_went_like(u32 region, u32 number, u64 iterations, u64 chunk, const u64 *work);

/* ---- room.c ---- */

int __pathspan_replant(const struct forest *other, u32 grid, u32 most, int keep);
int __pathspan_fit_forest(const struct forest *other, u32 grid, u32 most, int coarser);
void __pathspan_make_room(void);

/* ---- laneparts.c ---- */

u32 __pathspan_most_parts(const struct frame *f);
void __pathspan_end_part(struct frame *f, u32 child, u64 times);
void __pathspan_grow_stretch(struct frame *f);
void __pathspan_drop_construct(struct frame *f);
u32 __pathspan_without_lanes(struct frame *f, u32 region, u32 construct, u64 count);
void __pathspan_became_entry(struct frame *f, u32 id);
void __pathspan_join_construct(struct frame *f);

/* ---- streaks.c ---- */

int __pathspan_goes_on(u32 region, u32 from, u32 to);
void __pathspan_begin_streak(struct frame *f, u32 region);
void __pathspan_end_streak(struct frame *f);

/* ---- blocks.c ---- */

u64 __pathspan_blocks_by(const struct frame *f, u64 at);
void __pathspan_count_down(struct frame *f);
void __pathspan_begin_loop(struct frame *f, int whole);
int __pathspan_end_held(struct frame *f);
void __pathspan_end_blocks(struct frame *f, u64 blocks);
void __pathspan_take_turns(struct frame *f, int what);
void __pathspan_end_loop(struct frame *f);
void __pathspan_cut_loop(struct frame *f);
int __pathspan_end_whole(struct frame *f);

/* ---- tasklanes.c ---- */

void __pathspan_begin_lane(struct frame *f);
void __pathspan_begin_task(u32 construct);
void __pathspan_end_task(u32 construct);
void __pathspan_wait_for_tasks(u32 kind);

/* ---- heldlocks.c ---- */

struct held *__pathspan_held_of(struct frame *f, u32 lock);
static inline int __pathspan_is_update(const struct entry *e) {
  return e->region == LOCK_REGION && __pathspan_traits[__pathspan_constructs[LOCK_REGION] + e->construct] & IS_ATOMIC;
}
void __pathspan_release_lock(void);

/* ---- executions.c ---- */

int __pathspan_leave_to(u32 d);
void __pathspan_make_up(u64 word);

#endif
