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
#define _GNU_SOURCE
#include "executions.h"
#include "quiet.h"
#include "tasks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* watch.c */
extern void __pathspan_watch(u64 event);
extern void __pathspan_meter_rest(void) __attribute__((weak)); /* of the program: adds what the meters hold */

enum { REGION_BEGIN = 1, REGION_END, SECTION_BEGIN, SECTION_END, ITERATION = 7, LOCK_TAKEN = 16, LOCK_RELEASED = 17 };
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
struct often {            /* by construct */
  u64 told;               /* blocks */
  u32 samples;
  struct { u32 cell, sample; } found[SAMPLES]; /* which was nearest to a cell, since there is a new one */
  int always;             /* something is executed in its iterations */
  int locks;              /* they take locks */
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
  u32 locks;              /* of a loop: how many were taken in the block under way */
  u64 work[MOST_KINDS];   /* that it did since its last part */
  /* A new frame holds nothing up to here, and anything from here on. */
  u64 all[MOST_KINDS];    /* that a loop did */
  u64 alike[MOST_KINDS];  /* work that lies in the cells of its last part */
  u64 behind[MOST_KINDS]; /* the last lock, in the iterations of a block that took some */
  struct held held[MOST_LOCKS]; /* of those locks */
};

static struct forest forests[2];
static struct forest *forest = forests;         /* always whole, since a signal may have it written */
static struct frame frames[MOST_DEPTH];
static u32 depth;                              /* of regions under way that are followed */
static u64 deeper;                             /* regions under way inside those, which are not */
static struct part *parts;                     /* of lanes under way, region by region */
static u32 lanes[MOST_LANES];                  /* how many parts each of those has that ended */
static u32 part_count, lane_count;
u64 __pathspan_metered[MOST_KINDS] __attribute__((aligned(16)));
static u16 *finer;                             /* by construct: blocks of its next loop, 0: not known */
static struct often *often;                    /* by construct */
static u64 turns;                              /* blocks that were told of loops with locks */
static struct sample *samples;                 /* SAMPLES of each construct */
static u32 generation = 1;                     /* of the forest: entries have other numbers in another */
static int stopped;                            /* for want of room: nothing more is kept */
static u32 passed_over;                        /* loops under way that are not followed */
static i64 before_passed_over;
static volatile int busy;                      /* amid a change, in which a signal must change nothing */

/* What is left of a loop's iterations until its program tells of one, which it lowers. */
static const i64 never = (i64)1 << 62;
i64 __pathspan_iterations_left = (i64)1 << 62;

static void out_of_memory(void) {
  static const char m[] = "pathspan: out of memory for executions\n";
  if (write(2, m, sizeof m - 1) < 0) abort();
  abort();
}

static u32 form(u32 what);
static int has_locks(void) { return __pathspan_constructs[STREAK_REGION] > __pathspan_constructs[LOCK_REGION]; }
static u32 finest(void) { return form(0) || has_locks() ? FINER_GRID : FINEST_GRID; }

u32 __pathspan_grid(const struct forest *f, u32 region) {
  return region == LOCK_REGION || form(0) || f->grid < FINEST_GRID ? f->grid : FINEST_GRID;
}

static u32 kinds(void) { return &__pathspan_meter_count ? (u32)__pathspan_meter_count : 0; }

static int ready(void) {
  if (forest->entry) return 1;
  if (!parts) parts = __pathspan_pages(MOST_PARTS * sizeof *parts);
  size_t n = __pathspan_constructs[__pathspan_region_count] + 1;
  if (!finer) finer = __pathspan_pages(n * sizeof *finer);
  if (!often) often = __pathspan_pages(n * sizeof *often);
  if (!samples) samples = __pathspan_pages(n * SAMPLES * sizeof *samples);
  return parts && finer && often && samples && __pathspan_forest_new(forest, kinds(), finest(), 0);
}

static void renew(struct frame *f, u32 region, u32 open) {
  memset(f, 0, offsetof(struct frame, all));
  f->region = region;
  f->open = open;
  f->first_part = f->begun = f->ordered = part_count;
  f->first_lane = lane_count;
}

static int is_streak(const struct frame *f) { return f->region == STREAK_REGION; }

/* The innermost of the first n regions under way that runs a section, or 0. */
static struct frame *around(u32 n) {
  while (n > 0)
    if (frames[--n].inside && !is_streak(&frames[n])) return &frames[n];
  return 0;
}

/* What the constructs of the nth region under way are parts of: its streak, or else the
 * section around it; 0 for none. */
static struct frame *holder(u32 n) { return n > 0 && is_streak(&frames[n - 1]) ? &frames[n - 1] : around(n); }

/* Sums of what is under way in a run are below 2^63, and 0 for kinds that there are not. */
static inline void add(u64 *to, const u64 *work) {
  for (u32 k = 0; k < MOST_KINDS; k++) to[k] += work[k];
}

static int is_nothing(const u64 *work) {
  u64 any = 0;
  for (u32 k = 0; k < MOST_KINDS; k++) any |= work[k];
  return any == 0;
}

static void add_work(struct frame *f, const u64 *work) {
  if (f) add(f->work, work);
}

/* ---- loops that are not followed ---- */

/* Lets a loop go unfollowed; the countdown around it is kept. */
static void pass_over(i64 around) {
  passed_over++;
  before_passed_over = around;
  __pathspan_iterations_left = never;
}

static void end_passed_over(u32 left) {
  if (passed_over == 0) return;
  passed_over = left;
  if (left == 0) __pathspan_iterations_left = before_passed_over;
}

/* Constructs of tasks, behind one for each task of the program (profile/tasks.go). */
enum { UNDEFERRED, DEPENDENT, PIECE, WAITED, DEPENDED, BEGUN, ENDED, TASK_FORMS };

static u32 form(u32 what) {
  const u32 *first = __pathspan_constructs + __pathspan_region_count;
  return first[1] - first[0] - 1 - TASK_FORMS + what;
}

/* Whether a frame tells how a task was created that it holds, and nothing else. */
static int wraps(const struct frame *f) {
  return f->region == __pathspan_region_count && f->open != NONE && f->open >= form(0);
}

/* ---- loops that are executed often ---- */

/* Adds to an entry what went like it: to each part of its iterations its share of the work. */
static void take_in(struct sample *s) {
  struct entry *e = &forest->entry[s->id];
  u32 iterations = forest->lane[e->lane];
  for (u32 k = 0; k < forest->kinds; k++) {
    unsigned __int128 before = 0, now = 0;
    u64 given = 0;
    for (u32 i = 0; i < iterations; i++) before += forest->part[e->part + i].sum[k];
    for (u32 i = 0; i < iterations; i++) {
      struct part *p = &forest->part[e->part + i];
      now += before ? p->sum[k] : 1;
      u64 end = (u64)(s->sum[k] / (double)(before ? before : iterations) * (double)now);
      if (i + 1 == iterations || end > s->sum[k]) end = s->sum[k];
      p->sum[k] = __pathspan_plus(p->sum[k], end - given);
      given = end;
    }
  }
  for (u32 i = 0; i < e->parts; i++) {
    struct part *p = &forest->part[e->part + i];
    if (i >= iterations) p->sum[0] = __pathspan_plus(p->sum[0], s->iterations * s->count);
    if (p->child) forest->entry[p->child - 1].count = __pathspan_plus(forest->entry[p->child - 1].count, p->times * s->count);
  }
  e->count = __pathspan_plus(e->count, s->count);
  memset(s->sum, 0, sizeof s->sum);
  s->count = 0;
}

