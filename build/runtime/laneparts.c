/* Lanes under way, part by part, and what becomes of a construct that ends: an entry of the
 * forest, and a part of the lane around it. */
#include "following.h"

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
    for (u32 k = 0; k < __pathspan_forest->kinds; k++) lane[j].sum[k] = __pathspan_plus(lane[j].sum[k], lane[i].sum[k]);
    lane[j].times = lane[j].child ? __pathspan_plus(lane[j].times, lane[i].times) : 1;
  }
  for (u32 i = 0; i < out; i++) __pathspan_set_cells(&lane[i], __pathspan_forest->kinds, grid, 1);
  *n = out;
}

/* How many atomic updates a part makes. */
static u64 updates_of(const struct part *p) {
  return p->child && __pathspan_is_update(&__pathspan_forest->entry[p->child - 1]) ? p->times : 0;
}

/* Joins the parts of a lane that has atomic updates in stretches of as many updates, as who waits
 * for whom hangs on when each line is updated. Returns 0 where it has none, or too many others. */
static int gather_stretches(struct frame *f, u32 *n, u32 grid) {
  struct part *lane = __pathspan_parts_under_way + f->begun;
  u64 all = 0, most = *n / 2;
  for (u32 i = 0; i < *n; i++) all = __pathspan_plus(all, updates_of(&lane[i]));
  while (*n > most && f->grain < all) {
    u32 out = 0;
    f->grain = f->grain ? 2 * f->grain : 2;
    for (u32 i = 0; i < *n;) {
      u32 first = i;
      for (f->grown = 0; i < *n && (i == first || f->grown + updates_of(&lane[i]) <= f->grain); i++) f->grown += updates_of(&lane[i]);
      u32 some = i - first;
      memmove(lane + out, lane + first, some * sizeof *lane);
      gather(lane + out, &some, grid);
      f->stretch = f->begun + out;
      out += some;
    }
    *n = out;
  }
  return *n <= most;
}

/* Joins the last parts of a lane as soon as they make a stretch. */
void __pathspan_grow_stretch(struct frame *f) {
  if (!f->grain || ++f->grown < f->grain) return;
  u32 n = __pathspan_parts_used > f->stretch ? __pathspan_parts_used - f->stretch : 0;
  gather(__pathspan_parts_under_way + f->stretch, &n, __pathspan_grid(__pathspan_forest, f->region));
  memset(f->alike, 0xff, sizeof f->alike);
  f->stretch = __pathspan_parts_used = f->stretch + n;
  f->grown = 0;
}

enum { PIECE_PARTS = MOST_LANE_PARTS / 2 };

/* Puts parts of a lane that holds tasks into an entry of their own, so that their order is
 * kept: those behind the pieces that there are, or all pieces where there are many. */
static void make_pieces(struct frame *f) {
  u32 number = (u32)(f - __pathspan_frames);
  memset(f->alike, 0xff, sizeof f->alike);
  for (;;) {
    u32 all = __pathspan_parts_used - f->ordered;
    if (all < MOST_LANE_PARTS) return;
    u32 first = f->pieces < PIECE_PARTS ? f->pieces : 0;
    struct part *from = __pathspan_parts_under_way + f->ordered + first;
    u32 n = PIECE_PARTS;
    u32 id = __pathspan_forest_put(__pathspan_forest, __pathspan_region_count, form(PIECE), 1, &n, from);
    if (id == FULL) {
      __pathspan_make_room();
      if (__pathspan_stopped || __pathspan_depth <= number) return;
      continue;
    }
    struct part piece = {.child = id + 1, .times = 1};
    __pathspan_set_cells(&piece, __pathspan_forest->kinds, __pathspan_forest->grid, 1);
    if (first && from[-1].child == piece.child) {
      from[-1].times++;
      memmove(from, from + n, (all - first - n) * sizeof *from);
      __pathspan_parts_used -= n;
    } else {
      *from = piece;
      memmove(from + 1, from + n, (all - first - n) * sizeof *from);
      __pathspan_parts_used -= n - 1;
      f->pieces = first ? f->pieces + 1 : first == f->pieces ? 1 : f->pieces - n + 1;
    }
  }
}

u32 __pathspan_most_parts(const struct frame *f) { return f->loop ? MOST_LOOP_PARTS : MOST_LANE_PARTS; }

/* Ends a part of the lane that a region goes on with: what it did since the last one, and
 * executions of an entry, so many in a row, or none. */
