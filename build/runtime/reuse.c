/* Lines in the order of their last use, in groups: how many other lines were used between two
 * uses of a line is known to the group. Groups end behind 1, 2, 3, 4, 6, 8, 12, 16 lines and
 * so on, after Y. H. Kim, M. D. Hill, D. A. Wood (SIGMETRICS 1991). The first of them, from which
 * nearly all uses come, are an array; the others a list. */
#include "memory.h"

enum { MOST_LINES = 1 << 28, GROUPS = 52, NEAR = 16, NEAR_GROUPS = 8 };
#define NONE (~(u32)0) /* no line's number, and not that of a line that was not used */

static struct {
  u32 newer, older;
} *order;
static struct {
  u32 used;                    /* when it came to the front last */
  uint16_t writer;             /* lane that wrote to it last, + 1; 0: none */
  u8 group;
  u8 dirty;                    /* the farthest group it was used in since it was written; CLEAN: it was not */
} *about;
enum { CLEAN = 255 };
static u32 used, oldest;       /* lines; the last in the order */
u32 __pathspan_front = NONE;
u8 __pathspan_front_written;   /* since it came to the front, or the lane changed */
static u32 near[NEAR];         /* lines used last, the last at 0; 0: none */
static const u8 near_group[NEAR] = {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7};
static u32 newest;             /* of the list, 0: none */
static u32 last[GROUPS];       /* line of each group that is full */
static u32 full = NEAR_GROUPS, in_next; /* groups that are full, or of the array; lines in the next */
static u32 since;              /* the last moment before the lane began, or went on */

/* Uses by lane; of the first since it went on by who wrote the line last as well. By group;
 * behind the last, of lines not used before. */
static struct uses {
  u32 lane, from, first;
  struct uses *chain;
  u64 reads[GROUPS + 1], writes[GROUPS + 1];
  i64 back[GROUPS + 1];
} *by_hash[1 << 10], *own;

static struct uses *uses_of(u32 lane, u32 from, u32 first) {
  struct uses **slot = &by_hash[(lane * 31u + from * 2u + first) * 0x9e3779b9u >> 22];
  for (struct uses *u = *slot; u; u = u->chain)
    if (u->lane == lane && u->from == from && u->first == first) return u;
  struct uses *u = __pathspan_arena(sizeof *u);
  u->lane = lane;
  u->from = from;
  u->first = first;
  u->chain = *slot;
  return *slot = u;
}

static u32 lane_now(void) { return (u32)(__pathspan_here >> 32) & 0xffff; }

/* written notes that the line used last was. */
static void written(void) {
  if (!__pathspan_front_written) return;
  __pathspan_front_written = 0;
  about[near[0]].writer = (uint16_t)(lane_now() + 1);
  about[near[0]].dirty = 0;
}

void __pathspan_lane_changes(void) {
  written();
  own = 0;
  since = __pathspan_now; /* the next moment is its first */
  __pathspan_front = NONE;
}

/* size_of is how many lines group g has: 1, 1, 1, 1, 2, 2, 4, 4 ... */
static u32 size_of(u32 g) { return g < 4 ? 1 : 1u << ((g - 2) / 2); }

/* put_newest puts a line, which the array has no more, at the front of the list. */
static void put_newest(u32 i) {
  order[i].newer = 0;
  order[i].older = newest;
  if (newest) order[newest].newer = i;
  newest = i;
  about[i].group = NEAR_GROUPS;
}

static u32 new_line(void) {
  if (!order) {
    order = __pathspan_reserve(MOST_LINES * sizeof *order);
    about = __pathspan_reserve(MOST_LINES * sizeof *about);
  }
  about[++used].dirty = CLEAN;
  return used;
}

/* shift hands the last line of each group of the list before g to the next. The newest is in place. */
static void shift(u32 g) {
  for (u32 k = NEAR_GROUPS; k < g; k++) {
    u32 l = last[k];
    about[l].group = (u8)(k + 1);
    last[k] = order[l].newer;
  }
}

/* lengthen puts a line into the list that makes it longer. */
static void lengthen(u32 i) {
  put_newest(i);
  shift(full);
  if (!oldest) oldest = i;
  if (++in_next < size_of(full) || full + 1 == GROUPS) return;
  last[full++] = oldest;
  in_next = 0;
}

/* replace puts a line into the list in place of one of group g. */
static void replace(u32 i, u32 gone, u32 g) {
  u32 newer = order[gone].newer, older = order[gone].older;
  put_newest(i);
  if (!newer) newer = i; /* it was the newest */
  if (g < full && last[g] == gone) last[g] = newer;
  order[newer].older = older;
  if (older) order[older].newer = newer;
  else oldest = newer;
  shift(g);
}

void __pathspan_use(u32 *line, int writes) {
  u32 i = *line, g = GROUPS, p = 0, moved = near[0];
  written();
  if (!i) i = *line = new_line();
  if (moved != i) { /* each up to its place goes back by one */
    near[0] = i;
    for (p = 1; p < NEAR; p++) {
      u32 here = near[p];
      near[p] = moved;
      moved = here;
      if (here == i) break;
    }
  }
  if (p < NEAR && (p == 0 || moved == i)) g = near_group[p];
  else if (about[i].used) replace(moved, i, g = about[i].group);
  else if (moved) lengthen(moved);
  u32 then = about[i].used;
  struct uses *u;
  if (then <= since) u = uses_of(lane_now(), about[i].writer, 1);
  else u = own ? own : (own = uses_of(lane_now(), 0, 0));
  if (then <= __pathspan_lane_began) __pathspan_lane_lines++;
  if (writes) u->writes[g]++;
  else u->reads[g]++;
  u8 dirty = about[i].dirty;
  if (g < GROUPS && dirty < g) {
    u->back[g]++;
    u->back[dirty]--;
    about[i].dirty = (u8)g;
  }
  about[i].used = __pathspan_now;
  __pathspan_front = i;
}

/* Lines up to the end of group g. */
static i64 lines_to(u32 g) {
  i64 n = 0;
  for (u32 k = 0; k <= g; k++) n += size_of(k);
  return n;
}

/* each_use tells of uses by how many lines, at least, a cache must have to have them still; -1
 * for the first time. Where first is set they are the first of a lane since it began or went
 * on, and from is who wrote the line last, + 1. */
void __pathspan_each_use(void (*tell)(u32 lane, u32 from, int first, i64 lines, u64 reads, u64 writes, i64 back)) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain)
      for (u32 g = 0; g <= GROUPS; g++)
        if (u->reads[g] || u->writes[g] || u->back[g])
          tell(u->lane, u->from, (int)u->first, g == GROUPS ? -1 : lines_to(g), u->reads[g], u->writes[g], u->back[g]);
}

void __pathspan_forget_uses(void) {
  for (u32 i = 0; i < sizeof by_hash / sizeof *by_hash; i++)
    for (struct uses *u = by_hash[i]; u; u = u->chain)
      for (u32 g = 0; g <= GROUPS; g++) {
        u->reads[g] = u->writes[g] = 0;
        u->back[g] = 0;
      }
}