/* Adds executions of as much work to the sample that they went like. Returns how many
 * instructions one of them was. */
static u64 went(struct often *o, struct sample *s, const u64 *work, u64 times) {
  u64 all = 0;
  for (u32 k = 0; k < forest->kinds; k++) {
    s->sum[k] = __pathspan_plus(s->sum[k], times * work[k]);
    all = __pathspan_plus(all, work[k]);
  }
  s->count += times;
  o->done = __pathspan_plus(o->done, times * all);
  return all;
}

/* Adds executions that went by to the sample that they went like. No more may until they
 * are granted again. */
static void take_grant(u32 number) {
  struct often *o = &often[number];
  if (!o->granted) return;
  struct expected *e = &__pathspan_expected[number];
  u64 times = o->grant - e->left;
  struct sample *s = o->granted;
  e->left = 0;
  o->granted = 0;
  if (times) went(o, s, e->work, times);
}

/* Lets executions of a loop go by that go like one, of so many instructions, that went like a
 * sample, until it is to be told of. */
static void grant(u32 number, struct sample *s, const u64 *work, u64 all) {
  struct often *o = &often[number];
  if (!__pathspan_expected || o->wanted || o->done >= o->price) return;
  o->granted = s;
  o->grant = (o->price - o->done) / (all + 1) + 1;
  __pathspan_expected[number] = (struct expected){.left = o->grant, .iterations = s->iterations, .chunk = s->chunk};
  memcpy(__pathspan_expected[number].work, work, forest->kinds * sizeof *work);
}

/* Sees to it that the forest holds all that was executed. */
static void take_in_all(void) {
  if (!samples || !forest->entry) return;
  for (u32 c = 0; c < __pathspan_constructs[__pathspan_region_count]; c++) {
    take_grant(c);
    for (u32 i = 0; i < often[c].samples; i++) {
      struct sample *s = &samples[(size_t)c * SAMPLES + i];
      if (s->generation == generation && s->count) take_in(s);
    }
  }
}

static u64 weigh(const u64 *work) {
  u64 all = 0;
  for (u32 k = 0; k < forest->kinds; k++) all = __pathspan_plus(all, work[k] * __pathspan_meter_weights[k]);
  return all;
}

static int alike(const struct sample *s, u64 iterations, u64 chunk) {
  return s->generation == generation && s->iterations == iterations && s->chunk == chunk;
}

/* The sample of as many iterations whose work is nearest, or for ANY work some; 0 where there
 * is none. */
enum { ANY = ~0u };
static struct sample *nearest(u32 number, u64 iterations, u64 chunk, u32 cell) {
  struct often *o = &often[number];
  struct sample *all = samples + (size_t)number * SAMPLES, *best = 0;
  u32 slot = cell % SAMPLES, least = ~(u32)0;
  if (o->found[slot].cell == cell + 1 && alike(&all[o->found[slot].sample], iterations, chunk)) return &all[o->found[slot].sample];
  for (u32 i = 0; i < o->samples; i++) {
    struct sample *s = &all[i];
    if (!alike(s, iterations, chunk)) continue;
    u32 off = s->cell < cell ? cell - s->cell : s->cell - cell;
    if (off >= least) continue;
    least = off;
    best = s;
  }
  if (best) {
    o->found[slot].cell = cell + 1;
    o->found[slot].sample = (u32)(best - all);
  }
  return best;
}

/* A place for a sample: one of an earlier forest, an unused one, or else each in turn. */
static struct sample *place(u32 number) {
  struct sample *all = samples + (size_t)number * SAMPLES;
  struct often *o = &often[number];
  memset(o->found, 0, sizeof o->found);
  for (u32 i = 0; i < o->samples; i++)
    if (all[i].generation != generation) return &all[i];
  struct sample *s = &all[o->samples < SAMPLES ? o->samples++ : o->told % SAMPLES];
  if (s->generation == generation && s->count) take_in(s);
  return s;
}

/* ---- room ---- */

/* Where the parts of a region under way end. */
static u32 end_of(u32 region) {
  for (u32 i = region + 1; i < depth; i++)
    if (frames[i].open != NONE) return frames[i].first_part;
  return part_count;
}

/* Where the block of a loop begins whose parts end there. */
static u32 block_of(const struct frame *f, u32 end) {
  for (; end > f->begun; end--) {
    u32 child = parts[end - 1].child;
    if (child && forest->entry[child - 1].sections == 0 && forest->entry[child - 1].region == f->region) break;
  }
  return end;
}

/* Sets what lanes under way hold to what became of it. Regions that are followed no more
 * become work of the lane around them. */
static void replace(struct planting *p, u32 most) {
  u32 to = 0;
  if (most < depth && is_streak(&frames[most - 1])) most--; /* what it holds is work */
  struct frame *last = around(most);
  for (u32 i = 0; i < depth; i++) {
    struct frame *f = &frames[i];
    if (f->open == NONE) continue;
    memset(f->alike, 0xff, sizeof f->alike);
    u32 from = f->first_part;
    u32 end = end_of(i);
    f->first_part = to;
    for (u32 l = 0; l < f->ended + (f->inside ? 1 : 0); l++) {
      u32 n = l < f->ended ? lanes[f->first_lane + l] : end - from;
      u32 first = to;
      for (; n > 0; n--, from++) {
        struct part part = parts[from];
        __pathspan_become(p, &part, 1, i);
        if (i < most) parts[to++] = part;
        else add_work(last, part.sum);
      }
      to = first + __pathspan_shorten(parts + first, to - first, forest->kinds, __pathspan_grid(forest, f->region), 1);
      if (l < f->ended) lanes[f->first_lane + l] = to - first;
      else {
        f->begun = first;
        f->ordered = f->loop ? block_of(f, to) : first;
        f->pieces = 0;
      }
    }
    if (i >= most && f->inside) {
      add_work(last, f->work);
      for (u32 h = 0; h < f->locks; h++) {
        add_work(last, f->held[h].work);
        add_work(last, f->held[h].before);
      }
      if (f->locks) add_work(last, f->behind);
    }
  }
  part_count = to;
  while (depth > most) {
    depth--;
    if (!wraps(&frames[depth]) && !is_streak(&frames[depth])) deeper++;
    if (frames[depth].open == NONE) continue;
    lane_count = frames[depth].first_lane;
    if (frames[depth].loop && frames[depth].inside) pass_over(frames[depth].around);
  }
}

/* Plants the forest, and another beside it where one is given, into one of a grid and a
 * depth. Where all but what lanes under way hold is forgotten, keep is 0. Returns 0 where
 * the new one passes a bound. */
