/* Makes room where the forest or what is under way has none: the forest is planted anew, of a
 * coarser grid or of less depth, and what lanes under way hold with it. */
#define _GNU_SOURCE
#include "following.h"

#include <sys/mman.h>

/* Where the parts of a region under way end. */
static u32 end_of(u32 region) {
  for (u32 i = region + 1; i < __pathspan_depth; i++)
    if (__pathspan_frames[i].open != NONE) return __pathspan_frames[i].first_part;
  return __pathspan_parts_used;
}

/* Where the block of a loop begins whose parts end there. */
static u32 block_of(const struct frame *f, u32 end) {
  for (; end > f->begun; end--) {
    u32 child = __pathspan_parts_under_way[end - 1].child;
    if (child && __pathspan_forest->entry[child - 1].sections == 0 && __pathspan_forest->entry[child - 1].region == f->region) break;
  }
  return end;
}

/* Sets what lanes under way hold to what became of it. Regions that are followed no more
 * become work of the lane around them. */
static void replace(struct planting *p, u32 most) {
  u32 to = 0;
  if (most < __pathspan_depth && is_streak(&__pathspan_frames[most - 1])) most--; /* what it holds is work */
  struct frame *last = __pathspan_section_around(most);
  for (u32 i = 0; i < __pathspan_depth; i++) {
    struct frame *f = &__pathspan_frames[i];
    if (f->open == NONE) continue;
    memset(f->alike, 0xff, sizeof f->alike);
    u32 from = f->first_part;
    u32 end = end_of(i);
    f->first_part = to;
    for (u32 l = 0; l < f->ended + (f->inside ? 1 : 0); l++) {
      u32 n = l < f->ended ? __pathspan_lane_parts[f->first_lane + l] : end - from;
      u32 first = to;
      for (; n > 0; n--, from++) {
        struct part part = __pathspan_parts_under_way[from];
        __pathspan_become(p, &part, 1, i);
        if (i < most) __pathspan_parts_under_way[to++] = part;
        else __pathspan_add_work(last, part.sum);
      }
      to = first + __pathspan_shorten(__pathspan_parts_under_way + first, to - first, __pathspan_forest->kinds, __pathspan_grid(__pathspan_forest, f->region), 1);
      if (l < f->ended) __pathspan_lane_parts[f->first_lane + l] = to - first;
      else {
        f->begun = first;
        f->ordered = f->loop ? block_of(f, to) : first;
        f->pieces = 0;
      }
    }
    if (i >= most && f->inside) {
      __pathspan_add_work(last, f->work);
      for (u32 h = 0; h < f->locks; h++) {
        __pathspan_add_work(last, f->held[h].work);
        __pathspan_add_work(last, f->held[h].before);
      }
      if (f->locks) __pathspan_add_work(last, f->behind);
    }
  }
  __pathspan_parts_used = to;
  while (__pathspan_depth > most) {
    __pathspan_depth--;
    if (!wraps(&__pathspan_frames[__pathspan_depth]) && !is_streak(&__pathspan_frames[__pathspan_depth])) __pathspan_deeper++;
    if (__pathspan_frames[__pathspan_depth].open == NONE) continue;
    __pathspan_lane_count = __pathspan_frames[__pathspan_depth].first_lane;
    if (__pathspan_frames[__pathspan_depth].loop && __pathspan_frames[__pathspan_depth].inside) __pathspan_pass_over(__pathspan_frames[__pathspan_depth].around);
  }
}

/* Plants the forest, and another beside it where one is given, into one of a grid and a
 * depth. Where all but what lanes under way hold is forgotten, keep is 0. Returns 0 where
 * the new one passes a bound. */
int __pathspan_replant(const struct forest *other, u32 grid, u32 most, int keep) {
  struct planting ours = {0}, theirs = {0};
  struct forest *to = __pathspan_forest == __pathspan_forests ? __pathspan_forests + 1 : __pathspan_forests;
  int cut = most && (most != __pathspan_forest->depth || (other && other->depth != most));
  u32 depths = cut ? most + 1 : 1;
  __pathspan_take_in_all();
  if (!__pathspan_forest_new(to, __pathspan_forest->kinds, grid, most)) return 0;
  int ok = __pathspan_planting_new(&ours, __pathspan_forest, depths);
  if (ok) {
    u64 *roots = __pathspan_forest_roots(__pathspan_forest);
    ok = roots != 0;
    for (u32 i = 0; ok && i < __pathspan_depth; i++) { /* what lanes under way hold has a place */
      if (__pathspan_frames[i].open == NONE) continue;
      u32 end = end_of(i);
      u32 d = cut ? (i + 1 < most ? i + 1 : most) : 0;
      for (u32 j = __pathspan_frames[i].first_part; j < end; j++) {
        if (__pathspan_parts_under_way[j].child == 0) continue;
        u32 c = __pathspan_parts_under_way[j].child - 1;
        ours.often[(size_t)c * depths + d] += __pathspan_parts_under_way[j].times;
        roots[c] -= __pathspan_parts_under_way[j].times < roots[c] ? __pathspan_parts_under_way[j].times : roots[c];
      }
    }
    for (u32 i = 0; ok && keep && i < __pathspan_forest->entries; i++) ours.often[(size_t)i * depths] = __pathspan_plus(ours.often[(size_t)i * depths], roots[i]);
    if (roots) munmap(roots, (__pathspan_forest->entries + 1) * sizeof *roots);
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
    struct forest *old = __pathspan_forest;
    __pathspan_forest = to;
    __pathspan_generation++;
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
int __pathspan_fit_forest(const struct forest *other, u32 grid, u32 most, int coarser) {
  for (;; coarser = 1) {
    if (coarser) {
      if (grid > 0) grid /= 2;
      else if (most == 1) return 0;
      else if (most) most /= 2;
      else {
        u32 height = __pathspan_forest_height(__pathspan_forest);
        u32 others = other ? __pathspan_forest_height(other) : 0;
        most = (__pathspan_depth + (height > others ? height : others) + 1) / 2;
      }
    }
    if (__pathspan_replant(other, grid, most, 1)) return 1;
  }
}

void __pathspan_make_room(void) {
  if (__pathspan_fit_forest(0, __pathspan_forest->grid, __pathspan_forest->depth, 1)) return;
  __pathspan_stopped = 1;
  __pathspan_depth = 0;
}
