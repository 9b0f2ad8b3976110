/* The iterations of worksharing loops, in blocks. */
#include "following.h"

static u64 turns[2]; /* blocks that were told of loops with locks, and of those with nothing but atomic updates */

/* The blocks that loops took so far which wait as this does: 0 where its iterations take no locks,
 * have no ordered parts, and update nothing. */
static u64 *turns_of(const struct frame *f) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  if (__pathspan_often[number].locks & TAKES_LOCKS || __pathspan_traits[number] & IS_ORDERED) return &turns[0];
  return __pathspan_often[number].locks ? &turns[1] : 0;
}

/* The most blocks of a loop. Who waits for whom turns on single iterations, so those are more in
 * whose iterations locks are taken, while there is room. */
static u64 most_blocks(const struct frame *f) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  u64 most = __pathspan_finer_blocks[number] ? __pathspan_finer_blocks[number] : MOST_BLOCKS;
  const u64 *taken = turns_of(f);
  if (!taken) return most;
  u64 room = *taken < TURNS ? (TURNS - *taken) / 4 : 0;
  return room > MOST_TURNS ? MOST_TURNS : room > LEAST_BLOCKS ? room : LEAST_BLOCKS;
}

/* How many iterations a block has where there are so many of them at most. */
static u64 block_for(const struct frame *f, u64 most) {
  u64 block = 1;
  while ((f->iterations - 1) / block >= most && f->iterations) block *= 2;
  return block;
}

/* How many blocks of a loop are over with so many of its iterations. */
u64 __pathspan_blocks_by(const struct frame *f, u64 at) {
  return at < f->iterations ? at / f->block : (f->iterations + f->block - 1) / f->block;
}

/* Sets the countdown to the next end of a block. */
void __pathspan_count_down(struct frame *f) {
  u64 end = (f->told + 1) * f->block;
  f->period = end < f->iterations && end > f->at ? (i64)(end - f->at) : NEVER;
  __pathspan_iterations_left = f->period;
}

void __pathspan_begin_loop(struct frame *f, int whole) {
  f->locks = 0;
  u32 number = __pathspan_constructs[f->region] + f->open;
  u64 most = most_blocks(f);
  struct often *o = &__pathspan_often[number];
  f->iterations = &__pathspan_loop_iterations ? __pathspan_loop_iterations : 0;
  f->chunk = &__pathspan_loop_chunk ? __pathspan_loop_chunk : 0;
  __pathspan_take_grant(number);
  f->whole = whole || (o->told >= (o->sure < SURE ? FREE : FREE_IF_SURE) && o->done < o->price && !o->wanted && !o->always && __pathspan_nearest_sample(number, f->iterations, f->chunk, ANY));
  if (f->whole) most = 1;
  f->block = block_for(f, most);
  f->at = f->told = 0;
  f->around = __pathspan_iterations_left;
  __pathspan_count_down(f);
}

/* The entry of nothing, or FULL where the loop is followed no more. */
static u32 nothing(struct frame *f, u64 count) {
  if (f->of == __pathspan_generation) {
    __pathspan_forest->entry[f->nothing].count = __pathspan_plus(__pathspan_forest->entry[f->nothing].count, count);
    return f->nothing;
  }
  u32 id = __pathspan_without_lanes(f, f->region, __pathspan_constructs[f->region + 1] - __pathspan_constructs[f->region] - 1, count);
  if (id == FULL) return FULL;
  f->nothing = id;
  f->of = __pathspan_generation;
  return id;
}

/* Ends the block under way with what was done under each lock, in the order in which they were
 * taken first, but for what is behind the last. */
int __pathspan_end_held(struct frame *f) {
  u32 number = (u32)(f - __pathspan_frames), one = 1, id;
  if (f->locks == 0) return 1;
  for (u32 k = 0; k < __pathspan_forest->kinds; k++) f->behind[k] = __pathspan_plus(f->behind[k], f->work[k]);
  for (u32 i = 0; i < f->locks; i++) {
    struct held *h = &f->held[i];
    u64 times = h->times;
    struct part p = {.times = 1};
    /* The entry's sums are over so many executions. */
    memcpy(p.sum, h->work, sizeof p.sum);
    __pathspan_set_cells(&p, __pathspan_forest->kinds, __pathspan_forest->grid, times);
    memset(f->work, 0, sizeof f->work);
    while ((id = __pathspan_forest_put(__pathspan_forest, LOCK_REGION, h->lock, times, &one, &p)) == FULL) {
      __pathspan_make_room();
      if (__pathspan_stopped || __pathspan_depth <= number) return 0;
    }
    memcpy(f->work, h->before, sizeof f->work);
    *h = (struct held){.lock = h->lock};
    __pathspan_end_part(f, id + 1, times);
    if (__pathspan_stopped || __pathspan_depth <= number) return 0;
  }
  memcpy(f->work, f->behind, sizeof f->work);
  f->locks = 0;
  return 1;
}