static int replant(const struct forest *other, u32 grid, u32 most, int keep) {
  struct planting ours = {0}, theirs = {0};
  struct forest *to = forest == forests ? forests + 1 : forests;
  int cut = most && (most != forest->depth || (other && other->depth != most));
  u32 depths = cut ? most + 1 : 1;
  take_in_all();
  if (!__pathspan_forest_new(to, forest->kinds, grid, most)) return 0;
  int ok = __pathspan_planting_new(&ours, forest, depths);
  if (ok) {
    u64 *roots = __pathspan_forest_roots(forest);
    ok = roots != 0;
    for (u32 i = 0; ok && i < depth; i++) { /* what lanes under way hold has a place */
      if (frames[i].open == NONE) continue;
      u32 end = end_of(i);
      u32 d = cut ? (i + 1 < most ? i + 1 : most) : 0;
      for (u32 j = frames[i].first_part; j < end; j++) {
        if (parts[j].child == 0) continue;
        u32 c = parts[j].child - 1;
        ours.often[(size_t)c * depths + d] += parts[j].times;
        roots[c] -= parts[j].times < roots[c] ? parts[j].times : roots[c];
      }
    }
    for (u32 i = 0; ok && keep && i < forest->entries; i++) ours.often[(size_t)i * depths] = __pathspan_plus(ours.often[(size_t)i * depths], roots[i]);
    if (roots) munmap(roots, (forest->entries + 1) * sizeof *roots);
  }
  ok = ok && __pathspan_plant(&ours, to);
  if (ok && other) {
    u64 *roots = __pathspan_forest_roots(other);
    ok = roots && __pathspan_planting_new(&theirs, other, depths);
    for (u32 i = 0; ok && i < other->entries; i++) theirs.often[(size_t)i * depths] = roots[i];
    if (roots) munmap(roots, (other->entries + 1) * sizeof *roots);
    ok = ok && __pathspan_plant(&theirs, to);
  }
  if (ok) {
    struct forest *old = forest;
    forest = to;
    generation++;
    replace(&ours, most ? most : MOST_DEPTH);
    __pathspan_planting_free(&ours);
    __pathspan_forest_free(old);
  } else {
    __pathspan_planting_free(&ours);
    __pathspan_forest_free(to);
  }
  __pathspan_planting_free(&theirs);
  return ok;
}

/* Makes room: the finest coarser grid, or else the largest smaller depth, that holds what
 * there is, from those that are given. Returns 0 where none does. */
static int fit(const struct forest *other, u32 grid, u32 most, int coarser) {
  for (;; coarser = 1) {
    if (coarser) {
      if (grid > 0) grid /= 2;
      else if (most == 1) return 0;
      else if (most) most /= 2;
      else {
        u32 height = __pathspan_forest_height(forest);
        u32 others = other ? __pathspan_forest_height(other) : 0;
        most = (depth + (height > others ? height : others) + 1) / 2;
      }
    }
    if (replant(other, grid, most, 1)) return 1;
  }
}

static void make_room(void) {
  if (fit(0, forest->grid, forest->depth, 1)) return;
  stopped = 1;
  depth = 0;
}

/* ---- lanes ---- */

/* Joins the parts of a lane that execute the same entry, wherever they stand. */
static void gather(struct part *lane, u32 *n, u32 grid) {
  u32 out = 0;
  for (u32 i = 0; i < *n; i++) {
    u32 j = 0;
    while (j < out && lane[j].child != lane[i].child) j++;
    if (j == out) {
      lane[out++] = lane[i];
      continue;
    }
    for (u32 k = 0; k < forest->kinds; k++) lane[j].sum[k] = __pathspan_plus(lane[j].sum[k], lane[i].sum[k]);
    lane[j].times = lane[j].child ? __pathspan_plus(lane[j].times, lane[i].times) : 1;
  }
  for (u32 i = 0; i < out; i++) __pathspan_set_cells(&lane[i], forest->kinds, grid, 1);
  *n = out;
}

enum { PIECE_PARTS = MOST_LANE_PARTS / 2 };

/* Puts parts of a lane that holds tasks into an entry of their own, so that their order is
 * kept: those behind the pieces that there are, or all pieces where there are many. */
static void make_pieces(struct frame *f) {
  u32 number = (u32)(f - frames);
  memset(f->alike, 0xff, sizeof f->alike);
  for (;;) {
    u32 all = part_count - f->ordered;
    if (all < MOST_LANE_PARTS) return;
    u32 first = f->pieces < PIECE_PARTS ? f->pieces : 0;
    struct part *from = parts + f->ordered + first;
    u32 n = PIECE_PARTS;
    u32 id = __pathspan_forest_put(forest, __pathspan_region_count, form(PIECE), 1, &n, from);
    if (id == FULL) {
      make_room();
      if (stopped || depth <= number) return;
      continue;
    }
    struct part piece = {.child = id + 1, .times = 1};
    __pathspan_set_cells(&piece, forest->kinds, forest->grid, 1);
    if (first && from[-1].child == piece.child) {
      from[-1].times++;
      memmove(from, from + n, (all - first - n) * sizeof *from);
      part_count -= n;
    } else {
      *from = piece;
      memmove(from + 1, from + n, (all - first - n) * sizeof *from);
      part_count -= n - 1;
      f->pieces = first ? f->pieces + 1 : first == f->pieces ? 1 : f->pieces - n + 1;
    }
  }
}

static u32 most_parts(const struct frame *f) { return f->loop ? MOST_LOOP_PARTS : MOST_LANE_PARTS; }

/* Whether iterations of a loop take locks, or have ordered parts. */
static int takes_turns(const struct frame *f) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  return often[number].locks || __pathspan_traits[number] & IS_ORDERED;
}

/* The most blocks of a loop. Who waits for whom turns on single iterations, so those are more in
 * whose iterations locks are taken, while there is room. */
static u64 most_blocks(const struct frame *f) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  u64 most = finer[number] ? finer[number] : MOST_BLOCKS;
  if (!takes_turns(f)) return most;
  u64 room = turns < TURNS ? (TURNS - turns) / 4 : 0;
  return room > MOST_TURNS ? MOST_TURNS : room > LEAST_BLOCKS ? room : LEAST_BLOCKS;
}

/* How many iterations a block has where there are so many of them at most. */
static u64 block_for(const struct frame *f, u64 most) {
  u64 block = 1;
  while ((f->iterations - 1) / block >= most && f->iterations) block *= 2;
  return block;
}

/* Ends a part of the lane that a region goes on with: what it did since the last one, and
 * executions of an entry, so many in a row, or none. */
static void end_part(struct frame *f, u32 child, u64 times) {
  if (child && times == 1 && part_count > f->begun && parts[part_count - 1].child == child && memcmp(f->work, f->alike, sizeof f->work) == 0) {
    struct part *last = &parts[part_count - 1];
    last->times++;
    add(last->sum, f->work);
    memset(f->work, 0, sizeof f->work);
    return;
  }
  struct part *p = &parts[part_count];
  if (part_count > f->begun && p[-1].child == 0) {
    p = &parts[--part_count];
    add(p->sum, f->work);
  } else {
    memcpy(p->sum, f->work, sizeof p->sum);
  }
  p->child = child;
  p->times = times;
  memset(f->work, 0, sizeof f->work);
  __pathspan_set_cells(p, forest->kinds, __pathspan_grid(forest, f->region), 1);
  if (times == 1) memcpy(f->alike, p->sum, sizeof f->alike);
  else memset(f->alike, 0xff, sizeof f->alike);
  if (child && part_count > f->begun && p[-1].child == child && __pathspan_same_cells(p - 1, p)) {
    p[-1].times += times;
    add(p[-1].sum, p->sum);
    return;
  }
  part_count++;
  if (f->tasks && part_count - f->ordered >= MOST_LANE_PARTS) {
    make_pieces(f);
  } else if (part_count - f->begun == most_parts(f)) {
    u32 n = part_count - f->begun;
    gather(parts + f->begun, &n, __pathspan_grid(forest, f->region));
    memset(f->alike, 0xff, sizeof f->alike);
    part_count = f->begun + n;
    while (!stopped && depth > (u32)(f - frames) && part_count - f->begun > most_parts(f) / 2) make_room();
  }
  while (!stopped && part_count == MOST_PARTS) make_room();
}