void __pathspan_end_part(struct frame *f, u32 child, u64 times) {
  if (child && times == 1 && __pathspan_parts_used > f->begun && __pathspan_parts_under_way[__pathspan_parts_used - 1].child == child && memcmp(f->work, f->alike, sizeof f->work) == 0) {
    struct part *last = &__pathspan_parts_under_way[__pathspan_parts_used - 1];
    last->times++;
    add(last->sum, f->work);
    memset(f->work, 0, sizeof f->work);
    return;
  }
  struct part *p = &__pathspan_parts_under_way[__pathspan_parts_used];
  if (__pathspan_parts_used > f->begun && p[-1].child == 0) {
    p = &__pathspan_parts_under_way[--__pathspan_parts_used];
    add(p->sum, f->work);
  } else {
    memcpy(p->sum, f->work, sizeof p->sum);
  }
  p->child = child;
  p->times = times;
  memset(f->work, 0, sizeof f->work);
  __pathspan_set_cells(p, __pathspan_forest->kinds, __pathspan_grid(__pathspan_forest, f->region), 1);
  if (times == 1) memcpy(f->alike, p->sum, sizeof f->alike);
  else memset(f->alike, 0xff, sizeof f->alike);
  if (child && __pathspan_parts_used > f->begun && p[-1].child == child && __pathspan_same_cells(p - 1, p)) {
    p[-1].times += times;
    add(p[-1].sum, p->sum);
    return;
  }
  __pathspan_parts_used++;
  if (f->tasks && __pathspan_parts_used - f->ordered >= MOST_LANE_PARTS) {
    make_pieces(f);
  } else if (__pathspan_parts_used - f->begun == __pathspan_most_parts(f)) {
    u32 n = __pathspan_parts_used - f->begun;
    if (f->loop || !gather_stretches(f, &n, __pathspan_grid(__pathspan_forest, f->region)))
      gather(__pathspan_parts_under_way + f->begun, &n, __pathspan_grid(__pathspan_forest, f->region));
    memset(f->alike, 0xff, sizeof f->alike);
    __pathspan_parts_used = f->begun + n;
    while (!__pathspan_stopped && __pathspan_depth > (u32)(f - __pathspan_frames) && __pathspan_parts_used - f->begun > __pathspan_most_parts(f) / 2) __pathspan_make_room();
  }
  while (!__pathspan_stopped && __pathspan_parts_used == MOST_PARTS) __pathspan_make_room();
}

/* Forgets the construct that a region has begun. */
void __pathspan_drop_construct(struct frame *f) {
  if (f->open == NONE) return;
  __pathspan_parts_used = f->first_part;
  __pathspan_lane_count = f->first_lane;
  f->open = NONE;
  if (f->loop && f->inside) __pathspan_iterations_left = f->around;
  f->inside = 0;
}

/* The entry of a construct without lanes, or FULL where the frame is followed no more. */
u32 __pathspan_without_lanes(struct frame *f, u32 region, u32 construct, u64 count) {
  u32 number = (u32)(f - __pathspan_frames);
  const struct part none = {0};
  u32 id, no_lane = 0;
  while ((id = __pathspan_forest_put(__pathspan_forest, region, construct, count, &no_lane, &none)) == FULL) {
    __pathspan_make_room();
    if (__pathspan_stopped || __pathspan_depth <= number) return FULL;
  }
  return id;
}

/* Notes as which entry the construct went that a region has begun. */
void __pathspan_became_entry(struct frame *f, u32 id) {
  u32 number = (u32)(f - __pathspan_frames);
  if (number > 0 && is_streak(f - 1)) f[-1].last = f->open;
  __pathspan_drop_construct(f);
  if ((f = __pathspan_holder_of(number))) __pathspan_end_part(f, id + 1, 1);
}

/* Ends the construct that the innermost region has begun. */
void __pathspan_join_construct(struct frame *f) {
  u32 number = (u32)(f - __pathspan_frames);
  u32 id;
  while ((id = __pathspan_forest_put(__pathspan_forest, f->region, f->open, 1, __pathspan_lane_parts + f->first_lane, __pathspan_parts_under_way + f->first_part)) == FULL) {
    __pathspan_make_room();
    if (__pathspan_stopped || __pathspan_depth <= number) return;
  }
  if (f->loop && !f->whole) __pathspan_remember_sample(f, id);
  __pathspan_became_entry(f, id);
}