/* Adds a part to the last of a lane's block, from its first: to one of the same entry, if
 * there is one. */
static void merge_part(u32 first, u32 *n, struct part p) {
  u32 i = first;
  while (i < *n && __pathspan_parts_under_way[i].child != p.child) i++;
  if (i == *n) {
    __pathspan_parts_under_way[(*n)++] = p;
    return;
  }
  __pathspan_parts_under_way[i].times = __pathspan_plus(__pathspan_parts_under_way[i].times, p.times);
  for (u32 k = 0; k < __pathspan_forest->kinds; k++) __pathspan_parts_under_way[i].sum[k] = __pathspan_plus(__pathspan_parts_under_way[i].sum[k], p.sum[k]);
}

/* Makes one block of two in the lane of a loop of which an even number of blocks was told,
 * all ended by one entry: where locks leave many parts a block. */
static void double_blocks(struct frame *f, u32 end) {
  u32 to = f->begun, first = f->begun;
  int second = 0; /* a block waits for its other half */
  struct part last = {0};
  for (u32 i = f->begun; i < __pathspan_parts_used; i++) {
    struct part p = __pathspan_parts_under_way[i];
    if (p.child != end) {
      merge_part(first, &to, p);
      continue;
    }
    while (p.times) {
      struct part one = p; /* blocks that are taken from those that follow each other */
      u64 take = second || p.times == 1 || to > first ? 1 : p.times / 2 * 2;
      for (u32 k = 0; k < __pathspan_forest->kinds; k++) {
        one.sum[k] = __pathspan_share(p.sum[k], take, p.times);
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
        for (u32 k = 0; k < __pathspan_forest->kinds; k++) one.sum[k] = __pathspan_plus(one.sum[k], last.sum[k]);
        second = 0;
      }
      u32 grid = __pathspan_grid(__pathspan_forest, f->region);
      __pathspan_set_cells(&one, __pathspan_forest->kinds, grid, 1);
      for (u32 j = first; j < to; j++) __pathspan_set_cells(&__pathspan_parts_under_way[j], __pathspan_forest->kinds, grid, 1);
      __pathspan_parts_under_way[to++] = one;
      first = to;
    }
  }
  __pathspan_parts_used = to;
  memset(f->alike, 0xff, sizeof f->alike);
  f->block *= 2;
  f->told /= 2;
}

/* Makes one piece of what the block under way executed, where that holds tasks. Returns 0 where
 * the loop is followed no more. */
static int end_ordered(struct frame *f) {
  u32 n, id, number = (u32)(f - __pathspan_frames);
  do {
    n = __pathspan_parts_used - f->ordered;
    if (!f->tasks || n < 2) return 1;
    if ((id = __pathspan_forest_put(__pathspan_forest, __pathspan_region_count, form(PIECE), 1, &n, __pathspan_parts_under_way + f->ordered)) == FULL) __pathspan_make_room();
    if (__pathspan_stopped || __pathspan_depth <= number) return 0;
  } while (id == FULL);
  struct part piece = {.child = id + 1, .times = 1};
  __pathspan_set_cells(&piece, __pathspan_forest->kinds, __pathspan_forest->grid, 1);
  __pathspan_parts_under_way[f->ordered] = piece;
  __pathspan_parts_used = f->ordered + 1;
  memset(f->alike, 0xff, sizeof f->alike);
  return 1;
}

/* Tells of the blocks that are over. */
void __pathspan_end_blocks(struct frame *f, u64 blocks) {
  if (!__pathspan_end_held(f) || !end_ordered(f)) return;
  u32 id = nothing(f, blocks);
  if (id == FULL) return;
  f->told += blocks;
  __pathspan_end_part(f, id + 1, blocks);
  f->pieces = 0;
  f->ordered = __pathspan_parts_used;
  if (!__pathspan_stopped && __pathspan_depth > (u32)(f - __pathspan_frames) && __pathspan_parts_used - f->begun > __pathspan_most_parts(f) / 4 * 3 && f->told % 2 == 0) {
    double_blocks(f, id + 1);
    f->ordered = __pathspan_parts_used;
  }
}

/* Makes the blocks of a loop smaller whose iterations take the first lock: those that were told of
 * are as many more. */