/* Forgets the construct that a region has begun. */
static void drop(struct frame *f) {
  if (f->open == NONE) return;
  part_count = f->first_part;
  lane_count = f->first_lane;
  f->open = NONE;
  if (f->loop && f->inside) __pathspan_iterations_left = f->around;
  f->inside = 0;
}

/* Makes a sample of a loop that was told of. */
static void remember(const struct frame *f, u32 id) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  struct often *o = &often[number];
  u32 cell = __pathspan_cell(weigh(f->all), __pathspan_grid(forest, f->region));
  take_grant(number);
  struct sample *s = nearest(number, f->iterations, f->chunk, cell);
  o->sure = s && s->id == id ? o->sure + 1 : 0;
  if (!s || s->cell != cell) {
    s = place(number);
    *s = (struct sample){id, generation, f->iterations, f->chunk, cell, 0, {0}};
  } else if (s->id != id) {
    if (s->count) take_in(s);
    s->id = id;
  }
  o->told = __pathspan_plus(o->told, f->told + BESIDE);
  o->wanted = 0;
  o->done = 0;
  o->price = (f->told + BESIDE) * BLOCK_PRICE << (o->sure < SURE ? o->sure : SURE);
}

/* Notes as which entry the construct went that a region has begun. */
static void became(struct frame *f, u32 id) {
  u32 number = (u32)(f - frames);
  if (number > 0 && is_streak(f - 1)) f[-1].last = f->open;
  drop(f);
  if ((f = holder(number))) end_part(f, id + 1, 1);
}

/* Ends the construct that the innermost region has begun. */
static void join(struct frame *f) {
  u32 number = (u32)(f - frames);
  u32 id;
  while ((id = __pathspan_forest_put(forest, f->region, f->open, 1, lanes + f->first_lane, parts + f->first_part)) == FULL) {
    make_room();
    if (stopped || depth <= number) return;
  }
  if (f->loop && !f->whole) remember(f, id);
  became(f, id);
}

/* ---- streaks ---- */

/* Whether threads go on without waiting behind a construct of a region. */
static int has_streaks(u32 region) { return (__pathspan_traits[__pathspan_constructs[region + 1] - 1] & GOES_ON) != 0; }

/* Whether they go on from one of its constructs to another. */
static int goes_on(u32 region, u32 from, u32 to) {
  const u32 *of = __pathspan_traits + __pathspan_constructs[region];
  if (!(of[from] & GOES_ON)) return 0;
  for (u32 c = from < to ? from : to; c < (from < to ? to : from); c++)
    if (!(of[c] & WITH_NEXT)) return 0;
  return 1;
}

static void begin_streak(struct frame *f, u32 region) {
  renew(f, STREAK_REGION, region);
  f->sections = 1;
  f->inside = 1;
}

/* Ends a streak, above which nothing is under way. */
static void end_streak(struct frame *f) {
  u32 n = part_count - f->begun;
  if (n == 1 && parts[f->begun].times == 1) { /* a construct by itself */
    u32 child = parts[f->begun].child;
    drop(f);
    if (child && (f = around((u32)(f - frames)))) end_part(f, child, 1);
    return;
  }
  if (n == 0) {
    drop(f);
    return;
  }
  f->inside = 0;
  lanes[lane_count++] = n;
  f->ended = 1;
  join(f);
}

/* ---- loops ---- */

static int is_loop(u32 region, u32 construct) {
  return region < __pathspan_region_count && construct < __pathspan_constructs[region + 1] - __pathspan_constructs[region] &&
         __pathspan_traits[__pathspan_constructs[region] + construct] & IS_LOOP;
}

/* How many blocks of a loop are over with so many of its iterations. */
static u64 blocks_by(const struct frame *f, u64 at) {
  return at < f->iterations ? at / f->block : (f->iterations + f->block - 1) / f->block;
}

/* Sets the countdown to the next end of a block. */
static void count_down(struct frame *f) {
  u64 end = (f->told + 1) * f->block;
  f->period = end < f->iterations && end > f->at ? (i64)(end - f->at) : never;
  __pathspan_iterations_left = f->period;
}

static void begin_loop(struct frame *f, int whole) {
  f->locks = 0;
  u32 number = __pathspan_constructs[f->region] + f->open;
  u64 most = most_blocks(f);
  struct often *o = &often[number];
  f->iterations = &__pathspan_loop_iterations ? __pathspan_loop_iterations : 0;
  f->chunk = &__pathspan_loop_chunk ? __pathspan_loop_chunk : 0;
  take_grant(number);
  f->whole = whole || (o->told >= (o->sure < SURE ? FREE : FREE_IF_SURE) && o->done < o->price && !o->wanted && !o->always && nearest(number, f->iterations, f->chunk, ANY));
  if (f->whole) most = 1;
  f->block = block_for(f, most);
  f->at = f->told = 0;
  f->around = __pathspan_iterations_left;
  count_down(f);
}

/* The entry of a construct without lanes, or FULL where the frame is followed no more. */
static u32 without_lanes(struct frame *f, u32 region, u32 construct, u64 count) {
  u32 number = (u32)(f - frames);
  const struct part none = {0};
  u32 id, no_lane = 0;
  while ((id = __pathspan_forest_put(forest, region, construct, count, &no_lane, &none)) == FULL) {
    make_room();
    if (stopped || depth <= number) return FULL;
  }
  return id;
}

/* The entry of nothing, or FULL where the loop is followed no more. */
static u32 nothing(struct frame *f, u64 count) {
  if (f->of == generation) {
    forest->entry[f->nothing].count = __pathspan_plus(forest->entry[f->nothing].count, count);
    return f->nothing;
  }
  u32 id = without_lanes(f, f->region, __pathspan_constructs[f->region + 1] - __pathspan_constructs[f->region] - 1, count);
  if (id == FULL) return FULL;
  f->nothing = id;
  f->of = generation;
  return id;
}

/* Ends the block under way with what was done under each lock, in the order in which they were
 * taken first, but for what is behind the last. */
static int end_held(struct frame *f) {
  u32 number = (u32)(f - frames), one = 1, id;
  if (f->locks == 0) return 1;
  for (u32 k = 0; k < forest->kinds; k++) f->behind[k] = __pathspan_plus(f->behind[k], f->work[k]);
  for (u32 i = 0; i < f->locks; i++) {
    struct held *h = &f->held[i];
    u64 times = h->times;
    struct part p = {.times = 1};
    /* The entry's sums are over so many executions. */
    memcpy(p.sum, h->work, sizeof p.sum);
    __pathspan_set_cells(&p, forest->kinds, forest->grid, times);
    memset(f->work, 0, sizeof f->work);
    while ((id = __pathspan_forest_put(forest, LOCK_REGION, h->lock, times, &one, &p)) == FULL) {
      make_room();
      if (stopped || depth <= number) return 0;
    }
    memcpy(f->work, h->before, sizeof f->work);
    *h = (struct held){.lock = h->lock};
    end_part(f, id + 1, times);
    if (stopped || depth <= number) return 0;
  }
  memcpy(f->work, f->behind, sizeof f->work);
  f->locks = 0;
  return 1;
}

/* Adds a part to the last of a lane's block, from its first: to one of the same entry, if
 * there is one. */
static void merge_part(u32 first, u32 *n, struct part p) {
  u32 i = first;
  while (i < *n && parts[i].child != p.child) i++;
  if (i == *n) {
    parts[(*n)++] = p;
    return;
  }
  parts[i].times = __pathspan_plus(parts[i].times, p.times);
  for (u32 k = 0; k < forest->kinds; k++) parts[i].sum[k] = __pathspan_plus(parts[i].sum[k], p.sum[k]);
}

/* Makes one block of two in the lane of a loop of which an even number of blocks was told,
 * all ended by one entry: where locks leave many parts a block. */
static void double_blocks(struct frame *f, u32 end) {
  u32 to = f->begun, first = f->begun;
  int second = 0; /* a block waits for its other half */
  struct part last = {0};
  for (u32 i = f->begun; i < part_count; i++) {
    struct part p = parts[i];
    if (p.child != end) {
      merge_part(first, &to, p);
      continue;
    }
    while (p.times) {
      struct part one = p; /* blocks that are taken from those that follow each other */
      u64 take = second || p.times == 1 || to > first ? 1 : p.times / 2 * 2;
      for (u32 k = 0; k < forest->kinds; k++) {
        one.sum[k] = (u64)((unsigned __int128)p.sum[k] * take / p.times);
        p.sum[k] -= one.sum[k];
      }
      p.times -= take;
      one.times = take > 1 ? take / 2 : 1;
      if (take == 1 && !second) {
        last = one;
        second = 1;
        continue;
      }
      if (take == 1) {
        for (u32 k = 0; k < forest->kinds; k++) one.sum[k] = __pathspan_plus(one.sum[k], last.sum[k]);
        second = 0;
      }
      u32 grid = __pathspan_grid(forest, f->region);
      __pathspan_set_cells(&one, forest->kinds, grid, 1);
      for (u32 j = first; j < to; j++) __pathspan_set_cells(&parts[j], forest->kinds, grid, 1);
      parts[to++] = one;
      first = to;
    }
  }
  part_count = to;
  memset(f->alike, 0xff, sizeof f->alike);
  f->block *= 2;
  f->told /= 2;
}

/* Makes one piece of what the block under way executed, where that holds tasks. Returns 0 where
 * the loop is followed no more. */
static int end_ordered(struct frame *f) {
  u32 n, id, number = (u32)(f - frames);
  do {
    n = part_count - f->ordered;
    if (!f->tasks || n < 2) return 1;
    if ((id = __pathspan_forest_put(forest, __pathspan_region_count, form(PIECE), 1, &n, parts + f->ordered)) == FULL) make_room();
    if (stopped || depth <= number) return 0;
  } while (id == FULL);
  struct part piece = {.child = id + 1, .times = 1};
  __pathspan_set_cells(&piece, forest->kinds, forest->grid, 1);
  parts[f->ordered] = piece;
  part_count = f->ordered + 1;
  memset(f->alike, 0xff, sizeof f->alike);
  return 1;
}

/* Tells of the blocks that are over. */
static void end_blocks(struct frame *f, u64 blocks) {
  if (!end_held(f) || !end_ordered(f)) return;
  u32 id = nothing(f, blocks);
  if (id == FULL) return;
  f->told += blocks;
  end_part(f, id + 1, blocks);
  f->pieces = 0;
  f->ordered = part_count;
  if (!stopped && depth > (u32)(f - frames) && part_count - f->begun > most_parts(f) / 4 * 3 && f->told % 2 == 0) {
    double_blocks(f, id + 1);
    f->ordered = part_count;
  }
}

/* Makes the blocks of a loop smaller whose iterations take the first lock: those that were told of
 * are as many more. */
static void take_turns(struct frame *f) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  u64 before = f->block;
  f->at += (u64)(f->period - __pathspan_iterations_left); /* with the one under way */
  f->at -= f->at > 0;
  often[number].always = often[number].locks = 1;
  f->block = block_for(f, most_blocks(f));
  if (f->block > before) f->block = before;
  u64 more = before / f->block;
  for (u32 i = f->begun; more > 1 && f->told && i < part_count; i++) {
    struct part *p = &parts[i];
    if (f->of != generation || p->child != f->nothing + 1) continue;
    nothing(f, p->times * (more - 1));
    p->times *= more;
    __pathspan_set_cells(p, forest->kinds, __pathspan_grid(forest, f->region), 1);
  }
  f->told *= more;
  memset(f->alike, 0xff, sizeof f->alike);
  if (f->at / f->block > f->told) end_blocks(f, f->at / f->block - f->told);
  if (stopped || !f->inside) return;
  count_down(f);
  __pathspan_iterations_left--;
}

/* Ends the iterations of a loop that were executed: the blocks that were not told of.
 * Returns 0 where the loop is followed no more. */
static int end_iterations(struct frame *f) {
  f->at += (u64)(f->period - __pathspan_iterations_left);
  __pathspan_iterations_left = f->around;
  u64 over = blocks_by(f, f->at);
  end_blocks(f, over > f->told ? over - f->told : 1);
  return !stopped && depth > (u32)(f - frames);
}

/* Ends the lane of iterations and tells how many there are in the next. */
static void number_iterations(struct frame *f) {
  lanes[lane_count++] = part_count - f->begun;
  f->ended++;
  f->begun = f->ordered = part_count;
  u32 id = f->chunk ? nothing(f, f->chunk) : 0;
  if (id == FULL) return;
  f->work[0] = f->iterations;
  end_part(f, f->chunk ? id + 1 : 0, f->chunk ? f->chunk : 1);
}

static void end_loop(struct frame *f) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  if (!end_iterations(f)) return;
  if (takes_turns(f)) turns = __pathspan_plus(turns, f->told);
  memset(f->all, 0, sizeof f->all);
  for (u32 i = f->begun; i < part_count; i++) {
    add(f->all, parts[i].sum);
    if (parts[i].child && forest->entry[parts[i].child - 1].sections > 0) often[number].always = 1;
  }
  u64 work = weigh(f->all);
  u64 most = finer[number] ? finer[number] : MOST_BLOCKS;
  if (!f->whole && often[number].told > FREE / 4 && f->told > most / 2 && work / f->told < BLOCK_WORK && most > LEAST_BLOCKS) most /= 2;
  else if (!f->whole && work / f->told > 8 * BLOCK_WORK && most < MOST_BLOCKS) most *= 2;
  finer[number] = (u16)most;
  number_iterations(f);
}

/* Ends a loop that was left amid its iterations. Those that were not reached are blocks
 * without work, so that each iteration stays with the thread that has it. */
static void cut_loop(struct frame *f) {
  f->whole = 1; /* no sample of others */
  if (!end_iterations(f)) return;
  u64 blocks = blocks_by(f, f->iterations);
  if (blocks > f->told) end_blocks(f, blocks - f->told);
  if (!stopped && depth > (u32)(f - frames)) number_iterations(f);
}

/* Takes an execution of a loop to have gone like the nearest sample, and returns the entry of
 * that. FULL where there is no sample any more. */
static u32 went_like(u32 region, u32 number, u64 iterations, u64 chunk, const u64 *work) {
  struct often *o = &often[number];
  u32 grid = __pathspan_grid(forest, region), cell = __pathspan_cell(weigh(work), grid);
  take_grant(number);
  struct sample *s = nearest(number, iterations, chunk, cell);
  if (!s) return FULL;
  u32 near = NEAR * (grid > FINEST_GRID ? grid / FINEST_GRID : 1);
  o->wanted = s->cell > cell + near || cell > s->cell + near;
  grant(number, s, work, went(o, s, work, 1));
  return s->id;
}

/* Ends a loop that is known in sum. Returns 0 where there is no sample any more. */
static int end_whole(struct frame *f) {
  u32 id = went_like(f->region, __pathspan_constructs[f->region] + f->open, f->iterations, f->chunk, f->work);
  if (id == FULL) return 0;
  __pathspan_iterations_left = f->around;
  f->inside = 0;
  became(f, id);
  return 1;
}