void __pathspan_take_turns(struct frame *f, int what) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  u64 before = f->block;
  f->at += (u64)(f->period - __pathspan_iterations_left); /* with the one under way */
  f->at -= f->at > 0;
  __pathspan_often[number].locks |= what;
  __pathspan_often[number].always |= what == TAKES_LOCKS;
  f->block = block_for(f, most_blocks(f));
  if (f->block > before) f->block = before;
  u64 more = before / f->block;
  for (u32 i = f->begun; more > 1 && f->told && i < __pathspan_parts_used; i++) {
    struct part *p = &__pathspan_parts_under_way[i];
    if (f->of != __pathspan_generation || p->child != f->nothing + 1) continue;
    nothing(f, p->times * (more - 1));
    p->times *= more;
    __pathspan_set_cells(p, __pathspan_forest->kinds, __pathspan_grid(__pathspan_forest, f->region), 1);
  }
  f->told *= more;
  memset(f->alike, 0xff, sizeof f->alike);
  if (f->at / f->block > f->told) __pathspan_end_blocks(f, f->at / f->block - f->told);
  if (__pathspan_stopped || !f->inside) return;
  __pathspan_count_down(f);
  __pathspan_iterations_left--;
}

/* Ends the iterations of a loop that were executed: the blocks that were not told of.
 * Returns 0 where the loop is followed no more. */
static int end_iterations(struct frame *f) {
  f->at += (u64)(f->period - __pathspan_iterations_left);
  __pathspan_iterations_left = f->around;
  u64 over = __pathspan_blocks_by(f, f->at);
  __pathspan_end_blocks(f, over > f->told ? over - f->told : 1);
  return !__pathspan_stopped && __pathspan_depth > (u32)(f - __pathspan_frames);
}

/* Ends the lane of iterations and tells how many there are in the next. */
static void number_iterations(struct frame *f) {
  __pathspan_lane_parts[__pathspan_lane_count++] = __pathspan_parts_used - f->begun;
  f->ended++;
  f->begun = f->ordered = __pathspan_parts_used;
  u32 id = f->chunk ? nothing(f, f->chunk) : 0;
  if (id == FULL) return;
  f->work[0] = f->iterations;
  __pathspan_end_part(f, f->chunk ? id + 1 : 0, f->chunk ? f->chunk : 1);
}

void __pathspan_end_loop(struct frame *f) {
  u32 number = __pathspan_constructs[f->region] + f->open;
  if (!end_iterations(f)) return;
  u64 *taken = turns_of(f);
  if (taken) *taken = __pathspan_plus(*taken, f->told);
  memset(f->all, 0, sizeof f->all);
  for (u32 i = f->begun; i < __pathspan_parts_used; i++) {
    add(f->all, __pathspan_parts_under_way[i].sum);
    const struct entry *e = __pathspan_forest->entry + __pathspan_parts_under_way[i].child - 1;
    if (__pathspan_parts_under_way[i].child && e->sections > 0 && !__pathspan_is_update(e)) /* of which a sample tells */ __pathspan_often[number].always = 1;
  }
  u64 work = __pathspan_weigh(f->all);
  u64 most = __pathspan_finer_blocks[number] ? __pathspan_finer_blocks[number] : MOST_BLOCKS;
  if (!f->whole && __pathspan_often[number].told > FREE / 4 && f->told > most / 2 && work / f->told < BLOCK_WORK && most > LEAST_BLOCKS) most /= 2;
  else if (!f->whole && work / f->told > 8 * BLOCK_WORK && most < MOST_BLOCKS) most *= 2;
  __pathspan_finer_blocks[number] = (u16)most;
  number_iterations(f);
}

/* Ends a loop that was left amid its iterations. Those that were not reached are blocks
 * without work, so that each iteration stays with the thread that has it. */
void __pathspan_cut_loop(struct frame *f) {
  f->whole = 1; /* no sample of others */
  if (!end_iterations(f)) return;
  u64 blocks = __pathspan_blocks_by(f, f->iterations);
  if (blocks > f->told) __pathspan_end_blocks(f, blocks - f->told);
  if (!__pathspan_stopped && __pathspan_depth > (u32)(f - __pathspan_frames)) number_iterations(f);
}

/* Ends a loop that is known in sum. Returns 0 where there is no sample any more. */
int __pathspan_end_whole(struct frame *f) {
  u32 id = __pathspan_went_like(f->region, __pathspan_constructs[f->region] + f->open, f->iterations, f->chunk, f->work);
  if (id == FULL) return 0;
  __pathspan_iterations_left = f->around;
  f->inside = 0;
  __pathspan_became_entry(f, id);
  return 1;
}