/* ---- sections ---- */

/* Ends the construct that the innermost region has begun where that was left before its
 * end. */
static void cut(struct frame *f) {
  u32 number = (u32)(f - frames);
  if (f->open == NONE) return;
  if (is_streak(f)) {
    end_streak(f);
    return;
  }
  if (f->inside) {
    if (f->loop) cut_loop(f);
    else end_part(f, 0, 1);
    if (stopped || depth <= number) return;
    f->inside = 0;
    lanes[lane_count++] = part_count - f->begun;
    f->ended++;
  }
  for (; f->ended < f->sections; f->ended++) lanes[lane_count++] = 0;
  join(f);
}

/* Ends what a jump or an exception left: all but so many regions under way. Returns 0 where
 * those are not followed any more. */
static int leave_to(u32 d) {
  while (!stopped && depth > d) {
    cut(&frames[depth - 1]);
    if (!stopped && depth > d) depth--;
  }
  if (stopped) return 0;
  deeper = d - depth; /* what there was no room for */
  if (deeper == 0) end_passed_over(0);
  return deeper == 0;
}

/* How many regions are under way up to the innermost of a number, 0 for none. */
static u32 up_to(u32 region) {
  u32 d = depth;
  while (d > 0 && frames[d - 1].region != region) d--;
  return d;
}

/* Ends what lies inside the innermost region of a number. Returns 0 where there is none. */
static int leave(u32 region) {
  u32 d = up_to(region);
  return d > 0 && (depth == d || leave_to(d));
}

/* An iteration begins that the countdown asked for, one of so many that go together. */
static void iteration(u32 region, u64 step) {
  struct frame *f = !deeper && leave(region) ? &frames[depth - 1] : 0;
  if (!f || !f->loop || !f->inside) {
    __pathspan_iterations_left = never;
    return;
  }
  f->at += (u64)(f->period - (__pathspan_iterations_left + (i64)step));
  u64 over = blocks_by(f, f->at);
  if (over > f->told) {
    end_blocks(f, over - f->told);
    if (stopped || depth <= (u32)(f - frames)) return;
  } else if (f->locks) {
    for (u32 k = 0; k < forest->kinds; k++) f->behind[k] = __pathspan_plus(f->behind[k], f->work[k]);
    memset(f->work, 0, sizeof f->work);
  }
  count_down(f);
  __pathspan_iterations_left -= (i64)step;
}

static void begin_lane(struct frame *f) {
  f->inside = 1;
  f->begun = f->ordered = part_count;
  f->pieces = 0;
  f->tasks = 0;
  memset(f->work, 0, sizeof f->work);
}

static void begin_section(u32 region, u32 construct, u32 index, int whole) {
  if (!leave(region)) return;
  struct frame *f = &frames[depth - 1];
  if (f->open != construct || f->inside || f->ended != index) {
    cut(f);
    if (stopped || depth <= (u32)(f - frames)) return;
    if (index != 0 || region >= __pathspan_region_count) return;
    u32 first = __pathspan_constructs[region];
    if (construct >= __pathspan_constructs[region + 1] - first) return;
    f->sections = __pathspan_sections[first + construct];
    if (f->sections > MOST_SECTIONS || lane_count + f->sections > MOST_LANES) return;
    if (f > frames && is_streak(f - 1) && part_count > f[-1].begun && !goes_on(region, f[-1].last, construct)) {
      end_streak(f - 1);
      if (stopped || depth <= (u32)(f - frames)) return;
      begin_streak(f - 1, region);
    }
    f->open = construct;
    f->loop = is_loop(region, construct);
    f->ended = 0;
    f->first_part = part_count;
    f->first_lane = lane_count;
  }
  begin_lane(f);
  if (f->loop) begin_loop(f, whole);
}

static void end_section(u32 region, u32 construct, u32 index) {
  if (!leave(region)) return;
  struct frame *f = &frames[depth - 1];
  if (f->open != construct || !f->inside || f->ended != index) {
    drop(f);
    return;
  }
  if (f->loop && f->whole && part_count == f->begun && f->locks == 0 && end_whole(f)) return;
  int idle = part_count > f->begun && is_nothing(f->work);
  if (f->loop) end_loop(f);
  else if (!idle) end_part(f, 0, 1);
  if (stopped || depth <= (u32)(f - frames)) return;
  f->inside = 0;
  lanes[lane_count++] = part_count - f->begun;
  if (++f->ended == f->sections) join(f);
}

/* ---- tasks ---- */

/* Begins a task, or what tells how it was created, as a lane of its own. */
static struct frame *push_task(u32 construct, u32 sections) {
  struct frame *f = &frames[depth++];
  renew(f, __pathspan_region_count, construct);
  f->sections = sections;
  begin_lane(f);
  f->tasks = construct >= form(0);
  return f;
}

/* Ends the lane of the innermost frame, which is the last of its construct. Returns 0 where
 * it is followed no more. */
static int end_task_lane(struct frame *f) {
  int idle = part_count > f->begun && is_nothing(f->work);
  u32 number = (u32)(f - frames);
  if (!idle) end_part(f, 0, 1);
  if (stopped || depth <= number) return 0;
  f->inside = 0;
  lanes[lane_count++] = part_count - f->begun;
  f->ended++;
  join(f);
  if (stopped || depth <= number) return 0;
  depth = number;
  return 1;
}

/* Ends frames that tell how a task was created that has ended. */
static void end_wrapping(void) {
  while (depth && wraps(&frames[depth - 1]))
    if (!end_task_lane(&frames[depth - 1])) return;
}

/* Puts a part that executes so often what has no lanes. Returns 0 where the frame is
 * followed no more. */
static int put_without_lanes(struct frame *f, u32 what, u64 times) {
  static u32 known[TASK_FORMS + 1], of[TASK_FORMS + 1]; /* entries, in the forest of a generation */
  u32 number = (u32)(f - frames);
  if (of[what] == generation) {
    u64 *count = &forest->entry[known[what]].count;
    *count = __pathspan_plus(*count, times);
  } else {
    u32 id = without_lanes(f, __pathspan_region_count, form(what), times);
    if (id == FULL) return 0;
    known[what] = id;
    of[what] = generation;
  }
  end_part(f, known[what] + 1, times);
  return !stopped && depth > number;
}

/* Begins a frame of two lanes: for which elder siblings a task waits, and what waits. The
 * first has, for each of them, as many executions of nothing as it is created before the one
 * told before it, and one of a wait. */
static struct frame *push_dependent(const struct spawn *s) {
  struct frame *f = push_task(form(DEPENDENT), 2);
  for (u32 i = 0, before = 0; i < s->waits; before = s->distance[i++])
    if (!put_without_lanes(f, TASK_FORMS, s->distance[i] - before) || !put_without_lanes(f, WAITED, 1)) return 0;
  lanes[lane_count++] = part_count - f->begun;
  f->ended = 1;
  begin_lane(f);
  f->tasks = 1;
  return f;
}

/* Notes that a lane holds tasks, so that order counts from now on: what was done under locks in
 * the block of a loop comes first. Returns 0 where the frame is followed no more. */
static int begin_order(struct frame *f) {
  f->tasks = 1;
  return end_held(f);
}

/* How many regions and tasks under way are followed. */
static u32 most_depth(void) { return forest->depth ? forest->depth : MOST_DEPTH; }

static int has_room(u32 levels) { return !deeper && depth + levels <= most_depth() && lane_count + 2 * levels <= MOST_LANES; }

static void begin_task(u32 construct) {
  const struct spawn *s = __pathspan_task_begins();
  if (!s) return;
  if (!has_room(1 + (s->undeferred != 0) + (s->waits > 0))) {
    deeper++;
    forest->depth = most_depth();
    return;
  }
  struct frame *f = depth ? &frames[depth - 1] : 0;
  if (!f || !f->inside || f->region == LOCK_REGION) { /* nothing around it is followed, or it is work under a lock */
    renew(&frames[depth++], __pathspan_region_count, NONE);
    return;
  }
  if (!begin_order(f)) return;
  if (s->undeferred) push_task(form(UNDEFERRED), 1);
  else if (s->waits && !push_dependent(s)) return;
  push_task(construct, 1);
}

static void end_task(u32 construct) {
  if (!__pathspan_task_ends()) return;
  if (deeper) {
    if (--deeper == 0) {
      end_passed_over(0);
      end_wrapping();
    }
    return;
  }
  u32 d = depth; /* a jump left what is above the innermost task */
  while (d > 0 && (frames[d - 1].region != __pathspan_region_count || (frames[d - 1].open != construct && frames[d - 1].open != NONE))) d--;
  if (d == 0) return;
  if (depth > d && !leave_to(d)) return;
  if (frames[d - 1].open == NONE) depth--;
  else if (end_task_lane(&frames[d - 1])) end_wrapping();
}

/* A taskwait, or the begin or end of a taskgroup. */
static void wait_for_tasks(u32 kind) {
  const struct spawn *s = __pathspan_task_waits();
  struct frame *f = depth ? &frames[depth - 1] : 0;
  if (!s || deeper || !f || !f->inside || f->region == LOCK_REGION) return;
  if (!begin_order(f)) return;
  if (kind != TASK_WAIT || !s->undeferred) {
    put_without_lanes(f, kind == TASK_WAIT ? WAITED : kind == GROUP_BEGIN ? BEGUN : ENDED, 1);
  } else if (s->waits && has_room(1) && (f = push_dependent(s)) && put_without_lanes(f, DEPENDED, 1)) {
    end_wrapping();
  }
}

/* ---- marks that are put off ---- */

#define KIND(WORD) ((u32)((WORD) >> 56))
#define REGION(WORD) ((u32)((WORD) >> 32) & 0xffffff)
#define CONSTRUCT(WORD) ((u32)((WORD) >> 16) & 0xffff)
#define EVENT(OF, REGION) ((u64)(OF) << 56 | (u64)(REGION) << 32)

/* Makes up for marks that were put off, before a mark is told, or 0 where it is no mark. */
static void make_up(u64 word) {
  u64 last = __pathspan_shown.put_off;
  u64 work[MOST_KINDS];
  if (last == 0) return;
  __pathspan_shown.put_off = 0;
  memcpy(work, __pathspan_metered, sizeof work);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  if (depth && (last == NONE_YET || frames[0].region != REGION(last))) __pathspan_watch(EVENT(REGION_END, frames[--depth].region));
  if (last == NONE_YET) return; /* work outside of all sections is nobody's */
  if (depth == 0) {
    renew(&frames[depth++], REGION(last), NONE);
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
  if (stopped || deeper) return;
  if (depth == 0) __pathspan_shown.put_off = NONE_YET;
  else if (frames[0].open == NONE && frames[0].region < __pathspan_region_count && !has_streaks(frames[0].region)) __pathspan_shown.put_off = EVENT(REGION_BEGIN, frames[0].region);
}

/* An execution of a loop ends whose begin was put off. Returns 0 where it is to be made up for. */
static int went_by(u64 word) {
  u64 begin = word - EVENT(1, 0);
  if (KIND(word) != SECTION_END || __pathspan_shown.put_off != begin) return 0;
  u32 number = __pathspan_constructs[REGION(word)] + CONSTRUCT(word);
  const struct expected *e = &__pathspan_expected[number];
  if (went_like(REGION(word), number, e->iterations, e->chunk, __pathspan_metered) == FULL) return 0;
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  __pathspan_shown.put_off = EVENT(REGION_BEGIN, REGION(word));
  return 1;
}

/* ---- locks ---- */

/* Begins what is done under a lock in a section. It is followed as a section of its own. */
static void take(u32 lock) {
  if (!deeper && (depth == 0 || !frames[depth - 1].inside)) return;
  if (deeper || depth >= most_depth() || lane_count + 1 > MOST_LANES) {
    deeper++; /* whose end is waited for */
    forest->depth = most_depth();
    return;
  }
  struct frame *f = &frames[depth - 1];
  if (f->loop && !f->tasks && !often[__pathspan_constructs[f->region] + f->open].locks) {
    u32 number = depth;
    take_turns(f);
    if (stopped || depth < number) return;
  }
  f = &frames[depth++];
  renew(f, LOCK_REGION, lock);
  f->sections = 1;
  f->inside = 1;
}

/* What was held of a lock in the block under way, 0 where there is no room. Of an array one that
 * was held stands for others then. */
static struct held *held_of(struct frame *f, u32 lock) {
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
static void release(void) {
  if (deeper) {
    if (--deeper == 0) end_passed_over(0);
    return;
  }
  if (depth < 2 || frames[depth - 1].region != LOCK_REGION) return;
  struct frame *f = &frames[depth - 1];
  struct frame *to = f - 1;
  if (to->loop && !to->tasks && part_count == f->begun) {
    struct held *h = held_of(to, f->open);
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
    } else add_work(to, f->work);
    drop(f);
    depth--;
    return;
  }
  if (to->region == LOCK_REGION && to[-1].loop && !to[-1].tasks && part_count == f->begun) {
    add_work(to, f->work); /* locks within locks are told in lanes alone whose order counts */
    drop(f);
    depth--;
    return;
  }
  int idle = part_count > f->begun && is_nothing(f->work);
  u32 number = depth - 1;
  if (!idle) end_part(f, 0, 1);
  if (stopped || depth <= number) return;
  f->inside = 0;
  lanes[lane_count++] = part_count - f->begun;
  f->ended = 1;
  join(f);
  if (stopped || depth <= number) return;
  depth = number;
}

/* Which lock an address is: one of the name under which it was taken first. Where there are more
 * than numbers, they share these in turn. */
static u32 lock_at(u32 lock, u64 address) {
  enum { SLOTS = 1 << 16, MOST_NAMES = 4096, NUMBERS = LOCKS_OF_ONE - 1 };
  static u64 known[SLOTS], first;
  static u32 number[SLOTS], all, of[MOST_NAMES]; /* how many addresses a name has */
  if (address == 0 || lock >= MOST_NAMES) return lock * LOCKS_OF_ONE;
  if (!first) first = address; /* what is told does not hang on where the program lies */
  u64 slot = ((address - first) >> 3) * 0x9e3779b97f4a7c15u >> 48;
  for (; known[slot]; slot = (slot + 1) % SLOTS)
    if (known[slot] == address) return number[slot];
  u32 n = lock * LOCKS_OF_ONE + (all < SLOTS / 2 ? of[lock]++ : (u32)slot) % NUMBERS;
  if (all < SLOTS / 2) {
    all++;
    known[slot] = address;
    number[slot] = n;
  }
  return n;
}

void __pathspan_lock_taken(u64 word, u64 address) {
  busy = 1;
  make_up(0);
  if (kinds() == 0 || stopped || depth == 0) {
    memset(__pathspan_metered, 0, sizeof __pathspan_metered);
    busy = 0;
    return;
  }
  add_work(around(depth), __pathspan_metered);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  take(lock_at((u32)(word >> 32) & 0xffffff, address));
  busy = 0;
}

/* ---- the program's calls ---- */

static void mark(u64 word) {
  u32 kind = KIND(word);
  u32 region = REGION(word);
  u32 construct = CONSTRUCT(word);
  u32 index = (u32)word & 0xffff;
  if (!forest->entry && !ready()) out_of_memory();
  add_work(around(depth), __pathspan_metered);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  if (kind == LOCK_RELEASED) {
    release();
  } else if (kind == REGION_BEGIN) {
    if (deeper == 0 && depth && !frames[depth - 1].inside) cut(&frames[depth - 1]);
    if (stopped) return;
    int streak = region < __pathspan_region_count && has_streaks(region);
    if (deeper || depth + (u32)streak >= most_depth()) {
      deeper++;
      forest->depth = most_depth();
      return;
    }
    if (streak) begin_streak(&frames[depth++], region);
    renew(&frames[depth++], region, NONE);
  } else if (kind == REGION_END) {
    if (deeper) {
      if (--deeper == 0) end_passed_over(0);
      return;
    }
    u32 d = up_to(region);
    if (d) leave_to(d > 1 && is_streak(&frames[d - 2]) ? d - 2 : d - 1);
    else while (depth) drop(&frames[--depth]); /* left by a jump: what is known is stale */
  } else if (kind == ITERATION) {
    iteration(region, index);
  } else if (kind == TASK_BEGIN) {
    begin_task(construct);
  } else if (kind == TASK_END) {
    end_task(construct);
  } else if (kind >= TASK_WAIT && kind <= GROUP_END) {
    wait_for_tasks(kind);
  } else if (deeper && is_loop(region, construct)) {
    if (kind == SECTION_BEGIN) pass_over(passed_over ? before_passed_over : __pathspan_iterations_left);
    else end_passed_over(passed_over - 1);
  } else if (deeper == 0 && kind == SECTION_BEGIN) {
    begin_section(region, construct, index, 0);
  } else if (deeper == 0 && kind == SECTION_END) {
    end_section(region, construct, index);
  }
}

void __pathspan_meter_mark(u64 word) {
  if (kinds() == 0 || stopped) {
    __pathspan_watch(word);
    return;
  }
  busy = 1;
  if (!__pathspan_shown.put_off || !went_by(word)) {
    if (__pathspan_shown.put_off) make_up(word);
    if (KIND(word) <= SECTION_END) __pathspan_watch(word); /* of others it shows nothing */
    mark(word);
    if (depth <= 1) put_off();
  }
  busy = 0;
}

/* ---- the profile ---- */

/* Ends what is under way, since the program has come to its end. */
void __pathspan_end_executions(void) {
  if (busy || stopped || !forest->entry) return;
  if (&__pathspan_meter_rest) __pathspan_meter_rest();
  make_up(0);
  add_work(around(depth), __pathspan_metered);
  memset(__pathspan_metered, 0, sizeof __pathspan_metered);
  deeper = 0;
  leave_to(0);
}

/* Starts anew in a child of fork, but for what executions hold that are under way. */
void __pathspan_forget_executions(void) {
  make_up(0);
  if (forest->entry && !replant(0, forest->grid, forest->depth, 0)) stopped = 1;
}

/* Reads the entries of an earlier run, as __pathspan_put_executions wrote them, into a
 * forest-> Returns 0 where there is no memory or they cannot be. */
static int read_entries(struct forest *f, const u64 *at) {
  static u32 lane[MOST_SECTIONS];
  u32 entries = (u32)at[3];
  if (at[0] != kinds() || !__pathspan_forest_new(f, (u32)at[0], (u32)at[1], (u32)at[2])) return 0;
  struct part *read = __pathspan_pages(MOST_PARTS * sizeof *read);
  u32 *became = __pathspan_pages(MOST_ENTRIES * sizeof *became);
  u32 done = 0;
  int ok = read && became && at[3] <= MOST_ENTRIES;
  at += 5;
  for (u32 i = 0; ok && i < entries; i++) {
    u64 region = at[0], construct = at[1], sections = at[2], count = at[3];
    if (region > STREAK_REGION || construct >= __pathspan_constructs[region + 1] - __pathspan_constructs[region]) break;
    if (sections != __pathspan_sections[__pathspan_constructs[region] + construct] || sections > MOST_SECTIONS || count == 0) break;
    u32 n = 0;
    at += 5;
    for (u32 s = 0; s < sections; s++) {
      u64 end = n + *at;
      if (end > MOST_PARTS) goto wrong;
      lane[s] = (u32)*at++;
      for (; n < end; n++) {
        struct part *p = &read[n];
        *p = (struct part){.child = (u32)at[0], .times = at[1]};
        if (at[0] > i || at[1] == 0) goto wrong;
        if (at[0]) p->child = became[at[0] - 1] + 1;
        at += 2;
        for (u32 k = 0; k < f->kinds; k++) p->sum[k] = *at++;
        __pathspan_set_cells(p, f->kinds, __pathspan_grid(f, (u32)region), count);
      }
    }
    if ((became[i] = __pathspan_forest_put(f, (u32)region, (u32)construct, count, lane, read)) == FULL) break;
    done++;
  }
wrong:
  if (read) munmap(read, MOST_PARTS * sizeof *read);
  if (became) munmap(became, MOST_ENTRIES * sizeof *became);
  if (ok && done == entries) return 1;
  __pathspan_forest_free(f);
  return 0;
}

/* Adds the executions of earlier runs. Returns 0 where there is no memory. */
int __pathspan_add_executions(const u64 *earlier) {
  struct forest other;
  if (earlier[3] == 0) return 1;
  if (!ready()) return 0;
  while (depth) drop(&frames[--depth]);
  deeper = 0;
  if (!read_entries(&other, earlier)) return 0;
  u32 grid = other.grid < forest->grid ? other.grid : forest->grid;
  u32 most = forest->depth;
  if (other.depth && (most == 0 || other.depth < most)) most = other.depth;
  int ok = fit(&other, grid, most, 0);
  __pathspan_forest_free(&other);
  return ok;
}

/* Hands over every entry, as raw.def says. Returns 0 where there is no memory. */
int __pathspan_put_executions(void (*put)(u64)) {
  take_in_all();
  u32 part = 0;
  u64 *roots = forest->entry ? __pathspan_forest_roots(forest) : 0;
  u32 entries = forest->entry ? forest->entries : 0;
  if (forest->entry && !roots) return 0;
  for (u32 i = 0; i < entries; i++) part += forest->entry[i].parts;
  put(forest->entry ? forest->kinds : kinds());
  put(forest->entry ? forest->grid : FINEST_GRID);
  put(forest->depth);
  put(entries);
  put(part);
  for (u32 i = 0; i < entries; i++) {
    const struct entry *e = &forest->entry[i];
    put(e->region);
    put(e->construct);
    put(e->sections);
    put(e->count);
    put(roots[i]);
    part = e->part;
    for (u32 s = 0; s < e->sections; s++) {
      u32 n = forest->lane[e->lane + s];
      put(n);
      for (u32 end = part + n; part < end; part++) {
        const struct part *p = &forest->part[part];
        put(p->child);
        put(p->times);
        for (u32 k = 0; k < forest->kinds; k++) put(p->sum[k]);
      }
    }
  }
  return 1;
}
